/* The function around the regions.
 *
 *   region:  scalars that lived across the barrier
 *   chunk:   threads of W x U lanes, their indices, what lives in slots
 *   next:    the region behind the barrier that was reached, or the end
 *
 * Chunks whose lanes are all at work run in a loop without masks.  The first one that does not go
 * its way (fast.c) starts again in a second loop, with masks, that runs all which are left: so
 * nothing that only the second needs is prepared for the first.  Where threads end early, which
 * lanes are at work is another question for each chunk, and both versions are in one loop; so, too,
 * where starting again would find values that live across barriers changed. */
#include "block/block.h"
#include "block/optimize.h"

#include "arena.h"
#include "str.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* Instructions of a region for all chunks of a block whose size is known; more where masks
 * become constants. */
enum { MOST_UNROLLED = 1000, MOST_OF_SHORT_LOOPS = 3000 };

struct region {
    unsigned entry;
    const struct block_graph *graph, *fast;
    bool *live, *mixed;
    LLVMBasicBlockRef block;
};

struct entry {
    struct block_emit emit;
    struct region *regions;
    size_t region_count;
    bool needs_alive;
    LLVMBasicBlockRef done;
};

/* ---- preparation ---- */

static void find_regions(struct entry *entry)
{
    struct block_kernel *kernel = entry->emit.kernel;
    entry->emit.region_of = arena_alloc((kernel->node_count + 1) * sizeof(int));
    for (unsigned i = 0; i < kernel->node_count; i++) {
        entry->emit.region_of[i] = -1;
        bool starts = i == 0 || (kernel->nodes[i - 1].end == END_BARRIER &&
                                 kernel->nodes[i - 1].next[0] == i);
        if (starts) {
            struct region region = {.entry = i};
            entry->emit.region_of[i] = (int)entry->region_count;
            LOWER_PUSH(entry->regions, entry->region_count, region);
        }
    }
}

/* True if some value must change its shape to live in a slot. */
static bool find_slots(struct entry *entry)
{
    struct block_emit *emit = &entry->emit;
    struct block_kernel *kernel = emit->kernel;
    bool again = false;
    emit->has_slot = arena_alloc(kernel->value_count + 1);
    for (size_t r = 0; r < entry->region_count; r++) {
        struct region *region = &entry->regions[r];
        region->graph = block_graph_build(kernel, region->entry, false, NULL);
        region->live = arena_alloc(kernel->value_count + 1);
        region->mixed = arena_alloc(kernel->value_count + 1);
        bool *torn = arena_alloc(kernel->value_count + 1);
        block_find_slots(emit, region->graph, region->live, region->mixed, torn);
        for (size_t v = 0; v < kernel->value_count; v++) {
            bool recomputed = !region->mixed[v] && block_can_recompute(emit, kernel->values[v]);
            emit->has_slot[v] |= region->live[v] && !recomputed;
            bool checked =
                (emit->has_slot[v] || region->mixed[v]) && kernel->shapes[v].check != CHECK_NONE;
            if ((checked || torn[v]) && !kernel->is_forced[v]) {
                kernel->is_forced[v] = again = true;
            }
        }
    }
    return again;
}

static const char *prepare(struct entry *entry)
{
    struct block_kernel *kernel = entry->emit.kernel;
    const char *why;
    find_regions(entry);
    do {
        kernel->exits_early = false;
        block_shapes(kernel);
        why = block_refusal_of_shapes(kernel);
    } while (why == NULL && find_slots(entry));
    for (size_t r = 0; r < entry->region_count; r++) {
        entry->regions[r].fast =
            why != NULL ? NULL : block_make_fast(kernel, entry->regions[r].graph);
    }
    entry->needs_alive = kernel->exits_early;
    return why;
}

/* ---- the function ---- */

static void copy_attributes(struct block_emit *emit)
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
    LLVMAttributeRef width =
        LLVMCreateStringAttribute(emit->lower->llvm, "prefer-vector-width", 19, "512", 3);
    LLVMAddAttributeAtIndex(emit->function, index, width);
    lower_add_attribute(emit->lower, emit->function, "nounwind");
    lower_add_attribute(emit->lower, emit->function, "noinline"); /* the choice has no lines */
    block_optimize_mark(emit->function);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddAttributeAtIndex(emit->function, 1,
                            LLVMCreateEnumAttribute(emit->lower->llvm, align, 64));
    for (unsigned i = 0; i < 2; i++) {
        static const char *const names[] = {"readonly", "noalias"};
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        LLVMAddAttributeAtIndex(emit->function, 1,
                                LLVMCreateEnumAttribute(emit->lower->llvm, kind, 0));
    }
}

