/* The types that vectors hold. */
#ifndef CDPCC_SIMD_IR_ELEMENT_TYPE_H
#define CDPCC_SIMD_IR_ELEMENT_TYPE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* A pointer, a floating-point number or an integer of at most 64 bits. */
bool simd_is_element_type(LLVMTypeRef type);

#endif
