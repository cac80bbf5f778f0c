/* Numbers by name: a hash table that only grows.
 *
 * Linear probing. Entries are never removed, so a search may stop at the first free entry. */
#include "support/map.h"

#include "support/arena.h"
#include "support/str.h"

#include <string.h>

/* The entry of a name, or the free entry for it. */
static struct map_entry *find(const struct map *map, const char *name)
{
    size_t mask = map->capacity - 1;
    size_t at = (size_t)str_hash(STR_HASH_START, name, strlen(name)) & mask;
    while (map->entries[at].name != NULL && !str_equals(map->entries[at].name, name)) {
        at = (at + 1) & mask;
    }
    return &map->entries[at];
}

static void grow(struct map *map)
{
    struct map old = *map;
    map->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
    map->entries = arena_alloc(map->capacity * sizeof(*map->entries));
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].name != NULL) {
            *find(map, old.entries[i].name) = old.entries[i];
        }
    }
}

size_t *map_at(struct map *map, const char *name)
{
    if (2 * (map->count + 1) > map->capacity) {
        grow(map);
    }
    struct map_entry *entry = find(map, name);
    if (entry->name == NULL) {
        entry->name = name;
        map->count++;
    }
    return &entry->value;
}
