/* Shared variables become offsets into the block's slab.
 *
 * Each variable gets one offset, the same for all kernels that reach it through
 * the call graph: the end of the fullest of them.  Kernels that share nothing may
 * overlap, so none pays for another's variables.
 *
 * A function that other units may call, or that is called through a pointer, has
 * no known kernel: its variables go to the module's segment, beyond every kernel's
 * own part. */
#include "lower_pass.h"

#include "arena.h"

#include "abi/cdp_abi.h"

#include <llvm-c/Comdat.h>

enum { RED_ZONE = 32, SEGMENT_ALIGN = 16, SLAB_ALIGN = 128 };

struct usage {
    struct lower_graph graph;
    bool *is_kernel; /* or a thread entry */
    bool **users;    /* users[variable][function] */
    bool *touches;   /* the function uses some variable, itself or by calls */
};

static void find_users(struct lower_context *lower, struct usage *usage)
{
    usage->users = arena_alloc(lower->shared_count * sizeof *usage->users);
    usage->touches = arena_alloc((usage->graph.count + 1) * sizeof(bool));
    for (size_t v = 0; v < lower->shared_count; v++) {
        usage->users[v] = arena_alloc((usage->graph.count + 1) * sizeof(bool));
        size_t count;
        struct lower_use *uses = lower_uses(lower->shared[v].variable, &count);
        for (size_t i = 0; i < count; i++) {
            unsigned number;
            if (LLVMIsAInstruction(uses[i].user) != NULL &&
                lower_map_find(&usage->graph.numbers, lower_function_of(uses[i].user), &number)) {
                usage->users[v][number] = true;
                usage->touches[number] |= lower->shared[v].place != LOWER_SHARED_DYNAMIC;
            }
        }
    }
}

static bool calls_touching(const struct usage *usage, unsigned number)
{
    for (size_t i = 0; i < usage->graph.callee_count[number]; i++) {
        if (usage->touches[usage->graph.callees[number][i]]) {
            return true;
        }
    }
    return false;
}

static void spread_to_callers(struct usage *usage)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < usage->graph.count; i++) {
            if (!usage->touches[i] && calls_touching(usage, i)) {
                usage->touches[i] = changed = true;
            }
        }
    }
}

static void mark_kernels(const struct lower_context *lower, struct usage *usage)
{
    usage->is_kernel = arena_alloc((usage->graph.count + 1) * sizeof(bool));
    for (size_t i = 0; i < lower->kernel_count; i++) {
        unsigned number;
        if (!lower->kernels[i].is_defined) {
            continue;
        }
        if (lower_map_find(&usage->graph.numbers, lower->kernels[i].function, &number)) {
            usage->is_kernel[number] = true;
        }
        if (lower_map_find(&usage->graph.numbers, lower->kernels[i].entry, &number)) {
            usage->is_kernel[number] = true;
        }
    }
}

/* Each unit has its own copy of an inline function, and so can have its own of the
 * function's variables. */
static void make_inlines_internal(const struct usage *usage)
{
    for (unsigned i = 0; i < usage->graph.count; i++) {
        LLVMValueRef function = usage->graph.functions[i];
        LLVMLinkage linkage = LLVMGetLinkage(function);
        bool is_inline = linkage == LLVMLinkOnceODRLinkage || linkage == LLVMLinkOnceAnyLinkage;
        if (usage->touches[i] && is_inline && !usage->is_kernel[i]) {
            LLVMSetVisibility(function, LLVMDefaultVisibility);
            LLVMSetLinkage(function, LLVMInternalLinkage);
            LLVMSetComdat(function, NULL);
        }
    }
}

static bool is_open(const struct usage *usage, unsigned number)
{
    LLVMValueRef function = usage->graph.functions[number];
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    return usage->touches[number] && !usage->is_kernel[number] && !LLVMIsDeclaration(function) &&
           (!is_local || usage->graph.is_address_taken[number]);
}

static bool is_reached(const struct usage *usage, size_t variable, const bool *reached)
{
    for (unsigned i = 0; i < usage->graph.count; i++) {
        if (reached[i] && usage->users[variable][i]) {
            return true;
        }
    }
    return false;
}

