/* Lines of the shadow memory. */
#include "races/line.h"

/* Another thread may record an access of the whole line meanwhile. Then the words get that one. */
static bool ends_split(_Atomic uint64_t *record, uint64_t whole)
{
    return atomic_compare_exchange_strong_explicit(record, &whole, CDP_LINE_SPLIT,
                                                   memory_order_release, memory_order_relaxed);
}

static _Atomic uint64_t *record_in(struct cdp_shadow_cell *cell, bool is_write)
{
    return is_write ? &cell->write : &cell->reads;
}

static void split(const struct cdp_shadow_line *line, bool is_write)
{
    _Atomic uint64_t *record = record_in(line->whole, is_write);
    uint64_t whole;
    do {
        whole = atomic_load_explicit(record, memory_order_acquire);
        if (whole == CDP_LINE_SPLIT) {
            return;
        }
        for (unsigned i = 0; i < CDP_SHADOW_WORDS; i++) {
            atomic_store_explicit(record_in(&line->words[i], is_write),
                                  cdp_line_word(whole, i, is_write), memory_order_relaxed);
        }
    } while (!ends_split(record, whole));
}

void cdp_line_split_reads(const struct cdp_shadow_line *line)
{
    split(line, false);
}

void cdp_line_split_both(const struct cdp_shadow_line *line)
{
    split(line, true);
    split(line, false);
}
