/* Facts about the values of a kernel, for one version of it. */
#include "simd/analysis/facts.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/ir/kernel.h"
#include "simd/ir/limits.h"
#include "support/arena.h"

static const struct simd_shape uniform = {
    .kind = SHAPE_UNIFORM, .is_signed_exact = true, .is_unsigned_exact = true};

struct simd_facts *simd_facts_new(const struct simd_kernel *kernel)
{
    struct simd_facts *facts = arena_alloc(sizeof *facts);
    facts->shapes = arena_alloc((kernel->value_count + 1) * sizeof *facts->shapes);
    facts->tests = arena_alloc((kernel->value_count + 1) * sizeof *facts->tests);
    facts->needs_test = arena_alloc(kernel->value_count + 1);
    facts->is_forced = arena_alloc(kernel->value_count + 1);
    facts->is_clobbered = arena_alloc(kernel->value_count + 1);
    return facts;
}

struct simd_shape simd_shape_of(const struct simd_kernel *kernel, LLVMValueRef value)
{
    int number = simd_number(kernel, value);
    return number < 0 ? uniform : kernel->facts->shapes[number];
}

bool simd_has_rows(const struct simd_kernel *kernel)
{
    return kernel->variant.layout == LAYOUT_ROWS || kernel->variant.layout == LAYOUT_PADDED;
}

unsigned simd_lanes_per_thread(const struct simd_kernel *kernel)
{
    return kernel->variant.layout == LAYOUT_PADDED ? SIMD_MOST_PADDING : 1;
}

uint64_t simd_local_stride(const struct simd_kernel *kernel, LLVMValueRef alloca)
{
    uint64_t size = LLVMABISizeOfType(kernel->lower->layout, LLVMGetAllocatedType(alloca));
    return lower_align_up(size, LLVMGetAlignment(alloca));
}
