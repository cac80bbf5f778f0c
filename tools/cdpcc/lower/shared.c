/* Shared variables become offsets into the block's slab.
 *
 * Each variable gets one offset, the same for all kernels that reach it through the call graph: the
 * end of the largest of these kernels. Kernels without common variables may overlap, so no kernel
 * pays for another's variables.
 *
 * If other units may call a function, or it is called through a pointer, its kernels are unknown.
 * Its variables are in the module's segment, beyond the static shared memory of every kernel.
 *
 * Source:
 *
 *     __shared__ float tile[256];
 *     __global__ void k() { tile[threadIdx.x] = 0; }
 *
 * Before and after:
 *
 *     store float 0.0, ptr (getelementptr of @tile, ...)
 *
 *     %cdp.self = load ptr, ptr @cdp_abi_self
 *     %cdp.block = load ptr, ptr (a field of the thread's context)
 *     %cdp.slab = load ptr, ptr (a field of the block)
 *     %tile = getelementptr inbounds i8, ptr %cdp.slab, i64 0
 *     store float 0.0, ptr (getelementptr of %tile, ...)
 *
 * Alias analysis cannot tell that two variables do not overlap, once they are parts of one piece of
 * memory.  The vectorizer needs this (simd/analysis/clobber.c).  So if there may be block entries,
 * each address goes through a call, until functions are inlined:
 *
 *     %tile = call ptr @cdp.shared.address(ptr (getelementptr of %cdp.slab, ...), i64 size, i32 0)
 *
 * Then lower_mark_shared() gives each access that the address leads to the scope of its variable,
 * also those through a parameter of an inlined function or a member of a local structure.
 *
 * A block's slab, from its start:
 *
 *     the static variables of the kernel | the segments of all modules | dynamic shared memory
 *
 * Steps: find which functions use which variable, directly and by calls; move the variables that
 * unknown kernels may reach to the segment; give each remaining variable an offset; replace the
 * variables by addresses, which are computed once at the start of each function.
 *
 * The pass runs after entry, so that kernels are their entries, and before the vectorizer. After it
 * the module has no shared variable. With AddressSanitizer there is a red zone before and after
 * each variable; the size that the program sees does not include these. */
#include "ir/call_graph.h"
#include "ir/constant_uses.h"
#include "ir/report.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "lower/table.h"
#include "lower/view.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"
#include "abi/cdp_tables.h"

#include <llvm-c/Comdat.h>
#include <string.h>

/* In bytes. Dynamic shared memory is aligned to DYNAMIC_ALIGN if the static memory before it has
 * any size, and to CDP_ABI_SHARED_ALIGN if that is a multiple of it. */
enum { RED_ZONE = 32, SEGMENT_ALIGN = 16, DYNAMIC_ALIGN = 128 };

/* Who uses what: arrays indexed by the number of a function in the graph. While the pass runs. */
struct usage {
    struct lower_graph graph;
    bool *is_kernel;
    bool **users;  /* users[variable][function] */
    bool *touches; /* the function uses some variable, itself or by calls */
};

/* The arguments of add_user for one variable. touches is false for dynamic shared memory, which
 * has no offset and so needs no known callers. */
struct finding {
    struct usage *usage;
    bool *users;
    bool touches;
};

/* A function that names the variable, also through a constant expression. */
static void add_user(void *data, LLVMValueRef function)
{
    struct finding *finding = data;
    unsigned number;
    if (lower_map_find(&finding->usage->graph.numbers, function, &number)) {
        finding->users[number] = true;
        finding->usage->touches[number] |= finding->touches;
    }
}

static void find_users(struct lower_context *lower, struct usage *usage)
{
    usage->users = arena_alloc(lower->shared_count * sizeof *usage->users);
    usage->touches = arena_alloc((usage->graph.count + 1) * sizeof(bool));
    for (size_t v = 0; v < lower->shared_count; v++) {
        usage->users[v] = arena_alloc((usage->graph.count + 1) * sizeof(bool));
        struct finding finding = {
            .usage = usage,
            .users = usage->users[v],
            .touches = lower->shared[v].place != LOWER_SHARED_DYNAMIC,
        };
        lower_using_functions(lower->shared[v].variable, add_user, &finding);
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

/* To a fixed point, because the graph may have cycles. */
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

/* Kernels are their entries here. */
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
    }
}

