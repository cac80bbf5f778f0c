/* What a signal handler sees of the code it interrupted. */
#ifndef CDP_OS_CONTEXT_H
#define CDP_OS_CONTEXT_H

#include <stdbool.h>

/* The signals that an instruction raises which cannot be carried out, from <signal.h>. */
#if defined(__aarch64__)
#define CDP_OS_FAULT_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP /* of __builtin_trap() */
#else
#define CDP_OS_FAULT_SIGNALS SIGSEGV, SIGBUS, SIGFPE, SIGILL
#endif

/* How a return to an address from the stack, which is where no code is, shows itself. */
enum cdp_os_return { CDP_OS_NO_RETURN, CDP_OS_AT_RETURN, CDP_OS_RETURNED };

/* A signal handler's ucontext_t: where the thread was, and making the return from the
 * handler go to function(argument) instead, on the stack the thread had, as if called. */
void *cdp_os_context_pc(const void *context);
void *cdp_os_context_sp(const void *context);
/* Whether the access that faulted was to write; true where the system does not tell. */
bool cdp_os_context_writes(const void *context);
/* Whether the fault, at that address, is that of a return.  low, high: the thread's stack. */
enum cdp_os_return cdp_os_context_return(const void *context, const void *address, const char *low,
                                         const char *high);
/* A SIGTRAP after each instruction, or not; false where only the system may ask for it. */
bool cdp_os_context_step(void *context, bool step);
void cdp_os_context_go(void *context, void (*function)(void *argument), void *argument);

#endif
