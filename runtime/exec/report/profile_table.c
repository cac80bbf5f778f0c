/* Hash tables with open addressing. */
#include "exec/report/profile_table.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

static size_t hash(const struct cdp_profile_entry *key)
{
    uint64_t mixed = (uint64_t)(uintptr_t)key->what * UINT64_C(0x9E3779B97F4A7C15);
    mixed ^= (uint64_t)(uintptr_t)key->parent * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (size_t)(mixed >> 32);
}

static bool is_same(const struct cdp_profile_entry *a, const struct cdp_profile_entry *b)
{
    return a->what == b->what && a->parent == b->parent && a->kind == b->kind;
}

/* The entry, or the unused one where it would be. There is one. */
static struct cdp_profile_entry *place_of(const struct cdp_profile_table *table,
                                          const struct cdp_profile_entry *key)
{
    size_t at = hash(key);
    for (;; at++) {
        struct cdp_profile_entry *entry = &table->entries[at & (table->capacity - 1)];
        if (entry->what == NULL || is_same(entry, key)) {
            return entry;
        }
    }
}

static bool grow(struct cdp_profile_table *table)
{
    struct cdp_profile_table larger = {.capacity = table->capacity == 0 ? 64 : 2 * table->capacity};
    larger.entries = cdp_alloc_zero(larger.capacity * sizeof *larger.entries);
    if (larger.entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->entries[i].what != NULL) {
            *place_of(&larger, &table->entries[i]) = table->entries[i];
        }
    }
    cdp_free(table->entries);
    table->entries = larger.entries;
    table->capacity = larger.capacity;
    return true;
}

struct cdp_profile_entry *cdp_profile_find(struct cdp_profile_table *table,
                                           const struct cdp_profile_entry *key)
{
    if (2 * table->count >= table->capacity && !grow(table)) {
        return NULL;
    }
    struct cdp_profile_entry *entry = place_of(table, key);
    if (entry->what == NULL) {
        *entry = (struct cdp_profile_entry){
            .what = key->what, .parent = key->parent, .kind = key->kind, .least = UINT64_MAX};
        table->count++;
    }
    return entry;
}

void cdp_profile_add_time(struct cdp_profile_entry *entry, uint64_t time)
{
    entry->count++;
    entry->total += time;
    entry->least = time < entry->least ? time : entry->least;
    entry->most = time > entry->most ? time : entry->most;
}

void cdp_profile_add_dims(struct cdp_profile_dims *dims, const uint32_t size[3], uint64_t count)
{
    for (int i = 0; i < 3; i++) {
        dims->least[i] = count == 0 || size[i] < dims->least[i] ? size[i] : dims->least[i];
        dims->most[i] = size[i] > dims->most[i] ? size[i] : dims->most[i];
    }
}

static void add_all(struct cdp_profile_entry *sum, const struct cdp_profile_entry *entry)
{
    cdp_profile_add_dims(&sum->grid, entry->grid.least, sum->count);
    cdp_profile_add_dims(&sum->block, entry->block.least, sum->count);
    cdp_profile_add_dims(&sum->grid, entry->grid.most, 1);
    cdp_profile_add_dims(&sum->block, entry->block.most, 1);
    sum->count += entry->count;
    sum->total += entry->total;
    sum->bytes += entry->bytes;
    sum->least = entry->least < sum->least ? entry->least : sum->least;
    sum->most = entry->most > sum->most ? entry->most : sum->most;
}

static void describe(struct cdp_profile_entry *sum, const struct cdp_profile_entry *entry)
{
    sum->name = entry->name;
    sum->parent_name = entry->parent_name;
    sum->has_block_entry = entry->has_block_entry;
    sum->has_thread_entry = entry->has_thread_entry;
    sum->prefers_threads = entry->prefers_threads;
}

void cdp_profile_merge(struct cdp_profile_table *table, const struct cdp_profile_table *from)
{
    for (size_t i = 0; i < from->capacity; i++) {
        if (from->entries[i].what != NULL) {
            struct cdp_profile_entry *sum = cdp_profile_find(table, &from->entries[i]);
            if (sum != NULL) {
                describe(sum, &from->entries[i]);
                if (from->entries[i].count != 0) {
                    add_all(sum, &from->entries[i]);
                }
            }
        }
    }
}

static int compare(const void *a, const void *b)
{
    const struct cdp_profile_entry *first = *(const struct cdp_profile_entry *const *)a;
    const struct cdp_profile_entry *second = *(const struct cdp_profile_entry *const *)b;
    return (first->total < second->total) - (first->total > second->total);
}

size_t cdp_profile_sorted(const struct cdp_profile_table *table, enum cdp_profile_kind kind,
                          const struct cdp_profile_entry ***out)
{
    size_t count = 0;
    *out = cdp_alloc((table->count + 1) * sizeof **out);
    for (size_t i = 0; i < table->capacity && *out != NULL; i++) {
        const struct cdp_profile_entry *entry = &table->entries[i];
        if (entry->what != NULL && entry->kind == kind && entry->count != 0) {
            (*out)[count++] = entry;
        }
    }
    if (count != 0) {
        qsort(*out, count, sizeof **out, compare);
    }
    return count;
}
