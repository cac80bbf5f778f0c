/* Plans: how a graph becomes work of streams. An executable graph has one, and each body of its
 * conditional nodes. */
#ifndef CDP_API_GRAPH_PLAN_H
#define CDP_API_GRAPH_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"
#include "stream/stream.h"

struct cdp_graph;
struct cdp_runtime;
struct cdp_step;

enum { CDP_MOST_BRANCHES = 64 };

/* Life: from cdp_plan_make, also if that fails, to cdp_plan_finish. Zeroed memory is an empty plan.
 * Its steps refer to the nodes' works, which may change between launches. */
struct cdp_plan {
    struct cdp_step *steps; /* owned */
    size_t count;
    unsigned branches;
    uint64_t streams[CDP_MOST_BRANCHES]; /* handles, of branches; [0] is unused */
    uint64_t begin; /* event: the other branches may start; 0 if there are none */
};

/* The graph is an executable graph's own, or a body in it. Also plans the bodies of its conditional
 * nodes. */
cudaError_t cdp_plan_make(struct cdp_runtime *runtime, const struct cdp_graph *graph,
                          struct cdp_plan *plan);
void cdp_plan_finish(struct cdp_runtime *runtime, struct cdp_plan *plan);

struct cdp_plan_launch {
    struct cdp_runtime *runtime;
    const struct cdp_plan *plan;
    uint64_t stream;                   /* of branch 0: the next work there comes after all steps */
    struct cdp_stream_service service; /* of which the steps are a part; hold NULL: none */
    void *environment;                 /* of the kernels (exec/state/grid.h); NULL: none */
};
/* Queues all steps. The caller knows that the steps of the launch before are complete, or come
 * before by the order of streams. */
enum cdp_status cdp_plan_launch(const struct cdp_plan_launch *at) CDP_MUST_CHECK;
/* After a launch that has failed: the stream waits for the steps that were queued. May be repeated
 * until it succeeds, as commands that end free their memory. */
enum cdp_status cdp_plan_gather(const struct cdp_plan_launch *at) CDP_MUST_CHECK;

#endif
