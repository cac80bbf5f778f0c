/* Finds the place of each parameter of a kernel in the launch's buffer, and how the arguments of
 * the kernel's function are computed from it.
 *
 * The function's signature does not show this: the ABI passes a small class in pieces, omits an
 * empty one, and passes a large one by reference. But the unoptimized prologue of the front end
 * stores every piece into the parameter's own stack slot, and the debug records name those slots in
 * the order of the source. So the first records give the parameters, and the stores into their
 * slots give parameter and offset of each argument.
 *
 * Source and unoptimized code, for a class of two pointers that the ABI passes in two registers:
 *
 *     __global__ void k(Pair pair, bool flag);
 *
 *     define void @k(ptr %pair.coerce0, ptr %pair.coerce1, i1 %flag) {
 *       %pair = alloca %struct.Pair                    #dbg_declare(ptr %pair, ...)
 *       %flag.addr = alloca i8                         #dbg_declare(ptr %flag.addr, ...)
 *       %0 = getelementptr %struct.Pair, ptr %pair, i32 0, i32 0
 *       store ptr %pair.coerce0, ptr %0
 *       ...
 *
 * The result: parameter 0 at offset 0 with 16 bytes, parameter 1 at offset 16 with 1 byte; the
 * arguments are a value at (0, 0), a value at (0, 8), and a bool at (1, 0). The layout is that of
 * a struct with the parameters as members.
 *
 * The pass reads code and debug information and changes nothing, except that it removes the marks
 * of __grid_constant__. entry uses the result. It must run before front and all passes that change
 * stores. */
#include "ir/debug_info.h"
#include "ir/indices.h"
#include "ir/report.h"
#include "ir/value.h"
#include "lower/constant.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "support/arena.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* The parameters of one kernel in the order of the source, with one element of each array for a
 * parameter. In the arena, while the kernel is laid out. */
struct slots {
    LLVMValueRef *address; /* an alloca, or the argument itself for byval */
    LLVMMetadataRef *type;
    const char **name;
    bool *by_reference; /* the slot holds the address of the object */
    unsigned count;
};

/* The debug information counts the parameters of the source; the function's type counts pieces. */
static unsigned source_param_count(const struct lower_context *lower, LLVMValueRef function)
{
    enum { SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES_FROM_END = 1 };
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    unsigned count;
    if (subprogram == NULL) {
        return 0;
    }
    LLVMMetadataRef *operands = lower_md_operands(lower, subprogram, &count);
    if (count <= SUBPROGRAM_TYPE || operands[SUBPROGRAM_TYPE] == NULL) {
        return 0;
    }
    LLVMMetadataRef *type = lower_md_operands(lower, operands[SUBPROGRAM_TYPE], &count);
    LLVMMetadataRef list = count == 0 ? NULL : type[count - SUBROUTINE_TYPES_FROM_END];
    if (list == NULL) {
        return 0;
    }
    lower_md_operands(lower, list, &count);
    return count == 0 ? 0 : count - 1; /* the first is the result */
}

/* Takes the declarations at one instruction. DW_OP_deref says that the slot only holds the address
 * of the object. */
static void read_records(const struct lower_context *lower, LLVMValueRef at, struct slots *slots,
                         unsigned limit)
{
    for (LLVMDbgRecordRef record = LLVMGetFirstDbgRecord(at);
         record != NULL && slots->count < limit; record = LLVMGetNextDbgRecord(record)) {
        if (LLVMDbgRecordGetKind(record) != LLVMDbgRecordDeclare) {
            continue;
        }
        LLVMMetadataRef variable = LLVMDbgVariableRecordGetVariable(record);
        unsigned i = slots->count++;
        slots->address[i] = LLVMDbgVariableRecordGetValue(record, 0);
        slots->type[i] = lower_variable_type(lower, variable);
        slots->name[i] = lower_variable_name(lower, variable);
        slots->by_reference[i] =
            lower_md_says(lower, LLVMDbgVariableRecordGetExpression(record), "DW_OP_deref");
    }
}

/* Parameters come first among the declarations of the first basic block. */
static struct slots find_slots(const struct lower_context *lower, LLVMValueRef function)
{
    unsigned limit = source_param_count(lower, function);
    struct slots slots = {
        .address = arena_alloc((limit + 1) * sizeof *slots.address),
        .type = arena_alloc((limit + 1) * sizeof *slots.type),
        .name = arena_alloc((limit + 1) * sizeof *slots.name),
        .by_reference = arena_alloc((limit + 1) * sizeof *slots.by_reference),
    };
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef at = LLVMGetFirstInstruction(entry); at != NULL && slots.count < limit;
         at = LLVMGetNextInstruction(at)) {
        read_records(lower, at, &slots, limit);
    }
    return slots;
}

