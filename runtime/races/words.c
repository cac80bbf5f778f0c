/* Words with records of their own.
 *
 * Most of the words of a part have records of the same kind: old ones, or ones that contain the
 * accesses already. The loops that find that out have no branches. */
#include "races/words.h"

/* The accesses of a part's words. */
struct words {
    uint64_t first; /* record of the first word */
    uint64_t step;  /* from one word to the next one; what is below the thread's bits is cut off */
    unsigned sharing;  /* log2 of the lanes for one word */
    unsigned per_lane; /* log2 of the words for one lane */
};

static struct words words_of(const struct cdp_words_part *part, bool writes)
{
    enum cdp_line_form form = cdp_line_form(part->own);
    unsigned sharing = cdp_line_sharing(form), per_lane = form > CDP_LINE_ONE ? 0 : form;
    return (struct words){
        .first = cdp_line_word(part->own, 0, writes),
        .step = UINT64_C(1) << CDP_RECORD_THREAD_SHIFT << sharing >> per_lane,
        .sharing = sharing,
        .per_lane = per_lane,
    };
}

/* The record of a word, counted from the first one. */
static uint64_t own_of(const struct words *words, unsigned word)
{
    return words->first + (word * words->step & UINT64_MAX << CDP_RECORD_THREAD_SHIFT);
}

/* The lanes that access a word. */
static uint64_t lanes_of(const struct words *words, const struct cdp_words_part *part,
                         unsigned word)
{
    uint64_t lanes = (UINT64_C(1) << (1u << words->sharing)) - 1;
    return lanes << (part->lane + (word << words->sharing >> words->per_lane));
}

static uint64_t write_of(const struct cdp_shadow_cell *cell)
{
    return atomic_load_explicit(&cell->write, memory_order_relaxed);
}

static uint64_t reads_of(const struct cdp_shadow_cell *cell)
{
    return atomic_load_explicit(&cell->reads, memory_order_relaxed);
}

static void set_reads(struct cdp_shadow_cell *cell, uint64_t reads)
{
    atomic_store_explicit(&cell->reads, reads, memory_order_relaxed);
}

static void set_write(struct cdp_shadow_cell *cell, uint64_t own)
{
    atomic_store_explicit(&cell->reads, 0, memory_order_relaxed);
    atomic_store_explicit(&cell->write, own, memory_order_relaxed);
}

/* ---- One word ---- */

/* Whether the record is before the access of the thread that own describes. */
static bool is_past(const struct cdp_words_call *call, uint64_t record, uint64_t own)
{
    bool is_same_thread = cdp_record_thread(record) == cdp_record_thread(own) &&
                          cdp_record_set(record | own) == CDP_SET_THREAD;
    return cdp_words_is_past(call, record) ||
           (is_same_thread && cdp_words_seen(call, record) == CDP_SEEN_OWN);
}

/* The word's record of reads when own is added to old, of whose segment the block knows what. 0:
 * there is none for both. */
static uint64_t joined_reads(const struct cdp_words_call *call, enum cdp_history_seen what,
                             uint64_t old, uint64_t own)
{
    bool is_grid = cdp_record_set(old) == CDP_SET_GRID;
    what = is_grid ? cdp_order_of_grid(what) : what;
    bool is_past = cdp_order_is_before(what) ||
                   (what == CDP_SEEN_OWN && (cdp_record_segment(old) < call->epoch ||
                                             (cdp_record_thread(old) == cdp_record_thread(own) &&
                                              cdp_record_set(old | own) == CDP_SET_THREAD)));
    if (is_past) {
        return own;
    }
    if (what == CDP_SEEN_OTHER || cdp_record_bytes(old) != CDP_RECORD_ALL_BYTES) {
        return 0;
    }
    if (is_grid) { /* it stands for this read, too */
        return old;
    }
    enum cdp_order_set set = what == CDP_SEEN_GRID            ? CDP_SET_GRID
                             : cdp_record_same_warp(old, own) ? CDP_SET_WARP
                                                              : CDP_SET_BLOCK;
    return cdp_record_with_set(own, set);
}

