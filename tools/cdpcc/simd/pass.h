/* The vectorizer: a pass of the table in driver/device.c. */
#ifndef CDPCC_SIMD_PASS_H
#define CDPCC_SIMD_PASS_H

struct lower_context;
void lower_blocks(struct lower_context *lower);

#endif
