/* The call graph of the module, from direct calls.
 *
 * One pass over all instructions finds the edges; the uses of each function show whether its
 * address is taken. An unknown callee is not an edge but a mark of the caller. The users decide
 * what that mark means: lower/warp.c assumes the worst, lower/shared.c looks at functions whose
 * address is taken. */
#include "ir/call_graph.h"

#include "ir/value.h"
#include "support/arena.h"

#include <string.h>

static void number_functions(struct lower_context *lower, struct lower_graph *graph)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        lower_map_put(&graph->numbers, function, (unsigned)graph->count);
        LOWER_PUSH(graph->functions, graph->count, function);
    }
    graph->callees = arena_alloc((graph->count + 1) * sizeof *graph->callees);
    graph->callee_count = arena_alloc((graph->count + 1) * sizeof *graph->callee_count);
    graph->is_address_taken = arena_alloc((graph->count + 1) * sizeof(bool));
    graph->calls_unknown = arena_alloc((graph->count + 1) * sizeof(bool));
}

static bool is_call(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL || LLVMIsAInvokeInst(at) != NULL;
}

/* Each edge once. */
static void add_edge(struct lower_graph *graph, unsigned from, LLVMValueRef callee)
{
    unsigned to;
    if (!lower_map_find(&graph->numbers, callee, &to)) {
        return;
    }
    for (size_t i = 0; i < graph->callee_count[from]; i++) {
        if (graph->callees[from][i] == to) {
            return;
        }
    }
    LOWER_PUSH(graph->callees[from], graph->callee_count[from], to);
}

static void scan_function(struct lower_graph *graph, unsigned number)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(graph->functions[number]); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (!is_call(at)) {
                continue;
            }
            LLVMValueRef callee = lower_callee(at);
            if (callee != NULL) {
                add_edge(graph, number, callee);
            } else {
                graph->calls_unknown[number] = true;
            }
        }
    }
}

/* A function may be passed to itself; then its address escapes though it is called directly. */
static bool is_argument(LLVMValueRef call, LLVMValueRef function)
{
    unsigned arguments = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < arguments; i++) {
        if (LLVMGetArgOperand(call, i) == function) {
            return true;
        }
    }
    return false;
}

/* With any use other than as the callee of a call, the address escapes. */
static bool is_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGlobalAlias(user) != NULL) {
            if (is_address_taken(user)) {
                return true;
            }
        } else if (LLVMIsAInstruction(user) == NULL || !is_call(user) ||
                   LLVMGetCalledValue(user) != function || is_argument(user, function)) {
            return true;
        }
    }
    return false;
}

void lower_graph_build(struct lower_context *lower, struct lower_graph *graph)
{
    *graph = (struct lower_graph){0};
    number_functions(lower, graph);
    for (unsigned i = 0; i < graph->count; i++) {
        graph->is_address_taken[i] = is_address_taken(graph->functions[i]);
        scan_function(graph, i);
    }
}

/* Depth first, with a stack in the arena, because call chains may be long. */
void lower_graph_reach(const struct lower_graph *graph, unsigned from, bool *reached)
{
    unsigned *stack = NULL;
    size_t depth = 0;
    LOWER_PUSH(stack, depth, from);
    while (depth > 0) {
        unsigned at = stack[--depth];
        if (reached[at]) {
            continue;
        }
        reached[at] = true;
        for (size_t i = 0; i < graph->callee_count[at]; i++) {
            if (!reached[graph->callees[at][i]]) {
                LOWER_PUSH(stack, depth, graph->callees[at][i]);
            }
        }
    }
}

bool lower_graph_reaches(const struct lower_graph *graph, unsigned from, unsigned to)
{
    bool *reached = arena_alloc((graph->count + 1) * sizeof *reached);
    lower_graph_reach(graph, from, reached);
    return reached[to];
}

bool lower_graph_is_recursive(const struct lower_graph *graph, unsigned function)
{
    bool *reached = arena_alloc((graph->count + 1) * sizeof *reached);
    for (size_t i = 0; i < graph->callee_count[function]; i++) {
        lower_graph_reach(graph, graph->callees[function][i], reached);
    }
    return reached[function];
}