static LLVMValueRef block_word(struct block_emit *emit, size_t offset, const char *name)
{
    LLVMValueRef at = lower_field(emit->lower, emit->builder, emit->block, offset, "");
    return lower_load_const(emit->lower, emit->builder, emit->lower->i32, at, name);
}

static LLVMValueRef round_up(struct block_emit *emit, LLVMValueRef value, unsigned to)
{
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef more = LLVMBuildNUWAdd(emit->builder, value, block_int(i32, to - 1), "");
    LLVMValueRef parts = LLVMBuildUDiv(emit->builder, more, block_int(i32, to), "");
    return LLVMBuildNUWMul(emit->builder, parts, block_int(i32, to), "");
}

static void make_size(struct block_emit *emit)
{
    const struct block_size *size = emit->kernel->size;
    LLVMTypeRef i32 = emit->lower->i32;
    if (size != NULL) {
        const unsigned sizes[] = {size->x, size->y, size->z};
        emit->thread_count = block_int(i32, (int64_t)size->x * size->y * size->z);
        for (unsigned i = 0; i < 3; i++) {
            emit->dimension[i] = block_int(i32, sizes[i]);
        }
        return;
    }
    emit->thread_count = block_word(emit, offsetof(struct cdp_abi_block, thread_count), "threads");
    for (unsigned i = 0; i < 3; i++) {
        emit->dimension[i] =
            block_word(emit, offsetof(struct cdp_abi_block, block_dim) + 4 * i, "");
    }
}

static void create_function(struct entry *entry, const char *prefix)
{
    struct block_emit *emit = &entry->emit;
    struct lower_context *lower = emit->lower;
    LLVMTypeRef parameters[] = {lower->ptr, lower->ptr};
    LLVMTypeRef type = LLVMFunctionType(lower->void_type, parameters, 2, 0);
    emit->function = LLVMAddFunction(
        lower->module, str_format("cdp.%s.%s", prefix, emit->kernel->source->name), type);
    LLVMSetLinkage(emit->function, LLVMInternalLinkage);
    copy_attributes(emit);
    emit->params = LLVMGetParam(emit->function, 0);
    emit->block = LLVMGetParam(emit->function, 1);
    emit->builder = LLVMCreateBuilderInContext(lower->llvm);
    emit->allocas = LLVMCreateBuilderInContext(lower->llvm);
    block_debug_start(emit);
    block_alias_start(emit);
    block_alias_tell(emit);
    LLVMBasicBlockRef first = block_new(emit, "entry"), start = block_new(emit, "start");
    block_at(emit, first);
    emit->self = lower_self(lower, emit->builder);
    make_size(emit);
    block_make_reciprocals(emit);
    emit->padded_count = round_up(emit, emit->thread_count, emit->lanes * emit->vectors);
    LLVMPositionBuilderBefore(emit->allocas, LLVMBuildBr(emit->builder, start));
    block_at(emit, start);
}

static void make_memory(struct entry *entry)
{
    struct block_emit *emit = &entry->emit;
    LLVMTypeRef bytes = LLVMArrayType2(emit->lower->i64, 16);
    emit->scratch = block_alloca(emit, bytes, BLOCK_SCRATCH_ALIGN, "scratch");
    LLVMBuildStore(emit->builder, LLVMConstNull(bytes), emit->scratch);
    emit->next_region = block_alloca(emit, emit->lower->i32, 4, "next");
    emit->yes = block_alloca(emit, emit->lower->i32, 4, "yes");
    emit->votes = block_alloca(emit, emit->lower->i32, 4, "votes");
    if (entry->needs_alive) {
        LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
        emit->alive = block_array(emit, i16, emit->padded_count, "alive");
    }
    block_make_errors(emit);
    size_t values = emit->kernel->value_count;
    emit->slots = arena_alloc((values + 1) * sizeof *emit->slots);
    emit->locals = arena_alloc((values + 1) * sizeof *emit->locals);
    emit->variables = arena_alloc((values + 1) * sizeof *emit->variables);
    for (size_t v = 0; v < values; v++) {
        if (emit->has_slot[v]) {
            block_make_slot(emit, (int)v);
        }
    }
}

