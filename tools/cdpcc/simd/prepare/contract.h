/* Contraction of products and sums into one operation. */
#ifndef CDPCC_SIMD_PREPARE_CONTRACT_H
#define CDPCC_SIMD_PREPARE_CONTRACT_H
struct lower_context;

/* Contracts products and sums of the module, in the same way for all entries. */
void simd_contract(struct lower_context *lower);

#endif
