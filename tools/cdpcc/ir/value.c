/* Helpers on LLVM-C for several passes.
 *
 * These functions have no state. Builders that they return belong to the caller. Arrays are in the
 * arena. */
#include "ir/value.h"

#include "support/arena.h"

#include "abi/cdp_abi.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* The arrays have no field for their capacity: it follows from the count. So an array may only
 * grow by one element at a time. */
void *lower_grow(void *array, size_t count, size_t element_size)
{
    if ((count & (count - 1)) != 0) {
        return array;
    }
    size_t capacity = count == 0 ? 1 : count * 2;
    return arena_grow(array, count * element_size, capacity * element_size);
}

/* The low bits of a pointer are equal for all objects of LLVM, so they are shifted out. */
static size_t map_slot(const struct lower_map *map, const void *key)
{
    size_t slot = (size_t)(((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    slot &= map->capacity - 1;
    while (map->keys[slot] != NULL && map->keys[slot] != key) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    return slot;
}

/* The old tables stay in the arena. Sizes double, so they take no more than the new ones. */
static void map_resize(struct lower_map *map, size_t capacity)
{
    struct lower_map old = *map;
    map->capacity = capacity;
    map->keys = arena_alloc(capacity * sizeof *map->keys);
    map->values = arena_alloc(capacity * sizeof *map->values);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.keys[i] != NULL) {
            size_t slot = map_slot(map, old.keys[i]);
            map->keys[slot] = old.keys[i];
            map->values[slot] = old.values[i];
        }
    }
}

void lower_map_put(struct lower_map *map, const void *key, unsigned value)
{
    if (map->count * 2 >= map->capacity) {
        map_resize(map, map->capacity == 0 ? 64 : map->capacity * 2);
    }
    size_t slot = map_slot(map, key);
    if (map->keys[slot] == NULL) {
        map->keys[slot] = key;
        map->count++;
    }
    map->values[slot] = value;
}

bool lower_map_find(const struct lower_map *map, const void *key, unsigned *value)
{
    if (map->capacity == 0) {
        return false;
    }
    size_t slot = map_slot(map, key);
    if (map->keys[slot] == NULL) {
        return false;
    }
    *value = map->values[slot];
    return true;
}

const char *lower_name(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

uint64_t lower_align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) / align * align;
}

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void lower_add_attribute(struct lower_context *lower, LLVMValueRef function, const char *name)
{
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(lower->llvm, attribute_kind(name), 0);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

void lower_copy_null_accesses(struct lower_context *lower, LLVMValueRef from, LLVMValueRef to)
{
    static const char name[] = "null_pointer_is_valid";
    if (LLVMGetEnumAttributeAtIndex(from, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    attribute_kind(name)) != NULL) {
        lower_add_attribute(lower, to, name);
    }
}

void lower_add_memory_attribute(struct lower_context *lower, LLVMValueRef function,
                                enum lower_memory memory)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(lower->llvm, kind, memory));
}

bool lower_accesses_no_memory(LLVMValueRef function)
{
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute_kind("memory"));
    return memory != NULL && LLVMGetEnumAttributeValue(memory) == LOWER_NO_MEMORY;
}

bool lower_has_attribute(LLVMValueRef function, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       attribute_kind(name)) != NULL;
}

LLVMBuilderRef lower_builder_before(struct lower_context *lower, LLVMValueRef instruction)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(instruction));
    return builder;
}

LLVMValueRef lower_intrinsic(struct lower_context *lower, LLVMBuilderRef builder, const char *name,
                             LLVMTypeRef *types, size_t type_count, LLVMValueRef *arguments,
                             unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(lower->module, id, types, type_count);
    return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count,
                          "");
}

LLVMBuilderRef lower_builder_at_entry(struct lower_context *lower, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, LLVMGetFirstInstruction(entry));
    return builder;
}

LLVMValueRef lower_field(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef base,
                         uint64_t offset, const char *name)
{
    LLVMValueRef index = LLVMConstInt(lower->types.i64, offset, 0);
    return LLVMBuildInBoundsGEP2(builder, lower->types.i8, base, &index, 1, name);
}

/* "nosanitize" also tells instrument/ that cdpcc made the load. */
LLVMValueRef lower_load_const(struct lower_context *lower, LLVMBuilderRef builder, LLVMTypeRef type,
                              LLVMValueRef address, const char *name)
{
    static const char *const words[] = {"invariant.load", "noundef", "nosanitize"};
    LLVMValueRef load = LLVMBuildLoad2(builder, type, address, name);
    LLVMValueRef empty =
        LLVMMetadataAsValue(lower->llvm, LLVMMDNodeInContext2(lower->llvm, NULL, 0));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        unsigned kind = LLVMGetMDKindIDInContext(lower->llvm, words[i], (unsigned)strlen(words[i]));
        LLVMSetMetadata(load, kind, empty);
    }
    return load;
}

