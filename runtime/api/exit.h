/* The end of the process, as far as it is the runtime's matter. */
#ifndef CDP_API_EXIT_H
#define CDP_API_EXIT_H

/* Once the runtime runs: at the program's end tells what is to be told, and with CDP_ERROR_EXIT
 * sees to the exit status.  Without memory for that it says so. */
void cdp_exit_prepare(void);

#endif