static void place_exported(struct lower_context *lower, const struct usage *usage)
{
    bool *reached = arena_alloc((usage->graph.count + 1) * sizeof(bool));
    for (unsigned i = 0; i < usage->graph.count; i++) {
        if (is_open(usage, i)) {
            lower_graph_reach(&usage->graph, i, reached);
        }
    }
    for (size_t v = 0; v < lower->shared_count; v++) {
        struct lower_shared *shared = &lower->shared[v];
        if (shared->place != LOWER_SHARED_BLOCK || !is_reached(usage, v, reached)) {
            continue;
        }
        shared->place = LOWER_SHARED_EXPORTED;
        shared->offset = lower_align_up(lower->segment_size, shared->align);
        lower->segment_size = shared->offset + shared->size;
    }
    lower->segment_size = lower_align_up(lower->segment_size, SEGMENT_ALIGN);
}

static void find_kernel_variables(struct lower_context *lower, const struct usage *usage)
{
    for (size_t k = 0; k < lower->kernel_count; k++) {
        struct lower_kernel *kernel = &lower->kernels[k];
        unsigned number;
        if (!kernel->is_defined ||
            !lower_map_find(&usage->graph.numbers, kernel->function, &number)) {
            continue;
        }
        bool *reached = arena_alloc((usage->graph.count + 1) * sizeof(bool));
        lower_graph_reach(&usage->graph, number, reached);
        unsigned *found = NULL;
        size_t count = 0;
        for (unsigned v = 0; v < lower->shared_count; v++) {
            if (lower->shared[v].place == LOWER_SHARED_BLOCK && is_reached(usage, v, reached)) {
                LOWER_PUSH(found, count, v);
            }
        }
        kernel->shared = found;
        kernel->shared_count = (unsigned)count;
    }
}

static bool kernel_has(const struct lower_kernel *kernel, unsigned variable)
{
    for (unsigned i = 0; i < kernel->shared_count; i++) {
        if (kernel->shared[i] == variable) {
            return true;
        }
    }
    return false;
}

/* Gives each variable its offset and each kernel its extent. */
static void lay_out(struct lower_context *lower, uint64_t red_zone)
{
    for (size_t k = 0; k < lower->kernel_count; k++) {
        lower->kernels[k].shared_extent = lower->kernels[k].shared_count != 0 ? red_zone : 0;
    }
    for (unsigned v = 0; v < lower->shared_count; v++) {
        struct lower_shared *shared = &lower->shared[v];
        if (shared->place != LOWER_SHARED_BLOCK) {
            continue;
        }
        uint64_t offset = 0;
        for (size_t k = 0; k < lower->kernel_count; k++) {
            const struct lower_kernel *kernel = &lower->kernels[k];
            if (kernel_has(kernel, v) && kernel->shared_extent > offset) {
                offset = kernel->shared_extent;
            }
        }
        shared->offset = lower_align_up(offset, shared->align);
        for (size_t k = 0; k < lower->kernel_count; k++) {
            if (kernel_has(&lower->kernels[k], v)) {
                lower->kernels[k].shared_extent = shared->offset + shared->size + red_zone;
            }
        }
    }
}

/* What the program is told is the size without red zones. */
static void lay_out_all(struct lower_context *lower)
{
    lay_out(lower, 0);
    for (size_t k = 0; k < lower->kernel_count; k++) {
        lower->kernels[k].shared_size = lower->kernels[k].shared_extent;
    }
    if (lower->options->sanitize_address) {
        lay_out(lower, RED_ZONE);
    }
}

