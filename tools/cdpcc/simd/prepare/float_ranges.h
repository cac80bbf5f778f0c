/* Conversions of floating point to integers whose value surely fits. */
#ifndef CDPCC_SIMD_PREPARE_FLOAT_RANGES_H
#define CDPCC_SIMD_PREPARE_FLOAT_RANGES_H

struct lower_context;

/* Makes saturating conversions of the module plain ones where the value's range is known to fit. */
void simd_drop_saturation(struct lower_context *lower);

#endif
