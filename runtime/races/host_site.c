/* Sites of host code. */
#include "races/host_site.h"

#include <stdatomic.h>
#include <stddef.h>

enum { MOST_SITES = 1 << 14, MOST_TRIES = 64 };
/* A hash table. A place that has a site keeps it. */
static _Atomic(const void *) sites[MOST_SITES];

uint32_t cdp_host_site_number(const void *site)
{
    uint64_t hash = (uint64_t)(uintptr_t)site * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t i = 0; i < MOST_TRIES; i++) {
        uint32_t index = (uint32_t)((hash >> 32) + i) % MOST_SITES;
        const void *unused = NULL;
        if (sites[index] == site || atomic_compare_exchange_strong(&sites[index], &unused, site) ||
            unused == site) {
            return CDP_RACE_HOST_SITES + index;
        }
    }
    return 0;
}

const char *cdp_host_site_call(uint32_t number)
{
    return number >= CDP_RACE_HOST_SITES ? (const char *)sites[number - CDP_RACE_HOST_SITES] - 1
                                         : NULL;
}
