#include "exec/report/timeline_sites.h"

#include <stdbool.h>

#include "base/alloc.h"
#include "os/code.h"

enum { FIRST_CAPACITY = 64 };

/* The entry of the address, or the free one where it belongs. */
static struct cdp_timeline_site *entry_of(const struct cdp_timeline_sites *sites,
                                          const void *address)
{
    size_t at = (size_t)((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; at++) {
        struct cdp_timeline_site *entry = &sites->entries[at & (sites->capacity - 1)];
        if (entry->address == NULL || entry->address == address) {
            return entry;
        }
    }
}

/* False without memory. */
static bool make_room(struct cdp_timeline_sites *sites)
{
    if (2 * (sites->count + 1) <= sites->capacity) {
        return true;
    }
    struct cdp_timeline_sites grown = {.count = sites->count,
                                       .capacity = sites->capacity == 0 ? FIRST_CAPACITY
                                                                        : 2 * sites->capacity};
    grown.entries = cdp_alloc_zero(grown.capacity * sizeof *grown.entries);
    if (grown.entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < sites->capacity; i++) {
        if (sites->entries[i].address != NULL) {
            *entry_of(&grown, sites->entries[i].address) = sites->entries[i];
        }
    }
    cdp_free(sites->entries);
    *sites = grown;
    return true;
}

static struct cdp_timeline_site look_up(const void *address)
{
    struct cdp_timeline_site site = {.address = address};
    struct cdp_os_source source = {.line = 0};
    /* The byte before the return address is inside the call. */
    if (cdp_os_source_at((const char *)address - 1, &source) && source.line != 0) {
        site.file = cdp_alloc_text(source.file);
        site.line = source.line;
    }
    return site;
}

const struct cdp_timeline_site *cdp_timeline_sites_find(struct cdp_timeline_sites *sites,
                                                        const void *address)
{
    if (address == NULL || !make_room(sites)) {
        return NULL;
    }
    struct cdp_timeline_site *entry = entry_of(sites, address);
    if (entry->address == NULL) {
        *entry = look_up(address);
        sites->count++;
    }
    return entry->file != NULL ? entry : NULL;
}

void cdp_timeline_sites_finish(struct cdp_timeline_sites *sites)
{
    for (size_t i = 0; i < sites->capacity; i++) {
        cdp_free(sites->entries[i].file);
    }
    cdp_free(sites->entries);
    *sites = (struct cdp_timeline_sites){.entries = NULL};
}
