/* A copy of a kernel's function for blocks of a known size, or for a transposed version; and a copy
 * of another function in the form of a kernel's. Also copies of some blocks of a function.
 *
 * The copy has the blocks and instructions of the original in the same order, so a value has the
 * same number in both.  Loads of the block's dimensions stay, but their uses have constants
 * instead.  Nothing is folded here: shape analysis and emission handle these constants like those
 * of the program.
 *
 * For a block of 256 threads:
 *
 *     %n = load i32, ptr %block + block_dim            the same, without uses
 *     %i = mul i32 %blockIdx, %n                ->     %i = mul i32 %blockIdx, 256
 *
 * Three passes over the blocks: create them, copy their instructions, and connect operands and
 * phis. The last one must come last, since a phi may use a value of a later block. */
#include "simd/ir/clone.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/ir/kernel.h"
#include "simd/ir/thread_fields.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>

/* The copy being made.  Lives as long as simd_clone_for_size(). */
struct cloning {
    struct lower_context *lower;
    const struct simd_size *size;
    bool is_transposed;
    LLVMValueRef function; /* the copy */
    LLVMBuilderRef builder;
    struct lower_map numbers; /* numbers of the original's values and blocks: indices of `copies` */
    LLVMValueRef *copies;     /* the copy's value or block for each number */
    size_t count;
};

/* Numbers are assigned in order, to values and to blocks. */
static void put(struct cloning *cloning, LLVMValueRef original, LLVMValueRef copy)
{
    lower_map_put(&cloning->numbers, original, (unsigned)cloning->count);
    LOWER_PUSH(cloning->copies, cloning->count, copy);
}

/* NULL: the copy has no other value for it, so the original is used. */
static LLVMValueRef find(const struct cloning *cloning, LLVMValueRef original)
{
    unsigned number;
    return lower_map_find(&cloning->numbers, original, &number) ? cloning->copies[number] : NULL;
}

/* The constant for a load of one of the block's dimensions or of its thread count.  NULL: it is
 * another instruction. */
static LLVMValueRef number_of(const struct cloning *cloning, LLVMValueRef at)
{
    const struct simd_size *size = cloning->size;
    const unsigned sizes[] = {size->x, size->y, size->z};
    LLVMTypeRef i32 = cloning->lower->types.i32;
    int field = simd_field(at), dimension = field - (int)offsetof(struct cdp_abi_block, block_dim);
    if (size->x == 0 || field < 0 || LLVMTypeOf(at) != i32) {
        return NULL;
    }
    if (dimension >= 0 && dimension < 12 && dimension % 4 == 0) {
        return LLVMConstInt(i32, sizes[dimension / 4], 0);
    }
    return field == offsetof(struct cdp_abi_block, thread_count)
               ? LLVMConstInt(i32, (uint64_t)size->x * size->y * size->z, 0)
               : NULL;
}

/* Creates the phi.  Its incoming values are added when all blocks have been copied. */
static LLVMValueRef clone_phi(struct cloning *cloning, LLVMValueRef phi)
{
    LLVMValueRef result = LLVMBuildPhi(cloning->builder, LLVMTypeOf(phi), "");
    LLVMInstructionSetDebugLoc(result, LLVMInstructionGetDebugLoc(phi));
    if (LLVMCanValueUseFastMathFlags(phi)) {
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(phi));
    }
    return result;
}

static void clone_block(struct cloning *cloning, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef result = LLVMValueAsBasicBlock(find(cloning, LLVMBasicBlockAsValue(block)));
    LLVMPositionBuilderAtEnd(cloning->builder, result);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        LLVMValueRef number = number_of(cloning, at), copy;
        if (LLVMIsAPHINode(at) != NULL) {
            copy = clone_phi(cloning, at);
        } else {
            LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
            copy = LLVMInstructionClone(at);
            LLVMInsertIntoBuilder(cloning->builder, copy);
            LLVMInstructionSetDebugLoc(copy, location);
            if (cloning->is_transposed) {
                simd_transpose(copy);
            }
        }
        put(cloning, at, number != NULL ? number : copy);
    }
}

