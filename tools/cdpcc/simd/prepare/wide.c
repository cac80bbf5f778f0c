/* Splits integers of more than 64 bits, which are no elements of vectors: products of 64-bit
 * numbers (__umul64hi), __int128, and what LLVM makes of structures (a float3 is copied as i96).
 *
 * Each value is replaced by its pieces, from its operands to its uses. Phis come first, since their
 * operands may come later. What has no form of pieces, such as a division or a conversion to
 * float, becomes a call of a function for each piece of the result:
 *
 *     %q = udiv i128 %a, %b               %q0 = call i64 @cdp.wide(a0, a1, b0, b1)
 *                                         %q1 = call i64 @cdp.wide.1(a0, a1, b0, b1)
 *
 * The function has no effects, so LLVM deletes the call whose result nothing uses. */
#include "simd/prepare/wide.h"

#include "ir/value.h"
#include "simd/ir/wide_calls.h"
#include "simd/prepare/pieces.h"
#include "support/arena.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_WIDTH = SIMD_PIECE * SIMD_MOST_PIECES, LEAST_ODD = 17, FULL = 128 };

/* What has been split of one function. */
struct wide {
    struct lower_context *lower;
    struct lower_map numbers; /* of values: the index of their pieces */
    struct simd_pieces **pieces;
    size_t count;
    struct lower_list found; /* the instructions to replace */
};

static unsigned width_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool is_wide(LLVMValueRef value)
{
    return width_of(LLVMTypeOf(value)) > SIMD_PIECE;
}

/* Loaded or stored by one instruction; three, five, six or seven bytes. */
static bool is_odd(LLVMValueRef value)
{
    enum { BYTE = 8 };
    unsigned width = width_of(LLVMTypeOf(value)), bytes = (width + BYTE - 1) / BYTE;
    return width >= LEAST_ODD && width < SIMD_PIECE && (bytes & (bytes - 1)) != 0;
}

/* ---- what is split ---- */

static bool is_access(LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL;
}

static LLVMValueRef accessed(LLVMValueRef access)
{
    return LLVMIsALoadInst(access) != NULL ? access : LLVMGetOperand(access, 0);
}

static bool is_wanted(LLVMValueRef at)
{
    if (is_wide(at) || (is_access(at) && is_odd(accessed(at)))) {
        return true;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
        if (is_wide(LLVMGetOperand(at, i))) {
            return true;
        }
    }
    return false;
}

/* A number of at most 256 bits, or a floating-point number that scalars hold. */
static bool is_passed(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind ||
           kind == LLVMPointerTypeKind || (width_of(type) != 0 && width_of(type) <= MOST_WIDTH);
}

/* It depends on its operands alone, so a function may compute it. */
static bool is_computed(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    if (LLVMIsACallInst(at) != NULL &&
        (callee == NULL || LLVMGetIntrinsicID(callee) == 0 || !lower_accesses_no_memory(callee))) {
        return false;
    }
    return LLVMIsABinaryOperator(at) != NULL || LLVMIsACastInst(at) != NULL ||
           LLVMIsACallInst(at) != NULL;
}

static bool is_possible(LLVMValueRef at)
{
    if (is_access(at)) {
        return !LLVMGetVolatile(at) && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic &&
               width_of(LLVMTypeOf(accessed(at))) <= MOST_WIDTH;
    }
    for (unsigned i = 0; LLVMIsAPHINode(at) == NULL && i < (unsigned)LLVMGetNumOperands(at); i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        if (LLVMIsAFunction(operand) == NULL && !is_passed(LLVMTypeOf(operand))) {
            return false;
        }
    }
    return is_passed(LLVMTypeOf(at)) &&
           (is_computed(at) || LLVMIsAPHINode(at) != NULL || LLVMIsASelectInst(at) != NULL ||
            LLVMIsAICmpInst(at) != NULL || LLVMIsAFreezeInst(at) != NULL);
}

/* False: an instruction prevents it. */
static bool find(struct wide *wide, LLVMValueRef function)
{
    wide->found = lower_instructions(function, is_wanted);
    for (size_t i = 0; i < wide->found.count; i++) {
        if (!is_possible(wide->found.items[i])) {
            return false;
        }
    }
    return true;
}

/* ---- pieces of values ---- */

static void remember(struct wide *wide, LLVMValueRef value, struct simd_pieces pieces)
{
    struct simd_pieces *kept = arena_alloc(sizeof *kept);
    *kept = pieces;
    lower_map_put(&wide->numbers, value, (unsigned)wide->count);
    LOWER_PUSH(wide->pieces, wide->count, kept);
}

static void split(struct wide *wide, LLVMValueRef at);

