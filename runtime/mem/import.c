/* The other processes' side of shared allocations.
 *
 * The pages of an allocation are mapped side by side. A hold on each tells the owner that it must
 * not free their memory. */
#include "mem/import.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "mem/heap.h"
#include "mem/heap_block.h"
#include "mem/memmap.h"
#include "os/os.h"
#include "os/shared.h"

/* A file of another process. Life: while an import is of it. */
struct source {
    struct source *next;
    uint64_t number;
    int fd;                       /* owned; has the holds */
    struct cdp_share_slot *table; /* owned mapping */
    unsigned users;
};

/* A mapped allocation. Life: until it is closed as often as it was opened. */
struct import {
    struct import *next;
    struct source *source; /* counted */
    struct cdp_share_name name;
    struct cdp_share_slot slot; /* a copy, of what is mapped */
    char *lo;                   /* of the mapping */
    size_t bytes;
    unsigned device, opens;
};

static struct {
    struct cdp_lock lock;
    struct source *sources CDP_GUARDED_BY(&lock);
    struct import *imports CDP_GUARDED_BY(&lock);
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_IMPORTS)};

/* ---- Files ---- */

static struct source *take_source(const struct cdp_share_name *name, int fd) CDP_NEEDS(&all.lock)
{
    for (struct source *source = all.sources; source != NULL; source = source->next) {
        if (source->number == name->file) {
            bool lives = fd >= 0 || cdp_os_process_lives(name->process);
            source->users += lives;
            return lives ? source : NULL; /* a dead owner cannot say what is free */
        }
    }
    struct source *source = cdp_alloc(sizeof *source);
    if (source == NULL) {
        return NULL;
    }
    int opened = fd >= 0 ? cdp_os_shared_open(cdp_os_process_number(), fd, name->file)
                         : cdp_os_shared_open(name->process, name->fd, name->file);
    void *table = opened >= 0 && cdp_os_shared_size(opened) >= CDP_SHARE_TABLE
                      ? cdp_os_shared_put(NULL, CDP_SHARE_TABLE, opened, 0)
                      : NULL;
    if (table == NULL) {
        if (opened >= 0) {
            cdp_os_shared_close(opened);
        }
        cdp_free(source);
        return NULL;
    }
    *source = (struct source){
        .next = all.sources, .number = name->file, .fd = opened, .table = table, .users = 1};
    all.sources = source;
    return source;
}

static void give_source(struct source *source) CDP_NEEDS(&all.lock)
{
    if (--source->users > 0) {
        return;
    }
    struct source **at = &all.sources;
    while (*at != source) {
        at = &(*at)->next;
    }
    *at = source->next;
    cdp_os_unmap(source->table, CDP_SHARE_TABLE);
    cdp_os_shared_close(source->fd);
    cdp_free(source);
}

uint64_t cdp_import_file(int fd)
{
    if (cdp_os_shared_size(fd) < CDP_SHARE_TABLE) {
        return 0;
    }
    size_t page = cdp_os_page();
    struct cdp_share_slot *table = cdp_os_shared_put(NULL, page, fd, 0);
    bool is_heap = table != NULL && atomic_load(&table[0].serial) == CDP_SHARE_TABLE_SERIAL;
    if (table != NULL) {
        cdp_os_unmap(table, page);
    }
    return is_heap ? cdp_os_shared_number(fd) : 0;
}

/* ---- Mappings ---- */

static void release_holds(const struct import *import)
{
    for (uint64_t i = 0; i < import->slot.run_count; i++) {
        cdp_os_shared_release(import->source->fd, import->slot.runs[i].offset,
                              import->slot.runs[i].bytes);
    }
}

/* Copies the entry of the table, and holds its pages; false: the allocation is not there (any
 * more). */
static bool hold(struct import *import)
{
    const struct cdp_share_name *name = &import->name;
    const struct cdp_share_slot *slot = &import->source->table[name->slot];
    bool good = atomic_load(&slot->serial) == name->serial && slot->run_count > 0 &&
                slot->run_count <= CDP_SHARE_MOST_RUNS;
    for (uint64_t i = 0; good && i < slot->run_count; i++) {
        import->slot.runs[i].offset = slot->runs[i].offset;
        import->slot.runs[i].bytes = slot->runs[i].bytes;
        import->bytes += slot->runs[i].bytes;
        import->slot.run_count = i + 1;
        good = cdp_os_shared_hold(import->source->fd, slot->runs[i].offset, slot->runs[i].bytes);
    }
    /* The owner clears the serial before it looks for holds. */
    if (good && atomic_load(&slot->serial) == name->serial &&
        import->bytes >= name->front + name->size) {
        return true;
    }
    release_holds(import);
    return false;
}

