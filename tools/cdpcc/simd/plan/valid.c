/* Checks what always holds of a plan, and of the kernel, the facts and the graphs that it is made
 * of, so that emission need not test it.
 *
 * A defect is one of cdpcc, never of the program. Debug builds stop on it, so a random kernel that
 * makes a wrong plan is found without running it. */
#include "simd/plan/valid.h"

#include "lower/kernel.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/valid.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/access.h"
#include "simd/plan/atomics.h"
#include "simd/plan/hoist.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"

#include <stdio.h>

/* The check of one plan; is_valid becomes false at the first defect and stays so. */
struct checking {
    const struct simd_plan *plan;
    const struct simd_path *path;
    bool is_valid;
};

/* `what` describes the defect; `at` may be NULL. */
static void expect(struct checking *checking, bool holds, const char *what, LLVMValueRef at)
{
    if (holds) {
        return;
    }
    char *text = at == NULL ? NULL : LLVMPrintValueToString(at);
    fprintf(stderr, "cdpcc: the plan of kernel %s is wrong: %s%s%s\n",
            simd_source_of(checking->plan->kernel)->name, what, text == NULL ? "" : ":",
            text == NULL ? "" : text);
    LLVMDisposeMessage(text);
    checking->is_valid = false;
}

/* ---- accesses ---- */

/* What emission reads for the kind, without a test of its own. */
static bool has_its_record(const struct simd_access *access)
{
    switch (access->kind) {
    case ACCESS_PERMUTED:
    case ACCESS_REPLICATED:
        return access->permutation != NULL && access->is_tested;
    case ACCESS_TWO_WAY:
        return access->two_way != NULL && access->is_tested;
    case ACCESS_INTERLEAVED:
        return access->group != NULL;
    case ACCESS_FIELD_PAIR:
    case ACCESS_GROUPED:
        return access->partner != NULL;
    case ACCESS_STRIDED:
        return access->step > 1;
    case ACCESS_NONE:
    case ACCESS_CONTEXT:
    case ACCESS_UNIFORM:
    case ACCESS_CONTIGUOUS:
    case ACCESS_REVERSED:
    case ACCESS_GATHER_SCATTER:
    case ACCESS_SCALARIZED:
        break;
    }
    return true;
}

/* Each access has two records, and only the one for all lanes active may restart. */
static void check_access(struct checking *checking, LLVMValueRef at,
                         const struct simd_access *access, bool masked)
{
    expect(checking, access->kind != ACCESS_NONE, "an access has no kind", at);
    expect(checking, has_its_record(access), "an access lacks what its kind needs", at);
    expect(checking, !access->restarts || (access->is_tested && !masked),
           "an access restarts without a test, or under masks", at);
    expect(checking, !access->is_readable || access->kind == ACCESS_UNIFORM,
           "an access that is not uniform always reads", at);
    expect(checking, !access->restarts || checking->path->restarts != NULL,
           "an access restarts where nothing can", at);
    expect(checking, !masked || access->kind != ACCESS_INTERLEAVED,
           "an interleave group under masks", at);
    expect(checking, access->prefetch.by == NULL || !masked, "a prefetch under masks", at);
}

static void check_accesses(struct checking *checking, const struct simd_version_plan *version)
{
    const struct simd_kernel *kernel = checking->plan->kernel;
    for (size_t i = 0; i < version->graph->count; i++) {
        const struct simd_node *node = simd_node(kernel, version->graph->order[i]);
        for (LLVMValueRef at = node->first; at != NULL && at != node->last;
             at = LLVMGetNextInstruction(at)) {
            if (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) {
                int number = simd_number(kernel, at);
                check_access(checking, at, &version->accesses[0][number], false);
                check_access(checking, at, &version->accesses[1][number], true);
            }
        }
    }
}

/* ---- atomic operations ---- */

static void check_atomics(struct checking *checking, const struct simd_version_plan *version)
{
    const struct simd_kernel *kernel = checking->plan->kernel;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        enum simd_atomic_kind kind = version->atomics[0][v], masked = version->atomics[1][v];
        bool is_atomic = LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL;
        expect(checking, is_atomic == (kind != ATOMIC_NONE), "an atomic operation has no kind", at);
        expect(checking, (kind == ATOMIC_LANES) == (masked == ATOMIC_LANES),
               "an operation is atomic under some masks only", at);
        expect(checking, masked != ATOMIC_STRAIGHT && masked != ATOMIC_LOOP,
               "an atomic operation of all lanes under masks", at);
        expect(checking, kind != ATOMIC_LOOP || LLVMGetFirstUse(at) == NULL,
               "a loop over vectors gives a result", at);
    }
}

/* ---- loops ---- */

