/* What each load and store becomes.
 *
 * - All lanes have one address: one scalar access.
 * - The lanes' addresses are contiguous: one vector access, masked where lanes are inactive.
 * - They are contiguous in descending order: the same, and a shuffle that reverses the lanes.
 * - The lanes access fields of structures, which are contiguous or anywhere: an interleave group,
 * or a pair.
 * - The lanes are a permutation of a contiguous access, or each takes an element of one of two: a
 *   permuted access, or a select of two contiguous accesses.
 * - Neighbouring lanes share an element of a contiguous access: a replicated load.
 * - All others: gathers and scatters; the lanes of a scatter store in ascending order.
 *
 * Where an address is affine only if a test holds, both forms are emitted, and the test chooses.
 *
 * Accesses are planned in program order, since one access may do the work of later ones.
 *
 * For float *a, and i = blockIdx.x * blockDim.x + threadIdx.x, with four lanes:
 *
 *     a[0]                   uniform         one scalar load, broadcast where a vector is needed
 *     a[i]                   contiguous      lanes 0 1 2 3 of one vector load
 *     a[n - i]               reversed        lanes 3 2 1 0 of one vector load
 *     a[2 * i]               strided         a wide load, and a shuffle of every other element
 *     p[i].x, p[i].y         interleaved     x y x y x y x y -> x x x x, y y y y
 *     s[threadIdx.x ^ 1]     permuted        one load, then lanes 1 0 3 2
 *     a[i / 2]               replicated      half a vector load, then elements 0 0 1 1
 *     a[i == n ? i : i + 1]  two-way         two masked loads, one for each operand of the select
 *     a[b[i]]                gather          an address for each lane
 *
 * The shape of the address decides (analysis/shape_analysis.c). The literature calls this affine or
 * stride analysis. An affine address may carry a check. A check for flags only matters where some
 * lane is inactive, since an instruction's flags hold for active lanes. So an access has two plans:
 * one for places where all lanes are active, and one for places under a mask.
 *
 * Takes: the facts, which are const, and a path whose graph and restarts are known. Gives: one
 * record for each value number. Records of values that are no accesses stay ACCESS_NONE. Each
 * access of the graph gets a kind: what cannot be better becomes a gather, a scatter or one lane
 * after the other. */
#include "simd/plan/access.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/grid_stride.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/kernel.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/values.h"
#include "simd/plan/all_active.h"
#include "simd/plan/field_pairs.h"
#include "simd/plan/index.h"
#include "simd/plan/interleave.h"
#include "simd/plan/permuted.h"
#include "simd/plan/plan.h"
#include "simd/plan/prefetch_blocks.h"
#include "simd/plan/slots.h"
#include "simd/plan/strides.h"
#include "simd/plan/two_way.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* Readers and their fields. A load that reads what no earlier one has read emits vectors, which the
 * optimizer compares with those of all others; its time grows faster than the number of readers. */
enum { MOST_READERS = 64 };

/* The planning of one version's accesses, node by node.  Lives as long as simd_plan_accesses(). */
struct planning {
    struct simd_site site;
    const struct simd_kernel *kernel;
    bool masked, restarts;
    unsigned reader_count; /* loads that read the vectors of interleave groups so far */
    /* The last ones of the node. What they have read is what memory holds: after them, the node
     * only loads. */
    LLVMValueRef readers[MOST_READERS];
    unsigned current;              /* of the node */
    struct simd_overlaps overlaps; /* the path's; its tests count only where chunks may restart */
    struct simd_access *accesses;  /* by value number */
};

static struct simd_access *access_of(struct planning *planning, LLVMValueRef at)
{
    return &planning->accesses[simd_number(planning->kernel, at)];
}

/* ---- affine addresses ---- */

/* Whether the lanes' addresses are contiguous, with a step of that many elements: proven, if a test
 * holds, or not.
 * The size of an element matters twice. A type with padding, such as i1 or x86_fp80, has no dense
 * vector in memory, so it is never contiguous. */
enum order { ORDER_NONE, ORDER_TESTED, ORDER_SURE };