/* A thread's own variables: beside those of the other threads of the block, or only of
 * the chunk where no barrier lets others run meanwhile. */
static void make_local(struct block_emit *emit, int number)
{
    uint64_t stride = block_local_stride(emit->kernel, emit->kernel->values[number]);
    bool lasts = emit->kernel->barrier_count != 0;
    if (emit->locals[number] == NULL) {
        LLVMTypeRef type = LLVMArrayType2(emit->lower->i8, stride);
        LLVMValueRef count = lasts ? emit->padded_count
                                   : block_int(emit->lower->i32, emit->lanes * emit->most_vectors);
        emit->locals[number] = block_array(emit, type, count, "local");
        emit->slot_bytes += lasts ? stride : 0;
    }
    struct block_value made = {.shape = emit->kernel->shapes[number], .is_set = true};
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMTypeRef i64 = emit->lower->i64;
        LLVMValueRef thread = lasts ? emit->first64[u] : block_int(i64, u * emit->lanes);
        LLVMValueRef offset =
            LLVMBuildMul(emit->builder, thread, block_int(i64, (int64_t)stride), "");
        made.scalar[u] = LLVMBuildInBoundsGEP2(emit->builder, emit->lower->i8, emit->locals[number],
                                               &offset, 1, "");
    }
    emit->values[number] = made;
}

/* ---- chunks ---- */

static void make_ids(struct block_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    struct block_shape line = {
        .kind = SHAPE_LINEAR, .stride = 1, .is_signed_exact = true, .is_unsigned_exact = true};
    struct block_shape same = line;
    same.stride = 0;
    same.kind = emit->kernel->layout == LAYOUT_ROWS ? SHAPE_VECTOR : SHAPE_UNIFORM;
    for (unsigned i = 0; i < 4; i++) {
        emit->ids[i] =
            (struct block_value){.shape = i == 0 || i == 3 ? line : same, .is_set = true};
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef thread = emit->first32[u], zero = block_int(emit->lower->i32, 0);
        emit->ids[3].scalar[u] = thread;
        emit->ids[0].scalar[u] = thread;
        emit->ids[1].scalar[u] = emit->ids[2].scalar[u] = zero;
        if (emit->kernel->layout == LAYOUT_ROWS) {
            LLVMValueRef row = LLVMBuildUDiv(b, thread, emit->dimension[0], "");
            emit->ids[0].scalar[u] = LLVMBuildURem(b, thread, emit->dimension[0], "");
            emit->ids[1].scalar[u] = LLVMBuildURem(b, row, emit->dimension[1], "");
            emit->ids[2].scalar[u] = LLVMBuildUDiv(b, row, emit->dimension[1], "");
        }
    }
    if (emit->kernel->layout == LAYOUT_ANY) {
        block_number_lanes(emit);
    }
}

static void number_threads(struct block_emit *emit, LLVMValueRef chunk)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->i64;
    int64_t size = (int64_t)emit->lanes * emit->vectors;
    LLVMValueRef first = LLVMBuildNUWMul(b, chunk, block_int(i64, size), "");
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef offset = block_int(i64, (int64_t)u * emit->lanes);
        emit->first64[u] = LLVMBuildNUWAdd(b, first, offset, "first");
        emit->first32[u] = LLVMBuildTrunc(b, emit->first64[u], emit->lower->i32, "");
    }
}

static LLVMValueRef alive_at(struct block_emit *emit, unsigned vector)
{
    LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
    LLVMValueRef index = LLVMBuildUDiv(emit->builder, emit->first64[vector],
                                       block_int(emit->lower->i64, emit->lanes), "");
    return LLVMBuildInBoundsGEP2(emit->builder, i16, emit->alive, &index, 1, "");
}

/* No chunk has lanes that are no threads, or have ended. */
static bool is_always_whole(const struct entry *entry)
{
    const struct block_emit *emit = &entry->emit;
    const struct block_size *size = emit->kernel->size;
    return size != NULL && !entry->needs_alive &&
           size->x * size->y * size->z % (emit->lanes * emit->vectors) == 0;
}

