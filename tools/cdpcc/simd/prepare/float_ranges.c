/* Conversions of floating point to integers whose value surely fits.
 *
 * A GPU saturates a conversion, and so does lower/convert.c.  In a vector that is four instructions
 * beside the conversion, and more for double.  Code that computes with pixels need not saturate:
 *
 *     unsigned char b = 0.92 * bytes[i] + 0.08 * others[i];
 *
 * The range of a byte is 0 to 255, so that of the sum is 0 to 255, a little widened for rounding:
 *
 *     %x = call i32 @llvm.fptoui.sat.i32.f64(double %sum)     ->    %x = fptosi double %sum to i32
 *     %is.nan = fcmp uno double %sum, 0.0                     ->    false
 *
 * A range is known only if the value is neither infinite nor a NaN.  Ranges start at integers,
 * whose types bound them, and at constants.  A phi has none. */
#include "simd/prepare/float_ranges.h"

#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/prepare/nans.h"
#include "support/str.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_VISITS = 200, /* values that are looked at for one conversion */
    MOST_INTEGER_BITS = 64,
};

/* Both bounds are included. */
struct range {
    bool is_known;
    double low, high;
};
static const struct range unknown = {.is_known = false};

/* The search for one conversion's range. */
struct search {
    unsigned visits;
};

static struct range range_of(struct search *search, LLVMValueRef value);
static struct range integer_range(struct search *search, LLVMValueRef value);

