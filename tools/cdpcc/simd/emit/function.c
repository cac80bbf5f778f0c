/* The function around the regions.
 *   region:  loads scalars that lived across the barrier
 *   chunk:   threads of W x U lanes, their indices, values from slots
 *   next:    branches to the region after the barrier that was reached, or to the end
 *
 * What an entry of two regions looks like:
 *
 *     entry:    sizes of the block, memory for slots
 *     start:    memory that is cleared
 *     block:    only if a call runs several blocks: a loop over blockIdx.x
 *     region0:  uniform values; for each chunk { code }; branch by `next`
 *     region1:  uniform values from slots; for each chunk { code }; branch by `next`
 *     done:     the next block, or last errors and return
 *
 * Regions are blocks of one function, so a loop around a barrier is a loop over regions. Each
 * region stores the number of the region that follows; where only one can follow, the branch is
 * direct. In PoCL this is the work-group function with its parallel regions.
 *
 * A function that kernels call is emitted in the same way. It has one region, whose only chunk is
 * that of its caller, and it returns a vector.
 *
 * Takes: a plan without a refusal. Gives: a function of internal linkage. Emission cannot fail.
 */
#include "simd/emit/function.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/chunks.h"
#include "simd/emit/counters.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/early_values.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/nontemporal.h"
#include "simd/emit/publish.h"
#include "simd/emit/record.h"
#include "simd/emit/slots.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/callees.h"
#include "simd/plan/followers.h"
#include "simd/plan/plan.h"
#include "simd/post/pipeline.h"
#include "simd/post/shared_memory.h"
#include "support/arena.h"
#include "support/str.h"

#include <string.h>

/* ---- the function ---- */

/* Without the second attribute, LLVM assumes the widest registers.
 * LLVM's code generator splits vectors of 512 bits if it prefers 256. */
static void set_width(struct simd_emit *emit, LLVMAttributeIndex index)
{
    static const char prefer[] = "prefer-vector-width", least[] = "min-legal-vector-width";
    LLVMContextRef llvm = emit->lower->llvm;
    const char *width = emit->plan->options.in_halves ? "256" : "512";
    LLVMAddAttributeAtIndex(emit->function, index,
                            LLVMCreateStringAttribute(llvm, prefer, sizeof prefer - 1, width, 3));
    if (emit->plan->options.in_halves) {
        LLVMAddAttributeAtIndex(emit->function, index,
                                LLVMCreateStringAttribute(llvm, least, sizeof least - 1, "0", 1));
    }
}

/* The function is for the same processor as the original, so string attributes are taken over. */
static void copy_attributes(struct simd_emit *emit)
{
    static const char *const unwanted[] = {"min-legal-vector-width", "no-trapping-math"};
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(simd_source_of(emit->kernel)->entry, index);
    LLVMAttributeRef *attributes = arena_alloc((count + 1) * sizeof *attributes);
    LLVMGetAttributesAtIndex(simd_source_of(emit->kernel)->entry, index, attributes);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMIsStringAttribute(attributes[i])) {
            LLVMAddAttributeAtIndex(emit->function, index, attributes[i]);
        }
    }
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++) {
        LLVMRemoveStringAttributeAtIndex(emit->function, index, unwanted[i],
                                         (unsigned)strlen(unwanted[i]));
    }
    set_width(emit, index);
    lower_copy_null_accesses(emit->lower, simd_source_of(emit->kernel)->entry, emit->function);
    lower_add_attribute(emit->lower, emit->function, "nounwind");
    lower_add_attribute(emit->lower, emit->function,
                        "noinline"); /* the dispatcher has no debug locations */
    simd_optimize_mark(emit->function, emit->plan->options.is_cold);
}

/* The parameters of an entry: what the kernel's parameters and the block's record are. */
static void mark_parameters(struct simd_emit *emit)
{
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddAttributeAtIndex(emit->function, 1,
                            LLVMCreateEnumAttribute(emit->lower->llvm, align, 64));
    shared_mark_block(emit->function, 1);
    for (unsigned i = 0; i < 2; i++) {
        static const char *const names[] = {"readonly", "noalias"};
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        LLVMAddAttributeAtIndex(emit->function, 1,
                                LLVMCreateEnumAttribute(emit->lower->llvm, kind, 0));
    }
}

