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

/* How a return to an address without code is detected. The address was read from the stack. */
enum cdp_os_return { CDP_OS_NO_RETURN, CDP_OS_AT_RETURN, CDP_OS_RETURNED };

/* These functions read and change the ucontext_t of a signal handler. The first returns the program
 * counter of the interrupted thread. The second makes the handler return to function(argument), as
 * if called, on the thread's stack. */
void *cdp_os_context_pc(const void *context);
void *cdp_os_context_sp(const void *context);
/* Whether the faulting access was a write; true if the system does not report it. */
bool cdp_os_context_writes(const void *context);
/* Whether the fault at that address comes from a return. low, high: the thread's stack. */
enum cdp_os_return cdp_os_context_return(const void *context, const void *address, const char *low,
                                         const char *high);
/* An address in the instruction that called the address where the fault is, if no code is there;
 * else NULL. low, high: the thread's stack. */
const void *cdp_os_context_caller(const void *context, const void *address, const char *low,
                                  const char *high);
/* Whether the byte is the last one of an instruction that calls a function by its address. If such
 * a call fails, what is left on the stack may look like a return to the same address. Not for
 * signal handlers. */
bool cdp_os_is_end_of_call(const void *byte);
/* Turns single-stepping on or off: a SIGTRAP after each instruction. False if only the system may
 * do that. */
bool cdp_os_context_step(void *context, bool step);
void cdp_os_context_go(void *context, void (*function)(void *argument), void *argument);

#endif
