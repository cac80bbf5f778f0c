/* Why an access or a loop is not better than it is.
 *
 * The cause is searched in the address's arithmetic.  It is the first value that is not affine
 * although all its operands are; or the first value about which nothing is known.
 *
 * For b[a[i] + 1] the search goes from the address through the sum to the load of a[i], and stops
 * there:
 *
 *     getelementptr b, %sum       varying, and so is its index
 *     %sum = add %loaded, 1       varying, and so is its operand
 *     %loaded = load a[i]         varying at an affine address: "the index comes from memory"
 *
 * The result names the instruction, so that --explain=plan can print its line. Advice is given
 * only where it is the same for all programs. */
#include "simd/plan/reasons.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/transfer.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/thread_fields.h"
#include "simd/plan/access.h"
#include "simd/plan/loops.h"
#include "support/str.h"

enum { MOST_DEPTH = 16 };

static struct simd_reason cause_of_product(const struct simd_kernel *kernel, LLVMValueRef product)
{
    bool is_scaled = simd_is_scalar(kernel, LLVMGetOperand(product, 0)) ||
                     simd_is_scalar(kernel, LLVMGetOperand(product, 1));
    struct simd_reason result = {.at = product};
    result.text = is_scaled ? "the addresses of neighbouring threads are a distance apart that is "
                              "known at run time only"
                            : "the index is a product of two numbers that differ between threads";
    result.advice =
        is_scaled ? "let consecutive values of threadIdx.x access consecutive elements" : NULL;
    return result;
}

/* The operation makes the varying value from operands that are not varying, or it is a source. */
static struct simd_reason cause_of_operation(const struct simd_kernel *kernel, LLVMValueRef value)
{
    struct simd_reason result = {.at = value};
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
        result.text = "the index is chosen by a branch, or changes in a loop";
        result.advice = "choose it by a conditional expression, or count by a constant";
        break;
    case LLVMSelect:
        result.text = "each thread selects its index";
        break;
    case LLVMMul:
        result = cause_of_product(kernel, value);
        break;
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        result.text = "the index is a quotient or a remainder that changes within a vector";
        result.advice = "let threadIdx.x count the elements, and threadIdx.y the rows";
        break;
    case LLVMFPToSI:
    case LLVMFPToUI:
        result.text = "the index is computed in floating point";
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        result.text = "the index comes from an atomic operation";
        break;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
        result.text = "the index is computed by bitwise operations";
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        /* No test at run time is possible: it would have to be stored across a barrier. */
        result.text = "the index may wrap around within a vector";
        break;
    default:
        result.text = simd_warp_operation_of(value) != WARP_NONE
                          ? "the index comes from a warp operation"
                      : LLVMIsACallInst(value) != NULL ? "the index comes from a call"
                                                       : "the index is not an affine expression";
        break;
    }
    return result;
}

/* threadIdx is varying only in LAYOUT_ANY. */
static struct simd_reason cause_of_load(LLVMValueRef load)
{
    if (simd_self_field(load) >= 0) {
        return (struct simd_reason){.text =
                                        "a vector's threads may lie in several rows of the block",
                                    .at = load,
                                    .advice = "make blockDim.x a multiple of the lanes"};
    }
    return (struct simd_reason){.text = "the index comes from memory", .at = load};
}

/* The index comes from here, for any operands. */
static bool is_source(LLVMValueRef value)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    return opcode == LLVMPHI || opcode == LLVMCall || opcode == LLVMAtomicRMW ||
           opcode == LLVMAtomicCmpXchg || opcode == LLVMFPToSI || opcode == LLVMFPToUI;
}

/* The cause for a value that is neither uniform nor affine.
 * Follows the first varying operand, at most MOST_DEPTH values deep. */
static struct simd_reason cause_of(const struct simd_kernel *kernel, LLVMValueRef value,
                                   unsigned depth)
{
    if (LLVMIsALoadInst(value) != NULL) {
        return cause_of_load(value);
    }
    /* A select's condition always varies: what counts is what it selects. */
    unsigned count = is_source(value) ? 0 : (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = LLVMIsASelectInst(value) != NULL; i < count && depth != 0; i++) {
        LLVMValueRef operand = LLVMGetOperand(value, i);
        if (LLVMIsAInstruction(operand) != NULL && simd_is_varying(kernel, operand)) {
            return cause_of(kernel, operand, depth - 1);
        }
    }
    return cause_of_operation(kernel, value);
}

