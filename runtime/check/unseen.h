/* Writes that no check sees, because they are in code without checks: a library such as MPI that
 * gets device pointers, or an object of another compiler. */
#ifndef CDP_CHECK_UNSEEN_H
#define CDP_CHECK_UNSEEN_H

#include <stddef.h>

#include "base/attr.h"

/* Before a report of unwritten memory of a heap. If the bytes, or unwritten bytes beside them, no
 * longer hold what the heap fills fresh memory with, then unseen code wrote there. All of these
 * bytes then count as written. */
CDP_COLD void cdp_check_find_unseen_writes(const void *address, size_t size);

#endif