/* Whether the recorded write is of this instruction, too, and stores the same value. Neither store
 * has been executed. Only lanes of this and earlier calls have a value. */
static bool stores_same(const struct cdp_words_call *call, uint64_t write, uint64_t own)
{
    const struct cdp_race_vector *vector = call->vector;
    uint32_t self = cdp_record_thread(own) - vector->first_thread;
    uint32_t other = cdp_record_thread(write) - vector->first_thread;
    uint32_t last =
        vector->thread - vector->first_thread + 63 - (uint32_t)__builtin_clzll(vector->lanes);
    bool is_of_vector = vector->writes && !vector->is_strict &&
                        cdp_record_segment(write) == call->segment &&
                        cdp_record_site(write) == vector->site && other <= last;
    return is_of_vector &&
           (vector->values == NULL || vector->values[other] == vector->values[self]);
}

bool cdp_words_record_one(const struct cdp_words_call *call, struct cdp_shadow_cell *cell,
                          uint64_t own)
{
    uint64_t reads = reads_of(cell), write = write_of(cell);
    if (!call->vector->writes && cdp_record_has_read(reads, own)) {
        return true;
    }
    if (write != 0 && !is_past(call, write, own) && !stores_same(call, write, own)) {
        return false;
    }
    if (!call->vector->writes) {
        uint64_t now =
            joined_reads(call, cdp_words_seen_segment(call, cdp_record_segment(reads)), reads, own);
        if (now != 0) {
            set_reads(cell, now);
        }
        return now != 0;
    }
    if (reads != 0 && !is_past(call, reads, own)) {
        return false;
    }
    set_write(cell, own);
    return true;
}

/* ---- Some words of a line ---- */

/* Whether the segments of all records are below the limit. */
static bool are_old(const struct cdp_words_call *call, const struct cdp_shadow_cell *cells,
                    unsigned count, bool writes)
{
    bool is_old = true;
    for (unsigned i = 0; i < count; i++) {
        uint64_t record = writes ? write_of(&cells[i]) : reads_of(&cells[i]);
        is_old &= cdp_record_segment(record) < call->limit;
    }
    return is_old;
}

bool cdp_words_are_past(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                        const struct cdp_words_part *part, bool writes)
{
    const struct cdp_shadow_cell *cells = &line->words[part->word];
    if (are_old(call, cells, part->count, writes)) {
        return true;
    }
    struct words words = words_of(part, writes);
    uint32_t known = 0; /* a segment that is past, but for accesses of several blocks */
    for (unsigned i = 0; i < part->count; i++) {
        uint64_t record = writes ? write_of(&cells[i]) : reads_of(&cells[i]);
        bool is_known =
            cdp_record_segment(record) == known && cdp_record_set(record) != CDP_SET_GRID;
        if (is_known || cdp_words_is_past(call, record)) {
            known = cdp_record_segment(record);
        } else if (words.sharing > 0 || !is_past(call, record, own_of(&words, i))) {
            return false;
        }
    }
    return true;
}

/* Whether the records contain the reads already, by their sets of threads. See
 * cdp_record_has_read. */
static bool have_reads(const struct cdp_shadow_cell *cells, const struct words *words,
                       unsigned count)
{
    const uint64_t same = (uint64_t)UINT32_MAX << CDP_RECORD_SEGMENT_SHIFT |
                          (uint64_t)CDP_RECORD_ALL_BYTES << CDP_RECORD_BYTES_SHIFT;
    const uint64_t warp = (uint64_t)(0x3ff & ~(CDP_HISTORY_LANES - 1)) << CDP_RECORD_THREAD_SHIFT;
    const uint64_t is_warp = (uint64_t)CDP_SET_WARP << CDP_RECORD_SET_SHIFT;
    uint64_t lacks = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t reads = reads_of(&cells[i]), differs = reads ^ own_of(words, i);
        /* all ones from CDP_SET_BLOCK on */
        uint64_t is_block = 0 - (reads >> (CDP_RECORD_SET_SHIFT + 1) & 1);
        lacks |= (differs & same) | (~is_block & ((differs & warp) | (~reads & is_warp)));
    }
    return lacks == 0;
}

