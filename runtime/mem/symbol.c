/* Hash tables from host addresses to device variables or kernels. */
#include "mem/symbol.h"

#include "base/alloc.h"

struct cdp_symbol_table *cdp_symbol_table_create(size_t capacity)
{
    size_t slots = 16;
    while (slots < capacity * 2) {
        slots *= 2;
    }
    struct cdp_symbol_table *table = cdp_alloc_zero(sizeof *table + slots * sizeof table->slots[0]);
    if (table != NULL) {
        table->mask = slots - 1;
    }
    return table;
}

void cdp_symbol_table_add(struct cdp_symbol_table *table, const void *handle, void *value)
{
    uint64_t hash = ((uint64_t)(uintptr_t)handle >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 32) & table->mask;
    while (table->slots[i].handle != NULL && table->slots[i].handle != handle) {
        i = (i + 1) & table->mask;
    }
    table->count += table->slots[i].handle == NULL;
    table->slots[i] = (struct cdp_symbol_slot){.handle = handle, .value = value};
}
