/* Nontemporal stores, after the optimizer.
 *
 * It knows nothing of them, and sees no branches: which stores may be nontemporal is said by
 * metadata (emit/nontemporal.c).  Here, stores that follow each other become two paths: past the
 * caches if the grid is large and their addresses are aligned, or as they were.  A fence after the
 * last block of a call orders them before all that follows. */
#include "simd/post/nontemporal.h"

#include "ir/value.h"
#include "simd/ir/instructions.h"
#include "simd/post/shared_memory.h"
#include "abi/cdp_abi.h"

#include <string.h>

enum { LINE = 64, LEAST_ROW = 16, MOST_AT_ONCE = 4 };

static unsigned number_of(LLVMContextRef llvm, const char *name)
{
    return LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name));
}

/* A number of the block's that stays. */
static LLVMValueRef load_word(LLVMBuilderRef b, LLVMValueRef block, size_t offset)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(block));
    LLVMTypeRef i8 = LLVMInt8TypeInContext(llvm), i64 = LLVMInt64TypeInContext(llvm);
    LLVMValueRef by = LLVMConstInt(i64, offset, 0);
    LLVMValueRef at = LLVMBuildGEP2(b, i8, block, &by, 1, "");
    LLVMValueRef loaded = LLVMBuildLoad2(b, LLVMInt32TypeInContext(llvm), at, "");
    return LLVMBuildZExt(b, loaded, i64, "");
}

LLVMValueRef simd_build_nontemporal(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef block,
                                    uint64_t thread_bytes)
{
    enum { GRID = offsetof(struct cdp_abi_block, grid_dim) };
    static const size_t factors[] = {offsetof(struct cdp_abi_block, thread_count), GRID, GRID + 4,
                                     GRID + 8};
    static const char name[] = "cdp_abi_stream_bytes";
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef least = LLVMGetNamedGlobal(module, name);
    if (least == NULL) {
        least = LLVMAddGlobal(module, i64, name);
    }
    LLVMValueRef bytes = LLVMConstInt(i64, thread_bytes, 0);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        bytes = LLVMBuildMul(b, bytes, load_word(b, block, factors[i]), "");
    }
    least = LLVMBuildLoad2(b, i64, least, "");
    return LLVMBuildICmp(b, LLVMIntUGE, bytes, least, "streams");
}

void simd_build_nontemporal_fence(LLVMModuleRef module, LLVMBuilderRef b)
{
    static const char name[] = "llvm.x86.sse.sfence";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef fence = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(fence), fence, NULL, 0, "");
}

/* ---- after the optimizer ---- */

struct split {
    LLVMModuleRef module;
    LLVMContextRef llvm;
    LLVMTargetDataRef layout;
    LLVMValueRef function;
    LLVMBuilderRef builder;
    unsigned stream, nontemporal; /* numbers of these words */
    uint64_t thread_bytes;
    LLVMValueRef is_large; /* i1 at the function's start; NULL: not made yet */
};

/* Stores that nothing else that touches memory is between. */
struct group {
    LLVMValueRef *stores; /* count of them */
    size_t count;
    unsigned align; /* that all rows must have */
};

/* 0: no row of a vector's registers. */
static unsigned align_of_row(const struct split *split, LLVMValueRef store)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    uint64_t bytes = LLVMStoreSizeOfType(split->layout, type);
    bool is_row = LLVMGetTypeKind(type) == LLVMVectorTypeKind && bytes >= LEAST_ROW &&
                  (bytes & (bytes - 1)) == 0;
    return !is_row ? 0 : bytes < LINE ? (unsigned)bytes : LINE;
}

static bool touches_memory(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    return LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
           (LLVMIsACallInst(at) != NULL && (callee == NULL || !shared_is_free_of_memory(callee)));
}

/* From the instruction on, which follows the last group; *at is then what follows this one. */
static struct group next_group(const struct split *split, LLVMValueRef *at)
{
    struct group group = {0};
    for (; *at != NULL && group.count < MOST_AT_ONCE; *at = LLVMGetNextInstruction(*at)) {
        bool is_marked =
            LLVMIsAStoreInst(*at) != NULL && LLVMGetMetadata(*at, split->stream) != NULL;
        unsigned align = is_marked ? align_of_row(split, *at) : 0;
        if (align != 0) {
            LOWER_PUSH(group.stores, group.count, *at);
            group.align = align > group.align ? align : group.align;
        } else if (group.count != 0 && touches_memory(*at)) {
            break;
        }
    }
    return group;
}