static bool map(struct import *import)
{
    import->lo = cdp_os_reserve(import->bytes);
    char *at = import->lo;
    for (uint64_t i = 0; at != NULL && i < import->slot.run_count; i++) {
        size_t bytes = import->slot.runs[i].bytes;
        if (cdp_os_shared_put(at, bytes, import->source->fd, import->slot.runs[i].offset) == NULL) {
            cdp_os_unmap(import->lo, import->bytes);
            return false;
        }
        at += bytes;
    }
    return at != NULL;
}

static void *address_of(const struct import *import)
{
    return import->lo + import->name.front;
}

static enum cdp_status add(struct import *import)
{
    if (!hold(import)) {
        return CDP_NOT_REGISTERED;
    }
    if (!map(import)) {
        release_holds(import);
        return CDP_NO_MEMORY;
    }
    enum cdp_status status = cdp_memmap_add_mapped(import->device, address_of(import),
                                                   import->name.size, CDP_MEMMAP_FOREIGN);
    if (status != CDP_OK) {
        cdp_os_unmap(import->lo, import->bytes);
        release_holds(import);
        return status;
    }
    cdp_heap_poison(import->lo, import->bytes);
    cdp_heap_unpoison(address_of(import), import->name.size);
    return CDP_OK;
}

static struct import *find_same(const struct cdp_share_name *name) CDP_NEEDS(&all.lock)
{
    struct import *import = all.imports;
    while (import != NULL &&
           (import->name.file != name->file || import->name.serial != name->serial ||
            import->name.slot != name->slot)) {
        import = import->next;
    }
    return import;
}

static enum cdp_status open_new(const struct cdp_share_name *name, int fd, unsigned device,
                                struct import **out) CDP_NEEDS(&all.lock)
{
    struct import *import = cdp_alloc_zero(sizeof *import);
    if (import == NULL) {
        return CDP_NO_MEMORY;
    }
    struct source *source = take_source(name, fd);
    if (source == NULL) {
        cdp_free(import);
        return CDP_NOT_REGISTERED;
    }
    import->source = source;
    import->name = *name;
    import->device = device;
    enum cdp_status status = add(import);
    if (status != CDP_OK) {
        give_source(source);
        cdp_free(import);
        return status;
    }
    import->next = all.imports;
    all.imports = import;
    *out = import;
    return CDP_OK;
}

enum cdp_status cdp_import_open(const struct cdp_share_name *name, int fd, unsigned device,
                                void **out)
{
    if (name->magic != CDP_SHARE_MAGIC || name->slot == 0 || name->slot >= CDP_SHARE_SLOTS ||
        name->serial == 0 || name->size == 0 || name->size > PTRDIFF_MAX ||
        name->front >= cdp_os_page()) {
        return CDP_INVALID_VALUE;
    }
    enum cdp_status status = CDP_OK;
    cdp_lock_acquire(&all.lock);
    struct import *import = find_same(name);
    if (import == NULL) {
        status = open_new(name, fd, device, &import);
    }
    if (status == CDP_OK) {
        import->opens++;
        *out = address_of(import);
    }
    cdp_lock_release(&all.lock);
    return status;
}

/* The entry that refers to the import which starts at the address; it refers to NULL if there is
 * none. */
static struct import **find(const void *address) CDP_NEEDS(&all.lock)
{
    struct import **at = &all.imports;
    while (*at != NULL && address_of(*at) != address) {
        at = &(*at)->next;
    }
    return at;
}

static void end(struct import **at) CDP_NEEDS(&all.lock)
{
    struct import *import = *at;
    *at = import->next;
    cdp_memmap_remove_mapped(address_of(import));
    cdp_heap_unpoison(import->lo, import->bytes);
    cdp_os_unmap(import->lo, import->bytes);
    release_holds(import);
    give_source(import->source);
    cdp_free(import);
}

enum cdp_status cdp_import_close(void *address)
{
    cdp_lock_acquire(&all.lock);
    struct import **at = find(address);
    bool found = *at != NULL;
    if (found && --(*at)->opens == 0) {
        end(at);
    }
    cdp_lock_release(&all.lock);
    return found ? CDP_OK : CDP_INVALID_VALUE;
}

bool cdp_import_find(const void *address, struct cdp_share_name *name, unsigned *device)
{
    cdp_lock_acquire(&all.lock);
    const struct import *import = *find(address);
    if (import != NULL) {
        *name = import->name;
        *device = import->device;
    }
    cdp_lock_release(&all.lock);
    return import != NULL;
}

void cdp_import_reset(unsigned device)
{
    cdp_lock_acquire(&all.lock);
    struct import **at = &all.imports;
    while (*at != NULL) {
        if ((*at)->device == device) {
            end(at);
        } else {
            at = &(*at)->next;
        }
    }
    cdp_lock_release(&all.lock);
}