/* In place of old records. A whole line needs but one. */
static void set_all_reads(const struct cdp_shadow_line *line, const struct cdp_words_part *part,
                          const struct words *words)
{
    if (part->count == CDP_SHADOW_WORDS) {
        atomic_store_explicit(&line->whole->reads, part->own, memory_order_relaxed);
        return;
    }
    for (unsigned i = 0; i < part->count; i++) {
        set_reads(&line->words[part->word + i], own_of(words, i));
    }
}

static uint64_t record_reads(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                             const struct cdp_words_part *part)
{
    struct cdp_shadow_cell *cells = &line->words[part->word];
    struct words words = words_of(part, false);
    uint64_t failed = 0;
    cdp_line_split_reads(line);
    if (are_old(call, cells, part->count, false)) {
        set_all_reads(line, part, &words);
        return 0;
    }
    if (have_reads(cells, &words, part->count)) {
        return 0;
    }
    uint32_t known = 0; /* the segment that what is about */
    enum cdp_history_seen what = CDP_SEEN_BEFORE;
    for (unsigned i = 0; i < part->count; i++) {
        uint64_t own = own_of(&words, i), old = reads_of(&cells[i]);
        if (cdp_record_segment(old) != known) {
            known = cdp_record_segment(old);
            what = cdp_words_seen_segment(call, known);
        }
        uint64_t now = joined_reads(call, what, old, own);
        bool is_kept = words.sharing > 0 && cdp_record_has_read(old, own);
        if (is_kept) {
            continue;
        }
        /* Of the threads that share a word, own is one. */
        if (now == 0 || (words.sharing > 0 && !cdp_words_is_past(call, old))) {
            failed |= lanes_of(&words, part, i);
        } else {
            set_reads(&cells[i], now);
        }
    }
    return failed;
}

static uint64_t record_writes(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                              const struct cdp_words_part *part)
{
    struct cdp_shadow_cell *cells = &line->words[part->word];
    struct words words = words_of(part, true);
    bool is_shared = words.sharing > 0;
    uint64_t failed = 0;
    cdp_line_split(line);
    bool is_old =
        are_old(call, cells, part->count, true) && are_old(call, cells, part->count, false);
    for (unsigned i = 0; i < part->count; i++) {
        uint64_t own = own_of(&words, i);
        bool is_for_all = is_old || (is_shared && cdp_words_is_past(call, write_of(&cells[i])) &&
                                     cdp_words_is_past(call, reads_of(&cells[i])));
        if (is_for_all) {
            set_write(&cells[i], own);
        } else if (is_shared || !cdp_words_record_one(call, &cells[i], own)) {
            failed |= lanes_of(&words, part, i);
        }
    }
    return failed;
}

/* Reads of words some of whose latest writes are not before them. */
static uint64_t record_each(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                            const struct cdp_words_part *part)
{
    struct words words = words_of(part, false);
    uint64_t failed = 0;
    cdp_line_split(line);
    for (unsigned i = 0; i < part->count; i++) {
        if (words.sharing > 0 ||
            !cdp_words_record_one(call, &line->words[part->word + i], own_of(&words, i))) {
            failed |= lanes_of(&words, part, i);
        }
    }
    return failed;
}

uint64_t cdp_words_record(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                          const struct cdp_words_part *part)
{
    if (call->vector->writes) {
        return record_writes(call, line, part);
    }
    uint64_t write = atomic_load_explicit(&line->whole->write, memory_order_acquire);
    bool is_after_writes = write == CDP_LINE_SPLIT ? cdp_words_are_past(call, line, part, true)
                                                   : write == 0 || cdp_words_is_past(call, write);
    return is_after_writes ? record_reads(call, line, part) : record_each(call, line, part);
}