static LLVMValueRef number(const struct split *split, uint64_t value)
{
    return LLVMConstInt(LLVMInt64TypeInContext(split->llvm), value, 0);
}

/* i1: all rows begin where their lines do.  Of rows that lie whole lines apart, one is asked. */
static LLVMValueRef test_group(const struct split *split, const struct group *group)
{
    LLVMBuilderRef b = split->builder;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(split->llvm);
    LLVMValueRef bits = number(split, 0), last = NULL;
    int64_t last_offset = 0;
    for (size_t i = 0; i < group->count; i++) {
        int64_t offset;
        LLVMValueRef base = simd_without_constants(LLVMGetOperand(group->stores[i], 1), &offset);
        offset &= group->align - 1;
        if (base == last && offset == last_offset) {
            continue;
        }
        LLVMValueRef at = LLVMBuildPtrToInt(b, base, i64, "");
        at = offset == 0 ? at : LLVMBuildAdd(b, at, number(split, (uint64_t)offset), "");
        bits = LLVMBuildOr(b, bits, at, "");
        last = base;
        last_offset = offset;
    }
    bits = LLVMBuildAnd(b, bits, number(split, group->align - 1), "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntEQ, bits, number(split, 0), "");
    return LLVMBuildAnd(b, split->is_large, fits, "");
}

static void move_to(const struct split *split, LLVMValueRef at, LLVMBasicBlockRef block)
{
    LLVMInstructionRemoveFromParent(at);
    LLVMPositionBuilderAtEnd(split->builder, block);
    LLVMInsertIntoBuilder(split->builder, at);
}

/* What the group needs, and all that touches memory; the rest stays behind it, as its values would
 * fill registers meanwhile. */
static bool is_needed(const struct lower_map *needed, LLVMValueRef at)
{
    unsigned number;
    if (LLVMIsAPHINode(at) != NULL || LLVMIsAAllocaInst(at) != NULL || touches_memory(at)) {
        return true;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
        if (lower_map_find(needed, LLVMGetUser(use), &number)) {
            return true;
        }
    }
    return false;
}

/* Before the last of the group, others than its stores. */
static struct lower_map find_needed(const struct split *split, const struct group *group)
{
    struct lower_map needed = {0};
    lower_map_put(&needed, split->is_large, 1);
    for (size_t i = 0; i < group->count; i++) {
        lower_map_put(&needed, group->stores[i], 0);
    }
    LLVMValueRef at = group->stores[group->count - 1];
    while ((at = LLVMGetPreviousInstruction(at)) != NULL) {
        if (is_needed(&needed, at)) {
            lower_map_put(&needed, at, 1);
        }
    }
    return needed;
}

/* Who comes to `from` comes to `to` instead. */
static void redirect(const struct split *split, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(split->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        unsigned count = end == NULL ? 0 : LLVMGetNumSuccessors(end);
        for (unsigned i = 0; i < count; i++) {
            if (LLVMGetSuccessor(end, i) == from) {
                LLVMSetSuccessor(end, i, to);
            }
        }
    }
}

static void store_past(const struct split *split, LLVMValueRef store, LLVMBasicBlockRef past)
{
    LLVMValueRef one = LLVMConstInt(LLVMInt32TypeInContext(split->llvm), 1, 0);
    LLVMMetadataRef as_metadata = LLVMValueAsMetadata(one);
    LLVMValueRef result = LLVMInstructionClone(store);
    LLVMPositionBuilderAtEnd(split->builder, past);
    LLVMInsertIntoBuilder(split->builder, result);
    LLVMSetAlignment(result, align_of_row(split, store));
    LLVMSetMetadata(result, split->stream, NULL);
    LLVMSetMetadata(
        result, split->nontemporal,
        LLVMMetadataAsValue(split->llvm, LLVMMDNodeInContext2(split->llvm, &as_metadata, 1)));
}

/* What is behind the group stays in the block, so those that follow need no other word; what is
 * before it moves to a new one. */
static void split_at(const struct split *split, const struct group *group)
{
    LLVMBasicBlockRef tail = LLVMGetInstructionParent(group->stores[0]);
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(split->llvm, tail, "");
    LLVMBasicBlockRef past = LLVMInsertBasicBlockInContext(split->llvm, tail, "past");
    LLVMBasicBlockRef usual = LLVMInsertBasicBlockInContext(split->llvm, tail, "usual");
    LLVMValueRef last = group->stores[group->count - 1], next;
    const struct lower_map needed = find_needed(split, group);
    redirect(split, tail, head);
    for (LLVMValueRef at = LLVMGetFirstInstruction(tail); at != last; at = next) {
        unsigned is_other;
        next = LLVMGetNextInstruction(at);
        if (lower_map_find(&needed, at, &is_other) && is_other) {
            move_to(split, at, head);
        }
    }
    LLVMPositionBuilderAtEnd(split->builder, head);
    LLVMBuildCondBr(split->builder, test_group(split, group), past, usual);
    for (size_t i = 0; i < group->count; i++) {
        store_past(split, group->stores[i], past);
        move_to(split, group->stores[i], usual);
    }
    LLVMPositionBuilderAtEnd(split->builder, past);
    LLVMBuildBr(split->builder, tail);
    LLVMPositionBuilderAtEnd(split->builder, usual);
    LLVMBuildBr(split->builder, tail);
}

/* Of whom runs, as the function may have lost what parameters the optimizer saw no use of. */
static LLVMValueRef load_block(const struct split *split)
{
    LLVMBuilderRef b = split->builder;
    LLVMTypeRef ptr = LLVMPointerTypeInContext(split->llvm, 0);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(split->llvm);
    LLVMValueRef by = number(split, offsetof(struct cdp_abi_thread, block));
    LLVMValueRef self = LLVMBuildLoad2(b, ptr, lower_self_variable(split->module), "");
    return LLVMBuildLoad2(b, ptr, LLVMBuildGEP2(b, i8, self, &by, 1, ""), "");
}

static void build_streams(struct split *split)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(split->function));
    while (LLVMIsAAllocaInst(first) != NULL) {
        first = LLVMGetNextInstruction(first);
    }
    LLVMPositionBuilderBefore(split->builder, first);
    split->is_large = simd_build_nontemporal(split->module, split->builder, load_block(split),
                                             split->thread_bytes);
}