static void connect_phi(const struct cloning *cloning, LLVMValueRef phi, LLVMValueRef copy)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i), other = find(cloning, value);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef block = find(cloning, LLVMBasicBlockAsValue(from));
        from = block == NULL ? from : LLVMValueAsBasicBlock(block);
        value = other == NULL ? value : other;
        LLVMAddIncoming(copy, &value, &from, 1);
    }
}

/* Replaces the operands that are values of the original by values of the copy. */
static void connect_block(const struct cloning *cloning, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef result = LLVMValueAsBasicBlock(find(cloning, LLVMBasicBlockAsValue(block)));
    LLVMValueRef copy = LLVMGetFirstInstruction(result);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at), copy = LLVMGetNextInstruction(copy)) {
        if (LLVMIsAPHINode(at) != NULL) {
            connect_phi(cloning, at, copy);
            continue;
        }
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
            LLVMValueRef other = find(cloning, LLVMGetOperand(at, i));
            if (other != NULL) {
                LLVMSetOperand(copy, i, other);
            }
        }
    }
}

/* Copies the original's blocks.  Its parameters have their copies already. */
static void clone_blocks(struct cloning *cloning, LLVMValueRef original)
{
    struct lower_context *lower = cloning->lower;
    cloning->builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMSetLinkage(cloning->function, LLVMInternalLinkage);
    lower_copy_null_accesses(lower, original, cloning->function);
    LLVMBasicBlockRef block;
    for (block = LLVMGetFirstBasicBlock(original); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMBasicBlockRef result =
            LLVMAppendBasicBlockInContext(lower->llvm, cloning->function, "");
        put(cloning, LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(result));
    }
    for (block = LLVMGetFirstBasicBlock(original); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        clone_block(cloning, block);
    }
    for (block = LLVMGetFirstBasicBlock(original); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        connect_block(cloning, block);
    }
    LLVMDisposeBuilder(cloning->builder);
}

struct simd_copies {
    struct cloning cloning;
};

struct simd_copies *simd_copy_blocks(struct lower_context *lower, const LLVMBasicBlockRef *blocks,
                                     unsigned count)
{
    static const struct simd_size any_size = {0};
    struct simd_copies *copies = arena_alloc(sizeof *copies);
    copies->cloning = (struct cloning){.lower = lower, .size = &any_size};
    copies->cloning.function = LLVMGetBasicBlockParent(blocks[0]);
    copies->cloning.builder = LLVMCreateBuilderInContext(lower->llvm);
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef copy =
            LLVMAppendBasicBlockInContext(lower->llvm, copies->cloning.function, "");
        put(&copies->cloning, LLVMBasicBlockAsValue(blocks[i]), LLVMBasicBlockAsValue(copy));
    }
    for (unsigned i = 0; i < count; i++) {
        clone_block(&copies->cloning, blocks[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        connect_block(&copies->cloning, blocks[i]);
    }
    LLVMDisposeBuilder(copies->cloning.builder);
    return copies;
}

LLVMValueRef simd_copy_of(const struct simd_copies *copies, LLVMValueRef value)
{
    LLVMValueRef copy = find(&copies->cloning, value);
    return copy == NULL ? value : copy;
}

LLVMValueRef simd_clone_for_size(const struct simd_kernel *kernel, const struct simd_size *size,
                                 bool is_transposed)
{
    struct lower_context *lower = kernel->lower;
    struct cloning cloning = {.lower = lower, .size = size, .is_transposed = is_transposed};
    LLVMValueRef original = kernel->function;
    cloning.function =
        LLVMAddFunction(lower->module, str_format("cdp.sized.%s", kernel->source->name),
                        LLVMGlobalGetValueType(original));
    for (unsigned i = 0; i < LLVMCountParams(original); i++) {
        put(&cloning, LLVMGetParam(original, i), LLVMGetParam(cloning.function, i));
    }
    clone_blocks(&cloning, original);
    return cloning.function;
}

/* Moves the instructions behind the call to another block. */
static void move_rest(LLVMBuilderRef builder, LLVMValueRef call, LLVMBasicBlockRef to)
{
    LLVMValueRef next;
    LLVMPositionBuilderAtEnd(builder, to);
    for (LLVMValueRef at = LLVMGetNextInstruction(call); at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
        LLVMInstructionRemoveFromParent(at);
        LLVMInsertIntoBuilder(builder, at);
        LLVMInstructionSetDebugLoc(at, location);
    }
}

/* Replaces the returns of the inlined body by branches to the block, and the call by what they
 * return. */
static void replace_returns(struct cloning *cloning, LLVMValueRef original, LLVMValueRef call,
                            LLVMBasicBlockRef after)
{
    LLVMBuilderRef b = cloning->builder;
    LLVMValueRef phi = NULL;
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(after));
        phi = LLVMBuildPhi(b, LLVMTypeOf(call), "");
        LLVMReplaceAllUsesWith(call, phi);
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(original); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMBasicBlockRef copy = LLVMValueAsBasicBlock(find(cloning, LLVMBasicBlockAsValue(block)));
        LLVMValueRef last = LLVMGetBasicBlockTerminator(copy);
        if (LLVMIsAReturnInst(last) == NULL) {
            continue;
        }
        LLVMValueRef value = phi == NULL ? NULL : LLVMGetOperand(last, 0);
        LLVMInstructionEraseFromParent(last);
        LLVMPositionBuilderAtEnd(b, copy);
        LLVMBuildBr(b, after);
        if (phi != NULL) {
            LLVMAddIncoming(phi, &value, &copy, 1);
        }
    }
}

