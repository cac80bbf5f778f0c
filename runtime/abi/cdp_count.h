/* Builds that count (cdpcc --count): the functions that device code calls.
 *
 * key: a hash of the instruction, of the iteration of each loop around it, and of the calls that
 * led to it. The lanes of a warp that call with the same key executed the instruction together. */
#ifndef CDP_COUNT_H
#define CDP_COUNT_H

#include "abi/cdp_check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instructions as nvprof divides them: inst_fp_16, inst_fp_32, inst_fp_64, inst_integer,
 * inst_bit_convert, inst_control, inst_compute_ld_st, inst_inter_thread_communication, inst_misc.
 * The names are those of the output. */
#define CDP_ABI_COUNT_CLASSES(X)                                                                   \
    X(FP16, "fp16")                                                                                \
    X(FP32, "fp32")                                                                                \
    X(FP64, "fp64")                                                                                \
    X(INTEGER, "integer")                                                                          \
    X(CONVERSION, "conversion")                                                                    \
    X(CONTROL, "control")                                                                          \
    X(LOAD_STORE, "load_store")                                                                    \
    X(INTER_THREAD, "inter_thread")                                                                \
    X(OTHER, "other")
enum cdp_abi_count_class {
#define CDP_ABI_COUNT_CLASS(name, text) CDP_COUNT_##name,
    CDP_ABI_COUNT_CLASSES(CDP_ABI_COUNT_CLASS)
#undef CDP_ABI_COUNT_CLASS
        CDP_COUNT_CLASSES,
};

/* The instructions of one source line in a basic block. The line is the user's, as in a site. */
struct cdp_abi_count_line {
    const char *file, *folder, *function; /* as in struct cdp_abi_site */
    uint32_t line;
    uint32_t of[CDP_COUNT_CLASSES];
};

/* A basic block. Const but for the number. */
struct cdp_abi_count_block {
    const char *function; /* its symbol; not of the source */
    const struct cdp_abi_count_line *lines;
    const struct cdp_abi_site *branch; /* at the block's end; NULL: it has one successor, or none */
    uint32_t line_count;
    uint32_t is_entry; /* 1: the first one of a kernel */
    uint32_t number;   /* 0; the runtime sets it */
    uint32_t unused;
};

/* What a request accesses: global memory, or shared memory of its own block; or a branch. */
enum cdp_abi_count_space { CDP_COUNT_GLOBAL, CDP_COUNT_SHARED, CDP_COUNT_BRANCH, CDP_COUNT_SPACES };

/* A number that compiled code counts by itself, and what one step adds to the sums: of a site; or,
 * if the space is CDP_COUNT_SPACES, of a basic block, whose warps are requests. Const. */
struct cdp_abi_counter {
    void *of; /* struct cdp_abi_site, const; or struct cdp_abi_count_block */
    uint32_t space;
    uint32_t requests, lanes, bytes, parts;
    uint32_t unused;
};
/* The numbers of a block entry. Const but for the number of the table. */
struct cdp_abi_counters {
    const struct cdp_abi_counter *items;
    uint64_t *spare; /* a place for the numbers if there is no memory: they are not reported then */
    uint32_t count;
    uint32_t number; /* 0; the runtime sets it */
};

/* An access follows; a branch, and whether its condition is true; a switch, and the number of the
 * side that it takes; the start of a basic block. How often a branch is executed follows from its
 * block, so one that certainly does not diverge needs no call. */
void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address, uint64_t size,
                          uint64_t key);
void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key);
void cdp_abi_count_switch(const struct cdp_abi_site *site, uint32_t side, uint64_t key);
void cdp_abi_count_block(struct cdp_abi_count_block *block, uint64_t key);
/* A call follows; and in the function that is called: the key of the call. */
void cdp_abi_count_call(uint64_t key);
uint64_t cdp_abi_count_start(void);
/* The thread ends. */
void cdp_abi_count_end(void);

/* The same for block entries: one or two whole warps, of which the lanes with a bit in active
 * execute the instruction. Lane l accesses first + stride * l; or first[l / lanes] + stride * (l %
 * lanes), where lanes divides 32; or addresses[l]. It takes the side sides[l], or the bit l of
 * taken. */
void cdp_abi_count_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                         uint64_t size, uint64_t active);
void cdp_abi_count_vectors(const struct cdp_abi_site *site, const void *const *first,
                           int64_t stride, uint32_t lanes, uint64_t size, uint64_t active);
void cdp_abi_count_gather(const struct cdp_abi_site *site, const uint64_t *addresses, uint64_t size,
                          uint64_t active);
void cdp_abi_count_switch_lanes(const struct cdp_abi_site *site, const uint32_t *sides,
                                uint64_t active);
/* The numbers that the calling OS thread counts, one of 8 bytes for each counter. No other thread
 * writes them. They stay where they are. */
uint64_t *cdp_abi_count_counters(struct cdp_abi_counters *counters);
/* Block 0 of a grid starts. block: the first basic block of its kernel. */
void cdp_abi_count_launch(const struct cdp_abi_count_block *block);

#ifdef __cplusplus
}
#endif
#endif
