/* Legality: why a kernel has only thread entries.  A reason is anything that a block entry could
 * get wrong, or that is not known to be right.
 *
 * The threads of a chunk advance together.  So a thread must not wait for another one except at a
 * barrier, and all threads that do not end must wait at the same barrier.
 *
 * Three rounds, from cheap to expensive:
 *
 *     simd_refusal             once for a kernel: calls, types, accesses, loops that may wait
 *     simd_refusal_of_shapes   for each version: barriers and warp operations below divergence
 *     simd_plan_make           for each version: what slots and scalar loops can hold
 *
 * The barrier rule, as CUDA has it, is that all threads that have not ended reach the same barrier:
 *
 *     if (threadIdx.x < 16) __syncthreads();  __syncthreads();    refused
 *     if (blockIdx.x < 16) __syncthreads();                      uniform: allowed
 *     if (i >= n) return;  __syncthreads();                      allowed, with masks of live lanes
 *     for (k = 0; k < n; k++) __syncthreads();                   allowed for a uniform n
 *
 * A refusal is a text for the user, which --explain prints after the kernel's name. */
#include "simd/analysis/legality.h"

#include "abi/cdp_abi.h"
#include "instrument/address.h"
#include "ir/value.h"
#include "simd/analysis/convergence.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/progress.h"
#include "simd/analysis/shape_analysis.h"
#include "simd/analysis/uniformity.h"
#include "simd/analysis/waits.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/kernel.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/region_cfg.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "support/str.h"

#include <string.h>

/* Calls of the runtime that may run one lane after the other. */
static const char *const allowed[] = {
    "cdp_abi_printf",
    "cdp_abi_vprintf",
    "cdp_abi_puts",
    "cdp_abi_putchar",
    "cdp_abi_malloc",
    "cdp_abi_calloc",
    "cdp_abi_free",
    "cdp_abi_aligned_malloc",
    "cdp_abi_assert_fail",
    "cdp_abi_trap",
    "cdp_abi_exit",
    "cdp_abi_smid",
    "cdp_abi_nsmid",
    "cdp_abi_globaltimer",
    "cdp_abi_clock",
    "cdp_abi_clock64",
    "cdp_abi_is_global",
    "cdp_abi_is_shared",
    "cdp_abi_is_local",
    "cdp_abi_is_constant",
    "cdp_abi_is_grid_constant",
    "cdp_abi_pure_virtual",
    "cdp_abi_occupancy",
    "cdp_abi_tex_fetch",
    "cdp_abi_tex_texel",
    "cdp_abi_tex_sample",
    "cdp_abi_tex_gather",
    "cdp_abi_tex_level",
    "cdp_abi_tex_sample_offset",
    "cdp_abi_tex_gather_offset",
    "cdp_abi_surf",
    "cdp_abi_surf_store",
    "cdp_abi_printf_counted",
    "cdp_abi_race_access",
    "cdp_abi_race_acquire",
    "cdp_abi_race_fence",
    "cdp_abi_init_copy",
};

/* Calls of the runtime that are not listed are refused. */
static const char *runtime_refusal(const char *name)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        if (strcmp(name, allowed[i]) == 0) {
            return NULL;
        }
    }
    if (strncmp(name, "cdp_abi_cuda", 12) == 0) {
        return NULL;
    }
    return str_format("it calls %s", name + strlen("cdp_abi_"));
}

/* The carry of inline PTX, where the optimizer could not replace it by values: the lanes would
 * share it. */
static bool is_carry_access(LLVMValueRef at)
{
    LLVMValueRef address = LLVMIsALoadInst(at) != NULL    ? LLVMGetOperand(at, 0)
                           : LLVMIsAStoreInst(at) != NULL ? LLVMGetOperand(at, 1)
                                                          : NULL;
    return address != NULL && LLVMIsAGlobalVariable(address) != NULL &&
           strcmp(lower_name(address), LOWER_CARRY) == 0;
}

static const char *access_refusal(LLVMValueRef at)
{
    return is_carry_access(at) ? "a carry of its inline PTX crosses a call or a loop" : NULL;
}

/* The function is not called lane by lane, so its list would not be that of one thread. */
static const char *list_refusal(LLVMValueRef at)
{
    return lower_is_frame_access(at) ? "--check=memory lists the local variables that it passes on"
                                     : access_refusal(at);
}

/* Walks through the bodies of functions that are called, each once. `seen` has those that were
 * looked at, or are being looked at: recursion leads back to one of them. */
static const char *function_refusal(LLVMValueRef function, struct lower_map *seen);

