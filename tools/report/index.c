/* Linear probing. Nothing is ever removed, so a search may stop at the first free entry. */
#include "report/index.h"

#include "report/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t entry_of(const struct index *index, uint64_t key)
{
    size_t mask = index->capacity - 1;
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & mask;
    while (index->places[at] != 0 && index->keys[at] != key) {
        at = (at + 1) & mask;
    }
    return at;
}

bool index_find(const struct index *index, uint64_t key, uint32_t *place)
{
    if (index->capacity == 0) {
        return false;
    }
    uint32_t found = index->places[entry_of(index, key)];
    *place = found - 1;
    return found != 0;
}

static void put(struct index *index, uint64_t key, uint32_t stored)
{
    size_t at = entry_of(index, key);
    index->keys[at] = key;
    index->places[at] = stored;
}

static void grow(struct index *index)
{
    struct index old = *index;
    index->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
    index->keys = memory_grow(NULL, index->capacity * sizeof *index->keys);
    index->places = memory_grow(NULL, index->capacity * sizeof *index->places);
    memset(index->places, 0, index->capacity * sizeof *index->places);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.places[i] != 0) {
            put(index, old.keys[i], old.places[i]);
        }
    }
    free(old.keys);
    free(old.places);
}

void index_add(struct index *index, uint64_t key, uint32_t place)
{
    if (2 * (index->count + 1) > index->capacity) {
        grow(index);
    }
    put(index, key, place + 1);
    index->count++;
}

void index_free(struct index *index)
{
    free(index->keys);
    free(index->places);
    *index = (struct index){0};
}
