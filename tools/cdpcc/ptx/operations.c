/* Operations of inline PTX on integers and bits that are a few instructions of LLVM, and
 * comparisons. float.c has the arithmetic of float and double.
 *
 * One function for each group of forms (forms.def). Each function is the definition in the PTX
 * manual, operand by operand: operand 0 is the result. For example
 *
 *     mul.wide.s32 d, a, b        sext both to i64, mul
 *     bfe.u32 d, a, pos, len      (a >> pos) & (2^len - 1)
 *     lop3.b32 d, a, b, c, 0xe8   the rows of the truth table with a 1, joined by or
 *
 * Forms with a rounding or saturation that LLVM has no operation for are in the library. Divisions
 * and shifts need no guard here, because the passes divide and shift come later. */
#include "ptx/forms.h"

#include <string.h>

typedef LLVMValueRef (*binary)(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);

static LLVMValueRef number(struct ptx_code *code, unsigned bits, uint64_t value)
{
    return LLVMConstInt(ptx_int(code, bits), value, 0);
}

/* The name of the result; "" if it is no register, which ptx_write complains of. */
static const char *target(const struct ptx_statement *statement)
{
    const struct ptx_operand *first = &statement->operands[0];
    return first->kind == PTX_NAME ? first->name : "";
}

static bool is_signed(struct ptx_type type)
{
    return type.kind == 's';
}

/* The minimum of two numbers without sign. */
static LLVMValueRef smaller(struct ptx_code *code, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef less = LLVMBuildICmp(code->builder, LLVMIntULT, a, b, "");
    return LLVMBuildSelect(code->builder, less, a, b, "");
}

/* Sign-extends signed types, zero-extends the others. */
static LLVMValueRef widen(struct ptx_code *code, LLVMValueRef value, struct ptx_type type,
                          unsigned bits)
{
    LLVMTypeRef wide = ptx_int(code, bits);
    return is_signed(type) ? LLVMBuildSExt(code->builder, value, wide, "")
                           : LLVMBuildZExt(code->builder, value, wide, "");
}

static const struct {
    const char *name;
    binary on_unsigned, on_signed;
} simple[] = {
    {"add", LLVMBuildAdd, LLVMBuildAdd},   {"sub", LLVMBuildSub, LLVMBuildSub},
    {"mul", LLVMBuildMul, LLVMBuildMul},   {"div", LLVMBuildUDiv, LLVMBuildSDiv},
    {"rem", LLVMBuildURem, LLVMBuildSRem}, {"and", LLVMBuildAnd, LLVMBuildAnd},
    {"or", LLVMBuildOr, LLVMBuildOr},      {"xor", LLVMBuildXor, LLVMBuildXor},
};

static binary simple_form(const char *name, struct ptx_type type)
{
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (strcmp(name, simple[i].name) == 0) {
            return is_signed(type) ? simple[i].on_signed : simple[i].on_unsigned;
        }
    }
    return NULL;
}

/* .wide: the whole product; .hi: its upper half. */
static LLVMValueRef product(struct ptx_code *code, const struct ptx_statement *statement,
                            struct ptx_type type)
{
    LLVMValueRef a = ptx_read_as(code, &statement->operands[1], type);
    LLVMValueRef b = ptx_read_as(code, &statement->operands[2], type);
    bool wide = ptx_has(statement, "wide"), high = ptx_has(statement, "hi");
    if (!wide && !high) {
        return LLVMBuildMul(code->builder, a, b, "");
    }
    unsigned bits = 2 * type.bits;
    LLVMValueRef all =
        LLVMBuildMul(code->builder, widen(code, a, type, bits), widen(code, b, type, bits), "");
    if (wide) {
        return all;
    }
    all = LLVMBuildLShr(code->builder, all, number(code, bits, type.bits), "");
    return LLVMBuildTrunc(code->builder, all, ptx_int(code, type.bits), "");
}

bool ptx_do_mul(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    ptx_write(code, target(statement), product(code, statement, type));
    return true;
}

bool ptx_do_mad(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement), sum = type;
    sum.bits = ptx_has(statement, "wide") ? 2 * type.bits : type.bits;
    LLVMValueRef c = ptx_read_as(code, &statement->operands[3], sum);
    LLVMValueRef value = product(code, statement, type);
    ptx_write(code, target(statement), LLVMBuildAdd(code->builder, value, c, ""));
    return true;
}

