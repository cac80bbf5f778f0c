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
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/lock.h"
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

/* Pages with the same advice, from low to before high. */
struct piece {
    uintptr_t low, high;
    struct advice advice;
};

/* Pieces in ascending order, without overlaps.  There are as many as the program has made. */
static struct {
    struct cdp_lock lock;
    struct piece *pieces CDP_GUARDED_BY(&lock); /* owned */
    size_t count CDP_GUARDED_BY(&lock);
    size_t space CDP_GUARDED_BY(&lock);
} said = {.lock = CDP_LOCK_INITIAL(CDP_RANK_IMPORTS)};

/* ---- Pieces; the caller holds the lock ---- */

CDP_NEEDS(&said.lock) static void insert(size_t at, struct piece piece)
{
    memmove(said.pieces + at + 1, said.pieces + at, (said.count - at) * sizeof *said.pieces);
    said.pieces[at] = piece;
    said.count++;
}

/* Makes space for the pieces that one range may add: one at each end, and each gap.  False without
 * memory. */
CDP_NEEDS(&said.lock) static bool reserve(void)
{
    size_t needed = 2 * said.count + 3;
    if (needed <= said.space) {
        return true;
    }
    struct piece *larger = cdp_alloc(2 * needed * sizeof *larger);
    if (larger == NULL) {
        return false;
    }
    if (said.count != 0) {
        memcpy(larger, said.pieces, said.count * sizeof *larger);
    }
    cdp_free(said.pieces);
    said.pieces = larger;
    said.space = 2 * needed;
    return true;
}

/* The first piece that ends after the address. */
CDP_NEEDS(&said.lock) static size_t first_after(uintptr_t address)
{
    size_t at = 0;
    while (at < said.count && said.pieces[at].high <= address) {
        at++;
    }
    return at;
}

/* If a piece contains the address, but does not begin there, cuts it there. */
CDP_NEEDS(&said.lock) static void cut(uintptr_t address)
{
    size_t at = first_after(address);
    if (at < said.count && said.pieces[at].low < address) {
        struct piece right = said.pieces[at];
        right.low = address;
        said.pieces[at].high = address;
        insert(at + 1, right);
    }
}

/* Makes the range consist of whole pieces.  Returns the first one's number. */
CDP_NEEDS(&said.lock) static size_t cover(uintptr_t low, uintptr_t high)
{
    cut(low);
    cut(high);
    size_t first = first_after(low), at = first;
    for (uintptr_t end = low; end < high; end = said.pieces[at++].high) {
        bool is_there = at < said.count && said.pieces[at].low <= end;
        if (!is_there) {
            uintptr_t next = at < said.count ? said.pieces[at].low : high;
            insert(at, (struct piece){
                           .low = end, .high = next < high ? next : high, .advice = no_advice});
        }
    }
    return first;
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
    cdp_lock_acquire(&said.lock);
    uintptr_t low = end_of(ptr, 0), high = page_of((const char *)ptr + size);
    if (said.count != 0 && low < high && reserve()) {
        for (size_t at = cover(low, high); at < said.count && said.pieces[at].low < high; at++) {
            said.pieces[at].advice = no_advice;
        }
    }
    cdp_lock_release(&said.lock);
}

/* ---- Calls ---- */

/* Whether [ptr, ptr + size) lies in one managed allocation or variable. */
static bool is_managed(const void *ptr, size_t size)
{
    struct cdp_memory memory;
    cdp_memmap_find(ptr, &memory);
    bool managed = memory.space == CDP_SPACE_VARIABLE ||
                   (memory.space == CDP_SPACE_DEVICE && memory.kind == CDP_MEMORY_MANAGED);
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

static void advise(struct advice *to, enum cudaMemoryAdvise advice, int device)
{
    uint32_t reader = 1u << (device == cudaCpuDeviceId ? CPU_BIT : device);
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        to->read_mostly = advice == cudaMemAdviseSetReadMostly;
        break;
    case cudaMemAdviseSetPreferredLocation:
        to->preferred = device;
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
    }
}

/* Prefetches, or stores advice. */
static cudaError_t note(const void *ptr, size_t size, const enum cudaMemoryAdvise *advice,
                        int device)
{
    cdp_lock_acquire(&said.lock);
    bool fits = reserve();
    uintptr_t high = end_of(ptr, size);
    size_t at = fits ? cover(page_of(ptr), high) : 0;
    for (; fits && at < said.count && said.pieces[at].low < high; at++) {
        if (advice != NULL) {
            advise(&said.pieces[at].advice, *advice, device);
        } else {
            said.pieces[at].advice.prefetched = device;
        }
    }
    cdp_lock_release(&said.lock);
    return fits ? cudaSuccess : cdp_api_fail(cudaErrorMemoryAllocation);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t size, enum cudaMemoryAdvise advice, int device)
{
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    bool needs_device = advice != cudaMemAdviseSetReadMostly &&
                        advice != cudaMemAdviseUnsetReadMostly &&
                        advice != cudaMemAdviseUnsetPreferredLocation;
    device = needs_device ? device : 0;
    cudaError_t error = check(ptr, size, device);
    return error == cudaSuccess ? note(ptr, size, &advice, device) : error;
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t size, int device, cudaStream_t stream)
{
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    if (error != cudaSuccess ||
        (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_stream(stream, &error))) {
        return error;
    }
    error = check(ptr, size, device);
    return error == cudaSuccess ? note(ptr, size, NULL, device) : error;
}

/* What all pages of the range have in common. */
static struct advice common(const void *ptr, size_t size)
{
    uintptr_t low = page_of(ptr), high = end_of(ptr, size);
    cdp_lock_acquire(&said.lock);
    size_t at = first_after(low);
    bool is_whole = at < said.count && said.pieces[at].low <= low;
    struct advice all = is_whole ? said.pieces[at].advice : no_advice;
    while (is_whole && said.pieces[at].high < high) {
        uintptr_t end = said.pieces[at++].high;
        is_whole = at < said.count && said.pieces[at].low == end;
        struct advice here = is_whole ? said.pieces[at].advice : no_advice;
        all.read_mostly &= here.read_mostly;
        all.readers &= here.readers;
        all.preferred = all.preferred == here.preferred ? all.preferred : cudaInvalidDeviceId;
        all.prefetched = all.prefetched == here.prefetched ? all.prefetched : cudaInvalidDeviceId;
    }
    cdp_lock_release(&said.lock);
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
