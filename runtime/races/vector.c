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
#include "races/words.h"

/* The record of one thread's access to whole words. */
static uint64_t record_of(const struct cdp_words_call *call, uint32_t thread)
{
    return cdp_record_of(call->segment, thread, CDP_RECORD_ALL_BYTES, false, call->vector->site);
}

/* False for parts of words: they are for the path for single accesses. */
static bool record_lane(const struct cdp_words_call *call, unsigned lane)
{
    uintptr_t at =
        (uintptr_t)call->vector->first + (uintptr_t)(call->vector->stride * (int64_t)lane);
    uint64_t own = record_of(call, call->vector->thread + lane);
    bool is_recorded = at % CDP_SHADOW_WORD == 0 && call->vector->size % CDP_SHADOW_WORD == 0;
    for (uint64_t done = 0; is_recorded && done < call->vector->size; done += CDP_SHADOW_WORD) {
        struct cdp_shadow_cell *cell = cdp_line_cell((const void *)(at + done));
        is_recorded = cell != NULL && cdp_words_record_one(call, cell, own);
    }
    return is_recorded;
}

/* Returns the lanes that could not be recorded. */
static uint64_t record_lanes(const struct cdp_words_call *call, uint64_t lanes)
{
    uint64_t failed = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        failed |= (uint64_t)!record_lane(call, lane) << lane;
    }
    return failed;
}

/* ---- Whole lines ---- */

/* Two records of a whole line: of the same threads for the same words. */
static bool is_of_same_threads(uint64_t record, uint64_t own)
{
    return cdp_record_thread(record) == cdp_record_thread(own) &&
           cdp_record_bytes(record) == cdp_record_bytes(own) &&
           cdp_record_set(record | own) == CDP_SET_THREAD;
}

/* Whether the record of a whole line is before the accesses of the threads that own describes. */
static bool is_line_past(const struct cdp_words_call *call, uint64_t record, uint64_t own)
{
    return cdp_words_is_past(call, record) ||
           (is_of_same_threads(record, own) && cdp_words_seen(call, record) == CDP_SEEN_OWN);
}

/* The threads of all words are in one warp. */
static bool is_in_warp(uint64_t own)
{
    uint32_t thread = cdp_record_thread(own);
    uint32_t last = thread + cdp_line_last(cdp_line_form(own));
    return thread / CDP_HISTORY_LANES == last / CDP_HISTORY_LANES;
}

/* The line's record of reads when own is added to old. 0: there is none for both. */
static uint64_t joined_reads(const struct cdp_words_call *call, uint64_t old, uint64_t own)
{
    enum cdp_order_set set = cdp_record_set(old);
    enum cdp_history_seen what = cdp_words_seen(call, old);
    if (cdp_order_is_before(what) ||
        (what == CDP_SEEN_OWN &&
         (cdp_record_segment(old) < call->epoch || is_of_same_threads(old, own)))) {
        return own;
    }
    if (what == CDP_SEEN_OTHER) {
        return 0;
    }
    if (what == CDP_SEEN_GRID) {
        return set == CDP_SET_GRID ? old : cdp_record_with_set(own, CDP_SET_GRID);
    }
    if (set == CDP_SET_BLOCK && cdp_record_segment(old) == call->segment) {
        return old;
    }
    bool same_warp = is_in_warp(old) && is_in_warp(own) && cdp_record_same_warp(old, own);
    return cdp_record_with_set(own, same_warp ? CDP_SET_WARP : CDP_SET_BLOCK);
}

/* Whether the records of words, one for each, are before the accesses of the whole line. */
static bool are_words_past(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                           uint64_t own, bool writes)
{
    struct cdp_words_part part = {.count = CDP_SHADOW_WORDS, .own = own};
    return cdp_words_are_past(call, line, &part, writes);
}

/* Whether the line's record of reads has these reads already. */
static bool line_has_reads(uint64_t reads, uint64_t own)
{
    enum cdp_order_set set = cdp_record_set(reads);
    return (reads ^ own) >> CDP_RECORD_SEGMENT_SHIFT == 0 &&
           (set >= CDP_SET_BLOCK || reads == own ||
            (set == CDP_SET_WARP && is_in_warp(own) && cdp_record_same_warp(reads, own)));
}

/* Whether the write, or the reads, of the whole line are before the accesses. */
static bool is_after(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                     uint64_t record, uint64_t own, bool writes)
{
    return record == CDP_LINE_SPLIT ? are_words_past(call, line, own, writes)
                                    : is_line_past(call, record, own);
}

static bool record_line_write(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                              uint64_t own)
{
    uint64_t write = atomic_load_explicit(&line->whole->write, memory_order_acquire);
    uint64_t reads = atomic_load_explicit(&line->whole->reads, memory_order_acquire);
    if (!is_after(call, line, write, own, true) || !is_after(call, line, reads, own, false)) {
        return false;
    }
    cdp_line_set(line, own, 0);
    return true;
}

