/* Checks of invariants, in builds with CDP_DEBUG: `make MODE=debug`.
 *
 * A struct that several modules or threads use has a function cdp_<struct>_is_valid, which returns
 * whether its invariants hold.  CDP_CHECK_VALID aborts if they do not hold.  In other builds it has
 * no cost.
 *
 * A check of every element of a list would make each operation on a long list slow, and the
 * program's time quadratic.  CDP_CHECK_VALID_SAMPLE leaves out some of these checks, so that an
 * operation looks at a constant number of elements on average. */
#ifndef CDP_BASE_VALID_H
#define CDP_BASE_VALID_H

#include <stdbool.h>
#include <stddef.h>

#ifdef CDP_DEBUG
#define CDP_CHECK_VALID(is_valid) cdp_check_valid((is_valid), #is_valid, __FILE__, __LINE__)
#define CDP_CHECK_VALID_SAMPLE(elements, is_valid)                                                 \
    CDP_CHECK_VALID(!cdp_check_is_due(elements) || (is_valid))
#else
#define CDP_CHECK_VALID(is_valid) ((void)sizeof(is_valid)) /* compiled, and never called */
#define CDP_CHECK_VALID_SAMPLE(elements, is_valid) ((void)sizeof(elements), (void)sizeof(is_valid))
#endif

/* True: a check of this many elements is to be made.  It always is if they are few.  Otherwise it
 * depends on how many elements this thread's earlier checks have looked at. */
bool cdp_check_is_due(size_t elements);

/* Prints the condition that does not hold and its position, and aborts. */
void cdp_check_valid(bool is_valid, const char *what, const char *file, int line);

#endif
