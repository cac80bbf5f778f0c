/* Lines of the shadow memory: 16 words with one cell, or with a cell for each word.
 *
 * The cell of a whole line has records like those of words, but for two fields: thread is that of
 * the first word, and in place of the bytes there is an enum cdp_line_form, which says how the
 * threads of the words follow. A line that was never accessed is whole. */
#ifndef CDP_RACES_LINE_H
#define CDP_RACES_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "races/record.h"
#include "races/shadow.h"

/* Word i is accessed by thread + (i >> form). */
enum cdp_line_form {
    CDP_LINE_WORDS = 0,
    CDP_LINE_PAIRS = 1,
    CDP_LINE_QUADS = 2,
    CDP_LINE_ONE = 7, /* one thread accesses the line, as copies do */
};

/* In place of a record: the words have records of their own. It is no record, since segments are
 * not 0. Writes and reads are split independently. */
#define CDP_LINE_SPLIT UINT64_C(1)

static inline bool cdp_line_is_whole(const struct cdp_shadow_line *line)
{
    /* Acquire pairs with the release of a split: the words' records. */
    return atomic_load_explicit(&line->whole->write, memory_order_acquire) != CDP_LINE_SPLIT &&
           atomic_load_explicit(&line->whole->reads, memory_order_acquire) != CDP_LINE_SPLIT;
}

/* The record of a whole line, from that of its first word. */
static inline uint64_t cdp_line_record(uint64_t first, enum cdp_line_form form)
{
    return (first & ~((uint64_t)CDP_RECORD_ALL_BYTES << CDP_RECORD_BYTES_SHIFT)) |
           (uint64_t)form << CDP_RECORD_BYTES_SHIFT;
}

/* The record of one word of a whole line. */
static inline uint64_t cdp_line_word(uint64_t whole, unsigned word)
{
    if (whole == 0) {
        return 0;
    }
    uint64_t thread = word >> cdp_record_bytes(whole);
    return (whole | (uint64_t)CDP_RECORD_ALL_BYTES << CDP_RECORD_BYTES_SHIFT) +
           (thread << CDP_RECORD_THREAD_SHIFT);
}

/* Gives each word its own record of reads. */
void cdp_line_split_reads(const struct cdp_shadow_line *line);
/* Lets one cell stand for the line. */
static inline void cdp_line_set(const struct cdp_shadow_line *line, uint64_t write, uint64_t reads)
{
    atomic_store_explicit(&line->whole->reads, reads, memory_order_relaxed);
    atomic_store_explicit(&line->whole->write, write, memory_order_relaxed);
}

/* The cell of the word that contains the address, in a line that is split; NULL if there is no
 * memory for its page. */
struct cdp_shadow_cell *cdp_line_cell(const void *address);

#endif