static bool is_double(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool is_single(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

static struct range between(double low, double high)
{
    return (struct range){.is_known = isfinite(low) && isfinite(high), .low = low, .high = high};
}

/* The smallest range with four numbers. */
static struct range around(double a, double b, double c, double d)
{
    return between(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

static struct range either(struct range a, struct range b)
{
    return a.is_known && b.is_known ? between(fmin(a.low, b.low), fmax(a.high, b.high)) : unknown;
}

/* The range of what an operation rounds to the type.  The bounds here are rounded themselves. */
static struct range rounded(struct range exact, LLVMTypeRef type)
{
    double part = is_double(type) ? 0x1p-50 : 0x1p-22,
           least = is_double(type) ? 0x1p-1000 : 0x1p-120;
    double most = is_double(type) ? DBL_MAX / 4 : FLT_MAX / 4.0;
    double low = exact.low - fabs(exact.low) * part - least;
    double high = exact.high + fabs(exact.high) * part + least;
    bool fits = exact.is_known && low > -most && high < most;
    return fits ? between(low, high) : unknown;
}

static struct range sum_of(struct range a, struct range b)
{
    return a.is_known && b.is_known ? between(a.low + b.low, a.high + b.high) : unknown;
}

static struct range negative_of(struct range a)
{
    return a.is_known ? between(-a.high, -a.low) : unknown;
}

static struct range product_of(struct range a, struct range b)
{
    return a.is_known && b.is_known
               ? around(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high)
               : unknown;
}

static struct range quotient_of(struct range a, struct range b)
{
    bool is_defined = b.is_known && (b.low > 0 || b.high < 0);
    return a.is_known && is_defined
               ? around(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high)
               : unknown;
}

static struct range absolute_of(struct range a)
{
    double most = fmax(fabs(a.low), fabs(a.high));
    bool has_zero = a.low <= 0 && a.high >= 0;
    return a.is_known ? between(has_zero ? 0 : fmin(fabs(a.low), fabs(a.high)), most) : unknown;
}

static struct range smaller_of(struct range a, struct range b)
{
    return a.is_known && b.is_known ? between(fmin(a.low, b.low), fmin(a.high, b.high)) : unknown;
}

static struct range larger_of(struct range a, struct range b)
{
    return a.is_known && b.is_known ? between(fmax(a.low, b.low), fmax(a.high, b.high)) : unknown;
}

/* ---- integers, as signed numbers ---- */

static struct range range_of_bits(unsigned bits, bool is_signed)
{
    return is_signed ? between(-ldexp(1, (int)bits - 1), ldexp(1, (int)bits - 1))
                     : between(0, ldexp(1, (int)bits));
}

/* The result of an operation that may wrap around at the type's bounds.  It does not if it is
 * within these. */
static struct range unless_it_wraps(struct range result, unsigned bits)
{
    struct range all = range_of_bits(bits, true);
    bool fits = result.is_known && result.low >= all.low && result.high < all.high;
    return fits ? result : all;
}

static struct range integer_call(struct search *search, LLVMValueRef call, unsigned bits)
{
    const char *name = lower_callee(call) == NULL ? "" : lower_name(lower_callee(call));
    struct range a, all = range_of_bits(bits, true);
    if (str_starts(name, "llvm.abs.")) {
        a = absolute_of(integer_range(search, LLVMGetOperand(call, 0)));
        return unless_it_wraps(a, bits);
    }
    bool is_low = str_starts(name, "llvm.smin."), is_high = str_starts(name, "llvm.smax.");
    if (!is_low && !is_high) {
        return all;
    }
    a = integer_range(search, LLVMGetOperand(call, 0));
    struct range b = integer_range(search, LLVMGetOperand(call, 1));
    return is_low ? smaller_of(a, b) : larger_of(a, b);
}

static struct range integer_operation(struct search *search, LLVMValueRef value, unsigned bits)
{
    struct range a, b, all = range_of_bits(bits, true);
    LLVMValueRef first = LLVMGetOperand(value, 0);
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMZExt:
        a = integer_range(search, first);
        return a.low >= 0 ? a : range_of_bits(LLVMGetIntTypeWidth(LLVMTypeOf(first)), false);
    case LLVMSExt:
        return integer_range(search, first);
    case LLVMAnd:
        a = integer_range(search, LLVMGetOperand(value, 1));
        return a.low >= 0 ? between(0, a.high) : all;
    case LLVMAdd:
    case LLVMSub:
        a = integer_range(search, first);
        b = integer_range(search, LLVMGetOperand(value, 1));
        b = LLVMGetInstructionOpcode(value) == LLVMSub ? negative_of(b) : b;
        return unless_it_wraps(sum_of(a, b), bits);
    case LLVMMul:
        a = integer_range(search, first);
        b = integer_range(search, LLVMGetOperand(value, 1));
        return unless_it_wraps(product_of(a, b), bits);
    case LLVMSelect:
        a = integer_range(search, LLVMGetOperand(value, 1));
        return either(a, integer_range(search, LLVMGetOperand(value, 2)));
    case LLVMCall:
        return integer_call(search, value, bits);
    default:
        return all;
    }
}

/* Always known. */
static struct range integer_range(struct search *search, LLVMValueRef value)
{
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    if (LLVMIsAConstantInt(value) != NULL && bits <= MOST_INTEGER_BITS) {
        double number = (double)LLVMConstIntGetSExtValue(value);
        return between(number, number);
    }
    if (LLVMIsAInstruction(value) == NULL || bits > MOST_INTEGER_BITS ||
        search->visits++ > MOST_VISITS) {
        return range_of_bits(bits, true);
    }
    return integer_operation(search, value, bits);
}

static struct range converted(struct search *search, LLVMValueRef value, bool is_signed)
{
    LLVMValueRef from = LLVMGetOperand(value, 0);
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(from));
    if (bits > MOST_INTEGER_BITS) {
        return unknown;
    }
    struct range result = integer_range(search, from);
    if (!is_signed && result.low < 0) {
        result = range_of_bits(bits, false);
    }
    return rounded(result, LLVMTypeOf(value));
}

/* ---- floating point ---- */

static struct range float_call(struct search *search, LLVMValueRef call)
{
    const char *name = lower_callee(call) == NULL ? "" : lower_name(lower_callee(call));
    LLVMTypeRef type = LLVMTypeOf(call);
    if (str_starts(name, "llvm.fma.") || str_starts(name, "llvm.fmuladd.")) {
        struct range product = product_of(range_of(search, LLVMGetOperand(call, 0)),
                                          range_of(search, LLVMGetOperand(call, 1)));
        return rounded(sum_of(rounded(product, type), range_of(search, LLVMGetOperand(call, 2))),
                       type);
    }
    if (str_starts(name, "llvm.fabs.")) {
        return absolute_of(range_of(search, LLVMGetOperand(call, 0)));
    }
    bool is_low = str_starts(name, "llvm.minnum.") || str_starts(name, "llvm.minimumnum.");
    bool is_high = str_starts(name, "llvm.maxnum.") || str_starts(name, "llvm.maximumnum.");
    if (!is_low && !is_high) {
        return unknown;
    }
    struct range a = range_of(search, LLVMGetOperand(call, 0));
    struct range b = range_of(search, LLVMGetOperand(call, 1));
    return is_low ? smaller_of(a, b) : larger_of(a, b);
}

static struct range float_operation(struct search *search, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    struct range a, b;
    switch ((int)opcode) {
    case LLVMSIToFP:
    case LLVMUIToFP:
        return converted(search, value, opcode == LLVMSIToFP);
    case LLVMFPExt:
        return range_of(search, LLVMGetOperand(value, 0));
    case LLVMFPTrunc:
        return rounded(range_of(search, LLVMGetOperand(value, 0)), type);
    case LLVMFNeg:
        return negative_of(range_of(search, LLVMGetOperand(value, 0)));
    case LLVMSelect:
        a = range_of(search, LLVMGetOperand(value, 1));
        return either(a, range_of(search, LLVMGetOperand(value, 2)));
    case LLVMCall:
        return float_call(search, value);
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
        break;
    default:
        return unknown;
    }
    a = range_of(search, LLVMGetOperand(value, 0));
    b = range_of(search, LLVMGetOperand(value, 1));
    return rounded(opcode == LLVMFMul   ? product_of(a, b)
                   : opcode == LLVMFDiv ? quotient_of(a, b)
                   : opcode == LLVMFSub ? sum_of(a, negative_of(b))
                                        : sum_of(a, b),
                   type);
}

static struct range range_of(struct search *search, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!is_double(type) && !is_single(type)) {
        return unknown;
    }
    if (LLVMIsAConstantFP(value) != NULL) {
        LLVMBool is_rounded;
        double number = LLVMConstRealGetDouble(value, &is_rounded);
        return between(number, number);
    }
    return LLVMIsAInstruction(value) == NULL || search->visits++ > MOST_VISITS
               ? unknown
               : float_operation(search, value);
}

/* ---- conversions ---- */

/* The value is no NaN, so its tests are false. */
static void drop_tests(struct lower_context *lower, LLVMValueRef value)
{
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        bool is_test = LLVMIsAFCmpInst(user) != NULL && LLVMGetFCmpPredicate(user) == LLVMRealUNO &&
                       (simd_tested_for_nan(user) == value ||
                        LLVMGetOperand(user, 0) == LLVMGetOperand(user, 1));
        if (is_test) {
            LLVMReplaceAllUsesWith(user, LLVMConstInt(lower->types.i1, 0, 0));
        }
    }
}

