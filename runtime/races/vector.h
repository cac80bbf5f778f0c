/* Accesses of several threads at once, as block entries make them. */
#ifndef CDP_RACES_VECTOR_H
#define CDP_RACES_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct cdp_history_block;

/* Plain accesses of at most 64 threads, by one instruction. Lane l is the thread with the number
 * thread + l. */
struct cdp_race_vector {
    const char *first; /* lane 0's address */
    int64_t stride;    /* from one lane to the next one */
    uint64_t size;     /* bytes */
    uint64_t lanes;    /* a bit for each lane that accesses memory */
    uint32_t thread;
    uint32_t site; /* of device code */
    bool writes;
    bool is_strict; /* two stores of the same value race, too */
    /* Of a write: what the threads of the instruction store, by thread - first_thread; NULL: all
     * store the same value. */
    const uint64_t *values;
    uint32_t first_thread;
    bool is_shared;                  /* all addresses are in the block's shared memory */
    struct cdp_history_block *block; /* the running one */
};

/* Records the accesses that do not race. Returns the lanes of the others, which are not recorded.
 */
uint64_t cdp_race_record_vector(const struct cdp_race_vector *vector);
/* The same for reads that each lane makes count times, each step bytes after the one before. */
uint64_t cdp_race_record_loop(const struct cdp_race_vector *vector, int64_t step, uint64_t count);

#endif
