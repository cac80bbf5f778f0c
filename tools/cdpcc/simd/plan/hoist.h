/* Loads that are hoisted out of the chunk loops. */
#ifndef CDPCC_SIMD_PLAN_HOIST_H
#define CDPCC_SIMD_PLAN_HOIST_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_facts;
struct simd_graph;
struct simd_region;

enum { SIMD_MOST_GUARDS = 4 };

/* A uniform branch that must go this way for the load to run. */
struct simd_guard {
    unsigned node, way;
};
struct simd_guards {
    struct simd_guard items[SIMD_MOST_GUARDS]; /* the outermost last */
    unsigned count;
};

/* A load that runs once, before the chunks, if its guards hold. */
struct simd_hoist {
    LLVMValueRef load;
    unsigned node;
    struct simd_guards guards;
};

/* Of the region's loads at uniform addresses: which are hoisted, and which the kernel's facts say
 * are clobbered.  True: there were new ones of the latter, so shapes change. */
bool simd_find_hoisted(struct simd_facts *facts, struct simd_region *region);
/* Lists the hoisted loads with their guards, in order, and marks what is known before the chunks.
 */
void simd_list_hoisted(struct simd_region *region);
/* The node uses the value that was known when the region began. */
bool simd_is_old(const struct simd_graph *graph, int number, unsigned user);
/* The only node of the region from which control comes to this one; -1: several, or none. */
int simd_only_predecessor(const struct simd_graph *graph, unsigned node);

#endif
