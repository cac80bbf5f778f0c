/* Nontemporal stores: which stores bypass the caches.
 *
 * A grid that writes more than the last-level cache holds leaves nothing there that is read later.
 * Still, each line that it writes is read from memory first, and evicts another line that may still
 * be needed.  x86 has stores of whole lines that do neither.  They reduce memory traffic by a third
 * where one array is read and another one written.  While the data fit into the cache, they are
 * slower, so the grid's size decides at run time.  Memory is also slow to accept short writes at
 * scattered addresses, which the caches would have combined: so each block must continue where its
 * neighbour's rows ended.
 *
 * Nontemporal stores are not ordered with other stores of the processor, but a fence after them
 * orders them; the dispatcher emits one.  A kernel that orders its own accesses has no nontemporal
 * stores.
 *
 * This file decides for the stores of the kernel; metadata marks the stores of the entry.  The
 * optimizer does not use this metadata and sees no branches.  Only after the optimizer, adjacent
 * stores become two paths: nontemporal stores if their rows are whole lines, or the original
 * stores.
 *
 * Takes: a built kernel. Gives: for each store the array that it writes, if it may bypass the
 * caches, and the bytes that each thread writes so. At run time the size of the grid decides.
 *
 * Which stores: contiguous, to an array that a pointer parameter names and that the kernel never
 * reads, in straight code or in a loop whose iterations write different elements. The processor is
 * x86. */
#include "simd/plan/nontemporal.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/grid_stride.h"
#include "simd/analysis/shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/kernel.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "support/arena.h"
#include "support/str.h"
#include "target/target.h"

#include <string.h>

enum { CACHE_LINE = 64, LEAST_BYTES = 16 };

/* The kernel's pointer parameter into whose array the address points; NULL: none, or unknown. A
 * load from the parameter buffer represents the array: equal loads are the same value after CSE. */
static LLVMValueRef array_of(const struct simd_kernel *kernel, LLVMValueRef address)
{
    int64_t offset;
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    bool is_parameter = LLVMIsALoadInst(address) != NULL &&
                        simd_address_base(LLVMGetOperand(address, 0), &offset) ==
                            LLVMGetParam(simd_function_of(kernel), 0);
    return is_parameter ? address : NULL;
}

/* An array that the kernel also reads should stay in the cache. */
static bool is_read(const struct simd_kernel *kernel, LLVMValueRef array)
{
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        if (simd_node_of_number(kernel, v) >= 0 && LLVMIsALoadInst(at) != NULL &&
            array_of(kernel, LLVMGetOperand(at, 0)) == array) {
            return true;
        }
    }
    return false;
}

/* A fence, an atomic operation, a volatile access or a copy of memory in the kernel rules
 * nontemporal stores out. */
static bool has_order(const struct simd_kernel *kernel)
{
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        bool is_copy = LLVMIsACallInst(at) != NULL && str_starts(simd_callee_name(at), "llvm.mem");
        if (simd_node_of_number(kernel, v) >= 0 &&
            (simd_is_order(at) || simd_is_volatile(at) || is_copy)) {
            return true;
        }
    }
    return false;
}

/* Each iteration accesses another element, and no outer loop returns to it.  Not in a grid-stride
 * loop, which writes more than one element for each thread. */
static bool advances(const struct simd_graph *graph, int loop, LLVMValueRef address)
{
    if (loop < 0) {
        return true;
    }
    LLVMValueRef phi = simd_node(simd_kernel_of(graph), graph->loops[loop].header)->first;
    bool depends = false;
    for (; phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        depends = depends || simd_depends_on(address, phi);
    }
    return depends && graph->loops[loop].parent < 0 && simd_find_stride(graph, loop).step == NULL;
}

static int64_t size_of(const struct simd_kernel *kernel, LLVMValueRef store)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    return (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout, type);
}

/* The lanes' elements are contiguous, and there are enough of them for a register. */
static bool is_contiguous(const struct simd_kernel *kernel, LLVMValueRef store)
{
    struct simd_shape shape = *simd_shape_of(kernel, LLVMGetOperand(store, 1));
    int64_t size = size_of(kernel, store);
    return shape.kind == SHAPE_LINEAR && shape.stride == size &&
           size * simd_variant_of(kernel)->lanes >= LEAST_BYTES;
}

/* The array to which the value, a contiguous store, writes; NULL if it is no such store. */
static LLVMValueRef written_by(const struct simd_graph *graph, size_t value)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    LLVMValueRef at = simd_value_at(kernel, value);
    int node = simd_node_of_number(kernel, value);
    if (!simd_has_node(graph, node) || LLVMIsAStoreInst(at) == NULL || !is_contiguous(kernel, at) ||
        !advances(graph, simd_loop_of(graph, node), LLVMGetOperand(at, 1))) {
        return NULL;
    }
    LLVMValueRef array = array_of(kernel, LLVMGetOperand(at, 1));
    return array == NULL || is_read(kernel, array) ? NULL : array;
}

/* Several stores to the same element count once.
 * The widest store to the array represents all of them. */
static uint64_t count_bytes(const struct simd_kernel *kernel, const LLVMValueRef *written,
                            LLVMValueRef array)
{
    uint64_t most = 0;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        if (written[v] == array) {
            uint64_t size = (uint64_t)size_of(kernel, simd_value_at(kernel, v));
            most = size > most ? size : most;
        }
    }
    return most;
}

void simd_find_nontemporal(struct simd_kernel *kernel, unsigned lanes)
{
    kernel->variant.lanes = lanes;
    if (target_is_arm(simd_context_of(kernel)->options->target.triple) ||
        simd_traits_of(kernel)->range != RANGE_ANY || has_order(kernel)) {
        return;
    }
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    LLVMValueRef *written = arena_alloc((simd_value_count(kernel) + 1) * sizeof *written);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
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
