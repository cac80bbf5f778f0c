/* Stores that go past the caches.
 *
 * A grid that writes more than the last cache holds leaves nothing there that anybody would find.
 * All the same, each line it writes is read from memory first, and drives out another that may be
 * wanted yet.  x86 has stores for whole lines that do neither: a third of the memory's work less
 * where one array is read and another one written.  While the data fit in the cache they are the
 * slower ones, so the grid's size decides, when it runs.  And memory is slow to take rows from all
 * over the place, which the caches would have collected: neighbouring blocks must go on where the
 * one before ended.
 *
 * Such stores keep no order with others that the processor makes, but a fence behind them does: the
 * choice at launch has one.  A kernel that orders its accesses itself has none of these.
 *
 * Which stores may be such is found in the kernel, and said of the entry's by metadata.  The
 * optimizer knows nothing of it, and sees no branches.  Only when it is done, stores that follow
 * each other become two ways: past the caches, if their rows are whole lines, or as they were. */
#include "simd/plan/nontemporal.h"

#include "simd/analysis/facts.h"
#include "simd/analysis/grid_stride.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/legality.h"
#include "simd/analysis/shape.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/interleave.h"
#include "simd/plan/prefetch_loop.h"
#include "support/arena.h"
#include "support/str.h"
#include "target/target.h"

#include "abi/cdp_abi.h"

#include <string.h>

enum { LINE = 64, LEAST_ROW = 16, MOST_AT_ONCE = 4 };

/* The kernel's parameter that the address is in the array of; NULL: no such, or not known. */
static LLVMValueRef array_of(const struct simd_kernel *kernel, LLVMValueRef address)
{
    int64_t offset;
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    bool is_parameter =
        LLVMIsALoadInst(address) != NULL &&
        simd_address_base(LLVMGetOperand(address, 0), &offset) == LLVMGetParam(kernel->function, 0);
    return is_parameter ? address : NULL;
}

/* Whoever reads its own lines, or shares them as atomic operations do, wants them in the cache. */
static bool is_read(const struct simd_kernel *kernel, LLVMValueRef array)
{
    for (size_t v = 0; v < kernel->value_count; v++) {
        LLVMValueRef at = kernel->values[v];
        if (kernel->node_of[v] >= 0 && LLVMIsALoadInst(at) != NULL &&
            array_of(kernel, LLVMGetOperand(at, 0)) == array) {
            return true;
        }
    }
    return false;
}

static bool has_order(const struct simd_kernel *kernel)
{
    for (size_t v = 0; v < kernel->value_count; v++) {
        LLVMValueRef at = kernel->values[v];
        bool is_copy = LLVMIsACallInst(at) != NULL && str_starts(simd_callee_name(at), "llvm.mem");
        if (kernel->node_of[v] >= 0 && (simd_is_order(at) || is_copy)) {
            return true;
        }
    }
    return false;
}

/* In each iteration another element, and no other loop comes back to it; one that strides through
 * the grid writes more than the grid's size tells. */
static bool moves_on(const struct simd_graph *graph, int loop, LLVMValueRef address)
{
    if (loop < 0) {
        return true;
    }
    LLVMValueRef phi = graph->kernel->nodes[graph->loops[loop].header].first;
    bool hangs = false;
    for (; phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        hangs = hangs || simd_depends_on(address, phi);
    }
    return hangs && graph->loops[loop].parent < 0 && simd_find_stride(graph, loop).step == NULL;
}

static int64_t size_of(const struct simd_kernel *kernel, LLVMValueRef store)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    return (int64_t)LLVMABISizeOfType(kernel->lower->layout, type);
}

/* Lanes' elements follow each other, enough of them for a register. */
static bool is_row(const struct simd_kernel *kernel, LLVMValueRef store)
{
    struct simd_shape shape = simd_shape_of(kernel, LLVMGetOperand(store, 1));
    int64_t size = size_of(kernel, store);
    return shape.kind == SHAPE_LINEAR && shape.stride == size &&
           size * kernel->variant.lanes >= LEAST_ROW;
}

/* Which array the value writes a row of, if it is such a store; else NULL. */
static LLVMValueRef written_by(const struct simd_graph *graph, size_t value)
{
    const struct simd_kernel *kernel = graph->kernel;
    LLVMValueRef at = kernel->values[value];
    int node = kernel->node_of[value];
    if (node < 0 || graph->position[node] < 0 || LLVMIsAStoreInst(at) == NULL ||
        !is_row(kernel, at) || !moves_on(graph, graph->loop_of[node], LLVMGetOperand(at, 1))) {
        return NULL;
    }
    LLVMValueRef array = array_of(kernel, LLVMGetOperand(at, 1));
    return array == NULL || is_read(kernel, array) ? NULL : array;
}

/* Several ways to write the same element count as one. */
static uint64_t count_bytes(const struct simd_kernel *kernel, const LLVMValueRef *written,
                            LLVMValueRef array)
{
    uint64_t most = 0;
    for (size_t v = 0; v < kernel->value_count; v++) {
        if (written[v] == array) {
            uint64_t size = (uint64_t)size_of(kernel, kernel->values[v]);
            most = size > most ? size : most;
        }
    }
    return most;
}

void simd_find_nontemporal(struct simd_kernel *kernel, unsigned lanes)
{
    kernel->variant.lanes = lanes;
    if (target_is_arm(kernel->lower->options->target.triple) || !kernel->traits.has_ranges ||
        has_order(kernel)) {
        return;
    }
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    LLVMValueRef *written = arena_alloc((kernel->value_count + 1) * sizeof *written);
    for (size_t v = 0; v < kernel->value_count; v++) {
        written[v] = written_by(graph, v);
        bool is_new = written[v] != NULL;
        for (size_t i = 0; i < v && is_new; i++) {
            is_new = written[i] != written[v];
        }
        if (is_new) {
            kernel->nontemporal_bytes += count_bytes(kernel, written, written[v]);
        }
    }
    kernel->nontemporal = written;
}
