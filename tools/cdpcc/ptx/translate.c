/* Translates inline PTX. A function with the same operands is created from the text of each asm.
 * The asm is replaced by a call of this function, which is inlined at once.
 *
 * Inside, every PTX register and every operand of the asm is a stack slot of its width, which the
 * optimizer replaces by values. A guarded statement is a branch around it.
 *
 * Source, and what the asm becomes:
 *
 *     asm("{ .reg .pred p; setp.lt.s32 p, %1, 0; @p neg.s32 %0, %1; }" : "+r"(y) : "r"(x));
 *
 *     define internal i32 @cdp.ptx(i32 %x, i32 %y) alwaysinline convergent nounwind {
 *       %0 = alloca i32 ... one slot for each operand, and one of 1 bit for p
 *       %less = icmp slt i32 (load of $1), 0        store to p
 *       br i1 (load of p), label %yes, label %on
 *     yes: ...                                      store to $0
 *       br label %on
 *     on: ret i32 (load of $0)
 *     }
 *
 * A register has a width and no type, as in PTX: floating-point operations cast its bits. A
 * register starts with 0, so code that reads it before it writes it is defined.
 *
 * The pass runs after front and before builtin, which replaces the getters that special registers
 * become, and before the passes that guard divisions, shifts and conversions. If it reports no
 * error, no inline assembly is left except empty templates. */
#include "ptx/forms.h"

#include "ir/report.h"
#include "ir/value.h"
#include "lower/check.h"
#include "ptx/pass.h"
#include "ptx/read.h"
#include "support/arena.h"
#include "support/str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct ptx_type ptx_type_of(const char *name)
{
    if (strcmp(name, "pred") == 0) {
        return (struct ptx_type){'p', 1};
    }
    if (strcmp(name, "f16x2") == 0 || strcmp(name, "bf16x2") == 0) {
        return (struct ptx_type){'b', 32};
    }
    bool is_type = strchr("usbf", name[0]) != NULL && name[0] != '\0';
    char *end = NULL;
    unsigned bits = is_type ? (unsigned)strtoul(name + 1, &end, 10) : 0;
    if (strcmp(name, "bf16") == 0) {
        return (struct ptx_type){'b', 16};
    }
    if (end == NULL || *end != '\0') {
        return (struct ptx_type){0};
    }
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        return (struct ptx_type){0};
    }
    return (struct ptx_type){name[0], bits};
}

struct ptx_type ptx_statement_type(const struct ptx_statement *statement)
{
    for (unsigned i = statement->part_count; i-- > 1;) {
        struct ptx_type type = ptx_type_of(statement->parts[i]);
        if (type.kind != 0) {
            return type;
        }
    }
    return (struct ptx_type){0};
}

bool ptx_has(const struct ptx_statement *statement, const char *part)
{
    for (unsigned i = 1; i < statement->part_count; i++) {
        if (strcmp(statement->parts[i], part) == 0) {
            return true;
        }
    }
    return false;
}

void ptx_complain(struct ptx_code *code, const char *reason)
{
    if (code->reason == NULL) {
        code->reason = reason;
    }
    code->failed = true;
}

/* A .param is memory and has no value of its own, so it needs another hint. */
static void complain_of_name(struct ptx_code *code, const char *name, bool is_param)
{
    const char *source = ptx_source_name(name);
    ptx_complain(code, is_param
                           ? str_format("'%s' is a .param: ld.param and st.param access it", source)
                           : str_format("'%s' is not declared", source));
}

LLVMTypeRef ptx_int(const struct ptx_code *code, unsigned bits)
{
    return LLVMIntTypeInContext(code->lower->llvm, bits);
}

struct ptx_slot *ptx_find_slot(struct ptx_code *code, const char *name)
{
    for (size_t i = 0; i < code->slot_count; i++) {
        if (strcmp(code->slots[i].name, name) == 0) {
            return &code->slots[i];
        }
    }
    return NULL;
}

unsigned ptx_width(struct ptx_code *code, const char *name)
{
    struct ptx_slot *slot = ptx_find_slot(code, name);
    return slot == NULL ? 0 : LLVMGetIntTypeWidth(slot->type);
}