/* The lanes that are threads of the block, and have not ended. */
static void make_mask(struct entry *entry, const struct region *region, LLVMValueRef *mask)
{
    struct block_emit *emit = &entry->emit;
    LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
    for (unsigned u = 0; u < emit->vectors; u++) {
        if (is_always_whole(entry)) {
            mask[u] = emit->full;
        } else if (!entry->needs_alive || region->entry == 0) {
            LLVMValueRef threads = LLVMBuildAdd(emit->builder, block_splat(emit, emit->first32[u]),
                                                block_steps(emit, emit->lower->i32, 1), "");
            mask[u] = LLVMBuildICmp(emit->builder, LLVMIntULT, threads,
                                    block_splat(emit, emit->thread_count), "");
        } else {
            LLVMValueRef bits = LLVMBuildLoad2(emit->builder, i16, alive_at(emit, u), "");
            if (emit->lanes < 16) {
                bits = LLVMBuildTrunc(emit->builder, bits, emit->bits_type, "");
            }
            mask[u] = LLVMBuildBitCast(emit->builder, bits, emit->mask_type, "");
        }
    }
    for (unsigned u = 0; entry->needs_alive && u < emit->vectors; u++) {
        LLVMBuildStore(emit->builder, block_int(i16, 0), alive_at(emit, u));
    }
}

static void load_values(struct entry *entry, const struct region *region, bool per_block)
{
    struct block_emit *emit = &entry->emit;
    const struct block_kernel *kernel = emit->kernel;
    for (size_t v = 0; v < kernel->value_count; v++) {
        bool is_uniform = kernel->shapes[v].kind <= SHAPE_UNIFORM;
        if (region->live[v] && emit->has_slot[v] && is_uniform == per_block) {
            block_load_slot(emit, (int)v);
        }
    }
}

static void start_chunk(struct entry *entry, const struct region *region)
{
    struct block_emit *emit = &entry->emit;
    const struct block_kernel *kernel = emit->kernel;
    make_ids(emit);
    for (size_t v = 0; v < kernel->value_count; v++) {
        if (LLVMIsAAllocaInst(kernel->values[v]) != NULL) {
            make_local(emit, (int)v);
        }
    }
    load_values(entry, region, false);
    for (size_t v = 0; v < kernel->value_count; v++) {
        if (region->live[v] && !emit->has_slot[v]) {
            block_recompute(emit, kernel->values[v]);
        }
    }
}

static void emit_version(struct entry *entry, const struct region *region,
                         const struct block_graph *graph, const LLVMValueRef *mask)
{
    struct block_emit *emit = &entry->emit;
    size_t nodes = emit->kernel->node_count, values = emit->kernel->value_count;
    struct block_value *kept = emit->values;
    emit->values = arena_alloc((values + 1) * sizeof *emit->values);
    memcpy(emit->values, kept, values * sizeof *kept);
    emit->graph = graph;
    emit->edges = arena_alloc(nodes * BLOCK_NEXT * sizeof *emit->edges);
    emit->masks = arena_alloc(nodes * sizeof *emit->masks);
    emit->has_mask = arena_alloc(nodes);
    emit->is_done = arena_alloc(nodes);
    emit->stop = -1;
    emit->is_mixed = region->mixed;
    for (unsigned u = 0; u < emit->vectors; u++) {
        emit->masks[region->entry][u] = mask[u];
    }
    emit->has_mask[region->entry] = true;
    for (size_t v = 0; v < values; v++) {
        if (region->mixed[v] && emit->values[v].is_set) {
            block_save_mixed(emit, (int)v, true);
        }
    }
    bool *set = arena_alloc(nodes);
    for (size_t i = 0; i < graph->count; i++) {
        set[graph->order[i]] = true;
    }
    block_nodes(emit, set, -1);
    emit->values = kept;
    emit->is_mixed = NULL;
    emit->mask = NULL;
}

/* ---- one loop for chunks of all kinds ---- */

/* Where threads ended early, where a chunk that starts again must find its values as they were,
 * or where each chunk's way will be known when the loop unrolls. */