/* The pieces of a number of any width. A constant is folded. */
static struct simd_pieces pieces_of(struct wide *wide, const struct simd_split *to,
                                    LLVMValueRef value) /* NOLINT(misc-no-recursion) */
{
    unsigned number = 0, width = width_of(LLVMTypeOf(value));
    if (LLVMIsAInstruction(value) != NULL && width > SIMD_PIECE) {
        if (!lower_map_find(&wide->numbers, value, &number)) {
            split(wide, value);
            lower_map_find(&wide->numbers, value, &number);
        }
        return *wide->pieces[number];
    }
    struct simd_pieces result = {.width = width};
    for (unsigned i = 0; i < simd_piece_count(width); i++) {
        LLVMTypeRef i64 = to->lower->types.i64;
        LLVMValueRef by = LLVMConstInt(LLVMTypeOf(value), (uint64_t)i * SIMD_PIECE, 0);
        result.part[i] =
            width <= SIMD_PIECE
                ? LLVMBuildZExt(to->builder, value, i64, "")
                : LLVMBuildTrunc(to->builder, LLVMBuildLShr(to->builder, value, by, ""), i64, "");
    }
    return result;
}

/* The number of a type of at most 64 bits. */
static LLVMValueRef narrow(const struct simd_split *to, const struct simd_pieces *pieces)
{
    LLVMTypeRef type = LLVMIntTypeInContext(to->lower->llvm, pieces->width);
    return LLVMBuildTrunc(to->builder, pieces->part[0], type, "");
}

static void finish(struct wide *wide, const struct simd_split *to, LLVMValueRef at,
                   struct simd_pieces result)
{
    if (result.width > SIMD_PIECE) {
        remember(wide, at, result);
    } else {
        LLVMReplaceAllUsesWith(at, narrow(to, &result));
    }
}

/* ---- what has no form of pieces ---- */

/* The operands of a call, without its callee. */
static unsigned operand_count(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL ? LLVMGetNumArgOperands(at)
                                       : (unsigned)LLVMGetNumOperands(at);
}

/* The numbers and pieces that a function takes. Constants are in the function itself. */
struct arguments {
    LLVMValueRef items[3 * SIMD_MOST_PIECES];
    LLVMTypeRef types[3 * SIMD_MOST_PIECES];
    unsigned count;
};

static void pass(struct arguments *arguments, LLVMValueRef value)
{
    arguments->types[arguments->count] = LLVMTypeOf(value);
    arguments->items[arguments->count++] = value;
}

static struct arguments collect(struct wide *wide, const struct simd_split *to,
                                LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    struct arguments result = {.count = 0};
    for (unsigned i = 0; i < operand_count(at); i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        if (LLVMIsConstant(operand)) {
            continue;
        }
        if (!is_wide(operand)) {
            pass(&result, operand);
            continue;
        }
        struct simd_pieces pieces = pieces_of(wide, to, operand);
        for (unsigned p = 0; p < simd_piece_count(pieces.width); p++) {
            pass(&result, pieces.part[p]);
        }
    }
    return result;
}

/* The number of the type, of the function's parameters from *next on. */
static LLVMValueRef join(LLVMBuilderRef b, LLVMValueRef function, LLVMTypeRef type, unsigned *next)
{
    LLVMValueRef result = LLVMConstNull(type);
    for (unsigned bit = 0; bit < width_of(type); bit += SIMD_PIECE) {
        LLVMValueRef part = LLVMBuildZExt(b, LLVMGetParam(function, (*next)++), type, "");
        part = LLVMBuildShl(b, part, LLVMConstInt(type, bit, 0), "");
        result = LLVMBuildOr(b, result, part, "");
    }
    return result;
}

/* A division may be computed although no lane is active. Then the divisor may be zero. */
static void guard_divisor(LLVMBuilderRef b, LLVMValueRef division)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(division);
    if (opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem) {
        LLVMValueRef by = LLVMGetOperand(division, 1), one = LLVMConstInt(LLVMTypeOf(by), 1, 0);
        LLVMValueRef is_zero = LLVMBuildICmp(b, LLVMIntEQ, by, LLVMConstNull(LLVMTypeOf(by)), "");
        LLVMSetOperand(division, 1, LLVMBuildSelect(b, is_zero, one, by, ""));
    }
}

static LLVMValueRef build_clone(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef at)
{
    LLVMValueRef clone = LLVMInstructionClone(at);
    unsigned next = 0;
    for (unsigned i = 0; i < operand_count(at); i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        if (!LLVMIsConstant(operand)) {
            LLVMValueRef value = is_wide(operand) ? join(b, function, LLVMTypeOf(operand), &next)
                                                  : LLVMGetParam(function, next++);
            LLVMSetOperand(clone, i, value);
        }
    }
    guard_divisor(b, clone);
    LLVMInsertIntoBuilder(b, clone);
    LLVMInstructionSetDebugLoc(clone, NULL);
    return clone;
}

