/* Loads that stores of the block's own threads may clobber.
 *
 * A load at a uniform address has one value for the block only if no thread of it can store there
 * between the loads of two threads.  Only barriers synchronize threads, so the load's whole region
 * counts: the code before and after the load, since other chunks may have run it already.
 *
 * - If nothing in the region stores to memory that the load may read, the value is uniform.
 * - If all threads reach the load before they store anything, it is emitted once, before the first
 *   chunk (plan/hoist.c).
 * - Otherwise each chunk loads its own value.
 *
 * A kernel without barriers is one region, and no value leaves it.  There each chunk uses the value
 * that it has loaded.
 *
 * For example, with a barrier before and after:
 *
 *     if (threadIdx.x == 0) s[0] = 1;
 *     x = s[0];                          a race: on a GPU each warp may see another value
 *
 *     x = s[0];
 *     s[threadIdx.x] = x + 1;            the load comes first, so it is hoisted
 *
 *     found = false;
 *     while (!found) ...                 each thread has stored this constant before: uniform
 *
 * Which stores count is a question of aliases. The analysis knows the kinds of objects that a
 * kernel accesses, restrict parameters, the scopes of shared variables, and constant offsets from
 * one base. LLVM's own alias analysis is not available through its C interface. */
#include "simd/analysis/clobber.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "lower/check.h"
#include "lower/kernel.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "support/arena.h"
#include "support/str.h"

#include <string.h>

/* ---- memory that an instruction may write ---- */

/* Calls of the runtime that do not write to the program's memory. */
static bool is_harmless_call(const char *name)
{
    static const char *const names[] = {"cdp_abi_printf",
                                        "cdp_abi_vprintf",
                                        "cdp_abi_puts",
                                        "cdp_abi_putchar",
                                        "cdp_abi_malloc",
                                        "cdp_abi_free",
                                        "cdp_abi_aligned_malloc",
                                        "cdp_abi_calloc",
                                        "cdp_abi_assert_fail",
                                        "cdp_abi_trap",
                                        "cdp_abi_exit",
                                        "cdp_abi_smid",
                                        "cdp_abi_nsmid",
                                        "cdp_abi_globaltimer",
                                        "cdp_abi_clock",
                                        "cdp_abi_is_",
                                        "cdp_abi_pure_virtual",
                                        "cdp_abi_occupancy",
                                        "cdp_abi_tex_",
                                        "cdp_abi_surf",
                                        "llvm.lifetime.",
                                        "llvm.assume",
                                        "llvm.dbg.",
                                        "llvm.prefetch",
                                        "llvm.experimental.noalias.scope.decl",
                                        "llvm.donothing",
                                        "llvm.sideeffect",
                                        NULL};
    return str_starts_any(name, names);
}

/* The attribute "memory" of a function or a call has two bits for each kind of memory.  The second
 * bit allows writes. */
static bool forbids_writes(LLVMAttributeRef memory)
{
    return memory != NULL && (LLVMGetEnumAttributeValue(memory) & 0xaaaaaaaaaaaaaaaaULL) == 0;
}

static bool only_reads(LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMValueRef callee = lower_callee(call);
    return forbids_writes(LLVMGetCallSiteEnumAttribute(call, index, kind)) ||
           (callee != NULL && forbids_writes(LLVMGetEnumAttributeAtIndex(callee, index, kind)));
}

/* It may write to memory of the program.
 * Barriers and warp operations are not counted as writes. */
static bool may_write(LLVMValueRef at)
{
    return lower_written_address(at) != NULL ||
           (LLVMIsACallInst(at) != NULL && !simd_is_barrier(at) &&
            simd_warp_operation_of(at) == WARP_NONE && simd_has_effects(at) &&
            !is_harmless_call(simd_callee_name(at)) && !only_reads(at));
}

/* ---- objects that an address points into ---- */

/* The kinds of objects whose memory an address may point into. */
enum object_kind {
    OBJECT_UNKNOWN,
    OBJECT_LOCAL,     /* a variable of one thread */
    OBJECT_CONSTANT,  /* memory that no thread writes: parameters, the runtime's records */
    OBJECT_SHARED,    /* the block's static or dynamic shared memory */
    OBJECT_VARIABLE,  /* a variable of the module */
    OBJECT_PARAMETER, /* memory that a pointer parameter points to */
};

/* The object that an address points into. */
struct object {
    enum object_kind kind;
    LLVMValueRef variable;
    int64_t offset;   /* the parameter's offset in the buffer; for shared memory, its field */
    bool is_restrict; /* the parameter */
};

