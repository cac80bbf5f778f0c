/* --check=race and AddressSanitizer: the accesses of a loop, in one call before it.
 *
 *     loop:
 *       %i = phi i64 [ 0, %before ], [ %next, %loop ]
 *       %p = getelementptr float, ptr %a, i64 %i
 *       call void @cdp_abi_race_load(ptr @site, ptr %p, i64 4)
 *
 * becomes, if the loop is executed n times,
 *
 *     before:
 *       call void @cdp_abi_race_loads(ptr @site, ptr %a, i64 4, i64 4, i64 n)
 *
 * So do the tests of addresses (address.c, address_variables.c), of loads and of stores.
 *
 * An access of a thread may be recorded at another time if the thread does nothing in between that
 * orders it with accesses of other threads. So the loop must not have atomic operations, fences or
 * calls of unknown functions. It must be one block whose last instruction alone leaves it, and
 * whose number of iterations follows from a counter. The address must be affine in the iterations.
 *
 * Indices of 32 bits and more are taken as if they did not wrap within the loop. */
#include "instrument/instrument_pass.h"
#include "ir/indices.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>

struct loop {
    struct instrument *instrument;
    LLVMBasicBlockRef block, before;
    LLVMBuilderRef builder; /* at the end of the block before the loop */
};

enum { MOST_DEPTH = 12, LEAST_INDEX_BITS = 32 };

static LLVMTypeRef word(const struct loop *loop)
{
    return loop->instrument->lower.types.i64;
}

static LLVMValueRef number(const struct loop *loop, uint64_t value)
{
    return LLVMConstInt(word(loop), value, 0);
}

static bool is_invariant(const struct loop *loop, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) == NULL || LLVMGetInstructionParent(value) != loop->block;
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == from ? 0 : 1);
}

static bool is_phi(const struct loop *loop, LLVMValueRef value)
{
    return LLVMIsAPHINode(value) != NULL && !is_invariant(loop, value);
}

static bool is_number(LLVMValueRef value, uint64_t number)
{
    return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) == number;
}

static LLVMValueRef sum(const struct loop *loop, LLVMValueRef a, LLVMValueRef b)
{
    return is_number(a, 0) ? b : is_number(b, 0) ? a : LLVMBuildAdd(loop->builder, a, b, "");
}

static LLVMValueRef product(const struct loop *loop, LLVMValueRef a, LLVMValueRef b)
{
    return is_number(a, 1) ? b : is_number(b, 1) ? a : LLVMBuildMul(loop->builder, a, b, "");
}

static LLVMValueRef extended(const struct loop *loop, LLVMValueRef value, bool is_signed)
{
    return LLVMBuildIntCast2(loop->builder, value, word(loop), is_signed, "");
}

/* ---- What is the same in every iteration, and what the loop starts with ---- */

/* The value in the first iteration, computed before the loop. The value is affine. */
static LLVMValueRef at_start(const struct loop *loop, LLVMValueRef value)
{
    if (is_invariant(loop, value)) {
        return value;
    }
    if (LLVMIsAPHINode(value) != NULL) {
        return incoming(value, loop->before);
    }
    if (LLVMIsABinaryOperator(value) != NULL) { /* the builder computes with constants */
        LLVMValueRef left = at_start(loop, LLVMGetOperand(value, 0));
        return LLVMBuildBinOp(loop->builder, LLVMGetInstructionOpcode(value), left,
                              at_start(loop, LLVMGetOperand(value, 1)), "");
    }
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        LLVMSetOperand(copy, (unsigned)i, at_start(loop, LLVMGetOperand(value, (unsigned)i)));
    }
    LLVMInsertIntoBuilder(loop->builder, copy);
    return copy;
}

/* ---- Steps: how much a value grows in each iteration ----
 *
 * They are values of i64, in bytes for pointers; NULL: the value is not affine. */

static LLVMValueRef step_of(const struct loop *loop, LLVMValueRef value, int depth);

