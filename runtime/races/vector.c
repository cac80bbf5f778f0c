/* The fast path of the race check: whole words, and records that are before the whole block. */
#include "races/vector.h"

#include <stddef.h>

#include "base/attr.h"
#include "races/history.h"
#include "races/order.h"
#include "races/record.h"
#include "races/shadow.h"

enum { PAGE = 4096, ALL_BYTES = (1 << CDP_SHADOW_WORD) - 1 };

/* The state of one call. What is the same for all lanes is read once. */
struct run {
    const struct cdp_race_vector *vector;
    uint32_t horizon, first, epoch, segment;
    uintptr_t page;                /* start of the page whose cells are known; 0: none */
    struct cdp_shadow_cell *cells; /* of that page */
};

/* What the block knows of a segment. */
static enum cdp_history_seen look_up(struct cdp_history_block *block, uint32_t segment)
{
    struct cdp_history_verdict *verdict = &block->verdicts[segment % CDP_HISTORY_VERDICTS];
    if (verdict->segment != segment) {
        *verdict = (struct cdp_history_verdict){segment, cdp_order_of_segment(segment, block)};
    }
    return verdict->seen;
}

static enum cdp_history_seen seen(const struct run *run, uint64_t record)
{
    uint32_t segment = cdp_record_segment(record);
    if (segment < run->horizon || (run->vector->is_shared && segment < run->first)) {
        return CDP_SEEN_BEFORE;
    }
    bool is_own = run->vector->is_shared || segment == run->segment;
    return is_own ? CDP_SEEN_OWN : look_up(run->vector->block, segment);
}

/* Whether the record is before the access of the thread that own describes. */
static bool is_past(const struct run *run, uint64_t record, uint64_t own)
{
    enum cdp_history_seen what = seen(run, record);
    if (what != CDP_SEEN_OWN) {
        return what == CDP_SEEN_BEFORE;
    }
    bool same_thread = (record ^ own) << 32 >> (32 + CDP_RECORD_THREAD_SHIFT) == 0 &&
                       cdp_record_field(record, CDP_RECORD_SET_SHIFT, 2) == CDP_SET_THREAD;
    return cdp_record_segment(record) < run->epoch || same_thread;
}

/* The set of threads after a read is added to the record of reads, which is not before it. */
static enum cdp_order_set widened(uint64_t record, uint64_t own)
{
    enum { WARP_SHIFT = CDP_RECORD_THREAD_SHIFT + 5 };
    enum cdp_order_set set = (enum cdp_order_set)cdp_record_field(record, CDP_RECORD_SET_SHIFT, 2);
    bool same_warp = (record ^ own) << 32 >> (32 + WARP_SHIFT) == 0;
    return set == CDP_SET_GRID                  ? CDP_SET_GRID
           : set <= CDP_SET_WARP && same_warp ? CDP_SET_WARP
                                                : CDP_SET_BLOCK;
}

/* Whether the record of reads has this read already: of the same thread, or of several threads
 * among which it is, in the same segment. These were compared with the latest write. */
static inline bool has_read(uint64_t record, uint64_t own)
{
    enum { WARP_SHIFT = CDP_RECORD_THREAD_SHIFT + 5 };
    enum cdp_order_set set = (enum cdp_order_set)cdp_record_field(record, CDP_RECORD_SET_SHIFT, 2);
    unsigned shift = set == CDP_SET_THREAD ? CDP_RECORD_THREAD_SHIFT
                     : set == CDP_SET_WARP ? WARP_SHIFT
                                           : CDP_RECORD_SEGMENT_SHIFT;
    return (record ^ own) >> shift == 0 && cdp_record_bytes(record) == ALL_BYTES;
}

