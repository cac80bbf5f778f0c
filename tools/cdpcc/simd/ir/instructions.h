/* Properties of single instructions of a kernel.  They depend on the instruction alone and need no
 * analysis. */
#ifndef CDPCC_SIMD_IR_INSTRUCTIONS_H
#define CDPCC_SIMD_IR_INSTRUCTIONS_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- calls ---- */

/* "" if the callee is unknown, or if the instruction is not a call. */
const char *simd_callee_name(LLVMValueRef instruction);
/* Any form of __syncthreads(). */
bool simd_is_barrier(LLVMValueRef instruction);
/* How a barrier combines the predicates of all threads. */
enum simd_vote { VOTE_NONE, VOTE_COUNT, VOTE_AND, VOTE_OR };
/* VOTE_NONE also for a plain barrier. */
enum simd_vote simd_vote_of(LLVMValueRef instruction);
/* The warp operation that a call is. */
enum simd_warp {
    WARP_NONE,
    WARP_SYNC,
    WARP_SHUFFLE,
    WARP_BALLOT,
    WARP_ACTIVE,
    WARP_MATCH_ANY,
    WARP_MATCH_ALL,
    WARP_REDUCE,
};
/* WARP_NONE for all other instructions. */
enum simd_warp simd_warp_operation_of(LLVMValueRef instruction);
/* The operation's name in messages, such as "a shuffle".
 * The call must be a warp operation. */
const char *simd_warp_operation_title(LLVMValueRef call);
/* A call without side effects that has the same result for the same operands. */
bool simd_is_pure_call(LLVMValueRef instruction);
/* The predicate that holds if the first operand of a minimum or maximum of two integers is the
 * result.  Zero if the instruction is neither. */
LLVMIntPredicate simd_clamp_of(LLVMValueRef instruction);

/* ---- arithmetic ---- */

/* The opcode converts one value to another type. */
bool simd_is_cast(LLVMOpcode opcode);
/* LLVM has the instruction on vectors. */
bool simd_has_vector_form(LLVMValueRef instruction);

/* ---- memory ---- */

/* A fence or an atomic access. */
bool simd_is_order(LLVMValueRef at);
/* The base to which the address adds a constant number of bytes.  NULL if the address has another
 * index. */
LLVMValueRef simd_address_base(LLVMValueRef address, int64_t *offset);
/* The address without the constants that are added last. */
LLVMValueRef simd_without_constants(LLVMValueRef address, int64_t *offset);
/* The address of a load or store, and the type of the value.
 * Only for loads and stores. */
LLVMValueRef simd_accessed(LLVMValueRef at);
LLVMTypeRef simd_accessed_type(LLVMValueRef at);
/* The memory of a plain access of a number. */
struct simd_member {
    LLVMValueRef base;
    int64_t offset; /* from the base, bytes */
    unsigned size;  /* bytes; 0: the instruction is not such an access */
};
struct simd_member simd_member_of(LLVMValueRef at);

/* ---- the thread's context ---- */

/* A load of the address of the thread's context (struct cdp_abi_thread). */
bool simd_is_self(LLVMValueRef value);
/* The offset in bytes of the field that a load reads; -1 if it reads none.  The first is for fields
 * of the thread's context, the second for fields of the block (struct cdp_abi_block). */
int simd_self_field(LLVMValueRef load);
int simd_field(LLVMValueRef load);

#endif
