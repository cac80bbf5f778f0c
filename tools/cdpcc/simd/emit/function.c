/* The function around the regions.
 *
 *   region:  scalars that lived across the barrier
 *   chunk:   threads of W x U lanes, their indices, what lives in slots
 *   next:    the region behind the barrier that was reached, or the end */
#include "simd/emit/function.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/legality.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/chunks.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/emit.h"
#include "simd/emit/region.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/all_active.h"
#include "simd/plan/fault_context.h"
#include "simd/plan/hoist.h"
#include "simd/plan/nontemporal.h"
#include "simd/plan/slots.h"
#include "simd/plan/uniform_exits.h"
#include "simd/plan/unroll.h"
#include "simd/plan/width.h"
#include "simd/post/pipeline.h"
#include "simd/post/shared_memory.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* ---- preparation ---- */

static void find_regions(struct simd_making *entry)
{
    struct simd_kernel *kernel = entry->emit.kernel;
    entry->emit.region_of = arena_alloc((kernel->node_count + 1) * sizeof(int));
    for (unsigned i = 0; i < kernel->node_count; i++) {
        entry->emit.region_of[i] = -1;
        if (simd_starts_region(kernel, i)) {
            struct simd_region region = {.entry = i};
            entry->emit.region_of[i] = (int)entry->region_count;
            LOWER_PUSH(entry->regions, entry->region_count, region);
        }
    }
}

/* True if some value must change its shape to live in a slot. */
static bool find_slots(struct simd_making *entry)
{
    struct simd_emit *emit = &entry->emit;
    struct simd_kernel *kernel = emit->kernel;
    bool again = false;
    emit->has_slot = arena_alloc(kernel->value_count + 1);
    emit->is_hoisted = arena_alloc(kernel->value_count + 1);
    for (size_t r = 0; r < entry->region_count; r++) {
        struct simd_region *region = &entry->regions[r];
        region->graph = simd_graph_build(kernel, region->entry, false, NULL);
        region->live = arena_alloc(kernel->value_count + 1);
        region->mixed = arena_alloc(kernel->value_count + 1);
        region->early = arena_alloc(kernel->value_count + 1);
        bool *torn = arena_alloc(kernel->value_count + 1);
        simd_find_slots(emit, region->graph, region->live, region->mixed, torn);
        for (size_t v = 0; v < kernel->value_count; v++) {
            bool recomputed = !region->mixed[v] && simd_can_recompute(emit, kernel->values[v]);
            emit->has_slot[v] |= region->live[v] && !recomputed;
            bool checked = (emit->has_slot[v] || region->mixed[v]) &&
                           kernel->facts->shapes[v].check != CHECK_NONE;
            if ((checked || torn[v]) && !kernel->facts->is_forced[v]) {
                kernel->facts->is_forced[v] = again = true;
            }
        }
        again |= simd_find_hoisted(emit, region);
    }
    return again;
}

static const char *prepare(struct simd_making *entry)
{
    struct simd_kernel *kernel = entry->emit.kernel;
    const char *why;
    find_regions(entry);
    do {
        kernel->facts->exits_early = false;
        simd_shapes(kernel);
        why = simd_refusal_of_shapes(kernel);
    } while (why == NULL && find_slots(entry));
    for (size_t r = 0; r < entry->region_count; r++) {
        entry->regions[r].fast =
            why != NULL ? NULL : simd_make_all_active(kernel, entry->regions[r].graph);
    }
    entry->needs_alive = kernel->facts->exits_early;
    return why;
}

/* ---- the function ---- */

/* Without the second one, LLVM takes the widest registers for granted. */
static void set_width(struct simd_emit *emit, LLVMAttributeIndex index)
{
    static const char prefer[] = "prefer-vector-width", least[] = "min-legal-vector-width";
    LLVMContextRef llvm = emit->lower->llvm;
    const char *width = emit->in_halves ? "256" : "512";
    LLVMAddAttributeAtIndex(emit->function, index,
                            LLVMCreateStringAttribute(llvm, prefer, sizeof prefer - 1, width, 3));
    if (emit->in_halves) {
        LLVMAddAttributeAtIndex(emit->function, index,
                                LLVMCreateStringAttribute(llvm, least, sizeof least - 1, "0", 1));
    }
}

