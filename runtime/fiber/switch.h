/* The context switch, one file of assembly per architecture.
 *
 * A suspended fiber is its stack pointer: the callee-saved registers and the
 * address to go on at lie on its stack.  The floating-point environment is not
 * saved: device code has no way to change it. */
#ifndef CDP_FIBER_SWITCH_H
#define CDP_FIBER_SWITCH_H

#include "base/attr.h"

/* Suspends the caller: stores its stack pointer in *save and goes on where load
 * was suspended.  Returns when somebody loads *save. */
void cdp_switch(void **save, void *load);

/* Goes on where load was suspended and forgets the caller. */
CDP_NORETURN void cdp_switch_to(void *load);

/* Lays out a fresh stack ending at top (16-byte aligned) so that the first switch
 * to the returned pointer calls function(argument).  The function never returns. */
void *cdp_switch_prepare(void *top, void (*function)(void *argument), void *argument);

/* The first instruction of every fiber; named here for unwinders only. */
void cdp_fiber_entry(void);

#endif
