/* Graphs that kernels launch (CUDA's guide, "Device Graph Launch").
 *
 * Each launch of such a graph has an environment. It is complete when the graph's own work is
 * complete and the environments of all graphs that its kernels launched as fire and forget. Then
 * the first of the graphs that it enqueued as tail launches takes its place; the others follow one
 * another, and what a tail enqueues comes before the rest. A launch by the host is the outermost
 * environment. It is a hold of its stream (stream/stream.h), which ends with it. */
#ifndef CDP_API_GRAPH_RUN_H
#define CDP_API_GRAPH_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"

struct cdp_graph;
struct cdp_graph_run;
struct cdp_node;
struct cdp_plan;
struct cdp_runtime;

/* What prevents kernels from launching a graph: see cudaGraphInstantiateParams. */
struct cdp_graph_obstacle {
    const struct cdp_node *node; /* NULL: no single node */
    enum cudaGraphInstantiateResult result;
};
/* True: kernels may launch it. */
bool cdp_graph_may_be_launched(const struct cdp_graph *graph, struct cdp_graph_obstacle *obstacle);

/* Whether kernels of the graph, which only the host launches, may launch others. Those within child
 * graphs may not. */
bool cdp_graph_may_launch(const struct cdp_graph *graph);

/* For an executable graph with that handle; 0: kernels do not launch this one, but it others.
 * Borrows the plan. Not uploaded yet. */
struct cdp_graph_run_traits {
    const struct cdp_plan *plan;
    uint64_t exec;
    unsigned device;
};
cudaError_t cdp_graph_run_make(struct cdp_runtime *runtime,
                               const struct cdp_graph_run_traits *traits,
                               struct cdp_graph_run **out);
/* Whether there is any that kernels launch. If not, other graphs need no environments. */
bool cdp_graph_run_exists(void);
/* The graph is idle. */
void cdp_graph_run_free(struct cdp_graph_run *run);
/* From now on kernels may launch it. */
void cdp_graph_run_upload(struct cdp_graph_run *run);
/* Whether a launch by a kernel would use the executable graph's own plan. */
bool cdp_graph_run_is_current(const struct cdp_graph_run *run);
/* Until the next upload, kernels launch the kept plan, which is borrowed; NULL: they may not launch
 * the graph. Waits until no launch by a kernel uses another plan. */
void cdp_graph_run_settle(struct cdp_graph_run *run, const struct cdp_plan *kept);
/* A launch by the host. The stream goes on when it is complete. */
enum cdp_status cdp_graph_run_queue(struct cdp_graph_run *run, uint64_t stream) CDP_MUST_CHECK;

enum cdp_graph_way {
    CDP_GRAPH_FORGET,  /* within the environment of the launching graph */
    CDP_GRAPH_SIBLING, /* within the environment around that one */
    CDP_GRAPH_TAIL,    /* after that one */
};
/* A launch by a kernel. */
struct cdp_graph_launch {
    struct cdp_graph_run *by; /* the graph of the kernel, which runs */
    enum cdp_graph_way way;
    uint32_t launcher; /* see struct cdp_stream_service */
    /* On return: why it failed, for the program's author, and whether a GPU finds nothing at the
     * graph's address. */
    const char *reason;
    bool is_fault;
};
/* Whether it may begin, and if so, a tail is enqueued. Else the caller starts it. Before the end of
 * this call the graph must not be freed. */
cudaError_t cdp_graph_run_admit(struct cdp_graph_run *run, struct cdp_graph_launch *launch);
void cdp_graph_run_start(struct cdp_graph_run *run);
/* A launch by a kernel of the executable graph with that handle. Does not wait. */
cudaError_t cdp_exec_launch(uint64_t exec, struct cdp_graph_launch *launch);
/* The handle of the executable graph; 0: see above. */
uint64_t cdp_graph_run_exec(const struct cdp_graph_run *run);

#endif
