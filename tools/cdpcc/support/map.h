/* Numbers by name, in the arena; zero is the empty map. */
#ifndef CDPCC_MAP_H
#define CDPCC_MAP_H
#include <stddef.h>

/* One name and its number. The name must live as long as the map. */
struct map_entry {
    const char *name; /* NULL: free; borrowed */
    size_t value;
};

/* A hash table with open addressing: capacity is 0 or a power of two, and count at most
 * half of it. */
struct map {
    struct map_entry *entries;
    size_t count, capacity;
};

/* The number of a name, to read and to set; 0 for a new name. Valid until the next call. */
size_t *map_at(struct map *map, const char *name);

#endif
