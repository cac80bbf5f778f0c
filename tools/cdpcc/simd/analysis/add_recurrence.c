/* Add-recurrences: values that grow by the same step in each iteration of a loop.
 *
 * The name is that of LLVM's scalar evolution: {start, +, step} is start + step * iteration. Only
 * one level is recognized, directly in the phi:
 *
 *     %i = phi i32 [ %start, %before ], [ %next, %loop ]
 *     %next = add i32 %i, %step */
#include "simd/analysis/add_recurrence.h"

#include "simd/analysis/shape.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/kernel.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/placement.h"

bool simd_is_in_loop(const struct simd_graph *graph, int loop, LLVMValueRef value)
{
    int node = simd_node_of(simd_kernel_of(graph), value);
    return node >= 0 && simd_in_loop(graph, loop, (unsigned)node);
}

/* The sum may have the phi on either side. */
LLVMValueRef simd_step_of(const struct simd_graph *graph, int loop, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        if (LLVMIsAInstruction(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd) {
            continue;
        }
        unsigned other = LLVMGetOperand(next, 0) == phi;
        LLVMValueRef step = LLVMGetOperand(next, other);
        if (LLVMGetOperand(next, !other) == phi && !simd_is_in_loop(graph, loop, step)) {
            return step;
        }
    }
    return NULL;
}

/* While all lanes run the same iterations, the differences between lanes stay those of the start
 * value. */
LLVMValueRef simd_start_of_stride(const struct simd_kernel *kernel, LLVMValueRef phi)
{
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; count == 2 && i < count; i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        bool is_sum =
            LLVMIsABinaryOperator(next) != NULL && LLVMGetInstructionOpcode(next) == LLVMAdd;
        if (is_sum && LLVMGetOperand(next, 0) == phi &&
            simd_shape_of(kernel, LLVMGetOperand(next, 1))->kind == SHAPE_UNIFORM) {
            return LLVMGetIncomingValue(phi, 1 - i);
        }
    }
    return NULL;
}
