/* Tests of loads for which a chunk restarts, before the first of them.
 *
 * Where an index may wrap around, the all-active version tests it and restarts the chunk under
 * masks if it does. The branch before each load ends a basic block. The optimizer then sinks
 * arithmetic on the loads into the last block. If there are many loads, most of what they have
 * loaded is spilled. In that case all branches come before the first load:
 *
 *     i0 = ..., br wraps(i0), restart, continue      the indices that depend on no later load
 *     i1 = ..., br wraps(i1), restart, continue
 *     x0 = load a[i0] ...                            the node's instructions in their order
 *
 * Indices that differ by constants count as one: LLVM merges most of their tests where they are.
 *
 * What always holds: only arithmetic that cannot trap is emitted before its place. All lanes of the
 * chunk reach these loads: a call that may not return ends the search. */
#include "simd/emit/restarts.h"

#include "simd/analysis/shape.h"
#include "simd/emit/access.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/calls.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/placement.h"
#include "simd/plan/access.h"

#include <llvm-c/Core.h>

enum { FEW = 32 }; /* indices whose tests stay before their loads */

static unsigned char *progress_of(const struct simd_emit *emit, LLVMValueRef instruction)
{
    int number = simd_number(emit->kernel, instruction);
    return number < 0 ? NULL : &emit->scope.progress[number];
}

static bool is_at(const struct simd_emit *emit, LLVMValueRef instruction, enum simd_progress what)
{
    const unsigned char *progress = progress_of(emit, instruction);
    return progress != NULL && *progress == (unsigned char)what;
}

static void set(const struct simd_emit *emit, LLVMValueRef instruction, enum simd_progress what)
{
    unsigned char *progress = progress_of(emit, instruction);
    if (progress != NULL) {
        *progress = (unsigned char)what;
    }
}

void simd_start_progress(struct simd_emit *emit, unsigned node)
{
    const struct simd_node *at = simd_node(emit->kernel, node);
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        set(emit, i, LLVMIsAPHINode(i) != NULL ? PROGRESS_EMITTED : PROGRESS_NONE);
    }
}

bool simd_is_emitted(const struct simd_emit *emit, LLVMValueRef instruction)
{
    return is_at(emit, instruction, PROGRESS_EMITTED);
}

void simd_note_emitted(struct simd_emit *emit, LLVMValueRef instruction)
{
    set(emit, instruction, PROGRESS_EMITTED);
}

bool simd_is_tested_ahead(const struct simd_emit *emit, LLVMValueRef access)
{
    return is_at(emit, access, PROGRESS_TESTED);
}

/* ---- which instructions ---- */

static bool restarts(const struct simd_emit *emit, LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL && simd_access_here(emit, at)->restarts &&
           is_at(emit, at, PROGRESS_NONE);
}

/* It cannot trap, and is computed with scalars. */
static bool may_move(const struct simd_emit *emit, LLVMValueRef at)
{
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMGetElementPtr:
        return simd_shape_of(emit->kernel, at)->kind <= SHAPE_LINEAR;
    default:
        return false;
    }
}

static bool is_available(const struct simd_emit *emit, unsigned node, LLVMValueRef operand)
{
    return LLVMIsAInstruction(operand) == NULL ||
           simd_node_of(emit->kernel, operand) != (int)node || simd_is_emitted(emit, operand);
}

static bool are_operands_available(const struct simd_emit *emit, unsigned node, LLVMValueRef at)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
        if (!is_available(emit, node, LLVMGetOperand(at, i))) {
            return false;
        }
    }
    return true;
}

static void need(const struct simd_emit *emit, unsigned node, LLVMValueRef value)
{
    if (!is_available(emit, node, value) && is_at(emit, value, PROGRESS_NONE) &&
        may_move(emit, value)) {
        set(emit, value, PROGRESS_NEEDED);
    }
}

