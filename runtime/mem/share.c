/* The owner's side of shared allocations. */
#include "mem/share.h"

#include "base/alloc.h"
#include "mem/heap.h"
#include "mem/heap_block.h"
#include "os/os.h"
#include "os/shared.h"

/* Neighbouring pages in the file. Life: until the last allocation that has a part of it is freed.
 */
struct run {
    struct cdp_tree_node node; /* must be first; key: lo */
    char *lo;
    size_t bytes, offset; /* offset: in the file */
    unsigned users;       /* shared allocations */
};

/* A shared allocation. */
struct shared {
    struct cdp_tree_node node; /* must be first; key: address of the allocation */
    struct run *runs[CDP_SHARE_MOST_RUNS];
    unsigned run_count;
    unsigned slot;
};

/* A part of the file that no allocation uses, but perhaps another process. */
struct leftover {
    struct leftover *next;
    size_t offset, bytes;
};

/* Life: from the first shared allocation to the end of the heap. All under the heap's lock. */
struct cdp_share {
    int fd;                       /* owned */
    uint64_t file;                /* cdp_os_shared_number */
    struct cdp_share_slot *table; /* owned mapping of the file's start */
    size_t end;                   /* of the file; offsets are used once */
    uint64_t serial;              /* of the latest entry */
    unsigned next_slot;           /* where the search for a free one begins */
    struct cdp_tree runs, allocations;
    struct leftover *leftovers; /* owned */
};

/* ---- Moves of pages ---- */

/* Writes to pages that move fault, and their threads wait. moves grows before the pages are
 * protected; a thread that sees a fault, and a number that it has not seen, tries once again. */
static atomic_uint moves, moving;
static __thread unsigned seen_moves CDP_TLS_INITIAL_EXEC;

CDP_UNSEEN_BY_SANITIZERS bool cdp_share_waited(void)
{
    if (CDP_LIKELY(atomic_load(&moves) == seen_moves)) {
        return false;
    }
    while (atomic_load(&moving) != 0) {
        cdp_os_pause();
    }
    seen_moves = atomic_load(&moves);
    return true;
}

static void begin_move(void)
{
    atomic_fetch_add(&moving, 1);
    atomic_fetch_add(&moves, 1);
}

static void end_move(void)
{
    atomic_fetch_sub(&moving, 1);
}

/* Copies words that are not zero; so pages that nobody wrote take no memory. Parts may be poisoned
 * for AddressSanitizer. */
CDP_UNSEEN_BY_SANITIZERS static void copy_words(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = *(const volatile uint64_t *)(const void *)(from + i);
        if (word != 0) {
            *(volatile uint64_t *)(void *)(to + i) = word;
        }
    }
}

/* After a change of mappings, which AddressSanitizer takes for new memory: only live allocations
 * are accessible. They are so all the time, since kernels may be using them. */
static void mark(struct cdp_heap_block *block, char *lo, size_t bytes)
{
    char *hi = lo + bytes;
    while (block->previous != NULL && block->lo > lo) {
        block = block->previous;
    }
    for (; block != NULL && block->lo < hi; block = block->next) {
        if (block->requested == 0 || block->requested == CDP_HEAP_KEPT) {
            continue;
        }
        if (block->lo > lo) {
            cdp_heap_poison(lo, (size_t)(block->lo - lo));
        }
        cdp_heap_unpoison(block->lo, block->requested);
        char *end = block->lo + block->requested;
        lo = end > lo ? end : lo;
    }
    if (lo < hi) {
        cdp_heap_poison(lo, (size_t)(hi - lo));
    }
}

/* From memory of this process into the file. */
static bool move_to_file(const struct cdp_share *share, struct cdp_heap_block *block,
                         const struct run *run)
{
    char *view = cdp_os_shared_put(NULL, run->bytes, share->fd, run->offset);
    if (view == NULL) {
        return false;
    }
    begin_move();
    bool good = cdp_os_protect(run->lo, run->bytes, false);
    if (good) {
        copy_words(view, run->lo, run->bytes);
        good = cdp_os_shared_put(run->lo, run->bytes, share->fd, run->offset) != NULL;
    }
    if (!good) {
        (void)cdp_os_protect(run->lo, run->bytes, true);
    }
    end_move();
    mark(block, run->lo, run->bytes);
    cdp_os_unmap(view, run->bytes);
    return good;
}

/* From the file into memory of this process; the bytes beyond the freed block are kept. If that is
 * not possible, the pages stay in the file. */
