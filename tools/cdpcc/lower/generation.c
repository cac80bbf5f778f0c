/* Finds the generation of dynamic parallelism that a unit needs.
 *
 * --cdp=auto is the union of both, which no toolkit of NVIDIA's supports. If a unit waits for
 * children as in the first generation and names a stream of the second, there is one warning, with
 * both lines. Generations are per unit, so another unit may use the other one.
 *
 * Source that gets the warning:
 *
 *     child<<<1, 32>>>(p);
 *     cudaDeviceSynchronize();                          // first generation
 *     child<<<1, 32, 0, cudaStreamTailLaunch>>>(p);     // second generation
 *
 * The pass runs on unoptimized code, where a named stream is a constant operand of a call, a store
 * or a similar instruction. It changes no code. Both findings remain in the context. */
#include "ir/report.h"
#include "ir/value.h"
#include "lower/passes.h"

#include <string.h>

/* The streams are special addresses; NULL for other values.
 *
 * The numbers are those of the headers of compat/, and of CUDA. */
static const char *stream_name(LLVMValueRef value)
{
    bool is_address = LLVMIsAConstantExpr(value) != NULL &&
                      LLVMGetConstOpcode(value) == LLVMIntToPtr &&
                      LLVMIsAConstantInt(LLVMGetOperand(value, 0)) != NULL;
    if (!is_address) {
        return NULL;
    }
    switch (LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0))) {
    case 3:
        return "cudaStreamTailLaunch";
    case 4:
        return "cudaStreamFireAndForget";
    default:
        return NULL;
    }
}

/* Whether an instruction's result is one of its operands, unchanged. */
static bool hands_on(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL || LLVMIsAInvokeInst(at) != NULL ||
           LLVMIsAStoreInst(at) != NULL || LLVMIsASelectInst(at) != NULL ||
           LLVMIsAPHINode(at) != NULL || LLVMIsAReturnInst(at) != NULL;
}

/* The stream of the second generation among an instruction's operands, or NULL. */
static const char *stream_given(LLVMValueRef at)
{
    const char *name = NULL;
    for (unsigned i = 0; hands_on(at) && name == NULL && i < (unsigned)LLVMGetNumOperands(at);
         i++) {
        name = stream_name(LLVMGetOperand(at, i));
    }
    return name;
}

/* The first instruction of each kind is enough for the warning. */
static void note_needs(struct lower_context *lower, LLVMValueRef at)
{
    LLVMValueRef callee = lower_callee(at);
    if (lower->generations.first == NULL && callee != NULL &&
        strcmp(lower_name(callee), "cudaDeviceSynchronize") == 0) {
        lower->generations.first = at;
    }
    if (lower->generations.second == NULL && stream_given(at) != NULL) {
        lower->generations.second = at;
    }
}

/* Only in --cdp=auto, which accepts both. */
void lower_generation(struct lower_context *lower)
{
    if (lower->options->mode != CDP_MODE_AUTO) {
        return;
    }
    lower_each_instruction(lower, note_needs);
    if (lower->generations.first == NULL || lower->generations.second == NULL) {
        return;
    }
    const char *stream = stream_given(lower->generations.second);
    struct lower_place wait = lower_place_of(lower->generations.first);
    struct lower_place naming = lower_place_of(lower->generations.second);
    if (lower_warning(lower, WARNING_GENERATION, &wait,
                      "no CUDA toolkit accepts both cudaDeviceSynchronize in device code, which "
                      "-arch=sm_90 and later refuse, and %s",
                      stream)) {
        lower_note(lower, &naming, "%s, which -arch below sm_50 and --cdp=1 refuse, is here",
                   stream);
    }
}
