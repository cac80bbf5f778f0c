/* --check=memory: the stack that recursions need on hardware.
 *
 * Hardware gives a thread cudaLimitStackSize bytes, by default 1024, for functions whose use of
 * the stack is not known before the launch. Frames of this machine say little about that. But on
 * any hardware a function that waits for a recursive call has kept its return address, and its
 * arrays and classes that are in memory:
 *
 *     call void @cdp_abi_recurse(ptr @site, i64 264)      int big[64]; 8 for the return address
 *     %r = call i32 @fact(i32 %n)
 *     call void @cdp_abi_recurse_back(i64 264)
 *
 * A call at the end of its function is left alone, because a jump may replace it. The calls are
 * emitted in the second round, where the optimizer has made loops of recursions. */
#include "instrument/instrument_pass.h"
#include "instrument/site.h"
#include "ir/call_graph.h"
#include "ir/value.h"

enum { RETURN_ADDRESS = 8 };

static bool is_array_or_class(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind;
}

/* The bytes of the function's own arrays and classes. Those without a name in the source are the
 * checks' own. */
static uint64_t variables_of(struct instrument *instrument, LLVMValueRef function)
{
    uint64_t bytes = 0;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef at = LLVMGetFirstInstruction(entry); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAAllocaInst(at) != NULL && is_array_or_class(lower_slot_type(at)) &&
            LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL &&
            instrument_variable_name(&instrument->lower, at) != NULL) {
            bytes += LLVMABISizeOfType(instrument->lower.layout, lower_slot_type(at)) *
                     LLVMConstIntGetZExtValue(LLVMGetOperand(at, 0));
        }
    }
    return bytes;
}

/* Whether nothing follows but the return of its result. */
static bool is_last(LLVMValueRef call)
{
    return LLVMIsAReturnInst(LLVMGetNextInstruction(call)) != NULL;
}

/* A call of the runtime before the instruction. */
static void count(struct instrument *instrument, LLVMValueRef at, LLVMValueRef site,
                  LLVMValueRef bytes)
{
    struct lower_types *types = &instrument->lower.types;
    LLVMTypeRef parameters[] = {types->ptr, types->i64};
    LLVMValueRef arguments[] = {site, bytes};
    unsigned first = site != NULL ? 0 : 1;
    LLVMTypeRef type = LLVMFunctionType(types->none, parameters + first, 2 - first, 0);
    LLVMValueRef callee = instrument_runtime(
        instrument, site != NULL ? "cdp_abi_recurse" : "cdp_abi_recurse_back", type);
    LLVMBuilderRef builder = instrument_builder(instrument, at);
    LLVMBuildCall2(builder, type, callee, arguments + first, 2 - first, "");
    LLVMDisposeBuilder(builder);
}

static void visit_function(struct instrument *instrument, const struct lower_graph *graph,
                           unsigned number)
{
    LLVMValueRef function = graph->functions[number];
    LLVMValueRef bytes = LLVMConstInt(instrument->lower.types.i64,
                                      RETURN_ADDRESS + variables_of(instrument, function), 0);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef next;
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            unsigned callee;
            if (LLVMIsACallInst(at) != NULL && !is_last(at) &&
                lower_map_find(&graph->numbers, lower_callee(at), &callee) &&
                lower_graph_reaches(graph, callee, number)) {
                count(instrument, at, instrument_site(&instrument->lower, at, 0, NULL), bytes);
                count(instrument, next, NULL, bytes);
            }
        }
    }
}

void instrument_recursion(struct instrument *instrument)
{
    struct lower_graph graph;
    lower_graph_build(&instrument->lower, &graph);
    for (unsigned i = 0; i < graph.count; i++) {
        if (lower_graph_is_recursive(&graph, i)) {
            visit_function(instrument, &graph, i);
        }
    }
}
