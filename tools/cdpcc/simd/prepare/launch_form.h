/* A launch by device code, as Clang writes it, and the values that it passes. */
#ifndef CDPCC_SIMD_PREPARE_LAUNCH_FORM_H
#define CDPCC_SIMD_PREPARE_LAUNCH_FORM_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;

/* A launch of the usual form:
 *
 *     from:   buffer = cdp_abi_cudaGetParameterBuffer(...)
 *             test = buffer == NULL
 *             branch on test to another block, or to `to`
 *     to:     what computes the configuration and the parameters, and stores these to the buffer
 *             launch = cdp_abi_cudaLaunchDevice(kernel, buffer, ...)
 *
 * Nothing else happens in between. */
struct simd_launch_form {
    LLVMValueRef buffer, test, launch;
    LLVMBasicBlockRef from, to; /* `to` has no other predecessor */
};
/* False: it has another form. */
bool simd_find_launch_form(struct lower_context *lower, LLVMValueRef launch,
                           struct simd_launch_form *form);
/* Whether the instruction of `to`, before the launch, is one that fills the buffer.  All others may
 * move to the end of `from`, in their order. */
bool simd_stays_with_launch(struct lower_context *lower, const struct simd_launch_form *form,
                            LLVMValueRef at);

/* Where the value of a parameter comes from. */
struct simd_passed_value {
    LLVMValueRef by; /* the store, copy or fill with zeros that writes it to the buffer */
    uint64_t skip;   /* bytes that the instruction writes before the value */
};
/* Of size bytes at that offset of the buffer, as a value of that type.  False: it is not known. */
bool simd_find_passed_value(struct lower_context *lower, const struct simd_launch_form *form,
                            uint64_t offset, LLVMTypeRef type, struct simd_passed_value *found);

#endif
