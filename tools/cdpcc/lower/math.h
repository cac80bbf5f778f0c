/* cdpcc's own mathematical functions. */
#ifndef CDPCC_LOWER_MATH_H
#define CDPCC_LOWER_MATH_H
#include "ir/context.h"

/* Whether the function is one of cdpcc's mathematical functions. */
bool lower_math_is_own(LLVMValueRef function);

#endif