static LLVMValueRef step_of_pointer(const struct loop *loop, LLVMValueRef at, int depth)
{
    LLVMTypeRef type = NULL;
    LLVMValueRef all = step_of(loop, LLVMGetOperand(at, 0), depth);
    for (unsigned i = 1; all != NULL && i < (unsigned)LLVMGetNumOperands(at); i++) {
        struct lower_index index = lower_index_of(loop->instrument->lower.layout, at, i, &type);
        if (index.number != NULL) {
            LLVMValueRef step = step_of(loop, index.number, depth);
            all = step == NULL ? NULL
                               : sum(loop, all, product(loop, step, number(loop, index.bytes)));
        }
    }
    return all;
}

/* Of a value that grows by the same amount in each iteration. */
static LLVMValueRef step_of_phi(const struct loop *loop, LLVMValueRef phi)
{
    LLVMValueRef next = incoming(phi, loop->block);
    bool is_own = !is_invariant(loop, next) && LLVMGetNumOperands(next) == 2;
    LLVMValueRef left = is_own ? LLVMGetOperand(next, 0) : NULL;
    LLVMValueRef right = is_own ? LLVMGetOperand(next, 1) : NULL;
    if (is_own && LLVMIsAGetElementPtrInst(next) != NULL && left == phi &&
        is_invariant(loop, right)) {
        LLVMTypeRef type = NULL;
        uint64_t size = lower_index_of(loop->instrument->lower.layout, next, 1, &type).bytes;
        return product(loop, extended(loop, right, true), number(loop, size));
    }
    if (!is_own || LLVMGetInstructionOpcode(next) != LLVMAdd) {
        return NULL;
    }
    LLVMValueRef amount = left == phi ? right : right == phi ? left : NULL;
    return amount != NULL && is_invariant(loop, amount) ? extended(loop, amount, true) : NULL;
}

static LLVMValueRef step_of_sum(const struct loop *loop, LLVMValueRef at, int depth)
{
    LLVMValueRef left = step_of(loop, LLVMGetOperand(at, 0), depth);
    LLVMValueRef right = left != NULL ? step_of(loop, LLVMGetOperand(at, 1), depth) : NULL;
    if (right == NULL) {
        return NULL;
    }
    bool is_difference = LLVMGetInstructionOpcode(at) == LLVMSub;
    return is_difference ? LLVMBuildSub(loop->builder, left, right, "") : sum(loop, left, right);
}

/* Of a product with an invariant factor. */
static LLVMValueRef step_of_product(const struct loop *loop, LLVMValueRef at, int depth)
{
    LLVMValueRef left = LLVMGetOperand(at, 0), right = LLVMGetOperand(at, 1);
    bool is_shift = LLVMGetInstructionOpcode(at) == LLVMShl;
    if (!is_shift && is_invariant(loop, left)) {
        LLVMValueRef other = left;
        left = right;
        right = other;
    }
    LLVMValueRef step = is_invariant(loop, right) ? step_of(loop, left, depth) : NULL;
    if (step == NULL) {
        return NULL;
    }
    return is_shift ? LLVMBuildShl(loop->builder, step, extended(loop, right, false), "")
                    : product(loop, step, extended(loop, right, true));
}

static LLVMValueRef step_of(const struct loop *loop, LLVMValueRef value, int depth)
{
    if (is_invariant(loop, value)) {
        return number(loop, 0);
    }
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_index = LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                    LLVMGetIntTypeWidth(type) >= LEAST_INDEX_BITS;
    if (depth == 0 || (!is_index && LLVMGetTypeKind(type) != LLVMPointerTypeKind)) {
        return NULL;
    }
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
        return step_of_phi(loop, value);
    case LLVMAdd:
    case LLVMSub:
        return step_of_sum(loop, value, depth - 1);
    case LLVMOr:
        return LLVMGetIsDisjoint(value) ? step_of_sum(loop, value, depth - 1) : NULL;
    case LLVMMul:
    case LLVMShl:
        return step_of_product(loop, value, depth - 1);
    case LLVMGetElementPtr:
        return step_of_pointer(loop, value, depth - 1);
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        return step_of(loop, LLVMGetOperand(value, 0), depth - 1);
    default:
        return NULL;
    }
}

