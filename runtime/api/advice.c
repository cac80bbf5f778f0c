/* Advice for managed memory, and prefetching.
 *
 * Managed memory is everywhere at once, so advice changes nothing but what
 * cudaMemRangeGetAttribute returns.  It is stored for pages.  New managed memory has none. */
#include "api/advice.h"

#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/memory.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/lock.h"
#include "exec/report/profile.h"
#include "mem/memmap.h"

enum { PAGE = 4096, CPU_BIT = 31 };

/* What the program has said about some pages. */
struct advice {
    int preferred, prefetched; /* a device, cudaCpuDeviceId or cudaInvalidDeviceId */
    uint32_t readers;          /* devices that access it, by bits; CPU_BIT: the CPU */
    bool read_mostly;
};
static const struct advice no_advice = {.preferred = cudaInvalidDeviceId,
                                        .prefetched = cudaInvalidDeviceId};

/* Neighbouring pages with the same advice, from low to before high. */
struct range {
    uintptr_t low, high;
    struct advice advice;
};

/* Ranges in ascending order, without overlaps. Each has some advice, and neighbours have different
 * advice: so there are as many as the program has made. */
static struct {
    struct cdp_lock lock;
    struct range *ranges CDP_GUARDED_BY(&lock); /* owned */
    size_t count CDP_GUARDED_BY(&lock);
    size_t space CDP_GUARDED_BY(&lock);
} table = {.lock = CDP_LOCK_INITIAL(CDP_RANK_IMPORTS)};

/* ---- Ranges; the caller holds the lock ---- */

CDP_NEEDS(&table.lock) static void insert(size_t at, struct range range)
{
    memmove(table.ranges + at + 1, table.ranges + at, (table.count - at) * sizeof *table.ranges);
    table.ranges[at] = range;
    table.count++;
}

/* Makes space for the ranges that one change may add: one at each end, and each gap. False without
 * memory. */
CDP_NEEDS(&table.lock) static bool reserve(void)
{
    size_t needed = 2 * table.count + 3;
    if (needed <= table.space) {
        return true;
    }
    struct range *larger = cdp_realloc(table.ranges, 2 * needed * sizeof *larger);
    if (larger == NULL) {
        return false;
    }
    table.ranges = larger;
    table.space = 2 * needed;
    return true;
}

/* The first range that ends after the address. */
CDP_NEEDS(&table.lock) static size_t first_after(uintptr_t address)
{
    size_t low = 0, high = table.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table.ranges[middle].high <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* If a range contains the address, but does not begin there, cuts it there. */
CDP_NEEDS(&table.lock) static void cut(uintptr_t address)
{
    size_t at = first_after(address);
    if (at < table.count && table.ranges[at].low < address) {
        struct range right = table.ranges[at];
        right.low = address;
        table.ranges[at].high = address;
        insert(at + 1, right);
    }
}

/* Makes [low, high) consist of whole ranges. Returns the first one's number. */
CDP_NEEDS(&table.lock) static size_t cover(uintptr_t low, uintptr_t high)
{
    cut(low);
    cut(high);
    size_t first = first_after(low), at = first;
    for (uintptr_t end = low; end < high; end = table.ranges[at++].high) {
        bool is_there = at < table.count && table.ranges[at].low <= end;
        if (!is_there) {
            uintptr_t next = at < table.count ? table.ranges[at].low : high;
            insert(at, (struct range){
                           .low = end, .high = next < high ? next : high, .advice = no_advice});
        }
    }
    return first;
}

static bool is_same(const struct advice *a, const struct advice *b)
{
    return a->preferred == b->preferred && a->prefetched == b->prefetched &&
           a->readers == b->readers && a->read_mostly == b->read_mostly;
}

/* After a change of the ranges from first to before end: joins those that now have the advice of a
 * neighbour, and removes those without any. */
CDP_NEEDS(&table.lock) static void tidy(size_t first, size_t end)
{
    size_t begin = first > 0 ? first - 1 : 0, kept = begin;
    end = end < table.count ? end + 1 : end;
    for (size_t at = begin; at < end; at++) {
        struct range range = table.ranges[at];
        struct range *before = kept > begin ? &table.ranges[kept - 1] : NULL;
        if (before != NULL && before->high == range.low &&
            is_same(&before->advice, &range.advice)) {
            before->high = range.high;
        } else if (!is_same(&range.advice, &no_advice)) {
            table.ranges[kept++] = range;
        }
    }
    memmove(table.ranges + kept, table.ranges + end, (table.count - end) * sizeof *table.ranges);
    table.count -= end - kept;
}

/* ---- Changes ---- */

/* Beside the values of enum cudaMemoryAdvise. */
enum { FORGET = 0, PREFETCH = cudaMemAdviseUnsetAccessedBy + 1 };
struct change {
    int what;
    int device; /* or cudaCpuDeviceId */
};

static void apply(struct advice *to, const struct change *change)
{
    uint32_t reader = 1u << (change->device == cudaCpuDeviceId ? CPU_BIT : change->device);
    switch (change->what) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        to->read_mostly = change->what == cudaMemAdviseSetReadMostly;
        break;
    case cudaMemAdviseSetPreferredLocation:
        to->preferred = change->device;
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        to->preferred = cudaInvalidDeviceId;
        break;
    case cudaMemAdviseSetAccessedBy:
        to->readers |= reader;
        break;
    case cudaMemAdviseUnsetAccessedBy:
        to->readers &= ~reader;
        break;
    case PREFETCH:
        to->prefetched = change->device;
        break;
    default: /* FORGET */
        *to = no_advice;
        break;
    }
}

