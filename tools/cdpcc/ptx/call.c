/* Calls in inline PTX: .param variables, and the functions that can be called.
 *
 * PTX passes arguments and results in .param variables, which become memory in the frame. The
 * functions in the guides for launching a grid have two dim3 parameters, which C's calling
 * convention splits. Any other function must be known in the unit and have scalar parameters.
 *
 * Example, as in the CUDA guide for dynamic parallelism:
 *
 *     { .param .b64 entry; st.param.b64 [entry], %1;
 *       ...
 *       .param .b64 buffer;
 *       call (buffer), cudaGetParameterBufferV2, (entry, grid, block, shared);
 *       ld.param.b64 %0, [buffer]; }
 *
 * A .param is bytes in memory, without a type that a call could use. So the sizes of arguments are
 * compared with the function's, and values are loaded with the types of the function. */
#include "ir/value.h"
#include "lower/check.h"
#include "lower/kernel.h"
#include "ptx/translate.h"
#include "support/str.h"

#include <string.h>

/* In bytes, except MOST_ARGUMENTS. */
enum { PARAM_ALIGN = 16, PARAM_MOST_BYTES = 65536, DIM_BYTES = 12, MOST_ARGUMENTS = 16 };

/* The signatures of the launch functions in C: p is a pointer, l and i are integers of 64 and 32
 * bits, d is a dim3.
 *
 * One row for each form. The runtime's functions have these types in C; PTX sees only sizes. */
struct signature {
    const char *name;
    char result;
    const char *arguments;
};
static const struct signature signatures[] = {
    {"cudaGetParameterBuffer", 'p', "ll"},     {"cudaLaunchDevice", 'i', "ppddip"},
    {"cudaGetParameterBufferV2", 'p', "pddi"}, {"cudaLaunchDeviceV2", 'i', "pp"},
    {"cudaGetParameterBuffer", 'i', "p"},
};

static unsigned bytes_of(char kind)
{
    return kind == 'd' ? DIM_BYTES : kind == 'i' ? 4 : 8;
}

/* 0 if no .param can have that size. */
static uint64_t variable_bytes(const struct ptx_variable *variable)
{
    struct ptx_type type = ptx_type_of(variable->type);
    bool fits = type.bits >= 8 && variable->count <= PARAM_MOST_BYTES;
    return fits ? type.bits / 8 * variable->count : 0;
}

void ptx_add_param(struct ptx_code *code, const struct ptx_variable *variable)
{
    struct ptx_slot slot = {.name = variable->name, .bytes = variable_bytes(variable)};
    if (slot.bytes == 0 || slot.bytes > PARAM_MOST_BYTES) {
        ptx_complain(code, str_format("'%s' is too large, or of no type that a .param can have",
                                      variable->source));
        return;
    }
    slot.type = LLVMArrayType2(code->lower->types.i8, slot.bytes);
    slot.address = LLVMBuildAlloca(code->builder, slot.type, "");
    LLVMSetAlignment(slot.address, variable->align > PARAM_ALIGN ? variable->align : PARAM_ALIGN);
    LLVMBuildStore(code->builder, LLVMConstNull(slot.type), slot.address);
    ptx_add_slot(code, slot);
}

/* NULL after a complaint. */
static const struct ptx_slot *find_param(struct ptx_code *code, const char *name)
{
    const struct ptx_slot *slot = name == NULL ? NULL : ptx_find_slot(code, name);
    if (slot == NULL || slot->bytes == 0) {
        const char *source = name == NULL ? "" : ptx_source_name(name);
        ptx_complain(code, str_format("no .param '%s' is declared here", source));
        return NULL;
    }
    return slot;
}

static LLVMValueRef at_offset(struct ptx_code *code, const struct ptx_slot *slot, uint64_t offset)
{
    return lower_field(code->lower, code->builder, slot->address, offset, "");
}

LLVMValueRef ptx_param_address(struct ptx_code *code, const struct ptx_operand *operand,
                               unsigned bytes)
{
    const struct ptx_slot *slot = find_param(code, operand->name);
    if (slot == NULL) {
        return LLVMGetPoison(code->lower->types.ptr);
    }
    if (operand->number > slot->bytes || bytes > slot->bytes - operand->number) {
        ptx_complain(code, str_format("the access goes beyond the %llu bytes of the .param",
                                      (unsigned long long)slot->bytes));
    } else if (operand->number % bytes != 0) {
        ptx_complain(code, str_format("the offset is no multiple of the access's %u bytes", bytes));
    }
    return at_offset(code, slot, operand->number);
}

/* There are two forms of cudaGetParameterBuffer, so the number of arguments decides; if none has
 * that number, the first form. */
static const struct signature *find_signature(const char *name, unsigned count)
{
    const struct signature *found = NULL;
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        bool is_named = strcmp(signatures[i].name, name) == 0;
        if (is_named && (found == NULL || strlen(signatures[i].arguments) == count)) {
            found = &signatures[i];
        }
    }
    return found;
}

