/* A shared variable's address is a constant for the front end but depends on the running block
 * here. This replaces it, also inside other constants. These become instructions: offsets and
 * casts, vectors and structs, and whole private constants (initializers of local arrays) that
 * contain it.
 *
 * Before and after, for a pointer to the fifth element of a shared array:
 *
 *     store ptr getelementptr (i8, ptr @tile, i64 16), ptr %q
 *
 *     %0 = getelementptr i8, ptr %tile, i64 16
 *     store ptr %0, ptr %q
 *
 * and for int *const list[] = {tile, tile + 4} in a function:
 *
 *     @list = private constant [2 x ptr] [...]     %cdp.constant = alloca [2 x ptr]
 *                                                  store [2 x ptr] (built by insertvalue), ptr ...
 *
 * A phi takes a value at the end of an incoming edge, so its instructions are in the
 * predecessor. */
#include "ir/constant_uses.h"

#include "ir/debug_info.h"
#include "ir/report.h"
#include "ir/value.h"
#include "support/arena.h"

/* The position of new code for one operand, and the replacement.
 *
 * Valid while one operand is expanded. */
struct site {
    struct lower_context *lower;
    LLVMBuilderRef builder;
    LLVMValueRef target, address;
};

/* Whether the constant is, or contains, the target. Globals are not searched: they are
 * addresses. */
static bool contains(LLVMValueRef value, LLVMValueRef target)
{
    if (value == target) {
        return true;
    }
    bool composite = LLVMIsAConstantExpr(value) != NULL || LLVMIsAConstantStruct(value) != NULL ||
                     LLVMIsAConstantArray(value) != NULL || LLVMIsAConstantVector(value) != NULL;
    int count = composite ? LLVMGetNumOperands(value) : 0;
    for (int i = 0; i < count; i++) {
        if (contains(LLVMGetOperand(value, (unsigned)i), target)) {
            return true;
        }
    }
    return false;
}

static LLVMValueRef expand(struct site *site, LLVMValueRef value);

/* Keeps the flags of the address computation (inbounds and the like). */
static LLVMValueRef expand_offset(struct site *site, LLVMValueRef value)
{
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc(count * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = expand(site, LLVMGetOperand(value, i));
    }
    return LLVMBuildGEPWithNoWrapFlags(site->builder, LLVMGetGEPSourceElementType(value),
                                       operands[0], operands + 1, count - 1, "",
                                       LLVMGEPGetNoWrapFlags(value));
}

/* Casts have one operand, arithmetic of addresses has two. */
static LLVMValueRef expand_expression(struct site *site, LLVMValueRef value)
{
    LLVMOpcode opcode = LLVMGetConstOpcode(value);
    if (opcode == LLVMGetElementPtr) {
        return expand_offset(site, value);
    }
    LLVMValueRef first = expand(site, LLVMGetOperand(value, 0));
    if (LLVMGetNumOperands(value) == 1) {
        return LLVMBuildCast(site->builder, opcode, first, LLVMTypeOf(value), "");
    }
    LLVMValueRef second = expand(site, LLVMGetOperand(value, 1));
    return LLVMBuildBinOp(site->builder, opcode, first, second, "");
}

/* Built element by element. Elements that do not contain the target stay constants. */
static LLVMValueRef expand_aggregate(struct site *site, LLVMValueRef value)
{
    LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(value));
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    bool vector = LLVMIsAConstantVector(value) != NULL;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef element = expand(site, LLVMGetOperand(value, i));
        LLVMValueRef index = LLVMConstInt(site->lower->types.i32, i, 0);
        result = vector ? LLVMBuildInsertElement(site->builder, result, element, index, "")
                        : LLVMBuildInsertValue(site->builder, result, element, i, "");
    }
    return result;
}

static LLVMValueRef expand(struct site *site, LLVMValueRef value)
{
    if (value == site->target) {
        return site->address;
    }
    if (!contains(value, site->target)) {
        return value;
    }
    return LLVMIsAConstantExpr(value) != NULL ? expand_expression(site, value)
                                              : expand_aggregate(site, value);
}

/* A value for a phi is computed at the end of the predecessor. */
static LLVMBuilderRef builder_for(struct lower_context *lower, LLVMValueRef user, unsigned operand)
{
    if (LLVMIsAPHINode(user) == NULL) {
        return lower_builder_before(lower, user);
    }
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, operand);
    return lower_builder_before(lower, LLVMGetBasicBlockTerminator(from));
}

/* Several edges from one block must have the same value in a phi, so the first value is reused. */
static LLVMValueRef same_edge(LLVMValueRef user, unsigned operand)
{
    if (LLVMIsAPHINode(user) == NULL) {
        return NULL;
    }
    for (unsigned i = 0; i < operand; i++) {
        if (LLVMGetIncomingBlock(user, i) == LLVMGetIncomingBlock(user, operand)) {
            return LLVMGetOperand(user, i);
        }
    }
    return NULL;
}