static void emit_chunk_by_mask(struct entry *entry, const struct region *region,
                               LLVMBasicBlockRef latch)
{
    struct block_emit *emit = &entry->emit;
    LLVMValueRef mask[BLOCK_MOST_VECTORS], full[BLOCK_MOST_VECTORS];
    LLVMBasicBlockRef fast = block_new(emit, "fast"), slow = block_new(emit, "slow");
    LLVMBasicBlockRef some = block_new(emit, "some");
    make_mask(entry, region, mask);
    emit->mask = block_is_full(emit, mask) ? NULL : mask;
    start_chunk(entry, region);
    emit->mask = NULL;
    LLVMBuildCondBr(emit->builder, block_all(emit, mask), fast, some);
    block_at(emit, some);
    LLVMBuildCondBr(emit->builder, block_any(emit, mask), slow, latch);
    for (unsigned u = 0; u < emit->vectors; u++) {
        full[u] = emit->full;
    }
    emit->bail = slow;
    block_at(emit, fast);
    emit_version(entry, region, region->fast, full);
    LLVMBuildBr(emit->builder, latch);
    block_at(emit, slow);
    if (emit->failure == NULL) {
        emit_version(entry, region, region->graph, mask);
    }
    LLVMBuildBr(emit->builder, latch);
}

/* ---- loops that are to be straight code ---- */

static unsigned count_instructions(LLVMBasicBlockRef from)
{
    unsigned count = 0;
    for (LLVMBasicBlockRef block = from; block != NULL; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            count++;
        }
    }
    return count;
}

/* The loop that the branch closes shall be unrolled. */
static void ask_to_unroll(struct block_emit *emit, LLVMValueRef branch)
{
    block_mark_loop(emit, branch, "llvm.loop.unroll.full");
}

/* A uniform value that doubles or halves from turn to turn. */
static bool is_scaled_phi(const struct block_kernel *kernel, LLVMValueRef phi)
{
    if (LLVMIsAPHINode(phi) == NULL || block_shape_of(kernel, phi).kind > SHAPE_UNIFORM) {
        return false;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        LLVMOpcode opcode =
            LLVMIsAInstruction(next) == NULL ? LLVMPHI : LLVMGetInstructionOpcode(next);
        bool scales = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr ||
                      opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMMul;
        if (scales && LLVMGetOperand(next, 0) == phi &&
            LLVMIsAConstantInt(LLVMGetOperand(next, 1)) != NULL) {
            return true;
        }
    }
    return false;
}

/* Trees and scans: a few turns, in each of which other lanes are at work.  For a known size
 * their masks become constants, and vectors without a lane vanish. */
static bool has_short_loop(const struct block_kernel *kernel)
{
    bool found = false;
    for (size_t i = 0; kernel->size != NULL && i < kernel->value_count && !found; i++) {
        found = kernel->node_of[i] >= 0 && is_scaled_phi(kernel, kernel->values[i]);
    }
    return found;
}

static bool is_short_loop(const struct entry *entry)
{
    LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(entry->emit.function);
    return has_short_loop(entry->emit.kernel) && count_instructions(first) <= MOST_OF_SHORT_LOOPS;
}

/* To the region that lanes wait for; all wait for the same. */
static void go_on(struct entry *entry, const struct region *region)
{
    struct block_emit *emit = &entry->emit;
    const struct block_graph *graph = region->graph;
    bool *reached = arena_alloc(entry->region_count + 1);
    size_t count = 0, last = 0;
    bool ends = false;
    for (size_t i = 0; i < graph->count; i++) {
        const struct block_node *node = &emit->kernel->nodes[graph->order[i]];
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
            LLVMBuildICmp(emit->builder, LLVMIntEQ, next, block_int(i32, (int64_t)last), "");
        LLVMValueRef branch =
            LLVMBuildCondBr(emit->builder, is, entry->regions[last].block, entry->done);
        if (&entry->regions[last] <= region && is_short_loop(entry)) {
            ask_to_unroll(emit, branch);
        }
        return;
    }
    LLVMValueRef choice = LLVMBuildSwitch(emit->builder, next, entry->done, (unsigned)count);
    for (size_t r = 0; r < entry->region_count; r++) {
        if (reached[r]) {
            LLVMAddCase(choice, block_int(i32, (int64_t)r), entry->regions[r].block);
        }
    }
}