/* Whether a .param of that size can be the n-th argument, or the result for n = 0. */
static bool check_size(struct ptx_code *code, const char *function, unsigned n, uint64_t bytes,
                       uint64_t expected)
{
    if (bytes == expected) {
        return true;
    }
    const char *what = n == 0 ? "the result" : str_format("argument %u", n);
    const char *why = bytes == 4 && expected == 8
                          ? ": addresses and sizes have 64 bits here (.address_size 64)"
                          : "";
    ptx_complain(code, str_format("%s of '%s' has %llu bytes, not %llu%s", what, function,
                                  (unsigned long long)expected, (unsigned long long)bytes, why));
    return false;
}

/* False after a complaint. */
static bool check_count(struct ptx_code *code, const char *function, unsigned count,
                        unsigned expected)
{
    if (count != expected) {
        ptx_complain(code,
                     str_format("'%s' takes %u arguments, not %u", function, expected, count));
    }
    return count == expected;
}

bool ptx_check_prototype(struct ptx_code *code, const struct ptx_prototype *prototype)
{
    unsigned count = prototype->parameter_count;
    const struct signature *signature = find_signature(prototype->name, count);
    if (signature == NULL) {
        return true; /* the call shows its form */
    }
    const char *arguments = signature->arguments;
    bool is_right = check_count(code, prototype->name, count, (unsigned)strlen(arguments));
    if (is_right && prototype->result.type != NULL) {
        is_right = check_size(code, prototype->name, 0, variable_bytes(&prototype->result),
                              bytes_of(signature->result));
    }
    for (unsigned i = 0; is_right && i < count; i++) {
        is_right = check_size(code, prototype->name, i + 1,
                              variable_bytes(&prototype->parameters[i]), bytes_of(arguments[i]));
    }
    return is_right;
}

/* The arguments of a call in C.
 *
 * At most MOST_ARGUMENTS; on the stack while a call is translated. */
struct arguments {
    LLVMTypeRef types[MOST_ARGUMENTS];
    LLVMValueRef values[MOST_ARGUMENTS];
    unsigned count;
};

static void push(struct arguments *arguments, LLVMValueRef value)
{
    arguments->types[arguments->count] = LLVMTypeOf(value);
    arguments->values[arguments->count++] = value;
}

static LLVMValueRef load(struct ptx_code *code, const struct ptx_slot *slot, uint64_t offset,
                         LLVMTypeRef type)
{
    LLVMValueRef value = LLVMBuildLoad2(code->builder, type, at_offset(code, slot, offset), "");
    LLVMSetAlignment(value, 4);
    return value;
}

/* Like the front end on this machine, see lower/dims.c.
 *
 * As two words: x and y in one, z in the other. */
static void push_dim(struct ptx_code *code, struct arguments *arguments,
                     const struct ptx_slot *slot, LLVMTypeRef declared)
{
    LLVMTypeRef i64 = code->lower->types.i64;
    LLVMValueRef low = load(code, slot, 0, i64), high = load(code, slot, 8, code->lower->types.i32);
    bool is_array = declared != NULL && LLVMGetTypeKind(declared) == LLVMArrayTypeKind;
    if (is_array) {
        LLVMValueRef both = LLVMGetPoison(LLVMArrayType2(i64, 2));
        both = LLVMBuildInsertValue(code->builder, both, low, 0, "");
        high = LLVMBuildZExt(code->builder, high, i64, "");
        push(arguments, LLVMBuildInsertValue(code->builder, both, high, 1, ""));
        return;
    }
    bool is_arm = str_starts(LLVMGetTarget(code->lower->module), "aarch64");
    push(arguments, low);
    push(arguments, is_arm ? LLVMBuildZExt(code->builder, high, i64, "") : high);
}

/* Without a result variable the value is ignored. */
static void store_result(struct ptx_code *code, const struct ptx_call *call, LLVMValueRef value)
{
    const struct ptx_slot *slot = call->result == NULL ? NULL : find_param(code, call->result);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (slot != NULL && check_size(code, call->function, 0, slot->bytes,
                                   LLVMABISizeOfType(code->lower->layout, type))) {
        LLVMBuildStore(code->builder, value, slot->address);
    }
}

/* cudaGetParameterBuffer(void **params): like in cuda_device_runtime_api.h. */
static LLVMValueRef get_buffer_by_pointer(struct ptx_code *code, LLVMValueRef params)
{
    enum { LARGEST_ALIGN = 64, FIRST_GENERATION_BYTES = 4096, MEMORY_ALLOCATION = 2 };
    LLVMTypeRef i32 = code->lower->types.i32, i64 = code->lower->types.i64;
    LLVMValueRef sizes[] = {LLVMConstInt(i64, LARGEST_ALIGN, 0),
                            LLVMConstInt(i64, FIRST_GENERATION_BYTES, 0)};
    LLVMValueRef buffer =
        ptx_call(code, "cudaGetParameterBuffer", code->lower->types.ptr, sizes, 2);
    LLVMBuildStore(code->builder, buffer, params);
    LLVMValueRef is_null = LLVMBuildIsNull(code->builder, buffer, "");
    return LLVMBuildSelect(code->builder, is_null, LLVMConstInt(i32, MEMORY_ALLOCATION, 0),
                           LLVMConstNull(i32), "");
}

