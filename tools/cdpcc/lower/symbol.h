/* Names of device code. */
#ifndef CDPCC_LOWER_SYMBOL_H
#define CDPCC_LOWER_SYMBOL_H
#include "ir/context.h"

/* Whether an undefined function is the runtime's, the compiler's or
 * the C library's, and not device code of another unit. */
bool lower_symbol_is_kept(LLVMValueRef function);

#endif