/* Initial-exec, so that its address needs no call. */
LLVMValueRef lower_self_variable(LLVMModuleRef module)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(module, "cdp_abi_self");
    if (variable == NULL) {
        LLVMTypeRef ptr = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
        variable = LLVMAddGlobal(module, ptr, "cdp_abi_self");
        LLVMSetThreadLocalMode(variable, LLVMInitialExecTLSModel);
        LLVMSetAlignment(variable, 8);
    }
    return variable;
}

LLVMValueRef lower_self(struct lower_context *lower, LLVMBuilderRef builder)
{
    LLVMValueRef variable = lower_self_variable(lower->module);
    return lower_load_const(lower, builder, lower->types.ptr, variable, "cdp.self");
}

LLVMValueRef lower_block(struct lower_context *lower, LLVMBuilderRef builder)
{
    LLVMValueRef self = lower_self(lower, builder);
    LLVMValueRef field =
        lower_field(lower, builder, self, offsetof(struct cdp_abi_thread, block), "");
    return lower_load_const(lower, builder, lower->types.ptr, field, "cdp.block");
}

LLVMValueRef lower_runtime(struct lower_context *lower, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, name, type);
    }
    lower_add_attribute(lower, function, "convergent");
    lower_add_attribute(lower, function, "nounwind");
    return function;
}

LLVMValueRef lower_string(struct lower_context *lower, const char *text)
{
    LLVMValueRef bytes = LLVMConstStringInContext2(lower->llvm, text, strlen(text), 0);
    LLVMValueRef global = LLVMAddGlobal(lower->module, LLVMTypeOf(bytes), "cdp.string");
    LLVMSetInitializer(global, bytes);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, 1);
    return global;
}

/* LLVM's C interface has no operand number of a use, so all operands of each user are compared. */
struct lower_use *lower_uses(LLVMValueRef value, size_t *count)
{
    struct lower_use *uses = NULL;
    *count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned operands = (unsigned)LLVMGetNumOperands(user);
        for (unsigned i = 0; i < operands; i++) {
            if (LLVMGetOperand(user, i) == value) {
                struct lower_use found = {.user = user, .operand = i};
                LOWER_PUSH(uses, *count, found);
            }
        }
    }
    return uses;
}

LLVMValueRef lower_function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* The next instruction is found before the visit, because the visit may delete the instruction. */
static void each_in_function(struct lower_context *lower, LLVMValueRef function,
                             void (*visit)(struct lower_context *, LLVMValueRef))
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef next;
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            visit(lower, at);
        }
    }
}

void lower_each_instruction(struct lower_context *lower,
                            void (*visit)(struct lower_context *, LLVMValueRef))
{
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        each_in_function(lower, function, visit);
    }
}

bool lower_any_instruction(LLVMValueRef function, bool (*is)(LLVMValueRef))
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (is(at)) {
                return true;
            }
        }
    }
    return false;
}

struct lower_list lower_instructions(LLVMValueRef function, bool (*is)(LLVMValueRef))
{
    struct lower_list found = {.items = NULL};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (is(at)) {
                LOWER_PUSH(found.items, found.count, at);
            }
        }
    }
    return found;
}

unsigned lower_count_instructions(LLVMValueRef function)
{
    unsigned count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            count++;
        }
    }
    return count;
}

LLVMValueRef lower_callee(LLVMValueRef instruction)
{
    if (LLVMIsACallInst(instruction) == NULL && LLVMIsAInvokeInst(instruction) == NULL) {
        return NULL;
    }
    LLVMValueRef called = LLVMGetCalledValue(instruction);
    while (LLVMIsAGlobalAlias(called) != NULL) {
        called = LLVMAliasGetAliasee(called);
    }
    return LLVMIsAFunction(called);
}

static unsigned cached_kind(LLVMContextRef llvm)
{
    return LLVMGetMDKindIDInContext(llvm, LOWER_CACHED, sizeof LOWER_CACHED - 1);
}

void lower_mark_cached(LLVMContextRef llvm, LLVMValueRef access)
{
    LLVMMetadataRef empty = LLVMMDNodeInContext2(llvm, NULL, 0);
    LLVMSetMetadata(access, cached_kind(llvm), LLVMMetadataAsValue(llvm, empty));
}

