/* The carry of extended-precision arithmetic: add.cc, addc, sub.cc, subc, mad.cc, madc.
 *
 *     add.cc.u32 d, a, b          d = a + b; carry = whether it overflowed
 *     madc.hi.u32 d, a, b, c      d = upper half of a * b, + c + carry
 *
 * After a subtraction the carry is a borrow. Within one asm the carry is a register. Programs also
 * write each instruction into its own asm volatile, often within a function of its own, and the
 * carry must get from one to the next. So an asm that begins with a use of the carry reads it from
 * a variable, and one that ends with a definition writes it there. Device threads of one worker can
 * share the variable, because they are not switched between two additions. */
#include "ir/value.h"
#include "ptx/forms.h"

#include <llvm-c/Core.h>
#include <string.h>

static const char register_name[] = "%cc";

static bool reads_carry(const struct ptx_statement *statement)
{
    if (statement->label != NULL) {
        return false;
    }
    return strcmp(statement->parts[0], "addc") == 0 || strcmp(statement->parts[0], "subc") == 0 ||
           strcmp(statement->parts[0], "madc") == 0;
}

/* Of each thread of the system: a worker runs one device thread at a time. */
static LLVMValueRef variable(struct ptx_code *code)
{
    LLVMModuleRef module = code->lower->module;
    code->shares_carry = true;
    LLVMValueRef variable = LLVMGetNamedGlobal(module, LOWER_CARRY);
    if (variable == NULL) {
        variable = LLVMAddGlobal(module, code->lower->types.i8, LOWER_CARRY);
        LLVMSetInitializer(variable, LLVMConstInt(code->lower->types.i8, 0, 0));
        LLVMSetLinkage(variable, LLVMInternalLinkage);
        LLVMSetThreadLocalMode(variable, LLVMInitialExecTLSModel);
    }
    return variable;
}

void ptx_begin_carry(struct ptx_code *code, const struct ptx_block *block)
{
    for (size_t i = 0; i < block->statement_count; i++) {
        const struct ptx_statement *statement = &block->statements[i];
        bool reads = reads_carry(statement);
        if (reads) {
            LLVMValueRef value =
                LLVMBuildLoad2(code->builder, code->lower->types.i8, variable(code), "");
            ptx_write(code, register_name, value);
        }
        if (reads || ptx_has(statement, "cc")) {
            return;
        }
    }
}

void ptx_end_carry(struct ptx_code *code, const struct ptx_block *block)
{
    for (size_t i = block->statement_count; i-- > 0;) {
        const struct ptx_statement *statement = &block->statements[i];
        if (ptx_has(statement, "cc")) {
            LLVMValueRef value = ptx_read_name(code, register_name, 8);
            LLVMBuildStore(code->builder, value, variable(code));
        }
        if (reads_carry(statement) || ptx_has(statement, "cc")) {
            return;
        }
    }
}

/* The lower or upper half of the product of operands 1 and 2. */
static LLVMValueRef half_product(struct ptx_code *code, const struct ptx_statement *statement,
                                 struct ptx_type type)
{
    LLVMBuilderRef builder = code->builder;
    LLVMTypeRef narrow = ptx_int(code, type.bits), wide = ptx_int(code, 2 * type.bits);
    LLVMValueRef factor[2];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef value = ptx_read(code, &statement->operands[1 + i], type.bits);
        factor[i] = type.kind == 's' ? LLVMBuildSExt(builder, value, wide, "")
                                     : LLVMBuildZExt(builder, value, wide, "");
    }
    LLVMValueRef product = LLVMBuildMul(builder, factor[0], factor[1], "");
    if (ptx_has(statement, "hi")) {
        product = LLVMBuildLShr(builder, product, LLVMConstInt(wide, type.bits, 0), "");
    }
    return LLVMBuildTrunc(builder, product, narrow, "");
}

bool ptx_do_carry(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    LLVMBuilderRef builder = code->builder;
    bool is_mad = statement->parts[0][0] == 'm', is_sub = statement->parts[0][0] == 's';
    LLVMTypeRef wide = ptx_int(code, 2 * type.bits);
    LLVMValueRef a = is_mad ? half_product(code, statement, type)
                            : ptx_read(code, &statement->operands[1], type.bits);
    LLVMValueRef b = ptx_read(code, &statement->operands[is_mad ? 3 : 2], type.bits);
    a = LLVMBuildZExt(builder, a, wide, "");
    b = LLVMBuildZExt(builder, b, wide, "");
    if (reads_carry(statement)) {
        b = LLVMBuildAdd(builder, b, ptx_read_name(code, register_name, 2 * type.bits), "");
    }
    LLVMValueRef sum = is_sub ? LLVMBuildSub(builder, a, b, "") : LLVMBuildAdd(builder, a, b, "");
    ptx_write(code, statement->operands[0].kind == PTX_NAME ? statement->operands[0].name : "",
              LLVMBuildTrunc(builder, sum, ptx_int(code, type.bits), ""));
    if (ptx_has(statement, "cc")) {
        sum = LLVMBuildLShr(builder, sum, LLVMConstInt(wide, type.bits, 0), "");
        ptx_write(code, register_name, LLVMBuildTrunc(builder, sum, code->lower->types.i1, ""));
    }
    return true;
}
