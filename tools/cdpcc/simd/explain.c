/* Explains the plan of a version, as text or JSON.
 *
 * One remark for each loop, access, call and atomic operation of each region. Equal remarks at one
 * line, as from unrolled or inlined code, are printed once with their number.
 *
 *     a.cu:12: load of 4 bytes: gather: the index comes from memory
 *
 * Locations are those of the user's source: for code that is inlined from cdpcc's own headers, the
 * place where the user calls it. */
#include "simd/explain.h"

#include "ir/context.h"
#include "ir/report.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/variant.h"
#include "simd/plan/access.h"
#include "simd/plan/atomics.h"
#include "simd/plan/callees.h"
#include "simd/plan/calls.h"
#include "simd/plan/cost.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"
#include "simd/plan/prefetch_far.h"
#include "simd/plan/reasons.h"
#include "ir/user_location.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* A remark about one location of the source. */
struct remark {
    struct lower_place location, cause;
    const char *call; /* the function of cdpcc's headers that is called at the location, or NULL */
    const char *subject; /* "load of 4 bytes" */
    const char *kind, *test, *also, *reason, *advice;
    unsigned region, count; /* count: how many remarks are the same */
};

/* The remarks about one version.
 * Life: one call; in the arena. */
struct remarks {
    struct remark *items;
    size_t count;
};

/* ---- remarks ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same(const struct remark *a, const struct remark *b)
{
    return a->location.line == b->location.line && same_text(a->location.file, b->location.file) &&
           a->region == b->region && same_text(a->subject, b->subject) &&
           same_text(a->kind, b->kind) && same_text(a->test, b->test) &&
           same_text(a->also, b->also) && same_text(a->reason, b->reason) &&
           same_text(a->call, b->call) && a->cause.line == b->cause.line;
}

/* Counts the remark if there is an equal one. */
static void add(struct remarks *remarks, struct remark remark)
{
    remark.count = 1;
    for (size_t i = 0; i < remarks->count; i++) {
        if (is_same(&remarks->items[i], &remark)) {
            remarks->items[i].count++;
            return;
        }
    }
    LOWER_PUSH(remarks->items, remarks->count, remark);
}

static void set_reason(const struct lower_context *lower, struct simd_reason reason,
                       struct remark *remark)
{
    const char *call;
    remark->reason = reason.text;
    remark->advice = reason.advice;
    remark->cause = lower_user_location(lower, reason.at, &call);
}

static const char *name_of(enum simd_access_kind kind, bool is_load)
{
    static const char *const names[] = {
        [ACCESS_NONE] = "dead code",
        [ACCESS_CONTEXT] = "register",
        [ACCESS_UNIFORM] = "uniform",
        [ACCESS_CONTIGUOUS] = "contiguous",
        [ACCESS_REVERSED] = "contiguous in descending order",
        [ACCESS_STRIDED] = "strided",
        [ACCESS_INTERLEAVED] = "interleave group",
        [ACCESS_FIELD_PAIR] = "field pair",
        [ACCESS_PERMUTED] = "permuted contiguous",
        [ACCESS_REPLICATED] = "replicated contiguous",
        [ACCESS_TWO_WAY] = "select of two contiguous",
        [ACCESS_SCALARIZED] = "scalarized",
        [ACCESS_GROUPED] = "part of its group",
    };
    return kind == ACCESS_GATHER_SCATTER ? (is_load ? "gather" : "scatter") : names[kind];
}

static const char *kind_of(const struct simd_access *access, bool is_load)
{
    const char *kind = name_of(access->kind, is_load);
    if (access->kind == ACCESS_FIELD_PAIR) {
        kind = str_format("%s, %s", kind, name_of(access->pair_kind, is_load));
    }
    if (access->kind == ACCESS_INTERLEAVED && access->group->is_transposed) {
        kind = str_format("%s, %s", kind,
                          access->group->layout.is_scattered ? "scattered" : "transposed");
    }
    return kind;
}

/* Whether the address is that of a parameter or of a field of the block's record. Such accesses are
 * always uniform and in a cache. */
static bool is_parameter(const struct simd_kernel *kernel, LLVMValueRef at)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(simd_accessed(at), &offset);
    return LLVMIsALoadInst(at) != NULL &&
           (simd_field(at) >= 0 ||
            (base != NULL && base == LLVMGetParam(simd_function_of(kernel), 0)));
}

