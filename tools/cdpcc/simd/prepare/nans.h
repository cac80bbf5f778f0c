/* The NaN that inline PTX gives to its results (ptx/float.c). */
#ifndef CDPCC_SIMD_PREPARE_NANS_H
#define CDPCC_SIMD_PREPARE_NANS_H
#include "ir/context.h"

/* The operand of a test whether a value is a NaN, or of its opposite; NULL if it is no such test.
 */
LLVMValueRef simd_tested_for_nan(LLVMValueRef value);
/* x of a select that gives another NaN if x is one; else the value. */
LLVMValueRef simd_without_nan(LLVMValueRef value);
/* Erases what is not used any more: a value, and what gave it its NaN. */
void simd_erase_unused(LLVMValueRef value);

/* Removes the replacements of NaNs that no result of the module needs. */
void simd_drop_nans(struct lower_context *lower);

#endif
