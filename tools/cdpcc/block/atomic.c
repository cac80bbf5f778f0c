/* Atomic operations on the block's shared memory are plain ones: a block has one worker
 * from its first instruction to its last, no other block or grid can reach its shared
 * memory, and here one lane comes after the other. */
#include "block/block.h"

#include "arena.h"

/* Steps from an address back to where lanes differ. */
enum { MOST_DEPTH = 6 };

/* Lanes in straight code, and in one turn of a loop. */
enum { MOST_IN_A_ROW = 16, LANES_A_TURN = 4 };

static bool has_plain_form(LLVMValueRef instruction)
{
    if (LLVMIsAAtomicCmpXchgInst(instruction) != NULL) {
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(instruction, 1))) == LLVMIntegerTypeKind;
    }
    if (LLVMIsAAtomicRMWInst(instruction) == NULL) {
        return false;
    }
    switch ((int)LLVMGetAtomicRMWBinOp(instruction)) {
    case LLVMAtomicRMWBinOpXchg:
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
    case LLVMAtomicRMWBinOpFAdd:
    case LLVMAtomicRMWBinOpFSub:
        return true;
    default:
        return false;
    }
}

bool block_is_plain_atomic(LLVMValueRef instruction)
{
    return has_plain_form(instruction) && block_is_shared(LLVMGetOperand(instruction, 0));
}

static LLVMValueRef pick(LLVMBuilderRef b, LLVMIntPredicate predicate, LLVMValueRef old,
                         LLVMValueRef value)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, predicate, old, value, ""), old, value, "");
}

static LLVMValueRef combined(LLVMBuilderRef b, LLVMAtomicRMWBinOp operation, LLVMValueRef old,
                             LLVMValueRef value)
{
    switch ((int)operation) {
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, old, value, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(b, old, value, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, old, value, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, old, value, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, old, value, "");
    case LLVMAtomicRMWBinOpMax:
        return pick(b, LLVMIntSGT, old, value);
    case LLVMAtomicRMWBinOpMin:
        return pick(b, LLVMIntSLE, old, value);
    case LLVMAtomicRMWBinOpUMax:
        return pick(b, LLVMIntUGT, old, value);
    case LLVMAtomicRMWBinOpUMin:
        return pick(b, LLVMIntULE, old, value);
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, value, "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(b, old, value, "");
    default:
        return value;
    }
}

struct block_swap block_plain_atomic(struct block_emit *emit, LLVMValueRef instruction,
                                     const LLVMValueRef *operands)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(operands[1]);
    unsigned align = LLVMGetAlignment(instruction);
    struct block_swap swap = {.old = LLVMBuildLoad2(b, type, operands[0], "old")};
    LLVMSetAlignment(swap.old, align);
    LLVMValueRef now;
    if (LLVMIsAAtomicCmpXchgInst(instruction) != NULL) {
        swap.is_equal = LLVMBuildICmp(b, LLVMIntEQ, swap.old, operands[1], "");
        now = LLVMBuildSelect(b, swap.is_equal, operands[2], swap.old, "");
    } else {
        now = combined(b, LLVMGetAtomicRMWBinOp(instruction), swap.old, operands[1]);
    }
    LLVMValueRef store = LLVMBuildStore(b, now, operands[0]);
    LLVMSetAlignment(store, align);
    block_alias_mark(emit, instruction, swap.old);
    block_alias_mark(emit, instruction, store);
    return swap;
}

/* ---- all lanes, one by one in straight code ---- */

static LLVMValueRef lane_of(struct block_emit *emit, LLVMValueRef value, unsigned vector,
                            unsigned lane, unsigned depth);

/* The value of one lane, made again from scalars: an element of a vector of addresses costs
 * more than the address of an element.  NULL if it cannot be. */