static void add_access(struct remarks *remarks, const struct simd_kernel *kernel, LLVMValueRef at,
                       const struct simd_version_plan *version, bool masked, unsigned region)
{
    const struct simd_access *access = &version->accesses[masked][simd_number(kernel, at)];
    const struct lower_context *lower = simd_context_of(kernel);
    bool is_load = LLVMIsALoadInst(at) != NULL;
    if (access->kind == ACCESS_CONTEXT || is_parameter(kernel, at)) {
        return;
    }
    unsigned bytes = (unsigned)LLVMABISizeOfType(lower->layout, simd_accessed_type(at));
    struct remark remark = {.region = region, .kind = kind_of(access, is_load)};
    remark.location = lower_user_location(lower, at, &remark.call);
    remark.subject =
        str_format("%s of %u byte%s", is_load ? "load" : "store", bytes, bytes == 1 ? "" : "s");
    remark.test = simd_test_of_access(kernel, at, access);
    remark.also = access->is_nontemporal        ? "nontemporal if the grid is large"
                  : access->prefetch.by != NULL ? "prefetched for later blocks"
                  : simd_reads_in_tiles(version->loops, version->graph, at)
                      ? "its rows are read in tiles"
                      : NULL;
    set_reason(lower, simd_reason_of_access(kernel, at, access), &remark);
    add(remarks, remark);
}

/* A launch is several calls, and stores to the buffer of its parameters. */
static bool is_launch(LLVMValueRef call)
{
    static const char *const names[] = {"cdp_abi_cudaGetParameterBuffer",
                                        "cdp_abi_cudaLaunchDevice", NULL};
    return LLVMIsACallInst(call) != NULL && str_starts_any(simd_callee_name(call), names);
}

static bool is_launch_parameter(LLVMValueRef at)
{
    LLVMValueRef address = simd_accessed(at);
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return is_launch(address);
}

/* The call in the program's words: Clang makes intrinsics of the copies of large structs. */
static const char *describe_call(LLVMValueRef call)
{
    static const char *const copies[] = {"llvm.memcpy.", "llvm.memmove.", NULL};
    static const char prefix[] = "cdp_abi_";
    const char *name = simd_callee_name(call);
    static const char split[] = SIMD_SPLIT_CALL;
    name += str_starts(name, split) ? sizeof split - 1 : 0;
    static const char suffix[] = ".cdp"; /* of the program's functions */
    size_t length = strlen(name) - (str_ends(name, suffix) ? sizeof suffix - 1 : 0);
    return str_starts_any(name, copies)         ? "copy of memory"
           : str_starts(name, "llvm.memset.")   ? "fill of memory"
           : str_starts(name, "cdp_abi_printf") ? "call of printf"
           : str_starts(name, prefix)           ? str_format("call of %s", name + sizeof prefix - 1)
                                                : str_format("call of %.*s", (int)length, name);
}

static void add_call(struct remarks *remarks, const struct simd_plan *plan, LLVMValueRef at,
                     unsigned region)
{
    const struct simd_kernel *kernel = plan->kernel;
    bool is_vectorized = plan->calls[simd_number(kernel, at)] == CALL_FUNCTION;
    bool is_serial = simd_is_serial_child(at);
    struct remark remark = {.region = region,
                            .kind = is_vectorized ? "vectorized" : "one lane after the other"};
    if (!is_vectorized && !is_serial) {
        simd_vector_function_for(plan, at, &remark.reason);
    }
    remark.location = lower_user_location(simd_context_of(kernel), at, &remark.call);
    remark.subject = is_serial             ? "small child"
                     : is_launch(at)       ? "launch"
                     : remark.call == NULL ? describe_call(at)
                                           : "call";
    add(remarks, remark);
}

static void add_atomic(struct remarks *remarks, const struct simd_kernel *kernel, LLVMValueRef at,
                       enum simd_atomic_kind kind, unsigned region)
{
    static const char *const kinds[] = {
        [ATOMIC_STRAIGHT] = "plain operations, as the block's shared memory is its own",
        [ATOMIC_LOOP] = "plain operations in a loop over vectors, as the block's shared memory is "
                        "its own",
        [ATOMIC_PLAIN_LANES] = "plain operations, one lane after the other, as the block's shared "
                               "memory is its own",
        [ATOMIC_LANES] = "one lane after the other",
        [ATOMIC_REDUCED] = "one operation for the active lanes",
    };
    struct remark remark = {.region = region, .subject = "atomic operation", .kind = kinds[kind]};
    remark.location = lower_user_location(simd_context_of(kernel), at, &remark.call);
    add(remarks, remark);
}

