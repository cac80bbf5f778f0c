/* Checks and records accesses. */
#include "races/race.h"

#include "races/release.h"
#include "races/shadow.h"

/* A record is 64 bits, from the highest:
 *
 *     segment 32 | thread 10 | bytes of the word 4 | atomic 1 | set 2 | site 15
 *
 * thread is the number in the block; for CDP_SET_WARP, that of one of the lanes. */
enum {
    SITE_BITS = 15,
    SET_SHIFT = SITE_BITS,
    ATOMIC_SHIFT = SET_SHIFT + 2,
    BYTES_SHIFT = ATOMIC_SHIFT + 1,
    THREAD_SHIFT = BYTES_SHIFT + CDP_SHADOW_WORD,
    SEGMENT_SHIFT = THREAD_SHIFT + 10,
};
_Static_assert(SEGMENT_SHIFT == 32, "the fields fill 64 bits");

static uint32_t field(uint64_t record, unsigned shift, unsigned bits)
{
    return (uint32_t)(record >> shift) & ((1u << bits) - 1);
}

static uint32_t segment_of(uint64_t record)
{
    return (uint32_t)(record >> SEGMENT_SHIFT);
}

static uint32_t bytes_of(uint64_t record)
{
    return field(record, BYTES_SHIFT, CDP_SHADOW_WORD);
}

static struct cdp_order_access access_of(uint64_t record)
{
    return (struct cdp_order_access){
        .segment = segment_of(record),
        .thread = field(record, THREAD_SHIFT, 10),
        .set = (enum cdp_order_set)field(record, SET_SHIFT, 2),
    };
}

static uint64_t with_set(uint64_t record, enum cdp_order_set set)
{
    return (record & ~((uint64_t)3 << SET_SHIFT)) | (uint64_t)set << SET_SHIFT;
}

static uint64_t record_of(const struct cdp_race_access *access, uint32_t segment, uint32_t bytes)
{
    uint32_t site = access->site < 1u << SITE_BITS ? access->site : 0;
    return (uint64_t)segment << SEGMENT_SHIFT | (uint64_t)access->thread << THREAD_SHIFT |
           (uint64_t)bytes << BYTES_SHIFT |
           (uint64_t)(access->is_atomic || access->is_flag) << ATOMIC_SHIFT | site;
}

/* Whether the record does not count: there is none, or shared memory was another block's. */
static bool is_stale(uint64_t record, const struct cdp_race_access *access)
{
    return record == 0 || segment_of(record) < cdp_history_horizon() ||
           (access->is_shared && segment_of(record) < access->block->first);
}

static enum cdp_order_rule order_of(uint64_t record, const struct cdp_race_access *access)
{
    struct cdp_order_access a = access_of(record);
    return is_stale(record, access) ? CDP_ORDERED : cdp_order_of(&a, access->block, access->thread);
}

/* Whether the record is of the same thread alone, in the same segment. */
static bool is_same(uint64_t record, uint64_t own)
{
    return record >> THREAD_SHIFT == own >> THREAD_SHIFT &&
           field(record, SET_SHIFT, 2) == CDP_SET_THREAD;
}

static uint32_t site_of(uint64_t record)
{
    return field(record, 0, SITE_BITS);
}

/* Whether neither of the two accesses can see a part of the other, as atomic ones. Two flags can.
 */
static bool are_atomic(uint64_t record, const struct cdp_race_access *access)
{
    bool by_device = site_of(record) != 0 && site_of(record) < CDP_RACE_HOST_SITES;
    return field(record, ATOMIC_SHIFT, 1) != 0 &&
           (access->is_atomic || (access->is_flag && by_device));
}

/* Whether the recorded access races with the one that own describes. */
static bool conflicts(uint64_t record, uint64_t own, const struct cdp_race_access *access,
                      struct cdp_race_conflict *out)
{
    if (record == 0 || (bytes_of(record) & bytes_of(own)) == 0 || are_atomic(record, access) ||
        is_same(record, own)) {
        return false;
    }
    enum cdp_order_rule rule = order_of(record, access);
    if (rule == CDP_ORDERED) {
        return false;
    }
    out->access = access_of(record);
    out->site = site_of(record);
    out->is_atomic = field(record, ATOMIC_SHIFT, 1) != 0;
    out->rule = rule;
    return true;
}

/* The record of reads when a read is added. old is not before it. There is space for the reads of
 * one grid: those of the first one stay. A thread that reads a word usually writes it next, and for
 * this write its own read is of no interest. */