static void move_back(struct cdp_heap_block *block, const struct run *run)
{
    bool is_within = run->lo >= block->lo && run->lo + run->bytes <= block->lo + block->size;
    char *copy = is_within ? NULL : cdp_os_map(run->bytes);
    if (!is_within && copy == NULL) {
        return;
    }
    begin_move();
    if (copy != NULL && cdp_os_protect(run->lo, run->bytes, false)) {
        copy_words(copy, run->lo, run->bytes);
    }
    (void)cdp_os_private_put(run->lo, run->bytes, copy);
    end_move();
    mark(block, run->lo, run->bytes);
}

/* ---- Runs ---- */

static void add_leftover(struct cdp_share *share, size_t offset, size_t bytes)
{
    struct leftover *leftover = cdp_alloc(sizeof *leftover);
    if (leftover != NULL) { /* else the memory stays until the process ends */
        *leftover = (struct leftover){.next = share->leftovers, .offset = offset, .bytes = bytes};
        share->leftovers = leftover;
    }
}

static void discard_leftovers(struct cdp_share *share)
{
    struct leftover **slot = &share->leftovers;
    while (*slot != NULL) {
        struct leftover *leftover = *slot;
        if (cdp_os_shared_is_held(share->fd, leftover->offset, leftover->bytes)) {
            slot = &leftover->next;
            continue;
        }
        cdp_os_shared_discard(share->fd, leftover->offset, leftover->bytes);
        *slot = leftover->next;
        cdp_free(leftover);
    }
}

static void drop_run(struct cdp_share *share, struct cdp_heap_block *block, struct run *run)
{
    if (--run->users > 0) {
        return;
    }
    cdp_tree_remove(&share->runs, &run->node);
    move_back(block, run);
    add_leftover(share, run->offset, run->bytes);
    cdp_free(run);
}

/* The run that starts at lo; a new one if there is none; NULL: no memory. */
static struct run *take_run(struct cdp_share *share, struct cdp_heap_block *block, char *lo,
                            size_t bytes)
{
    struct cdp_tree_node *node = cdp_tree_floor(&share->runs, (uintptr_t)lo, 0);
    struct run *run = (struct run *)(void *)node;
    if (run != NULL && run->lo == lo) {
        run->users++;
        return run;
    }
    run = cdp_alloc(sizeof *run);
    if (run == NULL) {
        return NULL;
    }
    *run = (struct run){.node = {.major = (uintptr_t)lo},
                        .lo = lo,
                        .bytes = bytes,
                        .offset = share->end,
                        .users = 1};
    if (!cdp_os_shared_grow(share->fd, share->end + bytes) || !move_to_file(share, block, run)) {
        cdp_free(run);
        return NULL;
    }
    share->end += bytes;
    cdp_tree_insert(&share->runs, &run->node);
    return run;
}

/* ---- Allocations ---- */

static void give_runs(struct cdp_share *share, struct cdp_heap_block *block, struct shared *shared)
{
    while (shared->run_count > 0) {
        drop_run(share, block, shared->runs[--shared->run_count]);
    }
}

/* The first page, the last one, and those between are runs of their own. */
static bool take_runs(struct cdp_share *share, struct cdp_heap_block *block, struct shared *shared)
{
    uintptr_t page = cdp_os_page(), mask = ~(page - 1);
    char *first = (char *)((uintptr_t)block->lo & mask);
    char *last = (char *)(((uintptr_t)block->lo + block->requested - 1) & mask);
    char *starts[CDP_SHARE_MOST_RUNS + 1] = {first, first + page, last, last + page};
    for (int i = 0; i < CDP_SHARE_MOST_RUNS; i++) {
        bool is_empty = starts[i] >= starts[i + 1] || (i == 2 && last == first);
        if (is_empty) {
            continue;
        }
        struct run *run = take_run(share, block, starts[i], (size_t)(starts[i + 1] - starts[i]));
        if (run == NULL) {
            give_runs(share, block, shared);
            return false;
        }
        shared->runs[shared->run_count++] = run;
    }
    return true;
}

/* Fills an entry of the table; false: all are used. */
static bool publish(struct cdp_share *share, struct shared *shared)
{
    for (unsigned i = 0; i < CDP_SHARE_SLOTS; i++) {
        unsigned number = (share->next_slot + i) % CDP_SHARE_SLOTS;
        struct cdp_share_slot *slot = &share->table[number];
        if (atomic_load(&slot->serial) != 0) {
            continue;
        }
        slot->run_count = shared->run_count;
        for (unsigned j = 0; j < shared->run_count; j++) {
            slot->runs[j].offset = shared->runs[j]->offset;
            slot->runs[j].bytes = shared->runs[j]->bytes;
        }
        atomic_store(&slot->serial, ++share->serial);
        shared->slot = number;
        share->next_slot = number + 1;
        return true;
    }
    return false;
}

static struct shared *find_shared(const struct cdp_share *share, const struct cdp_heap_block *block)
{
    struct cdp_tree_node *node = cdp_tree_floor(&share->allocations, (uintptr_t)block->lo, 0);
    return (struct shared *)(void *)node;
}