static void add_loop(struct remarks *remarks, const struct simd_kernel *kernel,
                     const struct simd_version_plan *version, size_t number, unsigned region)
{
    static const char *const kinds[] = {
        [LOOP_UNIFORM] = "uniform",
        [LOOP_DIVERGENT] = "divergent, masked",
        [LOOP_ALL_ACTIVE_THEN_MASKED] = "all-active iterations, then a masked remainder",
        [LOOP_VERSIONED] = "uniform, versioned by a test of its accesses",
    };
    const struct simd_loop_plan *loop = &version->loops[number];
    /* The branch that leaves the loop has the line of its "for" or "while". */
    const struct simd_node *header = simd_node(kernel, version->graph->loops[number].header);
    LLVMValueRef at = loop->exits.count != 0 ? simd_node(kernel, loop->exits.items[0].node)->last
                                             : lower_with_line(header->first);
    struct remark remark = {.region = region, .subject = "loop", .kind = kinds[loop->kind]};
    remark.location = lower_user_location(simd_context_of(kernel), at, &remark.call);
    if (loop->few_lanes != 0) {
        remark.kind =
            str_format("%s, the last %u one after the other", remark.kind, loop->few_lanes);
    }
    if (loop->ahead.ahead != 0) {
        remark.kind = str_format("%s; prefetches %lld iterations ahead", remark.kind,
                                 (long long)loop->ahead.ahead);
    }
    if (loop->far.count != 0) {
        remark.kind = str_format("%s; prefetches matrix rows %u iterations ahead", remark.kind,
                                 (unsigned)SIMD_FAR_ITERATIONS);
    }
    set_reason(simd_context_of(kernel), simd_reason_of_loop(kernel, loop), &remark);
    add(remarks, remark);
}

/* Adds remarks by the all-active version if it contains the node; else by the masked one. */
static void add_node(struct remarks *remarks, const struct simd_path *path, unsigned node)
{
    const struct simd_kernel *kernel = simd_kernel_of(path->graph);
    const struct simd_node *at = simd_node(kernel, node);
    const struct simd_graph *all_active = path->versions[0].graph;
    bool masked = all_active == NULL || !simd_has_node(all_active, node);
    const struct simd_version_plan *version = &path->versions[masked];
    unsigned region = path->region->number;
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        int number = simd_number(kernel, i);
        if ((LLVMIsALoadInst(i) != NULL || LLVMIsAStoreInst(i) != NULL) &&
            !is_launch_parameter(i)) {
            add_access(remarks, kernel, i, version, masked, region);
        } else if (path->region->plan->calls[number] == CALL_SCALARIZED ||
                   path->region->plan->calls[number] == CALL_FUNCTION) {
            add_call(remarks, path->region->plan, i, region);
        } else if (version->atomics[masked][number] != ATOMIC_NONE) {
            add_atomic(remarks, kernel, i, version->atomics[masked][number], region);
        }
    }
}

/* Adds loops of the version without masks. Loops that it does not contain are added from the masked
 * one. */
static void add_loops(struct remarks *remarks, const struct simd_path *path)
{
    const struct simd_graph *all_active = path->versions[0].graph;
    for (unsigned v = 0; v < 2; v++) {
        const struct simd_version_plan *version = &path->versions[v];
        for (size_t l = 0; version->graph != NULL && l < version->graph->loop_count; l++) {
            unsigned header = version->graph->loops[l].header;
            if (v == 0 || all_active == NULL || !simd_has_node(all_active, header)) {
                add_loop(remarks, simd_kernel_of(path->graph), version, l, path->region->number);
            }
        }
    }
}

static struct remarks find_remarks(const struct simd_plan *plan)
{
    struct remarks remarks = {.count = 0};
    for (size_t r = 0; r < plan->region_count; r++) {
        const struct simd_path *path = &plan->regions[r].paths[0];
        add_loops(&remarks, path);
        for (size_t i = 0; i < path->graph->count; i++) {
            add_node(&remarks, path, path->graph->order[i]);
        }
    }
    return remarks;
}