static void split_function(struct split *split)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(split->function), next;
    for (; block != NULL; block = next) {
        next = LLVMGetNextBasicBlock(block);
        LLVMValueRef at = LLVMGetFirstInstruction(block);
        for (;;) {
            struct group group = next_group(split, &at);
            if (group.count == 0) {
                break;
            }
            if (split->is_large == NULL) {
                build_streams(split);
            }
            split_at(split, &group);
        }
    }
}

/* The bytes that the entry was made with; 0: it is none, or writes no rows. */
static uint64_t said_of(LLVMValueRef function, unsigned stream)
{
    size_t count;
    LLVMValueRef operand = NULL;
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) == stream) {
            LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
            LLVMGetMDNodeOperands(LLVMMetadataAsValue(llvm, node), &operand);
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
    return operand == NULL ? 0 : LLVMConstIntGetZExtValue(operand);
}

void simd_split_nontemporal(LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    struct split split = {.module = module, .llvm = LLVMGetModuleContext(module)};
    split.layout = LLVMCreateTargetDataLayout(machine);
    split.builder = LLVMCreateBuilderInContext(split.llvm);
    split.stream = number_of(split.llvm, SIMD_NONTEMPORAL_MARK);
    split.nontemporal = number_of(split.llvm, "nontemporal");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        split.function = f;
        split.is_large = NULL;
        split.thread_bytes = LLVMIsDeclaration(f) ? 0 : said_of(f, split.stream);
        if (split.thread_bytes != 0) {
            split_function(&split);
        }
    }
    LLVMDisposeBuilder(split.builder);
    LLVMDisposeTargetData(split.layout);
}