/* Operations that are one instruction of LLVM. */
bool ptx_do_simple(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    binary build = simple_form(statement->parts[0], type);
    if (build == NULL || type.kind == 0) {
        return false;
    }
    LLVMValueRef a = ptx_read_as(code, &statement->operands[1], type);
    LLVMValueRef b = ptx_read_as(code, &statement->operands[2], type);
    ptx_write(code, target(statement), build(code->builder, a, b, ""));
    return true;
}

/* If one of two floating-point numbers is a NaN, the other one counts. */
bool ptx_do_min_max(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    bool least = strcmp(statement->parts[0], "min") == 0;
    LLVMValueRef a = ptx_read_as(code, &statement->operands[1], type);
    LLVMValueRef b = ptx_read_as(code, &statement->operands[2], type);
    if (type.kind == 'f') {
        LLVMValueRef arguments[] = {a, b};
        const char *name = least ? "llvm.minnum" : "llvm.maxnum";
        LLVMValueRef value = ptx_intrinsic(code, name, LLVMTypeOf(a), arguments, 2);
        ptx_write(code, target(statement), ptx_quiet(code, value));
        return true;
    }
    LLVMIntPredicate is_less = is_signed(type) ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef less = LLVMBuildICmp(code->builder, is_less, a, b, "");
    ptx_write(code, target(statement),
              LLVMBuildSelect(code->builder, less, least ? a : b, least ? b : a, ""));
    return true;
}

/* lower/shift.c guards the shift by the width. */
bool ptx_do_shift(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    LLVMBuilderRef builder = code->builder;
    LLVMValueRef a = ptx_read(code, &statement->operands[1], type.bits);
    LLVMValueRef amount = ptx_read(code, &statement->operands[2], 32);
    amount = smaller(code, amount, number(code, 32, type.bits));
    amount = LLVMBuildIntCast2(builder, amount, ptx_int(code, type.bits), false, "");
    bool left = strcmp(statement->parts[0], "shl") == 0;
    LLVMValueRef value = left              ? LLVMBuildShl(builder, a, amount, "")
                         : is_signed(type) ? LLVMBuildAShr(builder, a, amount, "")
                                           : LLVMBuildLShr(builder, a, amount, "");
    ptx_write(code, target(statement), value);
    return true;
}

/* A move also packs registers into a wider one, or unpacks it: the first element has the low
 * bits. */
bool ptx_do_move(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    const struct ptx_operand *to = &statement->operands[0], *from = &statement->operands[1];
    if (to->kind == PTX_VECTOR) { /* mov.b64 {lo, hi}, x */
        unsigned bits = type.bits / to->element_count;
        LLVMValueRef whole = ptx_read(code, from, type.bits);
        for (unsigned i = 0; i < to->element_count; i++) {
            LLVMValueRef part = LLVMBuildLShr(code->builder, whole,
                                              number(code, type.bits, (uint64_t)i * bits), "");
            ptx_write(code, to->elements[i],
                      LLVMBuildTrunc(code->builder, part, ptx_int(code, bits), ""));
        }
        return true;
    }
    if (from->kind != PTX_VECTOR) {
        ptx_write(code, target(statement), ptx_read(code, from, type.bits));
        return true;
    }
    unsigned bits = type.bits / from->element_count;
    LLVMValueRef whole = number(code, type.bits, 0);
    for (unsigned i = 0; i < from->element_count; i++) {
        LLVMValueRef part = ptx_read_name(code, from->elements[i], bits);
        part = LLVMBuildZExt(code->builder, part, ptx_int(code, type.bits), "");
        part = LLVMBuildShl(code->builder, part, number(code, type.bits, (uint64_t)i * bits), "");
        whole = LLVMBuildOr(code->builder, whole, part, "");
    }
    ptx_write(code, target(statement), whole);
    return true;
}