/* ---- text ---- */

static const char *describe_layout(const struct simd_kernel *kernel)
{
    static const char *const layouts[] = {
        [LAYOUT_ONE_ROW] = "blocks of one row",
        [LAYOUT_ROWS] = "rows that are multiples of a vector",
        [LAYOUT_PADDED] = "padded rows",
        [LAYOUT_ANY] = "any block",
    };
    const struct simd_variant *variant = simd_variant_of(kernel);
    struct simd_size size = simd_launched_size(kernel);
    if (variant->size == NULL && variant->is_transposed) {
        return "columns that are multiples of a vector";
    }
    return variant->size == NULL
               ? layouts[variant->layout]
               : str_format("blocks of %ux%ux%u%s%s", size.x, size.y, size.z,
                            variant->is_transposed ? ", lanes along y" : "",
                            variant->layout == LAYOUT_PADDED ? ", padded rows" : "");
}

static const char *describe_blocks(const struct simd_kernel *kernel)
{
    const char *layout = describe_layout(kernel);
    return simd_variant_of(kernel)->has_unit_strides ? str_format("%s, stride 1", layout) : layout;
}

static void print_location(FILE *file, const struct lower_place *location)
{
    if (location->file == NULL) {
        fputs("?", file);
    } else {
        fprintf(file, "%s:%u", location->file, location->line);
    }
}

static void print_remark(FILE *file, const struct remark *remark)
{
    fputs("  ", file);
    print_location(file, &remark->location);
    fprintf(file, ": %s", remark->subject);
    if (remark->call != NULL && *remark->call != '\0') {
        fprintf(file, " in %s", remark->call);
    }
    fprintf(file, ": %s", remark->kind);
    if (remark->test != NULL) {
        fprintf(file, " %s", remark->test);
    }
    if (remark->also != NULL) {
        fprintf(file, ", %s", remark->also);
    }
    if (remark->reason != NULL) {
        fprintf(file, ": %s", remark->reason);
        if (remark->cause.file != NULL && remark->cause.line != remark->location.line) {
            fputs(" (", file);
            print_location(file, &remark->cause);
            fputs(")", file);
        }
    }
    if (remark->advice != NULL) {
        fprintf(file, "; %s", remark->advice);
    }
    if (remark->count > 1) {
        fprintf(file, " (%u times)", remark->count);
    }
    fputc('\n', file);
}

static const char *form_of(const struct simd_path *path)
{
    static const char *const forms[] = {
        [CHUNKS_ALL_ACTIVE] = "chunk loop without masks",
        [CHUNKS_SPLIT] = "chunk loop without masks, then a masked one",
        [CHUNKS_MASKED] = "masked chunk loop",
        [CHUNKS_TESTED] = "one chunk loop, masks tested for each chunk",
    };
    return forms[path->form];
}

static unsigned count_live(const struct simd_region *region)
{
    unsigned count = 0;
    for (size_t v = 0; v < simd_value_count(region->plan->kernel); v++) {
        count += region->live[v] && region->plan->has_slot[v];
    }
    return count;
}

static void print_region(FILE *file, const struct simd_region *region)
{
    const struct simd_path *path = &region->paths[0];
    fprintf(file, "  region %u: %s", region->number + 1, form_of(path));
    if (region->path_count == 2) {
        fputs(", once for each outcome of its uniform exit", file);
    }
    if (path->vectors != region->plan->options.vectors) {
        fprintf(file, "; %u vector%s at a time, as it has calls", path->vectors,
                path->vectors == 1 ? "" : "s");
    }
    if (count_live(region) != 0) {
        fprintf(file, "; %u values from earlier regions", count_live(region));
    }
    if (region->hoist_count != 0) {
        fprintf(file, "; %zu loads hoisted out of the chunk loop", region->hoist_count);
    }
    fputc('\n', file);
}