static bool is_restrict(const struct simd_kernel *kernel, int64_t offset)
{
    const struct lower_kernel *source = simd_source_of(kernel);
    for (unsigned i = 0; i < source->argument_count; i++) {
        const struct lower_argument *argument = &source->arguments[i];
        const struct lower_param *param = &source->params[argument->parameter];
        if (argument->is_restrict && (int64_t)(param->offset + argument->offset) == offset) {
            return true;
        }
    }
    return false;
}

static struct object object_of_load(const struct simd_kernel *kernel, LLVMValueRef load)
{
    int64_t offset;
    int field = simd_field(load);
    if (field == offsetof(struct cdp_abi_block, shared) ||
        field == offsetof(struct cdp_abi_block, dynamic_shared)) {
        return (struct object){.kind = OBJECT_SHARED, .offset = field};
    }
    if (simd_is_self(load) || simd_self_field(load) >= 0) {
        return (struct object){.kind = OBJECT_CONSTANT};
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    if (base == NULL || base != LLVMGetParam(simd_function_of(kernel), 0)) {
        return (struct object){.kind = OBJECT_UNKNOWN};
    }
    return (struct object){
        .kind = OBJECT_PARAMETER, .offset = offset, .is_restrict = is_restrict(kernel, offset)};
}

/* Follows the address through its getelementptrs to the pointer that it starts from. */
static struct object object_of(const struct simd_kernel *kernel, LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    if (LLVMIsAConstantExpr(address) != NULL && LLVMGetNumOperands(address) > 0) {
        address = LLVMGetOperand(address, 0);
    }
    if (LLVMIsALoadInst(address) != NULL) {
        return object_of_load(kernel, address);
    }
    if (LLVMIsAAllocaInst(address) != NULL) {
        return (struct object){.kind = OBJECT_LOCAL, .variable = address};
    }
    if (LLVMIsAGlobalVariable(address) != NULL) {
        bool is_constant = LLVMIsGlobalConstant(address);
        return (struct object){.kind = is_constant ? OBJECT_CONSTANT : OBJECT_VARIABLE,
                               .variable = address};
    }
    bool is_buffer = address == LLVMGetParam(simd_function_of(kernel), 0);
    return (struct object){.kind = is_buffer ? OBJECT_CONSTANT : OBJECT_UNKNOWN};
}

/* No pointer to the one object can point into the other.
 * A restrict parameter is distinct from all other parameters and variables. */
static bool are_distinct(const struct simd_kernel *kernel, const struct object *a,
                         const struct object *b)
{
    bool are_identified = a->kind != OBJECT_UNKNOWN && b->kind != OBJECT_UNKNOWN;
    if (a->kind == OBJECT_CONSTANT || b->kind == OBJECT_CONSTANT) {
        return true;
    }
    if (a->kind != b->kind) {
        bool is_shared = a->kind == OBJECT_SHARED || b->kind == OBJECT_SHARED;
        return a->kind == OBJECT_LOCAL || b->kind == OBJECT_LOCAL ||
               (is_shared && simd_is_shared_noalias(kernel)) ||
               (are_identified && (a->is_restrict || b->is_restrict));
    }
    switch (a->kind) {
    case OBJECT_SHARED:
        return a->offset != b->offset;
    case OBJECT_VARIABLE:
    case OBJECT_LOCAL:
        return a->variable != b->variable;
    case OBJECT_PARAMETER:
        return a->offset != b->offset && (a->is_restrict || b->is_restrict);
    case OBJECT_UNKNOWN:
    case OBJECT_CONSTANT:
        break;
    }
    return false;
}

static LLVMValueRef operand_of_node(LLVMValueRef node, unsigned index)
{
    unsigned count = node == NULL ? 0 : (unsigned)LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    if (count > index) {
        LLVMGetMDNodeOperands(node, operands);
        return operands[index];
    }
    return NULL;
}

static bool is_of_shared(LLVMValueRef scope)
{
    enum { SCOPE_DOMAIN = 1, DOMAIN_NAME = 0 };
    unsigned length;
    LLVMValueRef name = operand_of_node(operand_of_node(scope, SCOPE_DOMAIN), DOMAIN_NAME);
    const char *text = name == NULL ? NULL : LLVMGetMDString(name, &length);
    return text != NULL && length == sizeof LOWER_SHARED_DOMAIN - 1 &&
           strncmp(text, LOWER_SHARED_DOMAIN, length) == 0;
}

/* Both accesses are to shared memory.  The scopes of its variables show that each accesses one
 * variable, and that these differ. */
static bool are_other_variables(const struct simd_kernel *kernel, LLVMValueRef a, LLVMValueRef b)
{
    unsigned kind = LLVMGetMDKindIDInContext(simd_context_of(kernel)->llvm, "alias.scope", 11);
    LLVMValueRef lists[] = {LLVMGetMetadata(a, kind), LLVMGetMetadata(b, kind)};
    LLVMValueRef scopes[2], other;
    unsigned found[2] = {0};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; (other = operand_of_node(lists[i], j)) != NULL; j++) {
            if (is_of_shared(other)) {
                scopes[i] = other;
                found[i]++;
            }
        }
    }
    return found[0] == 1 && found[1] == 1 && scopes[0] != scopes[1];
}