bool ptx_do_unary(struct ptx_code *code, const struct ptx_statement *statement)
{
    const char *name = statement->parts[0];
    struct ptx_type type = ptx_statement_type(statement);
    LLVMBuilderRef builder = code->builder;
    LLVMValueRef a = ptx_read_as(code, &statement->operands[1], type), value;
    LLVMValueRef with_flag[] = {a, LLVMConstInt(code->lower->types.i1, 0, 0)};
    if (strcmp(name, "not") == 0) {
        value = LLVMBuildNot(builder, a, "");
    } else if (strcmp(name, "cnot") == 0) {
        LLVMValueRef zero = LLVMBuildICmp(builder, LLVMIntEQ, a, LLVMConstNull(LLVMTypeOf(a)), "");
        value = LLVMBuildZExt(builder, zero, LLVMTypeOf(a), "");
    } else if (strcmp(name, "neg") == 0) {
        value = LLVMBuildNeg(builder, a, "");
    } else if (strcmp(name, "abs") == 0) {
        value = ptx_intrinsic(code, "llvm.abs", LLVMTypeOf(a), with_flag, 2);
    } else if (strcmp(name, "brev") == 0) {
        value = ptx_intrinsic(code, "llvm.bitreverse", LLVMTypeOf(a), with_flag, 1);
    } else if (strcmp(name, "popc") == 0) {
        value = ptx_intrinsic(code, "llvm.ctpop", LLVMTypeOf(a), with_flag, 1);
    } else if (strcmp(name, "clz") == 0) {
        value = ptx_intrinsic(code, "llvm.ctlz", LLVMTypeOf(a), with_flag, 2);
    } else {
        return false;
    }
    ptx_write(code, target(statement), value);
    return true;
}

/* "lo", "ls", "hi" and "hs" compare without sign whatever the type. The forms that end with u are
 * also true if a number is a NaN. */
