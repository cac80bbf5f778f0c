/* Handles of arrays, textures and surfaces. */
#include "texture/table.h"

#include "base/alloc.h"

enum { ARRAY_TAG = 21, KIND_SHIFT = 56, GENERATION_SHIFT = 24 };
#define INDEX_MASK 0xffffffu

/* To be called before any other thread knows the table. */
void cdp_texture_table_init(struct cdp_texture_table *table) CDP_NO_THREAD_SAFETY
{
    cdp_lock_init(&table->lock, CDP_RANK_TEXTURES);
    table->arrays.tag = ARRAY_TAG;
}

uint64_t cdp_table_add_array(struct cdp_texture_table *table, struct cdp_array *array)
{
    cdp_lock_acquire(&table->lock);
    uint64_t handle = cdp_handle_create(&table->arrays, array);
    cdp_lock_release(&table->lock);
    return handle;
}

struct cdp_array *cdp_table_find_array(struct cdp_texture_table *table, uint64_t handle)
{
    cdp_lock_acquire(&table->lock);
    struct cdp_array *array = cdp_handle_find(&table->arrays, handle);
    cdp_lock_release(&table->lock);
    return array;
}

struct cdp_array *cdp_table_remove_array(struct cdp_texture_table *table, uint64_t handle)
{
    cdp_lock_acquire(&table->lock);
    struct cdp_array *array = cdp_handle_remove(&table->arrays, handle);
    cdp_lock_release(&table->lock);
    return array;
}

/* ---- Objects: bits 63..56 the kind, 55..24 the generation, 23..0 index + 1 ---- */

static struct cdp_texture_slot *slot_at(struct cdp_texture_table *table, uint32_t index)
{
    /* Acquire pairs with the release in new_slot: it makes the chunk's zeros visible. */
    struct cdp_texture_slot *chunk =
        atomic_load_explicit(&table->chunks[index / CDP_TEXTURE_CHUNK], memory_order_acquire);
    return chunk != NULL ? &chunk[index % CDP_TEXTURE_CHUNK] : NULL;
}

static struct cdp_texture_slot *new_slot(struct cdp_texture_table *table, uint32_t *index)
    CDP_NEEDS(&table->lock)
{
    if (table->first_free != 0) {
        *index = table->first_free - 1;
        struct cdp_texture_slot *slot = slot_at(table, *index);
        table->first_free = slot->next_free;
        return slot;
    }
    if (table->count == CDP_TEXTURE_CHUNK * CDP_TEXTURE_CHUNKS) {
        return NULL;
    }
    if (table->count % CDP_TEXTURE_CHUNK == 0) {
        struct cdp_texture_slot *chunk = cdp_alloc_zero(CDP_TEXTURE_CHUNK * sizeof *chunk);
        if (chunk == NULL) {
            return NULL;
        }
        atomic_store_explicit(&table->chunks[table->count / CDP_TEXTURE_CHUNK], chunk,
                              memory_order_release);
    }
    *index = table->count++;
    return slot_at(table, *index);
}

static uint64_t publish(struct cdp_texture_slot *slot, uint32_t index)
{
    uint64_t handle = (uint64_t)slot->object.kind << KIND_SHIFT |
                      (uint64_t)slot->generation << GENERATION_SHIFT | (index + 1);
    /* Release pairs with the acquire in cdp_table_find: it publishes the contents. */
    atomic_store_explicit(&slot->handle, handle, memory_order_release);
    return handle;
}

uint64_t cdp_table_add(struct cdp_texture_table *table, const struct cdp_texture_object *object)
{
    uint64_t handle = 0;
    uint32_t index;
    cdp_lock_acquire(&table->lock);
    struct cdp_texture_slot *slot = new_slot(table, &index);
    if (slot != NULL) {
        slot->object = *object;
        handle = publish(slot, index);
    }
    cdp_lock_release(&table->lock);
    return handle;
}

static struct cdp_texture_slot *find(struct cdp_texture_table *table, uint64_t handle,
                                     enum cdp_object_kind kind)
{
    uint32_t index = (uint32_t)(handle & INDEX_MASK) - 1;
    if (handle >> KIND_SHIFT != (uint64_t)kind || index >= CDP_TEXTURE_CHUNK * CDP_TEXTURE_CHUNKS) {
        return NULL;
    }
    struct cdp_texture_slot *slot = slot_at(table, index);
    return slot != NULL && atomic_load_explicit(&slot->handle, memory_order_acquire) == handle
               ? slot
               : NULL;
}

const struct cdp_texture_object *cdp_table_find(struct cdp_texture_table *table, uint64_t handle,
                                                enum cdp_object_kind kind)
{
    const struct cdp_texture_slot *slot = find(table, handle, kind);
    return slot != NULL && !atomic_load(&slot->is_retired) ? &slot->object : NULL;
}

const struct cdp_texture_object *cdp_table_find_any(struct cdp_texture_table *table,
                                                    uint64_t handle, enum cdp_object_kind kind)
{
    const struct cdp_texture_slot *slot = find(table, handle, kind);
    return slot != NULL ? &slot->object : NULL;
}

static void free_slot(struct cdp_texture_table *table, struct cdp_texture_slot *slot,
                      uint32_t index) CDP_NEEDS(&table->lock)
{
    atomic_store_explicit(&slot->handle, 0, memory_order_relaxed);
    atomic_store(&slot->is_retired, false);
    slot->generation++;
    slot->next_free = table->first_free;
    table->first_free = index + 1;
}

bool cdp_table_retire(struct cdp_texture_table *table, uint64_t handle, enum cdp_object_kind kind)
{
    cdp_lock_acquire(&table->lock);
    struct cdp_texture_slot *slot = find(table, handle, kind);
    bool is_live = slot != NULL && !atomic_load(&slot->is_retired);
    if (is_live) {
        atomic_store(&slot->is_retired, true);
    }
    cdp_lock_release(&table->lock);
    return is_live;
}

void cdp_table_free_retired(struct cdp_texture_table *table, uint64_t handle,
                            enum cdp_object_kind kind)
{
    cdp_lock_acquire(&table->lock);
    struct cdp_texture_slot *slot = find(table, handle, kind);
    if (slot != NULL && atomic_load(&slot->is_retired)) {
        free_slot(table, slot, (uint32_t)(handle & INDEX_MASK) - 1);
    }
    cdp_lock_release(&table->lock);
}

static const void *memory_of(const struct cdp_texture_object *object)
{
    return object->kind == CDP_OBJECT_TEXTURE ? object->texture.image[0].data
                                              : object->surface.image.data;
}

void cdp_table_clear(struct cdp_texture_table *table, struct cdp_heap *heap, bool others)
{
    cdp_lock_acquire(&table->lock);
    cdp_handle_clear(&table->arrays, cdp_array_forget, heap);
    for (uint32_t i = 0; i < table->count; i++) {
        struct cdp_texture_slot *slot = slot_at(table, i);
        bool is_used = atomic_load_explicit(&slot->handle, memory_order_relaxed) != 0;
        if (is_used && (others || cdp_heap_contains(heap, memory_of(&slot->object)))) {
            free_slot(table, slot, i);
        }
    }
    cdp_lock_release(&table->lock);
}