static bool add_read(const struct run *run, struct cdp_shadow_cell *cell, uint64_t old, uint64_t own)
{
    uint64_t now = own;
    if (old != 0 && !is_past(run, old, own)) {
        enum cdp_history_seen what = seen(run, old);
        bool is_grid = cdp_record_field(old, CDP_RECORD_SET_SHIFT, 2) == CDP_SET_GRID;
        if (what == CDP_SEEN_OTHER || cdp_record_bytes(old) != ALL_BYTES) {
            return false;
        }
        if (is_grid) { /* it stands for this read, too */
            return true;
        }
        now = cdp_record_with_set(own, what == CDP_SEEN_GRID ? CDP_SET_GRID : widened(old, own));
    }
    atomic_store_explicit(&cell->reads, now, memory_order_relaxed);
    return true;
}

/* Whether the recorded write is of this instruction, too, and stores the same value. Neither store
 * has been executed. */
static bool stores_same(const struct run *run, uint64_t write, uint64_t own)
{
    enum { MOST = 64 };
    const struct cdp_race_vector *vector = run->vector;
    uint32_t thread = cdp_record_field(write, CDP_RECORD_THREAD_SHIFT, 10);
    uint32_t self = cdp_record_field(own, CDP_RECORD_THREAD_SHIFT, 10);
    bool is_of_vector = vector->writes && cdp_record_segment(write) == run->segment &&
                        cdp_record_site(write) == vector->site &&
                        thread - vector->first_thread < MOST;
    return is_of_vector &&
           (vector->values == NULL || vector->values[thread - vector->first_thread] ==
                                          vector->values[self - vector->first_thread]);
}

static bool record_word(const struct run *run, struct cdp_shadow_cell *cell, uint64_t own)
{
    uint64_t reads = atomic_load_explicit(&cell->reads, memory_order_relaxed);
    if (!run->vector->writes && has_read(reads, own)) {
        return true;
    }
    uint64_t write = atomic_load_explicit(&cell->write, memory_order_relaxed);
    if (write != 0 && !is_past(run, write, own) && !stores_same(run, write, own)) {
        return false;
    }
    if (!run->vector->writes) {
        return add_read(run, cell, reads, own);
    }
    if (reads != 0) {
        if (!is_past(run, reads, own)) {
            return false;
        }
        atomic_store_explicit(&cell->reads, 0, memory_order_relaxed);
    }
    atomic_store_explicit(&cell->write, own, memory_order_relaxed);
    return true;
}

/* NULL if there is no memory for the cells. */
static struct cdp_shadow_cell *cell_of(struct run *run, uintptr_t address)
{
    uintptr_t page = address & ~(uintptr_t)(PAGE - 1);
    if (page != run->page) {
        run->page = page;
        run->cells = cdp_shadow_find((const void *)page);
    }
    return run->cells == NULL ? NULL : &run->cells[(address - page) / CDP_SHADOW_WORD];
}

static bool record_lane(struct run *run, uintptr_t address, uint64_t own)
{
    for (uint64_t done = 0; done < run->vector->size; done += CDP_SHADOW_WORD) {
        struct cdp_shadow_cell *cell = cell_of(run, address + done);
        if (cell == NULL || !record_word(run, cell, own)) {
            return false;
        }
    }
    return true;
}

uint64_t cdp_race_record_vector(const struct cdp_race_vector *vector)
{
    struct cdp_history_block *block = vector->block;
    struct run run = {
        .vector = vector,
        .horizon = cdp_history_horizon(),
        .first = block->first,
        .epoch = block->epoch,
        .segment = cdp_history_segment(block),
    };
    uint64_t own = (uint64_t)run.segment << CDP_RECORD_SEGMENT_SHIFT |
                   (uint64_t)ALL_BYTES << CDP_RECORD_BYTES_SHIFT | vector->site;
    uint64_t left = vector->lanes, failed = 0;
    while (left != 0) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        const char *address = vector->first + vector->stride * (int64_t)lane;
        uint64_t thread = vector->thread + lane;
        bool is_whole = (uintptr_t)address % CDP_SHADOW_WORD == 0;
        left &= left - 1;
        if (!is_whole || !record_lane(&run, (uintptr_t)address,
                                      own | thread << CDP_RECORD_THREAD_SHIFT)) {
            failed |= UINT64_C(1) << lane;
        }
    }
    return failed;
}
