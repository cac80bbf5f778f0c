/* Launches of small grids become loops. */
#ifndef CDPCC_SIMD_SERIALIZE_H
#define CDPCC_SIMD_SERIALIZE_H

struct lower_context;
struct simd_launches;

/* Changes the thread entries of the kernels that launch such grids.  They must be prepared. */
void simd_serialize_launches(struct lower_context *lower, const struct simd_launches *launches);
/* The functions that the loops became are inlined from now on.  Called after the last entry was
 * emitted. */
void simd_inline_serial_children(struct lower_context *lower);

#endif