static void print_text(FILE *file, const struct simd_plan *plan, const struct remarks *remarks)
{
    const struct simd_kernel *kernel = plan->kernel;
    struct lower_place location = lower_place_of(simd_source_of(kernel)->entry);
    print_location(file, &location);
    struct simd_cost cost = simd_cost_of(plan);
    fprintf(
        file,
        ": kernel %s: plan for %s: %u lanes, %u vector%s at a time; estimate for a thread: %.1f "
        "instructions, by thread entries %.1f\n",
        simd_source_of(kernel)->name, describe_blocks(kernel), plan->options.lanes,
        plan->options.vectors, plan->options.vectors == 1 ? "" : "s", cost.block, cost.thread);
    for (size_t r = 0; r < plan->region_count; r++) {
        print_region(file, &plan->regions[r]);
        for (size_t i = 0; i < remarks->count; i++) {
            if (remarks->items[i].region == r) {
                print_remark(file, &remarks->items[i]);
            }
        }
    }
}

/* ---- JSON ---- */

static void print_member(FILE *file, const char *name, const char *text)
{
    if (text != NULL) {
        fprintf(file, ",\"%s\":", name);
        str_print_json(file, text);
    }
}

static void print_json_location(FILE *file, const char *prefix, const struct lower_place *location)
{
    if (location->file != NULL) {
        print_member(file, str_format("%sfile", prefix), location->file);
        fprintf(file, ",\"%sline\":%u", prefix, location->line);
    }
}

static void print_json_remark(FILE *file, const struct remark *remark)
{
    fprintf(file, "{\"region\":%u,\"count\":%u", remark->region + 1, remark->count);
    print_json_location(file, "", &remark->location);
    print_member(file, "subject", remark->subject);
    print_member(file, "in", remark->call);
    print_member(file, "kind", remark->kind);
    print_member(file, "test", remark->test);
    print_member(file, "also", remark->also);
    print_member(file, "reason", remark->reason);
    print_json_location(file, "cause_", &remark->cause);
    print_member(file, "advice", remark->advice);
    fputc('}', file);
}

static void print_json_kernel(FILE *file, const struct simd_kernel *kernel)
{
    struct lower_place location = lower_place_of(simd_source_of(kernel)->entry);
    fputs("{\"kernel\":", file);
    str_print_json(file, simd_source_of(kernel)->name);
    print_json_location(file, "", &location);
}

static void print_json(FILE *file, const struct simd_plan *plan, const struct remarks *remarks)
{
    const struct simd_kernel *kernel = plan->kernel;
    print_json_kernel(file, kernel);
    print_member(file, "blocks", describe_blocks(kernel));
    struct simd_cost cost = simd_cost_of(plan);
    fprintf(file,
            ",\"lanes\":%u,\"vectors\":%u,\"values_across_barriers\":%u,\"estimate\":%.1f,"
            "\"estimate_by_threads\":%.1f,\"regions\":[",
            plan->options.lanes, plan->options.vectors, plan->slots, cost.block, cost.thread);
    for (size_t r = 0; r < plan->region_count; r++) {
        const struct simd_path *path = &plan->regions[r].paths[0];
        fprintf(file, "%s{\"chunks\":", r == 0 ? "" : ",");
        str_print_json(file, form_of(path));
        fprintf(file, ",\"vectors\":%u,\"values\":%u,\"hoisted\":%zu}", path->vectors,
                count_live(&plan->regions[r]), plan->regions[r].hoist_count);
    }
    fputs("],\"remarks\":[", file);
    for (size_t i = 0; i < remarks->count; i++) {
        fputs(i == 0 ? "" : ",", file);
        print_json_remark(file, &remarks->items[i]);
    }
    fputs("]}\n", file);
}

void simd_explain_plan(FILE *file, const struct simd_plan *plan, bool as_json)
{
    struct remarks remarks = find_remarks(plan);
    if (as_json) {
        print_json(file, plan, &remarks);
    } else {
        print_text(file, plan, &remarks);
    }
}

void simd_explain_threads(FILE *file, const struct simd_kernel *kernel, const char *why,
                          LLVMValueRef blamed, const char *advice)
{
    const char *call;
    struct lower_place cause =
        lower_user_location(simd_context_of(kernel), lower_with_line(blamed), &call);
    print_json_kernel(file, kernel);
    print_member(file, "threads", why);
    print_json_location(file, "cause_", &cause);
    print_member(file, "in", call);
    print_member(file, "advice", advice);
    fputs("}\n", file);
}
