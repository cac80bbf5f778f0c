/* Builds the nodes of a kernel and numbers its values.
 *
 * From LLVM's basic blocks to nodes:
 *
 *     entry:                                   node 0   entry, up to the barrier    -> 1
 *       %x = load float, ptr %p
 *       call void @cdp_abi_syncthreads()
 *       switch i32 %k, label %d [0, %a 1, %b]  node 1   k == 0 ?                    -> a, n
 *                                              node n   k == 1 ?                    -> b, d
 *
 * What holds after building: the node after a barrier has the next number, and the further nodes of
 * switches come after all others. Each instruction has a number, by which all arrays of facts and
 * plans are indexed. Instructions after a call that ends the thread have none. */
#include "simd/ir/region_cfg.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/kernel.h"
#include "simd/ir/node.h"

#include <string.h>

/* Constants and globals are no values of the kernel. */
/* node_of grows along with values. */
static void add_value(struct simd_kernel *kernel, LLVMValueRef value, int node)
{
    lower_map_put(&kernel->numbers, value, (unsigned)kernel->value_count);
    size_t count = kernel->value_count;
    LOWER_PUSH(kernel->node_of, count, node);
    LOWER_PUSH(kernel->values, kernel->value_count, value);
}

static void add_node(struct simd_kernel *kernel, LLVMBasicBlockRef block, LLVMValueRef first)
{
    struct simd_node node = {.block = block, .first = first};
    LOWER_PUSH(kernel->nodes, kernel->node_count, node);
}

/* A thread that fails an assertion or executes PTX's exit ends.  The other lanes continue. */
static bool ends_thread(LLVMValueRef instruction)
{
    const char *name = simd_callee_name(instruction);
    return strcmp(name, "cdp_abi_exit") == 0;
}

static void add_block(struct simd_kernel *kernel, LLVMBasicBlockRef block)
{
    add_node(kernel, block, LLVMGetFirstInstruction(block));
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        struct simd_node *node = &kernel->nodes[kernel->node_count - 1];
        if (node->last != NULL) {
            continue; /* after a call that does not return */
        }
        add_value(kernel, at, (int)kernel->node_count - 1);
        if (simd_is_barrier(at)) {
            node->last = at;
            node->end = END_BARRIER;
            node->next_count = 1;
            node->next[0] = (unsigned)kernel->node_count;
            kernel->traits.barrier_count++;
            add_node(kernel, block, LLVMGetNextInstruction(at));
        } else if (ends_thread(at)) {
            node->last = at;
            node->end = END_RETURN;
        } else if (LLVMIsATerminatorInst(at) != NULL) {
            node->last = at;
        }
    }
}

/* The first node of the block. */
static unsigned head_of(const struct lower_map *heads, LLVMBasicBlockRef block)
{
    unsigned node = 0;
    lower_map_find(heads, block, &node);
    return node;
}

/* A switch becomes a chain of conditions, one for each case.  Each but the first is a node of its
 * own.
 * The switch's default is the last condition's second edge. */
static void end_with_switch(struct simd_kernel *kernel, const struct lower_map *heads,
                            unsigned number)
{
    LLVMValueRef end = kernel->nodes[number].last;
    LLVMBasicBlockRef block = kernel->nodes[number].block;
    unsigned cases = LLVMGetNumSuccessors(end);
    for (unsigned i = 1; i < cases; i++) {
        struct simd_node *node = &kernel->nodes[number];
        node->end = END_CONDITION;
        node->condition = LLVMGetOperand(end, 0);
        node->match = LLVMGetSwitchCaseValue(end, i);
        node->next_count = 2;
        node->next[0] = head_of(heads, LLVMGetSuccessor(end, i));
        node->next[1] = head_of(heads, LLVMGetSuccessor(end, 0));
        if (i + 1 < cases) {
            node->next[1] = (unsigned)kernel->node_count;
            number = (unsigned)kernel->node_count;
            add_node(kernel, block, NULL);
        }
    }
    if (cases == 1) {
        struct simd_node *node = &kernel->nodes[number];
        node->end = END_BRANCH;
        node->next_count = 1;
        node->next[0] = head_of(heads, LLVMGetSuccessor(end, 0));
    }
}

/* A conditional branch whose edges lead to one block is no condition. */
static void end_with_branch(struct simd_node *node, const struct lower_map *heads)
{
    LLVMValueRef end = node->last;
    node->end = END_BRANCH;
    node->next_count = 1;
    node->next[0] = head_of(heads, LLVMGetSuccessor(end, 0));
    if (LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1)) {
        node->end = END_CONDITION;
        node->next_count = 2;
        node->next[1] = head_of(heads, LLVMGetSuccessor(end, 1));
        node->condition = LLVMGetCondition(end);
    }
}

/* Nodes that end at a barrier or with the thread have their edges already. */
static bool end_node(struct simd_kernel *kernel, const struct lower_map *heads, unsigned number,
                     LLVMValueRef *blamed)
{
    struct simd_node *node = &kernel->nodes[number];
    if (node->end == END_BARRIER || node->end == END_RETURN || node->last == NULL) {
        return true;
    }
    if (LLVMIsAReturnInst(node->last) != NULL) {
        node->end = END_RETURN;
    } else if (LLVMIsAUnreachableInst(node->last) != NULL) {
        node->end = END_UNREACHABLE;
    } else if (LLVMIsABranchInst(node->last) != NULL) {
        end_with_branch(node, heads);
    } else if (LLVMIsASwitchInst(node->last) != NULL) {
        end_with_switch(kernel, heads, number);
    } else {
        *blamed = node->last;
        return false;
    }
    return true;
}

/* Blocks get their nodes before any node gets its edges. */
bool simd_kernel_build(struct simd_kernel *kernel, LLVMValueRef *blamed)
{
    struct lower_map heads = {0};
    unsigned parameters = LLVMCountParams(kernel->function);
    for (unsigned i = 0; i < parameters; i++) {
        add_value(kernel, LLVMGetParam(kernel->function, i), -1);
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        lower_map_put(&heads, block, (unsigned)kernel->node_count);
        add_block(kernel, block);
    }
    size_t count = kernel->node_count;
    for (unsigned i = 0; i < count; i++) {
        if (!end_node(kernel, &heads, i, blamed)) {
            return false;
        }
    }
    return kernel->node_count <= SIMD_MOST_NODES;
}

bool simd_starts_region(const struct simd_kernel *kernel, unsigned node)
{
    const struct simd_node *before = &kernel->nodes[node - (node != 0)];
    return node == 0 || (before->end == END_BARRIER && before->next[0] == node);
}
