/* Arithmetic of float and double in inline PTX that LLVM has operations for: to the nearest.
 *
 * A GPU's operations on float give one NaN, 0x7fffffff, whatever the operands' NaNs. Those on
 * double pass on the NaN of an operand as a quiet one, as a processor's do; but if several are
 * NaNs, a GPU may choose another one (docs/ptx.md).
 *
 *     add.ftz.sat.f32 d, a, b     flushes a and b, adds, flushes, and limits to 0 to 1
 *
 * ptxas makes one operation of a product and of a sum that have no rounding, if only such sums read
 * the product. Within one asm that is done here:
 *
 *     mul.f32 t, a, b; add.f32 d, t, c;       llvm.fmuladd(a, b, c)
 *
 * Other products and sums get LLVM's flag for that, as in CUDA C++, and simd/prepare/contract.c
 * joins them. */
#include "ptx/forms.h"

#include "ir/options.h"

#include <string.h>

/* The NaN of a GPU's operations on float. */
static LLVMValueRef nan_of(struct ptx_code *code)
{
    return LLVMConstBitCast(LLVMConstInt(ptx_int(code, 32), 0x7fffffff, 0),
                            LLVMFloatTypeInContext(code->lower->llvm));
}

LLVMValueRef ptx_one_nan(struct ptx_code *code, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (type != LLVMFloatTypeInContext(code->lower->llvm)) {
        return value;
    }
    LLVMValueRef is_nan = LLVMBuildFCmp(code->builder, LLVMRealUNO, value, value, "");
    return LLVMBuildSelect(code->builder, is_nan, nan_of(code), value, "");
}

LLVMValueRef ptx_quiet(struct ptx_code *code, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (type != LLVMDoubleTypeInContext(code->lower->llvm)) {
        return value;
    }
    LLVMTypeRef bits = code->lower->types.i64;
    LLVMValueRef quiet = LLVMBuildBitCast(code->builder, value, bits, "");
    quiet = LLVMBuildOr(code->builder, quiet, LLVMConstInt(bits, 1ull << 51, 0), "");
    quiet = LLVMBuildBitCast(code->builder, quiet, type, "");
    LLVMValueRef is_nan = LLVMBuildFCmp(code->builder, LLVMRealUNO, value, value, "");
    return LLVMBuildSelect(code->builder, is_nan, quiet, value, "");
}

LLVMValueRef ptx_clamp_float(struct ptx_code *code, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef zero = LLVMConstNull(type), one = LLVMConstReal(type, 1.0);
    LLVMValueRef above = LLVMBuildFCmp(code->builder, LLVMRealOGT, value, zero, "");
    LLVMValueRef beyond = LLVMBuildFCmp(code->builder, LLVMRealOGT, value, one, "");
    value = LLVMBuildSelect(code->builder, beyond, one, value, "");
    return LLVMBuildSelect(code->builder, above, value, zero, "");
}

/* Whether the opcode is one that ptxas may join with another one. */
static bool may_be_joined(const struct ptx_statement *statement, const char *first,
                          const char *second)
{
    static const char *const roundings[] = {"rn", "rz", "rm", "rp"};
    for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
        if (ptx_has(statement, roundings[i])) {
            return false;
        }
    }
    bool is_named =
        strcmp(statement->parts[0], first) == 0 || strcmp(statement->parts[0], second) == 0;
    return is_named && ptx_statement_type(statement).kind == 'f';
}

static bool is_sum(const struct ptx_statement *statement)
{
    return may_be_joined(statement, "add", "sub");
}

static bool is_product(const struct ptx_statement *statement)
{
    return may_be_joined(statement, "mul", "mul") && !ptx_has(statement, "sat");
}

static bool may_join(const struct ptx_code *code)
{
    return !code->lower->options->math.no_contraction;
}

static bool reads(const struct ptx_operand *operand, const char *name)
{
    for (unsigned i = 0; i < operand->element_count; i++) {
        if (strcmp(operand->elements[i], name) == 0) {
            return true;
        }
    }
    return operand->name != NULL && strcmp(operand->name, name) == 0;
}

