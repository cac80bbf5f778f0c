/* cvt between scalar types. The forms of pairs are in the library.
 *
 *     cvt.rni.s32.f32 d, a     to the nearest integer; out of range saturates, a NaN gives 0
 *     cvt.rz.f16.f32 d, a      directed roundings are calls of the library
 *     cvt.sat.u8.s32 d, a      clamped to the range
 *
 * A value passes through up to three types: a half becomes a float first, which is exact, and an
 * integer of less than 32 bits comes from one of 32 bits. */
#include "ptx/forms.h"
#include "support/str.h"

#include <string.h>

/* A scalar type. A half is an integer in LLVM, until it is widened. */
struct scalar {
    bool is_float, is_signed, is_half, is_bfloat;
    unsigned bits;
};

static struct scalar scalar_of(const char *name)
{
    if (strcmp(name, "f16") == 0 || strcmp(name, "bf16") == 0) {
        return (struct scalar){
            .is_float = true, .is_half = true, .is_bfloat = name[0] == 'b', .bits = 16};
    }
    struct ptx_type type = ptx_type_of(name);
    return (struct scalar){
        .is_float = type.kind == 'f', .is_signed = type.kind == 's', .bits = type.bits};
}

static LLVMValueRef constant(struct ptx_code *code, unsigned bits, uint64_t value)
{
    return LLVMConstInt(ptx_int(code, bits), value, 0);
}

static LLVMTypeRef real(struct ptx_code *code, unsigned bits)
{
    return bits == 64 ? LLVMDoubleTypeInContext(code->lower->llvm)
                      : LLVMFloatTypeInContext(code->lower->llvm);
}

/* The number of the rounding in the library: 1 to nearest, 2 to zero, 3 down, 4 up. */
static unsigned rounding(const struct ptx_statement *statement)
{
    bool is_down = ptx_has(statement, "rm") || ptx_has(statement, "rmi");
    bool is_up = ptx_has(statement, "rp") || ptx_has(statement, "rpi");
    bool is_zero = ptx_has(statement, "rz") || ptx_has(statement, "rzi");
    return is_zero ? 2 : is_down ? 3 : is_up ? 4 : 1;
}

/* Calls the library with a value as bits and up to three numbers. */
static LLVMValueRef call(struct ptx_code *code, const char *name, unsigned bits, LLVMValueRef value,
                         unsigned first, unsigned second, unsigned third)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
        unsigned from = (unsigned)LLVMSizeOfTypeInBits(code->lower->layout, type);
        value = LLVMBuildBitCast(code->builder, value, ptx_int(code, from), "");
    }
    LLVMValueRef arguments[] = {value, constant(code, 32, first), constant(code, 32, second),
                                constant(code, 32, third)};
    return ptx_call(code, str_format("cdp.ptx.%s", name), ptx_int(code, bits), arguments, 4);
}

/* To an integral value of the same type. */
static LLVMValueRef round_to_integral(struct ptx_code *code, LLVMValueRef value, unsigned mode)
{
    static const char *const names[] = {"", "llvm.roundeven", "llvm.trunc", "llvm.floor",
                                        "llvm.ceil"};
    return ptx_intrinsic(code, names[mode], LLVMTypeOf(value), &value, 1);
}

/* Clamps an integer of from to the range of to, in 128 bits. */
static LLVMValueRef clamp_integer(struct ptx_code *code, LLVMValueRef value, struct scalar from,
                                  struct scalar to)
{
    LLVMBuilderRef builder = code->builder;
    LLVMTypeRef wide = ptx_int(code, 128);
    value = from.is_signed ? LLVMBuildSExt(builder, value, wide, "")
                           : LLVMBuildZExt(builder, value, wide, "");
    LLVMValueRef one = LLVMConstInt(wide, 1, 0);
    LLVMValueRef limit =
        LLVMBuildShl(builder, one, LLVMConstInt(wide, to.bits - to.is_signed, 0), "");
    LLVMValueRef most = LLVMBuildSub(builder, limit, one, "");
    LLVMValueRef least = to.is_signed ? LLVMBuildNeg(builder, limit, "") : LLVMConstNull(wide);
    LLVMValueRef above = LLVMBuildICmp(builder, LLVMIntSGT, value, most, "");
    value = LLVMBuildSelect(builder, above, most, value, "");
    LLVMValueRef below = LLVMBuildICmp(builder, LLVMIntSLT, value, least, "");
    value = LLVMBuildSelect(builder, below, least, value, "");
    return LLVMBuildTrunc(builder, value, ptx_int(code, to.bits), "");
}

static LLVMValueRef integer_to_integer(struct ptx_code *code, const struct ptx_statement *statement,
                                       LLVMValueRef value, struct scalar from, struct scalar to)
{
    if (ptx_has(statement, "sat")) {
        return clamp_integer(code, value, from, to);
    }
    LLVMTypeRef type = ptx_int(code, to.bits);
    return from.is_signed
               ? LLVMBuildSExtOrBitCast(
                     code->builder,
                     from.bits > to.bits ? LLVMBuildTrunc(code->builder, value, type, "") : value,
                     type, "")
               : LLVMBuildIntCast2(code->builder, value, type, false, "");
}

/* The pass convert gives LLVM's conversion a GPU's results out of range. A NaN of a double gives
 * the highest bit in all types. */