static enum order order_of(const struct planning *planning, struct simd_shape at, LLVMTypeRef type,
                           int64_t step)
{
    LLVMTargetDataRef layout = simd_context_of(planning->kernel)->layout;
    int64_t size = (int64_t)LLVMABISizeOfType(layout, type);
    bool is_dense = LLVMStoreSizeOfType(layout, type) == (uint64_t)size &&
                    LLVMSizeOfTypeInBits(layout, type) == (uint64_t)size * 8;
    if (at.kind != SHAPE_LINEAR || at.stride != size * step || !is_dense) {
        return ORDER_NONE;
    }
    bool tested = at.check == CHECK_ALWAYS || (at.check == CHECK_FLAGS && planning->masked);
    return tested ? ORDER_TESTED : ORDER_SURE;
}

/* Elements from one lane's address to the next one's; 1 if a strided access gains nothing.
 * Elements of less than 4 bytes are left to gathers or interleave groups. The step is at most
 * SIMD_MOST_STEP, since each step needs one more vector load. */
static unsigned step_of(const struct planning *planning, struct simd_shape at, LLVMTypeRef type)
{
    int64_t size = (int64_t)LLVMABISizeOfType(simd_context_of(planning->kernel)->layout, type);
    int64_t stride = at.kind == SHAPE_LINEAR ? at.stride : 0;
    bool fits = size >= 4 && stride % size == 0 && stride > size && stride <= SIMD_MOST_STEP * size;
    return fits ? (unsigned)(stride / size) : 1;
}

/* True for tests whose second form is kept, instead of a restart.  It is unknown how often a
 * remainder wraps around, or a quotient changes.  And a select by a uniform condition most
 * likely takes the same operand in all blocks.
 * For example, in a[i % n] the remainder wraps around in one of n / W vectors, and n may be small.
 * A restart would then send most chunks to the masked loop. */
static bool keeps_both_forms(const struct simd_kernel *kernel, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAInstruction(value) == NULL || LLVMIsAPHINode(value) != NULL ||
        LLVMIsALoadInst(value) != NULL || depth == 0) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool found = simd_is_division(opcode) || simd_is_flat(*simd_shape_of(kernel, value)) ||
                 (opcode == LLVMSelect && simd_is_uniform(kernel, LLVMGetOperand(value, 0)));
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && !found; i++) {
        found = keeps_both_forms(kernel, LLVMGetOperand(value, i), depth - 1);
    }
    return found;
}

/* At the grid's borders few chunks fail the test.  Such a chunk restarts under masks, and the other
 * chunks need no second form.  A test that depends only on the thread's position in its block has
 * the same result in each block, so it may fail in all of them.
 * For example, a[min(i + 1, n - 1)] is contiguous in all chunks but the last one. There the
 * all-active code has only the contiguous form, which keeps it short. */
static bool may_restart(const struct planning *planning, LLVMValueRef access)
{
    enum { MOST_DEPTH = 10, BLOCK_INDEX = offsetof(struct cdp_abi_block, block_idx) };
    LLVMValueRef address = simd_accessed(access);
    return planning->restarts && simd_may_restart(planning->site.path, access) &&
           simd_depends_on_field(address, BLOCK_INDEX, MOST_DEPTH) &&
           !keeps_both_forms(planning->kernel, address, MOST_DEPTH);
}

/* A test that fails leads either to the second form beside it, or to a restart of the chunk. */
static void set_test(const struct planning *planning, LLVMValueRef access, enum order order,
                     struct simd_access *result)
{
    result->is_tested = order == ORDER_TESTED;
    result->restarts = result->is_tested && may_restart(planning, access);
}

/* The same for an interleave group, which only exists where all lanes are active. */
static void set_test_of_group(const struct planning *planning, LLVMValueRef access,
                              struct simd_access *result)
{
    struct simd_shape at = *simd_shape_of(planning->kernel, simd_accessed(access));
    set_test(planning, access, at.check == CHECK_ALWAYS ? ORDER_TESTED : ORDER_SURE, result);
}