/* ---- loads ---- */

static bool is_invariant(const struct simd_kernel *kernel, LLVMValueRef load)
{
    unsigned kind = LLVMGetMDKindIDInContext(simd_context_of(kernel)->llvm, "invariant.load", 14);
    return LLVMGetMetadata(load, kind) != NULL;
}

/* Bytes that the instruction accesses at its address; 0: unknown. */
static int64_t size_of(const struct simd_kernel *kernel, LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) == NULL && LLVMIsAStoreInst(at) == NULL &&
        LLVMIsAAtomicRMWInst(at) == NULL && LLVMIsAAtomicCmpXchgInst(at) == NULL) {
        return 0;
    }
    LLVMValueRef value = at;
    if (LLVMIsAStoreInst(at) != NULL) {
        value = LLVMGetOperand(at, 0);
    } else if (LLVMIsALoadInst(at) == NULL) {
        value = LLVMGetOperand(at, 1);
    }
    return (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout, LLVMTypeOf(value));
}

/* The accesses have the same base and do not overlap.  The load's address is the same for all
 * threads, so its base is, too.
 * Constant offsets decide, as for s[0] and s[1]. */
static bool are_disjoint(const struct simd_kernel *kernel, LLVMValueRef load, LLVMValueRef write)
{
    int64_t size = size_of(kernel, load), written = size_of(kernel, write), from, to;
    if (size == 0 || written == 0) {
        return false;
    }
    LLVMValueRef base = simd_without_constants(LLVMGetOperand(load, 0), &from);
    return base == simd_without_constants(lower_written_address(write), &to) &&
           (from + size <= to || to + written <= from);
}

/* An address of the form: array[index] of elements of `size` bytes, plus `offset` within the
 * element. All threads have the same array. */
struct element_field {
    LLVMValueRef array; /* NULL: the address is of another form */
    int64_t size, offset;
};

static struct element_field field_of(const struct simd_kernel *kernel, LLVMValueRef address)
{
    struct element_field field = {NULL, 0, 0};
    LLVMValueRef base = simd_without_constants(address, &field.offset);
    while (LLVMIsAPHINode(base) != NULL && LLVMCountIncoming(base) == 1) { /* it left a loop */
        int64_t more;
        base = simd_without_constants(LLVMGetIncomingValue(base, 0), &more);
        field.offset += more;
    }
    if (LLVMIsAGetElementPtrInst(base) == NULL || LLVMGetNumOperands(base) != 2) {
        return field;
    }
    LLVMValueRef array = LLVMGetOperand(base, 0);
    struct object object = object_of(kernel, array);
    bool is_start = LLVMIsAGetElementPtrInst(array) == NULL &&
                    (object.kind == OBJECT_PARAMETER || object.kind == OBJECT_VARIABLE ||
                     object.kind == OBJECT_SHARED);
    field.array = is_start ? array : NULL;
    field.size = (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout,
                                            LLVMGetGEPSourceElementType(base));
    return field;
}

/* The accesses are to different fields of an array's elements, whichever elements those are. */
static bool are_other_fields(const struct simd_kernel *kernel, LLVMValueRef a, LLVMValueRef write)
{
    int64_t size = size_of(kernel, a), written = size_of(kernel, write);
    if (size == 0 || written == 0) {
        return false;
    }
    struct element_field from = field_of(kernel, LLVMGetOperand(a, 0));
    struct element_field to = field_of(kernel, lower_written_address(write));
    bool are_within = from.offset >= 0 && to.offset >= 0 && from.offset + size <= from.size &&
                      to.offset + written <= to.size;
    return from.array != NULL && from.array == to.array && from.size == to.size && are_within &&
           (from.offset + size <= to.offset || to.offset + written <= from.offset);
}

