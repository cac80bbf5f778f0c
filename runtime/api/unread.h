/* Launches by <<<>>> on the host that failed and whose error was never read.
 *
 * Such a launch returns nothing. So a program that never reads the last error does not notice that
 * its kernel did not run. The error is reported at the end of the program, as errors of launches by
 * device code are reported when their block ends. Faults are not listed here: they are reported
 * when they happen.
 *
 * With --check=api the same holds for calls whose results the program does not use: each is a
 * finding, once it is certain that the program has not read the error. That is when the thread's
 * next error replaces it, or when the thread or the program ends. */
#ifndef CDP_API_UNREAD_H
#define CDP_API_UNREAD_H

#include <stdbool.h>

#include "driver_types.h"

#include "abi/cdp_abi.h"
#include "api/check.h"

struct cdp_unread_launch {
    const struct cdp_abi_kernel *kernel; /* borrowed, never freed; NULL: unknown */
    struct cdp_shape shape;
    const void *site;
    cudaError_t error;
};

/* The calling thread's launch failed. With the check of calls it is treated as a call. Without it,
 * a launch that only an earlier fault prevents is not listed. */
void cdp_unread_add(const struct cdp_unread_launch *launch);
/* The calling thread reads its last error. */
void cdp_unread_clear(void);
/* At the end of the program: reports the remaining entries. True if there are any. */
bool cdp_unread_tell(void);

#endif
