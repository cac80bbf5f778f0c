/* A picture of a graph, in the language of Graphviz. */
#include <inttypes.h>
#include <stdio.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/graph_condition.h"
#include "api/library_work.h"
#include "api/memory_ops.h"
#include "exec/report/profile.h"

static const char *word_of(enum cudaGraphNodeType type)
{
    static const char *const words[] = {
        [cudaGraphNodeTypeKernel] = "KERNEL",
        [cudaGraphNodeTypeMemcpy] = "MEMCPY",
        [cudaGraphNodeTypeMemset] = "MEMSET",
        [cudaGraphNodeTypeHost] = "HOST",
        [cudaGraphNodeTypeGraph] = "GRAPH",
        [cudaGraphNodeTypeEmpty] = "EMPTY",
        [cudaGraphNodeTypeMemAlloc] = "MEM_ALLOC",
        [cudaGraphNodeTypeMemFree] = "MEM_FREE",
        [cudaGraphNodeTypeWaitEvent] = "EVENT_WAIT",
        [cudaGraphNodeTypeEventRecord] = "EVENT_RECORD",
        [CDP_NODE_MEMORY_OPS] = "BATCH_MEM_OP",
        [cudaGraphNodeTypeConditional] = "CONDITIONAL",
        [CDP_NODE_LIBRARY] = "KERNEL",
    };
    return words[type];
}

static void print_label(FILE *file, const struct cdp_node *node)
{
    const struct cdp_work *work = &node->work;
    fprintf(file, "%zu\\n%s", node->index, word_of(work->type));
    if (work->type == cudaGraphNodeTypeKernel) {
        const struct cdp_launch *launch = &work->launch.order;
        const uint32_t *grid = launch->grid_dim, *block = launch->block_dim;
        fprintf(file, "\\n%s\\n<<<(%u,%u,%u), (%u,%u,%u), %u>>>", launch->kernel->name, grid[0],
                grid[1], grid[2], block[0], block[1], block[2], launch->dynamic_shared);
    } else if (work->type == cudaGraphNodeTypeMemcpy) {
        const struct cdp_copy *copy = &work->transfer.transfer.copy;
        fprintf(file, "\\n%zu x %zu x %zu bytes", copy->width, copy->height, copy->depth);
    } else if (work->type == cudaGraphNodeTypeMemset) {
        const struct cdp_set *set = &work->transfer.transfer.set;
        fprintf(file, "\\n%zu x %zu bytes, value %" PRIu32, set->width, set->height, set->value);
    } else if (work->type == cudaGraphNodeTypeConditional) {
        static const char *const types[] = {[cudaGraphCondTypeIf] = "IF",
                                            [cudaGraphCondTypeWhile] = "WHILE",
                                            [cudaGraphCondTypeSwitch] = "SWITCH"};
        fprintf(file, "\\n%s", types[work->conditional->type]);
    }
}

static void print_graph(FILE *file, const struct cdp_graph *graph, const char *prefix);

/* A graph within the node. */
static void print_inner(FILE *file, const struct cdp_graph *graph, const char *name,
                        const char *what)
{
    fprintf(file, "subgraph \"cluster_%s\" {\nlabel=\"%s\";\n", name, what);
    print_graph(file, graph, name);
    fputs("}\n", file);
}

static void print_inners(FILE *file, const struct cdp_node *node, const char *prefix)
{
    char name[200], what[60];
    const struct cdp_work *work = &node->work;
    if (work->type == cudaGraphNodeTypeGraph) {
        snprintf(name, sizeof name, "%snode_%zu_", prefix, node->index);
        snprintf(what, sizeof what, "child of %zu", node->index);
        print_inner(file, work->child, name, what);
    }
    for (unsigned i = 0; work->type == cudaGraphNodeTypeConditional && i < work->conditional->size;
         i++) {
        snprintf(name, sizeof name, "%snode_%zu_%u_", prefix, node->index, i);
        snprintf(what, sizeof what, "body %u of %zu", i, node->index);
        print_inner(file, work->conditional->bodies[i], name, what);
    }
}

/* prefix: distinguishes the names of child graphs' nodes. */
static void print_graph(FILE *file, const struct cdp_graph *graph, const char *prefix)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_node *node = graph->nodes[i];
        fprintf(file, "\"%snode_%zu\" [shape=box, label=\"", prefix, i);
        print_label(file, node);
        fputs("\"];\n", file);
        print_inners(file, node, prefix);
        for (size_t k = 0; k < node->dep_count; k++) {
            fprintf(file, "\"%snode_%zu\" -> \"%snode_%zu\";\n", prefix, node->deps[k]->index,
                    prefix, i);
        }
    }
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned int flags)
{
    CDP_PROFILE_CALL();
    (void)flags; /* they choose details, and all are printed */
    const struct cdp_graph *graph = cdp_graph_find(handle);
    if (graph == NULL || path == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return cdp_api_fail(cudaErrorOperatingSystem);
    }
    fputs("digraph dot {\nsubgraph cluster_1 {\nlabel=\"graph\";\n", file);
    print_graph(file, graph, "");
    fputs("}\n}\n", file);
    bool is_written = ferror(file) == 0;
    is_written = fclose(file) == 0 && is_written;
    return is_written ? cudaSuccess : cdp_api_fail(cudaErrorOperatingSystem);
}