static bool reads_in_no_sum(const struct ptx_statement *statement, const char *name)
{
    bool is_read = false;
    for (unsigned i = 1; i < statement->operand_count; i++) {
        is_read |= reads(&statement->operands[i], name);
    }
    return is_read && !is_sum(statement);
}

static bool has_labels(const struct ptx_block *block)
{
    for (size_t i = 0; i < block->statement_count; i++) {
        if (block->statements[i].label != NULL) {
            return true;
        }
    }
    return false;
}

/* Whether nothing but sums reads the product that a statement writes, until another statement
 * writes the register. With labels, any statement may be the next one. An operand of the asm is
 * also read after it. */
static bool only_sums_read(const struct ptx_block *block, const struct ptx_statement *product)
{
    const char *name = product->operands[0].name;
    bool is_straight = !has_labels(block);
    size_t first = is_straight ? (size_t)(product - block->statements) + 1 : 0;
    for (size_t i = first; i < block->statement_count; i++) {
        const struct ptx_statement *statement = &block->statements[i];
        if (reads_in_no_sum(statement, name)) {
            return false;
        }
        bool is_written = statement->operand_count != 0 && reads(&statement->operands[0], name);
        if (is_straight && is_written && statement->guard == NULL &&
            statement->operands[0].kind == PTX_NAME) {
            return true;
        }
    }
    return name[0] != '$';
}

static LLVMValueRef read_float(struct ptx_code *code, const struct ptx_statement *statement,
                               unsigned index)
{
    struct ptx_type type = ptx_statement_type(statement);
    LLVMValueRef value = ptx_read_as(code, &statement->operands[index], type);
    return ptx_has(statement, "ftz") ? ptx_flush(code, value) : value;
}

/* The register that the operand names, if it holds a product that the sum may be joined with. */
static const struct ptx_slot *product_in(struct ptx_code *code, const struct ptx_statement *sum,
                                         unsigned index)
{
    const struct ptx_operand *operand = &sum->operands[index];
    const struct ptx_slot *slot =
        operand->kind == PTX_NAME ? ptx_find_slot(code, operand->name) : NULL;
    bool is_fit = slot != NULL && slot->product.block == LLVMGetInsertBlock(code->builder) &&
                  slot->product.is_flushed == ptx_has(sum, "ftz") && is_sum(sum);
    return is_fit ? slot : NULL;
}

/* The product that the result's register holds then; nothing if no sum may be joined with it. */
static struct ptx_product product_of(struct ptx_code *code, const struct ptx_statement *statement)
{
    const char *name = statement->operands[0].name;
    if (name == NULL || !is_product(statement) || !may_join(code) ||
        !only_sums_read(code->block, statement)) {
        return (struct ptx_product){0};
    }
    return (struct ptx_product){
        .a = read_float(code, statement, 1),
        .b = read_float(code, statement, 2),
        .block = LLVMGetInsertBlock(code->builder),
        .is_flushed = ptx_has(statement, "ftz"),
    };
}

/* Writes the result of an operation: flushed and limited. */
static void write_float(struct ptx_code *code, const struct ptx_statement *statement,
                        LLVMValueRef value)
{
    const struct ptx_operand *to = &statement->operands[0];
    value = ptx_has(statement, "ftz") ? ptx_flush(code, value) : value;
    value = ptx_has(statement, "sat") ? ptx_clamp_float(code, value) : value;
    ptx_write(code, to->kind == PTX_NAME ? to->name : "", value);
}

