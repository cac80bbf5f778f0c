/* Loops in which each thread stores to consecutive elements of its own, as along a row of a matrix.
 *
 *     int row = blockIdx.x * blockDim.x + threadIdx.x;
 *     for (int k = 1; k < n; k++) {
 *         a[row * n + k] += a[row * n + k - 1];
 *     }
 *
 * In each iteration the lanes access one line of the caches each. If the rows are a power of two
 * apart, these lines share few sets, and the next iteration finds them in the second cache, or
 * further away. Then loads also seem to read what an earlier iteration has stored, because the
 * processor compares the low bits of addresses first. Together that takes up to ten times as long
 * as one thread after the other, whose accesses are contiguous. LLVM may also vectorize a thread's
 * iterations. If the distance of the rows is another one, both forms take about as long.
 *
 * Loops that only load are not worse as vectors: their rows are read in tiles (plan/row_tiles.c).
 */
#include "simd/plan/row_walks.h"

#include "ir/context.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/growth.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

/* ---- rows ---- */

/* LEAST_DISTANCE: with smaller ones, lanes share the lines of caches. CROWDED: the first cache has
 * as many bytes in one way, at least. */
enum { LEAST_DISTANCE = 64, CROWDED = 4096 };

struct row_walk {
    bool is_walk;
    bool is_crowded;     /* the rows are known to share few sets of the caches */
    bool has_known_rows; /* the distance between rows is known */
};

/* How the addresses of a load or store change from lane to lane and from iteration to iteration of
 * this innermost loop. */
static struct row_walk row_walk_of(const struct simd_graph *graph, int loop, LLVMValueRef access)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct row_walk walk = {.is_walk = false};
    LLVMValueRef address = simd_accessed(access);
    const struct simd_shape *shape = simd_shape_of(kernel, address);
    int64_t distance = shape->kind == SHAPE_LINEAR ? llabs(shape->stride) : 0;
    bool has_rows = distance >= LEAST_DISTANCE || shape->kind == SHAPE_VARYING;
    if (has_rows && !simd_is_shared(address)) {
        walk.is_walk = simd_walks_along(graph, loop, access);
        walk.has_known_rows = distance != 0;
        walk.is_crowded = walk.is_walk && distance != 0 && distance % CROWDED == 0;
    }
    return walk;
}

/* ---- whether threads are faster ---- */

/* What the innermost loops do, each time around. */
struct walks {
    unsigned accesses, walks; /* walks are accesses, too */
    unsigned harmless;        /* walks whose rows are known not to be crowded */
    unsigned operations;      /* varying ones that compute no addresses, by their cost */
    LLVMValueRef store;       /* a store that is a walk; NULL: there is none */
};

/* Vectors divide many times as fast as scalars. OTHERS_PER_WALK: with more operations, the lanes
 * gain more in them than they lose in accesses. */
enum { COST_OF_A_DIVISION = 4, OTHERS_PER_WALK = 2 };

static unsigned cost_of(LLVMValueRef at)
{
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMFDiv:
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
    case LLVMCall:
        return COST_OF_A_DIVISION;
    default:
        return LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMPointerTypeKind;
    }
}

static void add_access(struct walks *walks, const struct simd_graph *graph, int loop,
                       LLVMValueRef access)
{
    const struct simd_shape *shape = simd_shape_of(simd_kernel_of(graph), simd_accessed(access));
    if (shape->kind <= SHAPE_UNIFORM) {
        return;
    }
    struct row_walk walk = row_walk_of(graph, loop, access);
    walks->accesses++;
    walks->walks += walk.is_walk;
    walks->harmless += walk.is_walk && walk.has_known_rows && !walk.is_crowded;
    if (walk.is_walk && LLVMIsAStoreInst(access) != NULL) {
        walks->store = access;
    }
}

static void add(struct walks *walks, const struct simd_graph *graph, size_t number)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    LLVMValueRef at = simd_value_at(kernel, number);
    int node = simd_node_of_number(kernel, number);
    int loop = node >= 0 && simd_has_node(graph, node) ? simd_loop_of(graph, node) : -1;
    if (loop < 0) {
        return;
    }
    if (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) {
        add_access(walks, graph, loop, at);
    } else if (simd_is_varying(kernel, at)) {
        walks->operations += cost_of(at);
    }
}

static bool has_other_means(LLVMValueRef at)
{
    return LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL ||
           LLVMIsAAllocaInst(at) != NULL;
}

const char *simd_row_walk_refusal(const struct simd_kernel *kernel, LLVMValueRef *blamed)
{
    const struct simd_traits *traits = simd_traits_of(kernel);
    struct walks walks = {.accesses = 0};
    if (traits->range != RANGE_ANY || traits->barrier_count != 0 || traits->has_warps) {
        return NULL;
    }
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (has_other_means(simd_value_at(kernel, i))) {
            return NULL;
        }
        add(&walks, graph, i);
    }
    if (walks.store == NULL || walks.harmless != 0 || walks.walks < walks.accesses ||
        walks.operations > OTHERS_PER_WALK * walks.walks) {
        return NULL;
    }
    *blamed = walks.store;
    return "in its loops each thread stores to consecutive elements";
}
