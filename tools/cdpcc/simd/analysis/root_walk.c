/* Loops that follow links to the root of a tree, as those of a union-find structure do.
 *
 *     while (atomicCAS(&up[i], i, i) != i)
 *         i = up[i];
 *
 * The compare-and-swap changes nothing: it reads up[i].  If the element i is not linked to itself,
 * the next iteration looks at the element that it is linked to.  So no iteration looks at the same
 * element again, and the loop waits for no other thread.
 *
 * The optimizer leaves such a loop in one of three forms, of which the phi differs:
 *
 *     i = phi(first, next)         p = phi(first, i)            a = phi(first, &up[i])
 *     read up[i]                   i = up[p]                    i = *a
 *     next = up[i]                 read up[i]                   read up[i] */
#include "simd/analysis/root_walk.h"

#include "ir/value.h"
#include "simd/analysis/add_recurrence.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"

#include <llvm-c/Core.h>

/* The element base[index] at which an iteration looks. */
struct element {
    LLVMValueRef address, base, index;
};

/* The operation that finds the value: the value is its result or, of a compare-and-swap, the first
 * part of its result.  NULL: it is no atomic read. */
static LLVMValueRef atomic_read_of(LLVMValueRef value)
{
    bool is_found = LLVMIsAExtractValueInst(value) != NULL && LLVMGetIndices(value)[0] == 0;
    LLVMValueRef at = is_found ? LLVMGetOperand(value, 0) : value;
    return lower_is_atomic_read(at) ? at : NULL;
}

/* The index without its extension. */
static LLVMValueRef narrow(LLVMValueRef index)
{
    bool is_wider = LLVMIsAZExtInst(index) != NULL || LLVMIsASExtInst(index) != NULL;
    return is_wider ? LLVMGetOperand(index, 0) : index;
}

static bool find_element(LLVMValueRef address, struct element *element)
{
    if (LLVMIsAGetElementPtrInst(address) == NULL || LLVMGetNumOperands(address) != 2) {
        return false;
    }
    *element =
        (struct element){address, LLVMGetOperand(address, 0), narrow(LLVMGetOperand(address, 1))};
    return true;
}

/* The address is base[index], of the element's base. */
static bool is_address_at(const struct element *element, LLVMValueRef address, LLVMValueRef index)
{
    struct element other;
    return find_element(address, &other) && other.base == element->base && other.index == index &&
           LLVMGetGEPSourceElementType(address) == LLVMGetGEPSourceElementType(element->address);
}

static bool is_address_of(const struct element *element, LLVMValueRef address)
{
    return address == element->address || is_address_at(element, address, element->index);
}

/* The outgoing edge that is taken if an atomic read finds that the element is linked to itself;
 * -1: the condition does not test that. */
static int edge_of_root(LLVMValueRef condition, struct element *element)
{
    if (LLVMIsAExtractValueInst(condition) != NULL && LLVMGetIndices(condition)[0] == 1) {
        LLVMValueRef swap = LLVMGetOperand(condition, 0); /* succeeds if it finds what it expects */
        return lower_is_atomic_read(swap) && find_element(LLVMGetOperand(swap, 0), element) &&
                       element->index == LLVMGetOperand(swap, 1)
                   ? 0
                   : -1;
    }
    if (LLVMIsAICmpInst(condition) == NULL) {
        return -1;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef read = atomic_read_of(LLVMGetOperand(condition, i));
        if (read != NULL && find_element(LLVMGetOperand(read, 0), element) &&
            element->index == LLVMGetOperand(condition, 1 - i)) {
            return predicate == LLVMIntEQ ? 0 : predicate == LLVMIntNE ? 1 : -1;
        }
    }
    return -1;
}

/* The loop whose iterations are looked at. */
struct walk {
    const struct simd_graph *graph;
    int loop;
    struct element element;
};

/* A phi of the loop's header. */
static bool is_phi(const struct walk *walk, LLVMValueRef value)
{
    const struct simd_kernel *kernel = simd_kernel_of(walk->graph);
    return LLVMIsAPHINode(value) != NULL &&
           simd_node_of(kernel, value) == (int)walk->graph->loops[walk->loop].header;
}

/* What the phi must be in the next iteration, by form: a link of the element, its index or its
 * address. */
enum next { NEXT_LINK, NEXT_INDEX, NEXT_ADDRESS };

static bool is_next(const struct walk *walk, enum next next, LLVMValueRef value)
{
    const struct element *element = &walk->element;
    switch (next) {
    case NEXT_INDEX:
        return value == element->index;
    case NEXT_ADDRESS:
        return is_address_of(element, value);
    case NEXT_LINK:
        return LLVMIsALoadInst(value) != NULL && is_address_of(element, LLVMGetOperand(value, 0));
    }
    return false;
}

/* Finds the phi, and what it must be. */
static LLVMValueRef find_phi(const struct walk *walk, enum next *next)
{
    LLVMValueRef index = walk->element.index, from;
    struct element previous;
    if (is_phi(walk, index)) {
        *next = NEXT_LINK;
        return index;
    }
    if (LLVMIsALoadInst(index) == NULL) {
        return NULL;
    }
    from = LLVMGetOperand(index, 0);
    if (is_phi(walk, from)) {
        *next = NEXT_ADDRESS;
        return from;
    }
    if (!find_element(from, &previous) || !is_phi(walk, previous.index) ||
        !is_address_at(&walk->element, from, previous.index)) {
        return NULL;
    }
    *next = NEXT_INDEX;
    return previous.index;
}

/* Each iteration comes to the node, and the next one looks at the element that this one's is linked
 * to. */
static bool goes_on_to_link(const struct walk *walk, unsigned node)
{
    const struct simd_kernel *kernel = simd_kernel_of(walk->graph);
    const struct simd_loop *loop = &walk->graph->loops[walk->loop];
    enum next next;
    LLVMValueRef phi = find_phi(walk, &next);
    for (unsigned i = 0; phi != NULL && i < simd_node_count(kernel); i++) {
        const struct simd_node *at = simd_node(kernel, i);
        bool ends_iteration = false;
        for (unsigned j = 0; loop->inside[i] && j < at->next_count; j++) {
            ends_iteration |= at->next[j] == loop->header;
        }
        if (ends_iteration && (!simd_dominates(walk->graph, node, i) ||
                               !is_next(walk, next, simd_phi_value(kernel, phi, i)))) {
            return false;
        }
    }
    return phi != NULL;
}

bool simd_walks_to_root(const struct simd_graph *graph, int loop)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    const bool *inside = graph->loops[loop].inside;
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        const struct simd_node *at = simd_node(kernel, i);
        struct walk walk = {.graph = graph, .loop = loop};
        if (!inside[i] || at->end != END_CONDITION || at->match != NULL) {
            continue;
        }
        int edge = edge_of_root(at->condition, &walk.element);
        if (edge >= 0 && !inside[at->next[edge]] &&
            !simd_is_in_loop(graph, loop, walk.element.base) && goes_on_to_link(&walk, i)) {
            return true;
        }
    }
    return false;
}
