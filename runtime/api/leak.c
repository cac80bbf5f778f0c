/* Leaks, by place. Everything that one line of the program has made is one finding. */
#include "api/leak.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"
#include "base/alloc.h"
#include "base/lock.h"
#include "mem/space.h"
#include "os/code.h"
#include "os/os.h"

enum { BUCKETS = 1024, MEMORY_KINDS = CDP_MEMORY_ARRAY + 1 };

/* An object that lives. */
struct object {
    struct object *next;
    uint64_t handle;
    const void *site;
    enum cdp_leak_kind kind;
    unsigned device; /* the current one when it was made; CDP_ALL_DEVICES: none */
};

static struct {
    struct cdp_lock lock;
    struct object *buckets[BUCKETS] CDP_GUARDED_BY(&lock); /* owned; by handle */
} objects = {.lock = CDP_LOCK_INITIAL(CDP_RANK_OUTPUT)};

static struct object **bucket_of(uint64_t handle) CDP_NEEDS(&objects.lock)
{
    return &objects.buckets[(handle ^ handle >> 24 ^ handle >> 48) % BUCKETS];
}

/* An object for which there is no memory is not reported. */
void cdp_leak_add(enum cdp_leak_kind kind, uint64_t handle, const void *site)
{
    struct object *object = cdp_alloc(sizeof *object);
    if (object == NULL) {
        return;
    }
    cdp_lock_acquire(&objects.lock);
    struct object **bucket = bucket_of(handle);
    /* One of several devices is reset without the graphs. */
    const struct cdp_runtime *running = cdp_runtime_running();
    bool is_of_all = kind == CDP_LEAK_GRAPH && running != NULL && running->device_count > 1;
    *object = (struct object){.next = *bucket,
                              .handle = handle,
                              .site = site,
                              .kind = kind,
                              .device = is_of_all ? CDP_ALL_DEVICES : cdp_device_number};
    *bucket = object;
    cdp_lock_release(&objects.lock);
}

void cdp_leak_remove(uint64_t handle)
{
    cdp_lock_acquire(&objects.lock);
    struct object **link = bucket_of(handle);
    while (*link != NULL && (*link)->handle != handle) {
        link = &(*link)->next;
    }
    struct object *object = *link;
    if (object != NULL) {
        *link = object->next;
    }
    cdp_lock_release(&objects.lock);
    cdp_free(object);
}

void cdp_leak_forget(unsigned device)
{
    cdp_lock_acquire(&objects.lock);
    for (int i = 0; i < BUCKETS; i++) {
        struct object **link = &objects.buckets[i];
        while (*link != NULL) {
            struct object *object = *link;
            if (object->device == device) {
                *link = object->next;
                cdp_free(object);
            } else {
                link = &object->next;
            }
        }
    }
    cdp_lock_release(&objects.lock);
}

/* ---- Places ---- */

/* What one call in the program has made. */
struct place {
    const void *site;
    const char *noun; /* "device memory"; of one kind always the same text */
    const char *help;
    uint64_t bytes; /* 0: not memory */
    uint64_t count;
};

struct places {
    struct place *items; /* owned by cdp_leak_report */
    size_t count, capacity;
};

/* Counts it at its place. Without memory for a new place it is not counted. */
static void count_at(struct places *places, const struct place *one)
{
    for (size_t i = 0; i < places->count; i++) {
        struct place *place = &places->items[i];
        if (place->site == one->site && place->noun == one->noun) {
            place->bytes += one->bytes;
            place->count++;
            return;
        }
    }
    if (places->count == places->capacity) {
        size_t capacity = places->capacity != 0 ? 2 * places->capacity : 16;
        struct place *items = cdp_realloc(places->items, capacity * sizeof *items);
        if (items == NULL) {
            return;
        }
        places->items = items;
        places->capacity = capacity;
    }
    places->items[places->count] = *one;
    places->items[places->count++].count = 1;
}

/* The memory of arrays is counted with the array. */
static void count_memory(struct places *places, struct cdp_heap *heap, bool is_device_heap)
{
    static const char *const nouns[MEMORY_KINDS] = {
        [0] = "the device heap",
        [CDP_MEMORY_DEVICE] = "device memory",
        [CDP_MEMORY_PINNED] = "pinned host memory",
        [CDP_MEMORY_MANAGED] = "managed memory",
    };
    struct cdp_heap_info info;
    const char *from = heap->lo;
    while (cdp_heap_find_from(heap, from, &info)) {
        from = info.base + info.size;
        uint32_t kind = is_device_heap ? 0 : info.kind;
        if (kind < MEMORY_KINDS && nouns[kind] != NULL) {
            struct place one = {.site = info.site,
                                .noun = nouns[kind],
                                .bytes = info.size,
                                .help = is_device_heap ? "call free() or delete in a kernel"
                                        : kind == CDP_MEMORY_PINNED ? "call cudaFreeHost()"
                                                                    : "call cudaFree()"};
            count_at(places, &one);
        }
    }
}