/* Each unit has its own copy of an inline function, so each copy can have its own variables. */
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

/* Whether kernels of other units, or unknown ones of this unit, may run the function. */
static bool is_open(const struct usage *usage, unsigned number)
{
    LLVMValueRef function = usage->graph.functions[number];
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    return usage->touches[number] && !usage->is_kernel[number] && !LLVMIsDeclaration(function) &&
           (!is_local || usage->graph.is_address_taken[number]);
}

/* Whether some of the reached functions names the variable. */
static bool is_reached(const struct usage *usage, size_t variable, const bool *reached)
{
    for (unsigned i = 0; i < usage->graph.count; i++) {
        if (reached[i] && usage->users[variable][i]) {
            return true;
        }
    }
    return false;
}

/* A variable that an open function reaches gets its place in the segment, in the order of the
 * source. */
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

/* The variables with offsets that each kernel reaches through calls. */
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
        kernel->shared.variables = found;
        kernel->shared.count = (unsigned)count;
    }
}

static bool kernel_has(const struct lower_kernel *kernel, unsigned variable)
{
    for (unsigned i = 0; i < kernel->shared.count; i++) {
        if (kernel->shared.variables[i] == variable) {
            return true;
        }
    }
    return false;
}

/* Computes each variable's offset and each kernel's extent. */
static void lay_out(struct lower_context *lower, uint64_t red_zone)
{
    for (size_t k = 0; k < lower->kernel_count; k++) {
        lower->kernels[k].shared.extent = lower->kernels[k].shared.count != 0 ? red_zone : 0;
    }
    for (unsigned v = 0; v < lower->shared_count; v++) {
        struct lower_shared *shared = &lower->shared[v];
        if (shared->place != LOWER_SHARED_BLOCK) {
            continue;
        }
        uint64_t offset = 0;
        for (size_t k = 0; k < lower->kernel_count; k++) {
            const struct lower_kernel *kernel = &lower->kernels[k];
            if (kernel_has(kernel, v) && kernel->shared.extent > offset) {
                offset = kernel->shared.extent;
            }
        }
        shared->offset = lower_align_up(offset, shared->align);
        for (size_t k = 0; k < lower->kernel_count; k++) {
            if (kernel_has(&lower->kernels[k], v)) {
                lower->kernels[k].shared.extent = shared->offset + shared->size + red_zone;
            }
        }
    }
}

/* The alignment that the extents need, because dynamic shared memory follows. */
static uint64_t align_of_extents(const struct lower_context *lower)
{
    for (size_t v = 0; v < lower->shared_count; v++) {
        const struct lower_shared *shared = &lower->shared[v];
        if (shared->place == LOWER_SHARED_DYNAMIC && shared->align > DYNAMIC_ALIGN) {
            return CDP_ABI_SHARED_ALIGN;
        }
    }
    return 1;
}

static void align_extents(struct lower_context *lower)
{
    uint64_t align = align_of_extents(lower);
    for (size_t k = 0; k < lower->kernel_count; k++) {
        struct lower_kernel *kernel = &lower->kernels[k];
        kernel->shared.extent = lower_align_up(kernel->shared.extent, align);
    }
}

/* The program sees the size without red zones. */
static void lay_out_all(struct lower_context *lower)
{
    lay_out(lower, 0);
    for (size_t k = 0; k < lower->kernel_count; k++) {
        lower->kernels[k].shared.size = lower->kernels[k].shared.extent;
    }
    if (lower->options->sanitize.address) {
        lay_out(lower, RED_ZONE);
    }
    align_extents(lower);
}

/* The segment's descriptor, created at the first request: a struct cdp_abi_shared_segment. Its
 * first field is the offset that the runtime chooses when the module is registered. */
