/* Stores that are delayed past loads of other arrays.
 *
 * A program that updates its structures field by field loads between the stores:
 *
 *     p[i].x += v[i].x * dt;          load p.x, load v.x, store p.x,
 *     p[i].y += v[i].y * dt;          load p.y, load v.y, store p.y
 *
 * An interleave group stores all fields at once, where the last one is (plan/interleave.c). So the
 * store of p[i].x moves past the loads of p[i].y and v[i].y. Threads do not wait for each other
 * here, so only a thread's own loads count. The first load is of another field of the same
 * structure. The second one is of the same element of another array, so both addresses differ by as
 * much as the two pointers, up to the size of a structure. If these are not `restrict`, the
 * difference is tested before the chunks of a region: it is the same for all threads. Both pointers
 * may be equal if the fields are different ones. If the arrays overlap otherwise, all chunks run
 * under masks, where stores are not delayed (emit/chunks.c).
 *
 * LLVM's loop vectorizer has such tests, too: its runtime pointer checks. */
#include "simd/plan/overlaps.h"

#include "simd/analysis/clobber.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/plan/interleave.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

enum { MOST_TESTS = 8 };

/* The address is pointer[index]. */
struct element {
    int64_t pointer;    /* the pointer's offset among the parameters; -1: another address */
    LLVMValueRef index; /* 64 bits */
    LLVMTypeRef type;
};

static struct element element_of(const struct simd_kernel *kernel, LLVMValueRef address)
{
    struct element result = {.pointer = -1};
    bool is_step = LLVMIsAGetElementPtrInst(address) != NULL && LLVMGetNumOperands(address) == 2;
    LLVMValueRef pointer = is_step ? LLVMGetOperand(address, 0) : NULL;
    if (pointer == NULL || LLVMIsALoadInst(pointer) == NULL) {
        return result;
    }
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(pointer, 0), &offset);
    if (base != NULL && base == LLVMGetParam(simd_function_of(kernel), 0)) {
        result.pointer = offset;
        result.index = LLVMGetOperand(address, 1);
        result.type = LLVMGetGEPSourceElementType(address);
    }
    return result;
}

/* False: there are too many tests. */
static bool add_test(struct simd_overlaps *overlaps, const struct simd_overlap *test)
{
    for (size_t i = 0; i < overlaps->count; i++) {
        struct simd_overlap *other = &overlaps->items[i];
        if (other->first == test->first && other->second == test->second) {
            other->bytes = other->bytes > test->bytes ? other->bytes : test->bytes;
            other->may_be_equal &= test->may_be_equal;
            return true;
        }
    }
    if (overlaps->items == NULL) {
        overlaps->items = arena_alloc(MOST_TESTS * sizeof *overlaps->items);
    }
    if (overlaps->count == MOST_TESTS) {
        return false;
    }
    overlaps->items[overlaps->count++] = *test;
    return true;
}

static bool are_apart(const struct simd_member *a, const struct simd_member *b)
{
    return a->offset + a->size <= b->offset || b->offset + b->size <= a->offset;
}

/* Both offsets are less than `bytes` apart.  So the accesses do not overlap if the pointers are
 * twice as far apart, and by the size of the load, which may be of several structures. */
enum simd_passing simd_passes_load(const struct simd_kernel *kernel, LLVMValueRef store,
                                   LLVMValueRef load, int64_t bytes, struct simd_overlaps *overlaps)
{
    struct simd_member to = simd_member_of(store), from = simd_member_of(load);
    if (from.size == 0) {
        return PASSES_NOT;
    }
    if (to.base == from.base) {
        return are_apart(&to, &from) ? PASSES : PASSES_NOT;
    }
    if (!simd_may_clobber_any(kernel, store, load)) {
        return PASSES;
    }
    struct element stored = element_of(kernel, to.base), loaded = element_of(kernel, from.base);
    int64_t distance = from.offset - to.offset;
    if (stored.pointer < 0 || loaded.pointer < 0 || stored.pointer == loaded.pointer ||
        stored.index != loaded.index || stored.type != loaded.type || distance >= bytes ||
        distance <= -bytes || overlaps == NULL) {
        return PASSES_NOT;
    }
    bool is_less = stored.pointer < loaded.pointer;
    struct simd_overlap test = {.first = is_less ? stored.pointer : loaded.pointer,
                                .second = is_less ? loaded.pointer : stored.pointer,
                                .bytes = 2 * bytes + from.size,
                                .may_be_equal = are_apart(&to, &from)};
    return add_test(overlaps, &test) ? PASSES_IF_TESTED : PASSES_NOT;
}

static void add_group(const struct simd_kernel *kernel, struct simd_overlaps *overlaps,
                      const struct simd_group *group, bool *taken)
{
    overlaps->groups[simd_number(kernel, group->first)] = group;
    for (unsigned f = 0; f < group->count; f++) {
        if (group->stores[f] != NULL) {
            int number = simd_number(kernel, group->stores[f]);
            taken[number] = true;
            overlaps->delayed[number] = group->stores[f] != group->last;
        }
    }
}

struct simd_overlaps simd_find_overlaps(const struct simd_graph *graph)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    size_t count = simd_value_count(kernel) + 1;
    struct simd_overlaps overlaps = {.groups = arena_alloc(count * sizeof *overlaps.groups),
                                     .delayed = arena_alloc(count)};
    bool *taken = arena_alloc(count);
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *node = simd_node(kernel, graph->order[i]);
        for (LLVMValueRef at = node->first; at != NULL && at != node->last;
             at = LLVMGetNextInstruction(at)) {
            bool is_first = LLVMIsAStoreInst(at) != NULL && !taken[simd_number(kernel, at)];
            const struct simd_group *group =
                is_first ? simd_find_store_group(kernel, at, &overlaps) : NULL;
            if (group != NULL) {
                add_group(kernel, &overlaps, group, taken);
            }
        }
    }
    return overlaps;
}