static LLVMValueRef compare(struct ptx_code *code, const struct ptx_statement *statement)
{
    static const struct {
        const char *name;
        LLVMIntPredicate on_unsigned, on_signed;
        LLVMRealPredicate on_float;
    } relations[] = {
        {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
        {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
        {"lt", LLVMIntULT, LLVMIntSLT, LLVMRealOLT},
        {"le", LLVMIntULE, LLVMIntSLE, LLVMRealOLE},
        {"gt", LLVMIntUGT, LLVMIntSGT, LLVMRealOGT},
        {"ge", LLVMIntUGE, LLVMIntSGE, LLVMRealOGE},
        {"lo", LLVMIntULT, LLVMIntULT, 0},
        {"ls", LLVMIntULE, LLVMIntULE, 0},
        {"hi", LLVMIntUGT, LLVMIntUGT, 0},
        {"hs", LLVMIntUGE, LLVMIntUGE, 0},
        {"equ", 0, 0, LLVMRealUEQ},
        {"neu", 0, 0, LLVMRealUNE},
        {"ltu", 0, 0, LLVMRealULT},
        {"leu", 0, 0, LLVMRealULE},
        {"gtu", 0, 0, LLVMRealUGT},
        {"geu", 0, 0, LLVMRealUGE},
        {"num", 0, 0, LLVMRealORD},
        {"nan", 0, 0, LLVMRealUNO},
    };
    struct ptx_type type = ptx_statement_type(statement);
    LLVMValueRef a = ptx_read_as(code, &statement->operands[1], type);
    LLVMValueRef b = ptx_read_as(code, &statement->operands[2], type);
    if (type.kind == 'f' && ptx_has(statement, "ftz")) {
        a = ptx_flush(code, a);
        b = ptx_flush(code, b);
    }
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        LLVMIntPredicate on_integer =
            is_signed(type) ? relations[i].on_signed : relations[i].on_unsigned;
        if (strcmp(statement->parts[1], relations[i].name) != 0 ||
            (type.kind == 'f' ? relations[i].on_float == 0 : on_integer == 0)) {
            continue;
        }
        return type.kind == 'f' ? LLVMBuildFCmp(code->builder, relations[i].on_float, a, b, "")
                                : LLVMBuildICmp(code->builder, on_integer, a, b, "");
    }
    return NULL;
}

/* Joins the relation with operand 3, if the opcode says how. */
static LLVMValueRef joined(struct ptx_code *code, const struct ptx_statement *statement,
                           LLVMValueRef holds)
{
    if (statement->operand_count == 3) {
        return holds;
    }
    LLVMValueRef other = ptx_read(code, &statement->operands[3], 1);
    return ptx_has(statement, "and")  ? LLVMBuildAnd(code->builder, holds, other, "")
           : ptx_has(statement, "or") ? LLVMBuildOr(code->builder, holds, other, "")
                                      : LLVMBuildXor(code->builder, holds, other, "");
}

/* d|p, a, b{, c}: p gets the same with the opposite relation. */
bool ptx_do_compare(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef holds = compare(code, statement);
    if (holds == NULL) {
        return false;
    }
    /* Both are computed first: the results may be operands, too. */
    LLVMValueRef first = joined(code, statement, holds);
    LLVMValueRef second = joined(code, statement, LLVMBuildNot(code->builder, holds, ""));
    ptx_write(code, target(statement), first);
    if (statement->operands[0].second != NULL) {
        ptx_write(code, statement->operands[0].second, second);
    }
    return true;
}

/* All bits, or 1.0, if the relation holds; else 0. */
bool ptx_do_set(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef holds = compare(code, statement);
    if (holds == NULL) {
        return false;
    }
    const uint64_t one = 0x3f800000;
    bool is_float = strcmp(statement->parts[statement->part_count - 2], "f32") == 0;
    LLVMValueRef yes = number(code, 32, is_float ? one : UINT32_MAX);
    ptx_write(code, target(statement),
              LLVMBuildSelect(code->builder, joined(code, statement, holds), yes,
                              number(code, 32, 0), ""));
    return true;
}

/* selp d, a, b, p: a if p. */
bool ptx_do_select(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    LLVMValueRef a = ptx_read(code, &statement->operands[1], type.bits);
    LLVMValueRef b = ptx_read(code, &statement->operands[2], type.bits);
    LLVMValueRef condition = ptx_read(code, &statement->operands[3], 1);
    ptx_write(code, target(statement), LLVMBuildSelect(code->builder, condition, a, b, ""));
    return true;
}

/* ones(n): the n low bits of 64 set; n may be 64 or less. */
static LLVMValueRef ones(struct ptx_code *code, LLVMValueRef count)
{
    LLVMValueRef one = number(code, 128, 1);
    LLVMValueRef wide = LLVMBuildZExt(code->builder, count, ptx_int(code, 128), "");
    LLVMValueRef mask = LLVMBuildShl(code->builder, one, wide, "");
    mask = LLVMBuildSub(code->builder, mask, one, "");
    return LLVMBuildTrunc(code->builder, mask, code->lower->types.i64, "");
}

/* The low byte of an operand, at most limit: PTX reads positions and lengths like this. */
static LLVMValueRef low_byte(struct ptx_code *code, const struct ptx_operand *operand,
                             uint64_t limit)
{
    LLVMValueRef value = ptx_read(code, operand, 64);
    value = LLVMBuildAnd(code->builder, value, number(code, 64, 0xff), "");
    return smaller(code, value, number(code, 64, limit));
}

/* The field of b bits, sign-extended from its highest existing bit. */
bool ptx_do_extract(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    LLVMBuilderRef builder = code->builder;
    if (type.bits != 32) {
        return false;
    }
    LLVMValueRef a = widen(code, ptx_read(code, &statement->operands[1], 32), type, 64);
    LLVMValueRef position = low_byte(code, &statement->operands[2], 32);
    LLVMValueRef length = low_byte(code, &statement->operands[3], 32);
    LLVMValueRef field = is_signed(type) ? LLVMBuildAShr(builder, a, position, "")
                                         : LLVMBuildLShr(builder, a, position, "");
    field = LLVMBuildAnd(builder, field, ones(code, length), "");
    if (is_signed(type)) {
        LLVMValueRef unused = LLVMBuildSub(builder, number(code, 64, 64), length, "");
        LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntEQ, length, number(code, 64, 0), "");
        unused = smaller(code, unused, number(code, 64, 63));
        field = LLVMBuildShl(builder, field, unused, "");
        field = LLVMBuildAShr(builder, field, unused, "");
        field = LLVMBuildSelect(builder, none, number(code, 64, 0), field, "");
    }
    ptx_write(code, target(statement), field);
    return true;
}

/* bfi d, a, b, pos, len: the low bits of a, inserted into b. */
bool ptx_do_insert(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMBuilderRef builder = code->builder;
    if (ptx_statement_type(statement).bits != 32) {
        return false;
    }
    LLVMValueRef from = ptx_read(code, &statement->operands[1], 64);
    LLVMValueRef into = ptx_read(code, &statement->operands[2], 64);
    LLVMValueRef position = low_byte(code, &statement->operands[3], 32);
    LLVMValueRef mask = ones(code, low_byte(code, &statement->operands[4], 32));
    from = LLVMBuildShl(builder, LLVMBuildAnd(builder, from, mask, ""), position, "");
    mask = LLVMBuildNot(builder, LLVMBuildShl(builder, mask, position, ""), "");
    into = LLVMBuildOr(builder, LLVMBuildAnd(builder, into, mask, ""), from, "");
    ptx_write(code, target(statement), into);
    return true;
}