static void count_objects(struct places *places, unsigned device)
{
    static const char *const nouns[] = {
        [CDP_LEAK_STREAM] = "stream",          [CDP_LEAK_EVENT] = "event",
        [CDP_LEAK_ARRAY] = "CUDA array",       [CDP_LEAK_TEXTURE] = "texture object",
        [CDP_LEAK_SURFACE] = "surface object", [CDP_LEAK_GRAPH] = "graph",
        [CDP_LEAK_EXEC] = "executable graph",
    };
    static const char *const helps[] = {
        [CDP_LEAK_STREAM] = "call cudaStreamDestroy()",
        [CDP_LEAK_EVENT] = "call cudaEventDestroy()",
        [CDP_LEAK_ARRAY] = "call cudaFreeArray() or cudaFreeMipmappedArray()",
        [CDP_LEAK_TEXTURE] = "call cudaDestroyTextureObject()",
        [CDP_LEAK_SURFACE] = "call cudaDestroySurfaceObject()",
        [CDP_LEAK_GRAPH] = "call cudaGraphDestroy()",
        [CDP_LEAK_EXEC] = "call cudaGraphExecDestroy()",
    };
    cdp_lock_acquire(&objects.lock);
    for (int i = 0; i < BUCKETS; i++) {
        for (struct object *object = objects.buckets[i]; object != NULL; object = object->next) {
            if (device != object->device && device != CDP_ALL_DEVICES) {
                continue;
            }
            struct place one = {
                .site = object->site, .noun = nouns[object->kind], .help = helps[object->kind]};
            count_at(places, &one);
        }
    }
    cdp_lock_release(&objects.lock);
}

static bool is_same_line(const struct cdp_os_source *a, const struct cdp_os_source *b)
{
    return a->line != 0 && a->line == b->line && a->column == b->column &&
           strcmp(a->file, b->file) == 0;
}

/* Adds the place to another one at the same line, whose lines are at sources[]. False if there is
 * none. */
static bool merge_into(struct places *places, const struct cdp_os_source *sources,
                       const struct place *place, const struct cdp_os_source *source)
{
    for (size_t i = 0; i < places->count; i++) {
        if (places->items[i].noun == place->noun && is_same_line(&sources[i], source)) {
            places->items[i].bytes += place->bytes;
            places->items[i].count += place->count;
            return true;
        }
    }
    return false;
}

/* Joins places of one line: it has several code addresses, for example in a loop that was
 * unrolled. Not done if there are so many places that to look all up would take long. */
static void merge_lines(struct places *places)
{
    enum { MOST = 64 };
    size_t count = places->count;
    struct cdp_os_source *sources = count <= MOST ? cdp_alloc(count * sizeof *sources) : NULL;
    if (sources == NULL) {
        return;
    }
    places->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct place place = places->items[i];
        struct cdp_os_source source = {.line = 0};
        if (place.site != NULL) {
            (void)cdp_os_source_at((const char *)place.site - 1, &source);
        }
        if (!merge_into(places, sources, &place, &source)) {
            sources[places->count] = source;
            places->items[places->count++] = place;
        }
    }
    cdp_free(sources);
}

/* The most bytes first, then the most objects. */
static int compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->bytes != b->bytes) {
        return a->bytes > b->bytes ? -1 : 1;
    }
    return a->count != b->count ? (a->count > b->count ? -1 : 1) : 0;
}

static void report(const struct place *place)
{
    char title[200];
    if (place->bytes == 0) {
        snprintf(title, sizeof title, "%" PRIu64 " %s%s never destroyed", place->count, place->noun,
                 place->count == 1 ? " is" : "s are");
    } else if (place->count == 1) {
        snprintf(title, sizeof title, "%" PRIu64 " bytes of %s are never freed", place->bytes,
                 place->noun);
    } else {
        snprintf(title, sizeof title,
                 "%" PRIu64 " bytes of %s, in %" PRIu64 " allocations, are never freed",
                 place->bytes, place->noun, place->count);
    }
    struct cdp_finding finding = {
        .check = CDP_CHECKS_LEAK,
        .title = title,
        .at = {.pc = place->site != NULL ? (const char *)place->site - 1 : NULL},
        .help = place->help,
    };
    (void)cdp_finding_report(&finding);
}

/* Memory that cudaFreeAsync will free is no leak. The wait has a limit, because the work before may
 * never end. */
static void wait_for_frees(struct cdp_device *device)
{
    enum { MOST_MS = 1000, MS = 1000000 };
    for (int i = 0; i < MOST_MS && atomic_load(&device->pending_frees) != 0; i++) {
        cdp_os_sleep(MS);
    }
}

static bool is_meant(const struct cdp_device *device, unsigned number)
{
    return device->number == number || number == CDP_ALL_DEVICES;
}

static bool has_failed(struct cdp_runtime *runtime, unsigned number)
{
    bool has = false;
    for (unsigned i = 0; i < runtime->device_count; i++) {
        has |= is_meant(&runtime->devices[i], number) &&
               cdp_engine_fault(runtime->engine, i, NULL) != CDP_OK;
    }
    return has;
}

void cdp_leak_report(struct cdp_runtime *runtime, unsigned number)
{
    if (!cdp_finding_is_on(CDP_CHECKS_LEAK) || has_failed(runtime, number)) {
        return;
    }
    struct places places = {.items = NULL};
    for (unsigned i = 0; i < runtime->device_count; i++) {
        struct cdp_device *device = &runtime->devices[i];
        if (is_meant(device, number)) {
            wait_for_frees(device);
            count_memory(&places, &device->memory, false);
            count_memory(&places, &device->device_heap, true);
        }
    }
    count_objects(&places, number);
    if (places.count != 0) {
        merge_lines(&places);
        qsort(places.items, places.count, sizeof *places.items, compare);
    }
    for (size_t i = 0; i < places.count; i++) {
        report(&places.items[i]);
    }
    cdp_free(places.items);
}