/* The variables of the inlined body become those of the function. */
static void move_variables(struct cloning *cloning, LLVMBasicBlockRef from)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(cloning->function)), next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(from); at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        if (LLVMIsAAllocaInst(at) != NULL) {
            LLVMInstructionRemoveFromParent(at);
            LLVMPositionBuilderBefore(cloning->builder, first);
            LLVMInsertIntoBuilder(cloning->builder, at);
        }
    }
}

void simd_inline_into_block(struct lower_context *lower, LLVMValueRef call)
{
    static const struct simd_size any_size = {0};
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef original = lower_callee(call);
    struct cloning cloning = {
        .lower = lower, .size = &any_size, .function = LLVMGetBasicBlockParent(block)};
    for (unsigned i = 0; i < LLVMCountParams(original); i++) {
        put(&cloning, LLVMGetParam(original, i), LLVMGetArgOperand(call, i));
    }
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(lower->llvm, cloning.function, "");
    clone_blocks(&cloning, original);
    cloning.builder = LLVMCreateBuilderInContext(lower->llvm);
    move_rest(cloning.builder, call, after);
    replace_returns(&cloning, original, call, after);
    LLVMBasicBlockRef first = LLVMValueAsBasicBlock(
        find(&cloning, LLVMBasicBlockAsValue(LLVMGetEntryBasicBlock(original))));
    move_variables(&cloning, first);
    LLVMInstructionEraseFromParent(call);
    LLVMPositionBuilderAtEnd(cloning.builder, block);
    LLVMBuildBr(cloning.builder, first);
    LLVMDisposeBuilder(cloning.builder);
}

LLVMValueRef simd_clone_as_kernel(struct lower_context *lower, LLVMValueRef original)
{
    static const struct simd_size any_size = {0};
    struct cloning cloning = {.lower = lower, .size = &any_size};
    unsigned count = LLVMCountParams(original);
    LLVMTypeRef *types = arena_alloc((count + 1) * sizeof *types);
    LLVMTypeRef type = LLVMGlobalGetValueType(original);
    types[0] = lower->types.ptr;
    LLVMGetParamTypes(type, types + 1);
    cloning.function =
        LLVMAddFunction(lower->module, str_format("cdp.called.%s", lower_name(original)),
                        LLVMFunctionType(LLVMGetReturnType(type), types, count + 1, 0));
    for (unsigned i = 0; i < count; i++) {
        put(&cloning, LLVMGetParam(original, i), LLVMGetParam(cloning.function, i + 1));
    }
    clone_blocks(&cloning, original);
    return cloning.function;
}

LLVMValueRef simd_clone_as(struct lower_context *lower, LLVMValueRef original, const char *name,
                           LLVMTypeRef type)
{
    static const struct simd_size any_size = {0};
    struct cloning cloning = {.lower = lower, .size = &any_size};
    cloning.function = LLVMAddFunction(lower->module, name, type);
    for (unsigned i = 0; i < LLVMCountParams(original); i++) {
        put(&cloning, LLVMGetParam(original, i), LLVMGetParam(cloning.function, i));
    }
    clone_blocks(&cloning, original);
    return cloning.function;
}
