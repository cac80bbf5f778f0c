/* A kernel as nodes and numbered values. */
#include "simd/ir/region_cfg.h"

#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/ir/kernel.h"
#include "support/arena.h"

#include "abi/cdp_abi.h"

#include <string.h>

const char *simd_callee_name(LLVMValueRef instruction)
{
    LLVMValueRef callee = lower_callee(instruction);
    return callee == NULL ? "" : lower_name(callee);
}

bool simd_is_barrier(LLVMValueRef instruction)
{
    return strcmp(simd_callee_name(instruction), "cdp_abi_syncthreads") == 0 ||
           simd_vote_of(instruction) != VOTE_NONE;
}

enum simd_vote simd_vote_of(LLVMValueRef instruction)
{
    static const char prefix[] = "cdp_abi_syncthreads_";
    const char *name = simd_callee_name(instruction);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        return VOTE_NONE;
    }
    const char *what = name + sizeof prefix - 1;
    return strcmp(what, "count") == 0 ? VOTE_COUNT : strcmp(what, "and") == 0 ? VOTE_AND : VOTE_OR;
}

int simd_number(const struct simd_kernel *kernel, LLVMValueRef value)
{
    unsigned number;
    return lower_map_find(&kernel->numbers, value, &number) ? (int)number : -1;
}

LLVMValueRef simd_address_base(LLVMValueRef address, int64_t *offset)
{
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        bool is_bytes =
            LLVMGetNumOperands(address) == 2 &&
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) == LLVMIntegerTypeKind &&
            LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(address)) == 8;
        if (!is_bytes || LLVMIsAConstantInt(LLVMGetOperand(address, 1)) == NULL) {
            return NULL;
        }
        *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

bool simd_is_self(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) == NULL) {
        return false;
    }
    LLVMValueRef global = LLVMIsAGlobalVariable(LLVMGetOperand(value, 0));
    return global != NULL && strcmp(lower_name(global), "cdp_abi_self") == 0;
}

int simd_self_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return base != NULL && simd_is_self(base) ? (int)offset : -1;
}

int simd_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    return is_block ? (int)offset : -1;
}

LLVMValueRef simd_phi_value(const struct simd_kernel *kernel, LLVMValueRef phi, unsigned from)
{
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetIncomingBlock(phi, i) == kernel->nodes[from].block) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return LLVMGetPoison(LLVMTypeOf(phi));
}

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

/* A thread that fails an assertion or leaves by PTX's exit is done; the lanes beside it
 * go on. */
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
            continue; /* behind a call that does not return */
        }
        add_value(kernel, at, (int)kernel->node_count - 1);
        if (simd_is_barrier(at)) {
            node->last = at;
            node->end = END_BARRIER;
            node->next_count = 1;
            node->next[0] = (unsigned)kernel->node_count;
            kernel->barrier_count++;
            add_node(kernel, block, LLVMGetNextInstruction(at));
        } else if (ends_thread(at)) {
            node->last = at;
            node->end = END_RETURN;
        } else if (LLVMIsATerminatorInst(at) != NULL) {
            node->last = at;
        }
    }
}

static unsigned head_of(const struct lower_map *heads, LLVMBasicBlockRef block)
{
    unsigned node = 0;
    lower_map_find(heads, block, &node);
    return node;
}

/* Case after case, each but the first a node of its own. */
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

static bool end_node(struct simd_kernel *kernel, const struct lower_map *heads, unsigned number)
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
        kernel->blamed = node->last;
        return false;
    }
    return true;
}

bool simd_kernel_build(struct simd_kernel *kernel)
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
        if (!end_node(kernel, &heads, i)) {
            return false;
        }
    }
    kernel->shapes = arena_alloc((kernel->value_count + 1) * sizeof *kernel->shapes);
    kernel->is_forced = arena_alloc(kernel->value_count + 1);
    kernel->is_clobbered = arena_alloc(kernel->value_count + 1);
    kernel->stays = arena_alloc(kernel->node_count + 1);
    return kernel->node_count <= SIMD_MOST_NODES;
}
