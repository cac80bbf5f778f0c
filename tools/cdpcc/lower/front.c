/* Removes assumptions of the front end about the source that do not hold in device code.
 *
 * - A bool in memory may be any byte: cudaMemset fills arrays of them. Clang assumes that it is 0
 *   or 1 and reads its lowest bit; nvcc compares it with 0.
 * - The same memory may be read as int and as float: nvcc uses no type-based alias analysis. Only
 *   the information which copies are assignments of classes is kept, for --check.
 * - abs of the least number, and the leading and trailing zeros of 0, are poison in Clang's code. A
 *   GPU's instructions define them, and so do LLVM's with the right flag.
 * - Constant expressions that have no value in C++ are poison. The few that defer.c does not find
 *   (the least number divided by -1) are 0 here, because the optimizer would remove everything that
 *   depends on them.
 *
 * Before and after, for a bool in memory:
 *
 *     %byte = load i8, ptr %p, !range !{i8 0, i8 2}      %byte = load i8, ptr %p
 *     %set = trunc nuw i8 %byte to i1                    %set = icmp ne i8 %byte, 0
 *
 * This is the first pass that changes the program's instructions. The passes before it only look
 * and report, and the runner does not start this pass after an error. All later passes, and the
 * optimizer, can assume that the code means what it means on a GPU in these points. */
#include "ir/value.h"
#include "lower/defer.h"
#include "lower/passes.h"
#include "support/str.h"

#include <string.h>

static unsigned kind_of(struct lower_context *lower, const char *name)
{
    return LLVMGetMDKindIDInContext(lower->llvm, name, (unsigned)strlen(name));
}

/* A copy with "tbaa.struct" is an assignment of a class. --check needs that word (an assignment
 * has the class's alignment), but no type. So it becomes "cdp.assignment". */
static void forget_types(struct lower_context *lower, LLVMValueRef access)
{
    unsigned copied = kind_of(lower, "tbaa.struct");
    if (LLVMGetMetadata(access, copied) != NULL) {
        LLVMSetMetadata(access, copied, NULL);
        LLVMValueRef empty =
            LLVMMetadataAsValue(lower->llvm, LLVMMDNodeInContext2(lower->llvm, NULL, 0));
        LLVMSetMetadata(access, kind_of(lower, "cdp.assignment"), empty);
    }
    LLVMSetMetadata(access, kind_of(lower, "tbaa"), NULL);
}

/* A range on the load of a byte would let the optimizer restore the assumption. */
static void forget_range(struct lower_context *lower, LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) != NULL) {
        LLVMSetMetadata(value, kind_of(lower, "range"), NULL);
    }
}

static void read_bool(struct lower_context *lower, LLVMValueRef trunc)
{
    LLVMValueRef byte = LLVMGetOperand(trunc, 0);
    if (LLVMTypeOf(trunc) != lower->types.i1 || LLVMTypeOf(byte) != lower->types.i8) {
        return;
    }
    forget_range(lower, byte);
    LLVMBuilderRef builder = lower_builder_before(lower, trunc);
    LLVMValueRef is_set =
        LLVMBuildICmp(builder, LLVMIntNE, byte, LLVMConstNull(lower->types.i8), "");
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(trunc, is_set);
    LLVMInstructionEraseFromParent(trunc);
}

/* Poison becomes zero. */
static void define_constants(LLVMValueRef instruction)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        if (LLVMIsPoison(operand)) {
            LLVMSetOperand(instruction, i, LLVMConstNull(LLVMTypeOf(operand)));
        }
    }
}

/* The last operand of these intrinsics decides whether one number gives poison. */
static void define_intrinsic(struct lower_context *lower, LLVMValueRef call)
{
    static const char *const names[] = {"llvm.abs.", "llvm.ctlz.", "llvm.cttz.", NULL};
    LLVMValueRef callee = lower_callee(call);
    if (callee != NULL && str_starts_any(lower_name(callee), names)) {
        LLVMSetOperand(call, 1, LLVMConstNull(lower->types.i1));
    }
}

/* Deletes at most its own instruction, as lower_each_instruction demands. */
static void define(struct lower_context *lower, LLVMValueRef instruction)
{
    if (defer_is_poisoned(instruction)) {
        define_constants(instruction);
    }
    define_intrinsic(lower, instruction);
    forget_types(lower, instruction);
    if (LLVMGetInstructionOpcode(instruction) == LLVMTrunc) {
        read_bool(lower, instruction);
    }
}

void lower_front(struct lower_context *lower)
{
    lower_each_instruction(lower, define);
}