static uint64_t widen(uint64_t old, uint64_t own, const struct cdp_race_access *access)
{
    struct cdp_history_segment segment;
    struct cdp_order_access a = access_of(old);
    const struct cdp_history_block *block = access->block;
    /* Only the bytes that all of the threads have read. */
    uint32_t others = bytes_of(own) & ~bytes_of(old);
    uint64_t wide = own & ~((uint64_t)others << BYTES_SHIFT);
    if (bytes_of(wide) == 0 || block == NULL || !cdp_history_find_segment(a.segment, &segment) ||
        segment.launch != block->launch) {
        return old;
    }
    if (segment.run != block->run || a.set == CDP_SET_GRID) {
        return with_set(wide, CDP_SET_GRID);
    }
    bool same_warp =
        a.set <= CDP_SET_WARP && a.thread / CDP_HISTORY_LANES == access->thread / CDP_HISTORY_LANES;
    return with_set(wide, same_warp ? CDP_SET_WARP : CDP_SET_BLOCK);
}

/* Whether the record of reads has this read already: of the same thread, or of threads among which
 * it is, in the same segment. */
static bool has_read(uint64_t old, uint64_t own)
{
    enum { WARP_SHIFT = THREAD_SHIFT + 5 };
    enum cdp_order_set set = (enum cdp_order_set)field(old, SET_SHIFT, 2);
    bool same = set == CDP_SET_THREAD ? old >> THREAD_SHIFT == own >> THREAD_SHIFT
                : set == CDP_SET_WARP ? old >> WARP_SHIFT == own >> WARP_SHIFT
                                      : segment_of(old) == segment_of(own);
    return same && (bytes_of(old) & bytes_of(own)) == bytes_of(own);
}

static void add_read(struct cdp_shadow_cell *cell, uint64_t own,
                     const struct cdp_race_access *access)
{
    uint64_t old = atomic_load_explicit(&cell->reads, memory_order_relaxed);
    if (has_read(old, own)) {
        return;
    }
    bool ordered = is_same(old, own) || order_of(old, access) == CDP_ORDERED;
    atomic_store_explicit(&cell->reads, ordered ? own : widen(old, own, access),
                          memory_order_relaxed);
}

static bool check_word(struct cdp_shadow_cell *cell, uint64_t own,
                       const struct cdp_race_access *access, struct cdp_race_conflict *out)
{
    uint64_t write = atomic_load_explicit(&cell->write, memory_order_relaxed);
    uint64_t reads = access->writes ? atomic_load_explicit(&cell->reads, memory_order_relaxed) : 0;
    bool with_write = conflicts(write, own, access, out);
    bool with_reads = !with_write && conflicts(reads, own, access, out);
    out->writes = with_write;
    if (access->writes) {
        atomic_store_explicit(&cell->write, own, memory_order_relaxed);
        atomic_store_explicit(&cell->reads, 0, memory_order_relaxed);
    } else {
        add_read(cell, own, access);
    }
    return with_write || with_reads;
}

/* The bytes of the word at start that belong to [low, end). */
static uint32_t bytes_in(uintptr_t start, uintptr_t low, uintptr_t end)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < CDP_SHADOW_WORD; i++) {
        bytes |= (uint32_t)(start + i >= low && start + i < end) << i;
    }
    return bytes;
}

bool cdp_race_check(const struct cdp_race_access *access, struct cdp_race_conflict *out)
{
    uint32_t segment =
        access->block != NULL ? cdp_history_segment(access->block) : cdp_history_host_segment();
    uintptr_t low = (uintptr_t)access->address, end = low + access->size;
    struct cdp_race_conflict conflict;
    bool races = false;
    for (uintptr_t at = low & ~(uintptr_t)(CDP_SHADOW_WORD - 1); at < end; at += CDP_SHADOW_WORD) {
        struct cdp_shadow_cell *cell = cdp_shadow_find((const void *)at);
        uint64_t own = record_of(access, segment, bytes_in(at, low, end));
        if (cell == NULL) {
            cdp_history_forget();
        } else if (check_word(cell, own, access, &conflict) && !races) {
            *out = conflict;
            out->address = (const void *)at;
            races = true;
        }
    }
    return races;
}

bool cdp_race_start(void)
{
    return cdp_history_start();
}

void cdp_race_stop(void)
{
    cdp_history_stop();
    cdp_release_clear();
    cdp_shadow_stop();
}

void cdp_race_settled(void)
{
    if (cdp_history_set_horizon()) {
        cdp_shadow_reset();
    }
    cdp_release_clear();
}
