/* Launches of small grids become loops: the launching thread runs the child itself.
 *
 * Programs with dynamic parallelism often launch a grid for each element of a list, and most grids
 * have few threads with work.  Then a launch takes longer than its child.  So such a launch becomes
 * a test and a call (prepare/serial_launch.c) of a function with the child's threads as a loop
 * (prepare/serial_child.c).
 *
 * The child's kernel must be of this unit, small and without waits (prepare/serial_form.c), and
 * some launch of it may have more than two threads.
 *
 * Grids in one stream run one after the other.  So the call is not vectorized: block entries make
 * it for one lane after the other.  And they make it before they launch the grids of other lanes:
 * control flow leads from the call to the launch, which is done if the call finds the stream in
 * use. */
#include "simd/serialize.h"

#include "ir/context.h"
#include "ir/module.h"
#include "ir/options.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/progress.h"
#include "simd/analysis/root_walk.h"
#include "simd/build.h"
#include "simd/ir/calls.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/kernel.h"
#include "simd/prepare/serial_form.h"
#include "simd/prepare/serial_launch.h"
#include "simd/versions.h"
#include "support/arena.h"
#include "support/str.h"

/* Instructions that the children of one kernel may add to it.  Threads of a serialized child with
 * work: with more, a grid that block entries run is faster. */
enum { MOST_ADDED = 1200, MOST_WITH_BLOCK_ENTRY = 48 };

/* The children that were looked for, by the kernel's number.  Life: one pass. */
struct children {
    const struct simd_launches *launches;
    bool *are_known;
    struct simd_serial_child **items; /* NULL: it cannot be one */
};

/* The kernel's loops.  Some that end by themselves are refused by block entries. */
enum loops { NO_LOOPS, LOOPS_END, LOOPS_WALK, LOOPS_MAY_WAIT };

static enum loops loops_of(struct lower_context *lower, const struct lower_kernel *source)
{
    struct simd_kernel kernel = {.callees = NULL};
    LLVMValueRef blamed;
    (void)simd_build_kernel(lower, source, source->entry, &kernel, &blamed);
    if (kernel.facts == NULL || kernel.traits.is_irreducible) {
        return LOOPS_MAY_WAIT;
    }
    const struct simd_graph *graph = simd_graph_build(&kernel, 0, true, NULL);
    enum loops found = graph->loop_count == 0 ? NO_LOOPS : LOOPS_END;
    for (size_t i = 0; i < graph->loop_count; i++) {
        if (!simd_may_wait(graph, (int)i)) {
            continue;
        }
        if (!simd_walks_to_root(graph, (int)i)) {
            return LOOPS_MAY_WAIT;
        }
        found = LOOPS_WALK;
    }
    return found;
}

/* Kernels of which all grids have one or two threads have no block entries, and their children run
 * as grids of their own: what the parent does after the launch is then done even if the child has a
 * fault, as on a GPU. */
static struct simd_serial_child *make_child(struct lower_context *lower,
                                            const struct simd_launches *launches,
                                            const struct lower_kernel *kernel)
{
    if (!simd_may_be_serial(lower, kernel) || simd_is_always_tiny(launches, kernel)) {
        return NULL;
    }
    enum loops loops = loops_of(lower, kernel);
    if (loops == LOOPS_MAY_WAIT) {
        return NULL;
    }
    struct simd_serial_child *child = simd_make_serial_child(lower, kernel);
    child->has_loops = loops != NO_LOOPS;
    child->most_threads = loops == LOOPS_WALK ? SIMD_SERIAL_MOST_THREADS : MOST_WITH_BLOCK_ENTRY;
    return child;
}

static const struct simd_serial_child *child_of(struct lower_context *lower,
                                                struct children *children, LLVMValueRef launch)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].descriptor == LLVMGetArgOperand(launch, SIMD_LAUNCH_KERNEL)) {
            if (!children->are_known[i]) {
                children->are_known[i] = true;
                children->items[i] = make_child(lower, children->launches, &lower->kernels[i]);
            }
            return children->items[i];
        }
    }
    return NULL;
}

static bool is_lifetime(LLVMValueRef at)
{
    return str_starts(simd_callee_name(at), "llvm.lifetime.");
}

/* Copies to a variable may move to before it would begin to live. */
static void erase_lifetimes(LLVMValueRef entry)
{
    struct lower_list found = lower_instructions(entry, is_lifetime);
    for (size_t i = 0; i < found.count; i++) {
        LLVMInstructionEraseFromParent(found.items[i]);
    }
}

/* A launch that the child's code would make too large stays as it is: *added is the number of
 * instructions that others have added. */
static bool change_launch(struct lower_context *lower, struct children *children,
                          const struct lower_kernel *parent, LLVMValueRef launch, unsigned *added)
{
    struct simd_launch_form form;
    if (!simd_find_launch_form(lower, launch, &form)) {
        return false;
    }
    const struct simd_serial_child *child = child_of(lower, children, launch);
    const struct simd_passed_value *passed =
        child == NULL ? NULL : simd_find_passed(lower, child, &form);
    if (passed == NULL || *added + lower_count_instructions(child->run) > MOST_ADDED) {
        return false;
    }
    *added += lower_count_instructions(child->run);
    simd_serialize_launch(lower, parent, child, &form, passed);
    return true;
}

static bool change_kernel(struct lower_context *lower, struct children *children,
                          const struct lower_kernel *parent)
{
    struct lower_list launches = lower_instructions(parent->entry, simd_is_device_launch);
    unsigned added = 0;
    bool has_changed = false;
    for (size_t i = 0; i < launches.count; i++) {
        has_changed |= change_launch(lower, children, parent, launches.items[i], &added);
    }
    if (has_changed) {
        erase_lifetimes(parent->entry);
    }
    return has_changed;
}

static bool is_wanted(const struct lower_context *lower)
{
    const struct lower_options *options = lower->options;
    return !check_any(&options->checks) && !options->sanitize.address;
}

void simd_serialize_launches(struct lower_context *lower, const struct simd_launches *launches)
{
    static const char passes[] = "sroa,memcpyopt,dse,early-cse,instcombine<no-verify-fixpoint>,"
                                 "simplifycfg<no-switch-to-lookup>,adce,loop-simplify,lcssa";
    size_t count = lower->kernel_count;
    struct children children = {.launches = launches,
                                .are_known = arena_alloc((count + 1) * sizeof(bool)),
                                .items = arena_alloc((count + 1) * sizeof(void *))};
    for (size_t i = 0; i < count && is_wanted(lower); i++) {
        const struct lower_kernel *kernel = &lower->kernels[i];
        if (kernel->is_defined && change_kernel(lower, &children, kernel)) {
            (void)module_run_passes_on(kernel->entry, passes, lower->machine);
        }
    }
}

void simd_inline_serial_children(struct lower_context *lower)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (str_starts(lower_name(f), SIMD_SERIAL_CHILD)) {
            lower_add_attribute(lower, f, "alwaysinline");
        }
    }
}
