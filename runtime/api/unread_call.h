/* The latest error of each thread that the program did not read, for --check=api. */
#ifndef CDP_API_UNREAD_CALL_H
#define CDP_API_UNREAD_CALL_H

#include <stdbool.h>

#include "api/unread.h"

/* Whether the error is that of earlier device code. */
bool cdp_unread_is_sticky(cudaError_t error);
/* Keeps a launch that failed. */
void cdp_unread_keep_launch(const struct cdp_unread_launch *launch);
/* The calling thread reads its last error. */
void cdp_unread_drop(void);
/* At the end of the program: reports what remains. True if there is anything. */
bool cdp_unread_report(void);

#endif
