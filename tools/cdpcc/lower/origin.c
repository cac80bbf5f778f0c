/* The origins of pointers.
 *
 * The search goes backwards from a pointer to the values from which it was computed:
 *
 *     %a = alloca i32                      origins of %p: the local %a and the shared @tile;
 *     %q = getelementptr i8, ptr %a, 4     "others" is false, because nothing else is possible
 *     %p = select i1 %c, ptr %q, ptr @tile
 *
 * A load, or most arguments and calls, end the search with "others": the pointer may point to
 * anything. An argument that is passed in memory is a variable, and a call that returns one of its
 * arguments is followed.
 * Poison and undef add nothing. A set of visited values ends cycles of phis. */
#include "lower/origin.h"

#include "ir/debug_info.h"
#include "ir/report.h"
#include "ir/value.h"
#include "lower/check.h"
#include "lower/kernel.h"
#include "support/str.h"

#include <string.h>

/* Notes the first record for each slot that a debug record declares at the instruction. */
static void declare(struct lower_origin_scope *scope, LLVMValueRef at)
{
    for (LLVMDbgRecordRef record = LLVMGetFirstDbgRecord(at); record != NULL;
         record = LLVMGetNextDbgRecord(record)) {
        if (LLVMDbgRecordGetKind(record) != LLVMDbgRecordDeclare) {
            continue;
        }
        LLVMValueRef slot = LLVMDbgVariableRecordGetValue(record, 0);
        unsigned unused;
        if (slot != NULL && !lower_map_find(&scope->numbers, slot, &unused)) {
            lower_map_put(&scope->numbers, slot, (unsigned)scope->count);
            LOWER_PUSH(scope->records, scope->count, record);
        }
    }
}

void lower_origin_enter(struct lower_origin_scope *scope, LLVMValueRef function)
{
    *scope = (struct lower_origin_scope){.lower = scope->lower};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            declare(scope, at);
        }
    }
}

/* By name, because the module may be a copy of the one in which the variables were collected
 * (lower/pointers.c). */
static bool is_shared(const struct lower_context *lower, LLVMValueRef global)
{
    for (size_t i = 0; i < lower->shared_count; i++) {
        if (str_equals(lower_name(lower->shared[i].variable), lower_name(global))) {
            return true;
        }
    }
    return false;
}

/* Whether an argument is a copy in memory that belongs to the callee. */
static bool is_byval(LLVMValueRef argument)
{
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned count = LLVMCountParams(function);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetParam(function, i) == argument) {
            return LLVMGetEnumAttributeAtIndex(function, i + 1,
                                               LLVMGetEnumAttributeKindForName("byval", 5)) != NULL;
        }
    }
    return false;
}

static void add(struct lower_origins *origins, enum lower_origin_kind kind, LLVMValueRef value)
{
    struct lower_origin origin = {kind, value};
    LOWER_PUSH(origins->items, origins->count, origin);
}

/* A value that is not computed from another pointer. A parameter that is passed in memory (byval)
 * is the callee's own copy, like a local variable. */
static void add_root(const struct lower_context *lower, struct lower_origins *origins,
                     LLVMValueRef root)
{
    if (LLVMIsAAllocaInst(root) != NULL || (LLVMIsAArgument(root) != NULL && is_byval(root))) {
        add(origins, LOWER_ORIGIN_LOCAL, root);
    } else if (LLVMIsAGlobalVariable(root) != NULL && is_shared(lower, root)) {
        add(origins, LOWER_ORIGIN_SHARED, root);
    } else if (lower_is_constant_variable(root)) {
        add(origins, LOWER_ORIGIN_CONSTANT, root);
    } else if (!LLVMIsUndef(root)) {
        origins->others = true;
    }
}

