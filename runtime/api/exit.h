/* The runtime's actions at the end of the process. */
#ifndef CDP_API_EXIT_H
#define CDP_API_EXIT_H

/* To be called once the runtime runs; later calls do nothing. At the program's end the runtime then
 * prints reports and, with CDP_ERROR_EXIT or CDP_CHECK_EXIT, changes the exit status. If there is
 * no memory for that, it prints a message.
 *
 * Checked programs call it before any constructor runs. So the reports come after the destructors
 * of global objects, which may free memory. */
void cdp_exit_prepare(void);

/* To be called once a process has a range of NVTX, which may be all that it has: what it recorded
 * is written at its end even if the runtime never starts. */
void cdp_exit_prepare_ranges(void);

#endif
