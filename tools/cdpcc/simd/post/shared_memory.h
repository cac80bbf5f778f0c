/* What straight code does with a block's shared memory: after the optimizer, in block entries
 * for one size of blocks.
 *
 * Where masks and places are constants, as in trees and scans that have become straight code,
 * what lies in shared memory is known: loads become shuffles of the vectors that were stored,
 * and stores that nobody reads vanish.  LLVM knows only loads of what one store left; a load of
 * what two stores left waits, in the processor, until both have left its queue.
 *
 * An entry says by metadata that its shared memory is reached through the block's own pointers
 * and nobody else (analysis/alias.c); without it nothing here is done. */
#ifndef CDPCC_BLOCK_SHARED_H
#define CDPCC_BLOCK_SHARED_H
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

enum { SHARED_MOST_LANES = 64, SHARED_MOST_BYTES = 48 << 10 };

/* One entry's shared memory, as bytes from 0 on: the static part, then the dynamic one as far
 * as constants reach into it. */
struct shared_area {
    LLVMValueRef function;
    LLVMTargetDataRef layout;
    LLVMValueRef scope; /* accesses that are no others' have it as "noalias" */
    unsigned noalias;   /* that word's number */
    int64_t static_size, size;
};

enum shared_kind {
    SHARED_NOTHING,
    SHARED_LOAD,
    SHARED_STORE,
    SHARED_READS, /* somewhere */
    SHARED_WRITES,
    SHARED_BOTH,
};

/* What one instruction does.  Of loads and stores it is known where. */
struct shared_access {
    enum shared_kind kind;
    LLVMValueRef instruction;
    LLVMTypeRef type, element; /* of what is loaded or stored, and of one lane of it */
    unsigned lanes, size;      /* bytes of an element */
    bool on[SHARED_MOST_LANES];
    int64_t at[SHARED_MOST_LANES]; /* first bytes; outside the area only of inactive lanes */
    bool is_maybe;                 /* the active lanes may also be off */
    LLVMValueRef value; /* a store's value; what a masked load has for inactive lanes, or NULL */
};

/* post/shared_memory.c: the parameter is the block, whichever are left behind the optimizer. */
void shared_mark_block(LLVMValueRef function, unsigned parameter);
struct shared_access shared_access_of(const struct shared_area *area, LLVMValueRef instruction);

/* The function neither reads nor writes any. */
bool shared_is_free_of_memory(LLVMValueRef callee);

/* post/demanded_lanes.c: the lanes of what is loaded that count. */
void shared_needed(const struct shared_area *area, const struct shared_access *load, bool *needed);

/* post/store_forwarding.c: true if any load became a value. */
bool shared_forward(const struct shared_area *area);

/* post/load_order.c: loads in the order of the program. */
void shared_order(LLVMValueRef function);

/* post/dead_stores.c: true if any store went. */
bool shared_drop_dead(const struct shared_area *area);

/* The pass: on all entries of the module. */
void simd_optimize_shared(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
