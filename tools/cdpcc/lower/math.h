/* cdpcc's own mathematical functions. */
#ifndef CDPCC_LOWER_MATH_H
#define CDPCC_LOWER_MATH_H
#include "ir/context.h"

/* Whether the function is one of cdpcc's mathematical functions, which keep to LLVM's rules for
 * shifts and conversions. False for guards of the C library's functions. */
bool lower_math_is_own(LLVMValueRef function);

#endif
