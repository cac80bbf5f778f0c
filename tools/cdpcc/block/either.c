/* Two rows, of which each lane takes one: in[x == 0 ? x : x - 1], at a border.
 *
 * The index is a choice between two lines, or a line and a condition that is added to it or taken
 * from it, as LLVM writes lines that are one apart.  Each row is read for the lanes that take it.
 */
#include "block/block.h"

#include "block/crossed.h"

/* Two lines and who takes the first. */
struct choice {
    LLVMValueRef condition, lines[2];
    int64_t more[2];
};

/* A bool as a number: what it adds if it is true; 0: it is none. */
static int64_t number_of_bool(const struct block_emit *emit, LLVMValueRef value)
{
    bool is_signed = LLVMIsASExtInst(value) != NULL;
    if ((!is_signed && LLVMIsAZExtInst(value) == NULL) ||
        LLVMTypeOf(LLVMGetOperand(value, 0)) != emit->lower->i1) {
        return 0;
    }
    return is_signed ? -1 : 1;
}

static bool find_sum(const struct block_emit *emit, LLVMValueRef at, int64_t sign,
                     struct choice *choice)
{
    for (unsigned i = 0; i < (sign < 0 ? 1 : 2); i++) {
        LLVMValueRef line = LLVMGetOperand(at, i), bit = LLVMGetOperand(at, 1 - i);
        int64_t more = number_of_bool(emit, bit) * sign;
        if (more != 0 && block_is_known_line(emit, line)) {
            *choice = (struct choice){
                .condition = LLVMGetOperand(bit, 0), .lines = {line, line}, .more = {more, 0}};
            return true;
        }
    }
    return false;
}

static bool find_choice(const struct block_emit *emit, LLVMValueRef at, struct choice *choice)
{
    bool found = false;
    if (LLVMIsAInstruction(at) == NULL) {
        return false;
    }
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMSelect:
        *choice = (struct choice){.condition = LLVMGetOperand(at, 0),
                                  .lines = {LLVMGetOperand(at, 1), LLVMGetOperand(at, 2)}};
        found = block_is_known_line(emit, choice->lines[0]) &&
                block_is_known_line(emit, choice->lines[1]);
        break;
    case LLVMAdd:
        found = find_sum(emit, at, 1, choice);
        break;
    case LLVMSub:
        found = find_sum(emit, at, -1, choice);
        break;
    default:
        break;
    }
    return found && block_is_known(emit, choice->condition) &&
           block_shape_of(emit->kernel, choice->condition).kind == SHAPE_VARYING;
}

/* From lane 0's number, which may be below zero where it is another line's. */
static LLVMValueRef start_of(struct block_emit *emit, const struct choice *choice, unsigned which,
                             LLVMValueRef extended, unsigned vector, LLVMValueRef *holds)
{
    LLVMBuilderRef b = emit->builder;
    struct block_value line = block_get(emit, choice->lines[which]);
    LLVMValueRef first = line.scalar[vector];
    first = LLVMBuildAdd(b, first, block_int(LLVMTypeOf(first), choice->more[which]), "");
    if (line.holds[vector] != NULL) {
        *holds = LLVMBuildAnd(b, *holds, line.holds[vector], "");
    }
    if (extended == NULL) {
        return first;
    }
    bool is_signed = LLVMIsASExtInst(extended) != NULL || LLVMGetNNeg(extended);
    LLVMValueRef test =
        block_test_span(emit, is_signed ? TEST_SIGNED : TEST_UNSIGNED, first, emit->lanes - 1);
    *holds = LLVMBuildAnd(b, *holds, test, "");
    return LLVMBuildIntCast2(b, first, LLVMTypeOf(extended), is_signed, "");
}

bool block_find_either(struct block_emit *emit, LLVMValueRef address, LLVMTypeRef type,
                       struct block_either *found)
{
    LLVMTargetDataRef layout = emit->lower->layout;
    uint64_t size = LLVMABISizeOfType(layout, type);
    int64_t offset;
    LLVMValueRef at = block_without_constants(address, &offset);
    bool is_dense =
        LLVMStoreSizeOfType(layout, type) == size && LLVMSizeOfTypeInBits(layout, type) == size * 8;
    if (!is_dense || LLVMIsAGetElementPtrInst(at) == NULL || LLVMGetNumOperands(at) != 2 ||
        LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(at)) != size ||
        !block_is_known_uniform(emit, LLVMGetOperand(at, 0))) {
        return false;
    }
    LLVMValueRef index = LLVMGetOperand(at, 1), extended = NULL;
    if (LLVMIsASExtInst(index) != NULL || LLVMIsAZExtInst(index) != NULL) {
        extended = index;
        index = LLVMGetOperand(index, 0);
    }
    struct choice choice;
    if (!find_choice(emit, index, &choice)) {
        return false;
    }
    struct block_value base = block_get(emit, LLVMGetOperand(at, 0));
    struct block_value takes = block_get(emit, choice.condition);
    LLVMValueRef more = block_int(emit->lower->i64, offset);
    for (unsigned u = 0; u < emit->vectors; u++) {
        found->takes_first[u] = block_vector(emit, &takes, u);
        found->holds[u] = block_int(emit->lower->i1, 1);
        for (unsigned i = 0; i < 2; i++) {
            LLVMValueRef first = start_of(emit, &choice, i, extended, u, &found->holds[u]);
            LLVMValueRef row =
                LLVMBuildGEP2(emit->builder, type, block_scalar(&base, u), &first, 1, "");
            found->start[i][u] = LLVMBuildGEP2(emit->builder, emit->lower->i8, row, &more, 1, "");
        }
    }
    return true;
}