/* Fields that belong to a kind are set exactly if the loop has this kind. */
static void check_loops(struct checking *checking, const struct simd_version_plan *version)
{
    const struct simd_graph *graph = version->graph;
    for (size_t i = 0; i < graph->loop_count; i++) {
        const struct simd_loop_plan *loop = &version->loops[i];
        LLVMValueRef header = simd_node(simd_kernel_of(graph), graph->loops[i].header)->first;
        bool is_uniform = loop->kind == LOOP_UNIFORM || loop->kind == LOOP_VERSIONED;
        expect(checking, is_uniform == (loop->exiting >= 0), "a loop's exit", header);
        expect(checking, loop->exiting < 0 || graph->loops[i].inside[loop->exiting],
               "a loop is left from outside of it", header);
        expect(checking, (loop->kind == LOOP_VERSIONED) == (loop->tested != NULL),
               "a versioned loop and its test", header);
        expect(checking, (loop->kind == LOOP_ALL_ACTIVE_THEN_MASKED) == (loop->affine_phis != NULL),
               "all-active iterations and their phis", header);
        expect(checking, is_uniform == (loop->up_to_exit != NULL && loop->after_exit != NULL),
               "the nodes around a loop's exit", header);
        expect(checking, loop->counter_count == 0 || (!is_uniform && loop->back.count == 1),
               "counters of a loop that lanes leave together, or that has several back edges",
               header);
        expect(checking, loop->few_lanes == 0 || loop->kind == LOOP_DIVERGENT,
               "lanes one after the other in a loop that is not masked", header);
        expect(checking, loop->back.count != 0, "a loop without a back edge", header);
    }
}

/* ---- regions ---- */

/* The first masked chunk's number is a multiple only if the widths divide each other. */
static void check_path(struct checking *checking, const struct simd_path *path)
{
    checking->path = path;
    expect(checking, path->vectors != 0 && path->masked_vectors != 0, "a path without vectors",
           NULL);
    expect(checking, path->vectors % path->masked_vectors == 0,
           "masked chunks do not divide the others", NULL);
    expect(checking, path->vectors <= checking->plan->options.vectors,
           "a path has more vectors than the version", NULL);
    checking->is_valid &= simd_graph_is_valid(path->graph) && simd_graph_is_valid(path->all_active);
    expect(checking, path->graph->entry == path->region->entry, "a path's entry", NULL);
    expect(checking, path->restarts == NULL || path->form == CHUNKS_SPLIT,
           "chunks restart where there is no masked loop", NULL);
    expect(checking,
           path->unroll != UNROLL_IF_SHORT || simd_variant_of(checking->plan->kernel)->size != NULL,
           "straight code for an unknown number of chunks", NULL);
    expect(checking, path->unroll == UNROLL_BY_LLVM || path->form != CHUNKS_MASKED,
           "a masked loop is unrolled", NULL);
    const bool runs[] = {path->form != CHUNKS_MASKED, path->form != CHUNKS_ALL_ACTIVE};
    for (unsigned i = 0; i < 2; i++) {
        expect(checking, runs[i] == (path->versions[i].graph != NULL),
               "a version that the form does not run has a plan, or one that it runs has none",
               NULL);
        if (path->versions[i].graph != NULL) {
            check_accesses(checking, &path->versions[i]);
            check_atomics(checking, &path->versions[i]);
            check_loops(checking, &path->versions[i]);
        }
    }
}

/* These are the agreements that the fixed point of planning ends with. */
static void check_values(struct checking *checking, const struct simd_region *region)
{
    const struct simd_plan *plan = checking->plan;
    const struct simd_facts *facts = simd_facts_of(plan->kernel);
    for (size_t v = 0; v < simd_value_count(plan->kernel); v++) {
        LLVMValueRef value = simd_value_at(plan->kernel, v);
        bool is_kept = plan->has_slot[v] || region->promoted[v];
        expect(checking, !is_kept || facts->shapes[v].check == CHECK_NONE,
               "a value whose shape needs a test lives in memory", value);
        expect(checking, !region->at_start[v] || region->in_chunk[v],
               "a value is known before the chunks but not in them", value);
        expect(checking, !region->hoisted[v] || facts->shapes[v].kind <= SHAPE_UNIFORM,
               "a hoisted load is not uniform", value);
    }
}

/* What emission computes before the chunks. */
static void check_early_values(struct checking *checking, const struct simd_region *region)
{
    expect(checking, (region->exit_condition != NULL) == (region->uniform_exit >= 0),
           "a uniform exit and its condition", NULL);
    for (size_t i = 0; i < region->hoist_count; i++) {
        const struct simd_hoist *hoist = &region->hoists[i];
        expect(checking, hoist->address != NULL, "a hoisted load without an address", hoist->load);
        for (unsigned j = 0; j < hoist->guards.count; j++) {
            expect(checking, hoist->guards.items[j].condition != NULL,
                   "a guard without a condition", hoist->load);
        }
    }
}

static void check_region(struct checking *checking, const struct simd_region *region)
{
    const struct simd_plan *plan = checking->plan;
    expect(checking, plan->region_of[region->entry] == (int)region->number, "a region's number",
           NULL);
    expect(checking, (region->path_count == 2) == (region->uniform_exit >= 0),
           "a region's paths and its uniform exit", NULL);
    expect(checking, region->followers.count != 0 || region->followers.ends,
           "nothing follows a region", NULL);
    check_values(checking, region);
    check_early_values(checking, region);
    for (unsigned i = 0; i < region->path_count; i++) {
        int target = region->paths[i].target;
        expect(checking, target >= SIMD_DONE && target < (int)plan->region_count,
               "a path leads nowhere", NULL);
        check_path(checking, &region->paths[i]);
    }
}

bool simd_plan_is_valid(const struct simd_plan *plan)
{
    struct checking checking = {.plan = plan,
                                .is_valid = simd_kernel_is_valid(plan->kernel) &&
                                            simd_facts_are_valid(plan->kernel)};
    for (size_t r = 0; plan->refusal == NULL && r < plan->region_count; r++) {
        check_region(&checking, &plan->regions[r]);
    }
    return checking.is_valid;
}
