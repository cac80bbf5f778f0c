/* Launches by <<<>>> on the host that failed and whose error nobody has read.
 *
 * Such a launch returns nothing, so a program that never asks for the last error does not learn
 * that its kernel did not run.  At the end of the program it is told, as launches by device code
 * are when their block ends.  Faults are not among them: those are reported when they happen. */
#ifndef CDP_API_UNREAD_H
#define CDP_API_UNREAD_H

#include <stdbool.h>

#include "driver_types.h"

#include "abi/cdp_abi.h"
#include "api/check.h"

struct cdp_unread_launch {
    const struct cdp_abi_kernel *kernel; /* borrowed for ever; NULL: not known */
    struct cdp_shape shape;
    const void *site;
    cudaError_t error;
};

/* The calling thread's launch failed. */
void cdp_unread_add(const struct cdp_unread_launch *launch);
/* The calling thread reads its last error. */
void cdp_unread_clear(void);
/* At the end of the program: says what is left.  True if there is any. */
bool cdp_unread_tell(void);

#endif
