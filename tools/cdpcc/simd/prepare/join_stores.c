/* Joins stores to one address at the ends of the sides of a branch.
 *
 *     if (test) a[i] = x; else a[i] = y;      becomes      a[i] = test ? x : y;
 *
 * In a vector of threads each of the two stores would be masked.  The masks are complementary, so
 * one store without a mask replaces them.  The sides are often empty then, and the branch becomes a
 * select.
 *
 * Blocks that branch unconditionally to one block are joined if each ends with a plain store of one
 * type to the same address.  No access, and no call but arithmetic, follows the stores in their
 * blocks.  So the joined store has the place of each of them in the order of accesses.  It runs if
 * and only if one of them ran.
 *
 * Stores stay where they are if all threads of a block take one side.
 *
 * LLVM's simplifycfg with sink-common-insts also joins stores to different addresses, by a select
 * of the addresses: two contiguous accesses would become a scatter. */
#include "simd/prepare/join_stores.h"

#include "instrument/loops.h"
#include "ir/context.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "simd/ir/thread_fields.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

/* Operations of an address, one of another, and of a condition. */
enum { MOST_PARTS = 4, MOST_DEPTH = 6 };

/* The stores that become one.  Life: one call of join(). */
struct group {
    struct lower_context *lower;
    const struct instrument_loops *loops;
    LLVMBasicBlockRef target; /* where their blocks branch to */
    int number;               /* of the target, or of the block that it was split from */
    struct lower_list stores; /* each is the last access of its block */
    size_t edges;             /* to the target */
};

static bool is_unconditional(LLVMValueRef end)
{
    return LLVMIsABranchInst(end) != NULL && !LLVMIsConditional(end);
}

static bool is_plain_store(LLVMValueRef at)
{
    return LLVMIsAStoreInst(at) != NULL && !LLVMGetVolatile(at) && !simd_is_order(at) &&
           (simd_member_of(at).size != 0 ||
            LLVMGetTypeKind(simd_accessed_type(at)) == LLVMPointerTypeKind);
}

/* It may access memory, or wait. */
static bool is_access(LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
           LLVMIsAVAArgInst(at) != NULL || (LLVMIsACallInst(at) != NULL && !simd_is_pure_call(at));
}

/* The plain store after which the block has no access.  NULL: there is none. */
static LLVMValueRef last_store(LLVMBasicBlockRef block)
{
    LLVMValueRef at = LLVMGetBasicBlockTerminator(block);
    if (at == NULL || !is_unconditional(at)) {
        return NULL;
    }
    while (at != NULL && !is_access(at)) {
        at = LLVMGetPreviousInstruction(at);
    }
    return at != NULL && is_plain_store(at) ? at : NULL;
}

static bool has_same_flags(LLVMValueRef one, LLVMValueRef other)
{
    switch ((int)LLVMGetInstructionOpcode(one)) {
    case LLVMGetElementPtr:
        return LLVMGEPGetNoWrapFlags(one) == LLVMGEPGetNoWrapFlags(other) &&
               LLVMGetGEPSourceElementType(one) == LLVMGetGEPSourceElementType(other);
    case LLVMZExt:
        return LLVMGetNNeg(one) == LLVMGetNNeg(other);
    case LLVMSExt:
        return true;
    default:
        return false;
    }
}

/* They are one value, or the same address operations of the same values. */
static bool is_same(LLVMValueRef one, LLVMValueRef other, unsigned depth)
{
    if (one == other) {
        return true;
    }
    if (depth == 0 || LLVMIsAInstruction(one) == NULL || LLVMIsAInstruction(other) == NULL ||
        LLVMGetInstructionOpcode(one) != LLVMGetInstructionOpcode(other) ||
        LLVMTypeOf(one) != LLVMTypeOf(other) ||
        LLVMGetNumOperands(one) != LLVMGetNumOperands(other) || !has_same_flags(one, other)) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(one); i++) {
        if (!is_same(LLVMGetOperand(one, i), LLVMGetOperand(other, i), depth - 1)) {
            return false;
        }
    }
    return true;
}

static bool are_one(const struct lower_list *values)
{
    for (size_t i = 1; i < values->count; i++) {
        if (values->items[i] != values->items[0]) {
            return false;
        }
    }
    return true;
}

/* A value that is the same as all of these, before the builder's place. */
static LLVMValueRef common(LLVMBuilderRef builder, const struct lower_list *values)
{
    LLVMValueRef first = values->items[0];
    if (are_one(values)) {
        return first;
    }
    LLVMValueRef copy = LLVMInstructionClone(first);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(first); i++) {
        struct lower_list operands = {.count = 0};
        for (size_t j = 0; j < values->count; j++) {
            LLVMValueRef operand = LLVMGetOperand(values->items[j], i);
            LOWER_PUSH(operands.items, operands.count, operand);
        }
        LLVMSetOperand(copy, i, common(builder, &operands));
    }
    LLVMInsertIntoBuilder(builder, copy);
    return copy;
}

