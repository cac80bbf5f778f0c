/* Constant variables are read-only for device code: a store there faults. Only copies by the host
 * write them.
 *
 * During a copy the pages are writable for everybody. There is only one mapping, so debuggers,
 * sanitizers and all code that has an address see the same memory. A wrong store during a copy goes
 * unnoticed. A correct store never faults. */
#ifndef CDP_MEM_CONSTANTS_H
#define CDP_MEM_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/status.h"

/* Makes the whole pages of [low, high) read-only, as long as the module that they belong to is
 * loaded. For a known range, or an empty one (NULL), it does nothing and returns CDP_OK. */
enum cdp_status cdp_constants_add(char *low, char *high) CDP_MUST_CHECK;

/* To be called before and after a write to memory that starts at address. open makes the memory
 * writable if it is constant. Its result is passed to close. */
struct cdp_constants_range;
struct cdp_constants_range *cdp_constants_open(const void *address);
void cdp_constants_close(struct cdp_constants_range *range);

#endif
