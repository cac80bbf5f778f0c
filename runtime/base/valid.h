/* Checks of what must always hold, in builds with CDP_DEBUG: `make MODE=debug`.
 *
 * A struct that several rooms or threads touch has a function cdp_<struct>_is_valid, which tells
 * whether its invariants hold.  CDP_CHECK_VALID aborts where they do not; in other builds it
 * costs nothing. */
#ifndef CDP_BASE_VALID_H
#define CDP_BASE_VALID_H

#include <stdbool.h>

#ifdef CDP_DEBUG
#define CDP_CHECK_VALID(is_valid) cdp_check_valid((is_valid), #is_valid, __FILE__, __LINE__)
#else
#define CDP_CHECK_VALID(is_valid) ((void)sizeof(is_valid)) /* compiled, and never called */
#endif

/* Says what does not hold, and where, and aborts. */
void cdp_check_valid(bool is_valid, const char *what, const char *file, int line);

#endif