/* The bound that the dispatcher has tested (dispatch.c): indices of threads stay below 2^31. */
static uint64_t most_blocks(const struct simd_emit *emit)
{
    struct simd_size size = simd_launched_size(emit->kernel);
    return (SIMD_MOST_INDEX + 1) / (size.x == 0 ? 1 : size.x);
}

/* LLVM then knows that sums of indices do not wrap.  The parameter is counted from one. */
static void mark_index(struct simd_emit *emit, unsigned parameter)
{
    uint64_t low = 0, high = most_blocks(emit);
    unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
    LLVMAddAttributeAtIndex(
        emit->function, parameter,
        LLVMCreateConstantRangeAttribute(emit->lower->llvm, kind, 32, &low, &high));
}

void simd_store_index(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef block,
                      LLVMValueRef x)
{
    size_t offset = offsetof(struct cdp_abi_block, block_idx);
    LLVMBuildStore(builder, x, lower_field(lower, builder, block, offset, ""));
}

LLVMValueRef simd_word(struct simd_emit *emit, size_t offset, const char *name)
{
    LLVMValueRef at = lower_field(emit->lower, emit->builder, emit->launch.block, offset, "");
    return lower_load_const(emit->lower, emit->builder, emit->lower->types.i32, at, name);
}

/* For a known size these are constants, and all that depends on them folds. */
static void load_block_size(struct simd_emit *emit)
{
    const struct simd_size *size = simd_variant_of(emit->kernel)->size;
    LLVMTypeRef i32 = emit->lower->types.i32;
    if (size != NULL) {
        const unsigned sizes[] = {size->x, size->y, size->z};
        emit->launch.thread_count = simd_int(i32, (int64_t)size->x * size->y * size->z);
        for (unsigned i = 0; i < 3; i++) {
            emit->launch.dimension[i] = simd_int(i32, sizes[i]);
        }
        return;
    }
    emit->launch.thread_count =
        simd_word(emit, offsetof(struct cdp_abi_block, thread_count), "threads");
    for (unsigned i = 0; i < 3; i++) {
        size_t field = offsetof(struct cdp_abi_block, block_dim) +
                       sizeof(uint32_t) * simd_launched_dimension(emit->kernel, i);
        emit->launch.dimension[i] = simd_word(emit, field, "");
    }
}

/* Rows with padding have more lanes than threads. */
static void compute_lane_counts(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    emit->launch.row = emit->launch.dimension[0];
    emit->launch.lane_count = emit->launch.thread_count;
    if (simd_variant_of(emit->kernel)->layout == LAYOUT_PADDED) {
        LLVMValueRef rows =
            LLVMBuildNUWMul(b, emit->launch.dimension[1], emit->launch.dimension[2], "");
        emit->launch.row = simd_round_up(emit, emit->launch.dimension[0], emit->lanes);
        emit->launch.lane_count = LLVMBuildNUWMul(b, rows, emit->launch.row, "");
    }
}

/* Marks parameters as readable before the loop over blocks, whatever precedes their use in it. */
static void mark_readable(struct simd_emit *emit)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
    uint64_t size = simd_source_of(emit->kernel)->param_size;
    if (size != 0) {
        LLVMAddAttributeAtIndex(emit->function, 1,
                                LLVMCreateEnumAttribute(emit->lower->llvm, kind, size));
    }
}

/* The function of that type, and builders for it. */
static void create_function(struct simd_emit *emit, LLVMTypeRef type)
{
    struct lower_context *lower = emit->lower;
    const char *name =
        str_format("cdp.%s.%s", emit->plan->options.prefix, simd_source_of(emit->kernel)->name);
    emit->function = LLVMAddFunction(lower->module, name, type);
    LLVMSetLinkage(emit->function, LLVMInternalLinkage);
    copy_attributes(emit);
    emit->builder = LLVMCreateBuilderInContext(lower->llvm);
    emit->allocas = LLVMCreateBuilderInContext(lower->llvm);
    simd_debug_start(emit);
    simd_alias_start(emit);
}

/* Emits what the function reads once: the fields of the block's record. */
static void start_function(struct simd_emit *emit)
{
    LLVMBasicBlockRef first = simd_new(emit, "entry"), start = simd_new(emit, "start");
    simd_at(emit, first);
    emit->launch.self = lower_self(emit->lower, emit->builder);
    load_block_size(emit);
    compute_lane_counts(emit);
    simd_make_reciprocals(emit);
    emit->launch.padded_count =
        simd_round_up(emit, emit->launch.lane_count, emit->lanes * emit->vectors);
    LLVMPositionBuilderBefore(emit->allocas, LLVMBuildBr(emit->builder, start));
    simd_at(emit, start);
}