void ptx_add_slot(struct ptx_code *code, struct ptx_slot slot)
{
    LOWER_PUSH(code->slots, code->slot_count, slot);
}

/* Does nothing if the name already has a slot. */
static void add_register(struct ptx_code *code, const char *name, unsigned bits)
{
    if (ptx_find_slot(code, name) != NULL) {
        return;
    }
    struct ptx_slot slot = {.name = name, .type = ptx_int(code, bits)};
    slot.address = LLVMBuildAlloca(code->builder, slot.type, "");
    LLVMBuildStore(code->builder, LLVMConstNull(slot.type), slot.address);
    ptx_add_slot(code, slot);
}

LLVMValueRef ptx_scratch(struct ptx_code *code, LLVMTypeRef type)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(code->function);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(code->lower->llvm);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef memory = LLVMBuildAlloca(builder, type, "");
    LLVMDisposeBuilder(builder);
    return memory;
}

LLVMValueRef ptx_flush(struct ptx_code *code, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (type != LLVMFloatTypeInContext(code->lower->llvm)) {
        return value;
    }
    LLVMBuilderRef builder = code->builder;
    LLVMValueRef magnitude = ptx_intrinsic(code, "llvm.fabs", type, &value, 1);
    LLVMValueRef least = LLVMConstReal(type, 0x1p-126);
    LLVMValueRef is_subnormal = LLVMBuildFCmp(builder, LLVMRealOLT, magnitude, least, "");
    LLVMValueRef arguments[] = {LLVMConstNull(type), value};
    LLVMValueRef zero = ptx_intrinsic(code, "llvm.copysign", type, arguments, 2);
    return LLVMBuildSelect(builder, is_subnormal, zero, value, "");
}

/* Between integers of different widths. */
static LLVMValueRef resize(struct ptx_code *code, LLVMValueRef value, LLVMTypeRef type)
{
    unsigned from = LLVMGetIntTypeWidth(LLVMTypeOf(value)), to = LLVMGetIntTypeWidth(type);
    return from > to   ? LLVMBuildTrunc(code->builder, value, type, "")
           : from < to ? LLVMBuildZExt(code->builder, value, type, "")
                       : value;
}

LLVMValueRef ptx_read_name(struct ptx_code *code, const char *name, unsigned bits)
{
    LLVMTypeRef type = ptx_int(code, bits);
    struct ptx_slot *slot = ptx_find_slot(code, name);
    bool is_param = slot != NULL && slot->bytes != 0;
    if (slot != NULL && !is_param) {
        LLVMValueRef value = LLVMBuildLoad2(code->builder, slot->type, slot->address, "");
        return resize(code, value, type);
    }
    LLVMValueRef value = ptx_special_register(code, name);
    if (value != NULL) {
        return resize(code, value, type);
    }
    uint64_t number;
    if (ptx_read_number(&(const char *){name}, &number)) { /* an element of a vector */
        return LLVMConstInt(type, number, 0);
    }
    complain_of_name(code, name, is_param);
    return LLVMGetPoison(type);
}

LLVMValueRef ptx_read(struct ptx_code *code, const struct ptx_operand *operand, unsigned bits)
{
    LLVMTypeRef type = ptx_int(code, bits);
    switch (operand->kind) {
    case PTX_NUMBER:
        return LLVMConstInt(type, operand->number, 0);
    case PTX_NAME: {
        LLVMValueRef value = ptx_read_name(code, operand->name, bits);
        bool invert = operand->negated && bits == 1;
        return invert             ? LLVMBuildNot(code->builder, value, "")
               : operand->negated ? LLVMBuildNeg(code->builder, value, "")
                                  : value;
    }
    case PTX_ADDRESS:
    case PTX_VECTOR:
    case PTX_TENSOR:
        break;
    }
    code->failed = true;
    return LLVMGetPoison(type);
}