/* Replaces a saturating conversion of a value that fits. */
static void replace(struct lower_context *lower, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsACallInst(call) == NULL ? NULL : lower_callee(call);
    const char *name = callee == NULL ? "" : lower_name(callee);
    bool is_signed = str_starts(name, "llvm.fptosi.sat.i");
    if (!is_signed && !str_starts(name, "llvm.fptoui.sat.i")) {
        return;
    }
    LLVMValueRef value = LLVMGetArgOperand(call, 0);
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(call));
    struct search search = {.visits = 0};
    struct range range = range_of(&search, value);
    double half = ldexp(1, (int)bits - 1);
    /* Numbers above -1 become 0. */
    bool fits_signed =
        range.is_known && range.high < half && (is_signed ? range.low >= -half : range.low > -1);
    bool fits_unsigned = range.is_known && !is_signed && range.low > -1 && range.high < 2 * half;
    if (!fits_signed && !fits_unsigned) {
        return;
    }
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMValueRef result = fits_signed ? LLVMBuildFPToSI(builder, value, LLVMTypeOf(call), "")
                                      : LLVMBuildFPToUI(builder, value, LLVMTypeOf(call), "");
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    drop_tests(lower, value);
}

void simd_drop_saturation(struct lower_context *lower)
{
    lower_each_instruction(lower, replace);
}
