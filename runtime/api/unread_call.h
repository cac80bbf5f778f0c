/* The latest error of each thread that the program did not read, for --check=api. */
#ifndef CDP_API_UNREAD_CALL_H
#define CDP_API_UNREAD_CALL_H

#include <stdbool.h>

#include "api/unread.h"

/* Keeps a launch that failed. is_sticky: because of an earlier error. */
void cdp_unread_keep_launch(const struct cdp_unread_launch *launch, bool is_sticky);
/* The calling thread reads its last error. */
void cdp_unread_drop(void);
/* At the end of the program: reports what remains. True if there is anything. */
bool cdp_unread_report(void);

#endif
