/* Checks and records accesses. */
#include "races/race.h"

#include "races/flag.h"
#include "races/host_site.h"
#include "races/line.h"
#include "races/record.h"
#include "races/release.h"
#include "races/shadow.h"
#include "races/wait.h"

static uint64_t record_of(const struct cdp_race_access *access, uint32_t segment, uint32_t bytes)
{
    return cdp_record_of(segment, access->thread, bytes, access->is_atomic || access->is_flag,
                         access->site);
}

/* Whether the record does not count: there is none, or shared memory was another block's. */
static bool is_stale(uint64_t record, const struct cdp_race_access *access)
{
    return record == 0 || cdp_record_segment(record) < cdp_history_horizon() ||
           (access->is_shared && cdp_record_segment(record) < access->block->shared);
}

static enum cdp_order_rule order_of(uint64_t record, const struct cdp_race_access *access)
{
    struct cdp_order_access a = cdp_record_access(record);
    return is_stale(record, access) ? CDP_ORDERED : cdp_order_of(&a, access->block, access->thread);
}

static bool is_by_device(uint64_t record)
{
    return cdp_record_site(record) != 0 && cdp_record_site(record) < CDP_RACE_HOST_SITES;
}

/* Whether neither of the two accesses can see a part of the other, as atomic ones. Two flags can.
 */
static bool are_atomic(uint64_t record, const struct cdp_race_access *access)
{
    return cdp_record_is_atomic(record) &&
           (access->is_atomic || (access->is_flag && is_by_device(record)));
}

/* The host may store a flag, and its record, between an atomic operation's look at the records and
 * this. So the record that is replaced counts, not the one that was compared. Returns that record
 * for exact accesses. */
static uint64_t set_write(struct cdp_shadow_cell *cell, uint64_t own,
                          const struct cdp_race_access *access)
{
    bool may_release = access->is_atomic && !access->is_shared && access->block != NULL;
    if (!may_release && !access->is_exact) {
        atomic_store_explicit(&cell->write, own, memory_order_relaxed);
        return 0;
    }
    uint64_t old = atomic_exchange_explicit(&cell->write, own, memory_order_relaxed);
    if (may_release && old != 0 && !is_by_device(old)) {
        cdp_flag_replaced(access->address, old, access->block, access->thread);
    }
    return access->is_exact ? old : 0;
}

/* Whether the recorded access races with the one that own describes. */
static bool conflicts(uint64_t record, uint64_t own, const struct cdp_race_access *access,
                      struct cdp_race_conflict *out)
{
    if (record == 0 || (cdp_record_bytes(record) & cdp_record_bytes(own)) == 0 ||
        are_atomic(record, access) || cdp_record_is_same(record, own)) {
        return false;
    }
    enum cdp_order_rule rule = order_of(record, access);
    if (rule == CDP_ORDERED) {
        return false;
    }
    out->access = cdp_record_access(record);
    out->site = cdp_record_site(record);
    out->is_atomic = cdp_record_is_atomic(record);
    out->rule = rule;
    return true;
}

/* The record of reads when a read is added. old is not before it. There is space for the reads of
 * one grid: those of the first one stay. A thread that reads a word usually writes it next, and for
 * this write its own read is of no interest. */
static uint64_t widen(uint64_t old, uint64_t own, const struct cdp_race_access *access)
{
    struct cdp_history_segment segment;
    struct cdp_order_access a = cdp_record_access(old);
    const struct cdp_history_block *block = access->block;
    /* Only the bytes that all of the threads have read. */
    uint32_t others = cdp_record_bytes(own) & ~cdp_record_bytes(old);
    uint64_t wide = own & ~((uint64_t)others << CDP_RECORD_BYTES_SHIFT);
    if (cdp_record_bytes(wide) == 0 || block == NULL ||
        !cdp_history_find_segment(a.segment, &segment) || segment.launch != block->launch) {
        return old;
    }
    if (segment.run != block->run || a.set == CDP_SET_GRID) {
        return cdp_record_with_set(wide, CDP_SET_GRID);
    }
    return cdp_record_with_set(wide, cdp_record_same_warp(old, own) ? CDP_SET_WARP : CDP_SET_BLOCK);
}

static void add_read(struct cdp_shadow_cell *cell, uint64_t own,
                     const struct cdp_race_access *access)
{
    uint64_t old = atomic_load_explicit(&cell->reads, memory_order_relaxed);
    if (cdp_record_has_read(old, own)) {
        return;
    }
    bool ordered = cdp_record_is_same(old, own) || order_of(old, access) == CDP_ORDERED;
    atomic_store_explicit(&cell->reads, ordered ? own : widen(old, own, access),
                          memory_order_relaxed);
}

/* Of a cell, at one time. */
struct records {
    uint64_t write, reads;
};

/* Records a write. Whether it races with a record that it replaces, but is not among those
 * compared.
 */
static bool replace(struct cdp_shadow_cell *cell, const struct records *compared, uint64_t own,
                    const struct cdp_race_access *access, struct cdp_race_conflict *out)
{
    uint64_t write = set_write(cell, own, access);
    if (!access->is_exact) {
        atomic_store_explicit(&cell->reads, 0, memory_order_relaxed);
        return false;
    }
    uint64_t reads = atomic_exchange_explicit(&cell->reads, 0, memory_order_relaxed);
    out->writes = write != compared->write && conflicts(write, own, access, out);
    return out->writes || (reads != compared->reads && conflicts(reads, own, access, out));
}

