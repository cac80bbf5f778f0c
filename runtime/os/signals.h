/* Signals that both the runtime and the program handle.
 *
 * The runtime needs the signals of faults for device code's, and must keep them whatever the
 * program installs and whenever.  So it stands in for the C library's sigaction, signal and their
 * kin: for a signal that it has taken they set and tell the program's action only, which gets what
 * is not the runtime's.  What the program sees is as without the runtime. */
#ifndef CDP_OS_SIGNALS_H
#define CDP_OS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Runs handler for the signal from now on, on the alternate stack if the thread has one, with all
 * signals blocked.  The action until now becomes the program's. */
void cdp_os_signal_take(int signal, void (*handler)(int signal, siginfo_t *info, void *context));

/* In a handler: does what the program wants done.  May not return: the program may jump out.  If
 * the signal is a fault and the program has no handler, the process ends once the
 * instruction is carried out again. */
void cdp_os_signal_pass(int signal, siginfo_t *info, void *context);

/* Whether others can reach the C library's functions past those here: where the runtime came into
 * the process by dlopen.  Then actions are to be taken back now and then. */
bool cdp_os_signals_are_open(void);
void cdp_os_signals_take_back(void);

/* Gives the calling thread an alternate signal stack of bytes at memory, unless it has one that is
 * large enough: true if the memory is used. */
bool cdp_os_signal_stack(void *memory, size_t bytes);

#endif