static void create_entry(struct simd_emit *emit)
{
    struct lower_context *lower = emit->lower;
    LLVMTypeRef parameters[] = {lower->types.ptr, lower->types.ptr, lower->types.i32,
                                lower->types.i32};
    create_function(
        emit, LLVMFunctionType(lower->types.none, parameters, emit->plan->takes_range ? 4 : 3, 0));
    mark_parameters(emit);
    mark_index(emit, 3);
    emit->launch.params = LLVMGetParam(emit->function, 0);
    emit->launch.block = LLVMGetParam(emit->function, 1);
    emit->launch.block_x = LLVMGetParam(emit->function, 2);
    if (emit->plan->takes_range) {
        mark_readable(emit);
    } else { /* shared memory that ends with the call */
        simd_alias_publish(emit);
    }
    simd_announce_nontemporal(emit);
    start_function(emit);
}

static void allocate_memory(struct simd_emit *emit)
{
    LLVMTypeRef bytes = LLVMArrayType2(emit->lower->types.i64, 16);
    emit->memory.scratch = simd_alloca(emit, bytes, SIMD_SCRATCH_ALIGN, "scratch");
    LLVMBuildStore(emit->builder, LLVMConstNull(bytes), emit->memory.scratch);
    emit->memory.next_region = simd_alloca(emit, emit->lower->types.i32, 4, "next");
    emit->memory.is_last = simd_alloca(emit, emit->lower->types.i1, 1, "last");
    emit->memory.yes = simd_alloca(emit, emit->lower->types.i32, 4, "yes");
    emit->memory.votes = simd_alloca(emit, emit->lower->types.i32, 4, "votes");
    if (emit->plan->needs_alive) {
        LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
        emit->memory.alive = simd_array(emit, i16, emit->launch.padded_count, "alive");
    }
    simd_make_errors(emit);
    size_t values = simd_value_count(emit->kernel);
    emit->memory.slots = arena_alloc((values + 1) * sizeof *emit->memory.slots);
    emit->memory.locals = arena_alloc((values + 1) * sizeof *emit->memory.locals);
    emit->memory.variables = arena_alloc((values + 1) * sizeof *emit->memory.variables);
    for (size_t v = 0; v < values; v++) {
        if (emit->plan->has_slot[v]) {
            simd_make_slot(emit, (int)v);
        }
    }
}

/* The loop around barriers, whose last region was just emitted. Copies of it are useful only if the
 * masks in its chunks become constants. */
static bool is_short_loop(const struct simd_emit *emit)
{
    LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(emit->function);
    return emit->plan->is_tree && !emit->code.stays_loop &&
           simd_count_instructions(first) <= emit->plan->most_straight;
}

/* Threads may also end, so the value of `next` may be none of the regions. */
static void switch_to_next_region(struct simd_emit *emit, const struct simd_followers *followers,
                                  LLVMValueRef next)
{
    LLVMValueRef choice = LLVMBuildSwitch(emit->builder, next, emit->code.done, followers->count);
    for (size_t r = 0; r < emit->plan->region_count; r++) {
        if (followers->regions[r]) {
            LLVMAddCase(choice, simd_int(LLVMTypeOf(next), (int64_t)r), emit->code.starts[r]);
        }
    }
}

/* Branches to the region after the barrier at which the lanes wait; all wait at the same one. */
static void branch_to_next_region(struct simd_emit *emit, const struct simd_region *region)
{
    const struct simd_followers *followers = &region->followers;
    if (followers->count == 0) {
        LLVMBuildBr(emit->builder, emit->code.done);
        return;
    }
    LLVMBasicBlockRef one = emit->code.starts[followers->one];
    if (followers->count == 1 && !followers->ends) {
        LLVMBuildBr(emit->builder, one);
        return;
    }
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef next = LLVMBuildLoad2(emit->builder, i32, emit->memory.next_region, "");
    if (followers->count > 1) {
        switch_to_next_region(emit, followers, next);
        return;
    }
    LLVMValueRef is =
        LLVMBuildICmp(emit->builder, LLVMIntEQ, next, simd_int(i32, followers->one), "");
    LLVMValueRef branch = LLVMBuildCondBr(emit->builder, is, one, emit->code.done);
    if (followers->one <= region->number && is_short_loop(emit)) {
        simd_mark_loop(emit, branch, "llvm.loop.unroll.full");
    }
}