static LLVMValueRef float_to_integer(struct ptx_code *code, LLVMValueRef value, struct scalar to,
                                     unsigned mode)
{
    LLVMValueRef source = value;
    struct scalar through = {.is_signed = to.is_signed || to.bits < 32,
                             .bits = to.bits < 32 ? 32 : to.bits};
    LLVMTypeRef type = ptx_int(code, through.bits);
    value = round_to_integral(code, value, mode);
    value = through.is_signed ? LLVMBuildFPToSI(code->builder, value, type, "")
                              : LLVMBuildFPToUI(code->builder, value, type, "");
    if (to.bits >= 32) {
        return value;
    }
    value = clamp_integer(code, value, through, to);
    if (to.is_signed || LLVMTypeOf(source) != real(code, 64)) {
        return value;
    }
    LLVMValueRef is_nan = LLVMBuildFCmp(code->builder, LLVMRealUNO, source, source, "");
    LLVMValueRef top = constant(code, to.bits, 1ull << (to.bits - 1));
    return LLVMBuildSelect(code->builder, is_nan, top, value, "");
}

static LLVMValueRef integer_to_float(struct ptx_code *code, LLVMValueRef value, struct scalar from,
                                     struct scalar to, unsigned mode)
{
    if (!to.is_half && mode == 1) {
        return from.is_signed ? LLVMBuildSIToFP(code->builder, value, real(code, to.bits), "")
                              : LLVMBuildUIToFP(code->builder, value, real(code, to.bits), "");
    }
    LLVMTypeRef wide = code->lower->types.i64;
    value = from.is_signed ? LLVMBuildSExtOrBitCast(code->builder, value, wide, "")
                           : LLVMBuildZExtOrBitCast(code->builder, value, wide, "");
    if (to.is_half) {
        return call(code, "half_of_integer", 16, value, from.is_signed, mode, to.is_bfloat);
    }
    const char *name = to.bits == 64 ? "double_of_integer" : "float_of_integer";
    value = call(code, name, to.bits, value, from.is_signed, mode, 0);
    return LLVMBuildBitCast(code->builder, value, real(code, to.bits), "");
}

/* Bits of a half after its own modifiers. */
static LLVMValueRef finish_half(struct ptx_code *code, const struct ptx_statement *statement,
                                LLVMValueRef bits, struct scalar to)
{
    unsigned choice = ptx_has(statement, "sat") ? 1 : ptx_has(statement, "satfinite") ? 2 : 0;
    if (choice == 0 && !ptx_has(statement, "relu")) {
        return bits;
    }
    return call(code, "limit_half", 16, bits, choice, ptx_has(statement, "relu"), to.is_bfloat);
}

static LLVMValueRef float_to_half(struct ptx_code *code, const struct ptx_statement *statement,
                                  LLVMValueRef value, struct scalar to, unsigned mode)
{
    bool is_double = LLVMTypeOf(value) == real(code, 64);
    const char *name = is_double ? "half_of_double" : "half_of_float";
    LLVMValueRef bits = call(code, name, 16, value, mode, to.is_bfloat, 0);
    return finish_half(code, statement, bits, to);
}

static LLVMValueRef float_to_float(struct ptx_code *code, const struct ptx_statement *statement,
                                   LLVMValueRef value, struct scalar from, struct scalar to)
{
    unsigned mode = rounding(statement);
    bool to_integral = ptx_has(statement, "rni") || ptx_has(statement, "rzi") ||
                       ptx_has(statement, "rmi") || ptx_has(statement, "rpi");
    if (to_integral) {
        value = round_to_integral(code, value, mode);
    }
    if (to.is_half) {
        return float_to_half(code, statement, value, to, to_integral ? 1 : mode);
    }
    if (from.bits == 64 && to.bits == 32 && mode != 1) {
        value = call(code, "float_of_double", 32, value, mode, 0, 0);
        value = LLVMBuildBitCast(code->builder, value, real(code, 32), "");
    } else {
        value = LLVMBuildFPCast(code->builder, value, real(code, to.bits), "");
    }
    if (to.bits == 32 && from.bits != 64 && !from.is_bfloat) { /* these keep a NaN's upper bits */
        value = ptx_one_nan(code, value);
    }
    if (to.bits == 32 && ptx_has(statement, "ftz")) {
        value = ptx_flush(code, value);
    }
    return ptx_has(statement, "sat") ? ptx_clamp_float(code, value) : value;
}

/* The operand; a half as a float. */
static LLVMValueRef source(struct ptx_code *code, const struct ptx_statement *statement,
                           struct scalar from)
{
    LLVMValueRef value = ptx_read(code, &statement->operands[1], from.bits);
    if (from.is_half) {
        value = call(code, "float_of_half", 32, value, from.is_bfloat, 0, 0);
        return LLVMBuildBitCast(code->builder, value, real(code, 32), "");
    }
    if (from.is_float) {
        value = LLVMBuildBitCast(code->builder, value, real(code, from.bits), "");
        return ptx_has(statement, "ftz") ? ptx_flush(code, ptx_one_nan(code, value)) : value;
    }
    return value;
}

bool ptx_do_convert(struct ptx_code *code, const struct ptx_statement *statement)
{
    unsigned last = statement->part_count - 1;
    struct scalar from = scalar_of(statement->parts[last]);
    struct scalar to = scalar_of(statement->parts[last - 1]);
    bool is_register = statement->operands[0].kind == PTX_NAME;
    if (from.bits == 0 || to.bits == 0 || !is_register) {
        return false;
    }
    LLVMValueRef value = source(code, statement, from);
    if (!from.is_float && !to.is_float) {
        value = integer_to_integer(code, statement, value, from, to);
    } else if (!from.is_float) {
        value = integer_to_float(code, value, from, to, rounding(statement));
    } else if (to.is_float) {
        value = float_to_float(code, statement, value, from, to);
    } else {
        value = float_to_integer(code, value, to, rounding(statement));
    }
    if (!to.is_float && to.is_signed && to.bits < 32) {
        value = LLVMBuildSExt(code->builder, value, code->lower->types.i32, "");
    }
    ptx_write(code, statement->operands[0].name, value);
    return true;
}