/* The kind of an access whose lanes are neither uniform nor some elements apart. */
static enum simd_access_kind plan_contiguous(const struct planning *planning, LLVMValueRef access,
                                             LLVMTypeRef type, struct simd_access *result)
{
    struct simd_shape at = *simd_shape_of(planning->kernel, simd_accessed(access));
    enum order ascending = order_of(planning, at, type, 1);
    enum order descending = order_of(planning, at, type, -1);
    set_test(planning, access, ascending > descending ? ascending : descending, result);
    return ascending != ORDER_NONE    ? ACCESS_CONTIGUOUS
           : descending != ORDER_NONE ? ACCESS_REVERSED
                                      : ACCESS_GATHER_SCATTER;
}

/* The kind of a load whose address is varying or affine, for elements of the type.
 * A flat address has stride 0: all lanes have one address if the test holds, as in a[i / 32]. */
static enum simd_access_kind plan_varying_load(const struct planning *planning, LLVMValueRef load,
                                               LLVMTypeRef type, struct simd_access *result)
{
    struct simd_shape at = *simd_shape_of(planning->kernel, simd_accessed(load));
    result->step = step_of(planning, at, type);
    if (simd_is_flat(at)) {
        set_test(planning, load, ORDER_TESTED, result);
        return ACCESS_UNIFORM;
    }
    if (result->step == 1) {
        return plan_contiguous(planning, load, type, result);
    }
    enum order order = order_of(planning, at, type, result->step);
    set_test(planning, load, order, result);
    return order == ORDER_NONE ? ACCESS_GATHER_SCATTER : ACCESS_STRIDED;
}

static enum simd_access_kind plan_varying_store(const struct planning *planning, LLVMValueRef store,
                                                LLVMTypeRef type, struct simd_access *result)
{
    struct simd_shape at = *simd_shape_of(planning->kernel, simd_accessed(store));
    if (at.kind <= SHAPE_VECTOR) {
        return ACCESS_UNIFORM;
    }
    return plan_contiguous(planning, store, type, result);
}

bool simd_is_far_apart(const struct simd_kernel *kernel, LLVMValueRef access)
{
    const struct simd_shape *shape = simd_shape_of(kernel, simd_accessed(access));
    LLVMTypeRef type = simd_accessed_type(access);
    int64_t size = (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout, type);
    bool is_far =
        (shape->stride < 0 && shape->stride != -size) || shape->stride > SIMD_MOST_STEP * size;
    return shape->kind == SHAPE_VARYING || (shape->kind == SHAPE_LINEAR && is_far);
}

/* ---- loads ---- */

bool simd_reads_block_index(LLVMValueRef load)
{
    enum { X = offsetof(struct cdp_abi_block, block_idx) };
    int field = simd_field(load);
    return field >= X && field < X + 4;
}

/* The entry holds these values in registers or constants, so no memory is read. */
static bool is_context(const struct simd_kernel *kernel, LLVMValueRef load)
{
    return simd_self_field(load) >= 0 || simd_is_self(load) ||
           (simd_reads_block_index(load) && LLVMTypeOf(load) == simd_context_of(kernel)->types.i32);
}

/* The parameters and the runtime's own records can always be read. */
static bool is_readable(const struct simd_kernel *kernel, LLVMValueRef load)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(simd_accessed(load), &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    return is_block || (base != NULL && base == LLVMGetParam(simd_function_of(kernel), 0));
}

/* A relaxed load of an aligned word orders nothing, and processors read each element of a vector
 * that is one word as a whole.  So it may be part of a vector access.  x86 and ARM processors do
 * so, although their manuals do not promise it.  Also, LLVM may swap two loads of one address
 * through different pointers, which C's atomic loads do not allow. */
static bool is_relaxed_word(const struct simd_kernel *kernel, LLVMValueRef load)
{
    LLVMAtomicOrdering order = LLVMGetOrdering(load);
    uint64_t size = LLVMABISizeOfType(simd_context_of(kernel)->layout, LLVMTypeOf(load));
    return (order == LLVMAtomicOrderingUnordered || order == LLVMAtomicOrderingMonotonic) &&
           (size == 4 || size == 8) && LLVMGetAlignment(load) >= size;
}

/* Integers whose size is not a whole number of bytes.
 * A vector of them, such as <8 x i1>, is packed in memory, unlike an array of them. */
static bool is_odd(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8 != 0;
}

