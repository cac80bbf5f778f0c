/* Device output: printf of device code, buffered until the host synchronizes.
 *
 * The text of a call is not split, and calls stay in their order.  This order is consistent with
 * the launch tree: output before a launch is printed before the output of the child.  No output is
 * lost, unless the program has set cudaLimitPrintfFifoSize.  Then the oldest output is dropped, as
 * on a device. */
#ifndef CDP_EXEC_REPORT_PRINT_H
#define CDP_EXEC_REPORT_PRINT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/lock.h"

struct cdp_output;

void cdp_output_init(struct cdp_output *output);
void cdp_output_finish(struct cdp_output *output);
/* Writes the buffered text to stdout. */
void cdp_output_flush(struct cdp_output *output);

#endif