LLVMValueRef ptx_read_as(struct ptx_code *code, const struct ptx_operand *operand,
                         struct ptx_type type)
{
    LLVMValueRef value = ptx_read(code, operand, type.bits);
    LLVMContextRef llvm = code->lower->llvm;
    if (type.kind != 'f') {
        return value;
    }
    LLVMTypeRef real = type.bits == 64   ? LLVMDoubleTypeInContext(llvm)
                       : type.bits == 32 ? LLVMFloatTypeInContext(llvm)
                                         : LLVMHalfTypeInContext(llvm);
    return LLVMBuildBitCast(code->builder, value, real, "");
}

/* A result written to "_" is ignored. */
void ptx_write(struct ptx_code *code, const char *name, LLVMValueRef value)
{
    struct ptx_slot *slot = ptx_find_slot(code, name);
    if (strcmp(name, "_") == 0) {
        return;
    }
    if (slot == NULL || slot->bytes != 0) {
        complain_of_name(code, name, slot != NULL);
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
        unsigned bits = (unsigned)LLVMSizeOfTypeInBits(code->lower->layout, type);
        value = LLVMBuildBitCast(code->builder, value, ptx_int(code, bits), "");
    }
    LLVMBuildStore(code->builder, resize(code, value, slot->type), slot->address);
    slot->product = (struct ptx_product){0};
}