/* ---- The number of iterations ---- */

/* The loop goes on while value and bound, which is invariant, compare like this. */
struct exit {
    LLVMIntPredicate predicate;
    LLVMValueRef value, bound;
    int64_t step; /* of value, not 0 */
};

static bool find_counter(const struct loop *loop, struct exit *exit)
{
    LLVMValueRef value = exit->value, phi = value;
    if (is_invariant(loop, value)) {
        return false;
    }
    if (!is_phi(loop, value)) { /* the counter of the next iteration */
        phi = LLVMGetInstructionOpcode(value) == LLVMAdd ? LLVMGetOperand(value, 0) : NULL;
        if (phi == NULL || !is_phi(loop, phi) || incoming(phi, loop->block) != value) {
            return false;
        }
    }
    LLVMValueRef next = incoming(phi, loop->block);
    bool is_sum = LLVMIsAInstruction(next) != NULL && LLVMGetInstructionOpcode(next) == LLVMAdd &&
                  LLVMGetOperand(next, 0) == phi;
    LLVMValueRef step = is_sum ? LLVMGetOperand(next, 1) : NULL;
    if (step == NULL || LLVMIsAConstantInt(step) == NULL ||
        LLVMGetIntTypeWidth(LLVMTypeOf(step)) > 64) {
        return false;
    }
    exit->step = LLVMConstIntGetSExtValue(step);
    return exit->step != 0;
}

/* The predicates are numbered in pairs: ==, !=; then >, >=, <, <= without and with signs. */
static LLVMIntPredicate inverse_of(LLVMIntPredicate predicate)
{
    enum { PAIRS = LLVMIntEQ, FOURS = LLVMIntUGT };
    int at = (int)predicate;
    return at < FOURS ? (LLVMIntPredicate)(PAIRS + 1 - (at - PAIRS))
                      : (LLVMIntPredicate)(FOURS + ((at - FOURS) & ~3) + 3 - ((at - FOURS) & 3));
}

static bool find_exit(const struct loop *loop, struct exit *exit)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->block);
    LLVMValueRef compare = LLVMGetCondition(branch);
    if (LLVMIsAICmpInst(compare) == NULL || is_invariant(loop, compare) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(compare, 0))) != LLVMIntegerTypeKind) {
        return false;
    }
    *exit = (struct exit){.predicate = LLVMGetICmpPredicate(compare),
                          .value = LLVMGetOperand(compare, 0),
                          .bound = LLVMGetOperand(compare, 1)};
    if (LLVMGetSuccessor(branch, 0) != loop->block) {
        exit->predicate = inverse_of(exit->predicate);
    }
    return is_invariant(loop, exit->bound) && find_counter(loop, exit);
}

/* While the counter is not the bound. */
static LLVMValueRef count_to(const struct loop *loop, const struct exit *exit)
{
    LLVMBuilderRef b = loop->builder;
    LLVMValueRef first = at_start(loop, exit->value);
    bool is_up = exit->step > 0;
    LLVMValueRef distance =
        LLVMBuildSub(b, is_up ? exit->bound : first, is_up ? first : exit->bound, "");
    uint64_t size = is_up ? (uint64_t)exit->step : -(uint64_t)exit->step;
    distance = extended(loop, distance, false);
    distance = size == 1 ? distance : LLVMBuildUDiv(b, distance, number(loop, size), "");
    return LLVMBuildAdd(b, distance, number(loop, 1), "");
}