static bool record_line_read(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                             uint64_t own)
{
    uint64_t write = atomic_load_explicit(&line->whole->write, memory_order_acquire);
    uint64_t reads = atomic_load_explicit(&line->whole->reads, memory_order_acquire);
    if (line_has_reads(reads, own)) {
        return true;
    }
    if (reads == CDP_LINE_SPLIT || !is_after(call, line, write, own, true)) {
        return false; /* for cdp_words_record */
    }
    uint64_t now = joined_reads(call, reads, own);
    if (now != 0 && now != reads) {
        atomic_store_explicit(&line->whole->reads, now, memory_order_relaxed);
    }
    return now != 0;
}

/* Whether the whole line, which is accessed as a whole, was recorded. */
static bool record_line(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                        uint64_t own)
{
    return call->vector->writes ? record_line_write(call, line, own)
                                : record_line_read(call, line, own);
}

/* The same for a part of the line, which the given number of threads from that of own on read. */
static bool line_has_part(uint64_t reads, uint64_t own, unsigned threads)
{
    enum cdp_order_set set = cdp_record_set(reads);
    uint64_t last = own + ((uint64_t)(threads - 1) << CDP_RECORD_THREAD_SHIFT);
    bool is_same = (reads ^ own) >> CDP_RECORD_SEGMENT_SHIFT == 0;
    return is_same &&
           (set >= CDP_SET_BLOCK || (set == CDP_SET_WARP && cdp_record_same_warp(reads, own) &&
                                     cdp_record_same_warp(reads, last)));
}

/* Consecutive lanes that access consecutive words of one line. Returns the lanes that could not be
 * recorded. */
static uint64_t record_part(const struct cdp_words_call *call, uintptr_t at, unsigned lane,
                            unsigned count)
{
    struct cdp_shadow_line line;
    const uint64_t lanes = UINT64_MAX >> (64 - count) << lane;
    const uint64_t size = count * call->vector->size;
    enum cdp_line_form form = cdp_line_form_of(call->vector->size);
    bool has_words = at % CDP_SHADOW_WORD == 0 && size % CDP_SHADOW_WORD == 0;
    if (!has_words || !cdp_shadow_find((const void *)at, &line)) {
        return lanes;
    }
    uint64_t own = cdp_line_record(record_of(call, call->vector->thread + lane), form);
    if (size == CDP_SHADOW_LINE && record_line(call, &line, own)) {
        return 0;
    }
    uint64_t reads = atomic_load_explicit(&line.whole->reads, memory_order_acquire);
    if (!call->vector->writes && line_has_part(reads, own, count)) {
        return 0;
    }
    struct cdp_words_part part = {
        .word = at % CDP_SHADOW_LINE / CDP_SHADOW_WORD,
        .count = (unsigned)(size / CDP_SHADOW_WORD),
        .lane = lane,
        .own = own,
    };
    return cdp_words_record(call, &line, &part);
}

/* Lanes without gaps that access consecutive memory. */
static uint64_t record_range(const struct cdp_words_call *call)
{
    const struct cdp_race_vector *vector = call->vector;
    unsigned lane = (unsigned)__builtin_ctzll(vector->lanes);
    unsigned end = 64 - (unsigned)__builtin_clzll(vector->lanes);
    unsigned size_log = (unsigned)__builtin_ctzll(vector->size);
    uint64_t failed = 0;
    while (lane < end) {
        uintptr_t at = (uintptr_t)vector->first + vector->size * lane;
        unsigned room = (unsigned)(CDP_SHADOW_LINE - at % CDP_SHADOW_LINE) >> size_log;
        unsigned count = end - lane < room ? end - lane : room;
        if (count == 0) { /* the lane's words are in two lines */
            failed |= record_lanes(call, UINT64_C(1) << lane);
            lane++;
            continue;
        }
        failed |= record_part(call, at, lane, count);
        lane += count;
    }
    return failed;
}

/* ---- Memory that all lanes read ---- */

/* Whether the words from low to end, which are in one line, were recorded as reads of the warp or
 * the block. */
static bool record_for_all(const struct cdp_words_call *call, uintptr_t low, uintptr_t end,
                           uint64_t own)
{
    struct cdp_shadow_line line;
    bool is_line = end - low == CDP_SHADOW_LINE && cdp_shadow_find((const void *)low, &line);
    if (is_line && record_line(call, &line, cdp_line_record(own, CDP_LINE_ONE))) {
        return true;
    }
    for (uintptr_t at = low; at < end; at += CDP_SHADOW_WORD) {
        struct cdp_shadow_cell *cell = cdp_line_cell((const void *)at);
        if (cell == NULL || !cdp_words_record_one(call, cell, own)) {
            return false;
        }
    }
    return true;
}