LLVMValueRef ptx_call(struct ptx_code *code, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef *types = arena_alloc((count + 1) * sizeof *types);
    for (unsigned i = 0; i < count; i++) {
        types[i] = LLVMTypeOf(arguments[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef function = lower_runtime(code->lower, name, type);
    return LLVMBuildCall2(code->builder, type, function, arguments, count, "");
}

LLVMValueRef ptx_intrinsic(struct ptx_code *code, const char *name, LLVMTypeRef type,
                           LLVMValueRef *arguments, unsigned count)
{
    return lower_intrinsic(code->lower, code->builder, name, &type, 1, arguments, count);
}

LLVMValueRef ptx_lane(struct ptx_code *code)
{
    return ptx_call(code, "__cdp_laneid", code->lower->types.i32, NULL, 0);
}

/* The operands of an asm in the order of its constraints: first the outputs, then the inputs.
 * sound is false for operands in memory, or for more operands than fit. */
struct constraints {
    unsigned outputs, operands;
    int tied[32]; /* the output whose initial value is this input, or -1 */
    bool is_constant[32];
    bool sound;
};

/* "=r,r,0,~{memory}": an output, an input, and an input that is also the initial value of output
 * 0. Clobbers have no meaning here. */
static struct constraints read_constraints(const char *text)
{
    struct constraints found = {.sound = true};
    char *rest = str_format("%s", text);
    for (char *part = strsep(&rest, ","); part != NULL; part = strsep(&rest, ",")) {
        if (part[0] == '~' || part[0] == '\0') {
            continue;
        }
        found.sound &= strchr(part, '*') == NULL && found.operands < 32;
        if (!found.sound) {
            break;
        }
        bool is_tied = part[0] >= '0' && part[0] <= '9';
        found.is_constant[found.operands] = strcmp(part, "n") == 0 || strcmp(part, "i") == 0;
        found.tied[found.operands++] = is_tied ? atoi(part) : -1;
        found.outputs += part[0] == '=';
    }
    return found;
}

/* An asm with several outputs returns a struct, with one output the value itself. */
static LLVMTypeRef output_type(LLVMTypeRef result, unsigned index)
{
    bool several = LLVMGetTypeKind(result) == LLVMStructTypeKind;
    return several ? LLVMStructGetTypeAtIndex(result, index) : result;
}

static unsigned bits_of(const struct ptx_code *code, LLVMTypeRef type)
{
    return (unsigned)LLVMSizeOfTypeInBits(code->lower->layout, type);
}

/* Slots are integers; pointers and floating-point values are converted at the border of the asm. */
static LLVMValueRef to_int(struct ptx_code *code, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef as_int = ptx_int(code, bits_of(code, type));
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind
               ? LLVMBuildPtrToInt(code->builder, value, as_int, "")
               : LLVMBuildBitCast(code->builder, value, as_int, "");
}

static LLVMValueRef from_int(struct ptx_code *code, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind
               ? LLVMBuildIntToPtr(code->builder, value, type, "")
               : LLVMBuildBitCast(code->builder, value, type, "");
}

/* Input values are stored at the start; a tied input also initializes its output. */
static void make_operands(struct ptx_code *code, const struct constraints *constraints,
                          LLVMTypeRef result)
{
    for (unsigned i = 0; i < constraints->operands; i++) {
        bool is_output = i < constraints->outputs;
        LLVMTypeRef type = is_output
                               ? output_type(result, i)
                               : LLVMTypeOf(LLVMGetParam(code->function, i - constraints->outputs));
        add_register(code, str_format("$%u", i), bits_of(code, type));
    }
    add_register(code, "%cc", 1);
    for (unsigned i = constraints->outputs; i < constraints->operands; i++) {
        LLVMValueRef value = to_int(code, LLVMGetParam(code->function, i - constraints->outputs));
        ptx_write(code, str_format("$%u", i), value);
        if (constraints->tied[i] >= 0) {
            ptx_write(code, str_format("$%d", constraints->tied[i]), value);
        }
    }
}

/* Memory for all declarations of the asm, whatever their scope. */
static void make_variables(struct ptx_code *code, const struct ptx_block *block)
{
    for (size_t i = 0; i < block->variable_count; i++) {
        const struct ptx_variable *variable = &block->variables[i];
        struct ptx_type type = ptx_type_of(variable->type);
        if (variable->is_param) {
            ptx_add_param(code, variable);
        } else if (type.kind == 0 || variable->count != 1) {
            ptx_complain(code,
                         str_format("'%s' has a type that is not supported", variable->source));
        } else {
            add_register(code, variable->name, type.bits);
        }
    }
}

/* The outputs are read from their slots after the last statement. */
static void make_result(struct ptx_code *code, unsigned outputs, LLVMTypeRef result)
{
    if (outputs == 0) {
        LLVMBuildRetVoid(code->builder);
        return;
    }
    LLVMValueRef whole = LLVMGetPoison(result);
    for (unsigned i = 0; i < outputs; i++) {
        LLVMTypeRef type = output_type(result, i);
        LLVMValueRef bits = ptx_read_name(code, str_format("$%u", i), bits_of(code, type));
        LLVMValueRef value = from_int(code, bits, type);
        whole = LLVMGetTypeKind(result) == LLVMStructTypeKind
                    ? LLVMBuildInsertValue(code->builder, whole, value, i, "")
                    : value;
    }
    LLVMBuildRet(code->builder, whole);
}

/* The block of a label; NULL if there is no such label. */
static LLVMBasicBlockRef find_label(struct ptx_code *code, const char *name)
{
    for (size_t i = 0; i < code->label_count; i++) {
        if (strcmp(code->labels[i].name, name) == 0) {
            return code->labels[i].block;
        }
    }
    return NULL;
}

static void make_labels(struct ptx_code *code, const struct ptx_block *block)
{
    for (size_t i = 0; i < block->statement_count; i++) {
        const char *name = block->statements[i].label;
        if (name != NULL) {
            struct ptx_block_label label = {
                name, LLVMAppendBasicBlockInContext(code->lower->llvm, code->function, "")};
            LOWER_PUSH(code->labels, code->label_count, label);
        }
    }
}

/* Nothing reaches the code behind a branch, except by labels. */
bool ptx_do_branch(struct ptx_code *code, const struct ptx_statement *statement)
{
    const struct ptx_operand *to = &statement->operands[0];
    LLVMBasicBlockRef block = to->kind == PTX_NAME ? find_label(code, to->name) : NULL;
    if (block == NULL) {
        ptx_complain(code, "there is no such label in this asm");
        return false;
    }
    LLVMBuildBr(code->builder, block);
    LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(code->lower->llvm, code->function, "");
    LLVMPositionBuilderAtEnd(code->builder, rest);
    return true;
}

/* "@p" and "@!p" branch around the statement. */
static bool translate_guarded(struct ptx_code *code, const struct ptx_statement *statement)
{
    if (statement->label != NULL) {
        LLVMBasicBlockRef label = find_label(code, statement->label);
        LLVMBuildBr(code->builder, label);
        LLVMPositionBuilderAtEnd(code->builder, label);
        return true;
    }
    if (statement->guard == NULL) {
        return ptx_translate(code, statement) && !code->failed;
    }
    LLVMContextRef llvm = code->lower->llvm;
    LLVMValueRef guard = ptx_read_name(code, statement->guard, 1);
    LLVMBasicBlockRef yes = LLVMAppendBasicBlockInContext(llvm, code->function, "");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(llvm, code->function, "");
    LLVMBuildCondBr(code->builder, guard, statement->guard_negated ? on : yes,
                    statement->guard_negated ? yes : on);
    LLVMPositionBuilderAtEnd(code->builder, yes);
    bool known = ptx_translate(code, statement);
    LLVMBuildBr(code->builder, on);
    LLVMPositionBuilderAtEnd(code->builder, on);
    return known && !code->failed;
}

/* Returns NULL, or the unknown statement. */
static const char *translate_block(struct ptx_code *code, const struct ptx_block *block)
{
    for (size_t i = 0; i < block->prototype_count; i++) {
        if (!ptx_check_prototype(code, &block->prototypes[i])) {
            return block->prototypes[i].text;
        }
    }
    make_labels(code, block);
    ptx_begin_carry(code, block);
    for (size_t i = 0; i < block->statement_count; i++) {
        if (!translate_guarded(code, &block->statements[i])) {
            return block->statements[i].text;
        }
    }
    ptx_end_carry(code, block);
    return NULL;
}

/* The result of translating a template. function is only valid if wrong is NULL. */
struct translation {
    LLVMValueRef function;
    bool launches, shares_carry;
    const char *wrong;  /* the statement that cannot be translated; NULL: there is none */
    const char *reason; /* the reason, if it is known */
};

/* The body of a function whose parameters and results are the asm's operands. */
static void make_body(struct ptx_code *code, const struct constraints *constraints,
                      const struct ptx_block *block, struct translation *made)
{
    LLVMContextRef llvm = code->lower->llvm;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(code->function));
    LLVMPositionBuilderAtEnd(code->builder,
                             LLVMAppendBasicBlockInContext(llvm, code->function, "entry"));
    make_operands(code, constraints, result);
    make_variables(code, block);
    code->block = block;
    made->wrong = translate_block(code, block);
    made->reason = code->reason;
    made->launches = code->launches;
    made->shares_carry = code->shares_carry;
    make_result(code, constraints->outputs, result);
}

static struct translation make_function(struct lower_context *lower, LLVMValueRef assembly,
                                        const char *text)
{
    struct ptx_block block;
    struct translation made = {.wrong = ptx_parse(text, &block)};
    size_t length;
    struct constraints constraints =
        read_constraints(LLVMGetInlineAsmConstraintString(assembly, &length));
    if (made.wrong != NULL || !constraints.sound) {
        made.wrong = made.wrong != NULL ? made.wrong : text;
        made.reason = block.reason;
        return made;
    }
    LLVMTypeRef type = LLVMGetInlineAsmFunctionType(assembly);
    struct ptx_code code = {
        .lower = lower,
        .function = LLVMAddFunction(lower->module, "cdp.ptx", type),
        .builder = LLVMCreateBuilderInContext(lower->llvm),
        .is_volatile = LLVMGetInlineAsmHasSideEffects(assembly),
    };
    LLVMSetLinkage(code.function, LLVMInternalLinkage);
    lower_add_attribute(lower, code.function, "alwaysinline");
    lower_add_attribute(lower, code.function, "convergent");
    lower_add_attribute(lower, code.function, "nounwind");
    make_body(&code, &constraints, &block, &made);
    LLVMDisposeBuilder(code.builder);
    made.function = code.function;
    return made;
}

/* A statement as in the source: "%0" for the "$0" of a template, on one line. */
static const char *as_written(const char *statement)
{
    char *text = arena_alloc(strlen(statement) + 1), *to = text;
    for (const char *at = statement; *at != '\0'; at++) {
        if (!isspace((unsigned char)*at)) {
            *to++ = *at == '$' && isdigit((unsigned char)at[1]) ? '%' : *at;
        } else if (to != text && to[-1] != ' ') {
            *to++ = ' ';
        }
    }
    return text;
}

static void report(struct lower_context *lower, LLVMValueRef call, const struct translation *made)
{
    const char *statement = as_written(made->wrong);
    if (made->reason == NULL) {
        lower_error(lower, call, "inline PTX '%s' is not supported", statement);
    } else {
        lower_error(lower, call, "inline PTX '%s': %s", statement, made->reason);
    }
}

/* Sanitizers instrument functions with their attribute. */
static void copy_attribute(LLVMValueRef to, LLVMValueRef from, const char *name)
{
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(from, index, kind);
    if (attribute != NULL) {
        LLVMAddAttributeAtIndex(to, index, attribute);
    }
}

/* The template with the numbers of "n" and "i" operands in their places: "$3" becomes "16". Some
 * instructions need a number there, and the function would not see it. */
static const char *with_constants(LLVMValueRef call, const char *text)
{
    size_t length;
    struct constraints constraints =
        read_constraints(LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length));
    const char *result = "";
    while (*text != '\0') {
        size_t plain = strcspn(text, "$");
        result = str_format("%s%.*s", result, (int)plain, text);
        text += plain;
        if (*text == '\0') {
            break;
        }
        char *end = NULL;
        unsigned long index = isdigit((unsigned char)text[1]) ? strtoul(text + 1, &end, 10) : 0;
        bool is_constant = end != NULL && index < constraints.operands &&
                           constraints.is_constant[index] && index >= constraints.outputs;
        LLVMValueRef value =
            is_constant ? LLVMGetOperand(call, (unsigned)index - constraints.outputs) : NULL;
        if (value != NULL && LLVMIsAConstantInt(value) != NULL) {
            result = str_format("%s%lld", result, LLVMConstIntGetSExtValue(value));
            text = end;
        } else {
            /* "$$" is one dollar, and "$(" a brace. */
            size_t kept = text[1] == '\0' ? 1 : 2;
            result = str_format("%s%.*s", result, (int)kept, text);
            text += kept;
        }
    }
    return result;
}

/* Then the optimizer sees the definition and the use of a carry in one function. */
static void inline_always(struct lower_context *lower, LLVMValueRef function)
{
    static const char *const refusals[] = {"noinline", "optnone"};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(refusals[i], strlen(refusals[i]));
        if (LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        kind) != NULL) {
            return;
        }
    }
    lower_add_attribute(lower, function, "alwaysinline");
}

