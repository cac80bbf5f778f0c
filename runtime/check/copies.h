/* The check of initialization, for copies by the host. */
#ifndef CDP_CHECK_COPIES_H
#define CDP_CHECK_COPIES_H

#include "mem/copy.h"

/* Before a copy: reports it if nobody wrote any byte of what it copies, and the bits of its target
 * cannot tell later uses so (mem/written.h). site: the return address of the program's call. */
void cdp_check_copy(const struct cdp_copy *copy, const void *site);

#endif