/* While the counter is on one side of the bound. */
static LLVMValueRef count_while(const struct loop *loop, const struct exit *exit)
{
    LLVMBuilderRef b = loop->builder;
    LLVMIntPredicate is = exit->predicate;
    bool is_signed = is >= LLVMIntSGT, is_up = exit->step > 0;
    bool with_bound = is == LLVMIntUGE || is == LLVMIntULE || is == LLVMIntSGE || is == LLVMIntSLE;
    LLVMValueRef first = at_start(loop, exit->value);
    LLVMValueRef goes_on = LLVMBuildICmp(b, is, first, exit->bound, "");
    LLVMValueRef from = extended(loop, first, is_signed),
                 to = extended(loop, exit->bound, is_signed);
    LLVMValueRef distance = LLVMBuildSub(b, is_up ? to : from, is_up ? from : to, "");
    uint64_t size = is_up ? (uint64_t)exit->step : -(uint64_t)exit->step;
    distance = LLVMBuildAdd(b, distance, number(loop, size - (with_bound ? 0 : 1)), "");
    distance = size == 1 ? distance : LLVMBuildUDiv(b, distance, number(loop, size), "");
    distance = LLVMBuildAdd(b, distance, number(loop, 1), "");
    return LLVMBuildSelect(b, goes_on, distance, number(loop, 1), "");
}

/* i64; NULL if it is not known. */
static LLVMValueRef count_iterations(const struct loop *loop)
{
    struct exit exit;
    if (!find_exit(loop, &exit)) {
        return NULL;
    }
    switch ((int)exit.predicate) {
    case LLVMIntNE:
        return count_to(loop, &exit);
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
        return exit.step > 0 ? count_while(loop, &exit) : NULL;
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntSGT:
    case LLVMIntSGE:
        return exit.step < 0 ? count_while(loop, &exit) : NULL;
    default:
        return NULL;
    }
}

/* ---- The loop ---- */

static bool is_harmless_call(LLVMValueRef call)
{
    static const char *const prefixes[] = {"llvm.",
                                           LOWER_GUARDS,
                                           "cdp_abi_race_load",
                                           "cdp_abi_race_store",
                                           "cdp_abi_race_access",
                                           "cdp_abi_init_",
                                           "cdp_abi_address_",
                                           "cdp_abi_bounds"};
    LLVMValueRef callee = lower_callee(call);
    for (size_t i = 0; callee != NULL && i < sizeof prefixes / sizeof *prefixes; i++) {
        if (str_starts(lower_name(callee), prefixes[i])) {
            return true;
        }
    }
    return callee != NULL && lower_accesses_no_memory(callee);
}

/* Whether the instruction orders no accesses. */
static bool is_harmless(LLVMValueRef at)
{
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMLoad:
    case LLVMStore:
        return !LLVMGetVolatile(at) && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic;
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return false;
    case LLVMCall:
        return is_harmless_call(at);
    default:
        return true;
    }
}

/* Whether the block is a loop by itself, with one way into it. */
static bool find_loop(struct loop *loop)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->block);
    LLVMValueRef phi = LLVMGetFirstInstruction(loop->block);
    bool is_loop =
        LLVMIsABranchInst(branch) != NULL && LLVMIsConditional(branch) &&
        (LLVMGetSuccessor(branch, 0) == loop->block || LLVMGetSuccessor(branch, 1) == loop->block);
    if (!is_loop || LLVMIsAPHINode(phi) == NULL || LLVMCountIncoming(phi) != 2) {
        return false;
    }
    unsigned own = LLVMGetIncomingBlock(phi, 0) == loop->block ? 0 : 1;
    loop->before = LLVMGetIncomingBlock(phi, 1 - own);
    LLVMValueRef entry = LLVMGetBasicBlockTerminator(loop->before);
    for (LLVMValueRef at = phi; at != NULL; at = LLVMGetNextInstruction(at)) {
        if (!is_harmless(at)) {
            return false;
        }
    }
    return LLVMIsABranchInst(entry) != NULL && !LLVMIsConditional(entry);
}

/* The calls that move, and what they become. */
static const struct form {
    const char *one, *all;
    bool has_site; /* the first operand */
} forms[] = {{"cdp_abi_race_load", "cdp_abi_race_loads", true},
             {"cdp_abi_address_read", "cdp_abi_address_reads", false},
             {"cdp_abi_address_write", "cdp_abi_address_writes", false}};

/* NULL: another instruction. */
static const struct form *form_of(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    for (size_t i = 0; callee != NULL && i < sizeof forms / sizeof *forms; i++) {
        if (str_equals(lower_name(callee), forms[i].one)) {
            return &forms[i];
        }
    }
    return NULL;
}