/* The highest bit that differs from the sign bit; all ones if there is none. */
bool ptx_do_find(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    LLVMBuilderRef builder = code->builder;
    LLVMValueRef a = ptx_read(code, &statement->operands[1], type.bits);
    LLVMTypeRef wide = LLVMTypeOf(a);
    if (is_signed(type)) {
        LLVMValueRef sign = LLVMBuildAShr(builder, a, number(code, type.bits, type.bits - 1), "");
        a = LLVMBuildXor(builder, a, sign, "");
    }
    LLVMValueRef arguments[] = {a, LLVMConstInt(code->lower->types.i1, 0, 0)};
    LLVMValueRef zeros = ptx_intrinsic(code, "llvm.ctlz", wide, arguments, 2);
    LLVMValueRef last = number(code, type.bits, type.bits - 1);
    LLVMValueRef value =
        ptx_has(statement, "shiftamt") ? zeros : LLVMBuildSub(builder, last, zeros, "");
    LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntEQ, a, LLVMConstNull(wide), "");
    value = LLVMBuildTruncOrBitCast(builder, value, code->lower->types.i32, "");
    value = LLVMBuildSelect(builder, none, LLVMConstAllOnes(code->lower->types.i32), value, "");
    ptx_write(code, target(statement), value);
    return true;
}

/* Any function of three bits: bit abc of the table is the result for a, b and c. */
bool ptx_do_logic(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMBuilderRef builder = code->builder;
    if (statement->operand_count != 5 || statement->operands[4].kind != PTX_NUMBER) {
        return false;
    }
    uint64_t truth = statement->operands[4].number;
    LLVMValueRef value = number(code, 32, 0);
    for (unsigned row = 0; row < 8; row++) {
        if ((truth >> row & 1) == 0) {
            continue;
        }
        LLVMValueRef term = LLVMConstAllOnes(code->lower->types.i32);
        for (unsigned i = 0; i < 3; i++) {
            LLVMValueRef input = ptx_read(code, &statement->operands[i + 1], 32);
            bool wanted = (row >> (2 - i) & 1) != 0;
            input = wanted ? input : LLVMBuildNot(builder, input, "");
            term = LLVMBuildAnd(builder, term, input, "");
        }
        value = LLVMBuildOr(builder, value, term, "");
    }
    ptx_write(code, target(statement), value);
    return true;
}

/* Selects four of eight bytes; bit 3 of a selector replicates the byte's sign. */
bool ptx_do_permute(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMBuilderRef builder = code->builder;
    if (statement->part_count != 2) { /* f4e, rc8 and the like */
        return false;
    }
    LLVMValueRef low = ptx_read(code, &statement->operands[1], 64);
    LLVMValueRef high = ptx_read(code, &statement->operands[2], 64);
    LLVMValueRef selectors = ptx_read(code, &statement->operands[3], 64);
    high = LLVMBuildShl(builder, high, number(code, 64, 32), "");
    LLVMValueRef bytes = LLVMBuildOr(builder, low, high, ""), value = number(code, 64, 0);
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef selector =
            LLVMBuildLShr(builder, selectors, number(code, 64, (uint64_t)i * 4), "");
        LLVMValueRef which = LLVMBuildAnd(builder, selector, number(code, 64, 7), "");
        which = LLVMBuildShl(builder, which, number(code, 64, 3), "");
        LLVMValueRef byte = LLVMBuildLShr(builder, bytes, which, "");
        byte = LLVMBuildTrunc(builder, byte, code->lower->types.i8, "");
        LLVMValueRef sign = LLVMBuildAShr(builder, byte, number(code, 8, 7), "");
        LLVMValueRef mode = LLVMBuildAnd(builder, selector, number(code, 64, 8), "");
        LLVMValueRef spread = LLVMBuildICmp(builder, LLVMIntNE, mode, number(code, 64, 0), "");
        byte = LLVMBuildSelect(builder, spread, sign, byte, "");
        byte = LLVMBuildZExt(builder, byte, code->lower->types.i64, "");
        byte = LLVMBuildShl(builder, byte, number(code, 64, (uint64_t)i * 8), "");
        value = LLVMBuildOr(builder, value, byte, "");
    }
    ptx_write(code, target(statement), value);
    return true;
}

/* Addresses of all spaces are the same, except for those of shared memory in 32 bits. */
bool ptx_do_to_address(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef address = ptx_read(code, &statement->operands[1], 64);
    if (ptx_has(statement, "shared") && !ptx_has(statement, "to")) {
        address = ptx_shared_address(code, statement, address);
    }
    ptx_write(code, target(statement), address);
    return true;
}
