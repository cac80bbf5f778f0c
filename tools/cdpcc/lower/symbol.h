/* Names of device code. */
#ifndef CDPCC_LOWER_SYMBOL_H
#define CDPCC_LOWER_SYMBOL_H
#include "ir/context.h"

/* Whether an undefined function belongs to the runtime, the compiler or the C library, and not to
 * device code of another unit. By the names before the pass "symbol". */
bool lower_symbol_is_kept(LLVMValueRef function);

#endif