static LLVMValueRef remade(struct block_emit *emit, LLVMValueRef value, unsigned vector,
                           unsigned lane, unsigned depth)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool is_address = opcode == LLVMGetElementPtr;
    bool is_extension = opcode == LLVMZExt || opcode == LLVMSExt;
    if (depth == 0 || (!is_address && !is_extension)) {
        return NULL;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = lane_of(emit, LLVMGetOperand(value, i), vector, lane, depth - 1);
    }
    if (is_extension) {
        return LLVMBuildCast(emit->builder, opcode, operands[0], LLVMTypeOf(value), "");
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    return LLVMBuildGEP2(emit->builder, type, operands[0], operands + 1, count - 1, "");
}

static LLVMValueRef lane_of(struct block_emit *emit, LLVMValueRef value, unsigned vector,
                            unsigned lane, unsigned depth)
{
    struct block_value made = block_get(emit, value);
    if (made.shape.kind <= SHAPE_VECTOR) {
        return block_scalar(&made, vector);
    }
    bool is_mixed = emit->is_mixed != NULL && emit->is_mixed[block_number(emit->kernel, value)];
    LLVMValueRef scalar = NULL;
    if (made.shape.kind == SHAPE_VARYING && !is_mixed && LLVMIsAInstruction(value) != NULL) {
        scalar = remade(emit, value, vector, lane, depth);
    }
    if (scalar != NULL) {
        return scalar;
    }
    LLVMValueRef index = block_int(emit->lower->i64, lane);
    return LLVMBuildExtractElement(emit->builder, block_vector(emit, &made, vector), index, "");
}

static void make_row(struct block_emit *emit, LLVMValueRef instruction)
{
    bool is_swap = LLVMIsAAtomicCmpXchgInst(instruction) != NULL;
    bool is_used = LLVMGetFirstUse(instruction) != NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
    struct block_value made = {.shape = {.kind = SHAPE_VARYING}};
    for (unsigned u = 0; u < emit->vectors; u++) {
        made.vector[u] = LLVMGetPoison(block_vector_type(emit, type));
        made.second[u] = emit->none;
        for (unsigned lane = 0; lane < emit->lanes; lane++) {
            LLVMValueRef operands[3], index = block_int(emit->lower->i64, lane);
            for (unsigned i = 0; i < (is_swap ? 3 : 2); i++) {
                LLVMValueRef operand = LLVMGetOperand(instruction, i);
                operands[i] = lane_of(emit, operand, u, lane, MOST_DEPTH);
            }
            struct block_swap swap = block_plain_atomic(emit, instruction, operands);
            if (is_used) {
                made.vector[u] =
                    LLVMBuildInsertElement(emit->builder, made.vector[u], swap.old, index, "");
            }
            if (is_used && is_swap) {
                made.second[u] =
                    LLVMBuildInsertElement(emit->builder, made.second[u], swap.is_equal, index, "");
            }
        }
    }
    block_set(emit, instruction, made);
}

/* ---- all lanes, some at a time in a loop ---- */

/* What lanes' operands are made from, in memory. */
struct leaves {
    struct block_emit *emit;
    struct leaf {
        LLVMValueRef value, array;
    } *items;
    size_t count, used; /* used: of the arrays for lanes */
};

/* Cheaper made again from scalars than kept for each lane. */
static bool is_remade(const struct block_emit *emit, LLVMValueRef value, unsigned depth)
{
    int number = block_number(emit->kernel, value);
    if (depth == 0 || number < 0 || LLVMIsAInstruction(value) == NULL ||
        emit->kernel->shapes[number].kind != SHAPE_VARYING ||
        (emit->is_mixed != NULL && emit->is_mixed[number])) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    return opcode == LLVMGetElementPtr || opcode == LLVMZExt || opcode == LLVMSExt;
}

static void keep_leaves(struct leaves *leaves, LLVMValueRef value, unsigned depth)
{
    struct block_value made = block_get(leaves->emit, value);
    if (made.shape.kind <= SHAPE_UNIFORM) {
        return;
    }
    unsigned count =
        is_remade(leaves->emit, value, depth) ? (unsigned)LLVMGetNumOperands(value) : 0;
    for (unsigned i = 0; i < count; i++) {
        keep_leaves(leaves, LLVMGetOperand(value, i), depth - 1);
    }
    if (count == 0) {
        struct leaf leaf = {.value = value};
        leaf.array = block_keep_lanes(leaves->emit, &made, LLVMTypeOf(value), &leaves->used);
        LOWER_PUSH(leaves->items, leaves->count, leaf);
    }
}