static LLVMValueRef segment(struct lower_context *lower)
{
    LLVMValueRef global = LLVMGetNamedGlobal(lower->module, "cdp.segment");
    if (global != NULL) {
        return global;
    }
    unsigned *exported = arena_alloc((lower->shared_count + 1) * sizeof *exported), count = 0;
    for (unsigned v = 0; v < lower->shared_count; v++) {
        if (lower->shared[v].place == LOWER_SHARED_EXPORTED) {
            exported[count++] = v;
        }
    }
    LLVMTypeRef fields[] = {lower->types.i64, lower->types.i32, lower->types.i32, lower->types.ptr};
    LLVMTypeRef type = LLVMStructTypeInContext(lower->llvm, fields, 4, 0);
    global = LLVMAddGlobal(lower->module, type, "cdp.segment");
    LLVMValueRef values[] = {
        LLVMConstInt(lower->types.i64, 0, 0),
        LLVMConstInt(lower->types.i32, lower->segment_size, 0),
        LLVMConstInt(lower->types.i32, count, 0),
        lower_shared_table(lower, exported, count),
    };
    LLVMSetInitializer(global, LLVMConstNamedStruct(type, values, 4));
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetSection(global, "cdp_shared");
    LLVMSetAlignment(global, 8);
    /* The runtime writes the base, so its initial zero must not be used. */
    LLVMSetExternallyInitialized(global, 1);
    LOWER_PUSH(lower->retained.items, lower->retained.count, global);
    return global;
}

/* The values that a function needs to find its block's memory. They are computed once, at its
 * start; NULL until they are needed, except block. */
struct bases {
    LLVMValueRef block, slab, dynamic, segment;
};

/* The addresses that were created so far. The maps lead from a function to an index of the arrays.
 * made, address and address_count belong to the current variable only. */
struct addresses {
    struct lower_map numbers;
    struct bases *bases; /* one entry for each function that uses shared memory */
    size_t count;
    const struct lower_shared *shared; /* the current variable */
    struct lower_map made;             /* its address in each function */
    LLVMValueRef *address;
    size_t address_count;
};

/* Without a line: the address belongs to the function and not to a statement. */
static LLVMBuilderRef builder_after(struct lower_context *lower, LLVMValueRef value)
{
    LLVMBuilderRef builder = lower_builder_before(lower, LLVMGetNextInstruction(value));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    return builder;
}

/* The pointer is valid until the next call. */
static struct bases *bases_of(struct lower_context *lower, struct addresses *addresses,
                              LLVMValueRef function)
{
    unsigned number;
    if (!lower_map_find(&addresses->numbers, function, &number)) {
        number = (unsigned)addresses->count;
        LLVMBuilderRef builder = lower_builder_at_entry(lower, function);
        struct bases bases = {.block = lower_block(lower, builder)};
        LLVMDisposeBuilder(builder);
        LOWER_PUSH(addresses->bases, addresses->count, bases);
        lower_map_put(&addresses->numbers, function, number);
    }
    return &addresses->bases[number];
}

/* Loads a pointer from the block's context, just after the block itself is known. */
static LLVMValueRef block_pointer(struct lower_context *lower, LLVMValueRef block, uint64_t offset)
{
    LLVMBuilderRef builder = builder_after(lower, block);
    LLVMValueRef field = lower_field(lower, builder, block, offset, "");
    LLVMValueRef pointer = lower_load_const(lower, builder, lower->types.ptr, field, "cdp.slab");
    LLVMDisposeBuilder(builder);
    return pointer;
}

static LLVMValueRef slab_of(struct lower_context *lower, struct bases *bases)
{
    if (bases->slab == NULL) {
        bases->slab = block_pointer(lower, bases->block, offsetof(struct cdp_abi_block, shared));
    }
    return bases->slab;
}

static LLVMValueRef segment_of(struct lower_context *lower, struct bases *bases)
{
    if (bases->segment == NULL) {
        LLVMValueRef slab = slab_of(lower, bases);
        LLVMBuilderRef builder = builder_after(lower, slab);
        LLVMValueRef base = lower_load_const(lower, builder, lower->types.i64, segment(lower), "");
        bases->segment =
            LLVMBuildInBoundsGEP2(builder, lower->types.i8, slab, &base, 1, "cdp.segment");
        LLVMDisposeBuilder(builder);
    }
    return bases->segment;
}

static LLVMValueRef dynamic_of(struct lower_context *lower, struct bases *bases)
{
    if (bases->dynamic == NULL) {
        bases->dynamic =
            block_pointer(lower, bases->block, offsetof(struct cdp_abi_block, dynamic_shared));
    }
    return bases->dynamic;
}

