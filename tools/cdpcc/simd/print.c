/* Prints facts and plans for tests of single passes: cdpcc-opt --print=shapes, --print=regions.
 *
 * The output is for FileCheck, one fact in each line, so tests name what they check and nothing
 * else. */

#include "lower/kernel.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/explain.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"
#include "support/str.h"

#include <string.h>

static const char *describe_shape(const struct simd_facts *facts, size_t v)
{
    static const char *const kinds[] = {[SHAPE_UNKNOWN] = "unknown", [SHAPE_UNIFORM] = "uniform",
                                        [SHAPE_WARP] = "warp",       [SHAPE_VECTOR] = "vector",
                                        [SHAPE_LINEAR] = "affine",   [SHAPE_VARYING] = "varying"};
    static const char *const checks[] = {
        [CHECK_NONE] = "", [CHECK_FLAGS] = " by flags", [CHECK_ALWAYS] = " by test"};
    struct simd_shape shape = facts->shapes[v];
    return shape.kind != SHAPE_LINEAR ? kinds[shape.kind]
                                      : str_format("%s %lld%s", kinds[shape.kind],
                                                   (long long)shape.stride, checks[shape.check]);
}

void simd_print_shapes(FILE *file, const struct simd_kernel *kernel)
{
    fprintf(file, "shapes of %s\n", simd_source_of(kernel)->name);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        if (simd_node_of_number(kernel, v) >= 0 &&
            LLVMIsATerminatorInst(simd_value_at(kernel, v)) == NULL) {
            char *text = LLVMPrintValueToString(simd_value_at(kernel, v));
            fprintf(file, "  %s:%s\n", describe_shape(simd_facts_of(kernel), v), text);
            LLVMDisposeMessage(text);
        }
    }
}

static void print_values(FILE *file, const struct simd_kernel *kernel, const char *title,
                         const bool *set)
{
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        if (set[v]) {
            char *text = LLVMPrintValueToString(simd_value_at(kernel, v));
            fprintf(file, "    %s:%s\n", title, text);
            LLVMDisposeMessage(text);
        }
    }
}

static void print_path(FILE *file, const struct simd_path *path)
{
    static const char *const forms[] = {
        [CHUNKS_ALL_ACTIVE] = "all-active",
        [CHUNKS_SPLIT] = "split",
        [CHUNKS_MASKED] = "masked",
        [CHUNKS_TESTED] = "tested",
    };
    static const char *const unrolls[] = {
        [UNROLL_BY_LLVM] = "",
        [UNROLL_NEVER] = ", not unrolled",
        [UNROLL_IF_SHORT] = ", straight code if short",
    };
    bool is_cut = path->all_active != path->graph;
    fprintf(file, "    path: %s, %u vectors, %u masked%s%s%s%s%s\n", forms[path->form],
            path->vectors, path->masked_vectors, is_cut ? ", edges left out" : "",
            path->versions[1].is_whole ? ", whole chunks" : "",
            path->restarts != NULL ? ", may restart" : "",
            path->versions[1].early_exit >= 0 ? ", early exit" : "", unrolls[path->unroll]);
}

static void print_counters(FILE *file, const struct simd_version_plan *version)
{
    for (size_t l = 0; version->graph != NULL && l < version->graph->loop_count; l++) {
        const struct simd_loop_plan *loop = &version->loops[l];
        for (size_t i = 0; i < loop->counter_count; i++) {
            char *text = LLVMPrintValueToString(loop->counters[i].phi);
            fprintf(file, "      counts by %lld:%s\n",
                    LLVMConstIntGetSExtValue(loop->counters[i].step), text);
            LLVMDisposeMessage(text);
        }
    }
}

static void print_followers(FILE *file, const struct simd_region *region)
{
    const char *before = ", then";
    for (size_t r = 0; r < region->plan->region_count; r++) {
        if (region->followers.regions[r]) {
            fprintf(file, "%s region %zu", before, r);
            before = " or";
        }
    }
    if (region->followers.ends) {
        fprintf(file, "%s end", before);
    }
    fputc('\n', file);
}

void simd_print_regions(FILE *file, const struct simd_plan *plan)
{
    const struct simd_kernel *kernel = plan->kernel;
    fprintf(file, "regions of %s: %u values across barriers, %llu bytes for each thread%s%s\n",
            simd_source_of(kernel)->name, plan->slots, (unsigned long long)plan->thread_bytes,
            plan->needs_alive ? ", threads end early" : "",
            plan->takes_range ? ", several blocks a call" : "");
    for (size_t r = 0; r < plan->region_count; r++) {
        const struct simd_region *region = &plan->regions[r];
        fprintf(file, "  region %u: %zu nodes, %zu loops%s%s%s", region->number,
                region->graph->count, region->graph->loop_count,
                region->uniform_exit >= 0 ? ", uniform exit" : "",
                region->vote != NULL ? ", ends a vote" : "",
                region->publishing.first ? ", publishes first"
                : region->publishing.any ? ", publishes"
                                         : "");
        print_followers(file, region);
        for (unsigned i = 0; i < region->path_count; i++) {
            print_path(file, &region->paths[i]);
            print_counters(file, &region->paths[i].versions[1]);
        }
        print_values(file, kernel, "live", region->live);
        print_values(file, kernel, "promoted", region->promoted);
        print_values(file, kernel, "hoisted", region->hoisted);
    }
}
