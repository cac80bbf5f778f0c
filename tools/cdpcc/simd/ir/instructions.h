/* What single instructions of a kernel are.  All of these are questions about the instruction
 * alone: no analysis is needed. */
#ifndef CDPCC_SIMD_IR_INSTRUCTIONS_H
#define CDPCC_SIMD_IR_INSTRUCTIONS_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- calls ---- */

/* "" if the callee is not known, or if the instruction is no call. */
const char *simd_callee_name(LLVMValueRef instruction);
bool simd_is_barrier(LLVMValueRef instruction);
/* How a barrier combines the predicates of all threads. */
enum simd_vote { VOTE_NONE, VOTE_COUNT, VOTE_AND, VOTE_OR };
enum simd_vote simd_vote_of(LLVMValueRef instruction);
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
enum simd_warp simd_warp_operation_of(LLVMValueRef instruction);
/* For messages: "a shuffle". */
const char *simd_warp_operation_title(LLVMValueRef call);
/* A call without effects, which has the same result for the same operands. */
bool simd_is_pure_call(LLVMValueRef instruction);
/* Of a minimum or maximum of two integers: the predicate that holds if the first operand is the
 * result.  Zero if the instruction is neither. */
LLVMIntPredicate simd_clamp_of(LLVMValueRef instruction);

/* ---- arithmetic ---- */

bool simd_is_cast(LLVMOpcode opcode);
/* Vectors can do it, as LLVM's own instruction. */
bool simd_has_vector_form(LLVMValueRef instruction);

/* ---- memory ---- */

/* A fence or an atomic access. */
bool simd_is_order(LLVMValueRef at);
/* The address is the base plus a constant number of bytes.  NULL if there is another index. */
LLVMValueRef simd_address_base(LLVMValueRef address, int64_t *offset);
/* The address without the constants that are added last. */
LLVMValueRef simd_without_constants(LLVMValueRef address, int64_t *offset);
/* Of a load or store: the address, and the type of the value. */
LLVMValueRef simd_accessed(LLVMValueRef at);
LLVMTypeRef simd_accessed_type(LLVMValueRef at);
/* The memory of a plain access to a number. */
struct simd_member {
    LLVMValueRef base;
    int64_t offset; /* from the base, bytes */
    unsigned size;  /* bytes; 0: the instruction is no such access */
};
struct simd_member simd_member_of(LLVMValueRef at);

/* ---- the thread's context ---- */

/* A load of the address of the thread's context (struct cdp_abi_thread). */
bool simd_is_self(LLVMValueRef value);
/* The offset of the field that a load reads, in bytes; -1 if it reads none: of the thread's
 * context, and of the block (struct cdp_abi_block). */
int simd_self_field(LLVMValueRef load);
int simd_field(LLVMValueRef load);

#endif