static void copy_attributes(struct simd_emit *emit)
{
    static const char *const unwanted[] = {"min-legal-vector-width", "no-trapping-math"};
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(emit->kernel->function, index);
    LLVMAttributeRef *attributes = arena_alloc((count + 1) * sizeof *attributes);
    LLVMGetAttributesAtIndex(emit->kernel->function, index, attributes);
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
    lower_add_attribute(emit->lower, emit->function, "nounwind");
    lower_add_attribute(emit->lower, emit->function, "noinline"); /* the choice has no lines */
    simd_optimize_mark(emit->function, emit->is_cold);
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

/* What the choice has tested (pass.c): indices of threads do not pass 2^31. */
static uint64_t most_blocks(const struct simd_emit *emit)
{
    const struct simd_size *size = emit->kernel->variant.size;
    return (SIMD_MOST_INDEX + 1) / (size == NULL ? 1 : size->x);
}

static void mark_index(struct simd_emit *emit)
{
    uint64_t low = 0, high = most_blocks(emit);
    unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
    LLVMAddAttributeAtIndex(
        emit->function, 3,
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
    LLVMValueRef at = lower_field(emit->lower, emit->builder, emit->block, offset, "");
    return lower_load_const(emit->lower, emit->builder, emit->lower->i32, at, name);
}

static void make_size(struct simd_emit *emit)
{
    const struct simd_size *size = emit->kernel->variant.size;
    LLVMTypeRef i32 = emit->lower->i32;
    if (size != NULL) {
        const unsigned sizes[] = {size->x, size->y, size->z};
        emit->thread_count = simd_int(i32, (int64_t)size->x * size->y * size->z);
        for (unsigned i = 0; i < 3; i++) {
            emit->dimension[i] = simd_int(i32, sizes[i]);
        }
        return;
    }
    emit->thread_count = simd_word(emit, offsetof(struct cdp_abi_block, thread_count), "threads");
    for (unsigned i = 0; i < 3; i++) {
        emit->dimension[i] = simd_word(emit, offsetof(struct cdp_abi_block, block_dim) + 4 * i, "");
    }
}

static void make_rows(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    emit->row = emit->dimension[0];
    emit->lane_count = emit->thread_count;
    if (emit->kernel->variant.layout == LAYOUT_FILLED) {
        LLVMValueRef rows = LLVMBuildNUWMul(b, emit->dimension[1], emit->dimension[2], "");
        emit->row = simd_round_up(emit, emit->dimension[0], emit->lanes);
        emit->lane_count = LLVMBuildNUWMul(b, rows, emit->row, "");
    }
}

/* Parameters may be read before the loop over blocks, whatever lies before their use in it. */
static void mark_readable(struct simd_emit *emit)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
    uint64_t size = emit->kernel->source->param_size;
    if (size != 0) {
        LLVMAddAttributeAtIndex(emit->function, 1,
                                LLVMCreateEnumAttribute(emit->lower->llvm, kind, size));
    }
}

static void create_function(struct simd_making *entry, const char *prefix)
{
    struct simd_emit *emit = &entry->emit;
    struct lower_context *lower = emit->lower;
    LLVMTypeRef parameters[] = {lower->ptr, lower->ptr, lower->i32, lower->i32};
    LLVMTypeRef type =
        LLVMFunctionType(lower->void_type, parameters, entry->takes_range ? 4 : 3, 0);
    emit->function = LLVMAddFunction(
        lower->module, str_format("cdp.%s.%s", prefix, emit->kernel->source->name), type);
    LLVMSetLinkage(emit->function, LLVMInternalLinkage);
    copy_attributes(emit);
    emit->params = LLVMGetParam(emit->function, 0);
    emit->block = LLVMGetParam(emit->function, 1);
    emit->block_x = LLVMGetParam(emit->function, 2);
    mark_index(emit);
    emit->builder = LLVMCreateBuilderInContext(lower->llvm);
    emit->allocas = LLVMCreateBuilderInContext(lower->llvm);
    simd_debug_start(emit);
    simd_alias_start(emit);
    if (entry->takes_range) {
        mark_readable(emit);
    } else { /* shared memory that ends with the call */
        simd_alias_tell(emit);
    }
    simd_announce_nontemporal(emit);
    LLVMBasicBlockRef first = simd_new(emit, "entry"), start = simd_new(emit, "start");
    simd_at(emit, first);
    emit->self = lower_self(lower, emit->builder);
    make_size(emit);
    make_rows(emit);
    simd_make_reciprocals(emit);
    emit->padded_count = simd_round_up(emit, emit->lane_count, emit->lanes * emit->vectors);
    LLVMPositionBuilderBefore(emit->allocas, LLVMBuildBr(emit->builder, start));
    simd_at(emit, start);
}

static void make_memory(struct simd_making *entry)
{
    struct simd_emit *emit = &entry->emit;
    LLVMTypeRef bytes = LLVMArrayType2(emit->lower->i64, 16);
    emit->scratch = simd_alloca(emit, bytes, SIMD_SCRATCH_ALIGN, "scratch");
    LLVMBuildStore(emit->builder, LLVMConstNull(bytes), emit->scratch);
    emit->next_region = simd_alloca(emit, emit->lower->i32, 4, "next");
    emit->is_last = simd_alloca(emit, emit->lower->i1, 1, "last");
    emit->yes = simd_alloca(emit, emit->lower->i32, 4, "yes");
    emit->votes = simd_alloca(emit, emit->lower->i32, 4, "votes");
    if (entry->needs_alive) {
        LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
        emit->alive = simd_array(emit, i16, emit->padded_count, "alive");
    }
    simd_make_errors(emit);
    size_t values = emit->kernel->value_count;
    emit->slots = arena_alloc((values + 1) * sizeof *emit->slots);
    emit->locals = arena_alloc((values + 1) * sizeof *emit->locals);
    emit->partners = arena_alloc((values + 1) * sizeof *emit->partners);
    emit->variables = arena_alloc((values + 1) * sizeof *emit->variables);
    for (size_t v = 0; v < values; v++) {
        if (emit->has_slot[v]) {
            simd_make_slot(emit, (int)v);
        }
    }
}

static bool is_short_loop(const struct simd_making *entry)
{
    LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(entry->emit.function);
    return simd_has_short_loop(entry->emit.kernel) &&
           simd_count_instructions(first) <= SIMD_STRAIGHT_TREE;
}

/* To the region that lanes wait for; all wait for the same. */
static void go_on(struct simd_making *entry, const struct simd_region *region)
{
    struct simd_emit *emit = &entry->emit;
    const struct simd_graph *graph = region->graph;
    bool *reached = arena_alloc(entry->region_count + 1);
    size_t count = 0, last = 0;
    bool ends = false;
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *node = &emit->kernel->nodes[graph->order[i]];
        if (node->end != END_BARRIER) {
            ends |= node->end == END_RETURN || node->end == END_UNREACHABLE;
            continue;
        }
        last = (size_t)emit->region_of[node->next[0]];
        count += reached[last] ? 0 : 1;
        reached[last] = true;
    }
    if (count <= 1 && (count == 0 || !ends)) {
        LLVMBuildBr(emit->builder, count == 0 ? entry->done : entry->regions[last].block);
        return;
    }
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef next = LLVMBuildLoad2(emit->builder, i32, emit->next_region, "");
    if (count == 1) {
        LLVMValueRef is =
            LLVMBuildICmp(emit->builder, LLVMIntEQ, next, simd_int(i32, (int64_t)last), "");
        LLVMValueRef branch =
            LLVMBuildCondBr(emit->builder, is, entry->regions[last].block, entry->done);
        if (&entry->regions[last] <= region && is_short_loop(entry)) {
            simd_ask_to_unroll(emit, branch);
        }
        return;
    }
    LLVMValueRef choice = LLVMBuildSwitch(emit->builder, next, entry->done, (unsigned)count);
    for (size_t r = 0; r < entry->region_count; r++) {
        if (reached[r]) {
            LLVMAddCase(choice, simd_int(i32, (int64_t)r), entry->regions[r].block);
        }
    }
}

