/* Descriptions of addresses in words. */
#include "mem/describe.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "mem/memmap.h"
#include "os/code.h"
#include "os/os.h"

/* If an access is more than this number of bytes beyond a variable, the report does not name it. */
#define NEAR_VARIABLE 4096
#define NEAR_ALLOCATION (64 << 10)
#define PLACE 512

/* " at main (x.cu:3)", or nothing. */
static void place_of(const char *verb, const void *site, char *out, size_t size)
{
    char place[PLACE - 40];
    if (site == NULL || site == CDP_HEAP_RESET) {
        snprintf(out, size, "%s%s", site == NULL ? "" : verb,
                 site == NULL ? "" : " by cudaDeviceReset");
        return;
    }
    cdp_os_symbolize((const char *)site - 1, place, sizeof place);
    snprintf(out, size, "%s at %s", verb, place);
}

static const char *noun(enum cdp_space space, uint32_t kind)
{
    return space == CDP_SPACE_HEAP      ? "the device heap"
           : kind == CDP_MEMORY_PINNED  ? "pinned host memory"
           : kind == CDP_MEMORY_MANAGED ? "managed memory"
           : kind == CDP_MEMORY_ARRAY   ? "a CUDA array's memory"
                                        : "device memory";
}

static void describe_freed(const struct cdp_heap_freed *freed, enum cdp_space space,
                           const void *address, char *out, size_t size)
{
    char made[PLACE], gone[PLACE];
    place_of(", allocated", freed->site, made, sizeof made);
    place_of(" freed", freed->freed_site, gone, sizeof gone);
    snprintf(out, size, "%" PRIuPTR " bytes into %zu bytes of %s%s,%s",
             (uintptr_t)address - (uintptr_t)freed->base, freed->size, noun(space, freed->kind),
             made, *gone != '\0' ? gone : " freed");
}

static void describe_live(const struct cdp_heap_info *info, enum cdp_space space,
                          const void *address, char *out, size_t size)
{
    char made[PLACE];
    uintptr_t a = (uintptr_t)address, lo = (uintptr_t)info->base;
    place_of(", allocated", info->site, made, sizeof made);
    if (a < lo) {
        snprintf(out, size, "%" PRIuPTR " bytes before", lo - a);
    } else if (a - lo < info->size) {
        snprintf(out, size, "%" PRIuPTR " bytes into", a - lo);
    } else {
        snprintf(out, size, "%" PRIuPTR " bytes past the end of", a - lo - info->size);
    }
    size_t used = 0;
    while (out[used] != '\0') {
        used++;
    }
    snprintf(out + used, size - used, " %zu bytes of %s%s", info->size, noun(space, info->kind),
             made);
}

/* An access beyond a live allocation, where another allocation was before it was freed: which of
 * the two was meant? The live one, if it is near and was allocated after the free. */
static bool overruns(const struct cdp_heap_info *info, const struct cdp_heap_freed *freed,
                     const void *address)
{
    uintptr_t behind = (uintptr_t)address - ((uintptr_t)info->base + info->size);
    return behind < NEAR_ALLOCATION && info->serial > freed->serial;
}

static bool describe_in_heap(struct cdp_heap *heap, enum cdp_space space, const void *address,
                             char *out, size_t size)
{
    struct cdp_heap_info info;
    struct cdp_heap_freed freed;
    bool was = cdp_heap_find_freed(heap, address, &freed);
    bool is = cdp_heap_find(heap, address, &info);
    if (is || (cdp_heap_find_nearest(heap, address, &info) &&
               (!was || overruns(&info, &freed, address)))) {
        describe_live(&info, space, address, out, size);
    } else if (was) {
        describe_freed(&freed, space, address, out, size);
    } else {
        snprintf(out, size, "in %s, where nothing is allocated", noun(space, CDP_MEMORY_DEVICE));
    }
    return true;
}

/* "device variable 'a'", "registered host memory". */
static void name_registered(const struct cdp_memory *memory, char *out, size_t size)
{
    char name[256] = "";
    if (memory->name != NULL) {
        cdp_os_demangle(memory->name, name, sizeof name);
    }
    const char *what = memory->space == CDP_SPACE_CONSTANT     ? "constant variable '"
                       : memory->space == CDP_SPACE_REGISTERED ? "registered host memory"
                       : (memory->flags & CDP_MEMMAP_FOREIGN) != 0
                           ? "device memory of another process"
                       : memory->space == CDP_SPACE_DEVICE  ? "memory of cuMemMap"
                       : memory->kind == CDP_MEMORY_MANAGED ? "managed variable '"
                                                            : "device variable '";
    snprintf(out, size, "%s%s%s", what, name, memory->name != NULL ? "'" : "");
}

