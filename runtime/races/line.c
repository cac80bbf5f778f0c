/* Lines of the shadow memory. */
#include "races/line.h"

static void split_writes(const struct cdp_shadow_line *line)
{
    uint64_t whole = atomic_load_explicit(&line->whole->write, memory_order_acquire);
    if (whole == CDP_LINE_SPLIT) {
        return;
    }
    for (unsigned i = 0; i < CDP_SHADOW_WORDS; i++) {
        atomic_store_explicit(&line->words[i].write, cdp_line_word(whole, i, true),
                              memory_order_relaxed);
    }
    atomic_store_explicit(&line->whole->write, CDP_LINE_SPLIT, memory_order_release);
}

void cdp_line_split_reads(const struct cdp_shadow_line *line)
{
    uint64_t whole = atomic_load_explicit(&line->whole->reads, memory_order_acquire);
    if (whole == CDP_LINE_SPLIT) {
        return;
    }
    for (unsigned i = 0; i < CDP_SHADOW_WORDS; i++) {
        atomic_store_explicit(&line->words[i].reads, cdp_line_word(whole, i, false),
                              memory_order_relaxed);
    }
    atomic_store_explicit(&line->whole->reads, CDP_LINE_SPLIT, memory_order_release);
}

void cdp_line_split_both(const struct cdp_shadow_line *line)
{
    split_writes(line);
    cdp_line_split_reads(line);
}