/* An asm that cannot be translated is reported at its line and stays; the error ends the
 * lowering. */
static void translate_call(struct lower_context *lower, LLVMValueRef call)
{
    if (LLVMIsACallInst(call) == NULL) {
        return;
    }
    LLVMValueRef assembly = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(assembly) == NULL) {
        return;
    }
    size_t length;
    const char *raw = LLVMGetInlineAsmAsmString(assembly, &length);
    const char *text = str_copy(raw, length);
    if (text[strspn(text, " \t\n")] == '\0') {
        return; /* asm("" ::: "memory") only prevents the compiler from moving memory accesses */
    }
    struct translation made = make_function(lower, assembly, with_constants(call, text));
    if (made.wrong != NULL) {
        report(lower, call, &made);
        return;
    }
    LLVMValueRef function = made.function;
    if (made.shares_carry) {
        inline_always(lower, lower_function_of(call));
    }
    if (made.launches) {
        lower_check_launch(lower, call);
    }
    copy_attribute(function, lower_function_of(call), "sanitize_address");
    copy_attribute(function, lower_function_of(call), "sanitize_thread");
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef *arguments = arena_alloc((count + 1) * sizeof *arguments);
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = LLVMGetArgOperand(call, i);
    }
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMValueRef result = LLVMBuildCall2(builder, LLVMGetInlineAsmFunctionType(assembly), function,
                                         arguments, count, "");
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
}

void lower_ptx(struct lower_context *lower)
{
    lower_each_instruction(lower, translate_call);
    ptx_link_library(lower);
}
