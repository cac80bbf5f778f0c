/* The fast path of the race check: whole words, and records that are before the whole block.
 *
 * Consecutive lanes that access consecutive words are recorded a line at a time (races/line.h). */
#include "races/vector.h"

#include <stddef.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "races/history.h"
#include "races/line.h"
#include "races/order.h"
#include "races/race.h"
#include "races/record.h"
#include "races/shadow.h"

/* The state of one call. What is the same for all lanes is read once. */
struct run {
    const struct cdp_race_vector *vector; /* the accesses that are recorded now */
    uint32_t limit; /* records of segments below it are before all that the block does now */
    uint32_t epoch, segment;
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
    if (segment < run->limit) {
        return CDP_SEEN_BEFORE;
    }
    bool is_own = run->vector->is_shared || segment == run->segment;
    enum cdp_history_seen what = is_own ? CDP_SEEN_OWN : look_up(run->vector->block, segment);
    /* Reads of several blocks have the segment of the latest one. */
    bool is_grid = cdp_record_set(record) == CDP_SET_GRID;
    return what == CDP_SEEN_OWN && is_grid ? CDP_SEEN_GRID : what;
}

/* Whether the record is before the access of the thread that own describes. */
static bool is_past(const struct run *run, uint64_t record, uint64_t own)
{
    enum cdp_history_seen what = seen(run, record);
    if (what != CDP_SEEN_OWN) {
        return what == CDP_SEEN_BEFORE;
    }
    bool same_thread = cdp_record_thread(record) == cdp_record_thread(own) &&
                       cdp_record_set(record | own) == CDP_SET_THREAD;
    return cdp_record_segment(record) < run->epoch || same_thread;
}

/* The set of threads after a read is added to the record of reads, which is not before it. */
static enum cdp_order_set widened(uint64_t record, uint64_t own)
{
    return cdp_record_set(record) == CDP_SET_GRID ? CDP_SET_GRID
           : cdp_record_same_warp(record, own)    ? CDP_SET_WARP
                                                  : CDP_SET_BLOCK;
}

