/* The tables of the profile: sums of times by what took them. */
#ifndef CDP_EXEC_REPORT_PROFILE_TABLE_H
#define CDP_EXEC_REPORT_PROFILE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cdp_profile_kind {
    CDP_PROFILE_KERNEL, /* what: the kernel */
    CDP_PROFILE_CHILD,  /* what, parent: kernels; the time is that from the launch to the start */
    CDP_PROFILE_COPY,   /* what: a text */
    CDP_PROFILE_CALL,   /* what: a text */
    CDP_PROFILE_RANGE,  /* what: a text; of NVTX */
    CDP_PROFILE_KINDS,
};

/* Smallest and greatest sizes of grids and blocks. */
struct cdp_profile_dims {
    uint32_t least[3], most[3];
};

struct cdp_profile_entry {
    const void *what; /* NULL: unused. It is only compared: its module may have been unloaded */
    const void *parent;
    enum cdp_profile_kind kind;
    const char *name, *parent_name;                          /* never freed; NULL: not known */
    bool has_block_entry, has_thread_entry, prefers_threads; /* of kernels */
    uint64_t count, total, least, most;                      /* times in nanoseconds */
    uint64_t bytes;                                          /* of copies */
    struct cdp_profile_dims grid, block;                     /* of kernels */
};

/* Its owner has the lock that guards it. */
struct cdp_profile_table {
    struct cdp_profile_entry *entries;
    size_t count, capacity; /* capacity: a power of two, or 0 */
};

/* The entry, which is made if there is none; NULL without memory. A new one has no name. */
struct cdp_profile_entry *cdp_profile_find(struct cdp_profile_table *table,
                                           const struct cdp_profile_entry *key);
void cdp_profile_add_time(struct cdp_profile_entry *entry, uint64_t time);
void cdp_profile_add_dims(struct cdp_profile_dims *dims, const uint32_t size[3], uint64_t count);
/* Adds all that from has. */
void cdp_profile_merge(struct cdp_profile_table *table, const struct cdp_profile_table *from);
/* The entries of a kind, the longest first. The caller frees the array. */
size_t cdp_profile_sorted(const struct cdp_profile_table *table, enum cdp_profile_kind kind,
                          const struct cdp_profile_entry ***out);

#endif
