/* A launch of a small grid as a test and a call of the function that runs the child's threads. */
#ifndef CDPCC_SIMD_PREPARE_SERIAL_LAUNCH_H
#define CDPCC_SIMD_PREPARE_SERIAL_LAUNCH_H
#include "simd/prepare/launch_form.h"
#include "simd/prepare/serial_child.h"

/* Where each argument of the child comes from, and behind them each pointer in its parameters.  In
 * the arena.  NULL: of one of them it is not known. */
struct simd_passed_value *simd_find_passed(struct lower_context *lower,
                                           const struct simd_serial_child *child,
                                           const struct simd_launch_form *form);
/* Changes the launch by the parent.  passed: from simd_find_passed(). */
void simd_serialize_launch(struct lower_context *lower, const struct lower_kernel *parent,
                           const struct simd_serial_child *child,
                           const struct simd_launch_form *form,
                           const struct simd_passed_value *passed);

#endif
