/* Calls that the vectorizer recognizes: barriers, warp operations, pure functions. */
#ifndef CDPCC_SIMD_IR_CALLS_H
#define CDPCC_SIMD_IR_CALLS_H
#include <llvm-c/Core.h>
#include <stdbool.h>

/* The start of the names of functions that pass scalars on as structures (prepare/split_calls.c).
 * The callee's name follows. */
#define SIMD_SPLIT_CALL "cdp.split."
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
/* A launch: a call of cdp_abi_cudaLaunchDevice. Its operands; a dimension is a pair of 32 bits, and
 * a third number. */
bool simd_is_device_launch(LLVMValueRef at);
/* A call that allocates the parameters of a launch. */
bool simd_is_parameter_buffer(LLVMValueRef at);
enum simd_launch_operand {
    SIMD_LAUNCH_KERNEL, /* the descriptor */
    SIMD_LAUNCH_BUFFER,
    SIMD_LAUNCH_GRID_XY,
    SIMD_LAUNCH_GRID_Z,
    SIMD_LAUNCH_BLOCK_XY,
    SIMD_LAUNCH_BLOCK_Z,
    SIMD_LAUNCH_SHARED,
    SIMD_LAUNCH_STREAM,
    SIMD_LAUNCH_OPERANDS,
};
/* The start of the names of functions that run all threads of a small child (simd/serialize.c).
 * They may not be vectorized, because grids in one stream run one after the other. They read
 * nothing of the calling thread's context, and set no error. */
#define SIMD_SERIAL_CHILD "cdp.serial."
bool simd_is_serial_child(LLVMValueRef instruction);
/* The call waits for child grids. */
bool simd_waits_for_children(LLVMValueRef at);
/* The call waits for child grids or for the grid's other blocks. */
bool simd_waits(LLVMValueRef at);
/* WARP_NONE for all other instructions. */
enum simd_warp simd_warp_operation_of(LLVMValueRef instruction);
/* The operation's name in messages, such as "a shuffle".
 * The call must be a warp operation. */
const char *simd_warp_operation_title(LLVMValueRef call);
/* A guard of --check: a function of this module that calls the runtime if its first operand is
 * true. It has no other effect. */
bool simd_is_guard(LLVMValueRef instruction);
/* A call of --check that describes a plain access. The runtime has functions that take the accesses
 * of all lanes of a vector, and return those for which the call must be made after all. */
struct simd_record_form {
    const char *name, *lanes, *gather; /* of the functions; gather NULL: there is none */
    bool has_site;                     /* the first operand; then come address and size */
    bool has_steps;                    /* the last two: distance and number of accesses */
    bool has_value;                    /* the last operand is the stored value */
    bool has_bits;                     /* the last operand is a bit for each byte of the value */
    bool has_result;                   /* all ones for lanes that are not returned */
    bool is_final;                     /* no lanes are returned */
};
/* Of a call, or of the guard of such a call; NULL for others. The result is constant. */
const struct simd_record_form *simd_record_form_of(LLVMValueRef call);
/* A call before an access, for AddressSanitizer (instrument/address.c). */
bool simd_is_address_test(LLVMValueRef call);
/* An instruction with two results, which are the fields of a struct: a compare-and-swap, or a call
 * of cdp_abi_bounds. */
bool simd_is_pair(LLVMValueRef value);
/* A call of --count: of an access, a branch or a switch, or a basic block that starts. It writes no
 * memory of the program, but it must not be repeated. */
enum simd_count {
    COUNT_NONE,
    COUNT_ACCESS,
    COUNT_BRANCH,
    COUNT_SWITCH,
    COUNT_BLOCK,
    COUNT_END, /* the thread ends: block entries count whole warps, and need no end */
};
/* COUNT_NONE for all other instructions. */
enum simd_count simd_count_of(LLVMValueRef instruction);
/* A call that describes one thread, or only helps the optimizer: assume, lifetime. */
bool simd_is_hint(LLVMValueRef instruction);
/* A call of printf and the like. It needs nothing of the calling thread, and returns. */
bool simd_is_print(LLVMValueRef instruction);
/* A call without side effects that has the same result for the same operands. */
bool simd_is_pure_call(LLVMValueRef instruction);
/* Another call: it may write memory of the program, or do something that must not be repeated. */
bool simd_has_effects(LLVMValueRef call);
/* The predicate that holds if the first operand of a minimum or maximum of two integers is the
 * result.  Zero if the instruction is neither. */
LLVMIntPredicate simd_clamp_of(LLVMValueRef instruction);

#endif