/* The size of a variable in bytes, as i64; that of dynamic shared memory is the launch's. */
static LLVMValueRef size_of(struct lower_context *lower, LLVMBuilderRef builder,
                            const struct bases *bases, const struct lower_shared *shared)
{
    if (shared->place != LOWER_SHARED_DYNAMIC) {
        return LLVMConstInt(lower->types.i64, shared->size, 0);
    }
    LLVMValueRef field = lower_field(lower, builder, bases->block,
                                     offsetof(struct cdp_abi_block, dynamic_shared_size), "");
    LLVMValueRef size = lower_load_const(lower, builder, lower->types.i32, field, "");
    return LLVMBuildZExt(builder, size, lower->types.i64, "");
}

/* The number of the variable's alias scope. All names of dynamic shared memory have one scope,
 * since they are the same memory. */
static uint64_t scope_number(const struct lower_context *lower, const struct lower_shared *shared)
{
    const struct lower_shared *first = lower->shared;
    while (shared->place == LOWER_SHARED_DYNAMIC && first->place != LOWER_SHARED_DYNAMIC) {
        first++;
    }
    return (uint64_t)((shared->place == LOWER_SHARED_DYNAMIC ? first : shared) - lower->shared);
}

/* The address goes through a call, as long as the optimizer must not compute the address of one
 * variable from that of another: if there may be block entries, until accesses have scopes; in
 * checked builds and with AddressSanitizer, until accesses are instrumented. */
static LLVMValueRef keep_apart(struct lower_context *lower, const struct bases *bases,
                               const struct lower_shared *shared, LLVMValueRef address)
{
    const bool *checks = lower->options->checks.on;
    bool has_blocks = lower->options->block_entries;
    if (!checks[CHECK_MEMORY] && !checks[CHECK_RACE] && !has_blocks) { /* bounds; names */
        return address;
    }
    LLVMTypeRef parameters[] = {lower->types.ptr, lower->types.i64, lower->types.i32};
    LLVMTypeRef type = LLVMFunctionType(lower->types.ptr, parameters, 3, 0);
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, LOWER_SHARED_MARKER);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, LOWER_SHARED_MARKER, type);
        lower_add_attribute(lower, function, "nounwind");
        lower_add_attribute(lower, function, "willreturn");
        lower_add_memory_attribute(lower, function, LOWER_NO_MEMORY);
    }
    LLVMBuilderRef builder = builder_after(lower, address);
    LLVMValueRef arguments[] = {address, size_of(lower, builder, bases, shared),
                                LLVMConstInt(lower->types.i32, scope_number(lower, shared), 0)};
    LLVMValueRef call = LLVMBuildCall2(builder, type, function, arguments, 3, shared->name);
    LLVMDisposeBuilder(builder);
    return call;
}

/* The address in a function: the base of the variable's place plus its offset. */
static LLVMValueRef make_address(struct lower_context *lower, struct addresses *addresses,
                                 LLVMValueRef function)
{
    const struct lower_shared *shared = addresses->shared;
    struct bases *bases = bases_of(lower, addresses, function);
    if (shared->place == LOWER_SHARED_DYNAMIC) {
        return keep_apart(lower, bases, shared, dynamic_of(lower, bases));
    }
    LLVMValueRef base =
        shared->place == LOWER_SHARED_EXPORTED ? segment_of(lower, bases) : slab_of(lower, bases);
    LLVMBuilderRef builder = builder_after(lower, base);
    LLVMValueRef address = lower_field(lower, builder, base, shared->offset, shared->name);
    LLVMDisposeBuilder(builder);
    return keep_apart(lower, bases, shared, address);
}

/* The callback of lower_replace_uses: one address for each function and variable. */
static LLVMValueRef address_in(struct lower_context *lower, void *data, LLVMValueRef function)
{
    struct addresses *addresses = data;
    unsigned number;
    if (!lower_map_find(&addresses->made, function, &number)) {
        LLVMValueRef address = make_address(lower, addresses, function);
        number = (unsigned)addresses->address_count;
        LOWER_PUSH(addresses->address, addresses->address_count, address);
        lower_map_put(&addresses->made, function, number);
        const struct lower_shared *shared = addresses->shared;
        lower_view_variable(lower, function, address, shared->name, shared->type);
    }
    return addresses->address[number];
}

