/* Records of accesses, as the cells of the shadow memory hold them. */
#ifndef CDP_RACES_RECORD_H
#define CDP_RACES_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "races/order.h"
#include "races/shadow.h"

/* A record is 64 bits, from the highest:
 *
 *     segment 32 | thread 10 | bytes of the word 4 | atomic 1 | set 2 | site 15
 *
 * thread is the number in the block; for CDP_SET_WARP, that of one of the lanes. */
enum {
    CDP_RECORD_SITE_BITS = 15,
    CDP_RECORD_SET_SHIFT = CDP_RECORD_SITE_BITS,
    CDP_RECORD_ATOMIC_SHIFT = CDP_RECORD_SET_SHIFT + 2,
    CDP_RECORD_BYTES_SHIFT = CDP_RECORD_ATOMIC_SHIFT + 1,
    CDP_RECORD_THREAD_SHIFT = CDP_RECORD_BYTES_SHIFT + CDP_SHADOW_WORD,
    CDP_RECORD_SEGMENT_SHIFT = CDP_RECORD_THREAD_SHIFT + 10,
};
_Static_assert(CDP_RECORD_SEGMENT_SHIFT == 32, "the fields fill 64 bits");

/* In place of the bytes: all of the word. */
#define CDP_RECORD_ALL_BYTES ((1u << CDP_SHADOW_WORD) - 1)

/* Of one thread. site 0: unknown, as one that does not fit is. */
static inline uint64_t cdp_record_of(uint32_t segment, uint32_t thread, uint32_t bytes,
                                     bool is_atomic, uint32_t site)
{
    return (uint64_t)segment << CDP_RECORD_SEGMENT_SHIFT |
           (uint64_t)thread << CDP_RECORD_THREAD_SHIFT | (uint64_t)bytes << CDP_RECORD_BYTES_SHIFT |
           (uint64_t)is_atomic << CDP_RECORD_ATOMIC_SHIFT |
           (site < 1u << CDP_RECORD_SITE_BITS ? site : 0);
}

static inline uint32_t cdp_record_field(uint64_t record, unsigned shift, unsigned bits)
{
    return (uint32_t)(record >> shift) & ((1u << bits) - 1);
}

static inline uint32_t cdp_record_segment(uint64_t record)
{
    return (uint32_t)(record >> CDP_RECORD_SEGMENT_SHIFT);
}

static inline uint32_t cdp_record_bytes(uint64_t record)
{
    return cdp_record_field(record, CDP_RECORD_BYTES_SHIFT, CDP_SHADOW_WORD);
}

static inline uint32_t cdp_record_thread(uint64_t record)
{
    return cdp_record_field(record, CDP_RECORD_THREAD_SHIFT, 10);
}

static inline enum cdp_order_set cdp_record_set(uint64_t record)
{
    return (enum cdp_order_set)cdp_record_field(record, CDP_RECORD_SET_SHIFT, 2);
}

static inline bool cdp_record_is_atomic(uint64_t record)
{
    return cdp_record_field(record, CDP_RECORD_ATOMIC_SHIFT, 1) != 0;
}

static inline struct cdp_order_access cdp_record_access(uint64_t record)
{
    return (struct cdp_order_access){
        .segment = cdp_record_segment(record),
        .thread = cdp_record_thread(record),
        .set = cdp_record_set(record),
    };
}

static inline uint64_t cdp_record_with_set(uint64_t record, enum cdp_order_set set)
{
    return (record & ~((uint64_t)3 << CDP_RECORD_SET_SHIFT)) | (uint64_t)set
                                                                   << CDP_RECORD_SET_SHIFT;
}

/* Whether the record is of the same thread alone, in the same segment. */
static inline bool cdp_record_is_same(uint64_t record, uint64_t own)
{
    return record >> CDP_RECORD_THREAD_SHIFT == own >> CDP_RECORD_THREAD_SHIFT &&
           cdp_record_set(record) == CDP_SET_THREAD;
}

/* Whether all threads of both records, which are of one block, are in one warp. */
static inline bool cdp_record_same_warp(uint64_t record, uint64_t own)
{
    return cdp_record_set(record) <= CDP_SET_WARP && cdp_record_set(own) <= CDP_SET_WARP &&
           cdp_record_thread(record) / CDP_HISTORY_LANES ==
               cdp_record_thread(own) / CDP_HISTORY_LANES;
}

/* Whether the record of reads contains the read that own describes: of the same thread, or of
 * several threads among which are all of own's, in the same segment. These were compared with the
 * latest write. */
static inline bool cdp_record_has_read(uint64_t record, uint64_t own)
{
    enum { WARP_SHIFT = CDP_RECORD_THREAD_SHIFT + 5 };
    _Static_assert(1 << (WARP_SHIFT - CDP_RECORD_THREAD_SHIFT) == CDP_HISTORY_LANES, "a warp");
    enum cdp_order_set set = cdp_record_set(record);
    unsigned shift = set == CDP_SET_THREAD ? CDP_RECORD_THREAD_SHIFT
                     : set == CDP_SET_WARP ? WARP_SHIFT
                                           : CDP_RECORD_SEGMENT_SHIFT;
    return (record ^ own) >> shift == 0 && cdp_record_set(own) <= set &&
           (cdp_record_bytes(own) & ~cdp_record_bytes(record)) == 0;
}

static inline uint32_t cdp_record_site(uint64_t record)
{
    return cdp_record_field(record, 0, CDP_RECORD_SITE_BITS);
}

#endif
