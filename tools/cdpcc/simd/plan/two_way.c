/* Two rows, of which each lane takes one: in[x == 0 ? x : x - 1], at a border.
 *
 * The index is a choice between two lines, or a line and a condition that is added to it or taken
 * from it, as LLVM writes lines that are one apart.  Each row is read for the lanes that take it.
 */
#include "simd/plan/two_way.h"

#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/kernel.h"

/* Two lines and who takes the first. */
struct choice {
    LLVMValueRef condition, lines[2];
    int64_t more[2];
};

/* A bool as a number: what it adds if it is true; 0: it is none. */
static int64_t number_of_bool(const struct simd_emit *emit, LLVMValueRef value)
{
    bool is_signed = LLVMIsASExtInst(value) != NULL;
    if ((!is_signed && LLVMIsAZExtInst(value) == NULL) ||
        LLVMTypeOf(LLVMGetOperand(value, 0)) != emit->lower->i1) {
        return 0;
    }
    return is_signed ? -1 : 1;
}

static bool find_sum(const struct simd_emit *emit, LLVMValueRef at, int64_t sign,
                     struct choice *choice)
{
    for (unsigned i = 0; i < (sign < 0 ? 1 : 2); i++) {
        LLVMValueRef line = LLVMGetOperand(at, i), bit = LLVMGetOperand(at, 1 - i);
        int64_t more = number_of_bool(emit, bit) * sign;
        if (more != 0 && simd_is_known_affine(emit, line)) {
            *choice = (struct choice){
                .condition = LLVMGetOperand(bit, 0), .lines = {line, line}, .more = {more, 0}};
            return true;
        }
    }
    return false;
}

static bool find_choice(const struct simd_emit *emit, LLVMValueRef at, struct choice *choice)
{
    bool found = false;
    if (LLVMIsAInstruction(at) == NULL) {
        return false;
    }
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMSelect:
        *choice = (struct choice){.condition = LLVMGetOperand(at, 0),
                                  .lines = {LLVMGetOperand(at, 1), LLVMGetOperand(at, 2)}};
        found = simd_is_known_affine(emit, choice->lines[0]) &&
                simd_is_known_affine(emit, choice->lines[1]);
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
    return found && simd_is_known(emit, choice->condition) &&
           simd_shape_of(emit->kernel, choice->condition).kind == SHAPE_VARYING;
}

/* From lane 0's number, which may be below zero where it is another line's. */
static LLVMValueRef start_of(struct simd_emit *emit, const struct choice *choice, unsigned which,
                             LLVMValueRef extended, unsigned vector, LLVMValueRef *holds)
{
    LLVMBuilderRef b = emit->builder;
    struct simd_value line = simd_get(emit, choice->lines[which]);
    LLVMValueRef first = line.scalar[vector];
    first = LLVMBuildAdd(b, first, simd_int(LLVMTypeOf(first), choice->more[which]), "");
    if (line.holds[vector] != NULL) {
        *holds = simd_both(emit, *holds, line.holds[vector]);
    }
    if (extended == NULL) {
        return first;
    }
    bool is_signed = LLVMIsASExtInst(extended) != NULL || LLVMGetNNeg(extended);
    LLVMValueRef test =
        simd_test_span(emit, is_signed ? TEST_SIGNED : TEST_UNSIGNED, first, emit->lanes - 1);
    *holds = simd_both(emit, *holds, test);
    return LLVMBuildIntCast2(b, first, LLVMTypeOf(extended), is_signed, "");
}

bool simd_find_two_way(struct simd_emit *emit, const struct simd_index *index,
                       struct simd_contiguous *rows)
{
    LLVMValueRef number = index->number, extended = NULL;
    if (LLVMIsASExtInst(number) != NULL || LLVMIsAZExtInst(number) != NULL) {
        extended = number;
        number = LLVMGetOperand(number, 0);
    }
    struct choice choice;
    if (!find_choice(emit, number, &choice)) {
        return false;
    }
    struct simd_value takes = simd_get(emit, choice.condition);
    for (unsigned u = 0; u < emit->vectors; u++) {
        rows->takes_first[u] = simd_vector(emit, &takes, u);
        rows->holds[u] = simd_int(emit->lower->i1, 1);
        for (unsigned i = 0; i < 2; i++) {
            LLVMValueRef first = start_of(emit, &choice, i, extended, u, &rows->holds[u]);
            rows->start[i][u] = simd_index_address(emit, index, first, u);
        }
    }
    return true;
}

LLVMValueRef simd_load_two_way(struct simd_emit *emit, const struct simd_access *access,
                               const struct simd_contiguous *rows, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = emit->mask, values[2];
    LLVMValueRef all = lanes == NULL ? emit->full : lanes[vector];
    LLVMValueRef first = LLVMBuildFreeze(b, rows->takes_first[vector], "");
    emit->mask = mask;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef takes = i == 0 ? first : LLVMBuildNot(b, first, "");
        mask[vector] = LLVMBuildAnd(b, all, takes, "");
        values[i] = simd_load_contiguous(emit, access, rows->start[i][vector], vector);
    }
    emit->mask = lanes;
    return LLVMBuildSelect(b, first, values[0], values[1], "");
}
