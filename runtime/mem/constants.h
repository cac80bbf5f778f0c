/* Constant variables: read-only for device code, whose stores there fault; copies from the
 * host, and only those, write them.
 *
 * While a copy is under way its pages are writable for everybody: there is one mapping, so
 * that debuggers, sanitizers and whoever holds an address see the same memory.  A wrong
 * store meanwhile goes unnoticed; nothing that is right ever faults. */
#ifndef CDP_MEM_CONSTANTS_H
#define CDP_MEM_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/status.h"

/* Makes the whole pages of [low, high) read-only, for as long as the module they belong to
 * is loaded.  Again for the same range, or for none (NULL): CDP_OK and nothing to do. */
enum cdp_status cdp_constants_add(char *low, char *high) CDP_MUST_CHECK;

/* Before and after a write to memory that begins at address: makes it writable if it is
 * constant.  What open returned is given to close. */
struct cdp_constants_range;
struct cdp_constants_range *cdp_constants_open(const void *address);
void cdp_constants_close(struct cdp_constants_range *range);

#endif
