/* Handle tables: a growing array of slots, with a free list through the slots. */
#include "base/handle.h"

#include <stddef.h>

#include "base/alloc.h"

#define SLOT_BITS 24
#define SLOT_MASK ((UINT64_C(1) << SLOT_BITS) - 1)
#define TAG_SHIFT 56

static uint64_t pack(const struct cdp_handle_table *table, uint32_t index)
{
    return (uint64_t)table->tag << TAG_SHIFT |
           (uint64_t)table->slots[index].generation << SLOT_BITS | (index + 1);
}

static struct cdp_handle_slot *slot_of(const struct cdp_handle_table *table, uint64_t handle)
{
    uint64_t number = handle & SLOT_MASK;
    if (handle >> TAG_SHIFT != table->tag || number == 0 || number > table->count) {
        return NULL;
    }
    struct cdp_handle_slot *slot = &table->slots[number - 1];
    bool live = slot->object != NULL && slot->generation == (uint32_t)(handle >> SLOT_BITS);
    return live ? slot : NULL;
}

enum cdp_handle_state cdp_handle_state(const struct cdp_handle_table *table, uint64_t handle)
{
    uint64_t number = handle & SLOT_MASK;
    if (slot_of(table, handle) != NULL) {
        return CDP_HANDLE_LIVE;
    }
    bool ours = handle >> TAG_SHIFT == table->tag && number != 0 && number <= table->count;
    bool older = ours && (uint32_t)(handle >> SLOT_BITS) < table->slots[number - 1].generation;
    return older ? CDP_HANDLE_ENDED : CDP_HANDLE_FOREIGN;
}

static bool grow(struct cdp_handle_table *table)
{
    uint32_t capacity = table->capacity == 0 ? 64 : table->capacity * 2;
    if (capacity > SLOT_MASK) {
        return false;
    }
    struct cdp_handle_slot *slots = cdp_realloc(table->slots, capacity * sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

uint64_t cdp_handle_create(struct cdp_handle_table *table, void *object)
{
    uint32_t index;
    if (table->first_free != 0) {
        index = table->first_free - 1;
        table->first_free = table->slots[index].next_free;
    } else {
        if (table->count == table->capacity && !grow(table)) {
            return 0;
        }
        index = table->count++;
        table->slots[index].generation = 1;
    }
    table->slots[index].object = object;
    return pack(table, index);
}

void *cdp_handle_find(const struct cdp_handle_table *table, uint64_t handle)
{
    const struct cdp_handle_slot *slot = slot_of(table, handle);
    return slot == NULL ? NULL : slot->object;
}

static void free_slot(struct cdp_handle_table *table, struct cdp_handle_slot *slot)
{
    slot->object = NULL;
    slot->generation++;
    slot->next_free = table->first_free;
    table->first_free = (uint32_t)(slot - table->slots) + 1;
}

void *cdp_handle_remove(struct cdp_handle_table *table, uint64_t handle)
{
    struct cdp_handle_slot *slot = slot_of(table, handle);
    if (slot == NULL) {
        return NULL;
    }
    void *object = slot->object;
    free_slot(table, slot);
    return object;
}

void cdp_handle_clear(struct cdp_handle_table *table, bool (*takes)(void *object, void *arg),
                      void *arg)
{
    for (uint32_t i = 0; i < table->count; i++) {
        void *object = table->slots[i].object;
        if (object != NULL && (takes == NULL || takes(object, arg))) {
            free_slot(table, &table->slots[i]);
        }
    }
}
