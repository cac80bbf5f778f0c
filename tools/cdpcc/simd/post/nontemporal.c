/* Makes stores nontemporal, after the optimizer.
 *
 * The optimizer does not use the marks and sees no branches: metadata marks the stores that may be
 * nontemporal (emit/nontemporal.c).  Here adjacent stores become two paths: nontemporal stores if
 * the grid is large and their addresses are aligned, or the original stores.  A fence after the
 * last block of a call orders them before all that follows.
 *
 * Before and after, for two stores of 64 bytes to one array:
 *
 *     store <16 x float> %a, %p              head:  %all = large & ((%p & 63) == 0)
 *     store <16 x float> %b, %p + 64    ->          br %all, past, usual
 *                                            past:  the two stores, nontemporal and aligned
 *                                            usual: the two stores as they were
 *                                            tail:  what follows
 *
 * Takes: entries whose stores carry the mark. Gives: entries without marks. One test serves up to
 * MOST_AT_ONCE stores, so that a line is written by instructions that follow each other. */
#include "simd/post/nontemporal.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/ir/memory.h"
#include "simd/post/shared_memory.h"

#include <string.h>

enum { CACHE_LINE = 64, LEAST_BYTES = 16, MOST_AT_ONCE = 4 };

static unsigned number_of(LLVMContextRef llvm, const char *name)
{
    return LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name));
}

/* Loads a field of the block that does not change.
 * As a number of 64 bits. */
static LLVMValueRef load_word(LLVMBuilderRef b, LLVMValueRef block, size_t offset)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(block));
    LLVMTypeRef i8 = LLVMInt8TypeInContext(llvm), i64 = LLVMInt64TypeInContext(llvm);
    LLVMValueRef by = LLVMConstInt(i64, offset, 0);
    LLVMValueRef at = LLVMBuildGEP2(b, i8, block, &by, 1, "");
    LLVMValueRef loaded = LLVMBuildLoad2(b, LLVMInt32TypeInContext(llvm), at, "");
    return LLVMBuildZExt(b, loaded, i64, "");
}

/* The bytes that the grid writes, compared with a limit that the runtime sets from the size of the
 * caches. */
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

/* The pass on one module.  Function, thread_bytes and is_large are those of the current
 * function. */
struct split {
    LLVMModuleRef module;
    LLVMContextRef llvm;
    LLVMTargetDataRef layout;
    LLVMValueRef function;
    LLVMBuilderRef builder;
    unsigned stream, nontemporal; /* numbers of these kinds of metadata */
    uint64_t thread_bytes;
    LLVMValueRef is_large; /* i1, computed at the function's start; NULL: not computed yet */
};

/* Stores without other accesses of memory between them. */
struct group {
    LLVMValueRef *stores; /* `count` of them */
    size_t count;
    unsigned align; /* the alignment that all stores must have */
};

/* The alignment that the store must have; 0: it does not store a vector register's size. */
static unsigned needed_alignment(const struct split *split, LLVMValueRef store)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    uint64_t bytes = LLVMStoreSizeOfType(split->layout, type);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind && bytes >= LEAST_BYTES &&
                     (bytes & (bytes - 1)) == 0;
    return !is_vector ? 0 : bytes < CACHE_LINE ? (unsigned)bytes : CACHE_LINE;
}

static bool touches_memory(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    return LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
           (LLVMIsACallInst(at) != NULL && (callee == NULL || !shared_is_free_of_memory(callee)));
}

/* The next group from the instruction on.  Afterwards *at is the instruction that follows the
 * group.
 * Other instructions may stand between the stores, as long as they touch no memory. */
static struct group next_group(const struct split *split, LLVMValueRef *at)
{
    struct group group = {0};
    for (; *at != NULL && group.count < MOST_AT_ONCE; *at = LLVMGetNextInstruction(*at)) {
        bool is_marked =
            LLVMIsAStoreInst(*at) != NULL && LLVMGetMetadata(*at, split->stream) != NULL;
        unsigned align = is_marked ? needed_alignment(split, *at) : 0;
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

/* i1: the grid is large, and all stores are aligned.  Stores that are whole lines apart share one
 * test. */
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

/* Puts the instruction at the end of the block. */
static void move_to(const struct split *split, LLVMValueRef at, LLVMBasicBlockRef block)
{
    LLVMInstructionRemoveFromParent(at);
    LLVMPositionBuilderAtEnd(split->builder, block);
    LLVMInsertIntoBuilder(split->builder, at);
}

/* The group needs the instruction, or the instruction accesses memory.  The others stay after the
 * group, since their values would occupy registers during it. */
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

/* Instructions before the last of the group, other than its stores, that must move before it.
 * Walks backwards, so an instruction's users are decided before it. */
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

/* Branches to `from` become branches to `to`. */
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

/* Emits a nontemporal copy of the store, with the alignment that the test has shown. */
static void store_nontemporal(const struct split *split, LLVMValueRef store,
                              LLVMBasicBlockRef nontemporal)
{
    LLVMValueRef one = LLVMConstInt(LLVMInt32TypeInContext(split->llvm), 1, 0);
    LLVMMetadataRef as_metadata = LLVMValueAsMetadata(one);
    LLVMValueRef result = LLVMInstructionClone(store);
    LLVMPositionBuilderAtEnd(split->builder, nontemporal);
    LLVMInsertIntoBuilder(split->builder, result);
    LLVMSetAlignment(result, needed_alignment(split, store));
    LLVMSetMetadata(result, split->stream, NULL);
    LLVMSetMetadata(
        result, split->nontemporal,
        LLVMMetadataAsValue(split->llvm, LLVMMDNodeInContext2(split->llvm, &as_metadata, 1)));
}

/* Splits the basic block at the group.  The instructions after the group stay in the block, so its
 * successors' phis stay valid; those before it move to a new block. */
static void split_block(const struct split *split, const struct group *group)
{
    LLVMBasicBlockRef tail = LLVMGetInstructionParent(group->stores[0]);
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(split->llvm, tail, "");
    LLVMBasicBlockRef nontemporal = LLVMInsertBasicBlockInContext(split->llvm, tail, "past");
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
    LLVMBuildCondBr(split->builder, test_group(split, group), nontemporal, usual);
    for (size_t i = 0; i < group->count; i++) {
        store_nontemporal(split, group->stores[i], nontemporal);
        move_to(split, group->stores[i], usual);
    }
    LLVMPositionBuilderAtEnd(split->builder, nontemporal);
    LLVMBuildBr(split->builder, tail);
    LLVMPositionBuilderAtEnd(split->builder, usual);
    LLVMBuildBr(split->builder, tail);
}

/* The block of the running thread.  It is loaded from the thread's context, since the function may
 * have lost parameters that the optimizer found unused. */
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
            split_block(split, &group);
        }
    }
}

/* The bytes that each thread writes by these stores, from the entry's metadata; 0: it is not such
 * an entry. */
static uint64_t thread_bytes_of(LLVMValueRef function, unsigned stream)
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
        split.thread_bytes = LLVMIsDeclaration(f) ? 0 : thread_bytes_of(f, split.stream);
        if (split.thread_bytes != 0) {
            split_function(&split);
        }
    }
    LLVMDisposeBuilder(split.builder);
    LLVMDisposeTargetData(split.layout);
}
