/* A shared variable's address is a constant to the front end but a value of the
 * running block to us.  This turns constants that contain it, used by
 * instructions, into instructions: offsets and casts, vectors and structs, and
 * whole private constants (initializers of local arrays) that hold it. */
#include "lower_pass.h"

#include "arena.h"

/* One instruction under rewriting: where new code for an operand goes. */
struct site {
    struct lower_context *lower;
    LLVMBuilderRef builder;
    LLVMValueRef target; /* the constant looked for */
};

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

static LLVMValueRef expand_aggregate(struct site *site, LLVMValueRef value)
{
    LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(value));
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    bool vector = LLVMIsAConstantVector(value) != NULL;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef element = expand(site, LLVMGetOperand(value, i));
        LLVMValueRef index = LLVMConstInt(site->lower->i32, i, 0);
        result = vector ? LLVMBuildInsertElement(site->builder, result, element, index, "")
                        : LLVMBuildInsertValue(site->builder, result, element, i, "");
    }
    return result;
}

static LLVMValueRef expand(struct site *site, LLVMValueRef value)
{
    if (value == site->target || !contains(value, site->target)) {
        return value;
    }
    return LLVMIsAConstantExpr(value) != NULL ? expand_expression(site, value)
                                              : expand_aggregate(site, value);
}

/* A value for a phi is computed where its edge comes from. */
static LLVMBuilderRef builder_for(struct lower_context *lower, LLVMValueRef user, unsigned operand)
{
    if (LLVMIsAPHINode(user) == NULL) {
        return lower_builder_before(lower, user);
    }
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, operand);
    return lower_builder_before(lower, LLVMGetBasicBlockTerminator(from));
}

/* Several edges from one block must bring the same value: the one already made. */
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

static void expand_operands(struct lower_context *lower, LLVMValueRef user, LLVMValueRef target)
{
    unsigned count = (unsigned)LLVMGetNumOperands(user);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(user, i);
        if (!LLVMIsConstant(operand) || operand == target || !contains(operand, target)) {
            continue;
        }
        LLVMValueRef made = same_edge(user, i);
        if (made != NULL) {
            LLVMSetOperand(user, i, made);
            continue;
        }
        struct site site = {
            .lower = lower,
            .builder = builder_for(lower, user, i),
            .target = target,
        };
        LLVMSetOperand(user, i, expand(&site, operand));
        LLVMDisposeBuilder(site.builder);
    }
}

/* A constant array or struct that holds the address: each function that reads it
 * gets a copy on its stack, filled in at the start. */
static void copy_to_stack(struct lower_context *lower, LLVMValueRef global, LLVMValueRef target,
                          LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMBuilderRef builder = lower_builder_at_entry(lower, function);
    LLVMValueRef copy = LLVMBuildAlloca(builder, type, "cdp.constant");
    LLVMSetAlignment(copy, LLVMGetAlignment(global));
    struct site site = {.lower = lower, .builder = builder, .target = target};
    LLVMBuildStore(builder, expand(&site, LLVMGetInitializer(global)), copy);
    LLVMDisposeBuilder(builder);
    size_t count;
    struct lower_use *uses = lower_uses(global, &count);
    for (size_t i = 0; i < count; i++) {
        if (LLVMIsAInstruction(uses[i].user) != NULL &&
            lower_function_of(uses[i].user) == function) {
            LLVMSetOperand(uses[i].user, uses[i].operand, copy);
        }
    }
}

static void expand_global(struct lower_context *lower, LLVMValueRef global, LLVMValueRef target)
{
    bool is_literal = LLVMGetLinkage(global) == LLVMPrivateLinkage && LLVMIsGlobalConstant(global);
    if (!is_literal) {
        lower_error(lower, NULL, "the initial value of '%s' is the address of a shared variable",
                    lower_source_name(lower, global));
        return;
    }
    lower_expand_uses(lower, global);
    for (;;) {
        LLVMValueRef user = NULL;
        for (LLVMUseRef use = LLVMGetFirstUse(global); use != NULL; use = LLVMGetNextUse(use)) {
            if (LLVMIsAInstruction(LLVMGetUser(use)) != NULL) {
                user = LLVMGetUser(use);
            }
        }
        if (user == NULL) {
            break;
        }
        copy_to_stack(lower, global, target, lower_function_of(user));
    }
    LLVMSetInitializer(global, LLVMConstNull(LLVMGlobalGetValueType(global)));
}

static void expand_user(struct lower_context *lower, LLVMValueRef user, LLVMValueRef target)
{
    if (LLVMIsAInstruction(user) != NULL) {
        expand_operands(lower, user, target);
    } else if (LLVMIsAGlobalVariable(user) != NULL) {
        expand_global(lower, user, target);
    }
}

/* Users of a constant, through the constants that contain it. */
static void find_users(LLVMValueRef constant, LLVMValueRef **users, size_t *count)
{
    for (LLVMUseRef use = LLVMGetFirstUse(constant); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_end = LLVMIsAInstruction(user) != NULL || lower_is_global(user);
        if (is_end) {
            LOWER_PUSH(*users, *count, user);
        } else {
            find_users(user, users, count);
        }
    }
}

void lower_expand_uses(struct lower_context *lower, LLVMValueRef constant)
{
    LLVMValueRef *users = NULL;
    size_t count = 0;
    find_users(constant, &users, &count);
    for (size_t i = 0; i < count; i++) {
        expand_user(lower, users[i], constant);
    }
}
