/* Shadow memory of the race check: for each 4 bytes of device memory the latest write and the
 * latest reads, 16 bytes.
 *
 * 16 words are a line. Threads mostly access whole lines, each its own word. Then one cell stands
 * for the line (races/line.h), and the words' own cells are not used.
 *
 * Large ranges (the heaps, all shared memory) reserve the addresses of their shadow at the start;
 * only what is accessed takes memory. Other memory (variables, registered memory of the host) gets
 * its shadow by pages at the first access. */
#ifndef CDP_RACES_SHADOW_H
#define CDP_RACES_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/options.h"

enum {
    CDP_SHADOW_WORD = 4,  /* bytes of memory for one cell */
    CDP_SHADOW_LINE = 64, /* bytes of memory for one line */
    CDP_SHADOW_WORDS = CDP_SHADOW_LINE / CDP_SHADOW_WORD,
};

/* Zero: never accessed. Workers write it without order: an update may be lost, never torn. */
struct cdp_shadow_cell {
    _Atomic uint64_t write, reads;
};

/* The shadow of a line. */
struct cdp_shadow_line {
    struct cdp_shadow_cell *whole; /* stands for all words, unless it is split */
    struct cdp_shadow_cell *words; /* CDP_SHADOW_WORDS; used if the line is split */
};

/* Memory whose shadow is at fixed addresses. */
struct cdp_shadow_range {
    uintptr_t low;
    size_t size;
    struct cdp_shadow_cell *words, *lines; /* owned by races/shadow.c */
};

/* Const while device code runs. */
/* Two heaps of each device, shared memory, and some more. */
enum { CDP_SHADOW_RANGES = 2 * CDP_MOST_DEVICES + 6 };
struct cdp_shadow_ranges {
    struct cdp_shadow_range range[CDP_SHADOW_RANGES];
    uint32_t count;
};
extern struct cdp_shadow_ranges cdp_shadow_ranges;

/* Adds a range before device code runs; both numbers are multiples of a line. False without address
 * space. */
bool cdp_shadow_add_range(const void *low, size_t size) CDP_MUST_CHECK;
bool cdp_shadow_find_in_page(uintptr_t address, struct cdp_shadow_line *out);
/* The line that contains the address. False if there is no memory for its page. */
static inline bool cdp_shadow_find(const void *address, struct cdp_shadow_line *out)
{
    for (uint32_t i = 0; i < cdp_shadow_ranges.count; i++) {
        const struct cdp_shadow_range *range = &cdp_shadow_ranges.range[i];
        uintptr_t offset = (uintptr_t)address - range->low;
        if (offset < range->size) {
            size_t line = offset / CDP_SHADOW_LINE;
            out->whole = &range->lines[line];
            out->words = &range->words[line * CDP_SHADOW_WORDS];
            return true;
        }
    }
    return cdp_shadow_find_in_page((uintptr_t)address, out);
}
/* Forgets what was recorded for the bytes. */
void cdp_shadow_clear(const void *low, size_t size);
/* Forgets everything. */
void cdp_shadow_reset(void);
void cdp_shadow_stop(void);

#endif