static LLVMValueRef create_function(struct wide *wide, LLVMTypeRef type)
{
    static const char *const attributes[] = {"nounwind", "willreturn", "nosync", "nofree"};
    LLVMValueRef function = LLVMAddFunction(wide->lower->module, SIMD_WIDE_ARITHMETIC, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        lower_add_attribute(wide->lower, function, attributes[i]);
    }
    lower_add_memory_attribute(wide->lower, function, LOWER_NO_MEMORY);
    return function;
}

/* A call that computes one piece of the instruction's result, or a result of at most 64 bits. */
static LLVMValueRef call_for(struct wide *wide, const struct simd_split *to, LLVMValueRef at,
                             struct arguments *passed, unsigned piece)
{
    LLVMTypeRef result = LLVMTypeOf(at), i64 = wide->lower->types.i64;
    LLVMTypeRef type =
        LLVMFunctionType(is_wide(at) ? i64 : result, passed->types, passed->count, 0);
    LLVMValueRef function = create_function(wide, type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(wide->lower->llvm);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(wide->lower->llvm, function, ""));
    LLVMValueRef value = build_clone(b, function, at);
    if (is_wide(at)) {
        LLVMValueRef by = LLVMConstInt(result, (uint64_t)piece * SIMD_PIECE, 0);
        value = LLVMBuildTrunc(b, LLVMBuildLShr(b, value, by, ""), i64, "");
    }
    LLVMBuildRet(b, value);
    LLVMDisposeBuilder(b);
    return LLVMBuildCall2(to->builder, type, function, passed->items, passed->count, "");
}

static void split_by_calls(struct wide *wide, const struct simd_split *to,
                           LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    struct arguments passed = collect(wide, to, at);
    if (!is_wide(at)) {
        LLVMReplaceAllUsesWith(at, call_for(wide, to, at, &passed, 0));
        return;
    }
    struct simd_pieces result = {.width = width_of(LLVMTypeOf(at))};
    for (unsigned i = 0; i < simd_piece_count(result.width); i++) {
        result.part[i] = call_for(wide, to, at, &passed, i);
    }
    remember(wide, at, result);
}

/* ---- instructions ---- */

