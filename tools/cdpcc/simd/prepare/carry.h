/* Removes stores of inline PTX's carry (ptx/carry.c) that no one reads. */
#ifndef CDPCC_SIMD_PREPARE_CARRY_H
#define CDPCC_SIMD_PREPARE_CARRY_H

struct lower_context;

/* The carry is a variable only between the asms of one kernel. If the optimizer has replaced all
 * loads of a kernel by values, its stores have no effect; they are deleted, since the lanes of a
 * block entry would need one variable each. A kernel that still loads it is refused later. */
void simd_drop_carries(struct lower_context *lower);

#endif