/* What the barrier before the region says, for those behind it. */
static void end_vote(struct simd_making *entry, const struct simd_region *region)
{
    struct simd_emit *emit = &entry->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef barrier = region->entry == 0 ? NULL : emit->kernel->nodes[region->entry - 1].last;
    enum simd_vote what = barrier == NULL ? VOTE_NONE : simd_vote_of(barrier);
    int number = barrier == NULL ? -1 : simd_number(emit->kernel, barrier);
    if (what != VOTE_NONE && emit->has_slot[number]) {
        LLVMValueRef said = LLVMBuildLoad2(b, i32, emit->yes, "");
        if (what != VOTE_COUNT) {
            LLVMValueRef other =
                what == VOTE_OR ? simd_int(i32, 0) : LLVMBuildLoad2(b, i32, emit->votes, "");
            LLVMIntPredicate how = what == VOTE_OR ? LLVMIntNE : LLVMIntEQ;
            said = LLVMBuildZExt(b, LLVMBuildICmp(b, how, said, other, ""), i32, "");
        }
        LLVMBuildStore(b, said, emit->slots[number]);
    }
    LLVMBuildStore(b, simd_int(i32, 0), emit->yes);
    LLVMBuildStore(b, simd_int(i32, 0), emit->votes);
}

/* The way's chunks, and what comes behind them. */
static void emit_way(struct simd_making *entry, const struct simd_region *region,
                     const struct simd_uniform_exit *decision, unsigned way)
{
    struct simd_emit *emit = &entry->emit;
    struct simd_region part = *region;
    int target = decision->targets[way];
    part.graph = decision->graphs[way];
    part.fast = simd_make_all_active(emit->kernel, part.graph);
    emit->uniform_exit = (int)decision->node;
    simd_chunks(entry, &part);
    emit->uniform_exit = -1;
    if (region->publishing.lasts) {
        simd_publish_nobody(emit);
    }
    if (target == SIMD_DONE) {
        LLVMBuildBr(emit->builder, entry->done);
        return;
    }
    LLVMValueRef branch = LLVMBuildBr(emit->builder, entry->regions[target].block);
    if (&entry->regions[target] <= region && is_short_loop(entry)) {
        simd_ask_to_unroll(emit, branch);
    }
}

