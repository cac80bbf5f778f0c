/* Permuted contiguous accesses: s[threadIdx.x ^ distance], of sorts and butterflies.
 *
 * The number of a vector's first thread is a multiple of its lanes.  So the high bits of the
 * distance select one contiguous group of elements, the same for all lanes; the low bits select the
 * element of each lane.  The access is one contiguous access, and the values are permuted.  The
 * mask is permuted too: the lane whose element it is may be inactive. */
#include "simd/plan/permuted.h"

#include "ir/options.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/kernel.h"
#include "target/processor.h"
#include "target/target.h"

/* ---- where the rows are ---- */

struct search {
    struct simd_emit *emit;
    struct simd_contiguous *found;
    LLVMValueRef value[SIMD_MOST_VECTORS]; /* lane 0's of the row, so far */
};

static void also(struct search *search, unsigned vector, LLVMValueRef test)
{
    LLVMValueRef *holds = &search->found->holds[vector];
    *holds = simd_both(search->emit, *holds, test);
}

/* The line's first number is a multiple of the lanes; that of a checked line may be none at all. */
static void start_at(struct search *search, const struct simd_value *line,
                     const struct simd_value *by)
{
    struct simd_emit *emit = search->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->i32;
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef first = line->scalar[u], distance = simd_scalar(by, u);
        LLVMTypeRef type = LLVMTypeOf(first);
        LLVMValueRef low = simd_int(type, emit->lanes - 1);
        LLVMValueRef rest = LLVMBuildAnd(b, first, low, "");
        bool is_sure = line->holds[u] == NULL;
        search->found->holds[u] = is_sure ? simd_int(emit->lower->i1, 1) : line->holds[u];
        also(search, u, LLVMBuildICmp(b, LLVMIntEQ, rest, LLVMConstNull(type), ""));
        LLVMValueRef row = LLVMBuildXor(b, first, distance, "");
        search->value[u] = LLVMBuildAnd(b, row, LLVMBuildNot(b, low, ""), "");
        LLVMValueRef lane = LLVMBuildAnd(b, distance, low, "");
        search->found->by[u] = LLVMBuildIntCast2(b, lane, i32, false, "");
    }
}

static bool find_crossing(struct search *search, LLVMValueRef at)
{
    struct simd_emit *emit = search->emit;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef line = LLVMGetOperand(at, i), by = LLVMGetOperand(at, 1 - i);
        if (simd_is_known_affine(emit, line) && simd_is_known_uniform(emit, by)) {
            struct simd_value lines = simd_get(emit, line), distances = simd_get(emit, by);
            start_at(search, &lines, &distances);
            return true;
        }
    }
    return false;
}

static bool find_row(struct search *search, LLVMValueRef at, unsigned depth);

/* Nothing wraps within a row, as its first number's low bits are zero: what is added to it may. */
static bool find_sum(struct search *search, LLVMValueRef at, enum simd_test test, unsigned depth)
{
    struct simd_emit *emit = search->emit;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef more = LLVMGetOperand(at, 1 - i);
        if (!simd_is_known_uniform(emit, more) || !find_row(search, LLVMGetOperand(at, i), depth)) {
            continue;
        }
        struct simd_value added = simd_get(emit, more);
        for (unsigned u = 0; u < emit->vectors; u++) {
            LLVMValueRef *value = &search->value[u];
            *value = LLVMBuildAdd(emit->builder, *value, simd_scalar(&added, u), "");
            if (test != TEST_NONE) {
                also(search, u, simd_test_span(emit, test, *value, emit->lanes - 1));
            }
        }
        return true;
    }
    return false;
}

/* All bits of a lane's number stay, and no others are added: where the row still starts at a
 * multiple of the lanes, behind a sum. */
static bool find_with_bits(struct search *search, LLVMValueRef at, bool is_and, unsigned depth)
{
    struct simd_emit *emit = search->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef more = LLVMGetOperand(at, 1);
    if (!simd_is_known_uniform(emit, more) || !find_row(search, LLVMGetOperand(at, 0), depth - 1)) {
        return false;
    }
    struct simd_value bits = simd_get(emit, more);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef *value = &search->value[u], mask = simd_scalar(&bits, u);
        LLVMValueRef lanes = simd_int(LLVMTypeOf(mask), emit->lanes - 1);
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(mask));
        LLVMValueRef low = LLVMBuildAnd(b, mask, lanes, "");
        also(search, u, LLVMBuildICmp(b, LLVMIntEQ, low, is_and ? lanes : none, ""));
        LLVMValueRef rest = LLVMBuildAnd(b, *value, lanes, "");
        also(search, u, LLVMBuildICmp(b, LLVMIntEQ, rest, none, ""));
        *value = is_and ? LLVMBuildAnd(b, *value, mask, "") : LLVMBuildOr(b, *value, mask, "");
    }
    return true;
}

static bool find_extended(struct search *search, LLVMValueRef at, bool is_signed, unsigned depth)
{
    LLVMValueRef of = LLVMGetOperand(at, 0);
    bool is_sum = LLVMIsAInstruction(of) != NULL && LLVMGetInstructionOpcode(of) == LLVMAdd;
    enum simd_test test = is_signed ? TEST_SIGNED : TEST_UNSIGNED;
    if (is_sum ? !find_sum(search, of, test, depth - 1) : !find_row(search, of, depth - 1)) {
        return false;
    }
    for (unsigned u = 0; u < search->emit->vectors; u++) {
        search->value[u] = LLVMBuildIntCast2(search->emit->builder, search->value[u],
                                             LLVMTypeOf(at), is_signed, "");
    }
    return true;
}