static void push_argument(struct ptx_code *code, struct arguments *arguments,
                          const struct ptx_slot *slot, char kind, LLVMTypeRef declared)
{
    if (kind == 'd') {
        push_dim(code, arguments, slot, declared);
    } else {
        push(arguments, load(code, slot, 0,
                             kind == 'p'   ? code->lower->types.ptr
                             : kind == 'l' ? code->lower->types.i64
                                           : code->lower->types.i32));
    }
}

/* False after a complaint. */
static bool make_launch_arguments(struct ptx_code *code, const struct ptx_call *call,
                                  const struct signature *signature, struct arguments *arguments)
{
    const char *kinds = signature->arguments;
    LLVMValueRef function = LLVMGetNamedFunction(code->lower->module, signature->name);
    LLVMTypeRef declared[MOST_ARGUMENTS] = {NULL};
    if (!check_count(code, signature->name, call->argument_count, (unsigned)strlen(kinds))) {
        return false;
    }
    if (function != NULL) {
        LLVMGetParamTypes(LLVMGlobalGetValueType(function), declared);
    }
    for (unsigned i = 0; kinds[i] != '\0'; i++) {
        const struct ptx_slot *slot = find_param(code, call->arguments[i]);
        if (slot == NULL ||
            !check_size(code, signature->name, i + 1, slot->bytes, bytes_of(kinds[i]))) {
            return false;
        }
        push_argument(code, arguments, slot, kinds[i], declared[arguments->count]);
    }
    return true;
}

/* A function of the launch interface, with the signature of C. */
static void call_launch_function(struct ptx_code *code, const struct ptx_call *call,
                                 const struct signature *signature)
{
    struct arguments arguments = {.count = 0};
    if (!make_launch_arguments(code, call, signature, &arguments)) {
        return;
    }
    bool by_pointer = strcmp(signature->arguments, "p") == 0;
    LLVMTypeRef type = signature->result == 'p' ? code->lower->types.ptr : code->lower->types.i32;
    LLVMValueRef result =
        by_pointer ? get_buffer_by_pointer(code, arguments.values[0])
                   : ptx_call(code, signature->name, type, arguments.values, arguments.count);
    code->launches |= lower_is_launch(signature->name);
    store_result(code, call, result);
}

static bool is_scalar(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind ||
           kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* The function of that name, if PTX can declare its form. */
static LLVMValueRef find_function(struct ptx_code *code, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(code->lower->module, name);
    LLVMTypeRef type = function == NULL ? NULL : LLVMGlobalGetValueType(function);
    LLVMTypeRef parameters[MOST_ARGUMENTS];
    if (type == NULL || LLVMIsFunctionVarArg(type) || LLVMCountParamTypes(type) > MOST_ARGUMENTS) {
        return NULL;
    }
    for (size_t i = 0; i < code->lower->kernel_count; i++) {
        if (code->lower->kernels[i].function == function) {
            return NULL;
        }
    }
    LLVMTypeRef result = LLVMGetReturnType(type);
    LLVMGetParamTypes(type, parameters);
    bool is_plain = result == code->lower->types.none || is_scalar(result);
    for (unsigned i = 0; i < LLVMCountParamTypes(type); i++) {
        is_plain &= is_scalar(parameters[i]);
    }
    return is_plain ? function : NULL;
}

/* A function of this unit: its arguments have the sizes of the .param variables. */
static void call_any(struct ptx_code *code, const struct ptx_call *call, LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[MOST_ARGUMENTS];
    struct arguments arguments = {.count = 0};
    if (!check_count(code, call->function, call->argument_count, LLVMCountParamTypes(type))) {
        return;
    }
    LLVMGetParamTypes(type, parameters);
    for (unsigned i = 0; i < call->argument_count; i++) {
        const struct ptx_slot *slot = find_param(code, call->arguments[i]);
        uint64_t expected = LLVMABISizeOfType(code->lower->layout, parameters[i]);
        if (slot == NULL || !check_size(code, call->function, i + 1, slot->bytes, expected)) {
            return;
        }
        push(&arguments, load(code, slot, 0, parameters[i]));
    }
    LLVMValueRef value =
        LLVMBuildCall2(code->builder, type, function, arguments.values, arguments.count, "");
    if (LLVMGetReturnType(type) != code->lower->types.none) {
        store_result(code, call, value);
    }
}

bool ptx_translate_call(struct ptx_code *code, const struct ptx_call *call)
{
    const struct signature *signature = find_signature(call->function, call->argument_count);
    LLVMValueRef function = find_function(code, call->function);
    if (signature != NULL) {
        call_launch_function(code, call, signature);
    } else if (function != NULL) {
        call_any(code, call, function);
    } else {
        ptx_complain(code, str_format("'%s' is no function of this unit with scalar "
                                      "parameters and result",
                                      call->function));
    }
    return true;
}
