/* What the optimizer may assume about a block entry's memory.
 *
 * A block's shared memory does not alias other memory as long as no address of it escapes from the
 * kernel. Types carry no alias information: see lower/front.c.
 *
 * Why it matters: LLVM may keep a value of shared memory in a register across stores to global
 * memory only if the two do not alias. A call of an unknown function, or an address of shared
 * memory that is stored or passed on, makes that unknown. */
#include "simd/analysis/alias.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/memory.h"
#include "simd/ir/placement.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* The block's record has the address of its static and of its dynamic shared memory. */
static bool is_shared_base(LLVMValueRef value)
{
    int field = LLVMIsALoadInst(value) != NULL ? simd_field(value) : -1;
    return field == offsetof(struct cdp_abi_block, shared) ||
           field == offsetof(struct cdp_abi_block, dynamic_shared);
}

bool simd_is_shared(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return is_shared_base(address);
}

bool simd_keeps_volatile(LLVMValueRef at)
{
    return (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) && LLVMGetVolatile(at) &&
           !simd_is_shared(simd_accessed(at));
}

bool simd_is_plain_load(LLVMValueRef load)
{
    return LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic && !simd_keeps_volatile(load);
}

/* The address escapes: it is used for more than accesses.
 * Recursion follows addresses that are derived from this one. */
static bool escapes(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_step = LLVMIsAGetElementPtrInst(user) != NULL && LLVMGetOperand(user, 0) == address;
        bool is_access =
            LLVMIsALoadInst(user) != NULL ||
            (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) != address) ||
            (LLVMIsAAtomicRMWInst(user) != NULL && LLVMGetOperand(user, 1) != address) ||
            (LLVMIsAAtomicCmpXchgInst(user) != NULL && LLVMGetOperand(user, 1) != address &&
             LLVMGetOperand(user, 2) != address);
        if (!is_access && (!is_step || escapes(user))) {
            return true;
        }
    }
    return false;
}

/* A call of a function of the program, which could return an address of shared memory. */
static bool is_unknown_call(LLVMValueRef instruction)
{
    LLVMValueRef callee = lower_callee(instruction);
    return LLVMIsACallInst(instruction) != NULL && !simd_is_guard(instruction) &&
           (callee == NULL || (strncmp(lower_name(callee), "llvm.", 5) != 0 &&
                               strncmp(lower_name(callee), "cdp_abi_", 8) != 0));
}

/* False also if the kernel has no shared memory.  The parameters of a function that kernels call
 * may point to it. */
bool simd_is_shared_noalias(const struct simd_kernel *kernel)
{
    bool is_used = false;
    if (simd_is_called(kernel)) {
        return false;
    }
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (simd_node_of_number(kernel, i) < 0) {
            continue;
        }
        bool is_base = is_shared_base(simd_value_at(kernel, i));
        if (is_unknown_call(simd_value_at(kernel, i)) ||
            (is_base && escapes(simd_value_at(kernel, i)))) {
            return false;
        }
        is_used |= is_base;
    }
    return is_used;
}

/* Operations of integers and floats that a load, an operation and a store can do. */
static bool has_plain_form(LLVMValueRef instruction)
{
    if (LLVMIsAAtomicCmpXchgInst(instruction) != NULL) {
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(instruction, 1))) == LLVMIntegerTypeKind;
    }
    if (LLVMIsAAtomicRMWInst(instruction) == NULL) {
        return false;
    }
    switch ((int)LLVMGetAtomicRMWBinOp(instruction)) {
    case LLVMAtomicRMWBinOpXchg:
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
    case LLVMAtomicRMWBinOpUIncWrap:
    case LLVMAtomicRMWBinOpUDecWrap:
    case LLVMAtomicRMWBinOpFAdd:
    case LLVMAtomicRMWBinOpFSub:
        return true;
    default:
        return false;
    }
}

bool simd_is_plain_atomic(LLVMValueRef instruction)
{
    return has_plain_form(instruction) && simd_is_shared(LLVMGetOperand(instruction, 0));
}
