/* Shadow memory of the race check: for each 4 bytes of device memory the latest write and the
 * latest reads, 16 bytes.
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

enum { CDP_SHADOW_WORD = 4 }; /* bytes of memory for one cell */

/* Zero: never accessed. Workers write it without order: an update may be lost, never torn. */
struct cdp_shadow_cell {
    _Atomic uint64_t write, reads;
};

/* Adds a range before device code runs. False without address space. */
bool cdp_shadow_add_range(const void *low, size_t size) CDP_MUST_CHECK;
/* The cell of the word that contains the address; NULL if there is no memory for its page. The
 * cells of a page of 4 KiB are contiguous. */
struct cdp_shadow_cell *cdp_shadow_find(const void *address);
/* Forgets what was recorded for the bytes. */
void cdp_shadow_clear(const void *low, size_t size);
/* Forgets everything. */
void cdp_shadow_reset(void);
void cdp_shadow_stop(void);

#endif
