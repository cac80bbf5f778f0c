/* Loops made twice.
 *
 * Where lanes' addresses are rows, or all one, only if a test says so, each access has two ways. In
 * for (k = 0; k < n; k++) sum += a[i / w * n + k] * b[k * w + i % w] the tests are known when the
 * loop begins: there are two loops then.  In the first one all tests hold, and what is the same for
 * all lanes of a vector is so for the chunk, too; the other one asks as before. */
#include "simd/plan/versioning.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/interleave.h"
#include "support/arena.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 200 };

struct search {
    const struct simd_emit *emit;
    const bool *inside; /* by node */
    bool *seen, *found; /* by value number */
    bool is_any;
};

static bool is_tested(const struct simd_emit *emit, int number)
{
    const struct simd_value *value = &emit->values[number];
    return value->is_set && value->shape.kind == SHAPE_LINEAR &&
           value->shape.check == CHECK_ALWAYS && value->holds_for_all[0] != NULL;
}

/* What the address is made of that the loop does not compute. */
static void find_tested(struct search *search, LLVMValueRef value)
{
    const struct simd_kernel *kernel = search->emit->kernel;
    int number = simd_number(kernel, value);
    if (number < 0 || search->seen[number]) {
        return;
    }
    search->seen[number] = true;
    int node = kernel->node_of[number];
    if (node < 0 || !search->inside[node]) {
        search->found[number] = is_tested(search->emit, number);
        search->is_any |= search->found[number];
        return;
    }
    bool is_end = LLVMIsAPHINode(value) != NULL || LLVMIsALoadInst(value) != NULL ||
                  kernel->facts->shapes[number].check != CHECK_ALWAYS;
    for (unsigned i = 0; !is_end && i < (unsigned)LLVMGetNumOperands(value); i++) {
        find_tested(search, LLVMGetOperand(value, i));
    }
}

/* False: the node is too long, or all of it so far. */
static bool search_node(struct search *search, const struct simd_node *node, unsigned *count)
{
    for (LLVMValueRef i = node->first; i != NULL && i != node->last;
         i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) != NULL || LLVMIsAStoreInst(i) != NULL) {
            find_tested(search, simd_accessed(i));
        }
        ++*count;
    }
    return *count <= MOST_INSTRUCTIONS;
}

bool *simd_find_tested(const struct simd_emit *emit, const bool *inside)
{
    const struct simd_kernel *kernel = emit->kernel;
    struct search search = {.emit = emit, .inside = inside};
    unsigned count = 0;
    search.seen = arena_alloc(kernel->value_count + 1);
    search.found = arena_alloc(kernel->value_count + 1);
    for (size_t i = 0; i < kernel->node_count; i++) {
        if (inside[i] && !search_node(&search, &kernel->nodes[i], &count)) {
            return NULL;
        }
    }
    return search.is_any ? search.found : NULL;
}

/* Poison where the value is, which no access needs then; but what others say counts. */
static LLVMValueRef test_value(struct simd_emit *emit, const struct simd_value *value)
{
    LLVMValueRef all = simd_int(emit->lower->i1, 1);
    for (unsigned u = 0; u < emit->vectors; u++) {
        all = simd_both(emit, all, value->holds_for_all[u]);
        if (u != 0 && value->shape.stride == 0) {
            LLVMValueRef same =
                LLVMBuildICmp(emit->builder, LLVMIntEQ, value->scalar[u], value->scalar[0], "");
            all = simd_both(emit, all, same);
        }
    }
    return LLVMBuildFreeze(emit->builder, all, "");
}

LLVMValueRef simd_test_all(struct simd_emit *emit, const bool *tested)
{
    LLVMValueRef all = simd_int(emit->lower->i1, 1);
    for (size_t v = 0; v < emit->kernel->value_count; v++) {
        if (tested[v]) {
            all = LLVMBuildAnd(emit->builder, all, test_value(emit, &emit->values[v]), "");
        }
    }
    return all;
}

/* The tests for accesses under masks stay: what flags promise is asked there all the same. */
struct simd_value *simd_assume_affine(struct simd_emit *emit, const bool *tested)
{
    size_t count = emit->kernel->value_count;
    struct simd_value *kept = arena_alloc((count + 1) * sizeof *kept);
    memcpy(kept, emit->values, count * sizeof *kept);
    for (size_t v = 0; v < count; v++) {
        struct simd_value *value = &emit->values[v];
        for (unsigned u = 0; tested[v] && u < emit->vectors; u++) {
            value->holds_for_all[u] = NULL;
            value->scalar[u] = value->shape.stride == 0 ? value->scalar[0] : value->scalar[u];
        }
    }
    return kept;
}