/* The intrinsics that return their argument. */
static bool returns_argument(LLVMValueRef at)
{
    static const char *const names[] = {"llvm.launder.invariant.group",
                                        "llvm.strip.invariant.group", "llvm.ssa.copy",
                                        "llvm.ptrmask", "llvm.ptr.annotation"};
    LLVMValueRef callee = LLVMIsAInstruction(at) != NULL ? lower_callee(at) : NULL;
    for (size_t i = 0; callee != NULL && i < sizeof names / sizeof *names; i++) {
        if (str_starts(lower_name(callee), names[i])) {
            return true;
        }
    }
    return false;
}

/* The number of operands of which a value is one; 0 if it is computed otherwise. The condition of a
 * select is its first operand, so *from gives the first operand to use. */
static unsigned choices(LLVMValueRef value, unsigned *from)
{
    *from = 0;
    if (LLVMIsAPHINode(value) != NULL) {
        return LLVMCountIncoming(value);
    }
    if (LLVMIsASelectInst(value) != NULL) {
        *from = 1;
        return 2;
    }
    bool is_offset = LLVMIsAGetElementPtrInst(value) != NULL || LLVMIsAFreezeInst(value) != NULL ||
                     LLVMIsAAddrSpaceCastInst(value) != NULL || returns_argument(value);
    if (LLVMIsAConstantExpr(value) != NULL) {
        LLVMOpcode opcode = LLVMGetConstOpcode(value);
        is_offset = opcode == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast;
    }
    return is_offset ? 1 : 0;
}

/* Depth first. A value that was visited before adds nothing. */
static void find(const struct lower_context *lower, struct lower_origins *origins,
                 LLVMValueRef value)
{
    unsigned unused, from;
    if (lower_map_find(&origins->seen, value, &unused)) {
        return;
    }
    lower_map_put(&origins->seen, value, 1);
    unsigned count = choices(value, &from);
    if (count == 0) {
        add_root(lower, origins, value);
    }
    bool is_phi = LLVMIsAPHINode(value) != NULL;
    for (unsigned i = 0; i < count; i++) {
        find(lower, origins,
             is_phi ? LLVMGetIncomingValue(value, i) : LLVMGetOperand(value, from + i));
    }
}

void lower_origins_find(const struct lower_origin_scope *scope, LLVMValueRef pointer,
                        struct lower_origins *origins)
{
    *origins = (struct lower_origins){.others = false};
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind) {
        find(scope->lower, origins, pointer);
    } else {
        origins->others = true;
    }
}

/* A record with an argument number describes a parameter. */
static struct lower_variable local_variable(const struct lower_origin_scope *scope,
                                            LLVMValueRef slot)
{
    unsigned number;
    if (!lower_map_find(&scope->numbers, slot, &number)) {
        return (struct lower_variable){.text = "a local temporary", .name = "the temporary"};
    }
    LLVMDbgRecordRef record = scope->records[number];
    LLVMMetadataRef variable = LLVMDbgVariableRecordGetVariable(record);
    const char *name = lower_node_name(scope->lower, variable);
    const char *kind =
        lower_md_says(scope->lower, variable, ", arg: ") ? "parameter" : "local variable";
    return (struct lower_variable){.text = str_format("%s '%s'", kind, name),
                                   .name = str_format("'%s'", name),
                                   .place = lower_place_at(LLVMDbgRecordGetDebugLoc(record))};
}

struct lower_variable lower_origin_variable(const struct lower_origin_scope *scope,
                                            const struct lower_origin *origin)
{
    if (origin->kind == LOWER_ORIGIN_LOCAL) {
        return local_variable(scope, origin->value);
    }
    const char *kind =
        origin->kind == LOWER_ORIGIN_SHARED ? "shared variable" : "the __constant__ variable";
    const char *name = lower_source_name(scope->lower, origin->value);
    struct lower_variable variable = {.text = str_format("%s '%s'", kind, name),
                                      .name = str_format("'%s'", name),
                                      .place = lower_global_place(scope->lower, origin->value)};
    lower_place_find(&variable.place, name);
    return variable;
}
