/* Optimization of a block's shared memory in straight code: after the optimizer, in block entries
 * for one block size.
 *
 * Where masks and addresses are constants, as in tree reductions and scans that have become
 * straight code, the contents of shared memory are known.  Loads become shuffles of the vectors
 * that were stored, and stores that no load reads are removed.  LLVM forwards only from one store
 * to a load.  A load of bytes from two stores stalls in the processor until both have left its
 * store queue.
 *
 * Metadata of an entry promises that its shared memory is only accessed through the block's own
 * pointers (analysis/alias.c).  Without it nothing is done here. */
#ifndef CDPCC_SIMD_POST_SHARED_MEMORY_H
#define CDPCC_SIMD_POST_SHARED_MEMORY_H
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

enum { SHARED_MOST_LANES = 64, SHARED_MOST_BYTES = 48 << 10 };

/* One entry's shared memory, as bytes from 0 on: the static part, then the dynamic part as far as
 * constant offsets reach into it. */
struct shared_area {
    LLVMValueRef function;
    LLVMTargetDataRef layout;
    LLVMValueRef scope; /* accesses to other memory have it in their "noalias" metadata */
    unsigned noalias;   /* the number of that kind of metadata */
    int64_t static_size, size;
};

/* The effect of an instruction on shared memory. */
enum shared_kind {
    SHARED_NOTHING,
    SHARED_LOAD,
    SHARED_STORE,
    SHARED_READS, /* at unknown addresses */
    SHARED_WRITES,
    SHARED_BOTH,
};

/* The effect of one instruction.  For loads and stores the addresses are known. */
struct shared_access {
    enum shared_kind kind;
    LLVMValueRef instruction;
    LLVMTypeRef type, element; /* of the whole value, and of one lane */
    unsigned lanes, size;      /* size: bytes of an element */
    bool on[SHARED_MOST_LANES];
    /* First byte of each lane; only an inactive lane's may be outside of the area. */
    int64_t at[SHARED_MOST_LANES];
    bool is_maybe;      /* active lanes may turn out inactive at run time */
    LLVMValueRef value; /* a store's value; the value of a masked load's inactive lanes, or NULL */
};

/* post/shared_memory.c: marks the parameter as the block, so that it is found among those that the
 * optimizer keeps. */
void shared_mark_block(LLVMValueRef function, unsigned parameter);
struct shared_access shared_access_of(const struct shared_area *area, LLVMValueRef instruction);

/* The function neither reads nor writes memory. */
bool shared_is_free_of_memory(LLVMValueRef callee);

/* post/demanded_lanes.c: the lanes of a load that any result depends on. */
void shared_needed(const struct shared_area *area, const struct shared_access *load, bool *needed);

/* post/store_forwarding.c: true if any load was replaced. */
bool shared_forward(const struct shared_area *area);

/* post/load_order.c: restores the program order of loads. */
void shared_order(LLVMValueRef function);

/* post/dead_stores.c: true if any store was removed. */
bool shared_drop_dead(const struct shared_area *area);

/* Runs the passes on all entries of the module. */
void simd_optimize_shared(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
