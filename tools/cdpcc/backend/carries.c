/* A sum and the test of its carry become one operation, as the code generator would make of them.
 *
 *     %sum = add i64 %a, %b                ->     %pair = uadd.with.overflow %a, %b
 *     %carry = icmp ult i64 %sum, %a              %sum = extractvalue %pair, 0
 *                                                 %carry = extractvalue %pair, 1
 *
 * The same for a difference, whose operands are compared. The code generator begins anew at the
 * function's start after each of them, so a kernel with hundreds of lines of 128-bit arithmetic
 * took seconds to compile. This is one walk. */
#include "backend/carries.h"

#include "ir/value.h"

#include <llvm-c/Core.h>
#include <string.h>

enum { WORD = 32, LONG = 64, FAR = 64 };

/* A sum or difference, and the comparison that tells its carry. */
struct carry {
    LLVMValueRef result, test;
    const char *name;
};

static bool is_number(LLVMTypeRef type)
{
    unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return width == WORD || width == LONG;
}

static bool is_of(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == opcode;
}

/* One of the two is a few instructions before the other, in the same block. */
static bool is_before(LLVMValueRef first, LLVMValueRef second)
{
    for (unsigned i = 0; i < FAR && first != NULL; i++) {
        if (first == second) {
            return true;
        }
        first = LLVMGetNextInstruction(first);
    }
    return false;
}

/* The difference of the two near the comparison; NULL: there is none. */
static LLVMValueRef find_difference(LLVMValueRef test, LLVMValueRef a, LLVMValueRef b)
{
    enum { MOST_USES = 16 };
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(a); use != NULL && count < MOST_USES;
         use = LLVMGetNextUse(use), count++) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_of(user, LLVMSub) && LLVMGetOperand(user, 0) == a && LLVMGetOperand(user, 1) == b &&
            (is_before(user, test) || is_before(test, user))) {
            return user;
        }
    }
    return NULL;
}

/* `result` is NULL if the instruction tests no carry. */
static struct carry find_carry(LLVMValueRef at)
{
    struct carry none = {.result = NULL};
    if (LLVMIsAICmpInst(at) == NULL || !is_number(LLVMTypeOf(LLVMGetOperand(at, 0)))) {
        return none;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(at);
    if (predicate != LLVMIntULT && predicate != LLVMIntUGT) {
        return none;
    }
    LLVMValueRef low = LLVMGetOperand(at, predicate == LLVMIntULT ? 0 : 1);
    LLVMValueRef high = LLVMGetOperand(at, predicate == LLVMIntULT ? 1 : 0);
    if (LLVMIsConstant(low) || LLVMIsConstant(high)) {
        return none;
    }
    if (is_of(low, LLVMAdd) && is_before(low, at) &&
        (LLVMGetOperand(low, 0) == high || LLVMGetOperand(low, 1) == high)) {
        return (struct carry){low, at, "llvm.uadd.with.overflow"};
    }
    return (struct carry){find_difference(at, low, high), at, "llvm.usub.with.overflow"};
}

static void join(LLVMModuleRef module, LLVMBuilderRef b, const struct carry *carry)
{
    LLVMValueRef first = is_before(carry->result, carry->test) ? carry->result : carry->test;
    LLVMTypeRef type = LLVMTypeOf(carry->result);
    unsigned id = LLVMLookupIntrinsicID(carry->name, strlen(carry->name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
    LLVMValueRef operands[] = {LLVMGetOperand(carry->result, 0), LLVMGetOperand(carry->result, 1)};
    LLVMPositionBuilderBefore(b, first);
    LLVMValueRef pair =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, operands, 2, "");
    LLVMReplaceAllUsesWith(carry->result, LLVMBuildExtractValue(b, pair, 0, ""));
    LLVMReplaceAllUsesWith(carry->test, LLVMBuildExtractValue(b, pair, 1, ""));
    LLVMInstructionEraseFromParent(carry->result);
    LLVMInstructionEraseFromParent(carry->test);
}

static bool tests_carry(LLVMValueRef at)
{
    return find_carry(at).result != NULL;
}

/* Two tests may be about one result, which the first of them replaces. */
void lower_carries(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        struct lower_list tests = lower_instructions(f, tests_carry);
        for (size_t i = 0; i < tests.count; i++) {
            struct carry carry = find_carry(tests.items[i]);
            if (carry.result != NULL) {
                join(module, builder, &carry);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