/* size bytes, a multiple of a word, that each lane reads. */
static bool record_uniform(const struct cdp_words_call *call, uint64_t size)
{
    enum { WARP = CDP_HISTORY_LANES };
    const struct cdp_race_vector *vector = call->vector;
    uint32_t first = vector->thread + (uint32_t)__builtin_ctzll(vector->lanes);
    uint32_t last = vector->thread + 63 - (uint32_t)__builtin_clzll(vector->lanes);
    enum cdp_order_set set = first == last                 ? CDP_SET_THREAD
                             : first / WARP == last / WARP ? CDP_SET_WARP
                                                           : CDP_SET_BLOCK;
    uint64_t own = cdp_record_with_set(record_of(call, first), set);
    uintptr_t at = (uintptr_t)vector->first, end = at + size;
    if (at % CDP_SHADOW_WORD != 0) {
        return false;
    }
    while (at < end) {
        uintptr_t next = (at | (CDP_SHADOW_LINE - 1)) + 1, stop = next < end ? next : end;
        if (!record_for_all(call, at, stop, own)) {
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

static struct cdp_words_call begin(const struct cdp_race_vector *vector)
{
    struct cdp_history_block *block = vector->block;
    return (struct cdp_words_call){
        .vector = vector,
        /* Shared memory was another block's before. */
        .limit = vector->is_shared ? block->epoch : block->horizon,
        .epoch = block->epoch,
        .segment = cdp_history_segment(block),
    };
}

static uint64_t record(const struct cdp_words_call *call)
{
    const struct cdp_race_vector *vector = call->vector;
    if (vector->stride == 0 && !vector->writes && vector->size % CDP_SHADOW_WORD == 0 &&
        record_uniform(call, vector->size)) {
        return 0;
    }
    return check_lanes(vector,
                       is_range(vector) ? record_range(call) : record_lanes(call, vector->lanes));
}

uint64_t cdp_race_record_vector(const struct cdp_race_vector *vector)
{
    struct cdp_words_call call = begin(vector);
    return record(&call);
}

/* ---- Loops ---- */

static bool is_same_loop(const struct cdp_history_loop *a, const struct cdp_history_loop *b)
{
    return a->segment == b->segment && a->first == b->first && a->stride == b->stride &&
           a->step == b->step && a->size == b->size && a->count == b->count && a->lanes == b->lanes;
}

/* Whether the reads from low to end are all recorded as reads of several warps. */
static bool is_read_by_block(const struct cdp_words_call *call, uintptr_t low, uintptr_t end)
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
        if (cdp_record_segment(reads) != call->segment || cdp_record_set(reads) < CDP_SET_BLOCK ||
            (is_split && cdp_record_bytes(reads) != CDP_RECORD_ALL_BYTES)) {
            return false;
        }
        low = is_split ? low + CDP_SHADOW_WORD : (low | (CDP_SHADOW_LINE - 1)) + 1;
    }
    return true;
}

static bool is_loop_read_by_block(const struct cdp_words_call *call,
                                  const struct cdp_history_loop *loop)
{
    uintptr_t first = (uintptr_t)loop->first;
    uint64_t from = (uint64_t)__builtin_ctzll(loop->lanes);
    uint64_t width =
        loop->stride == 0 ? loop->size : (64 - (uint64_t)__builtin_clzll(loop->lanes)) * loop->size;
    if (loop->stride != 0 && !is_range(call->vector)) {
        return false;
    }
    for (uint64_t i = 0; i < loop->count; i++) {
        uintptr_t at = first + (uintptr_t)(loop->step * (int64_t)i);
        if (!is_read_by_block(call, at + (loop->stride == 0 ? 0 : from * loop->size), at + width)) {
            return false;
        }
    }
    return true;
}

/* Keeps the loop, whose reads were recorded, for the other warps. */
static void remember_loop(const struct cdp_words_call *call, const struct cdp_history_loop *loop)
{
    struct cdp_history_block *block = call->vector->block;
    if (!is_loop_read_by_block(call, loop)) {
        return;
    }
    if (block->loops == NULL) {
        block->loops = cdp_alloc_zero(CDP_HISTORY_LOOPS * sizeof *block->loops);
    }
    if (block->loops != NULL) {
        block->loops[call->vector->site % CDP_HISTORY_LOOPS] = *loop;
    }
}

/* The lanes that could not be recorded. */
static uint64_t record_loop(struct cdp_words_call *call, const struct cdp_history_loop *loop)
{
    struct cdp_race_vector now = *call->vector;
    uint64_t left = 0;
    bool is_uniform =
        loop->stride == 0 && loop->step == (int64_t)loop->size && loop->size % CDP_SHADOW_WORD == 0;
    if (is_uniform && record_uniform(call, loop->count * loop->size)) {
        return 0;
    }
    call->vector = &now;
    for (uint64_t i = 0; i < loop->count && now.lanes != 0; i++) {
        left |= record(call);
        now.lanes &= ~left;
        now.first += loop->step;
    }
    return left;
}

uint64_t cdp_race_record_loop(const struct cdp_race_vector *vector, int64_t step, uint64_t count)
{
    struct cdp_words_call call = begin(vector);
    const struct cdp_history_loop *known = vector->block->loops;
    struct cdp_history_loop loop = {
        .segment = call.segment,
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
    uint64_t left = record_loop(&call, &loop);
    call.vector = vector;
    if (left == 0) {
        remember_loop(&call, &loop);
    }
    return left;
}
