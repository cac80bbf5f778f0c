/* The sites of checked code. */
#include "exec/report/sites.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "os/code.h"

/* The sites of one module. Never freed: those of an unloaded module are skipped. */
struct range {
    struct range *next; /* const once published */
    const struct cdp_abi_site *sites;
    const void *module; /* the module that had these addresses when they were added */
    uint32_t first;     /* number of the first site */
    uint32_t count;
};

static _Atomic(struct range *) all; /* latest first, so with descending numbers */

enum cdp_status cdp_sites_add(struct cdp_abi_site *sites, struct cdp_abi_site *end)
{
    if (sites == end || sites->number != 0) {
        return CDP_OK;
    }
    struct range *range = cdp_alloc(sizeof *range);
    if (range == NULL) {
        return CDP_NO_MEMORY;
    }
    struct range *latest = atomic_load_explicit(&all, memory_order_relaxed);
    *range = (struct range){.next = latest,
                            .sites = sites,
                            .module = cdp_os_module_of(sites),
                            .first = latest != NULL ? latest->first + latest->count : 1,
                            .count = (uint32_t)(end - sites)};
    for (uint32_t i = 0; i < range->count; i++) {
        sites[i].number = range->first + i;
    }
    /* Release pairs with the acquire in cdp_sites_find: the range's contents. */
    atomic_store_explicit(&all, range, memory_order_release);
    return CDP_OK;
}

const struct cdp_abi_site *cdp_sites_find(uint32_t number)
{
    const struct range *range = atomic_load_explicit(&all, memory_order_acquire);
    while (range != NULL && number < range->first) {
        range = range->next;
    }
    if (number == 0 || range == NULL || number - range->first >= range->count ||
        cdp_os_module_of(range->sites) != range->module) {
        return NULL;
    }
    return &range->sites[number - range->first];
}

int cdp_sites_order(const char *file, const char *folder, const char *other,
                    const char *other_folder)
{
    int files = strcmp(file, other);
    return files != 0 || folder == NULL || other_folder == NULL ? files
                                                                : strcmp(folder, other_folder);
}

uint32_t cdp_sites_last(void)
{
    const struct range *range = atomic_load_explicit(&all, memory_order_acquire);
    return range != NULL ? range->first + range->count - 1 : 0;
}
