/* Loads of the fields of a thread's context and of its block.
 *
 * threadIdx, blockIdx and blockDim are loads at constant offsets from the thread's context or from
 * its block (abi/cdp_abi.h):
 *
 *     %self  = load ptr, ptr @cdp_abi_self              simd_is_self()
 *     %x     = load i32, ptr %self + thread_idx         simd_self_field() == its offset
 *     %block = load ptr, ptr %self + block
 *     %n     = load i32, ptr %block + block_dim         simd_field() == its offset */
#include "simd/ir/thread_fields.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/ir/memory.h"

#include <stddef.h>
#include <string.h>

bool simd_is_self(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) == NULL) {
        return false;
    }
    LLVMValueRef global = LLVMIsAGlobalVariable(LLVMGetOperand(value, 0));
    return global != NULL && strcmp(lower_name(global), "cdp_abi_self") == 0;
}

enum { X = offsetof(struct cdp_abi_thread, thread_idx), Y = X + 4 };

/* Of loads that were transposed. */
static unsigned mark_of(LLVMValueRef load)
{
    static const char name[] = "cdp.transposed";
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(load)), name, sizeof name - 1);
}

static bool is_transposed(LLVMValueRef load, int field)
{
    return (field == X || field == Y) && LLVMGetMetadata(load, mark_of(load)) != NULL;
}

int simd_self_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    bool is_field = offset <= (int)offsetof(struct cdp_abi_thread, block);
    int field = base != NULL && is_field && simd_is_self(base) ? (int)offset : -1;
    return is_transposed(load, field) ? X + Y - field : field;
}

bool simd_reads_number(LLVMValueRef at)
{
    int field = simd_self_field(at);
    return field == offsetof(struct cdp_abi_thread, linear) ||
           (field >= 0 && field < (int)offsetof(struct cdp_abi_thread, linear) &&
            LLVMTypeOf(at) != LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(at))));
}

/* The mark changes no instruction, so values keep their numbers. */
void simd_transpose(LLVMValueRef instruction)
{
    int field = simd_self_field(instruction);
    if (field == X || field == Y) {
        LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(instruction));
        LLVMMetadataRef node = LLVMMDNodeInContext2(llvm, NULL, 0);
        LLVMSetMetadata(instruction, mark_of(instruction), LLVMMetadataAsValue(llvm, node));
    }
}

bool simd_is_common_field(LLVMValueRef load)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return base != NULL && simd_is_self(base) &&
           offset >= (int)offsetof(struct cdp_abi_thread, local_low) &&
           offset < (int)offsetof(struct cdp_abi_thread, active_threads);
}

/* serial_children changes with the block's NULL stream. */
int simd_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    bool is_const = offset != offsetof(struct cdp_abi_block, serial_children);
    return is_block && is_const ? (int)offset : -1;
}
