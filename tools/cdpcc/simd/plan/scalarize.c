/* Instructions that run one lane after the other.  Their operands and results are in arrays with 64
 * bits for each lane. */
#include "simd/plan/scalarize.h"

#include "simd/analysis/alias.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/element_type.h"
#include "simd/ir/numbers.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"
#include "simd/plan/calls.h"

#include <llvm-c/Core.h>

/* The instruction may be scalarized.  Which accesses are is decided later, by the plan of the
 * paths. */
static bool may_be_scalarized(const struct simd_kernel *kernel, LLVMValueRef at)
{
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMCall: {
        enum simd_call_kind kind = simd_call_kind_of(kernel, at);
        return kind == CALL_SCALARIZED || kind == CALL_COPY || kind == CALL_COPY_EACH ||
               kind == CALL_GUARD || kind == CALL_RECORD || kind == CALL_COUNT;
    }
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMLoad:
    case LLVMStore:
        return LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic || simd_keeps_volatile(at);
    case LLVMExtractValue:
        if (simd_is_pair(LLVMGetOperand(at, 0))) {
            return false;
        }
        break;
    case LLVMPHI:
    case LLVMAlloca:
    case LLVMFence:
    case LLVMRet:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMUnreachable:
        return false;
    default:
        break;
    }
    return !simd_has_vector_form(at) && simd_is_varying(kernel, at);
}

static bool holds_types(const struct simd_kernel *kernel, LLVMValueRef at)
{
    LLVMTypeRef type = LLVMTypeOf(at);
    bool is_none = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    if (!is_none && !simd_is_pair(at) && !simd_is_element_type(type)) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        if (simd_number(kernel, operand) >= 0 && !simd_is_uniform(kernel, operand) &&
            !simd_is_element_type(LLVMTypeOf(operand))) {
            return false;
        }
    }
    return true;
}

const char *simd_scalarize_refusal(const struct simd_kernel *kernel, LLVMValueRef *blamed)
{
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        if (simd_node_of_number(kernel, v) >= 0 && may_be_scalarized(kernel, at) &&
            !holds_types(kernel, at)) {
            *blamed = at;
            return "it has values of a type that vectors do not hold";
        }
    }
    return NULL;
}