static LLVMValueRef segment(struct lower_context *lower)
{
    LLVMValueRef global = LLVMGetNamedGlobal(lower->module, "cdp.segment");
    if (global != NULL) {
        return global;
    }
    LLVMTypeRef fields[] = {lower->i64, lower->i32, lower->i32};
    LLVMTypeRef type = LLVMStructTypeInContext(lower->llvm, fields, 3, 0);
    global = LLVMAddGlobal(lower->module, type, "cdp.segment");
    LLVMValueRef values[] = {
        LLVMConstInt(lower->i64, 0, 0),
        LLVMConstInt(lower->i32, lower->segment_size, 0),
        LLVMConstInt(lower->i32, 0, 0),
    };
    LLVMSetInitializer(global, LLVMConstNamedStruct(type, values, 3));
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetSection(global, "cdp_shared");
    LLVMSetAlignment(global, 16);
    /* The runtime writes the base: its initial zero means nothing. */
    LLVMSetExternallyInitialized(global, 1);
    LOWER_PUSH(lower->retained, lower->retained_count, global);
    return global;
}

static LLVMValueRef load_block_pointer(struct lower_context *lower, LLVMBuilderRef builder,
                                       uint64_t offset)
{
    LLVMValueRef block = lower_block(lower, builder);
    LLVMValueRef field = lower_field(lower, builder, block, offset, "");
    return lower_load_const(lower, builder, lower->ptr, field, "cdp.slab");
}

static LLVMValueRef address_in(struct lower_context *lower, const struct lower_shared *shared,
                               LLVMValueRef function)
{
    LLVMBuilderRef builder = lower_builder_at_entry(lower, function);
    LLVMValueRef address;
    if (shared->place == LOWER_SHARED_DYNAMIC) {
        address =
            load_block_pointer(lower, builder, offsetof(struct cdp_abi_block, dynamic_shared));
    } else {
        LLVMValueRef slab =
            load_block_pointer(lower, builder, offsetof(struct cdp_abi_block, shared));
        if (shared->place == LOWER_SHARED_EXPORTED) {
            LLVMValueRef base = lower_load_const(lower, builder, lower->i64, segment(lower), "");
            slab = LLVMBuildInBoundsGEP2(builder, lower->i8, slab, &base, 1, "");
        }
        address = lower_field(lower, builder, slab, shared->offset, shared->name);
    }
    LLVMDisposeBuilder(builder);
    return address;
}

static void replace_uses(struct lower_context *lower, struct lower_shared *shared)
{
    size_t count;
    struct lower_use *uses = lower_uses(shared->variable, &count);
    struct lower_map numbers = {0};
    LLVMValueRef *addresses = NULL;
    size_t address_count = 0;
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef user = uses[i].user;
        unsigned number;
        if (LLVMIsAInstruction(user) == NULL) {
            continue;
        }
        LLVMValueRef function = lower_function_of(user);
        if (!lower_map_find(&numbers, function, &number)) {
            number = (unsigned)address_count;
            LOWER_PUSH(addresses, address_count, address_in(lower, shared, function));
            lower_map_put(&numbers, function, number);
        }
        LLVMSetOperand(user, uses[i].operand, addresses[number]);
    }
}

static void remove_variable(struct lower_context *lower, struct lower_shared *shared)
{
    replace_uses(lower, shared);
    LLVMReplaceAllUsesWith(shared->variable, LLVMGetUndef(lower->ptr));
    LLVMDeleteGlobal(shared->variable);
    shared->variable = NULL;
}

void lower_shared(struct lower_context *lower)
{
    if (lower->shared_count == 0) {
        return;
    }
    for (size_t v = 0; v < lower->shared_count; v++) {
        struct lower_shared *shared = &lower->shared[v];
        if (shared->align > SLAB_ALIGN) {
            lower_error(
                lower, shared->variable,
                "the shared variable '%s' is aligned to %llu bytes; at most %d are possible",
                shared->name, (unsigned long long)shared->align, SLAB_ALIGN);
        }
        lower_expand_uses(lower, shared->variable);
    }
    struct usage usage = {0};
    lower_graph_build(lower, &usage.graph);
    mark_kernels(lower, &usage);
    find_users(lower, &usage);
    spread_to_callers(&usage);
    make_inlines_internal(&usage);
    place_exported(lower, &usage);
    find_kernel_variables(lower, &usage);
    lay_out_all(lower);
    for (size_t v = 0; v < lower->shared_count; v++) {
        remove_variable(lower, &lower->shared[v]);
    }
}
