/* Keeps the lanes of a warp in step at volatile accesses. */
#ifndef CDPCC_SIMD_PREPARE_IN_STEP_H
#define CDPCC_SIMD_PREPARE_IN_STEP_H
struct lower_context;

/* Puts a mark in front of each volatile access of the module. */
void simd_mark_in_step(struct lower_context *lower);
/* Removes the marks. */
void simd_unmark_in_step(const struct lower_context *lower);

#endif
