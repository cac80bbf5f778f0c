/* Loads that the block's own threads may clobber.
 *
 * A load at a uniform address gives one value to the block only if no thread of it can store there
 * between two threads' loads.  Threads meet at barriers alone, so what counts is the load's
 * region: all of it, before and behind the load, since other chunks may have run it already.
 * Where nothing there stores to what the load may read, the value is uniform.  Where all threads
 * come to the load before they store anything, it is made once, before the first chunk
 * (plan/hoist.c). Elsewhere each chunk has a value of its own.
 *
 * A kernel without barriers is one region, out of which no value leads: what a chunk loads is its
 * own anyway. */
#include "simd/analysis/clobber.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "ir/value.h"
#include "lower/check.h"
#include "lower/kernel.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/convergence.h"
#include "simd/analysis/shape.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* ---- what an instruction may write to ---- */

/* Calls of the runtime that write to no memory of the program's. */
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

/* Of a function's or a call's attribute "memory": two bits for each kind of memory, the second of
 * which allows to write. */
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

/* Some memory of the program's. */
static bool may_write(LLVMValueRef at)
{
    return lower_written_address(at) != NULL ||
           (LLVMIsACallInst(at) != NULL && !simd_is_barrier(at) &&
            simd_warp_operation_of(at) == WARP_NONE && !simd_is_pure_call(at) &&
            !is_harmless_call(simd_callee_name(at)) && !only_reads(at));
}

/* ---- what an address points into ---- */

enum object_kind {
    OBJECT_UNKNOWN,
    OBJECT_LOCAL,     /* a variable of one thread */
    OBJECT_CONSTANT,  /* what nobody writes to: parameters, the runtime's records */
    OBJECT_SHARED,    /* the block's static or dynamic shared memory */
    OBJECT_VARIABLE,  /* of the module */
    OBJECT_PARAMETER, /* what a pointer points to that is a parameter */
};

struct object {
    enum object_kind kind;
    LLVMValueRef variable;
    int64_t place;    /* of the parameter, in the buffer; of shared memory, its field */
    bool is_restrict; /* the parameter */
};