static const char *call_refusal(LLVMValueRef call, struct lower_map *seen)
{
    LLVMValueRef callee = lower_callee(call);
    if (callee == NULL) {
        return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL ? "it has inline assembly"
                                                                  : "it calls through a pointer";
    }
    const char *name = lower_name(callee);
    if (str_equals(name, "cdp_abi_count_call")) {
        return "--count follows calls of functions by thread entries";
    }
    if (simd_count_of(call) == COUNT_ACCESS &&
        LLVMIsAConstantInt(LLVMGetOperand(call, 2)) == NULL) {
        return "--count counts copies of variable size by thread entries";
    }
    if (!simd_has_effects(call) || simd_is_serial_child(call)) {
        return NULL;
    }
    if (!LLVMIsDeclaration(callee)) {
        return function_refusal(callee, seen);
    }
    if (simd_is_barrier(call) || simd_warp_operation_of(call) != WARP_NONE) {
        return NULL;
    }
    if (simd_waits(call)) { /* in the kernel itself, the region decides (waits.c) */
        return NULL;
    }
    if (strncmp(name, "cdp_abi_", 8) == 0) {
        return runtime_refusal(name);
    }
    if (str_ends(name, ".cdp")) {
        return "it calls a function of another unit";
    }
    return NULL;
}

/* Functions that have atomics, barriers or warp operations are inlined first (prepare/inline.c),
 * unless they are recursive. One that is still called and has them is the reason for a refusal. */
static const char *body_refusal(LLVMValueRef at, struct lower_map *seen)
{
    const char *why = lower_is_frame_access(at) ? NULL : access_refusal(at);
    if (why != NULL) {
        return why;
    }
    if (simd_is_order(at)) {
        return "it calls a function that has atomics";
    }
    if (simd_is_volatile(at) && !lower_is_frame_access(at)) {
        return "it calls a function that has volatile accesses";
    }
    if (simd_is_barrier(at)) {
        return "it calls a function that has a barrier";
    }
    if (simd_warp_operation_of(at) != WARP_NONE) {
        return "it calls a function that has a warp operation";
    }
    if (simd_waits(at)) {
        return "it calls a function that waits";
    }
    return LLVMIsACallInst(at) != NULL ? call_refusal(at, seen) : NULL;
}

static const char *function_refusal(LLVMValueRef function, struct lower_map *seen)
{
    unsigned unused;
    if (lower_map_find(seen, function, &unused)) {
        return NULL;
    }
    lower_map_put(seen, function, 0);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            const char *why = body_refusal(at, seen);
            if (why != NULL) {
                return why;
            }
        }
    }
    return NULL;
}

/* Values of these types are not elements of vectors. */
static bool has_vectors(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind ||
           kind == LLVMX86_FP80TypeKind || kind == LLVMFP128TypeKind ||
           (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64);
}

/* The context's address may only lead to fields that this vectorizer handles. */
static bool misuses_self(LLVMValueRef self)
{
    for (LLVMUseRef use = LLVMGetFirstUse(self); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (lower_is_frame_access(user)) {
            continue; /* refused by itself */
        }
        if (LLVMIsALoadInst(user) != NULL) {
            int field = simd_self_field(user);
            bool known = field >= 0 && field % 4 == 0;
            if (simd_is_common_field(user)) {
                continue;
            }
            bool is_block = field == offsetof(struct cdp_abi_thread, block);
            bool wide = LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
            if (!known || is_block != wide) {
                return true;
            }
            bool is_narrow =
                !is_block && (LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMIntegerTypeKind ||
                              LLVMGetIntTypeWidth(LLVMTypeOf(user)) != 32);
            if (is_narrow) {
                return true;
            }
        } else if (LLVMIsAGetElementPtrInst(user) == NULL || misuses_self(user)) {
            return true;
        }
    }
    return false;
}

/* A variable of the function is one element in the entry block; each lane gets its own copy. */
static bool is_odd_alloca(const struct simd_kernel *kernel, LLVMValueRef at)
{
    return LLVMIsAAllocaInst(at) != NULL &&
           (LLVMGetInstructionParent(at) != LLVMGetEntryBasicBlock(simd_function_of(kernel)) ||
            LLVMIsAConstantInt(LLVMGetOperand(at, 0)) == NULL ||
            LLVMConstIntGetZExtValue(LLVMGetOperand(at, 0)) != 1);
}

