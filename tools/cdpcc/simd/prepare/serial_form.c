/* Kernels whose threads may run one after the other.
 *
 * The kernel must be small, and without barriers, launches, volatile accesses, local arrays and
 * shared memory.  It reads nothing of its context but the indices, and never writes there.  So each
 * thread may run to its end before the next one starts, unless a loop waits for another thread,
 * which the caller tests. */
#include "simd/prepare/serial_form.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/wide_calls.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* Instructions of a kernel that is small, and address computations to look through. */
enum { MOST_INSTRUCTIONS = 160, MOST_STEPS = 16 };

static bool is_u32(struct lower_context *lower, LLVMValueRef load)
{
    return LLVMTypeOf(load) == lower->types.i32;
}

bool simd_is_thread_field(struct lower_context *lower, LLVMValueRef load)
{
    int field = simd_self_field(load);
    return field >= 0 && field <= (int)offsetof(struct cdp_abi_thread, linear) && field % 4 == 0 &&
           is_u32(lower, load);
}

bool simd_is_block_field(struct lower_context *lower, LLVMValueRef load)
{
    int field = simd_field(load);
    return field >= 0 &&
           field < (int)(offsetof(struct cdp_abi_block, grid_dim) + 3 * sizeof(uint32_t)) &&
           field != offsetof(struct cdp_abi_block, dynamic_shared_size) && field % 4 == 0 &&
           is_u32(lower, load);
}

/* A field of the context or of the block, or a parameter.  All other loads are the program's. */
static bool is_of_context(LLVMValueRef load)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return base != NULL && (simd_is_self(base) || simd_field(load) >= 0);
}

static bool may_load(struct lower_context *lower, LLVMValueRef load)
{
    if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic) {
        return false;
    }
    bool is_block = simd_self_field(load) == offsetof(struct cdp_abi_thread, block);
    return simd_is_self(load) || is_block || simd_is_thread_field(lower, load) ||
           simd_is_block_field(lower, load) || !is_of_context(load);
}

/* The address must not be that of the context. */
static bool may_store(LLVMValueRef store)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(store, 1), &offset);
    return !LLVMGetVolatile(store) && LLVMGetOrdering(store) == LLVMAtomicOrderingNotAtomic &&
           (base == NULL || !simd_is_self(base));
}

static bool may_be(struct lower_context *lower, LLVMValueRef at)
{
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMLoad:
        return may_load(lower, at);
    case LLVMStore:
        return may_store(at);
    case LLVMCall:
        return simd_is_hint(at) || simd_is_print(at) || simd_is_arithmetic_call(at);
    case LLVMAlloca:
    case LLVMFence:
    case LLVMUnreachable:
    case LLVMInvoke:
    case LLVMIndirectBr:
    case LLVMCallBr:
        return false;
    default:
        return true;
    }
}

/* Whether the kernel uses its parameters, the context and the block by loads at constant offsets
 * only. */
static bool has_only_loads(LLVMValueRef address, unsigned steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        int64_t offset;
        bool is_step = LLVMIsAGetElementPtrInst(user) != NULL && steps != 0 &&
                       simd_address_base(user, &offset) != NULL;
        if (is_step ? !has_only_loads(user, steps - 1) : LLVMIsALoadInst(user) == NULL) {
            return false;
        }
    }
    return true;
}

static bool may_be_in_block(struct lower_context *lower, LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        bool is_base =
            LLVMIsALoadInst(at) != NULL &&
            (simd_is_self(at) || simd_self_field(at) == offsetof(struct cdp_abi_thread, block));
        if (!may_be(lower, at) || (is_base && !has_only_loads(at, MOST_STEPS))) {
            return false;
        }
    }
    return true;
}

bool simd_may_be_serial(struct lower_context *lower, const struct lower_kernel *kernel)
{
    LLVMValueRef entry = kernel->entry;
    if (!kernel->is_defined || kernel->cluster_dim[0] != 0 || kernel->shared.extent != 0 ||
        lower_count_instructions(entry) > MOST_INSTRUCTIONS ||
        !has_only_loads(LLVMGetParam(entry, 0), MOST_STEPS)) {
        return false;
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(entry); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        if (!may_be_in_block(lower, block)) {
            return false;
        }
    }
    return true;
}
