/* Flags of host code. */
#include "races/flag.h"

#include "races/history.h"
#include "races/line.h"
#include "races/record.h"
#include "races/release.h"

/* The record of the latest write of the word; 0: none. */
static uint64_t latest_write(const void *address)
{
    struct cdp_shadow_line line;
    if (!cdp_shadow_find(address, &line)) {
        return 0;
    }
    /* Acquire pairs with the release of a split: the words' records. */
    uint64_t whole = atomic_load_explicit(&line.whole->write, memory_order_acquire);
    unsigned word = (uintptr_t)address % CDP_SHADOW_LINE / CDP_SHADOW_WORD;
    return whole != CDP_LINE_SPLIT
               ? cdp_line_word(whole, word, true)
               : atomic_load_explicit(&line.words[word].write, memory_order_relaxed);
}

void cdp_flag_replaced(const void *address, uint64_t write, struct cdp_history_block *block,
                       uint32_t thread)
{
    struct cdp_order_access access = cdp_record_access(write);
    struct cdp_history_segment segment;
    /* What is before the block anyway, as the flag's first value, needs no release. */
    if (access.segment >= cdp_history_horizon() &&
        cdp_history_find_segment(access.segment, &segment) && segment.launch == 0 &&
        cdp_order_of(&access, block, thread) != CDP_ORDERED) {
        cdp_release_host_wrote(address, access.segment);
    }
}

void cdp_flag_acquired(const void *address)
{
    uint64_t write = latest_write(address);
    struct cdp_order_access access = cdp_record_access(write);
    struct cdp_history_segment segment;
    if (write != 0 && access.segment >= cdp_history_horizon() &&
        cdp_history_find_segment(access.segment, &segment) && segment.launch == 0) {
        cdp_release_host_wrote(address, access.segment);
    }
}

void cdp_flag_read(const void *address, struct cdp_history_block *block, uint32_t thread)
{
    uint64_t write = latest_write(address);
    if (write != 0) {
        cdp_flag_replaced(address, write, block, thread);
    }
    cdp_release_read(address, block, thread);
}