/* Strips constant offsets off an address. */
static LLVMValueRef base_of(const struct lower_context *lower, LLVMValueRef address,
                            uint64_t *offset)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        LLVMTypeRef type = NULL;
        unsigned operands = (unsigned)LLVMGetNumOperands(address);
        for (unsigned i = 1; i < operands; i++) {
            struct lower_index index = lower_index_of(lower->layout, address, i, &type);
            uint64_t count = index.number == NULL ? 1 : LLVMConstIntGetZExtValue(index.number);
            *offset += count * index.bytes;
        }
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

/* A piece may first be stored into a temporary that is then copied into the slot whole. */
static LLVMValueRef copied_to(LLVMValueRef slot)
{
    size_t count;
    struct lower_use *uses = lower_uses(slot, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef callee = lower_callee(uses[i].user);
        bool is_copy = callee != NULL && uses[i].operand == 1 &&
                       strncmp(lower_name(callee), "llvm.memcpy.", 12) == 0;
        if (is_copy) {
            return LLVMGetOperand(uses[i].user, 0);
        }
    }
    return NULL;
}

/* The parameter whose slot the address is. */
static bool slot_index(const struct slots *slots, LLVMValueRef address, unsigned *index)
{
    for (unsigned i = 0; i < slots->count; i++) {
        if (slots->address[i] == address) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* The store of the argument: of the value itself, of a byte for a bool, of the bytes that a small
 * class has, or of the object to which it points. */
static LLVMValueRef store_of(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) == value) {
            return user;
        }
        if (LLVMIsAZExtInst(user) != NULL || LLVMIsATruncInst(user) != NULL ||
            LLVMIsAIntToPtrInst(user) != NULL || LLVMIsALoadInst(user) != NULL) {
            LLVMValueRef store = store_of(user);
            if (store != NULL) {
                return store;
            }
        }
    }
    return NULL;
}

/* The parameter and the offset to which the store writes. False if it is no parameter's slot. */
static bool find_home(const struct lower_context *lower, const struct slots *slots,
                      LLVMValueRef store, struct lower_argument *argument)
{
    uint64_t offset = 0;
    LLVMValueRef slot = base_of(lower, LLVMGetOperand(store, 1), &offset);
    if (!slot_index(slots, slot, &argument->parameter)) {
        LLVMValueRef target = copied_to(slot);
        slot = target == NULL ? slot : base_of(lower, target, &offset);
        if (!slot_index(slots, slot, &argument->parameter)) {
            return false;
        }
    }
    argument->offset = offset;
    return true;
}

/* The caller passes the object in memory, and the callee owns the copy. */
static bool is_byval(LLVMValueRef function, unsigned index)
{
    return LLVMGetEnumAttributeAtIndex(function, index + 1,
                                       LLVMGetEnumAttributeKindForName("byval", 5)) != NULL;
}

/* A large class is its own slot: the argument is the address. False if the argument is stored in
 * no parameter's slot: then its parameter is unknown. */
static bool place_argument(const struct lower_context *lower, const struct slots *slots,
                           LLVMValueRef function, unsigned index, struct lower_argument *argument)
{
    LLVMValueRef value = LLVMGetParam(function, index);
    LLVMValueRef store = store_of(value);
    if (slot_index(slots, value, &argument->parameter)) {
        argument->kind = LOWER_ARGUMENT_COPY;
        return true;
    }
    if (store == NULL || !find_home(lower, slots, store, argument)) {
        argument->kind = LOWER_ARGUMENT_UNUSED;
        return false;
    }
    bool is_bool = LLVMTypeOf(value) == lower->types.i1;
    bool in_memory = slots->by_reference[argument->parameter] || is_byval(function, index);
    argument->kind = in_memory ? LOWER_ARGUMENT_COPY
                     : is_bool ? LOWER_ARGUMENT_BOOL
                               : LOWER_ARGUMENT_VALUE;
    return true;
}

/* The ABI states the alignment of an object in memory only if it is above 8. A parameter with a
 * slot of its own has the slot's alignment. */
static uint64_t param_align(const struct slots *slots, unsigned index, uint64_t from_type)
{
    LLVMValueRef slot = slots->address[index];
    if (LLVMIsAAllocaInst(slot) == NULL || slots->by_reference[index]) {
        return from_type;
    }
    return LLVMGetAlignment(slot);
}