/* ---- the group ---- */

/* The last store of a block that branches to the target. A header is no target: its loop would have
 * another phi. */
static LLVMValueRef store_before(const struct group *group, LLVMValueRef end)
{
    const struct instrument_loops *loops = group->loops;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(end);
    int number = instrument_loops_number(loops, from);
    bool is_forward = number >= 0 && number < group->number;
    return is_forward ? last_store(from) : NULL;
}

static bool joins(LLVMValueRef one, LLVMValueRef other)
{
    return simd_accessed_type(one) == simd_accessed_type(other) &&
           is_same(simd_accessed(one), simd_accessed(other), MOST_PARTS);
}

/* The stores that may be joined with the first one from the given one on. */
static struct lower_list joined_with(const struct lower_list *stores, size_t first)
{
    struct lower_list result = {.count = 0};
    for (size_t i = first; i < stores->count; i++) {
        if (joins(stores->items[first], stores->items[i])) {
            LOWER_PUSH(result.items, result.count, stores->items[i]);
        }
    }
    return result;
}

/* False: there are no two stores to join before the target. */
static bool find_group(struct group *group)
{
    struct lower_list stores = {.count = 0};
    group->edges = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(group->target)); use != NULL;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef store = LLVMIsAInstruction(user) == NULL ? NULL : store_before(group, user);
        if (store != NULL) {
            LOWER_PUSH(stores.items, stores.count, store);
        }
        group->edges++;
    }
    for (size_t i = 0; i + 1 < stores.count; i++) {
        group->stores = joined_with(&stores, i);
        if (group->stores.count > 1) {
            return true;
        }
    }
    return false;
}

/* ---- the joined store ---- */

static bool has_store_in(const struct group *group, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < group->stores.count; i++) {
        if (LLVMGetInstructionParent(group->stores.items[i]) == block) {
            return true;
        }
    }
    return false;
}

/* The branch that decides which of the stores runs. */
static LLVMValueRef branch_of(const struct group *group)
{
    const struct instrument_loops *loops = group->loops;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(group->stores.items[0]);
    int above = instrument_loops_number(loops, block);
    for (size_t i = 1; i < group->stores.count; i++) {
        block = LLVMGetInstructionParent(group->stores.items[i]);
        while (!instrument_loops_dominates(loops, above, instrument_loops_number(loops, block))) {
            above = loops->dominator[above];
        }
    }
    return LLVMGetBasicBlockTerminator(loops->blocks[above]);
}

/* It follows from parameters, from the block's indices and sizes, and from constants. */
static bool is_uniform(LLVMValueRef value, unsigned depth)
{
    int64_t offset;
    if (LLVMIsALoadInst(value) != NULL) {
        return simd_field(value) >= 0 || simd_is_parameter(value, &offset);
    }
    if (LLVMIsAInstruction(value) == NULL) {
        return LLVMIsAConstant(value) != NULL;
    }
    bool is_operation = LLVMIsABinaryOperator(value) != NULL || LLVMIsACmpInst(value) != NULL ||
                        LLVMIsACastInst(value) != NULL;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && is_operation; i++) {
        is_operation = depth != 0 && is_uniform(LLVMGetOperand(value, i), depth - 1);
    }
    return is_operation;
}

/* One branch decides between two stores, for all threads of the block: they need no masks.  Joined,
 * both values would have to be kept until the store. */
static bool is_decided_together(const struct group *group)
{
    LLVMValueRef branch = branch_of(group);
    return group->stores.count == 2 && LLVMIsABranchInst(branch) != NULL &&
           LLVMIsConditional(branch) && is_uniform(LLVMGetCondition(branch), MOST_DEPTH);
}

static bool has_line(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) != NULL && LLVMGetDebugLocLine(value) != 0;
}

/* Reports of the joined store name the line of the branch, as the line of one store would be wrong
 * for the others.  LLVM may have taken it from the branch, but not from the comparison. */
static LLVMMetadataRef location_of(const struct group *group)
{
    LLVMValueRef branch = branch_of(group);
    if (!has_line(branch) && LLVMIsABranchInst(branch) != NULL && LLVMIsConditional(branch) &&
        has_line(LLVMGetCondition(branch))) {
        branch = LLVMGetCondition(branch);
    }
    return LLVMInstructionGetDebugLoc(has_line(branch) ? branch : group->stores.items[0]);
}

/* Moves what the phi has from the group's blocks into a phi of the new block. */
static void split_phi(const struct group *group, LLVMBuilderRef builder, LLVMValueRef phi,
                      LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMValueRef inner = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef outer = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMAddIncoming(has_store_in(group, from) ? inner : outer, &value, &from, 1);
    }
    LLVMAddIncoming(outer, &inner, &block, 1);
    LLVMInstructionSetDebugLoc(inner, LLVMInstructionGetDebugLoc(phi));
    LLVMInstructionSetDebugLoc(outer, LLVMInstructionGetDebugLoc(phi));
    LLVMReplaceAllUsesWith(phi, outer);
    LLVMInstructionEraseFromParent(phi);
}