/* Whether the use is the address of a load, a store or an atomic operation. */
static bool is_access(const struct lower_use *use)
{
    bool is_store = LLVMIsAStoreInst(use->user) != NULL;
    bool is_other = LLVMIsALoadInst(use->user) != NULL || LLVMIsAAtomicRMWInst(use->user) != NULL ||
                    LLVMIsAAtomicCmpXchgInst(use->user) != NULL;
    return (is_store && use->operand == 1) || (is_other && use->operand == 0);
}

/* Marks accesses at the address and at other addresses within the variable. */
static void mark_accesses(LLVMValueRef address, unsigned kind, LLVMValueRef node)
{
    size_t count;
    struct lower_use *uses = lower_uses(address, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef user = uses[i].user;
        if (is_access(&uses[i])) {
            LLVMSetMetadata(user, kind, node);
        } else if (LLVMIsAGetElementPtrInst(user) != NULL || LLVMIsAConstantExpr(user) != NULL) {
            mark_accesses(user, kind, node);
        }
    }
}

/* Scopes with names are the same in all functions, also after inlining. */
static LLVMValueRef scope_of(struct lower_context *lower, unsigned number)
{
    static const char domain_name[] = LOWER_SHARED_DOMAIN;
    LLVMContextRef llvm = lower->llvm;
    const char *name = str_format("%s.%u", domain_name, number);
    LLVMMetadataRef text = LLVMMDStringInContext2(llvm, domain_name, sizeof domain_name - 1);
    LLVMMetadataRef domain = LLVMMDNodeInContext2(llvm, &text, 1);
    LLVMMetadataRef operands[] = {LLVMMDStringInContext2(llvm, name, strlen(name)), domain};
    LLVMMetadataRef scope = LLVMMDNodeInContext2(llvm, operands, 2);
    return LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, &scope, 1));
}

void lower_mark_shared(struct lower_context *lower)
{
    enum { NUMBER = 2 }; /* the operand */
    unsigned kind = LLVMGetMDKindIDInContext(lower->llvm, "alias.scope", 11);
    LLVMValueRef marker = LLVMGetNamedFunction(lower->module, LOWER_SHARED_MARKER);
    size_t count = 0;
    struct lower_use *uses = marker == NULL ? NULL : lower_uses(marker, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef number = LLVMGetOperand(uses[i].user, NUMBER);
        mark_accesses(uses[i].user, kind,
                      scope_of(lower, (unsigned)LLVMConstIntGetZExtValue(number)));
    }
}

/* Variable by variable: afterwards the global does not exist. */
static void replace_variables(struct lower_context *lower)
{
    struct addresses addresses = {0};
    for (size_t v = 0; v < lower->shared_count; v++) {
        struct lower_shared *shared = &lower->shared[v];
        addresses.shared = shared;
        addresses.made = (struct lower_map){0};
        addresses.address = NULL;
        addresses.address_count = 0;
        struct lower_replacement replacement = {
            .constant = shared->variable, .address_in = address_in, .data = &addresses};
        lower_replace_uses(lower, &replacement);
        LLVMReplaceAllUsesWith(shared->variable, LLVMConstNull(lower->types.ptr));
        LLVMDeleteGlobal(shared->variable);
        shared->variable = NULL;
    }
}

static void check_alignment(struct lower_context *lower)
{
    for (size_t v = 0; v < lower->shared_count; v++) {
        const struct lower_shared *shared = &lower->shared[v];
        if (shared->align > CDP_ABI_SHARED_ALIGN) {
            lower_error(
                lower, shared->variable,
                "the shared variable '%s' is aligned to %llu bytes; at most %d are possible",
                shared->name, (unsigned long long)shared->align, CDP_ABI_SHARED_ALIGN);
        }
    }
}

void lower_shared(struct lower_context *lower)
{
    if (lower->shared_count == 0) {
        return;
    }
    check_alignment(lower);
    struct usage usage = {0};
    lower_graph_build(lower, &usage.graph);
    mark_kernels(lower, &usage);
    find_users(lower, &usage);
    spread_to_callers(&usage);
    make_inlines_internal(&usage);
    place_exported(lower, &usage);
    find_kernel_variables(lower, &usage);
    lay_out_all(lower);
    lower_view_forget_shared(lower);
    replace_variables(lower);
}
