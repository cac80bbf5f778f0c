/* Recursive calls at the end of functions become loops: the search in a tree, and the sum over a
 * list.
 *
 *     int find(T *t, int key)
 *         return !t ? 0 : t->key == key ? 1 : 1 + find(key < t->key ? t->left : t->right, key);
 *
 * LLVM does this to all functions, but after block entries are made.  A function that has become a
 * loop is inlined like others.
 *
 * It stays as it is where calls are counted or checked. */
#include "simd/prepare/tail_calls.h"

#include "ir/call_graph.h"
#include "ir/context.h"
#include "ir/module.h"
#include "ir/options.h"

static const char values[] = "sroa,early-cse";
/* Calls of a convergent function stay where they are. Functions are convergent until LLVM knows
 * better. */
static const char attributes[] = "cgscc(function-attrs)";
static const char loops[] = "instcombine<no-verify-fixpoint>,simplifycfg<sink-common-insts>,"
                            "instcombine<no-verify-fixpoint>,tailcallelim,simplifycfg";

static bool calls_itself(const struct lower_graph *graph, unsigned function)
{
    for (size_t i = 0; i < graph->callee_count[function]; i++) {
        if (graph->callees[function][i] == function) {
            return true;
        }
    }
    return false;
}

/* On the functions that call themselves. False: there is none. */
static bool run(struct lower_context *lower, const struct lower_graph *graph, const char *passes)
{
    bool is_any = false;
    for (unsigned i = 0; i < graph->count; i++) {
        if (!LLVMIsDeclaration(graph->functions[i]) && calls_itself(graph, i)) {
            module_run_passes_on(graph->functions[i], passes, lower->machine);
            is_any = true;
        }
    }
    return is_any;
}

void simd_replace_tail_calls(struct lower_context *lower)
{
    struct lower_graph graph;
    if (check_any(&lower->options->checks) || lower->options->checks.counts) {
        return;
    }
    lower_graph_build(lower, &graph);
    if (run(lower, &graph, values)) {
        module_run_passes(lower->module, attributes, lower->machine);
        run(lower, &graph, loops);
    }
}
