/* The runtime's actions at the end of the process. */
#ifndef CDP_API_EXIT_H
#define CDP_API_EXIT_H

/* To be called once the runtime runs. At the program's end it prints reports and, with
 * CDP_ERROR_EXIT, changes the exit status. If there is no memory for that, it prints a message. */
void cdp_exit_prepare(void);

#endif