/* Computes the result of the barrier before the region, for the threads after it.
 * The counts are reset for the next barrier. */
static void end_vote(struct simd_emit *emit, const struct simd_region *region)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    if (region->vote != NULL) {
        enum simd_vote what = simd_vote_of(region->vote);
        LLVMValueRef result = LLVMBuildLoad2(b, i32, emit->memory.yes, "");
        if (what != VOTE_COUNT) {
            LLVMValueRef other =
                what == VOTE_OR ? simd_int(i32, 0) : LLVMBuildLoad2(b, i32, emit->memory.votes, "");
            LLVMIntPredicate how = what == VOTE_OR ? LLVMIntNE : LLVMIntEQ;
            result = LLVMBuildZExt(b, LLVMBuildICmp(b, how, result, other, ""), i32, "");
        }
        LLVMBuildStore(b, result, emit->memory.slots[simd_number(emit->kernel, region->vote)]);
    }
    LLVMBuildStore(b, simd_int(i32, 0), emit->memory.yes);
    LLVMBuildStore(b, simd_int(i32, 0), emit->memory.votes);
}

/* One path of a uniform exit, and the branch to the region after it. */
static void emit_path(struct simd_emit *emit, const struct simd_region *region, unsigned path_index)
{
    const struct simd_path *path = &region->paths[path_index];
    simd_chunks(emit, path);
    if (region->publishing.lasts) {
        simd_publish_none(emit);
    }
    if (path->target == SIMD_DONE) {
        LLVMBuildBr(emit->builder, emit->code.done);
        return;
    }
    LLVMValueRef branch = LLVMBuildBr(emit->builder, emit->code.starts[path->target]);
    if ((unsigned)path->target <= region->number && is_short_loop(emit)) {
        simd_mark_loop(emit, branch, "llvm.loop.unroll.full");
    }
}

/* Both paths of a region whose uniform exit is tested before its chunks.
 * Both paths start with the same uniform values. */
static void emit_paths(struct simd_emit *emit, const struct simd_region *region)
{
    LLVMValueRef condition = simd_compute_early(emit, region->exit_condition);
    LLVMBasicBlockRef blocks[] = {simd_new(emit, "first"), simd_new(emit, "second")};
    LLVMBuildCondBr(emit->builder, condition, blocks[0], blocks[1]);
    size_t size = simd_value_count(emit->kernel) * sizeof *emit->scope.values;
    struct simd_value *values = arena_alloc(size + 1);
    memcpy(values, emit->scope.values, size);
    for (unsigned path_index = 0; path_index < 2; path_index++) {
        memcpy(emit->scope.values, values, size);
        simd_at(emit, blocks[path_index]);
        emit_path(emit, region, path_index);
    }
}

/* The parameters of a function that kernels call: a scalar, or a vector for each of its vectors. */
static void set_arguments(struct simd_emit *emit)
{
    const struct simd_shape *arguments = simd_variant_of(emit->kernel)->arguments;
    unsigned parameter = emit->launch.called.own;
    for (size_t v = 1; arguments != NULL && simd_node_of_number(emit->kernel, v) < 0; v++) {
        struct simd_value value = {.shape = &arguments[v], .is_set = true};
        for (unsigned u = 0; u < simd_distinct_vectors(emit, value.shape); u++) {
            *simd_part(&value, u) = LLVMGetParam(emit->function, parameter++);
        }
        emit->scope.values[v] = value;
    }
}

static void emit_region(struct simd_emit *emit, const struct simd_region *region)
{
    size_t values = simd_value_count(emit->kernel);
    emit->scope.region = region;
    emit->scope.values = arena_alloc((values + 1) * sizeof *emit->scope.values);
    emit->scope.read = arena_alloc((values + 1) * sizeof *emit->scope.read);
    emit->scope.progress = arena_alloc(values + 1);
    simd_at(emit, emit->code.starts[region->number]);
    emit->scope.values[0] = simd_uniform(emit->launch.params);
    set_arguments(emit);
    end_vote(emit, region);
    if (region->number != 0) {
        simd_record_barrier(emit);
    }
    simd_begin_chunks(emit);
    if (region->path_count == 2) {
        emit_paths(emit, region);
        return;
    }
    simd_chunks(emit, &region->paths[0]);
    if (region->publishing.lasts) {
        simd_publish_none(emit);
    }
    branch_to_next_region(emit, region);
}