static LLVMValueRef element_of(const struct leaves *leaves, LLVMValueRef value, LLVMValueRef lane,
                               unsigned depth)
{
    struct block_emit *emit = leaves->emit;
    struct block_value made = block_get(emit, value);
    if (made.shape.kind <= SHAPE_UNIFORM) {
        return made.scalar[0];
    }
    for (size_t i = 0; i < leaves->count; i++) {
        if (leaves->items[i].value == value) {
            return block_kept_lane(emit, leaves->items[i].array, LLVMTypeOf(value), lane);
        }
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = element_of(leaves, LLVMGetOperand(value, i), lane, depth - 1);
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode != LLVMGetElementPtr) {
        return LLVMBuildCast(emit->builder, opcode, operands[0], LLVMTypeOf(value), "");
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    return LLVMBuildGEP2(emit->builder, type, operands[0], operands + 1, count - 1, "");
}

static void loop_over_lanes(const struct leaves *leaves, LLVMValueRef instruction, unsigned count)
{
    struct block_emit *emit = leaves->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->i64;
    LLVMBasicBlockRef before = block_here(emit), head = block_new(emit, "lanes");
    LLVMBasicBlockRef after = block_new(emit, "lanes.end");
    LLVMValueRef zero = block_int(i64, 0);
    LLVMBuildBr(b, head);
    block_at(emit, head);
    LLVMValueRef first = LLVMBuildPhi(b, i64, "lane");
    for (unsigned i = 0; i < LANES_A_TURN; i++) {
        LLVMValueRef operands[3], lane = LLVMBuildNUWAdd(b, first, block_int(i64, i), "");
        for (unsigned j = 0; j < (LLVMIsAAtomicCmpXchgInst(instruction) != NULL ? 3 : 2); j++) {
            operands[j] = element_of(leaves, LLVMGetOperand(instruction, j), lane, MOST_DEPTH);
        }
        block_plain_atomic(emit, instruction, operands);
    }
    LLVMValueRef next = LLVMBuildNUWAdd(b, first, block_int(i64, LANES_A_TURN), "");
    LLVMAddIncoming(first, &zero, &before, 1);
    LLVMAddIncoming(first, &next, &head, 1);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, next, block_int(i64, count), "");
    block_mark_loop(emit, LLVMBuildCondBr(b, more, head, after), "llvm.loop.unroll.disable");
    block_at(emit, after);
}

static void make_loop(struct block_emit *emit, LLVMValueRef instruction)
{
    struct leaves leaves = {.emit = emit};
    for (unsigned j = 0; j < (LLVMIsAAtomicCmpXchgInst(instruction) != NULL ? 3 : 2); j++) {
        keep_leaves(&leaves, LLVMGetOperand(instruction, j), MOST_DEPTH);
    }
    loop_over_lanes(&leaves, instruction, emit->lanes * emit->vectors);
}

/* ---- which ---- */

/* Lanes that may meet at the same address, and more of them than a processor keeps apart: it
 * guesses which load waits for which store by where the instructions are, and each wrong guess
 * costs more than many turns of a loop. */
static bool is_for_loop(const struct block_emit *emit, LLVMValueRef instruction)
{
    int address = block_number(emit->kernel, LLVMGetOperand(instruction, 0));
    return emit->lanes * emit->vectors > MOST_IN_A_ROW && address >= 0 &&
           emit->kernel->shapes[address].kind == SHAPE_VARYING;
}

void block_atomic(struct block_emit *emit, LLVMValueRef instruction)
{
    bool is_scattered = is_for_loop(emit, instruction);
    bool is_unused = LLVMGetFirstUse(instruction) == NULL;
    if (emit->mask != NULL || !block_is_plain_atomic(instruction) || (is_scattered && !is_unused)) {
        block_each_lane(emit, instruction);
    } else if (is_scattered) {
        make_loop(emit, instruction);
    } else {
        make_row(emit, instruction);
    }
}
