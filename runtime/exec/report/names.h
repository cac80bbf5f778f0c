/* Names of variables on stacks and in shared memory, for reports of pointers to them.
 *
 * cdpcc lists local variables whose address goes somewhere, with their places in the frames
 * of their functions (struct cdp_abi_local).  A report walks the stack that an address lies
 * in; code that reports nothing pays nothing.  AddressSanitizer, which lays frames out
 * itself, keeps a list of its own in each frame. */
#ifndef CDP_EXEC_REPORT_NAMES_H
#define CDP_EXEC_REPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "exec/state/block.h"
#include "fiber/fiber.h"

/* The lists of one program or library; repeats are dropped. */
enum cdp_status cdp_names_add(const struct cdp_abi_module *module) CDP_MUST_CHECK;

/* What lies at an address in the fiber's stack: "local variable 'x'", or "local variable 'x'
 * or local variable 'y'" where the two share a place.  False if it is not known: nothing of
 * the source's, a function that was not compiled by cdpcc, or the fiber is another worker's
 * and runs. */
bool cdp_names_local(const struct cdp_fiber *fiber, const void *address, char *out, size_t size);

/* What the function at pc has on its stack that could be overrun: "local variable 'x' (16 bytes)",
 * joined by "or"; empty if that is not known. */
void cdp_names_arrays(const void *pc, char *out, size_t size);

/* What lies at an address in the block's shared memory: "shared variable 'x'", "dynamic
 * shared memory". */
void cdp_names_shared(const struct cdp_block *block, const void *address, char *out, size_t size);

#endif