/* Ends the current block; the code after it runs for each of the blocks.
 * Several blocks in one call save the call, and let LLVM hoist what is the same for all blocks. */
static LLVMBasicBlockRef begin_block_loop(struct simd_emit *emit)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMBasicBlockRef before = simd_here(emit), loop = simd_new(emit, "block");
    LLVMBuildBr(emit->builder, loop);
    simd_at(emit, loop);
    LLVMValueRef x = LLVMBuildPhi(emit->builder, i32, "x");
    LLVMAddIncoming(x, &emit->launch.block_x, &before, 1);
    LLVMValueRef most = simd_int(i32, (int64_t)most_blocks(emit));
    LLVMValueRef values = LLVMBuildICmp(emit->builder, LLVMIntULT, x, most, "");
    simd_intrinsic(emit, "llvm.assume", NULL, 0, &values, 1);
    simd_store_index(emit->lower, emit->builder, emit->launch.block, x);
    emit->launch.block_x = x;
    return loop;
}

static void end_block_loop(struct simd_emit *emit, LLVMBasicBlockRef loop)
{
    LLVMBasicBlockRef here = simd_here(emit), end = simd_new(emit, "end");
    LLVMValueRef one = simd_int(emit->lower->types.i32, 1);
    LLVMValueRef next = LLVMBuildNSWAdd(emit->builder, emit->launch.block_x, one, "");
    LLVMAddIncoming(emit->launch.block_x, &next, &here, 1);
    LLVMValueRef more =
        LLVMBuildICmp(emit->builder, LLVMIntNE, next, LLVMGetParam(emit->function, 3), "");
    LLVMBuildCondBr(emit->builder, more, loop, end);
    simd_at(emit, end);
}

/* Entries return nothing.  A result of several vectors is a structure of them. */
static void return_result(struct simd_emit *emit)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(emit->function));
    if (emit->launch.called.results == NULL) {
        LLVMBuildRetVoid(emit->builder);
        return;
    }
    LLVMValueRef vectors[SIMD_MOST_VECTORS], result = LLVMGetPoison(type);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef variable = emit->launch.called.results[u];
        vectors[u] = LLVMBuildLoad2(emit->builder, LLVMGetAllocatedType(variable), variable, "");
    }
    for (unsigned u = 0; emit->vectors > 1 && u < emit->vectors; u++) {
        result = LLVMBuildInsertValue(emit->builder, result, vectors[u], u, "");
    }
    LLVMBuildRet(emit->builder, emit->vectors > 1 ? result : vectors[0]);
}

static void emit_function(struct simd_emit *emit)
{
    const struct simd_plan *plan = emit->plan;
    bool publishes = false;
    allocate_memory(emit);
    LLVMBasicBlockRef loop = plan->takes_range ? begin_block_loop(emit) : NULL;
    emit->code.starts = arena_alloc((plan->region_count + 1) * sizeof *emit->code.starts);
    for (size_t r = 0; r < plan->region_count; r++) {
        emit->code.starts[r] = simd_new(emit, "region");
        publishes |= plan->regions[r].publishing.any;
    }
    if (publishes && !simd_is_called(emit->kernel)) { /* the previous block has published its own */
        simd_publish_none(emit);
    }
    emit->code.done = simd_new(emit, "done");
    LLVMBuildBr(emit->builder, emit->code.starts[0]);
    for (size_t r = 0; r < plan->region_count; r++) {
        emit_region(emit, &plan->regions[r]);
    }
    simd_at(emit, emit->code.done);
    if (loop != NULL) {
        end_block_loop(emit, loop);
    }
    simd_report_errors(emit);
    return_result(emit);
    simd_end_counters(emit);
}

/* Fields that are not set here are NULL or zero. */
static void init_emit(struct simd_emit *emit, const struct simd_plan *plan)
{
    struct lower_context *lower = simd_context_of(plan->kernel);
    *emit = (struct simd_emit){
        .lower = lower,
        .plan = plan,
        .kernel = plan->kernel,
        .lanes = plan->options.lanes,
        .vectors = plan->options.vectors,
        .types = {.mask = LLVMVectorType(lower->types.i1, plan->options.lanes),
                  .bits = LLVMIntTypeInContext(lower->llvm, plan->options.lanes)},
        .scope = {.stop = -1},
    };
    emit->full = LLVMConstAllOnes(emit->types.mask);
    emit->none = LLVMConstNull(emit->types.mask);
}