/* Finds the pointers in the parameter, which a launch tests. */
static void find_pointers(const struct lower_context *lower, struct lower_kernel *kernel,
                          const struct slots *slots, unsigned parameter)
{
    size_t i = kernel->pointers.count;
    lower_type_pointers(lower, slots->type[parameter], kernel->params[parameter].offset,
                        slots->name[parameter], &kernel->pointers);
    for (; i < kernel->pointers.count; i++) {
        kernel->pointers.pointers[i].parameter = parameter;
    }
}

/* Each parameter is at the next multiple of its alignment. The size of all has no padding at its
 * end. */
static void lay_out(struct lower_context *lower, struct lower_kernel *kernel,
                    const struct slots *slots)
{
    kernel->param_count = slots->count;
    kernel->params = arena_alloc((slots->count + 1) * sizeof *kernel->params);
    uint64_t end = 0;
    for (unsigned i = 0; i < slots->count; i++) {
        struct lower_param *param = &kernel->params[i];
        uint64_t align;
        if (!lower_type_layout(lower, slots->type[i], &param->size, &align)) {
            lower_error(lower, kernel->function,
                        "parameter %u of kernel '%s' has a type of unknown size", i + 1,
                        lower_function_name(lower, kernel->function));
            return;
        }
        param->is_reference = lower_type_is_reference(lower, slots->type[i]);
        param->name = slots->name[i];
        param->type = slots->type[i];
        param->slot = slots->by_reference[i] ? NULL : slots->address[i];
        param->is_grid_constant = lower_take_grid_constant(slots->address[i]);
        param->align = param_align(slots, i, align);
        param->offset = lower_align_up(end, param->align);
        end = param->offset + param->size;
        find_pointers(lower, kernel, slots, i);
    }
    kernel->param_size = end;
}

/* A pointer that the source declares __restrict__ has the attribute noalias. */
static void place_arguments(struct lower_context *lower, struct lower_kernel *kernel,
                            const struct slots *slots)
{
    unsigned count = LLVMCountParams(kernel->function);
    unsigned restricted = LLVMGetEnumAttributeKindForName("noalias", 7);
    kernel->arguments = arena_alloc((count + 1) * sizeof *kernel->arguments);
    kernel->argument_count = count;
    for (unsigned i = 0; i < count; i++) {
        if (!place_argument(lower, slots, kernel->function, i, &kernel->arguments[i])) {
            lower_error(lower, kernel->function,
                        "cannot tell which parameter of kernel '%s' its argument %u belongs to",
                        lower_function_name(lower, kernel->function), i);
        } else if (lower_take_grid_constant(LLVMGetParam(kernel->function, i))) {
            kernel->params[kernel->arguments[i].parameter].is_grid_constant = true;
        }
        kernel->arguments[i].is_restrict =
            LLVMGetEnumAttributeAtIndex(kernel->function, i + 1, restricted) != NULL;
    }
}

/* CUDA's limits in bytes. That of --cdp=1 is the one of the toolkits of that generation. */
static void check_kernel(struct lower_context *lower, const struct lower_kernel *kernel)
{
    enum { LIMIT_CDP1 = 4096, LIMIT = 32764 };
    for (unsigned i = 0; i < kernel->param_count; i++) {
        if (kernel->params[i].is_reference) {
            lower_error(lower, kernel->function,
                        "parameter %u of kernel '%s' is a reference: a kernel takes its "
                        "parameters by value",
                        i + 1, lower_function_name(lower, kernel->function));
        }
    }
    uint64_t limit = lower->options->mode == CDP_MODE_1 ? LIMIT_CDP1 : LIMIT;
    if (kernel->param_size > limit) {
        lower_error(lower, kernel->function,
                    "the parameters of kernel '%s' take %llu bytes; at most %llu are allowed",
                    lower_function_name(lower, kernel->function),
                    (unsigned long long)kernel->param_size, (unsigned long long)limit);
    }
}

void lower_params(struct lower_context *lower)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        struct lower_kernel *kernel = &lower->kernels[i];
        if (!kernel->is_defined) {
            continue;
        }
        if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(kernel->function))) {
            lower_error(lower, kernel->function,
                        "kernel '%s' has '...': a kernel takes a fixed list of parameters",
                        lower_function_name(lower, kernel->function));
            continue;
        }
        struct slots slots = find_slots(lower, kernel->function);
        if (slots.count == 0 && LLVMCountParams(kernel->function) != 0) {
            lower_error(lower, kernel->function,
                        "kernel '%s' has no debug information: compile with -g "
                        "-fstandalone-debug",
                        kernel->name);
            continue;
        }
        lay_out(lower, kernel, &slots);
        place_arguments(lower, kernel, &slots);
        check_kernel(lower, kernel);
    }
}