/* For affine addresses whose stride is not the element's size. */
static struct simd_reason cause_of_stride(const struct simd_kernel *kernel, LLVMValueRef at)
{
    int64_t stride = simd_shape_of(kernel, simd_accessed(at))->stride;
    return (struct simd_reason){
        .text = str_format("the addresses of neighbouring threads are %lld bytes apart",
                           (long long)stride),
        .at = NULL,
        .advice = "let consecutive values of threadIdx.x access consecutive elements"};
}

struct simd_reason simd_reason_of_access(const struct simd_kernel *kernel, LLVMValueRef at,
                                         const struct simd_access *access)
{
    struct simd_reason none = {.text = NULL};
    enum simd_access_kind kind =
        access->kind == ACCESS_FIELD_PAIR ? access->pair_kind : access->kind;
    if (kind == ACCESS_SCALARIZED) {
        bool is_atomic = LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic;
        return (struct simd_reason){.text = is_atomic ? "it is atomic"
                                            : simd_keeps_volatile(at)
                                                ? "it is volatile"
                                                : "its type has no vector form"};
    }
    if (kind == ACCESS_STRIDED) {
        return cause_of_stride(kernel, at);
    }
    if (kind != ACCESS_GATHER_SCATTER) {
        return none;
    }
    LLVMValueRef address = simd_accessed(at);
    return simd_is_varying(kernel, address) ? cause_of(kernel, address, MOST_DEPTH)
                                            : cause_of_stride(kernel, at);
}

/* Only divergent loops have a reason: the other kinds cannot be improved. */
struct simd_reason simd_reason_of_loop(const struct simd_kernel *kernel,
                                       const struct simd_loop_plan *loop)
{
    struct simd_reason result = {.text = NULL};
    if (loop->kind != LOOP_DIVERGENT) {
        return result;
    }
    for (size_t i = 0; i < loop->exits.count && result.text == NULL; i++) {
        const struct simd_node *node = simd_node(kernel, loop->exits.items[i].node);
        if (!simd_is_uniform(kernel, node->condition)) {
            result.text = "threads leave it at different times";
            result.at = node->last;
        }
    }
    if (result.text == NULL && loop->exits.count > 1) {
        result.text = "it has several exits";
        result.at = simd_node(kernel, loop->exits.items[1].node)->last;
    }
    if (result.text == NULL) {
        result.text = "some iterations do not execute its exit test";
    }
    return result;
}

/* ---- tests ---- */

static const char *text_of_test(enum simd_test test)
{
    static const char *const texts[] = {
        [TEST_NONE] = NULL,
        [TEST_SIGNED] = "if the index does not wrap around",
        [TEST_UNSIGNED] = "if the index does not wrap around",
        [TEST_MASK] = "if the masked bits do not wrap around",
        [TEST_LOW_BITS] = "if the mask keeps the low bits of the vector's index",
        [TEST_HIGH_BITS] = "if the mask keeps only high bits of the vector's index",
        [TEST_CLAMP] = "if no lane is clamped",
        [TEST_REMAINDER] = "if the remainder does not wrap around within the vector",
        [TEST_QUOTIENT] = "if the quotient is the same for the vector",
        [TEST_SHIFT] = "if the quotient is the same for the vector",
        [TEST_CHOICE] = "if the select takes its affine operand",
    };
    return texts[test];
}

/* The innermost test in the address's arithmetic that no flag makes needless. */
static enum simd_test test_in(const struct simd_kernel *kernel, LLVMValueRef value, unsigned depth)
{
    int number = simd_number(kernel, value);
    if (number < 0 || depth == 0 || simd_facts_of(kernel)->shapes[number].check == CHECK_NONE) {
        return TEST_NONE;
    }
    enum simd_test own = simd_facts_of(kernel)->tests[number], found = TEST_NONE;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && found == TEST_NONE; i++) {
        found = test_in(kernel, LLVMGetOperand(value, i), depth - 1);
    }
    bool is_needed = own != TEST_NONE && !simd_is_flagged(kernel, value, own);
    return found == TEST_NONE && is_needed ? own : found;
}

const char *simd_test_of_access(const struct simd_kernel *kernel, LLVMValueRef at,
                                const struct simd_access *access)
{
    if (access->kind == ACCESS_INTERLEAVED && access->group != NULL &&
        access->group->needs_distance) {
        return "if the arrays do not overlap";
    }
    if (!access->is_tested || access->kind == ACCESS_GROUPED) {
        return NULL;
    }
    if (access->kind == ACCESS_PERMUTED || access->kind == ACCESS_REPLICATED) {
        return "if its first index is a multiple of the lanes";
    }
    if (access->kind == ACCESS_TWO_WAY) {
        return "if neither index wraps around";
    }
    return text_of_test(test_in(kernel, simd_accessed(at), MOST_DEPTH));
}
