/* Device variables by their names in host code: the address of the host's shadow variable. Kernels
 * are found by the same kind of table, from a stub's address.
 *
 * A table is built once and then only read, without a lock. Its owner replaces the whole table when
 * a library adds entries. */
#ifndef CDP_MEM_SYMBOL_H
#define CDP_MEM_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct cdp_symbol_slot {
    const void *handle; /* NULL: empty */
    void *value;        /* borrowed */
};

/* An open-addressed hash table.  Const once built. */
struct cdp_symbol_table {
    struct cdp_symbol_table
        *older;  /* the owner's: the table that this one replaced, kept for readers */
    size_t mask; /* slot count - 1 */
    size_t count;
    struct cdp_symbol_slot slots[];
};

/* An empty table for capacity entries; owned by the caller, freed by cdp_free. */
struct cdp_symbol_table *cdp_symbol_table_create(size_t capacity) CDP_MUST_CHECK;
/* A later value for the same handle replaces the earlier one. */
void cdp_symbol_table_add(struct cdp_symbol_table *table, const void *handle, void *value);
/* NULL if there is none; table may be NULL. */
static inline void *cdp_symbol_find(const struct cdp_symbol_table *table, const void *handle)
{
    if (table == NULL || handle == NULL) {
        return NULL;
    }
    uint64_t hash = ((uint64_t)(uintptr_t)handle >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 32) & table->mask;
    while (table->slots[i].handle != NULL) {
        if (table->slots[i].handle == handle) {
            return table->slots[i].value;
        }
        i = (i + 1) & table->mask;
    }
    return NULL;
}

#endif
