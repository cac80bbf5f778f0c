/* The lines of launches, for CDP_TRACE. Each address is looked up once. */
#ifndef CDP_EXEC_REPORT_TIMELINE_SITES_H
#define CDP_EXEC_REPORT_TIMELINE_SITES_H

#include <stddef.h>
#include <stdint.h>

/* A launch in the source. */
struct cdp_timeline_site {
    const void *address; /* NULL: a free entry */
    char *file;          /* owned; NULL: not known */
    uint32_t line;
};

/* A hash table by addresses. entries is owned; capacity is 0 or a power of two, at least twice
 * count. Zero is the empty table. */
struct cdp_timeline_sites {
    struct cdp_timeline_site *entries;
    size_t count, capacity;
};

/* Of a return address. NULL: its line is not known, or there is no memory. Valid until the next
 * call. */
const struct cdp_timeline_site *cdp_timeline_sites_find(struct cdp_timeline_sites *sites,
                                                        const void *address);
void cdp_timeline_sites_finish(struct cdp_timeline_sites *sites);

#endif