/* A block between the stores' blocks and the target. */
static LLVMBasicBlockRef split_target(const struct group *group, LLVMBuilderRef builder)
{
    LLVMBasicBlockRef block =
        LLVMInsertBasicBlockInContext(group->lower->llvm, group->target, "joined");
    for (LLVMValueRef phi = LLVMGetFirstInstruction(group->target), next;
         LLVMIsAPHINode(phi) != NULL; phi = next) {
        next = LLVMGetNextInstruction(phi);
        split_phi(group, builder, phi, block);
    }
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMInstructionSetDebugLoc(LLVMBuildBr(builder, group->target), location_of(group));
    for (size_t i = 0; i < group->stores.count; i++) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(group->stores.items[i]);
        LLVMSetSuccessor(LLVMGetBasicBlockTerminator(from), 0, block);
    }
    return block;
}

/* Metadata that all stores have remains.  LLVM counts the location as metadata, too. */
static void intersect_metadata(LLVMValueRef store, LLVMValueRef other)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(store, &count);
    for (unsigned i = 0; i < count; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);
        LLVMValueRef of_other = LLVMGetMetadata(other, kind);
        if (of_other == NULL ||
            LLVMValueAsMetadata(of_other) != LLVMValueMetadataEntriesGetMetadata(entries, i)) {
            LLVMSetMetadata(store, kind, NULL);
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
    if (LLVMGetAlignment(other) < LLVMGetAlignment(store)) {
        LLVMSetAlignment(store, LLVMGetAlignment(other));
    }
}

static LLVMValueRef value_of(const struct group *group, LLVMBuilderRef builder)
{
    LLVMTypeRef type = simd_accessed_type(group->stores.items[0]);
    LLVMValueRef phi = LLVMBuildPhi(builder, type, "");
    for (size_t i = 0; i < group->stores.count; i++) {
        LLVMValueRef value = LLVMGetOperand(group->stores.items[i], 0);
        LLVMBasicBlockRef from = LLVMGetInstructionParent(group->stores.items[i]);
        LLVMAddIncoming(phi, &value, &from, 1);
    }
    return phi;
}

/* Puts the joined store at the start of the target, which only the stores' blocks branch to. */
static void put_store(const struct group *group, LLVMBuilderRef builder)
{
    LLVMValueRef first = group->stores.items[0], at = LLVMGetFirstInstruction(group->target);
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, at); /* no record may precede a phi */
    LLVMValueRef value = value_of(group, builder);
    struct lower_list addresses = {.count = 0};
    for (size_t i = 0; i < group->stores.count; i++) {
        LOWER_PUSH(addresses.items, addresses.count, simd_accessed(group->stores.items[i]));
    }
    while (LLVMIsAPHINode(at) != NULL) {
        at = LLVMGetNextInstruction(at);
    }
    LLVMPositionBuilderBefore(builder, at);
    LLVMValueRef store = LLVMInstructionClone(first);
    LLVMSetOperand(store, 0, value);
    LLVMSetOperand(store, 1, common(builder, &addresses));
    LLVMInsertIntoBuilder(builder, store);
    for (size_t i = 1; i < group->stores.count; i++) {
        intersect_metadata(store, group->stores.items[i]);
    }
    LLVMInstructionSetDebugLoc(store, location_of(group));
}

/* The target becomes the block of the joined store.  False: nothing is joined. */
static bool join(struct group *group)
{
    if (!find_group(group) || is_decided_together(group)) {
        return false;
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(group->lower->llvm);
    if (group->stores.count != group->edges) {
        group->target = split_target(group, builder);
    }
    put_store(group, builder);
    LLVMDisposeBuilder(builder);
    for (size_t i = 0; i < group->stores.count; i++) {
        LLVMInstructionEraseFromParent(group->stores.items[i]);
    }
    return true;
}

/* Earlier stores of the same sides are joined before the first joined one. */
static void join_before(struct group *group, LLVMBasicBlockRef target)
{
    group->target = target;
    group->number = instrument_loops_number(group->loops, target);
    while (join(group)) {
        while (group->target != target && join(group)) {
        }
        group->target = target;
    }
}

void simd_join_stores(struct lower_context *lower, LLVMValueRef function)
{
    if (LLVMIsDeclaration(function)) {
        return;
    }
    const struct instrument_loops loops = instrument_loops_of(function);
    struct group group = {.lower = lower, .loops = &loops};
    for (size_t i = 0; i < loops.count; i++) {
        join_before(&group, loops.blocks[i]);
    }
}