/* What the barrier before the region says, for those behind it. */
static void end_vote(struct entry *entry, const struct region *region)
{
    struct block_emit *emit = &entry->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef barrier = region->entry == 0 ? NULL : emit->kernel->nodes[region->entry - 1].last;
    enum block_vote what = barrier == NULL ? VOTE_NONE : block_vote_of(barrier);
    int number = barrier == NULL ? -1 : block_number(emit->kernel, barrier);
    if (what != VOTE_NONE && emit->has_slot[number]) {
        LLVMValueRef said = LLVMBuildLoad2(b, i32, emit->yes, "");
        if (what != VOTE_COUNT) {
            LLVMValueRef other =
                what == VOTE_OR ? block_int(i32, 0) : LLVMBuildLoad2(b, i32, emit->votes, "");
            LLVMIntPredicate how = what == VOTE_OR ? LLVMIntNE : LLVMIntEQ;
            said = LLVMBuildZExt(b, LLVMBuildICmp(b, how, said, other, ""), i32, "");
        }
        LLVMBuildStore(b, said, emit->slots[number]);
    }
    LLVMBuildStore(b, block_int(i32, 0), emit->yes);
    LLVMBuildStore(b, block_int(i32, 0), emit->votes);
}

/* ---- loops over chunks ---- */

struct chunks {
    LLVMValueRef chunk; /* i64 */
    LLVMBasicBlockRef head, latch;
};

/* Ends the block at hand; the loop's body starts. */
static struct chunks open_chunks(struct block_emit *emit, LLVMValueRef first)
{
    LLVMBasicBlockRef before = block_here(emit);
    struct chunks made = {.head = block_new(emit, "chunk"), .latch = block_new(emit, "chunk.next")};
    LLVMBuildBr(emit->builder, made.head);
    block_at(emit, made.head);
    made.chunk = LLVMBuildPhi(emit->builder, emit->lower->i64, "chunk");
    LLVMAddIncoming(made.chunk, &first, &before, 1);
    number_threads(emit, made.chunk);
    return made;
}

/* The body has led to the latch. */
static LLVMValueRef close_chunks(struct block_emit *emit, const struct chunks *chunks,
                                 LLVMValueRef limit, LLVMBasicBlockRef after)
{
    block_at(emit, chunks->latch);
    LLVMValueRef one = block_int(emit->lower->i64, 1);
    LLVMValueRef next = LLVMBuildNUWAdd(emit->builder, chunks->chunk, one, "");
    LLVMBasicBlockRef latch = chunks->latch;
    LLVMAddIncoming(chunks->chunk, &next, &latch, 1);
    LLVMValueRef more = LLVMBuildICmp(emit->builder, LLVMIntULT, next, limit, "");
    LLVMValueRef branch = LLVMBuildCondBr(emit->builder, more, chunks->head, after);
    block_at(emit, after);
    return branch;
}

static LLVMValueRef count_chunks(struct block_emit *emit, LLVMValueRef threads)
{
    int64_t size = (int64_t)emit->lanes * emit->vectors;
    LLVMValueRef count =
        LLVMBuildUDiv(emit->builder, threads, block_int(emit->lower->i32, size), "");
    return LLVMBuildZExt(emit->builder, count, emit->lower->i64, "");
}

/* Straight code for all chunks pays where it is short, or becomes short; not around a loop, unless
 * what lives across barriers comes to lie in registers so. */
static void unroll_if_small(struct block_emit *emit, const struct region *region,
                            LLVMValueRef branch, LLVMValueRef count, LLVMBasicBlockRef from)
{
    unsigned most = has_short_loop(emit->kernel) ? MOST_OF_SHORT_LOOPS : MOST_UNROLLED;
    bool has_loop = region->graph->loop_count != 0 && emit->kernel->barrier_count == 0;
    if (LLVMIsAConstantInt(count) != NULL && LLVMConstIntGetZExtValue(count) > 1 && !has_loop &&
        LLVMConstIntGetZExtValue(count) * count_instructions(from) <= most) {
        ask_to_unroll(emit, branch);
    }
}

static void emit_mixed_chunks(struct entry *entry, const struct region *region)
{
    struct block_emit *emit = &entry->emit;
    LLVMValueRef all = count_chunks(emit, emit->padded_count);
    struct chunks chunks = open_chunks(emit, block_int(emit->lower->i64, 0));
    emit_chunk_by_mask(entry, region, chunks.latch);
    LLVMValueRef branch = close_chunks(emit, &chunks, all, block_new(emit, "chunks"));
    unroll_if_small(emit, region, branch, all, chunks.head);
}

/* The second loop's beginning: where it starts hangs on where control comes from. */
struct rest {
    LLVMBasicBlockRef block; /* NULL: there is none */
    LLVMValueRef start;      /* a phi of chunks */
};