static struct shared *share_block(struct cdp_share *share, struct cdp_heap_block *block)
{
    if (block->is_shared) {
        return find_shared(share, block);
    }
    struct shared *shared = cdp_alloc_zero(sizeof *shared);
    if (shared == NULL || !take_runs(share, block, shared)) {
        cdp_free(shared);
        return NULL;
    }
    if (!publish(share, shared)) {
        give_runs(share, block, shared);
        cdp_free(shared);
        return NULL;
    }
    shared->node.major = (uintptr_t)block->lo;
    cdp_tree_insert(&share->allocations, &shared->node);
    block->is_shared = true;
    return shared;
}

/* ---- The file ---- */

static struct cdp_share *start(struct cdp_heap *heap) CDP_NEEDS(&heap->lock)
{
    if (heap->share != NULL) {
        return heap->share;
    }
    struct cdp_share *share = cdp_alloc_zero(sizeof *share);
    if (share == NULL) {
        return NULL;
    }
    share->fd = cdp_os_shared_create(CDP_SHARE_TABLE);
    share->table = share->fd >= 0 ? cdp_os_shared_put(NULL, CDP_SHARE_TABLE, share->fd, 0) : NULL;
    if (share->table == NULL) {
        if (share->fd >= 0) {
            cdp_os_shared_close(share->fd);
        }
        cdp_free(share);
        return NULL;
    }
    share->file = cdp_os_shared_number(share->fd);
    share->end = CDP_SHARE_TABLE;
    atomic_store(&share->table[0].serial, CDP_SHARE_TABLE_SERIAL);
    heap->share = share;
    return share;
}

enum cdp_status cdp_share(struct cdp_heap *heap, const void *address, struct cdp_share_name *out)
{
    enum cdp_status status = CDP_INVALID_VALUE;
    cdp_lock_acquire(&heap->lock);
    struct cdp_tree_node *node = cdp_tree_floor(&heap->live, (uintptr_t)address, 0);
    struct cdp_heap_block *block = (struct cdp_heap_block *)(void *)node;
    if (block != NULL && (uintptr_t)address - (uintptr_t)block->lo < block->requested) {
        struct cdp_share *share = start(heap);
        struct shared *shared = share != NULL ? share_block(share, block) : NULL;
        status = shared != NULL ? CDP_OK : CDP_NO_MEMORY;
        if (shared != NULL) {
            discard_leftovers(share);
            *out = (struct cdp_share_name){
                .magic = CDP_SHARE_MAGIC,
                .process = cdp_os_process_number(),
                .fd = share->fd,
                .file = share->file,
                .serial = atomic_load(&share->table[shared->slot].serial),
                .size = block->requested,
                .slot = shared->slot,
                .front = (uint32_t)((uintptr_t)block->lo & (cdp_os_page() - 1))};
        }
    }
    cdp_lock_release(&heap->lock);
    return status;
}

int cdp_share_descriptor(struct cdp_heap *heap, uint32_t mark)
{
    cdp_lock_acquire(&heap->lock);
    const struct cdp_share *share = start(heap);
    int fd =
        share != NULL ? cdp_os_shared_open(cdp_os_process_number(), share->fd, share->file) : -1;
    cdp_lock_release(&heap->lock);
    if (fd >= 0 && !cdp_os_shared_set_mark(fd, mark)) {
        cdp_os_shared_close(fd);
        return -1;
    }
    return fd;
}

static void end(struct cdp_share *share, struct cdp_heap_block *block, struct shared *shared)
{
    atomic_store(&share->table[shared->slot].serial, 0);
    give_runs(share, block, shared);
    cdp_tree_remove(&share->allocations, &shared->node);
    cdp_free(shared);
    block->is_shared = false;
}

void cdp_share_freed(struct cdp_heap *heap, struct cdp_heap_block *block) CDP_NEEDS(&heap->lock)
{
    end(heap->share, block, find_shared(heap->share, block));
    discard_leftovers(heap->share);
}

void cdp_share_ended(struct cdp_heap *heap) CDP_NEEDS(&heap->lock)
{
    struct cdp_share *share = heap->share;
    if (share == NULL) {
        return;
    }
    for (struct cdp_heap_block *block = heap->last; block != NULL; block = block->previous) {
        if (block->is_shared) {
            end(share, block, find_shared(share, block));
        }
    }
    discard_leftovers(share);
    while (share->leftovers != NULL) { /* other processes have them */
        struct leftover *leftover = share->leftovers;
        share->leftovers = leftover->next;
        cdp_free(leftover);
    }
    cdp_os_unmap(share->table, CDP_SHARE_TABLE);
    cdp_os_shared_close(share->fd);
    cdp_free(share);
    heap->share = NULL;
}