/* Marks the instructions, from the given one on, that addresses of tested loads depend on. */
static void find_needed(const struct simd_emit *emit, unsigned node, LLVMValueRef from)
{
    const struct simd_node *at = simd_node(emit->kernel, node);
    LLVMValueRef last = from;
    for (LLVMValueRef i = from; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        last = i;
    }
    for (LLVMValueRef i = last; i != from; i = LLVMGetPreviousInstruction(i)) {
        if (restarts(emit, i)) {
            need(emit, node, simd_accessed(i));
        }
        for (unsigned k = 0; is_at(emit, i, PROGRESS_NEEDED) && k < (unsigned)LLVMGetNumOperands(i);
             k++) {
            need(emit, node, LLVMGetOperand(i, k));
        }
    }
}

/* The address or index without what is constant for it: casts, sums with constants, products with
 * them. */
static LLVMValueRef variable_part(LLVMValueRef value)
{
    for (LLVMValueRef next = value; next != NULL; value = next != NULL ? next : value) {
        next = NULL;
        if (LLVMIsAGetElementPtrInst(value) != NULL && LLVMGetNumOperands(value) == 2) {
            bool is_constant = LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
            next = LLVMGetOperand(value, is_constant ? 0 : 1);
        } else if (LLVMIsACastInst(value) != NULL ||
                   (LLVMIsABinaryOperator(value) != NULL &&
                    LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL)) {
            next = LLVMGetOperand(value, 0);
        }
    }
    return value;
}

/* Those of the tested loads from the given one on; at most FEW + 1. */
static unsigned count_indices(const struct simd_emit *emit, const struct simd_node *at,
                              LLVMValueRef from)
{
    LLVMValueRef found[FEW + 1];
    unsigned count = 0;
    for (LLVMValueRef i = from; i != NULL && i != at->last && count <= FEW;
         i = LLVMGetNextInstruction(i)) {
        if (restarts(emit, i)) {
            LLVMValueRef part = variable_part(simd_accessed(i));
            unsigned k = 0;
            while (k < count && found[k] != part) {
                k++;
            }
            found[k] = part;
            count += k == count ? 1 : 0;
        }
    }
    return count;
}

/* The tests stay before their loads. */
static void leave_alone(const struct simd_emit *emit, const struct simd_node *at, LLVMValueRef from)
{
    for (LLVMValueRef i = from; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        if (restarts(emit, i)) {
            set(emit, i, PROGRESS_ALONE);
        }
    }
}

/* ---- emission ---- */

/* Each vector has a branch of its own: from a condition that dominates a sum, LLVM proves that the
 * sum does not wrap, and then adds the constant to the address. */
static void test(struct simd_emit *emit, LLVMValueRef load)
{
    struct simd_value at = simd_get(emit, simd_accessed(load));
    for (unsigned u = 0; u < emit->vectors; u++) {
        if (at.holds_for_all[u] != NULL) {
            simd_restart_unless(emit, at.holds_for_all[u]);
        }
    }
}

void simd_test_ahead(struct simd_emit *emit, unsigned node, LLVMValueRef instruction)
{
    const struct simd_node *at = simd_node(emit->kernel, node);
    bool is_reached = true;
    if (emit->mask != NULL || !restarts(emit, instruction)) {
        return;
    }
    if (count_indices(emit, at, instruction) <= FEW) {
        leave_alone(emit, at, instruction);
        return;
    }
    find_needed(emit, node, instruction);
    for (LLVMValueRef i = instruction; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        is_reached = is_reached && (LLVMIsACallInst(i) == NULL || !simd_has_effects(i));
        if (is_at(emit, i, PROGRESS_NEEDED)) {
            bool is_ready = is_reached && are_operands_available(emit, node, i);
            if (is_ready) {
                simd_instruction(emit, i);
            }
            set(emit, i, is_ready ? PROGRESS_EMITTED : PROGRESS_NONE);
        } else if (is_reached && restarts(emit, i) && is_available(emit, node, simd_accessed(i))) {
            test(emit, i);
            set(emit, i, PROGRESS_TESTED);
        }
    }
}
