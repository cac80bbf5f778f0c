/* Translates inline PTX to code: a pass of the table in driver/device.c. */
#ifndef CDPCC_PTX_PASS_H
#define CDPCC_PTX_PASS_H

struct lower_context;
void lower_ptx(struct lower_context *lower);

#endif