bool lower_is_atomic_read(LLVMValueRef at)
{
    if (LLVMIsAAtomicCmpXchgInst(at) != NULL) {
        return LLVMGetOperand(at, 1) == LLVMGetOperand(at, 2);
    }
    if (LLVMIsAAtomicRMWInst(at) == NULL) {
        return false;
    }
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(at);
    bool keeps = operation == LLVMAtomicRMWBinOpAdd || operation == LLVMAtomicRMWBinOpSub ||
                 operation == LLVMAtomicRMWBinOpOr || operation == LLVMAtomicRMWBinOpXor ||
                 operation == LLVMAtomicRMWBinOpUMax;
    LLVMValueRef value = LLVMGetOperand(at, 1);
    return keeps && LLVMIsAConstantInt(value) != NULL && LLVMIsNull(value);
}

bool lower_draws_number(LLVMValueRef at)
{
    if (LLVMIsAAtomicRMWInst(at) == NULL) {
        return false;
    }
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(at);
    bool counts = operation == LLVMAtomicRMWBinOpAdd || operation == LLVMAtomicRMWBinOpSub ||
                  operation == LLVMAtomicRMWBinOpUIncWrap ||
                  operation == LLVMAtomicRMWBinOpUDecWrap;
    return counts && !lower_is_atomic_read(at);
}

bool lower_is_cached(LLVMValueRef access)
{
    return (LLVMIsALoadInst(access) != NULL || LLVMIsAStoreInst(access) != NULL) &&
           LLVMGetMetadata(access, cached_kind(LLVMGetTypeContext(LLVMTypeOf(access)))) != NULL;
}

static unsigned own_kind(LLVMValueRef access)
{
    static const char word[] = "nosanitize";
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(access)), word, sizeof word - 1);
}

LLVMValueRef lower_mark_own(LLVMValueRef access)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(access));
    LLVMSetMetadata(access, own_kind(access),
                    LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, NULL, 0)));
    return access;
}

bool lower_is_own(LLVMValueRef access)
{
    return LLVMGetMetadata(access, own_kind(access)) != NULL;
}

bool lower_is_frame_access(LLVMValueRef access)
{
    bool is_memory = LLVMIsALoadInst(access) != NULL || LLVMIsAStoreInst(access) != NULL;
    return is_memory && LLVMGetVolatile(access) && lower_is_own(access);
}

static const char with_gap[] = "cdp.with_gap";

LLVMTypeRef lower_type_with_gap(struct lower_context *lower, LLVMTypeRef type, uint64_t gap)
{
    LLVMTypeRef fields[] = {type, LLVMArrayType2(lower->types.i8, gap)};
    LLVMTypeRef wide = LLVMStructCreateNamed(lower->llvm, with_gap);
    LLVMStructSetBody(wide, fields, 2, 0);
    return wide;
}

LLVMTypeRef lower_slot_type(LLVMValueRef slot)
{
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    bool is_wide = name != NULL && strncmp(name, with_gap, sizeof with_gap - 1) == 0;
    return is_wide ? LLVMStructGetTypeAtIndex(type, 0) : type;
}

void lower_make_list(struct lower_context *lower, const char *name, LLVMValueRef *values,
                     size_t count)
{
    if (count == 0) {
        return;
    }
    LLVMValueRef list = LLVMConstArray2(lower->types.ptr, values, count);
    LLVMValueRef used = LLVMAddGlobal(lower->module, LLVMTypeOf(list), name);
    LLVMSetInitializer(used, list);
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
}

void lower_drop_list(struct lower_context *lower, const char *name)
{
    LLVMValueRef list = LLVMGetNamedGlobal(lower->module, name);
    if (list != NULL) {
        LLVMReplaceAllUsesWith(list, LLVMConstNull(lower->types.ptr));
        LLVMDeleteGlobal(list);
    }
}

/* NULL: none, or several. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsATerminatorInst(user) == NULL || found != NULL) {
            return NULL;
        }
        found = LLVMGetInstructionParent(user);
    }
    return found;
}

LLVMValueRef lower_condition_before(LLVMBasicBlockRef from, LLVMBasicBlockRef to, bool *holds)
{
    enum { MOST_BLOCKS = 4 };
    for (unsigned i = 0; i < MOST_BLOCKS && from != NULL; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        if (LLVMIsABranchInst(end) == NULL) {
            return NULL;
        }
        if (LLVMIsConditional(end)) {
            *holds = LLVMGetSuccessor(end, 0) == to;
            bool is_one_way = LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
            return is_one_way ? LLVMGetCondition(end) : NULL;
        }
        to = from;
        from = only_predecessor(from);
    }
    return NULL;
}