static void move_call(const struct loop *loop, LLVMValueRef call, const struct form *form,
                      LLVMValueRef count)
{
    struct lower_types *types = &loop->instrument->lower.types;
    LLVMTypeRef parameters[] = {types->ptr, types->ptr, types->i64, types->i64, types->i64};
    unsigned at = form->has_site ? 1 : 0, left_out = 1 - at;
    LLVMValueRef address = LLVMGetOperand(call, at), step = step_of(loop, address, MOST_DEPTH);
    if (step == NULL) {
        return;
    }
    LLVMSetCurrentDebugLocation2(loop->builder, LLVMInstructionGetDebugLoc(call));
    LLVMTypeRef type =
        LLVMFunctionType(types->none, parameters + left_out, (unsigned)(5 - left_out), 0);
    LLVMValueRef callee = instrument_runtime(loop->instrument, form->all, type);
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), at_start(loop, address),
                                LLVMGetOperand(call, at + 1), step,
                                is_number(step, 0) ? number(loop, 1) : count};
    LLVMBuildCall2(loop->builder, type, callee, arguments + left_out, 5 - left_out, "");
    LLVMInstructionEraseFromParent(call);
}

static bool is_variable_test(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    return callee != NULL && str_equals(lower_name(callee), LOWER_GUARDS INSTRUMENT_VARIABLE_GUARD);
}

/* Tests the first and the last offset of the loop: all others lie between them. */
static void move_variable_test(const struct loop *loop, LLVMValueRef call, LLVMValueRef count)
{
    LLVMValueRef arguments[INSTRUMENT_OF_VARIABLE], condition = LLVMGetOperand(call, 0);
    bool is_movable =
        LLVMIsAICmpInst(condition) != NULL && is_invariant(loop, LLVMGetOperand(condition, 1));
    for (unsigned i = 0; i < INSTRUMENT_OF_VARIABLE; i++) {
        arguments[i] = LLVMGetOperand(call, i + 1);
        is_movable &= i == INSTRUMENT_OFFSET || is_invariant(loop, arguments[i]);
    }
    LLVMValueRef step = is_movable ? step_of(loop, arguments[INSTRUMENT_OFFSET], MOST_DEPTH) : NULL;
    if (step == NULL) {
        return;
    }
    LLVMBuilderRef b = loop->builder;
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    bool is_same = is_number(step, 0);
    arguments[INSTRUMENT_OFFSET] = at_start(loop, arguments[INSTRUMENT_OFFSET]);
    arguments[INSTRUMENT_STEP] = step;
    arguments[INSTRUMENT_COUNT] = is_same ? number(loop, 1) : count;
    struct instrument_offset offset = {arguments[INSTRUMENT_OFFSET], LLVMGetOperand(condition, 1)};
    instrument_variable_test(loop->instrument, b, &offset, arguments);
    if (!is_same) {
        LLVMValueRef way = product(loop, step, LLVMBuildSub(b, count, number(loop, 1), ""));
        offset.tested = sum(loop, arguments[INSTRUMENT_OFFSET], way);
        instrument_variable_test(loop->instrument, b, &offset, arguments);
    }
    LLVMInstructionEraseFromParent(call);
}

static void move_calls(const struct loop *loop)
{
    LLVMValueRef count = NULL, next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(loop->block); at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        const struct form *form = form_of(at);
        if (form == NULL && !is_variable_test(at)) {
            continue;
        }
        count = count != NULL ? count : count_iterations(loop);
        if (count == NULL) {
            return;
        }
        if (form != NULL) {
            move_call(loop, at, form, count);
        } else {
            move_variable_test(loop, at, count);
        }
    }
}

void instrument_race_loops(struct instrument *instrument, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        struct loop loop = {.instrument = instrument, .block = block};
        if (find_loop(&loop)) {
            loop.builder = instrument_builder(instrument, LLVMGetBasicBlockTerminator(loop.before));
            move_calls(&loop);
            LLVMDisposeBuilder(loop.builder);
        }
    }
}
