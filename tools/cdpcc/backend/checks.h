/* The instrumentation of --check, as a pass of the table in driver/device.c. */
#ifndef CDPCC_BACKEND_CHECKS_H
#define CDPCC_BACKEND_CHECKS_H

struct lower_context;
/* Emits the requested tests. Optimizes the module between the two rounds: instrument/instrument.h.
 */
void lower_checks(struct lower_context *lower);

#endif