/* The pair's type: one integer.
 * Two fields of n bytes each are n * 16 bits. A gather of float2 then becomes one of i64. */
static LLVMTypeRef pair_type(const struct simd_kernel *kernel, LLVMValueRef access)
{
    return LLVMIntTypeInContext(simd_context_of(kernel)->llvm, simd_member_of(access).size * 16);
}

/* Tries the forms of indices that are varying, but still follow a pattern. Stores have no
 * select form: two masked stores would change the order in which lanes store to one address. */
static bool plan_index(const struct planning *planning, LLVMValueRef access, bool is_load,
                       struct simd_access *result)
{
    struct simd_index index;
    LLVMValueRef address = simd_accessed(access);
    if (!simd_is_varying(planning->kernel, address) ||
        !simd_index_of(&planning->site, address, simd_accessed_type(access), &index)) {
        return false;
    }
    result->permutation = simd_find_permuted(&planning->site, &index);
    result->kind = ACCESS_PERMUTED;
    /* Under masks, it would take longer to find which elements are needed than to gather them. */
    if (result->permutation == NULL && is_load && !planning->masked) {
        result->permutation = simd_find_replicated(&planning->site, &index);
        result->kind = ACCESS_REPLICATED;
    }
    if (result->permutation == NULL && is_load) {
        result->two_way = simd_find_two_way(&planning->site, &index);
        result->kind = ACCESS_TWO_WAY;
    }
    result->is_tested = result->permutation != NULL || result->two_way != NULL;
    return result->is_tested;
}

/* The instruction may write to memory, or orders accesses. */
static bool may_write(LLVMValueRef at)
{
    return LLVMIsAStoreInst(at) != NULL || simd_is_order(at) || simd_is_volatile(at) ||
           (LLVMIsACallInst(at) != NULL &&
            (simd_has_effects(at) || simd_warp_operation_of(at) != WARP_NONE));
}

/* Finds the load that has read the group's vectors. If there is none, the load itself will. False:
 * there are too many already. */
static bool find_reader(struct planning *planning, LLVMValueRef load, struct simd_group *group)
{
    for (unsigned i = 0; i < planning->current; i++) {
        LLVMValueRef reader = planning->readers[i];
        if (LLVMTypeOf(reader) == LLVMTypeOf(load) &&
            simd_read_the_same(access_of(planning, reader)->group, group)) {
            group->reader = reader;
            return true;
        }
    }
    if (planning->reader_count >= MOST_READERS) {
        return false;
    }
    planning->readers[planning->current++] = load;
    planning->reader_count++;
    return true;
}

/* Plans a load whose address is not uniform.
 *
 * The order is that of gain: groups serve all fields of a structure, pairs two of them, and the
 * rest is a single access. A later load that joins the pair becomes GROUPED, so that plan_node()
 * leaves it alone. Groups are left to chunks without masks, since they read fields that no active
 * lane may own. */
static void plan_divergent_load(struct planning *planning, LLVMValueRef load,
                                struct simd_access *result)
{
    const struct simd_kernel *kernel = planning->kernel;
    struct simd_group *group =
        planning->masked ? NULL : simd_find_load_group(kernel, load, planning->overlaps.delayed);
    if (group != NULL && find_reader(planning, load, group)) {
        result->group = group;
        result->kind = ACCESS_INTERLEAVED;
        set_test_of_group(planning, load, result);
        return;
    }
    result->partner = simd_find_pair(kernel, load, planning->accesses);
    if (result->partner != NULL) {
        result->kind = ACCESS_FIELD_PAIR;
        result->pair_kind = plan_varying_load(planning, load, pair_type(kernel, load), result);
        *access_of(planning, result->partner) =
            (struct simd_access){.kind = ACCESS_GROUPED, .partner = load};
        return;
    }
    if (!plan_index(planning, load, true, result)) {
        result->kind = plan_varying_load(planning, load, LLVMTypeOf(load), result);
    }
    if (!planning->masked) {
        result->prefetch = simd_find_block_prefetch(&planning->site, load);
    }
}

/* True: the access is planned, and its kind does not depend on how the lanes' addresses differ.
 * An atomic load that is not a relaxed word runs once for each lane, as the program says. */
