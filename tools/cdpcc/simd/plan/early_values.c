/* Values that are needed before the chunks of a region: addresses and guards of hoisted loads
 * (plan/hoist.c), and conditions of uniform exits (plan/uniform_exits.c).
 *
 *     half' = half / 2           cloned
 *       half                     available: from its slot
 *       2                        given */
#include "simd/plan/early_values.h"

#include "support/arena.h"

#include <llvm-c/Core.h>

struct simd_early_value *simd_early_clone(LLVMValueRef instruction)
{
    struct simd_early_value *result = arena_alloc(sizeof *result);
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    *result = (struct simd_early_value){.kind = EARLY_CLONED, .value = instruction};
    result->operands = arena_alloc((count + 1) * sizeof *result->operands);
    return result;
}

const struct simd_early_value *simd_early_value(enum simd_early_kind kind, LLVMValueRef value)
{
    struct simd_early_value *result = arena_alloc(sizeof *result);
    *result = (struct simd_early_value){.kind = kind, .value = value};
    return result;
}