static bool is_shift(LLVMOpcode opcode)
{
    return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

/* False: it has no form of pieces. */
static bool split_binary(struct wide *wide, const struct simd_split *to,
                         LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    LLVMValueRef second = LLVMGetOperand(at, 1);
    unsigned width = width_of(LLVMTypeOf(at));
    bool is_constant = LLVMIsAConstantInt(second) != NULL;
    bool is_bitwise = opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
    bool is_sum = opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul;
    bool has_form = is_shift(opcode)
                        ? is_constant || width == FULL
                        : is_bitwise || (is_sum && (opcode != LLVMMul || width <= FULL));
    if (!has_form) {
        return false;
    }
    struct simd_pieces a = pieces_of(wide, to, LLVMGetOperand(at, 0));
    struct simd_pieces b = pieces_of(wide, to, second), result;
    if (!is_shift(opcode)) {
        result = simd_pieces_binary(to, opcode, &a, &b);
    } else if (is_constant) {
        uint64_t by = LLVMConstIntGetZExtValue(b.part[0]);
        result = simd_pieces_shift(to, opcode, &a, by < width ? (unsigned)by : 0);
    } else {
        result = simd_pieces_shift_by(to, opcode, &a, b.part[0]);
    }
    remember(wide, at, result);
    return true;
}

static void split_access(struct wide *wide, const struct simd_split *to,
                         LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    if (LLVMIsALoadInst(at) != NULL) {
        finish(wide, to, at, simd_pieces_load(to, at, width_of(LLVMTypeOf(at))));
        return;
    }
    struct simd_pieces stored = pieces_of(wide, to, LLVMGetOperand(at, 0));
    simd_pieces_store(to, at, &stored);
}

static void split_select(struct wide *wide, const struct simd_split *to,
                         LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    struct simd_pieces a = pieces_of(wide, to, LLVMGetOperand(at, 1));
    struct simd_pieces b = pieces_of(wide, to, LLVMGetOperand(at, 2)), result = a;
    for (unsigned i = 0; i < simd_piece_count(a.width); i++) {
        result.part[i] =
            LLVMBuildSelect(to->builder, LLVMGetOperand(at, 0), a.part[i], b.part[i], "");
    }
    remember(wide, at, result);
}

static void split_freeze(struct wide *wide, const struct simd_split *to,
                         LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    struct simd_pieces a = pieces_of(wide, to, LLVMGetOperand(at, 0));
    for (unsigned i = 0; i < simd_piece_count(a.width); i++) {
        a.part[i] = LLVMBuildFreeze(to->builder, a.part[i], "");
    }
    remember(wide, at, a);
}

static bool split_cast(struct wide *wide, const struct simd_split *to,
                       LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    if (opcode != LLVMZExt && opcode != LLVMSExt && opcode != LLVMTrunc) {
        return false;
    }
    struct simd_pieces a = pieces_of(wide, to, LLVMGetOperand(at, 0));
    finish(wide, to, at, simd_pieces_resize(to, &a, width_of(LLVMTypeOf(at)), opcode == LLVMSExt));
    return true;
}

static void split_compare(struct wide *wide, const struct simd_split *to,
                          LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    struct simd_pieces a = pieces_of(wide, to, LLVMGetOperand(at, 0));
    struct simd_pieces b = pieces_of(wide, to, LLVMGetOperand(at, 1));
    LLVMReplaceAllUsesWith(at, simd_pieces_compare(to, LLVMGetICmpPredicate(at), &a, &b));
}

/* Its phis have been split before. */
static void split(struct wide *wide, LLVMValueRef at) /* NOLINT(misc-no-recursion) */
{
    struct simd_split to = {wide->lower, lower_builder_before(wide->lower, at)};
    bool is_done = true;
    if (is_access(at)) {
        split_access(wide, &to, at);
    } else if (LLVMIsASelectInst(at) != NULL) {
        split_select(wide, &to, at);
    } else if (LLVMIsAFreezeInst(at) != NULL) {
        split_freeze(wide, &to, at);
    } else if (LLVMIsAICmpInst(at) != NULL) {
        split_compare(wide, &to, at);
    } else if (LLVMIsACastInst(at) != NULL) {
        is_done = split_cast(wide, &to, at);
    } else {
        is_done = LLVMIsABinaryOperator(at) != NULL && split_binary(wide, &to, at);
    }
    if (!is_done) {
        split_by_calls(wide, &to, at);
    }
    LLVMDisposeBuilder(to.builder);
}

static void split_phi(struct wide *wide, LLVMValueRef phi)
{
    LLVMBuilderRef b = lower_builder_before(wide->lower, phi);
    struct simd_pieces result = {.width = width_of(LLVMTypeOf(phi))};
    for (unsigned i = 0; i < simd_piece_count(result.width); i++) {
        result.part[i] = LLVMBuildPhi(b, wide->lower->types.i64, "");
    }
    remember(wide, phi, result);
    LLVMDisposeBuilder(b);
}

static void connect_phi(struct wide *wide, LLVMValueRef phi)
{
    unsigned number = 0;
    lower_map_find(&wide->numbers, phi, &number);
    struct simd_pieces *pieces = wide->pieces[number];
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        struct simd_split to = {wide->lower, lower_builder_before(wide->lower, end)};
        struct simd_pieces incoming = pieces_of(wide, &to, LLVMGetIncomingValue(phi, i));
        for (unsigned p = 0; p < simd_piece_count(pieces->width); p++) {
            LLVMAddIncoming(pieces->part[p], &incoming.part[p], &from, 1);
        }
        LLVMDisposeBuilder(to.builder);
    }
}

/* No use is left but those by each other. */
static void erase(const struct wide *wide)
{
    for (size_t i = 0; i < wide->found.count; i++) {
        LLVMValueRef at = wide->found.items[i];
        if (LLVMGetFirstUse(at) != NULL) {
            LLVMReplaceAllUsesWith(at, LLVMGetPoison(LLVMTypeOf(at)));
        }
    }
    for (size_t i = 0; i < wide->found.count; i++) {
        LLVMInstructionEraseFromParent(wide->found.items[i]);
    }
}

static bool is_phi(LLVMValueRef at)
{
    return LLVMIsAPHINode(at) != NULL;
}

bool simd_split_wide(struct lower_context *lower, LLVMValueRef function)
{
    struct wide wide = {.lower = lower};
    if (!find(&wide, function) || wide.found.count == 0) {
        return false;
    }
    for (size_t i = 0; i < wide.found.count; i++) {
        if (is_phi(wide.found.items[i])) {
            split_phi(&wide, wide.found.items[i]);
        }
    }
    for (size_t i = 0; i < wide.found.count; i++) {
        unsigned number;
        LLVMValueRef at = wide.found.items[i];
        if (!is_phi(at) && !lower_map_find(&wide.numbers, at, &number)) {
            split(&wide, at);
        }
    }
    for (size_t i = 0; i < wide.found.count; i++) {
        if (is_phi(wide.found.items[i])) {
            connect_phi(&wide, wide.found.items[i]);
        }
    }
    erase(&wide);
    return true;
}