static bool plan_simple_load(const struct simd_kernel *kernel, LLVMValueRef load,
                             struct simd_access *result)
{
    bool is_one = simd_is_scalar(kernel, simd_accessed(load));
    bool is_atomic = LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
    bool is_single = (is_atomic && (is_one || !is_relaxed_word(kernel, load))) ||
                     (!is_one && is_odd(LLVMTypeOf(load)));
    result->kind = is_context(kernel, load) ? ACCESS_CONTEXT
                   : is_single              ? ACCESS_SCALARIZED
                   : is_one                 ? ACCESS_UNIFORM
                                            : ACCESS_NONE;
    result->is_readable = result->kind == ACCESS_UNIFORM && is_readable(kernel, load);
    return result->kind != ACCESS_NONE;
}

static void plan_load(struct planning *planning, LLVMValueRef load, struct simd_access *result)
{
    if (!plan_simple_load(planning->kernel, load, result)) {
        plan_divergent_load(planning, load, result);
    }
}

/* ---- stores ---- */

/* All stores of a group are emitted with the last one.
 * plan_node() meets the first store of the group first. It holds the group's kind. The last one
 * holds is_last and writes: by then the values of all fields are computed. */
static void plan_group(struct planning *planning, const struct simd_group *group)
{
    struct simd_access test = {.kind = ACCESS_GROUPED};
    set_test_of_group(planning, group->first, &test);
    for (unsigned f = 0; f < group->count; f++) {
        if (group->stores[f] != NULL) {
            *access_of(planning, group->stores[f]) =
                (struct simd_access){.kind = ACCESS_GROUPED,
                                     .group = group,
                                     .is_tested = test.is_tested,
                                     .restarts = test.restarts,
                                     .partner = group->first,
                                     .is_last = group->stores[f] == group->last};
        }
    }
    access_of(planning, group->first)->kind = ACCESS_INTERLEAVED;
}

/* Both stores of a pair are emitted with the second one.
 * The address of the pair is that of the lower field, which need not be the first one in the
 * program. */
static void plan_pair(struct planning *planning, LLVMValueRef first, LLVMValueRef second)
{
    LLVMValueRef low = simd_is_below(first, second) ? first : second;
    struct simd_access *result = access_of(planning, second);
    *access_of(planning, first) = (struct simd_access){.kind = ACCESS_GROUPED, .partner = second};
    *result = (struct simd_access){.kind = ACCESS_FIELD_PAIR, .partner = first};
    result->pair_kind = plan_varying_store(planning, low, pair_type(planning->kernel, low), result);
}

/* The kernel allows the store to bypass the caches (plan/nontemporal.c), and the next block
 * continues where this block ends, so that lines are written whole. */
static bool is_nontemporal(const struct simd_kernel *kernel, LLVMValueRef store)
{
    int64_t size =
        (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout, simd_accessed_type(store));
    return kernel->nontemporal_bytes != 0 &&
           kernel->nontemporal[simd_number(kernel, store)] != NULL &&
           simd_continues_in_next_block(kernel, simd_accessed(store), size);
}

/* LLVM's masked stores cannot be volatile, so inactive lanes need one store for each lane. */
static void plan_volatile_store(const struct planning *planning, LLVMValueRef store,
                                struct simd_access *result)
{
    result->kind = plan_varying_store(planning, store, simd_accessed_type(store), result);
    bool is_vector = result->kind == ACCESS_CONTIGUOUS && !result->is_tested && !planning->masked;
    if (result->kind != ACCESS_UNIFORM && !is_vector) {
        *result = (struct simd_access){.kind = ACCESS_SCALARIZED};
    }
}

/* A store of one value to one address needs no vector. If the values differ, the last active lane's
 * value must remain in memory, so plan_varying_store() handles the address. */
