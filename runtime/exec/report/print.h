/* Device output: printf of device code, kept until the host synchronizes.
 *
 * Calls are kept whole and in the order they were made, which is an order of the
 * launch tree: what happened before a launch is printed before what the child says.
 * Nothing is lost, unless the program itself set cudaLimitPrintfFifoSize: then the
 * oldest calls give way, as on a device. */
#ifndef CDP_EXEC_REPORT_PRINT_H
#define CDP_EXEC_REPORT_PRINT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/lock.h"

struct cdp_output;

void cdp_output_init(struct cdp_output *output);
void cdp_output_finish(struct cdp_output *output);
/* Writes what there is to stdout. */
void cdp_output_flush(struct cdp_output *output);

#endif