static void end_emit(struct simd_emit *emit)
{
    LLVMDisposeBuilder(emit->builder);
    LLVMDisposeBuilder(emit->allocas);
}

struct simd_entry simd_emit_plan(const struct simd_plan *plan)
{
    struct simd_emit emit;
    init_emit(&emit, plan);
    create_entry(&emit);
    emit_function(&emit);
    end_emit(&emit);
    return (struct simd_entry){.function = emit.function,
                               .has_nontemporal = emit.code.has_nontemporal};
}

/* ---- functions that kernels call ---- */

/* Adds the type of a scalar, or of each vector. */
static void add_part_types(const struct simd_emit *emit, LLVMTypeRef type,
                           const struct simd_shape *shape, LLVMTypeRef **types, size_t *count)
{
    LLVMTypeRef part = simd_part_type(emit, type, shape);
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        LOWER_PUSH(*types, *count, part);
    }
}

static LLVMTypeRef result_type(const struct simd_emit *emit, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
        return type;
    }
    LLVMTypeRef vectors[SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        vectors[u] = simd_vector_type(emit, type);
    }
    return emit->vectors == 1
               ? vectors[0]
               : LLVMStructTypeInContext(emit->lower->llvm, vectors, emit->vectors, 0);
}

/* The mask, the block, the number of lane 0's thread, blockIdx.x, and the function's own
 * parameters. */
static LLVMTypeRef type_of_called(const struct simd_emit *emit)
{
    const struct lower_context *lower = emit->lower;
    const LLVMTypeRef of_chunk[] = {lower->types.i64, lower->types.ptr, lower->types.i32,
                                    lower->types.i32};
    LLVMTypeRef *types = NULL;
    size_t count = 0;
    for (size_t i = 0; i < sizeof of_chunk / sizeof *of_chunk; i++) {
        LOWER_PUSH(types, count, of_chunk[i]);
    }
    const struct simd_shape *arguments = simd_variant_of(emit->kernel)->arguments;
    for (size_t v = 1; simd_node_of_number(emit->kernel, v) < 0; v++) {
        LLVMTypeRef type = LLVMTypeOf(simd_value_at(emit->kernel, v));
        add_part_types(emit, type, &arguments[v], &types, &count);
    }
    LLVMTypeRef original = LLVMGlobalGetValueType(simd_function_of(emit->kernel));
    return LLVMFunctionType(result_type(emit, LLVMGetReturnType(original)), types, (unsigned)count,
                            0);
}

static void create_called(struct simd_emit *emit)
{
    enum { MASK, BLOCK, FIRST, INDEX, OWN };
    create_function(emit, type_of_called(emit));
    mark_index(emit, INDEX + 1);
    emit->launch.params = LLVMGetPoison(emit->lower->types.ptr);
    emit->launch.block = LLVMGetParam(emit->function, BLOCK);
    emit->launch.block_x = LLVMGetParam(emit->function, INDEX);
    emit->launch.called = (struct simd_called_values){.mask = LLVMGetParam(emit->function, MASK),
                                                      .first = LLVMGetParam(emit->function, FIRST),
                                                      .own = OWN};
}

/* The variables of the result. */
static void make_results(struct simd_emit *emit)
{
    LLVMTypeRef original = LLVMGlobalGetValueType(simd_function_of(emit->kernel));
    LLVMTypeRef type = LLVMGetReturnType(original);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
        return;
    }
    emit->launch.called.results = arena_alloc(emit->vectors * sizeof *emit->launch.called.results);
    for (unsigned u = 0; u < emit->vectors; u++) {
        emit->launch.called.results[u] =
            simd_alloca(emit, simd_vector_type(emit, type), SIMD_SCRATCH_ALIGN, "result");
    }
}

LLVMValueRef simd_emit_vector_function(struct simd_vector_function *function)
{
    if (function->emitted == NULL) {
        struct simd_emit emit;
        init_emit(&emit, function->plan);
        create_called(&emit);
        function->emitted = emit.function; /* it may call itself */
        start_function(&emit);
        make_results(&emit);
        emit_function(&emit);
        end_emit(&emit);
    }
    return function->emitted;
}