static bool check_word(struct cdp_shadow_cell *cell, uint64_t own,
                       const struct cdp_race_access *access, struct cdp_race_conflict *out)
{
    struct cdp_race_conflict replaced;
    struct records old = {
        .write = atomic_load_explicit(&cell->write, memory_order_relaxed),
        .reads = access->writes ? atomic_load_explicit(&cell->reads, memory_order_relaxed) : 0,
    };
    bool with_write = conflicts(old.write, own, access, out);
    bool races = with_write || conflicts(old.reads, own, access, out);
    out->writes = with_write;
    if (access->is_tentative && races) {
        return true;
    }
    if (!access->writes) {
        add_read(cell, own, access);
    } else if (replace(cell, &old, own, access, &replaced) && !races) {
        *out = replaced;
        races = true;
    }
    return races;
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

/* The record as if all threads of the block, or of the grid, had made the accesses. */
static uint64_t of_block(uint64_t record)
{
    bool is_grid = cdp_record_set(record) == CDP_SET_GRID;
    return is_grid ? record : cdp_record_with_set(record, CDP_SET_BLOCK);
}

/* A whole line that is accessed as a whole: one comparison, if no thread's access of it races.
 * False: the words must be looked at. */
static bool check_line(const struct cdp_shadow_line *line, uint64_t own,
                       const struct cdp_race_access *access)
{
    uint64_t write = atomic_load_explicit(&line->whole->write, memory_order_relaxed);
    uint64_t reads = atomic_load_explicit(&line->whole->reads, memory_order_relaxed);
    bool past = write != CDP_LINE_SPLIT && reads != CDP_LINE_SPLIT && /* by another thread */
                order_of(of_block(write), access) == CDP_ORDERED &&
                order_of(of_block(reads), access) == CDP_ORDERED;
    if (!past || access->is_atomic) {
        return false;
    }
    own = cdp_line_record(own, CDP_LINE_ONE);
    if (access->is_exact) {
        return cdp_line_replace(&line->whole->write, write, access->writes ? own : write) &&
               cdp_line_replace(&line->whole->reads, reads, access->writes ? 0 : own);
    }
    cdp_line_set(line, access->writes ? own : write, access->writes ? 0 : own);
    return true;
}

/* Checks words up to the end of their line. */
static bool check_words(const struct cdp_race_access *access, uint32_t segment, uintptr_t at,
                        uintptr_t stop, struct cdp_race_conflict *out)
{
    uintptr_t low = (uintptr_t)access->address, end = low + access->size;
    struct cdp_race_conflict conflict;
    bool races = false;
    for (; at < stop; at += CDP_SHADOW_WORD) {
        struct cdp_shadow_cell *cell = cdp_line_cell((const void *)at);
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

/* Whether an atomic access of a whole word follows only atomic ones, and was recorded. */
static bool check_atomic(const struct cdp_race_access *access, uint32_t segment)
{
    struct cdp_shadow_cell *cell = NULL;
    if (access->is_atomic && access->writes && access->size == CDP_SHADOW_WORD &&
        (uintptr_t)access->address % CDP_SHADOW_WORD == 0) {
        cell = cdp_line_cell(access->address);
    }
    if (cell == NULL || atomic_load_explicit(&cell->reads, memory_order_relaxed) != 0 ||
        !are_atomic(atomic_load_explicit(&cell->write, memory_order_relaxed), access)) {
        return false;
    }
    set_write(cell, record_of(access, segment, CDP_RECORD_ALL_BYTES), access);
    return true;
}

bool cdp_race_check(const struct cdp_race_access *access, struct cdp_race_conflict *out)
{
    uint32_t segment =
        access->block != NULL ? cdp_history_segment(access->block) : cdp_history_host_segment();
    if (check_atomic(access, segment)) {
        return false;
    }
    uintptr_t low = (uintptr_t)access->address, end = low + access->size;
    uintptr_t at = low & ~(uintptr_t)(CDP_SHADOW_WORD - 1);
    struct cdp_race_conflict conflict;
    bool races = false;
    while (at < end) {
        struct cdp_shadow_line line;
        uintptr_t next = (at | (CDP_SHADOW_LINE - 1)) + 1, stop = next < end ? next : end;
        bool is_line = at % CDP_SHADOW_LINE == 0 && end - at >= CDP_SHADOW_LINE &&
                       cdp_shadow_find((const void *)at, &line) && cdp_line_is_whole(&line);
        if ((!is_line ||
             !check_line(&line, record_of(access, segment, CDP_RECORD_ALL_BYTES), access)) &&
            check_words(access, segment, at, stop, races ? &conflict : out)) {
            races = true;
        }
        at = stop;
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
    cdp_wait_clear();
    cdp_release_clear();
    cdp_shadow_stop();
}

void cdp_race_settled(void)
{
    if (cdp_history_set_horizon()) {
        cdp_shadow_reset();
    }
    cdp_wait_clear();
    cdp_release_clear();
}