static const char *instruction_refusal(const struct simd_kernel *kernel, LLVMValueRef at)
{
    struct lower_map seen = {0};
    const char *why = list_refusal(at);
    if (why != NULL) {
        return why;
    }
    if (LLVMIsACallInst(at) != NULL) {
        return call_refusal(at, &seen);
    }
    if (has_vectors(LLVMTypeOf(at)) ||
        (LLVMIsAStoreInst(at) != NULL && has_vectors(LLVMTypeOf(LLVMGetOperand(at, 0))))) {
        return "it has values of a type that vectors do not hold";
    }
    if (is_odd_alloca(kernel, at)) {
        return "it has local memory of variable size";
    }
    if (simd_is_self(at) && misuses_self(at)) {
        return "the address of its thread context escapes";
    }
    return NULL;
}

/* Some checks note for each thread when it meets others.  Checked code has been optimized before,
 * so that the lanes of a warp need not be in step at volatile accesses (prepare/in_step.c). */
static const char *checked_refusal(const struct simd_kernel *kernel, LLVMValueRef at)
{
    const struct checks *checks = &simd_context_of(kernel)->options->checks;
    if (simd_warp_operation_of(at) != WARP_NONE &&
        (checks->on[CHECK_SYNC] || checks->on[CHECK_RACE])) {
        return "--check=sync and race look at warp operations lane by lane";
    }
    if (simd_context_of(kernel)->options->sanitize.address && LLVMIsAAllocaInst(at) != NULL &&
        !instrument_is_plain_local(at)) {
        return "AddressSanitizer needs thread entries for local variables whose address is "
               "passed on";
    }
    return check_any(checks) && simd_is_volatile(at)
               ? "--check and --count look at volatile accesses lane by lane"
               : NULL;
}

/* Chunks are one or more whole warps if lanes exchange values: by warp operations, or by volatile
 * accesses, as warp-synchronous code does.  With --count they always are, since a request is what
 * the lanes of a warp execute together. */
static bool needs_warps(LLVMValueRef at)
{
    return simd_warp_operation_of(at) != WARP_NONE || simd_is_volatile(at);
}

/* Sets has_warps, waits, uses_rows and is_irreducible on the way. */
const char *simd_refusal(struct simd_kernel *kernel, LLVMValueRef *blamed)
{
    kernel->traits.has_warps = simd_context_of(kernel)->options->checks.counts;
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        LLVMValueRef at = simd_value_at(kernel, i);
        const char *why =
            simd_node_of_number(kernel, i) < 0 ? NULL : instruction_refusal(kernel, at);
        if (why != NULL) {
            *blamed = at;
            return why;
        }
        why = checked_refusal(kernel, at);
        if (why != NULL) {
            *blamed = at;
            return why;
        }
        kernel->traits.has_warps |= simd_node_of_number(kernel, i) >= 0 && needs_warps(at);
        kernel->traits.waits |= simd_node_of_number(kernel, i) >= 0 && simd_waits(at);
        int field = simd_node_of_number(kernel, i) < 0 ? -1 : simd_self_field(at);
        kernel->traits.uses_rows |= field == 4 || field == 8;
    }
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    kernel->traits.is_irreducible = graph->is_irreducible;
    if (graph->is_irreducible || graph->is_endless) {
        return graph->is_endless ? "it has a loop without an end"
                                 : "it has an irreducible loop (two entries)";
    }
    for (size_t i = 0; i < graph->loop_count; i++) {
        if (simd_may_wait(graph, (int)i)) {
            *blamed = simd_node(kernel, graph->loops[i].header)->first;
            return "a loop in it waits for what other threads do";
        }
    }
    return NULL;
}

/* ---- divergence at barriers ---- */

/* Lanes of a block may take both edges. */
static bool diverges(const struct simd_kernel *kernel, unsigned node)
{
    return simd_node(kernel, node)->end == END_CONDITION &&
           !simd_is_uniform(kernel, simd_node(kernel, node)->condition);
}

/* Counts the barriers and ends of threads that lanes may reach from the node up to stop.
 * Each of the two is a number of nodes. */
static void count_ends(const struct simd_graph *graph, unsigned node, int stop, unsigned *barriers,
                       unsigned *ends)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    const bool *reached = simd_graph_reach(graph, node, stop);
    *barriers = *ends = 0;
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        enum simd_end end = simd_node(kernel, i)->end;
        *barriers += reached[i] && end == END_BARRIER;
        *ends += reached[i] && (end == END_RETURN || end == END_UNREACHABLE);
    }
}

/* Lanes that diverge at the node may wait at different barriers.  A barrier after the node where
 * all lanes reconverge makes no difference: from there on they take one path. */
static bool diverges_at_barriers(const struct simd_graph *graph, unsigned node, bool *exits_early)
{
    unsigned barriers, ends;
    count_ends(graph, node, graph->ipdom[node], &barriers, &ends);
    if (barriers == 0 && ends == 0) {
        return false;
    }
    count_ends(graph, node, -1, &barriers, &ends);
    *exits_early |= barriers != 0 && ends != 0;
    return barriers > 1;
}