/* Changes the advice of [low, high), which are whole pages. False, and nothing is changed, without
 * memory. */
static bool change_range(uintptr_t low, uintptr_t high, const struct change *change)
{
    cdp_lock_acquire(&table.lock);
    bool fits = reserve();
    if (fits) {
        size_t first = cover(low, high), at = first;
        for (; at < table.count && table.ranges[at].low < high; at++) {
            apply(&table.ranges[at].advice, change);
        }
        tidy(first, at);
    }
    cdp_lock_release(&table.lock);
    return fits;
}

static uintptr_t page_of(const void *ptr)
{
    return (uintptr_t)ptr / PAGE * PAGE;
}

static uintptr_t end_of(const void *ptr, size_t size)
{
    return ((uintptr_t)ptr + size + PAGE - 1) / PAGE * PAGE;
}

void cdp_advice_forget(const void *ptr, size_t size)
{
    uintptr_t low = end_of(ptr, 0), high = page_of((const char *)ptr + size);
    if (low < high) {
        (void)change_range(low, high, &(struct change){.what = FORGET});
    }
}

/* ---- Calls ---- */

/* Whether [ptr, ptr + size) lies in one managed allocation or variable. */
static bool is_managed(const void *ptr, size_t size)
{
    struct cdp_memory memory;
    cdp_memory_find(ptr, &memory);
    bool managed = cdp_memory_is_managed(&memory);
    size_t offset = managed ? (size_t)((const char *)ptr - memory.base) : 0;
    return managed && size > 0 && offset <= memory.size && size <= memory.size - offset;
}

static cudaError_t check(const void *ptr, size_t size, int device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (!is_managed(ptr, size)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cdp_device_exists(runtime, device) || device == cudaCpuDeviceId
               ? cudaSuccess
               : cdp_api_fail(cudaErrorInvalidDevice);
}

static cudaError_t change_memory(const void *ptr, size_t size, const struct change *change)
{
    cudaError_t error = check(ptr, size, change->device);
    if (error != cudaSuccess) {
        return error;
    }
    return change_range(page_of(ptr), end_of(ptr, size), change)
               ? cudaSuccess
               : cdp_api_fail(cudaErrorMemoryAllocation);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t size, enum cudaMemoryAdvise advice, int device)
{
    CDP_PROFILE_CALL();
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    bool needs_device = advice != cudaMemAdviseSetReadMostly &&
                        advice != cudaMemAdviseUnsetReadMostly &&
                        advice != cudaMemAdviseUnsetPreferredLocation;
    struct change change = {.what = (int)advice, .device = needs_device ? device : 0};
    return change_memory(ptr, size, &change);
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t size, int device, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    if (error != cudaSuccess ||
        (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_stream(stream, &error))) {
        return error;
    }
    return change_memory(ptr, size, &(struct change){.what = PREFETCH, .device = device});
}

/* What all pages of the range have in common. */
static struct advice common(const void *ptr, size_t size)
{
    uintptr_t low = page_of(ptr), high = end_of(ptr, size);
    cdp_lock_acquire(&table.lock);
    size_t at = first_after(low);
    bool is_whole = at < table.count && table.ranges[at].low <= low;
    struct advice all = is_whole ? table.ranges[at].advice : no_advice;
    while (is_whole && table.ranges[at].high < high) {
        uintptr_t end = table.ranges[at++].high;
        is_whole = at < table.count && table.ranges[at].low == end;
        struct advice here = is_whole ? table.ranges[at].advice : no_advice;
        all.read_mostly &= here.read_mostly;
        all.readers &= here.readers;
        all.preferred = all.preferred == here.preferred ? all.preferred : cudaInvalidDeviceId;
        all.prefetched = all.prefetched == here.prefetched ? all.prefetched : cudaInvalidDeviceId;
    }
    cdp_lock_release(&table.lock);
    return all;
}

/* The devices in ascending order, then the CPU; the rest of the list is cudaInvalidDeviceId. */
static void list_readers(uint32_t readers, int *list, size_t count)
{
    size_t next = 0;
    for (int bit = 0; bit <= CPU_BIT && next < count; bit++) {
        if ((readers >> bit & 1) != 0) {
            list[next++] = bit == CPU_BIT ? cudaCpuDeviceId : bit;
        }
    }
    while (next < count) {
        list[next++] = cudaInvalidDeviceId;
    }
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size, enum cudaMemRangeAttribute attr,
                                     const void *ptr, size_t size)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(ptr, size, 0);
    if (error != cudaSuccess) {
        return error;
    }
    bool is_list = attr == cudaMemRangeAttributeAccessedBy;
    if (data == NULL || data_size == 0 || data_size % sizeof(int) != 0 ||
        (!is_list && data_size != sizeof(int))) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct advice advice = common(ptr, size);
    switch (attr) {
    case cudaMemRangeAttributeReadMostly:
        *(int *)data = advice.read_mostly;
        break;
    case cudaMemRangeAttributePreferredLocation:
        *(int *)data = advice.preferred;
        break;
    case cudaMemRangeAttributeLastPrefetchLocation:
        *(int *)data = advice.prefetched;
        break;
    case cudaMemRangeAttributeAccessedBy:
        list_readers(advice.readers, data, data_size / sizeof(int));
        break;
    default:
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