static struct rest make_rest(struct block_emit *emit)
{
    LLVMBasicBlockRef here = block_here(emit);
    struct rest rest = {.block = block_new(emit, "rest")};
    block_at(emit, rest.block);
    rest.start = LLVMBuildPhi(emit->builder, emit->lower->i64, "start");
    block_at(emit, here);
    return rest;
}

/* Control may go there from here, to start with the chunk. */
static void enter_rest(struct block_emit *emit, const struct rest *rest, LLVMValueRef chunk)
{
    LLVMBasicBlockRef from = block_here(emit);
    if (rest->block != NULL) {
        LLVMAddIncoming(rest->start, &chunk, &from, 1);
    }
}

static void emit_fast_chunks(struct entry *entry, const struct region *region, LLVMValueRef whole,
                             const struct rest *rest)
{
    struct block_emit *emit = &entry->emit;
    LLVMValueRef full[BLOCK_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        full[u] = emit->full;
    }
    struct chunks chunks = open_chunks(emit, block_int(emit->lower->i64, 0));
    start_chunk(entry, region);
    emit->bail = rest->block == NULL ? NULL : block_new(emit, "bail");
    emit_version(entry, region, region->fast, full);
    LLVMBuildBr(emit->builder, chunks.latch);
    if (emit->bail != NULL) {
        block_at(emit, emit->bail);
        enter_rest(emit, rest, chunks.chunk);
        LLVMBuildBr(emit->builder, rest->block);
    }
    LLVMValueRef branch = close_chunks(emit, &chunks, whole, block_new(emit, "whole"));
    unroll_if_small(emit, region, branch, whole, chunks.head);
}

/* Vectors side by side under masks: as few as warps allow, since such chunks are few, and their
 * code is the longest.  Where masks become constants, it becomes short. */
static unsigned slow_vectors(const struct block_emit *emit)
{
    unsigned least = emit->kernel->has_warps ? BLOCK_WARP / emit->lanes : 1;
    return has_short_loop(emit->kernel) ? emit->vectors : least;
}

static void emit_slow_chunks(struct entry *entry, const struct region *region, LLVMValueRef start)
{
    struct block_emit *emit = &entry->emit;
    LLVMValueRef mask[BLOCK_MOST_VECTORS];
    unsigned usual = emit->vectors;
    emit->vectors = slow_vectors(emit);
    LLVMValueRef parts = block_int(LLVMTypeOf(start), usual / emit->vectors);
    start = LLVMBuildNUWMul(emit->builder, start, parts, "");
    LLVMValueRef padded = round_up(emit, emit->thread_count, emit->lanes * emit->vectors);
    LLVMValueRef all = count_chunks(emit, padded);
    struct chunks chunks = open_chunks(emit, start);
    make_mask(entry, region, mask);
    emit->mask = block_is_full(emit, mask) ? NULL : mask;
    start_chunk(entry, region);
    emit->mask = NULL;
    emit_version(entry, region, region->graph, mask);
    LLVMBuildBr(emit->builder, chunks.latch);
    close_chunks(emit, &chunks, all, block_new(emit, "rested"));
    emit->vectors = usual;
}

/* The first loop, if any chunk may be whole; from its end to the rest or behind it. */
static void start_fast_chunks(struct entry *entry, const struct region *region,
                              const struct rest *rest, LLVMBasicBlockRef after)
{
    struct block_emit *emit = &entry->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef whole = count_chunks(emit, emit->thread_count);
    LLVMValueRef all = count_chunks(emit, emit->padded_count), zero = block_int(LLVMTypeOf(all), 0);
    if (LLVMIsNull(whole)) {
        enter_rest(emit, rest, zero);
        LLVMBuildBr(b, rest->block);
        return;
    }
    if (rest->block == NULL) {
        emit_fast_chunks(entry, region, whole, rest);
        LLVMBuildBr(b, after);
        return;
    }
    LLVMBasicBlockRef fast = block_new(emit, "all");
    enter_rest(emit, rest, zero);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, whole, zero, ""), fast, rest->block);
    block_at(emit, fast);
    emit_fast_chunks(entry, region, whole, rest);
    enter_rest(emit, rest, whole);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, whole, all, ""), after, rest->block);
}

