/* A parameter that is a distance between accesses. */
#ifndef CDPCC_SIMD_IR_SYMBOLIC_STRIDE_H
#define CDPCC_SIMD_IR_SYMBOLIC_STRIDE_H
#include <llvm-c/Types.h>
#include <stdint.h>

/* A kernel's parameter, of an integer type. */
struct simd_symbolic_stride {
    uint64_t offset; /* among the parameters, bytes */
    LLVMTypeRef type;
};

#endif
