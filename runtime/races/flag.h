/* Flags that host code sets by a plain store, and device code polls: a release by the host. */
#ifndef CDP_RACES_FLAG_H
#define CDP_RACES_FLAG_H

#include <stdint.h>

struct cdp_history_block;

/* The thread of the block has read the address atomically: acquires what was released there, also
 * by the host if the latest store is its own. */
void cdp_flag_read(const void *address, struct cdp_history_block *block, uint32_t thread);

/* An operation of a host's stream has read the address: notes what the host has released there, if
 * the latest store is the host's. */
void cdp_flag_acquired(const void *address);

/* The thread writes the word atomically, and this record of the latest write is replaced: notes
 * what the host has released, if the store was the host's. */
void cdp_flag_replaced(const void *address, uint64_t write, struct cdp_history_block *block,
                       uint32_t thread);

#endif
