/* Lines of the shadow memory. */
#include "races/line.h"

/* Another thread may record an access of the whole line meanwhile. Then the words get that one. */
static bool ends_split(_Atomic uint64_t *record, uint64_t whole)
{
    return atomic_compare_exchange_strong_explicit(record, &whole, CDP_LINE_SPLIT,
                                                   memory_order_release, memory_order_relaxed);
}

static void split_writes(const struct cdp_shadow_line *line)
{
    uint64_t whole;
    do {
        whole = atomic_load_explicit(&line->whole->write, memory_order_acquire);
        if (whole == CDP_LINE_SPLIT) {
            return;
        }
        for (unsigned i = 0; i < CDP_SHADOW_WORDS; i++) {
            atomic_store_explicit(&line->words[i].write, cdp_line_word(whole, i, true),
                                  memory_order_relaxed);
        }
    } while (!ends_split(&line->whole->write, whole));
}

void cdp_line_split_reads(const struct cdp_shadow_line *line)
{
    uint64_t whole;
    do {
        whole = atomic_load_explicit(&line->whole->reads, memory_order_acquire);
        if (whole == CDP_LINE_SPLIT) {
            return;
        }
        for (unsigned i = 0; i < CDP_SHADOW_WORDS; i++) {
            atomic_store_explicit(&line->words[i].reads, cdp_line_word(whole, i, false),
                                  memory_order_relaxed);
        }
    } while (!ends_split(&line->whole->reads, whole));
}

void cdp_line_split_both(const struct cdp_shadow_line *line)
{
    split_writes(line);
    cdp_line_split_reads(line);
}