/* Each operand of the user that is, or contains, the constant. */
static void replace_in_operands(struct lower_context *lower, LLVMValueRef user,
                                const struct lower_replacement *replacement)
{
    LLVMValueRef target = replacement->constant;
    unsigned count = (unsigned)LLVMGetNumOperands(user);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(user, i);
        if (!LLVMIsConstant(operand) || !contains(operand, target)) {
            continue;
        }
        LLVMValueRef made = same_edge(user, i);
        if (made != NULL) {
            LLVMSetOperand(user, i, made);
            continue;
        }
        struct site site = {
            .lower = lower,
            .target = target,
            .address = replacement->address_in(lower, replacement->data, lower_function_of(user)),
            .builder = builder_for(lower, user, i),
        };
        LLVMSetOperand(user, i, expand(&site, operand));
        LLVMDisposeBuilder(site.builder);
    }
}

/* The copy of a constant on the stack of one function.
 *
 * The state of replacing one constant that contains the address; on the stack of
 * replace_in_global. */
struct copies {
    const struct lower_replacement *address; /* for the address that the constant contains */
    LLVMValueRef constant;
    struct lower_map numbers;
    LLVMValueRef *made;
    size_t count;
};

/* The callback for the constant that contains the address: its copy in the function, created at
 * the first request. */
static LLVMValueRef copy_in(struct lower_context *lower, void *data, LLVMValueRef function)
{
    struct copies *copies = data;
    unsigned number;
    if (lower_map_find(&copies->numbers, function, &number)) {
        return copies->made[number];
    }
    LLVMValueRef target = copies->address->constant;
    LLVMValueRef address = copies->address->address_in(lower, copies->address->data, function);
    LLVMBuilderRef builder = lower_builder_before(lower, LLVMGetNextInstruction(address));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    struct site site = {.lower = lower, .builder = builder, .target = target, .address = address};
    LLVMTypeRef type = LLVMGlobalGetValueType(copies->constant);
    LLVMValueRef copy = LLVMBuildAlloca(builder, type, "cdp.constant");
    LLVMSetAlignment(copy, LLVMGetAlignment(copies->constant));
    LLVMBuildStore(builder, expand(&site, LLVMGetInitializer(copies->constant)), copy);
    LLVMDisposeBuilder(builder);
    lower_map_put(&copies->numbers, function, (unsigned)copies->count);
    LOWER_PUSH(copies->made, copies->count, copy);
    return copy;
}

/* Whether the constant is never read: a reference to the variable, which the front end has replaced
 * by the variable. */
static bool is_dead(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    bool is_own = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
                  linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage;
    return is_own && LLVMIsGlobalConstant(global) && LLVMGetFirstUse(global) == NULL;
}

/* A constant array or struct that contains the address. Each function that reads it gets a copy on
 * its stack, which is filled at the function's start. */
static void replace_in_global(struct lower_context *lower, LLVMValueRef global,
                              const struct lower_replacement *replacement)
{
    if (is_dead(global)) {
        LLVMSetInitializer(global, LLVMConstNull(LLVMGlobalGetValueType(global)));
        return;
    }
    bool is_literal = LLVMGetLinkage(global) == LLVMPrivateLinkage && LLVMIsGlobalConstant(global);
    if (!is_literal) {
        lower_error(lower, NULL, "the initial value of '%s' is the address of a shared variable",
                    lower_source_name(lower, global));
        return;
    }
    struct copies copies = {.address = replacement, .constant = global};
    struct lower_replacement by_copy = {.constant = global, .address_in = copy_in, .data = &copies};
    lower_replace_uses(lower, &by_copy);
    LLVMSetInitializer(global, LLVMConstNull(LLVMGlobalGetValueType(global)));
}

/* The users of a constant, also through other constants that contain it. */
static void find_users(LLVMValueRef constant, LLVMValueRef **users, size_t *count)
{
    for (LLVMUseRef use = LLVMGetFirstUse(constant); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) != NULL || LLVMIsAGlobalValue(user) != NULL) {
            LOWER_PUSH(*users, *count, user);
        } else {
            find_users(user, users, count);
        }
    }
}

void lower_replace_uses(struct lower_context *lower, const struct lower_replacement *replacement)
{
    LLVMValueRef *users = NULL;
    size_t count = 0;
    find_users(replacement->constant, &users, &count);
    for (size_t i = 0; i < count; i++) {
        if (LLVMIsAInstruction(users[i]) != NULL) {
            replace_in_operands(lower, users[i], replacement);
        } else if (LLVMIsAGlobalVariable(users[i]) != NULL) {
            replace_in_global(lower, users[i], replacement);
        }
    }
}

void lower_using_functions(LLVMValueRef constant, void (*visit)(void *data, LLVMValueRef function),
                           void *data)
{
    LLVMValueRef *users = NULL;
    size_t count = 0;
    find_users(constant, &users, &count);
    for (size_t i = 0; i < count; i++) {
        if (LLVMIsAInstruction(users[i]) != NULL) {
            visit(data, lower_function_of(users[i]));
        } else if (LLVMIsAGlobalVariable(users[i]) != NULL) {
            lower_using_functions(users[i], visit, data);
        }
    }
}
