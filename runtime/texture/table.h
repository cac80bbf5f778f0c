/* The handles of arrays, textures and surfaces.
 *
 * Device code looks a texture up at every fetch, so this takes no lock. An object's slot is never
 * moved or freed, and its handle shows whether it is still the same object. */
#ifndef CDP_TEXTURE_TABLE_H
#define CDP_TEXTURE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/handle.h"
#include "base/lock.h"
#include "texture/array.h"
#include "texture/image.h"

enum { CDP_TEXTURE_CHUNK = 64, CDP_TEXTURE_CHUNKS = 4096 };

enum cdp_object_kind { CDP_OBJECT_TEXTURE = 1, CDP_OBJECT_SURFACE };

/* A surface: the image that device code reads and writes. */
struct cdp_surface {
    struct cdp_image image;
    struct cdp_format format;
    bool is_layered; /* also cubes */
};

struct cdp_texture_object {
    enum cdp_object_kind kind;
    uint64_t array; /* the array's handle, 0 for memory; for queries */
    union {
        struct cdp_texture texture;
        struct cdp_surface surface;
    };
};

/* Invariant: handle is 0 while the object changes. An object that the host has destroyed is retired
 * until the work that was pending then is complete. Only device code still finds it. */
struct cdp_texture_slot {
    _Atomic uint64_t handle;
    _Atomic bool is_retired; /* written under the lock */
    uint32_t generation;
    uint32_t next_free; /* index + 1; 0: none */
    struct cdp_texture_object object;
};

/* Zeroed memory, with an initialized lock and tag, is valid and empty. Never destroyed. */
struct cdp_texture_table {
    struct cdp_lock lock;
    struct cdp_handle_table arrays CDP_GUARDED_BY(&lock);
    _Atomic(struct cdp_texture_slot *) chunks[CDP_TEXTURE_CHUNKS]; /* owned; grow only */
    uint32_t count CDP_GUARDED_BY(&lock);                          /* slots ever used */
    uint32_t first_free CDP_GUARDED_BY(&lock);                     /* index + 1 */
};

void cdp_texture_table_init(struct cdp_texture_table *table);

/* Lists an array; 0 when out of memory. */
uint64_t cdp_table_add_array(struct cdp_texture_table *table, struct cdp_array *array);
/* NULL: no such array.  Valid until removed. */
struct cdp_array *cdp_table_find_array(struct cdp_texture_table *table, uint64_t handle);
struct cdp_array *cdp_table_remove_array(struct cdp_texture_table *table, uint64_t handle);
/* Removes all arrays and objects whose memory lies in the heap; with others also the objects of all
 * memory that lies in no heap. */
void cdp_table_clear(struct cdp_texture_table *table, struct cdp_heap *heap, bool others);

/* A copy of the object gets a handle; 0 when out of memory. */
uint64_t cdp_table_add(struct cdp_texture_table *table, const struct cdp_texture_object *object);
/* From now on only device code can use the object. False if there is no such object. */
bool cdp_table_retire(struct cdp_texture_table *table, uint64_t handle, enum cdp_object_kind kind);
/* From now on neither host nor device code can use the object. Has no effect if it no longer
 * exists. */
void cdp_table_free_retired(struct cdp_texture_table *table, uint64_t handle,
                            enum cdp_object_kind kind);
/* The live object, or NULL.  Takes no lock. */
const struct cdp_texture_object *cdp_table_find(struct cdp_texture_table *table, uint64_t handle,
                                                enum cdp_object_kind kind);
/* The same for device code, which may have started before the object was retired. */
const struct cdp_texture_object *cdp_table_find_any(struct cdp_texture_table *table,
                                                    uint64_t handle, enum cdp_object_kind kind);

#endif