static bool describe_registered(const void *address, char *out, size_t size)
{
    struct cdp_memory memory;
    char name[300];
    if (!cdp_memmap_find_below(address, &memory)) {
        return false;
    }
    uintptr_t offset = (uintptr_t)address - (uintptr_t)memory.base;
    if (offset >= memory.size + NEAR_VARIABLE) {
        return false;
    }
    name_registered(&memory, name, sizeof name);
    bool outside = offset >= memory.size;
    snprintf(out, size, "%" PRIuPTR " bytes %s %zu bytes of %s%s",
             outside ? offset - memory.size : offset, outside ? "past the end of the" : "into the",
             memory.size, name,
             memory.space == CDP_SPACE_CONSTANT && !outside
                 ? ", which only the host may write, by cudaMemcpyToSymbol"
                 : "");
    return true;
}

bool cdp_describe_address(const void *address, char *out, size_t size)
{
    enum cdp_space space;
    struct cdp_heap *heap = cdp_memmap_heap(address, &space);
    if (heap != NULL) {
        return describe_in_heap(heap, space, address, out, size);
    }
    if ((uintptr_t)address < cdp_os_page()) {
        snprintf(out, size, "%s null pointer", address == NULL ? "the" : "just after the");
        return true;
    }
    return describe_registered(address, out, size);
}

void cdp_describe_object(const void *address, char *out, size_t size)
{
    char made[PLACE] = "", name[300];
    struct cdp_memory memory;
    struct cdp_heap_info info;
    enum cdp_space space;
    struct cdp_heap *heap = cdp_memmap_heap(address, &space);
    if (heap != NULL && cdp_heap_find(heap, address, &info)) {
        place_of(", allocated", info.site, made, sizeof made);
        snprintf(out, size, "%zu bytes of %s%s", info.size, noun(space, info.kind), made);
        return;
    }
    cdp_memmap_find(address, &memory);
    name_registered(&memory, name, sizeof name);
    snprintf(out, size, "%s (%zu bytes)", name, memory.size);
}

/* ---- Frees ---- */

static const char *call_for(enum cdp_space space, uint32_t kind)
{
    return space == CDP_SPACE_HEAP     ? "free() or cudaFree() in a kernel"
           : kind == CDP_MEMORY_PINNED ? "the host's cudaFreeHost()"
           : kind == CDP_MEMORY_ARRAY  ? "cudaFreeArray()"
                                       : "the host's cudaFree()";
}

static void wrong_kind(const struct cdp_heap_info *info, enum cdp_space space, char *out,
                       size_t size)
{
    char made[PLACE];
    place_of(", allocated", info->site, made, sizeof made);
    snprintf(out, size, "it is %s%s%s, which %s frees", space == CDP_SPACE_HEAP ? "in " : "",
             noun(space, info->kind), made, call_for(space, info->kind));
}

static void wrong_free_in_heap(struct cdp_heap *heap, enum cdp_space space, const void *address,
                               char *out, size_t size)
{
    struct cdp_heap_info info;
    struct cdp_heap_freed freed;
    char what[2 * PLACE + 200];
    if (cdp_heap_find(heap, address, &info)) {
        if (info.base == address) {
            wrong_kind(&info, space, out, size);
            return;
        }
        describe_live(&info, space, address, what, sizeof what);
        snprintf(out, size, "it is %s: only the start can be freed", what);
    } else if (cdp_heap_find_freed(heap, address, &freed)) {
        char made[PLACE], gone[PLACE];
        place_of(" (allocated", freed.site, made, sizeof made);
        place_of("", freed.freed_site, gone, sizeof gone);
        snprintf(out, size, "it was freed already%s%s%s%s", *gone != '\0' ? "," : "", gone, made,
                 *made != '\0' ? ")" : "");
    } else {
        snprintf(out, size, "it is in %s, but nothing is allocated there",
                 noun(space, CDP_MEMORY_DEVICE));
    }
}

void cdp_describe_wrong_free(const void *address, enum cdp_freer freer, char *out, size_t size)
{
    enum cdp_space space;
    struct cdp_memory memory;
    char what[600];
    struct cdp_heap *heap = cdp_memmap_heap(address, &space);
    if (heap != NULL) {
        wrong_free_in_heap(heap, space, address, out, size);
        return;
    }
    cdp_memmap_find(address, &memory);
    if (cdp_space_is_private(memory.space)) {
        snprintf(out, size, "it is %s memory of a kernel, which is freed automatically",
                 memory.space == CDP_SPACE_SHARED ? "shared" : "local");
    } else if (memory.space != CDP_SPACE_HOST && describe_registered(address, what, sizeof what)) {
        snprintf(out, size, "it is %s", what);
    } else {
        snprintf(out, size, "no %s returned it",
                 freer == CDP_FREES_HEAP     ? "malloc, new or cudaMalloc of a kernel"
                 : freer == CDP_FREES_PINNED ? "cudaMallocHost or cudaHostAlloc"
                                             : "cudaMalloc");
    }
}