static bool add_read(const struct run *run, struct cdp_shadow_cell *cell, uint64_t old,
                     uint64_t own)
{
    uint64_t now = own;
    if (old != 0 && !is_past(run, old, own)) {
        enum cdp_history_seen what = seen(run, old);
        bool is_grid = cdp_record_set(old) == CDP_SET_GRID;
        if (what == CDP_SEEN_OTHER || cdp_record_bytes(old) != CDP_RECORD_ALL_BYTES) {
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
 * has been executed. Only lanes of this and earlier calls have a value. */
static bool stores_same(const struct run *run, uint64_t write, uint64_t own)
{
    const struct cdp_race_vector *vector = run->vector;
    uint32_t self = cdp_record_thread(own) - vector->first_thread;
    uint32_t other = cdp_record_thread(write) - vector->first_thread;
    uint32_t last =
        vector->thread - vector->first_thread + 63 - (uint32_t)__builtin_clzll(vector->lanes);
    bool is_of_vector = vector->writes && !vector->is_strict &&
                        cdp_record_segment(write) == run->segment &&
                        cdp_record_site(write) == vector->site && other <= last;
    return is_of_vector &&
           (vector->values == NULL || vector->values[other] == vector->values[self]);
}

static bool record_word(const struct run *run, struct cdp_shadow_cell *cell, uint64_t own)
{
    uint64_t reads = atomic_load_explicit(&cell->reads, memory_order_relaxed);
    if (!run->vector->writes && cdp_record_has_read(reads, own)) {
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

/* The record of one thread's access to whole words. */
static uint64_t record_of(const struct run *run, uint32_t thread)
{
    return cdp_record_of(run->segment, thread, CDP_RECORD_ALL_BYTES, false, run->vector->site);
}

/* False for parts of words: they are for the path for single accesses. */
static bool record_lane(const struct run *run, unsigned lane)
{
    uintptr_t at = (uintptr_t)run->vector->first + (uintptr_t)(run->vector->stride * (int64_t)lane);
    uint64_t own = record_of(run, run->vector->thread + lane);
    bool is_recorded = at % CDP_SHADOW_WORD == 0 && run->vector->size % CDP_SHADOW_WORD == 0;
    for (uint64_t done = 0; is_recorded && done < run->vector->size; done += CDP_SHADOW_WORD) {
        struct cdp_shadow_cell *cell = cdp_line_cell((const void *)(at + done));
        is_recorded = cell != NULL && record_word(run, cell, own);
    }
    return is_recorded;
}

/* Returns the lanes that could not be recorded. */
static uint64_t record_lanes(const struct run *run, uint64_t lanes)
{
    uint64_t failed = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        failed |= (uint64_t)!record_lane(run, lane) << lane;
    }
    return failed;
}

/* ---- Whole lines ---- */

/* Whether the record is before what all threads of the block do now. */
static bool is_past_for_all(const struct run *run, uint64_t record)
{
    enum cdp_history_seen what = record == 0 ? CDP_SEEN_BEFORE : seen(run, record);
    return what == CDP_SEEN_BEFORE ||
           (what == CDP_SEEN_OWN && cdp_record_segment(record) < run->epoch);
}

/* Whether the record of a whole line is before the accesses of the threads that own describes. */
static bool is_line_past(const struct run *run, uint64_t record, uint64_t own)
{
    /* The same threads for the same words. */
    bool is_same = cdp_record_thread(record) == cdp_record_thread(own) &&
                   cdp_record_bytes(record) == cdp_record_bytes(own) &&
                   cdp_record_set(record | own) == CDP_SET_THREAD;
    return is_past_for_all(run, record) || (is_same && seen(run, record) == CDP_SEEN_OWN);
}

/* The threads of all words are in one warp. */
static bool is_in_warp(uint64_t own)
{
    uint32_t thread = cdp_record_thread(own);
    uint32_t last = thread + cdp_line_last(cdp_line_form(own));
    return thread / CDP_HISTORY_LANES == last / CDP_HISTORY_LANES;
}

/* The record of the line's reads after a read is added. old is not before it. 0: there is none for
 * both. */
static uint64_t widen_line(const struct run *run, uint64_t old, uint64_t own)
{
    enum cdp_order_set set = cdp_record_set(old);
    enum cdp_history_seen what = seen(run, old);
    if (what == CDP_SEEN_OTHER) {
        return 0;
    }
    if (set == CDP_SET_GRID || what == CDP_SEEN_GRID) {
        return set == CDP_SET_GRID ? old : cdp_record_with_set(own, CDP_SET_GRID);
    }
    bool same_segment = cdp_record_segment(old) == run->segment;
    if (set == CDP_SET_BLOCK && same_segment) {
        return old;
    }
    bool same_warp = is_in_warp(old) && is_in_warp(own) && cdp_record_same_warp(old, own);
    return cdp_record_with_set(own, same_warp ? CDP_SET_WARP : CDP_SET_BLOCK);
}

/* Whether the records of words, one for each, are before the accesses of the whole line. */
static bool are_words_past(const struct run *run, const struct cdp_shadow_line *line, uint64_t own,
                           bool writes)
{
    for (unsigned i = 0; i < CDP_SHADOW_WORDS; i++) {
        uint64_t record = atomic_load_explicit(
            writes ? &line->words[i].write : &line->words[i].reads, memory_order_relaxed);
        if (cdp_record_segment(record) < run->limit) {
            continue;
        }
        bool is_one = cdp_line_sharing(cdp_line_form(own)) == 0;
        if (is_one ? !is_past(run, record, cdp_line_word(own, i, writes))
                   : !is_past_for_all(run, record)) {
            return false;
        }
    }
    return true;
}

/* Whether the line's record of reads has these reads already. */
static bool line_has_reads(uint64_t reads, uint64_t own)
{
    enum cdp_order_set set = cdp_record_set(reads);
    return (reads ^ own) >> CDP_RECORD_SEGMENT_SHIFT == 0 &&
           (set >= CDP_SET_BLOCK || reads == own ||
            (set == CDP_SET_WARP && is_in_warp(own) && cdp_record_same_warp(reads, own)));
}

/* Whether the whole line, which is accessed as a whole, was recorded. */
static bool record_line(const struct run *run, const struct cdp_shadow_line *line, uint64_t own)
{
    uint64_t write = atomic_load_explicit(&line->whole->write, memory_order_acquire);
    uint64_t reads = atomic_load_explicit(&line->whole->reads, memory_order_acquire);
    if (!run->vector->writes && line_has_reads(reads, own)) {
        return true;
    }
    bool is_after_write = write == CDP_LINE_SPLIT ? are_words_past(run, line, own, true)
                                                  : is_line_past(run, write, own);
    if (!is_after_write) {
        return false;
    }
    bool is_after_reads = reads == CDP_LINE_SPLIT ? are_words_past(run, line, own, false)
                                                  : is_line_past(run, reads, own);
    if (run->vector->writes) {
        if (is_after_reads) {
            cdp_line_set(line, own, 0);
        }
        return is_after_reads;
    }
    if (!is_after_reads && reads == CDP_LINE_SPLIT) {
        return false;
    }
    uint64_t now = is_after_reads ? own : widen_line(run, reads, own);
    if (now != 0 && now != reads) {
        atomic_store_explicit(&line->whole->reads, now, memory_order_relaxed);
    }
    return now != 0;
}

/* Reads of some words of a line, by the threads from own on. The lanes that could not be
 * recorded. */
static uint64_t record_reads(const struct run *run, const struct cdp_shadow_line *line,
                             unsigned word, unsigned lane, unsigned count)
{
    const unsigned per_lane = (unsigned)(run->vector->size / CDP_SHADOW_WORD);
    uint64_t failed = 0;
    cdp_line_split_reads(line);
    for (unsigned i = 0; i < count * per_lane; i++) {
        struct cdp_shadow_cell *cell = &line->words[word + i];
        unsigned of = lane + i / per_lane;
        uint64_t own = record_of(run, run->vector->thread + of);
        uint64_t reads = atomic_load_explicit(&cell->reads, memory_order_relaxed);
        if (cdp_record_segment(reads) < run->limit) {
            atomic_store_explicit(&cell->reads, own, memory_order_relaxed);
        } else if (!cdp_record_has_read(reads, own) && !add_read(run, cell, reads, own)) {
            failed |= UINT64_C(1) << of;
        }
    }
    return failed;
}

/* Consecutive lanes that access consecutive words of one line. */
static uint64_t record_part(const struct run *run, uintptr_t at, unsigned lane, unsigned count)
{
    struct cdp_shadow_line line;
    const uint64_t lanes = UINT64_MAX >> (64 - count) << lane;
    enum cdp_line_form form = cdp_line_form_of(run->vector->size);
    if (at % CDP_SHADOW_WORD != 0 || !cdp_shadow_find((const void *)at, &line)) {
        return lanes;
    }
    uint64_t own = cdp_line_record(record_of(run, run->vector->thread + lane), form);
    bool is_line = count == cdp_line_last(form) + 1;
    if (is_line && record_line(run, &line, own)) {
        return 0;
    }
    uint64_t write = atomic_load_explicit(&line.whole->write, memory_order_acquire);
    uint64_t reads = atomic_load_explicit(&line.whole->reads, memory_order_acquire);
    if (!run->vector->writes && cdp_record_set(reads) >= CDP_SET_BLOCK &&
        line_has_reads(reads, own)) {
        return 0;
    }
    if (cdp_line_sharing(form) > 0 || run->vector->writes || write == CDP_LINE_SPLIT ||
        !is_past_for_all(run, write)) {
        return record_lanes(run, lanes);
    }
    return record_reads(run, &line, at % CDP_SHADOW_LINE / CDP_SHADOW_WORD, lane, count);
}

/* Lanes without gaps that access consecutive memory. */
static uint64_t record_range(const struct run *run)
{
    const struct cdp_race_vector *vector = run->vector;
    unsigned lane = (unsigned)__builtin_ctzll(vector->lanes);
    unsigned end = 64 - (unsigned)__builtin_clzll(vector->lanes);
    uint64_t failed = 0;
    while (lane < end) {
        uintptr_t at = (uintptr_t)vector->first + vector->size * lane;
        unsigned room = (unsigned)((CDP_SHADOW_LINE - at % CDP_SHADOW_LINE) / vector->size);
        unsigned count = end - lane < room ? end - lane : room;
        if (count == 0) { /* the lane's words are in two lines */
            failed |= record_lanes(run, UINT64_C(1) << lane);
            lane++;
            continue;
        }
        failed |= record_part(run, at, lane, count);
        lane += count;
    }
    return failed;
}

/* ---- Memory that all lanes read ---- */

/* Whether the words from low to end, which are in one line, were recorded as reads of the warp or
 * the block. */
static bool record_for_all(const struct run *run, uintptr_t low, uintptr_t end, uint64_t own)
{
    struct cdp_shadow_line line;
    bool is_line = end - low == CDP_SHADOW_LINE && cdp_shadow_find((const void *)low, &line);
    if (is_line && record_line(run, &line, cdp_line_record(own, CDP_LINE_ONE))) {
        return true;
    }
    for (uintptr_t at = low; at < end; at += CDP_SHADOW_WORD) {
        struct cdp_shadow_cell *cell = cdp_line_cell((const void *)at);
        if (cell == NULL || !record_word(run, cell, own)) {
            return false;
        }
    }
    return true;
}

/* size bytes, a multiple of a word, that each lane reads. */
static bool record_uniform(const struct run *run, uint64_t size)
{
    enum { WARP = CDP_HISTORY_LANES };
    const struct cdp_race_vector *vector = run->vector;
    uint32_t first = vector->thread + (uint32_t)__builtin_ctzll(vector->lanes);
    uint32_t last = vector->thread + 63 - (uint32_t)__builtin_clzll(vector->lanes);
    enum cdp_order_set set = first == last                 ? CDP_SET_THREAD
                             : first / WARP == last / WARP ? CDP_SET_WARP
                                                           : CDP_SET_BLOCK;
    uint64_t own = cdp_record_with_set(record_of(run, first), set);
    uintptr_t at = (uintptr_t)vector->first, end = at + size;
    if (at % CDP_SHADOW_WORD != 0) {
        return false;
    }
    while (at < end) {
        uintptr_t next = (at | (CDP_SHADOW_LINE - 1)) + 1, stop = next < end ? next : end;
        if (!record_for_all(run, at, stop, own)) {
            return false;
        }
        at = stop;
    }
    return true;
}

/* ---- All ---- */

/* Whether the lanes from the lowest to the highest one access consecutive memory, each a half, a
 * quarter or an eighth of a line at most. */
static bool is_range(const struct cdp_race_vector *vector)
{
    uint64_t lanes = vector->lanes >> __builtin_ctzll(vector->lanes);
    bool is_power = (vector->size & (vector->size - 1)) == 0;
    return vector->stride == (int64_t)vector->size && (lanes & (lanes + 1)) == 0 && is_power &&
           vector->size <= 4 * CDP_SHADOW_WORD;
}

/* Those of the lanes that race. The others are recorded. */
static uint64_t check_lanes(const struct cdp_race_vector *vector, uint64_t lanes)
{
    uint64_t races = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        struct cdp_race_conflict conflict;
        struct cdp_race_access access = {
            .address = vector->first + vector->stride * (int64_t)lane,
            .size = vector->size,
            .site = vector->site,
            .writes = vector->writes,
            .is_tentative = true,
            .is_shared = vector->is_shared,
            .block = vector->block,
            .thread = vector->thread + lane,
        };
        races |= (uint64_t)cdp_race_check(&access, &conflict) << lane;
    }
    return races;
}

static struct run begin(const struct cdp_race_vector *vector)
{
    struct cdp_history_block *block = vector->block;
    return (struct run){
        .vector = vector,
        /* Shared memory was another block's before. */
        .limit = vector->is_shared ? block->epoch : block->horizon,
        .epoch = block->epoch,
        .segment = cdp_history_segment(block),
    };
}

static uint64_t record(const struct run *run)
{
    const struct cdp_race_vector *vector = run->vector;
    if (vector->stride == 0 && !vector->writes && vector->size % CDP_SHADOW_WORD == 0 &&
        record_uniform(run, vector->size)) {
        return 0;
    }
    return check_lanes(vector,
                       is_range(vector) ? record_range(run) : record_lanes(run, vector->lanes));
}

uint64_t cdp_race_record_vector(const struct cdp_race_vector *vector)
{
    struct run run = begin(vector);
    return record(&run);
}

/* ---- Loops ---- */

static bool is_same_loop(const struct cdp_history_loop *a, const struct cdp_history_loop *b)
{
    return a->segment == b->segment && a->first == b->first && a->stride == b->stride &&
           a->step == b->step && a->size == b->size && a->count == b->count && a->lanes == b->lanes;
}

/* Whether the reads from low to end are all recorded as reads of several warps. */
static bool is_read_by_block(const struct run *run, uintptr_t low, uintptr_t end)
{
    while (low < end) {
        struct cdp_shadow_line line;
        if (!cdp_shadow_find((const void *)low, &line)) {
            return false;
        }
        uint64_t reads = atomic_load_explicit(&line.whole->reads, memory_order_acquire);
        bool is_split = reads == CDP_LINE_SPLIT;
        if (is_split) {
            reads = atomic_load_explicit(&line.words[low % CDP_SHADOW_LINE / CDP_SHADOW_WORD].reads,
                                         memory_order_relaxed);
        }
        if (cdp_record_segment(reads) != run->segment || cdp_record_set(reads) < CDP_SET_BLOCK ||
            (is_split && cdp_record_bytes(reads) != CDP_RECORD_ALL_BYTES)) {
            return false;
        }
        low = is_split ? low + CDP_SHADOW_WORD : (low | (CDP_SHADOW_LINE - 1)) + 1;
    }
    return true;
}

static bool is_loop_read_by_block(const struct run *run, const struct cdp_history_loop *loop)
{
    uintptr_t first = (uintptr_t)loop->first;
    uint64_t from = (uint64_t)__builtin_ctzll(loop->lanes);
    uint64_t width =
        loop->stride == 0 ? loop->size : (64 - (uint64_t)__builtin_clzll(loop->lanes)) * loop->size;
    if (loop->stride != 0 && !is_range(run->vector)) {
        return false;
    }
    for (uint64_t i = 0; i < loop->count; i++) {
        uintptr_t at = first + (uintptr_t)(loop->step * (int64_t)i);
        if (!is_read_by_block(run, at + (loop->stride == 0 ? 0 : from * loop->size), at + width)) {
            return false;
        }
    }
    return true;
}

/* Keeps the loop, whose reads were recorded, for the other warps. */
static void remember_loop(const struct run *run, const struct cdp_history_loop *loop)
{
    struct cdp_history_block *block = run->vector->block;
    if (!is_loop_read_by_block(run, loop)) {
        return;
    }
    if (block->loops == NULL) {
        block->loops = cdp_alloc_zero(CDP_HISTORY_LOOPS * sizeof *block->loops);
    }
    if (block->loops != NULL) {
        block->loops[run->vector->site % CDP_HISTORY_LOOPS] = *loop;
    }
}

/* The lanes that could not be recorded. */
static uint64_t record_loop(struct run *run, const struct cdp_history_loop *loop)
{
    struct cdp_race_vector now = *run->vector;
    uint64_t left = 0;
    bool is_uniform =
        loop->stride == 0 && loop->step == (int64_t)loop->size && loop->size % CDP_SHADOW_WORD == 0;
    if (is_uniform && record_uniform(run, loop->count * loop->size)) {
        return 0;
    }
    run->vector = &now;
    for (uint64_t i = 0; i < loop->count && now.lanes != 0; i++) {
        left |= record(run);
        now.lanes &= ~left;
        now.first += loop->step;
    }
    return left;
}

uint64_t cdp_race_record_loop(const struct cdp_race_vector *vector, int64_t step, uint64_t count)
{
    struct run run = begin(vector);
    const struct cdp_history_loop *known = vector->block->loops;
    struct cdp_history_loop loop = {
        .segment = run.segment,
        .first = vector->first,
        .stride = vector->stride,
        .step = step,
        .size = vector->size,
        .count = count,
        .lanes = vector->lanes,
    };
    if (known != NULL && is_same_loop(&known[vector->site % CDP_HISTORY_LOOPS], &loop)) {
        return 0;
    }
    uint64_t left = record_loop(&run, &loop);
    run.vector = vector;
    if (left == 0) {
        remember_loop(&run, &loop);
    }
    return left;
}