static void plan_store(struct planning *planning, LLVMValueRef store, struct simd_access *result)
{
    const struct simd_kernel *kernel = planning->kernel;
    LLVMTypeRef type = simd_accessed_type(store);
    bool is_one = simd_is_scalar(kernel, simd_accessed(store));
    bool is_same = simd_is_scalar(kernel, LLVMGetOperand(store, 0));
    bool is_atomic = LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic;
    if (is_one && is_same && !is_atomic) {
        result->kind = ACCESS_UNIFORM;
        return;
    }
    if (is_odd(type) || is_atomic) {
        result->kind = ACCESS_SCALARIZED;
        return;
    }
    if (simd_keeps_volatile(store)) {
        plan_volatile_store(planning, store, result);
        return;
    }
    const struct simd_group *group = planning->masked ? NULL
                                     : planning->restarts
                                         ? planning->overlaps.groups[simd_number(kernel, store)]
                                         : simd_find_store_group(kernel, store, NULL);
    if (group != NULL) {
        plan_group(planning, group);
        return;
    }
    LLVMValueRef second = simd_find_pair(kernel, store, planning->accesses);
    if (second != NULL) {
        plan_pair(planning, store, second);
    } else if (!plan_index(planning, store, false, result)) {
        result->kind = plan_varying_store(planning, store, type, result);
        result->is_nontemporal = result->kind == ACCESS_CONTIGUOUS && is_nontemporal(kernel, store);
    }
}

/* A shuffle or match that stores, for each lane, whether its source lane was in range or all lanes
 * matched. */
static void plan_warp_operation(const struct planning *planning, LLVMValueRef call,
                                struct simd_access *result)
{
    LLVMTypeRef i32 = simd_context_of(planning->kernel)->types.i32;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef address = LLVMGetArgOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMPointerTypeKind && !LLVMIsNull(address)) {
            struct simd_shape at = *simd_shape_of(planning->kernel, address);
            enum order order = order_of(planning, at, i32, 1);
            result->is_tested = order == ORDER_TESTED;
            result->kind = at.kind <= SHAPE_VECTOR ? ACCESS_UNIFORM
                           : order == ORDER_NONE   ? ACCESS_GATHER_SCATTER
                                                   : ACCESS_CONTIGUOUS;
        }
    }
}

/* ---- all accesses ---- */

/* Records that are already set belong to accesses that an earlier one has taken into its pair or
 * group. */
static void plan_node(struct planning *planning, unsigned node)
{
    const struct simd_node *at = simd_node(planning->kernel, node);
    planning->site.node = node;
    planning->current = 0;
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        planning->current = may_write(i) ? 0 : planning->current;
        bool is_load = LLVMIsALoadInst(i) != NULL, is_store = LLVMIsAStoreInst(i) != NULL;
        struct simd_access *result = is_load || is_store ? access_of(planning, i) : NULL;
        if (simd_warp_operation_of(i) != WARP_NONE) {
            plan_warp_operation(planning, i, access_of(planning, i));
        }
        if (result == NULL || result->kind != ACCESS_NONE) {
            continue;
        }
        if (is_load) {
            plan_load(planning, i, result);
        } else {
            plan_store(planning, i, result);
        }
    }
}

struct simd_access *simd_plan_accesses(const struct simd_path *path, const struct simd_graph *graph,
                                       bool masked, bool is_all_active)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct planning planning = {.site = {.path = path, .graph = graph},
                                .kernel = kernel,
                                .masked = masked,
                                .restarts = is_all_active && !masked,
                                .overlaps = path->overlaps};
    planning.accesses = arena_alloc((simd_value_count(kernel) + 1) * sizeof *planning.accesses);
    for (size_t i = 0; i < graph->count; i++) {
        plan_node(&planning, graph->order[i]);
    }
    return planning.accesses;
}

struct simd_access *simd_plan_recomputed(const struct simd_kernel *kernel, bool masked)
{
    struct planning planning = {.kernel = kernel, .masked = masked};
    planning.accesses = arena_alloc((simd_value_count(kernel) + 1) * sizeof *planning.accesses);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        struct simd_access *result = &planning.accesses[v];
        if (simd_node_of_number(kernel, v) >= 0 && LLVMIsALoadInst(load) != NULL &&
            simd_can_recompute(kernel, load) && !plan_simple_load(kernel, load, result)) {
            result->kind = plan_varying_load(&planning, load, LLVMTypeOf(load), result);
        }
    }
    return planning.accesses;
}
