/* Checks of invariants, in builds with CDP_DEBUG: `make MODE=debug`.
 *
 * A struct that several folders or threads use has a function cdp_<struct>_is_valid, which returns
 * whether its invariants hold.  CDP_CHECK_VALID aborts if they do not hold. In other builds it has
 * no cost. */
#ifndef CDP_BASE_VALID_H
#define CDP_BASE_VALID_H

#include <stdbool.h>

#ifdef CDP_DEBUG
#define CDP_CHECK_VALID(is_valid) cdp_check_valid((is_valid), #is_valid, __FILE__, __LINE__)
#else
#define CDP_CHECK_VALID(is_valid) ((void)sizeof(is_valid)) /* compiled, and never called */
#endif

/* Prints the condition that does not hold and its position, and aborts. */
void cdp_check_valid(bool is_valid, const char *what, const char *file, int line);

#endif