static bool is_restrict(const struct simd_kernel *kernel, int64_t place)
{
    const struct lower_kernel *source = kernel->source;
    for (unsigned i = 0; i < source->argument_count; i++) {
        const struct lower_argument *argument = &source->arguments[i];
        const struct lower_param *param = &source->params[argument->parameter];
        if (argument->is_restrict && (int64_t)(param->offset + argument->offset) == place) {
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
        return (struct object){.kind = OBJECT_SHARED, .place = field};
    }
    if (simd_is_self(load) || simd_self_field(load) >= 0) {
        return (struct object){.kind = OBJECT_CONSTANT};
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    if (base == NULL || base != LLVMGetParam(kernel->function, 0)) {
        return (struct object){.kind = OBJECT_UNKNOWN};
    }
    return (struct object){
        .kind = OBJECT_PARAMETER, .place = offset, .is_restrict = is_restrict(kernel, offset)};
}

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
    bool is_buffer = address == LLVMGetParam(kernel->function, 0);
    return (struct object){.kind = is_buffer ? OBJECT_CONSTANT : OBJECT_UNKNOWN};
}

/* No pointer to the one object leads to the other. */
static bool are_distinct(const struct simd_kernel *kernel, const struct object *a,
                         const struct object *b)
{
    bool are_known = a->kind != OBJECT_UNKNOWN && b->kind != OBJECT_UNKNOWN;
    if (a->kind == OBJECT_CONSTANT || b->kind == OBJECT_CONSTANT) {
        return true;
    }
    if (a->kind != b->kind) {
        bool is_shared = a->kind == OBJECT_SHARED || b->kind == OBJECT_SHARED;
        return a->kind == OBJECT_LOCAL || b->kind == OBJECT_LOCAL ||
               (is_shared && simd_is_shared_apart(kernel)) ||
               (are_known && (a->is_restrict || b->is_restrict));
    }
    switch (a->kind) {
    case OBJECT_SHARED:
        return a->place != b->place;
    case OBJECT_VARIABLE:
    case OBJECT_LOCAL:
        return a->variable != b->variable;
    case OBJECT_PARAMETER:
        return a->place != b->place && (a->is_restrict || b->is_restrict);
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

/* Of shared memory, by the scopes of its variables: each access is to one, and they differ. */
static bool are_other_variables(const struct simd_kernel *kernel, LLVMValueRef a, LLVMValueRef b)
{
    unsigned kind = LLVMGetMDKindIDInContext(kernel->lower->llvm, "alias.scope", 11);
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
    unsigned kind = LLVMGetMDKindIDInContext(kernel->lower->llvm, "invariant.load", 14);
    return LLVMGetMetadata(load, kind) != NULL;
}

/* Bytes that the instruction accesses at its address; 0: not known. */
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
    return (int64_t)LLVMABISizeOfType(kernel->lower->layout, LLVMTypeOf(value));
}

/* Of one base, at other offsets: the load's address is the same for all threads, so its base is. */
static bool are_apart(const struct simd_kernel *kernel, LLVMValueRef load, LLVMValueRef write)
{
    int64_t size = size_of(kernel, load), written = size_of(kernel, write), from, to;
    if (size == 0 || written == 0) {
        return false;
    }
    LLVMValueRef base = simd_without_constants(LLVMGetOperand(load, 0), &from);
    return base == simd_without_constants(lower_written_address(write), &to) &&
           (from + size <= to || to + written <= from);
}

bool simd_may_clobber(const struct simd_kernel *kernel, LLVMValueRef write, LLVMValueRef load)
{
    if (!may_write(write)) {
        return false;
    }
    LLVMValueRef address = lower_written_address(write);
    struct object from = object_of(kernel, LLVMGetOperand(load, 0));
    struct object to = {.kind = OBJECT_UNKNOWN};
    if (address != NULL) {
        to = object_of(kernel, address);
    }
    return !are_distinct(kernel, &from, &to) && !are_other_variables(kernel, load, write) &&
           !are_apart(kernel, load, write);
}

/* ---- nodes ---- */

struct simd_meetings *simd_meetings_of(const struct simd_graph *region)
{
    struct simd_meetings *made = arena_alloc(sizeof *made);
    made->region = region;
    made->behind = arena_alloc((region->kernel->node_count + 1) * sizeof *made->behind);
    return made;
}

static const bool *nodes_behind(struct simd_meetings *meetings, unsigned node)
{
    if (meetings->behind[node] == NULL) {
        meetings->behind[node] = simd_graph_reach(meetings->region, node, -1);
    }
    return meetings->behind[node];
}

bool simd_leads_to(struct simd_meetings *meetings, unsigned from, unsigned to)
{
    return nodes_behind(meetings, from)[to];
}

/* Two threads of the block may come to them in one run of the region: one after the other, or
 * where threads diverge.  Branches on what is uniform part no threads. */
static bool may_meet(struct simd_meetings *meetings, unsigned a, unsigned b)
{
    const struct simd_graph *region = meetings->region;
    if (nodes_behind(meetings, a)[b] || nodes_behind(meetings, b)[a]) {
        return true;
    }
    for (size_t i = 0; i < region->count; i++) {
        const struct simd_node *at = &region->kernel->nodes[region->order[i]];
        if (at->end != END_CONDITION ||
            simd_shape_of(region->kernel, at->condition).kind <= SHAPE_UNIFORM) {
            continue;
        }
        const bool *behind = nodes_behind(meetings, region->order[i]);
        if (behind[a] && behind[b]) {
            return true;
        }
    }
    return false;
}

bool simd_is_clobbered(struct simd_meetings *meetings, LLVMValueRef load)
{
    const struct simd_graph *region = meetings->region;
    const struct simd_kernel *kernel = region->kernel;
    if (kernel->traits.barrier_count == 0 || is_invariant(kernel, load)) {
        return false;
    }
    int from = kernel->node_of[simd_number(kernel, load)];
    for (size_t v = 0; v < kernel->value_count; v++) {
        int node = kernel->node_of[v];
        if (node >= 0 && region->position[node] >= 0 &&
            simd_may_clobber(kernel, kernel->values[v], load) &&
            may_meet(meetings, (unsigned)node, (unsigned)from)) {
            return true;
        }
    }
    return false;
}