static void emit_chunks(struct entry *entry, const struct region *region)
{
    struct block_emit *emit = &entry->emit;
    struct rest rest = {.block = NULL};
    size_t size = emit->kernel->value_count * sizeof *emit->values;
    struct block_value *uniform = arena_alloc(size + 1);
    memcpy(uniform, emit->values, size);
    if (!is_always_whole(entry) || region->fast != region->graph) {
        rest = make_rest(emit);
    }
    LLVMBasicBlockRef after = block_new(emit, "chunks");
    start_fast_chunks(entry, region, &rest, after);
    if (rest.block != NULL && emit->failure == NULL) {
        memcpy(emit->values, uniform, size);
        block_at(emit, rest.block);
        emit_slow_chunks(entry, region, rest.start);
        LLVMBuildBr(emit->builder, after);
    }
    block_at(emit, after);
}

/* A chunk that starts again in the second loop loads what lives across barriers once more.  That
 * must not be what the version without masks has made of it meanwhile. */
static bool changes_slots(const struct entry *entry, const struct region *region)
{
    const struct block_kernel *kernel = entry->emit.kernel;
    bool found = false;
    for (size_t v = 0; region->fast != region->graph && v < kernel->value_count; v++) {
        bool is_inside =
            kernel->node_of[v] >= 0 && region->graph->position[kernel->node_of[v]] >= 0;
        found |= region->live[v] && entry->emit.has_slot[v] && is_inside;
    }
    return found;
}

static void emit_region(struct entry *entry, struct region *region)
{
    struct block_emit *emit = &entry->emit;
    size_t values = emit->kernel->value_count;
    emit->values = arena_alloc((values + 1) * sizeof *emit->values);
    block_at(emit, region->block);
    emit->values[0] = block_uniform(emit->params);
    end_vote(entry, region);
    load_values(entry, region, true);
    LLVMBuildStore(emit->builder, block_int(emit->lower->i32, -1), emit->next_region);
    bool is_tree = region->fast != region->graph && has_short_loop(emit->kernel);
    if (entry->needs_alive || is_tree || changes_slots(entry, region)) {
        emit_mixed_chunks(entry, region);
    } else {
        emit_chunks(entry, region);
    }
    go_on(entry, region);
}

static void emit_function(struct entry *entry)
{
    struct block_emit *emit = &entry->emit;
    make_memory(entry);
    for (size_t r = 0; r < entry->region_count; r++) {
        entry->regions[r].block = block_new(emit, "region");
    }
    entry->done = block_new(emit, "done");
    LLVMBuildBr(emit->builder, entry->regions[0].block);
    for (size_t r = 0; r < entry->region_count && emit->failure == NULL; r++) {
        emit_region(entry, &entry->regions[r]);
    }
    block_at(emit, entry->done);
    block_tell_errors(emit);
    LLVMBuildRetVoid(emit->builder);
}

static void init_emit(struct block_emit *emit, struct block_kernel *kernel,
                      const struct block_options *options)
{
    struct lower_context *lower = kernel->lower;
    *emit = (struct block_emit){
        .lower = lower,
        .kernel = kernel,
        .lanes = options->lanes,
        .vectors = options->vectors,
        .most_vectors = options->vectors,
        .mask_type = LLVMVectorType(lower->i1, options->lanes),
        .bits_type = LLVMIntTypeInContext(lower->llvm, options->lanes),
        .stop = -1,
    };
    emit->full = LLVMConstAllOnes(emit->mask_type);
    emit->none = LLVMConstNull(emit->mask_type);
}

static size_t count_staying(const struct block_kernel *kernel)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->node_count; i++) {
        count += kernel->stays[i];
    }
    return count;
}

static struct block_entry try_entry(struct block_kernel *kernel,
                                    const struct block_options *options)
{
    struct entry entry = {0};
    struct block_emit *emit = &entry.emit;
    kernel->lanes = options->lanes;
    init_emit(emit, kernel, options);
    struct block_entry made = {.refusal = prepare(&entry)};
    if (made.refusal != NULL) {
        return made;
    }
    create_function(&entry, options->prefix);
    emit_function(&entry);
    LLVMDisposeBuilder(emit->builder);
    LLVMDisposeBuilder(emit->allocas);
    made.refusal = emit->failure;
    made.function = emit->function;
    made.regions = (unsigned)entry.region_count;
    made.thread_bytes = emit->slot_bytes;
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
struct block_entry block_entry_emit(struct block_kernel *kernel,
                                    const struct block_options *options)
{
    struct block_entry made;
    size_t before;
    do {
        before = count_staying(kernel);
        made = try_entry(kernel, options);
    } while (made.function == NULL && count_staying(kernel) != before);
    return made;
}
