/* Pages of constant variables, one range for each module. */
#include "mem/constants.h"

#include <stdatomic.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "os/code.h"
#include "os/os.h"

/* Never freed: after a module was unloaded, its range remains but is unused. Lock: constants.lock,
 * except for const fields. */
struct cdp_constants_range {
    struct cdp_constants_range *next; /* const once published */
    char *low, *high;                 /* whole pages; const */
    const void *module;               /* the module at the time of add; const */
    unsigned writers;                 /* writable while this is not 0 */
};

static struct {
    struct cdp_lock lock;
    _Atomic(struct cdp_constants_range *) ranges; /* grows at the front */
} constants = {.lock = CDP_LOCK_INITIAL(CDP_RANK_MEMMAP)};

static bool is_loaded(const struct cdp_constants_range *range)
{
    return cdp_os_module_of(range->low) == range->module;
}

static void protect(const struct cdp_constants_range *range, bool writable)
{
    /* If the pages cannot be made read-only, stores there go unnoticed. There is no other
     * effect. */
    (void)cdp_os_protect(range->low, (size_t)(range->high - range->low), writable);
}

static struct cdp_constants_range *find(const void *address)
{
    /* Acquire pairs with the release in add, so the range's contents are visible. */
    struct cdp_constants_range *range =
        atomic_load_explicit(&constants.ranges, memory_order_acquire);
    while (range != NULL && (uintptr_t)address - (uintptr_t)range->low >=
                                (uintptr_t)range->high - (uintptr_t)range->low) {
        range = range->next;
    }
    return range;
}

enum cdp_status cdp_constants_add(char *low, char *high)
{
    const uintptr_t page = cdp_os_page();
    low = (char *)(((uintptr_t)low + page - 1) & ~(page - 1));
    high = (char *)((uintptr_t)high & ~(page - 1));
    if (low >= high) {
        return CDP_OK;
    }
    struct cdp_constants_range *known = find(low);
    if (known != NULL && known->low == low && known->high == high && is_loaded(known)) {
        cdp_lock_acquire(&constants.lock);
        if (known->writers == 0) {
            protect(known, false); /* the module may have been unloaded and loaded again */
        }
        cdp_lock_release(&constants.lock);
        return CDP_OK;
    }
    struct cdp_constants_range *range = cdp_alloc(sizeof *range);
    if (range == NULL) {
        return CDP_NO_MEMORY;
    }
    *range =
        (struct cdp_constants_range){.low = low, .high = high, .module = cdp_os_module_of(low)};
    cdp_lock_acquire(&constants.lock);
    range->next = atomic_load(&constants.ranges);
    atomic_store_explicit(&constants.ranges, range, memory_order_release);
    protect(range, false);
    cdp_lock_release(&constants.lock);
    return CDP_OK;
}

struct cdp_constants_range *cdp_constants_open(const void *address)
{
    struct cdp_constants_range *range = find(address);
    if (range == NULL || !is_loaded(range)) {
        return NULL;
    }
    cdp_lock_acquire(&constants.lock);
    if (range->writers++ == 0) {
        protect(range, true);
    }
    cdp_lock_release(&constants.lock);
    return range;
}

void cdp_constants_close(struct cdp_constants_range *range)
{
    if (range == NULL) {
        return;
    }
    cdp_lock_acquire(&constants.lock);
    if (--range->writers == 0) {
        protect(range, false);
    }
    cdp_lock_release(&constants.lock);
}