static bool is_whole_loop(const struct simd_graph *whole, const bool *inside)
{
    size_t nodes = simd_node_count(simd_kernel_of(whole));
    for (size_t l = 0; l < whole->loop_count; l++) {
        if (memcmp(whole->loops[l].inside, inside, nodes * sizeof *inside) == 0) {
            return true;
        }
    }
    return false;
}

/* All lanes must leave a loop that contains a barrier in the same iteration.
 * A loop of the region that is no loop of the kernel is a part of one that a barrier cuts. */
static bool diverges_in_cut_loop(const struct simd_graph *whole, const struct simd_graph *graph,
                                 unsigned node)
{
    for (size_t l = 0; l < graph->loop_count; l++) {
        const bool *inside = graph->loops[l].inside;
        if (inside[node] && !is_whole_loop(whole, inside) &&
            simd_graph_exits_diverge(graph, node, (int)l)) {
            return true;
        }
    }
    return false;
}

/* Lanes that diverge at the node may wait at different barriers. */
static bool diverges_at_node(const struct simd_graph *whole, const struct simd_graph *region,
                             unsigned node, bool *exits_early)
{
    return diverges(region->kernel, node) && (diverges_at_barriers(region, node, exits_early) ||
                                              diverges_in_cut_loop(whole, region, node));
}

/* NULL: the region can be vectorized. */
static const char *region_refusal(const struct simd_graph *whole, unsigned entry, bool *exits_early,
                                  LLVMValueRef *blamed)
{
    const struct simd_kernel *kernel = simd_kernel_of(whole);
    const struct simd_graph *graph = simd_graph_build(kernel, entry, false, NULL);
    if (graph->is_irreducible || graph->is_endless) {
        return "a barrier is in an irreducible or endless loop";
    }
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        if (diverges_at_node(whole, graph, node, exits_early)) {
            *blamed = simd_node(kernel, node)->last;
            return "threads may diverge here and wait at different barriers";
        }
    }
    const char *why = simd_wait_refusal(graph, blamed);
    return why != NULL ? why : simd_warp_refusal(kernel, graph, blamed);
}

const char *simd_refusal_of_shapes(const struct simd_kernel *kernel, bool *exits_early,
                                   LLVMValueRef *blamed)
{
    const struct simd_graph *whole = simd_graph_build(kernel, 0, true, NULL);
    const struct simd_traits *traits = simd_traits_of(kernel);
    if (traits->barrier_count == 0 && !traits->has_warps && !traits->waits) {
        return NULL;
    }
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        bool starts = i == 0 || simd_node(kernel, i - 1)->end == END_BARRIER;
        const char *why = starts ? region_refusal(whole, i, exits_early, blamed) : NULL;
        if (why != NULL) {
            return why;
        }
    }
    bool is_checked = simd_context_of(kernel)->options->checks.on[CHECK_SYNC];
    return *exits_early && is_checked ? "--check=sync reports threads that end before a barrier"
                                      : NULL;
}

static bool region_diverges(const struct simd_graph *whole, unsigned entry)
{
    bool exits_early = false;
    const struct simd_graph *region = simd_graph_build(simd_kernel_of(whole), entry, false, NULL);
    bool diverges_here = region->is_irreducible || region->is_endless;
    for (size_t i = 0; i < region->count && !diverges_here; i++) {
        diverges_here = diverges_at_node(whole, region, region->order[i], &exits_early);
    }
    return diverges_here;
}

/* Tested for the most general layout, so the result holds for each block size. */
bool simd_diverges_at_barriers(const struct simd_kernel *given)
{
    if (given->traits.barrier_count < 2) {
        return false;
    }
    if (given->facts == NULL) {
        return true; /* the kernel is not built, or too large to decide */
    }
    struct simd_kernel kernel = *given;
    struct simd_facts *facts = simd_facts_new(&kernel);
    kernel.variant = (struct simd_variant){.layout = LAYOUT_ANY, .lanes = SIMD_FEWEST_LANES};
    kernel.facts = facts;
    const struct simd_graph *whole = simd_graph_build(&kernel, 0, true, NULL);
    bool diverges_here = whole->is_irreducible || whole->is_endless;
    if (!diverges_here) {
        simd_shapes(&kernel, facts);
    }
    for (unsigned i = 0; i < kernel.node_count && !diverges_here; i++) {
        diverges_here = simd_starts_region(&kernel, i) && region_diverges(whole, i);
    }
    return diverges_here;
}
