/* The passes. A pass is one function of the table in driver/device.c. It returns nothing:
 * lower_error counts errors in the context, and the runner stops after a pass that reported any.
 *
 * What each pass finds or changes is described at the top of its file. A pass may rely on all
 * passes before it. It leaves valid IR; debug builds verify that after each pass. */
#ifndef CDPCC_LOWER_PASSES_H
#define CDPCC_LOWER_PASSES_H
#include "ir/context.h"

/* In the order of that table. The passes of ptx/, simd/ and backend/ are declared there. */
void lower_collect(struct lower_context *lower);
void lower_check(struct lower_context *lower);
void lower_generation(struct lower_context *lower);
void lower_pointers(struct lower_context *lower);
void lower_params(struct lower_context *lower);
void lower_front(struct lower_context *lower);
void lower_builtin(struct lower_context *lower);
void lower_dims(struct lower_context *lower);
void lower_print(struct lower_context *lower);
void lower_math(struct lower_context *lower);
void lower_float(struct lower_context *lower);
void lower_convert(struct lower_context *lower);
void lower_divide(struct lower_context *lower);
void lower_shift(struct lower_context *lower);
void lower_entry(struct lower_context *lower);
void lower_view(struct lower_context *lower);
void lower_warp(struct lower_context *lower);
void lower_shared(struct lower_context *lower);
void lower_symbol(struct lower_context *lower);
void lower_barriers(struct lower_context *lower);
void lower_table(struct lower_context *lower);
void lower_target(struct lower_context *lower);

#endif
