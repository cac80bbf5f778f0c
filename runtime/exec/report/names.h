/* Names of variables on stacks and in shared memory, for reports of pointers to them.
 *
 * cdpcc lists local variables whose address escapes, with their places in the frames of their
 * functions (struct cdp_abi_local).  A report walks the stack that contains the address.  Code that
 * reports nothing has no cost.  AddressSanitizer has its own layout of frames, with a list of
 * variables in each frame. */
#ifndef CDP_EXEC_REPORT_NAMES_H
#define CDP_EXEC_REPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "exec/state/block.h"
#include "fiber/fiber.h"

/* Adds the lists of one program or library.  Lists that are already there are ignored. */
enum cdp_status cdp_names_add(const struct cdp_abi_module *module) CDP_MUST_CHECK;

/* Describes the variable at an address in the fiber's stack: "local variable 'x'", or "local
 * variable 'x' or local variable 'y'" if the two share a place.  False if it is not known: it is no
 * variable of the source, cdpcc has not compiled the function, or the fiber runs on another
 * worker. */
bool cdp_names_local(const struct cdp_fiber *fiber, const void *address, char *out, size_t size);

/* Describes the arrays on the stack of the function at pc: "local variable 'x' (16 bytes)", joined
 * by "or".  Empty if they are not known. */
void cdp_names_arrays(const void *pc, char *out, size_t size);

/* Describes an address in the block's shared memory: "shared variable 'x'" or "dynamic shared
 * memory". */
void cdp_names_shared(const struct cdp_block *block, const void *address, char *out, size_t size);

#endif
