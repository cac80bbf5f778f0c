/* Signals that both the runtime and the program handle.
 *
 * The runtime needs the signals of faults in device code. It must keep them whenever the program
 * installs a handler. So it replaces the C library's sigaction, signal and similar functions. For a
 * signal that the runtime has taken, they set and return only the program's action. The program's
 * handler gets the signals that are not the runtime's. So the program sees the same behaviour as
 * without the runtime. */
#ifndef CDP_OS_SIGNALS_H
#define CDP_OS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* From now on handler runs for the signal, on the alternate stack if the thread has one, with all
 * signals blocked. The previous action becomes the program's action. */
void cdp_os_signal_take(int signal, void (*handler)(int signal, siginfo_t *info, void *context));

/* To be called in a handler: performs the program's action. It may not return, because the
 * program's handler may jump out. If the signal is a fault and the program has no handler, the
 * process ends when the instruction is executed again. */
void cdp_os_signal_pass(int signal, siginfo_t *info, void *context);

/* Whether other code can call the C library's functions directly instead of those here. This is so
 * if the runtime was loaded by dlopen. Then the runtime must install its actions again from time to
 * time. */
bool cdp_os_signals_are_open(void);
void cdp_os_signals_take_back(void);

/* Gives the calling thread an alternate signal stack of bytes at memory, unless it has one that is
 * large enough. True if the memory is used. */
bool cdp_os_signal_stack(void *memory, size_t bytes);

#endif