/* False: the region's ways part in its chunks, or not at all. */
static bool emit_ways(struct simd_making *entry, const struct simd_region *region)
{
    struct simd_emit *emit = &entry->emit;
    struct simd_uniform_exit decision;
    if (!simd_has_short_loop(emit->kernel) || !simd_find_uniform_exit(entry, region, &decision)) {
        return false;
    }
    LLVMValueRef condition = simd_compute_uniform_exit(emit, region, &decision);
    if (condition == NULL) {
        return false;
    }
    LLVMBasicBlockRef ways[] = {simd_new(emit, "first"), simd_new(emit, "second")};
    LLVMBuildCondBr(emit->builder, condition, ways[0], ways[1]);
    size_t size = emit->kernel->value_count * sizeof *emit->values;
    struct simd_value *known = arena_alloc(size + 1);
    memcpy(known, emit->values, size);
    for (unsigned way = 0; way < 2 && emit->failure == NULL; way++) {
        memcpy(emit->values, known, size);
        simd_at(emit, ways[way]);
        emit_way(entry, region, &decision, way);
    }
    return true;
}

static void emit_region(struct simd_making *entry, struct simd_region *region)
{
    struct simd_emit *emit = &entry->emit;
    size_t values = emit->kernel->value_count;
    emit->values = arena_alloc((values + 1) * sizeof *emit->values);
    simd_at(emit, region->block);
    emit->values[0] = simd_uniform(emit->params);
    end_vote(entry, region);
    emit->publishing = &region->publishing;
    simd_begin_chunks(entry, region);
    if (emit_ways(entry, region)) {
        return;
    }
    simd_chunks(entry, region);
    if (region->publishing.lasts) {
        simd_publish_nobody(emit);
    }
    go_on(entry, region);
}

/* Ends the block at hand; what follows runs for each of the blocks. */
static LLVMBasicBlockRef open_blocks(struct simd_making *entry)
{
    struct simd_emit *emit = &entry->emit;
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMBasicBlockRef before = simd_here(emit), loop = simd_new(emit, "block");
    LLVMBuildBr(emit->builder, loop);
    simd_at(emit, loop);
    LLVMValueRef x = LLVMBuildPhi(emit->builder, i32, "x");
    LLVMAddIncoming(x, &emit->block_x, &before, 1);
    LLVMValueRef most = simd_int(i32, (int64_t)most_blocks(emit));
    LLVMValueRef known = LLVMBuildICmp(emit->builder, LLVMIntULT, x, most, "");
    simd_intrinsic(emit, "llvm.assume", NULL, 0, &known, 1);
    simd_store_index(emit->lower, emit->builder, emit->block, x);
    emit->block_x = x;
    return loop;
}

static void close_blocks(struct simd_making *entry, LLVMBasicBlockRef loop)
{
    struct simd_emit *emit = &entry->emit;
    LLVMBasicBlockRef here = simd_here(emit), end = simd_new(emit, "end");
    LLVMValueRef one = simd_int(emit->lower->i32, 1);
    LLVMValueRef next = LLVMBuildNSWAdd(emit->builder, emit->block_x, one, "");
    LLVMAddIncoming(emit->block_x, &next, &here, 1);
    LLVMValueRef more =
        LLVMBuildICmp(emit->builder, LLVMIntNE, next, LLVMGetParam(emit->function, 3), "");
    LLVMBuildCondBr(emit->builder, more, loop, end);
    simd_at(emit, end);
}

