/* The regions that follow a region: those behind the barriers that its graph has. */
#include "simd/plan/followers.h"

#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/node.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

/* Ends of threads count alike, whether they return or trap. */
struct simd_followers simd_find_followers(const struct simd_region *region, const bool *set)
{
    const struct simd_graph *graph = region->graph;
    bool *regions = arena_alloc(region->plan->region_count + 1);
    struct simd_followers result = {.regions = regions};
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *node = simd_node(simd_kernel_of(graph), graph->order[i]);
        if (set != NULL && !set[graph->order[i]]) {
            continue;
        }
        if (node->end == END_BARRIER) {
            result.one = (unsigned)region->plan->region_of[node->next[0]];
            result.count += regions[result.one] ? 0 : 1;
            regions[result.one] = true;
        }
        result.ends |= node->end == END_RETURN || node->end == END_UNREACHABLE;
    }
    return result;
}
