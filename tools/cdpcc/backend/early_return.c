/* Tells the runtime that the rest of a block's threads would return at once.
 *
 * Most kernels begin with a test of the thread's index, because a grid has whole blocks:
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i >= n) return;
 *
 * If a thread returns there, so do all threads after it.  Children of few elements in large blocks
 * would otherwise spend most of their time on calls of threads that return.  So the thread entry
 * stores CDP_THREADS_RETURN before this return, and the runtime starts no more threads of the
 * block.
 *
 * The test must be the end of the entry's first basic block, which has no effects.  One side of the
 * comparison is this index, or threadIdx.x.  The other side does not depend on the thread.  It may
 * be loaded from memory: the threads of a block could all load it at the same time. */
#include "backend/early_return.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stddef.h>

enum { MOST_STEPS = 16 };

static bool is_intrinsic(LLVMValueRef at, const char *name)
{
    LLVMValueRef callee = lower_callee(at);
    return callee != NULL && str_starts(lower_name(callee), name);
}

/* Whether the value is the address of the thread's context: a load of cdp_abi_self. */
static bool is_self(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) == NULL) {
        return false;
    }
    LLVMValueRef from = LLVMGetOperand(value, 0);
    if (is_intrinsic(from, "llvm.threadlocal.address")) {
        from = LLVMGetOperand(from, 0);
    }
    return LLVMIsAGlobalVariable(from) != NULL && str_equals(lower_name(from), "cdp_abi_self");
}

static bool is_block(LLVMValueRef value);

/* Whether the value is loaded from that offset of the thread's context or of its block. */
static bool is_field(LLVMValueRef value, bool (*base)(LLVMValueRef), size_t offset)
{
    if (LLVMIsALoadInst(value) == NULL || LLVMGetVolatile(value)) {
        return false;
    }
    size_t at = 0;
    LLVMValueRef address = LLVMGetOperand(value, 0);
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        LLVMValueRef index = LLVMGetOperand(address, 1);
        LLVMTypeRef element = LLVMGetGEPSourceElementType(address);
        bool is_bytes = LLVMGetNumOperands(address) == 2 &&
                        LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
                        LLVMGetIntTypeWidth(element) == 8;
        if (!is_bytes || LLVMIsAConstantInt(index) == NULL) {
            return false;
        }
        at += (size_t)LLVMConstIntGetZExtValue(index);
        address = LLVMGetOperand(address, 0);
    }
    return at == offset && base(address);
}

static bool is_block(LLVMValueRef value)
{
    return is_field(value, is_self, offsetof(struct cdp_abi_thread, block));
}

static bool is_thread_idx(LLVMValueRef value)
{
    return is_field(value, is_self, offsetof(struct cdp_abi_thread, thread_idx));
}

static bool is_binary(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == opcode;
}

/* blockIdx.x * blockDim.x */
static bool is_first_of_block(LLVMValueRef value)
{
    if (!is_binary(value, LLVMMul)) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    size_t idx = offsetof(struct cdp_abi_block, block_idx);
    size_t dim = offsetof(struct cdp_abi_block, block_dim);
    return (is_field(a, is_block, idx) && is_field(b, is_block, dim)) ||
           (is_field(a, is_block, dim) && is_field(b, is_block, idx));
}

/* threadIdx.x, or the thread's index in a grid of one dimension. */
static bool is_index(LLVMValueRef value)
{
    if (LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    if (is_thread_idx(value)) {
        return true;
    }
    if (!is_binary(value, LLVMAdd)) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    return (is_thread_idx(a) && is_first_of_block(b)) || (is_thread_idx(b) && is_first_of_block(a));
}

/* Whether the value is the same for all threads of a block in one row.  Of their contexts only the
 * pointer to the block is. */
static bool is_uniform(LLVMValueRef value, unsigned steps)
{
    if (LLVMIsAConstant(value) != NULL || LLVMIsAArgument(value) != NULL || is_block(value)) {
        return true;
    }
    bool is_known = LLVMIsALoadInst(value) != NULL || LLVMIsABinaryOperator(value) != NULL ||
                    LLVMIsACastInst(value) != NULL || LLVMIsAGetElementPtrInst(value) != NULL;
    if (!is_known || steps == 0 || is_self(value)) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_uniform(LLVMGetOperand(value, i), steps - 1)) {
            return false;
        }
    }
    return true;
}

/* Which successor threads take whose index is too high; -1: the branch is no such test. */
static int edge_of_high(LLVMValueRef branch)
{
    LLVMValueRef test = LLVMGetCondition(branch);
    if (LLVMIsAICmpInst(test) == NULL) {
        return -1;
    }
    LLVMValueRef left = LLVMGetOperand(test, 0), right = LLVMGetOperand(test, 1);
    bool is_left = is_index(left) && is_uniform(right, MOST_STEPS);
    if (!is_left && !(is_index(right) && is_uniform(left, MOST_STEPS))) {
        return -1;
    }
    switch ((int)LLVMGetICmpPredicate(test)) {
    case LLVMIntUGE:
    case LLVMIntUGT:
    case LLVMIntSGE:
    case LLVMIntSGT:
        return is_left ? 0 : 1;
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
        return is_left ? 1 : 0;
    default:
        return -1;
    }
}

static bool has_effect(LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL) {
        return LLVMGetVolatile(at) || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic;
    }
    return LLVMIsABinaryOperator(at) == NULL && LLVMIsACastInst(at) == NULL &&
           LLVMIsAGetElementPtrInst(at) == NULL && LLVMIsAICmpInst(at) == NULL &&
           LLVMIsAAllocaInst(at) == NULL && !is_intrinsic(at, "llvm.threadlocal.address");
}

static bool only_returns(LLVMBasicBlockRef block)
{
    return LLVMIsAReturnInst(LLVMGetFirstInstruction(block)) != NULL;
}

/* The thread's context in the block; NULL: it is not used there, or the block has effects. */
static LLVMValueRef self_without_effects(LLVMBasicBlockRef block)
{
    LLVMValueRef self = NULL, end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != end;
         at = LLVMGetNextInstruction(at)) {
        if (has_effect(at)) {
            return NULL;
        }
        self = is_self(at) ? at : self;
    }
    return self;
}

static void store_before_return(LLVMValueRef function, LLVMValueRef branch, unsigned edge,
                                LLVMValueRef self)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(llvm, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(llvm);
    LLVMPositionBuilderAtEnd(b, block);
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(llvm),
                                       offsetof(struct cdp_abi_thread, launch_failed), 0);
    LLVMValueRef to = LLVMBuildGEP2(b, LLVMInt8TypeInContext(llvm), self, &offset, 1, "");
    LLVMBuildStore(b, LLVMConstInt(LLVMInt32TypeInContext(llvm), CDP_THREADS_RETURN, 0), to);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    LLVMSetSuccessor(branch, edge, block);
}

static void change(LLVMValueRef function)
{
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(first);
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return;
    }
    int edge = edge_of_high(branch);
    LLVMValueRef self = self_without_effects(first);
    if (edge >= 0 && self != NULL && only_returns(LLVMGetSuccessor(branch, (unsigned)edge)) &&
        !only_returns(LLVMGetSuccessor(branch, 1 - (unsigned)edge))) {
        store_before_return(function, branch, (unsigned)edge, self);
    }
}

void lower_early_return(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && str_starts(lower_name(f), "cdp.thread.")) {
            change(f);
        }
    }
}
