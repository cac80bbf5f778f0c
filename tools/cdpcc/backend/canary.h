/* LLVM's stack protectors in device code: see backend/canary.c. */
#ifndef CDPCC_LOWER_CANARY_H
#define CDPCC_LOWER_CANARY_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Which functions get a protector. With AddressSanitizer none, because it finds overruns itself;
 * for debugging and with --check the strong kind; else those of kernels. */
enum lower_canaries {
    LOWER_CANARIES_NONE,       /* only if the front end was told so */
    LOWER_CANARIES_OF_KERNELS, /* entries that have arrays */
    LOWER_CANARIES_STRONG,     /* all functions that have arrays or pass on addresses of locals */
};

/* Adds the attribute "sspstrong" to the functions that need a protector. To be called after the
 * optimizer: what remains on the stack counts. */
void lower_canary(LLVMModuleRef module, enum lower_canaries which);

/* Whether the function may have a stack protector: it has one of the attributes for it. */
bool lower_canary_guards(LLVMValueRef function);

/* Whether a slot is, or has, an array. */
bool lower_canary_is_array(LLVMValueRef slot);

#endif
