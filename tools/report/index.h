/* Places of an array by 64-bit keys: a hash table that only grows. Zero is the empty index. */
#ifndef CDP_REPORT_INDEX_H
#define CDP_REPORT_INDEX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing; capacity is 0 or a power of two, count at most half of it. Both arrays are
 * owned. A place of 0 is free: places are stored plus one. */
struct index {
    uint64_t *keys;
    uint32_t *places;
    size_t count, capacity;
};

/* False: the key is not there. */
bool index_find(const struct index *index, uint64_t key, uint32_t *place);
/* The key is not there yet. */
void index_add(struct index *index, uint64_t key, uint32_t place);
void index_free(struct index *index);

#endif