static void emit_function(struct simd_making *entry)
{
    struct simd_emit *emit = &entry->emit;
    bool tells = false;
    make_memory(entry);
    LLVMBasicBlockRef loop = entry->takes_range ? open_blocks(entry) : NULL;
    for (size_t r = 0; r < entry->region_count; r++) {
        struct simd_region *region = &entry->regions[r];
        region->block = simd_new(emit, "region");
        region->publishing = simd_find_publishing(emit, region->graph);
        tells |= region->publishing.any;
    }
    if (tells) { /* the block before this one has left its own */
        simd_publish_nobody(emit);
    }
    entry->done = simd_new(emit, "done");
    LLVMBuildBr(emit->builder, entry->regions[0].block);
    for (size_t r = 0; r < entry->region_count && emit->failure == NULL; r++) {
        emit_region(entry, &entry->regions[r]);
    }
    simd_at(emit, entry->done);
    if (loop != NULL) {
        close_blocks(entry, loop);
    }
    simd_tell_errors(emit);
    LLVMBuildRetVoid(emit->builder);
}

static void init_emit(struct simd_emit *emit, struct simd_kernel *kernel,
                      const struct simd_options *options)
{
    struct lower_context *lower = kernel->lower;
    *emit = (struct simd_emit){
        .lower = lower,
        .kernel = kernel,
        .lanes = options->lanes,
        .vectors = options->vectors,
        .most_vectors = options->vectors,
        .in_halves = options->in_halves,
        .is_cold = options->is_cold,
        .mask_type = LLVMVectorType(lower->i1, options->lanes),
        .bits_type = LLVMIntTypeInContext(lower->llvm, options->lanes),
        .stop = -1,
        .early_exit = -1,
        .uniform_exit = -1,
    };
    emit->full = LLVMConstAllOnes(emit->mask_type);
    emit->none = LLVMConstNull(emit->mask_type);
}

static size_t count_staying(const struct simd_kernel *kernel)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->node_count; i++) {
        count += kernel->facts->stays[i];
    }
    return count;
}

/* Lanes that are no threads have slots too: theirs are the threads'. */
static uint64_t slot_bytes_of_thread(const struct simd_emit *emit)
{
    if (emit->kernel->variant.layout != LAYOUT_FILLED) {
        return emit->slot_bytes;
    }
    uint64_t lanes = LLVMConstIntGetZExtValue(emit->padded_count);
    uint64_t threads = LLVMConstIntGetZExtValue(emit->thread_count);
    return (emit->slot_bytes * lanes + threads - 1) / threads;
}

static struct simd_entry try_entry(struct simd_kernel *kernel, const struct simd_options *options)
{
    struct simd_making entry = {0};
    struct simd_emit *emit = &entry.emit;
    kernel->variant.lanes = options->lanes;
    init_emit(emit, kernel, options);
    struct simd_entry made = {.refusal = prepare(&entry)};
    if (made.refusal != NULL) {
        return made;
    }
    /* Shared memory that outlives a block would be more than the passes behind here know of. */
    entry.takes_range = kernel->traits.has_ranges && kernel->traits.barrier_count == 0;
    create_function(&entry, options->prefix);
    emit_function(&entry);
    LLVMDisposeBuilder(emit->builder);
    LLVMDisposeBuilder(emit->allocas);
    made.refusal = emit->failure;
    made.function = emit->function;
    made.takes_range = entry.takes_range;
    made.regions = (unsigned)entry.region_count;
    made.thread_bytes = slot_bytes_of_thread(emit);
    for (size_t v = 0; v < kernel->value_count; v++) {
        made.slots += emit->has_slot[v];
    }
    if (made.refusal != NULL) {
        LLVMDeleteFunction(emit->function);
        made.function = NULL;
    }
    return made;
}

/* Which branches all lanes come to is known for sure only when masks are made: each time
 * that one was taken for such, the function is made once more without it. */
struct simd_entry simd_entry_emit(struct simd_kernel *kernel, const struct simd_options *options)
{
    struct simd_entry made;
    size_t before;
    do {
        before = count_staying(kernel);
        made = try_entry(kernel, options);
    } while (made.function == NULL && count_staying(kernel) != before);
    return made;
}
