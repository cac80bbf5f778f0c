/* LLVM's stack protectors in device code: see backend/canary.c. */
#ifndef CDPCC_LOWER_CANARY_H
#define CDPCC_LOWER_CANARY_H
#include <llvm-c/Types.h>
#include <stdbool.h>

enum lower_canaries {
    LOWER_CANARIES_NONE,       /* but where the front end was told to */
    LOWER_CANARIES_OF_KERNELS, /* entries that have arrays */
    LOWER_CANARIES_STRONG,     /* all functions that have arrays or hand on addresses of locals */
};

/* After the optimizer: what it leaves on the stack counts. */
void lower_canary(LLVMModuleRef module, enum lower_canaries which);

/* Whether the function may have one. */
bool lower_canary_guards(LLVMValueRef function);

/* Whether a slot is, or has, an array. */
bool lower_canary_is_array(LLVMValueRef slot);

#endif