/* A sum of a product, which is operand number index, as one operation. */
static LLVMValueRef joined(struct ptx_code *code, const struct ptx_statement *sum, unsigned index)
{
    const struct ptx_slot *slot = product_in(code, sum, index);
    LLVMValueRef a = slot->product.a, b = slot->product.b;
    LLVMValueRef other = read_float(code, sum, 3 - index);
    if (strcmp(sum->parts[0], "sub") == 0) {
        *(index == 1 ? &other : &a) = LLVMBuildFNeg(code->builder, index == 1 ? other : a, "");
    }
    LLVMValueRef arguments[] = {a, b, other};
    return ptx_intrinsic(code, "llvm.fmuladd", LLVMTypeOf(a), arguments, 3);
}

/* add, sub, mul, div */
static LLVMValueRef alone(struct ptx_code *code, const struct ptx_statement *statement)
{
    const char *name = statement->parts[0];
    LLVMValueRef a = read_float(code, statement, 1), b = read_float(code, statement, 2);
    LLVMOpcode opcode = strcmp(name, "add") == 0   ? LLVMFAdd
                        : strcmp(name, "sub") == 0 ? LLVMFSub
                        : strcmp(name, "mul") == 0 ? LLVMFMul
                                                   : LLVMFDiv;
    LLVMValueRef value = LLVMBuildBinOp(code->builder, opcode, a, b, "");
    if (LLVMIsAInstruction(value) != NULL && may_join(code) &&
        (is_sum(statement) || is_product(statement))) {
        LLVMSetFastMathFlags(value, LLVMFastMathAllowContract);
    }
    return value;
}

bool ptx_do_arithmetic(struct ptx_code *code, const struct ptx_statement *statement)
{
    unsigned index = product_in(code, statement, 1) != NULL   ? 1
                     : product_in(code, statement, 2) != NULL ? 2
                                                              : 0;
    LLVMValueRef value = index != 0 ? joined(code, statement, index) : alone(code, statement);
    struct ptx_product product = product_of(code, statement);
    write_float(code, statement, ptx_one_nan(code, value));
    struct ptx_slot *slot = ptx_find_slot(code, statement->operands[0].name);
    if (product.block != NULL && slot != NULL) { /* NULL: undeclared, which was reported, or `_` */
        slot->product = product;
    }
    return true;
}

/* One rounding; mad, too. */
bool ptx_do_fma(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef arguments[] = {read_float(code, statement, 1), read_float(code, statement, 2),
                                read_float(code, statement, 3)};
    LLVMValueRef value = ptx_intrinsic(code, "llvm.fma", LLVMTypeOf(arguments[0]), arguments, 3);
    write_float(code, statement, ptx_one_nan(code, value));
    return true;
}

/* LLVM's code generator drops a select that replaces the NaN of a root by another NaN, so the
 * operand is replaced. */
static LLVMValueRef root(struct ptx_code *code, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    if (type == LLVMFloatTypeInContext(code->lower->llvm)) {
        LLVMValueRef zero = LLVMConstNull(type);
        LLVMValueRef has_none = LLVMBuildFCmp(code->builder, LLVMRealULT, a, zero, "");
        a = LLVMBuildSelect(code->builder, has_none, nan_of(code), a, "");
    }
    return ptx_intrinsic(code, "llvm.sqrt", type, &a, 1);
}

/* sqrt, neg, abs. A NaN of a double keeps its sign. */
bool ptx_do_root_or_sign(struct ptx_code *code, const struct ptx_statement *statement)
{
    const char *name = statement->parts[0];
    LLVMValueRef a = read_float(code, statement, 1);
    LLVMTypeRef type = LLVMTypeOf(a);
    if (strcmp(name, "sqrt") == 0) {
        write_float(code, statement, root(code, a));
        return true;
    }
    LLVMValueRef value = strcmp(name, "neg") == 0 ? LLVMBuildFNeg(code->builder, a, "")
                                                  : ptx_intrinsic(code, "llvm.fabs", type, &a, 1);
    LLVMValueRef is_nan = LLVMBuildFCmp(code->builder, LLVMRealUNO, a, a, "");
    value = LLVMBuildSelect(code->builder, is_nan, ptx_quiet(code, a), value, "");
    write_float(code, statement, ptx_one_nan(code, value));
    return true;
}