static bool find_row(struct search *search, LLVMValueRef at, unsigned depth)
{
    if (LLVMIsAInstruction(at) == NULL || depth == 0) {
        return false;
    }
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMXor:
        return find_crossing(search, at);
    case LLVMAdd: /* as far as addresses go */
        return LLVMGetIntTypeWidth(LLVMTypeOf(at)) == 64 &&
               find_sum(search, at, TEST_NONE, depth - 1);
    case LLVMAnd:
        return find_with_bits(search, at, true, depth);
    case LLVMOr:
        return find_with_bits(search, at, false, depth);
    case LLVMSExt:
        return find_extended(search, at, true, depth);
    case LLVMZExt:
        return find_extended(search, at, false, depth);
    default:
        return false;
    }
}

/* Numbers, whose lanes can be permuted. */
static bool is_number(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

bool simd_find_permuted(struct simd_emit *emit, const struct simd_index *index,
                        struct simd_contiguous *rows)
{
    enum { MOST_DEPTH = 6 };
    struct search search = {.emit = emit, .found = rows};
    if (!is_number(index->type) || !find_row(&search, index->number, MOST_DEPTH)) {
        return false;
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        rows->start[0][u] = simd_index_address(emit, index, search.value[u], u);
    }
    return true;
}

/* ---- lanes that change places ---- */

/* The processor's own permutation of 32-bit elements; NULL: it is not known to have one, or a
 * vector is two registers. */
static const char *permutation(const struct simd_emit *emit)
{
    const struct lower_options *options = emit->lower->options;
    if (target_is_arm(options->target.triple) || target_lanes(&options->target) < emit->lanes ||
        emit->in_halves) {
        return NULL;
    }
    return emit->lanes == 16  ? "llvm.x86.avx512.permvar.si.512"
           : emit->lanes == 8 ? "llvm.x86.avx2.permd"
                              : NULL;
}

static LLVMValueRef permute(struct simd_emit *emit, const char *name, LLVMValueRef value,
                            LLVMValueRef by)
{
    LLVMValueRef lanes = simd_steps(emit, emit->lower->i32, 1);
    LLVMValueRef from = LLVMBuildXor(emit->builder, lanes, simd_splat(emit, by), "");
    LLVMValueRef arguments[] = {value, from};
    return simd_intrinsic(emit, name, NULL, 0, arguments, 2);
}

/* Bit by bit. */
static LLVMValueRef exchange(struct simd_emit *emit, LLVMValueRef value, LLVMValueRef by)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->i32;
    for (unsigned bit = 1; bit < emit->lanes; bit *= 2) {
        LLVMValueRef indices[SIMD_MOST_LANES];
        for (unsigned i = 0; i < emit->lanes; i++) {
            indices[i] = simd_int(i32, i ^ bit);
        }
        LLVMValueRef there = LLVMBuildShuffleVector(b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                                    LLVMConstVector(indices, emit->lanes), "");
        LLVMValueRef set = LLVMBuildAnd(b, by, simd_int(i32, bit), "");
        set = LLVMBuildICmp(b, LLVMIntNE, set, LLVMConstNull(i32), "");
        value = LLVMBuildSelect(b, set, there, value, "");
    }
    return value;
}

/* The lanes' values, or a mask, each in the other one's place. */
static LLVMValueRef cross(struct simd_emit *emit, LLVMValueRef value, LLVMValueRef by)
{
    enum { WORD = 32 };
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(value), i32s = simd_vector_type(emit, emit->lower->i32);
    const char *name = LLVMIsConstant(by) ? NULL : permutation(emit);
    uint64_t bits = LLVMSizeOfTypeInBits(emit->lower->layout, LLVMGetElementType(type));
    if (value == emit->full) {
        return value;
    }
    if (type == emit->mask_type) {
        LLVMValueRef wide = LLVMBuildSExt(b, value, i32s, "");
        wide = cross(emit, wide, by);
        return LLVMBuildICmp(b, LLVMIntSLT, wide, LLVMConstNull(i32s), "");
    }
    if (name == NULL || bits > WORD) {
        return exchange(emit, value, by);
    }
    if (bits < WORD) {
        LLVMValueRef wide = permute(emit, name, LLVMBuildZExt(b, value, i32s, ""), by);
        return LLVMBuildTrunc(b, wide, type, "");
    }
    LLVMValueRef words = permute(emit, name, LLVMBuildBitCast(b, value, i32s, ""), by);
    return LLVMBuildBitCast(b, words, type, "");
}

/* From here on, the mask is that of the row's elements, until it is the lanes' again. */
static LLVMValueRef *cross_mask(struct simd_emit *emit, const struct simd_contiguous *rows,
                                unsigned vector, LLVMValueRef *crossed)
{
    LLVMValueRef *lanes = emit->mask;
    if (lanes != NULL) {
        crossed[vector] = cross(emit, lanes[vector], rows->by[vector]);
        emit->mask = crossed;
    }
    return lanes;
}

LLVMValueRef simd_load_permuted(struct simd_emit *emit, const struct simd_access *access,
                                const struct simd_contiguous *rows, unsigned vector)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = cross_mask(emit, rows, vector, mask);
    LLVMValueRef row = simd_load_contiguous(emit, access, rows->start[0][vector], vector);
    emit->mask = lanes;
    return cross(emit, row, rows->by[vector]);
}

void simd_store_permuted(struct simd_emit *emit, const struct simd_access *access,
                         const struct simd_contiguous *rows, LLVMValueRef value, unsigned vector)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = cross_mask(emit, rows, vector, mask);
    LLVMValueRef row = cross(emit, value, rows->by[vector]);
    simd_store_contiguous(emit, access, row, rows->start[0][vector], vector);
    emit->mask = lanes;
}
