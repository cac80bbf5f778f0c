/* Random CUDA programs in abstract form: generated from a number, and executed sequentially to find
 * the expected results. Plain C that is also C++.
 *
 * A program is a tree of grids. All work on one array of cells. Exactly one thread (or copy, or
 * callback) writes each cell, once. A grid reads only cells whose writes CUDA's rules put before
 * it: by its launching thread before the launch, by an earlier grid of its stream, by one for which
 * an event or a synchronize waited, or, for a tail launch, by the whole grid that launched it. So
 * there are no races, and every schedule gives the same cells. One such schedule runs each launch
 * at once, and tails at the end. Values are hashes of everything that was read. A read that is too
 * early, or a grid that runs twice, changes all later values. */
#ifndef CDP_TESTS_FUZZ_PROGRAM_H
#define CDP_TESTS_FUZZ_PROGRAM_H

#include <stdint.h>
#include <string.h>

enum {
    FUZZ_NODES = 96,
    FUZZ_STEPS = 2048,
    FUZZ_INPUTS = 2048,
    FUZZ_CELLS = 8192,
    FUZZ_SUMS = 4, /* cells to which any thread may add; the last ones */
    FUZZ_THREADS = 64,
    FUZZ_BLOCKS = 3,
    FUZZ_DEPTH = 4, /* levels of grids */
    FUZZ_STREAMS = 4,
    FUZZ_EVENTS = 2,
};

/* A grid, a copy of one cell, or a function of the host. */
enum fuzz_kind { FUZZ_GRID, FUZZ_COPY, FUZZ_CALL };

/* On the device: the block's NULL stream, two of its own, fire and forget, tail. On the host: the
 * NULL stream, two that wait for it, one that does not. */
enum { FUZZ_NULL, FUZZ_ONE, FUZZ_TWO, FUZZ_THREE, FUZZ_FREE = FUZZ_THREE, FUZZ_TAIL };

enum fuzz_step_kind {
    /* By all threads of all blocks. */
    FUZZ_MIX,
    FUZZ_EXCHANGE, /* through shared memory, between two barriers */
    FUZZ_VOTE,     /* __syncthreads_count */
    FUZZ_SHUFFLE,
    FUZZ_BALLOT,
    FUZZ_ADD, /* to one of the sums, atomically */
    /* By one thread of one block, or by the host. */
    FUZZ_LAUNCH,
    FUZZ_WRITE, /* a cell */
    FUZZ_READ,  /* cells */
    FUZZ_RECORD,
    FUZZ_WAIT,
    FUZZ_JOIN,  /* cudaDeviceSynchronize */
    FUZZ_SYNC,  /* the host: cudaStreamSynchronize */
    FUZZ_QUERY, /* the host: cudaStreamQuery, whose result is ignored */
    FUZZ_NOTHING,
};

/* What a step EXCHANGE lacks in programs with a planted race. */
enum { FUZZ_FIRST_BARRIER = 1, FUZZ_SECOND_BARRIER = 2 };

struct fuzz_step {
    uint8_t kind, stream, event, block, thread, missing;
    int16_t node;          /* LAUNCH */
    int16_t inputs, count; /* READ: some of program.inputs */
    int32_t cell;          /* WRITE */
    uint32_t constant;
};

struct fuzz_node {
    uint8_t kind, blocks, threads, depth;
    int16_t steps, step_count;
    int16_t inputs, input_count;
    int32_t out; /* the first of its cells; there is one for each thread */
    uint32_t dynamic_shared;
};

struct fuzz_program {
    uint64_t seed;
    int32_t nodes, steps, inputs, cells;
    struct fuzz_node node[FUZZ_NODES];
    struct fuzz_step step[FUZZ_STEPS];
    int32_t input[FUZZ_INPUTS];
    int16_t host_steps, host_step_count; /* of step */
};

#ifdef __CUDACC__
#define FUZZ_BOTH __host__ __device__
#else
#define FUZZ_BOTH
#endif

FUZZ_BOTH static inline uint64_t fuzz_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 31;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 29;
}

/* The lanes of the thread's warp in a block with this number of threads. */
FUZZ_BOTH static inline uint32_t fuzz_lanes(uint32_t thread, uint32_t threads)
{
    uint32_t first = thread / 32 * 32;
    return threads - first < 32 ? threads - first : 32;
}

void fuzz_make(struct fuzz_program *program, uint64_t seed);
/* Computes the final values of the cells; they start as zero. Returns a hash of what the host
 * read. */
uint64_t fuzz_expect(const struct fuzz_program *program, uint64_t cells[FUZZ_CELLS]);

#endif
