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

/* Up to CDP_LINE_ONE, word i is accessed by thread + (i >> form). */
enum cdp_line_form {
    CDP_LINE_WORDS = 0,
    CDP_LINE_PAIRS = 1,
    CDP_LINE_QUADS = 2,
    CDP_LINE_ONE = 7,    /* one thread accesses the line, as copies do */
    CDP_LINE_HALVES = 8, /* two bytes by each thread */
    CDP_LINE_BYTES = 9,
};

/* What a thread accesses, of consecutive ones: 1, 2, 4, 8 or 16 bytes. */
static inline enum cdp_line_form cdp_line_form_of(uint64_t size)
{
    return size == 1   ? CDP_LINE_BYTES
           : size == 2 ? CDP_LINE_HALVES
                       : (enum cdp_line_form)__builtin_ctzll(size / CDP_SHADOW_WORD);
}

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

static inline enum cdp_line_form cdp_line_form(uint64_t whole)
{
    return (enum cdp_line_form)cdp_record_bytes(whole);
}

/* How many threads access one word: log2. */
static inline unsigned cdp_line_sharing(enum cdp_line_form form)
{
    return form > CDP_LINE_ONE ? form - CDP_LINE_ONE : 0;
}

/* The number of the last word's last thread, from that of the first. */
static inline uint32_t cdp_line_last(enum cdp_line_form form)
{
    return form > CDP_LINE_ONE ? ((uint32_t)CDP_SHADOW_WORDS << cdp_line_sharing(form)) - 1
                               : ((uint32_t)CDP_SHADOW_WORDS - 1) >> form;
}

/* The record of one word of a whole line. If several threads access the word, a record can only
 * describe one: the last one of a write, and the first one of a read. */
static inline uint64_t cdp_line_word(uint64_t whole, unsigned word, bool is_write)
{
    if (whole == 0) {
        return 0;
    }
    enum cdp_line_form form = cdp_line_form(whole);
    unsigned sharing = cdp_line_sharing(form);
    bool is_part = sharing > 0 && cdp_record_set(whole) == CDP_SET_THREAD;
    uint64_t thread = sharing > 0 ? (uint64_t)word << sharing : word >> form;
    uint64_t bytes = CDP_RECORD_ALL_BYTES;
    if (is_part) {
        unsigned size = CDP_SHADOW_WORD >> sharing, last = (1u << sharing) - 1;
        bytes = ((UINT64_C(1) << size) - 1) << (is_write ? CDP_SHADOW_WORD - size : 0);
        thread += is_write ? last : 0;
    }
    whole &= ~((uint64_t)CDP_RECORD_ALL_BYTES << CDP_RECORD_BYTES_SHIFT);
    return (whole | bytes << CDP_RECORD_BYTES_SHIFT) + (thread << CDP_RECORD_THREAD_SHIFT);
}

/* Gives each word its own record of reads. */
void cdp_line_split_reads(const struct cdp_shadow_line *line);
/* Lets one cell stand for the line. */
static inline void cdp_line_set(const struct cdp_shadow_line *line, uint64_t write, uint64_t reads)
{
    atomic_store_explicit(&line->whole->reads, reads, memory_order_relaxed);
    atomic_store_explicit(&line->whole->write, write, memory_order_relaxed);
}

/* Replaces one of the two records of a whole line, unless another thread has changed it. */
static inline bool cdp_line_replace(_Atomic uint64_t *record, uint64_t old, uint64_t own)
{
    return atomic_compare_exchange_strong_explicit(record, &old, own, memory_order_relaxed,
                                                   memory_order_relaxed);
}

void cdp_line_split_both(const struct cdp_shadow_line *line);
static inline void cdp_line_split(const struct cdp_shadow_line *line)
{
    if (atomic_load_explicit(&line->whole->write, memory_order_acquire) != CDP_LINE_SPLIT ||
        atomic_load_explicit(&line->whole->reads, memory_order_acquire) != CDP_LINE_SPLIT) {
        cdp_line_split_both(line);
    }
}

/* The cell of the word that contains the address, in a line that is split; NULL if there is no
 * memory for its page. */
static inline struct cdp_shadow_cell *cdp_line_cell(const void *address)
{
    struct cdp_shadow_line line;
    if (!cdp_shadow_find(address, &line)) {
        return NULL;
    }
    cdp_line_split(&line);
    return &line.words[(uintptr_t)address % CDP_SHADOW_LINE / CDP_SHADOW_WORD];
}

#endif