bool simd_may_clobber_any(const struct simd_kernel *kernel, LLVMValueRef write, LLVMValueRef access)
{
    if (!may_write(write)) {
        return false;
    }
    LLVMValueRef address = lower_written_address(write);
    struct object from = object_of(kernel, LLVMGetOperand(access, 0));
    struct object to = {.kind = OBJECT_UNKNOWN};
    if (address != NULL) {
        to = object_of(kernel, address);
    }
    return !are_distinct(kernel, &from, &to) && !are_other_variables(kernel, access, write) &&
           !are_other_fields(kernel, access, write);
}

bool simd_may_clobber(const struct simd_kernel *kernel, LLVMValueRef write, LLVMValueRef load)
{
    return simd_may_clobber_any(kernel, write, load) && !are_disjoint(kernel, load, write);
}

/* ---- nodes ---- */

struct simd_reachability *simd_reachability_of(const struct simd_graph *region)
{
    struct simd_reachability *result = arena_alloc(sizeof *result);
    result->region = region;
    result->after = arena_alloc((simd_node_count(region->kernel) + 1) * sizeof *result->after);
    return result;
}

/* Each set is computed once, when it is first needed. */
static const bool *nodes_after(struct simd_reachability *reachability, unsigned node)
{
    if (reachability->after[node] == NULL) {
        reachability->after[node] = simd_graph_reach(reachability->region, node, -1);
    }
    return reachability->after[node];
}

bool simd_leads_to(struct simd_reachability *reachability, unsigned from, unsigned to)
{
    return nodes_after(reachability, from)[to];
}

/* Two threads of the block may run them in one run of the region: one after the other, or because
 * the threads diverge. Branches on uniform conditions make no threads diverge. All threads take the
 * same edge of a uniform branch, so its two sides never run in one execution of the region. */
static bool may_run_in_either_order(struct simd_reachability *reachability, unsigned a, unsigned b)
{
    const struct simd_graph *region = reachability->region;
    if (nodes_after(reachability, a)[b] || nodes_after(reachability, b)[a]) {
        return true;
    }
    for (size_t i = 0; i < region->count; i++) {
        const struct simd_node *at = simd_node(region->kernel, region->order[i]);
        if (at->end != END_CONDITION || simd_is_uniform(region->kernel, at->condition)) {
            continue;
        }
        const bool *after = nodes_after(reachability, region->order[i]);
        if (after[a] && after[b]) {
            return true;
        }
    }
    return false;
}

/* The constant that the write stores where the load reads, in the load's type; NULL: it is another
 * write. */
static LLVMValueRef constant_at(LLVMValueRef write, LLVMValueRef load)
{
    int64_t from, to;
    if (LLVMIsAStoreInst(write) == NULL || LLVMGetVolatile(write) ||
        LLVMTypeOf(LLVMGetOperand(write, 0)) != LLVMTypeOf(load)) {
        return NULL;
    }
    LLVMValueRef base = simd_without_constants(LLVMGetOperand(load, 0), &from);
    bool is_same = base == simd_without_constants(LLVMGetOperand(write, 1), &to) && from == to;
    return is_same ? LLVMIsAConstant(LLVMGetOperand(write, 0)) : NULL;
}

/* The value number v is computed on each path from the region's start to the load. */
static bool comes_first(const struct simd_graph *region, size_t v, LLVMValueRef load)
{
    const struct simd_kernel *kernel = region->kernel;
    int node = simd_node_of_number(kernel, v), to = simd_node_of(kernel, load);
    return node == to ? v < (size_t)simd_number(kernel, load)
                      : simd_dominates(region, (unsigned)node, (unsigned)to);
}

bool simd_is_clobbered(struct simd_reachability *reachability, LLVMValueRef load)
{
    const struct simd_graph *region = reachability->region;
    const struct simd_kernel *kernel = region->kernel;
    LLVMValueRef constant = NULL;
    bool is_first = false;
    if (simd_traits_of(kernel)->barrier_count == 0 || is_invariant(kernel, load)) {
        return false;
    }
    int from = simd_node_of(kernel, load);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef write = simd_value_at(kernel, v);
        int node = simd_node_of_number(kernel, v);
        if (node < 0 || region->position[node] < 0 || !simd_may_clobber(kernel, write, load) ||
            !may_run_in_either_order(reachability, (unsigned)node, (unsigned)from)) {
            continue;
        }
        LLVMValueRef stored = constant_at(write, load);
        if (stored == NULL || (constant != NULL && stored != constant)) {
            return true;
        }
        constant = stored;
        is_first |= comes_first(region, v, load);
    }
    return constant != NULL && !is_first;
}
