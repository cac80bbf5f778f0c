/* The memory and the handles of streams and events of device code. */
#include "exec/launch/scope_object.h"

#include "base/alloc.h"
#include "exec/launch/spin.h"
#include "fiber/sanitizer.h"

/* The tag of handles of device streams and events.  The host's tables have other tags. */
#define TAG (UINT64_C(0x44) << 56)
#define TAG_MASK (UINT64_C(0xff) << 56)
#define GENERATION (UINT64_C(1) << CDP_SCOPE_NUMBER_BITS)

/* Slots that a worker takes at once, if there are no spare ones.  Each chunk has a multiple. */
enum { SOME = 32 };
_Static_assert(CDP_SCOPE_FIRST % SOME == 0, "a worker takes slots of one chunk");
_Static_assert(offsetof(struct cdp_scope_object, next) == offsetof(struct cdp_spare_links, next) &&
                   offsetof(struct cdp_scope_object, before) ==
                       offsetof(struct cdp_spare_links, next_batch),
               "an unused object begins with the links of spares");

void cdp_scope_objects_init(struct cdp_scope_objects *objects)
{
    cdp_lock_init(&objects->lock, CDP_RANK_ENGINE);
}

void cdp_scope_objects_finish(struct cdp_scope_objects *objects)
{
    for (unsigned i = 0; i < CDP_SCOPE_CHUNKS; i++) {
        cdp_free(atomic_load_explicit(&objects->chunks[i], memory_order_relaxed));
    }
    cdp_lock_finish(&objects->lock);
}

enum cdp_handle_state cdp_scope_handle_state(const struct cdp_scope_objects *objects,
                                             uint64_t handle)
{
    const struct cdp_scope_slot *slot = cdp_scope_slot_at(objects, handle);
    if (slot == NULL || (handle & TAG_MASK) != TAG) {
        return CDP_HANDLE_FOREIGN;
    }
    /* Relaxed: another worker may change both at any time. */
    if (atomic_load_explicit(&slot->object.handle, memory_order_relaxed) == handle) {
        return CDP_HANDLE_LIVE;
    }
    uint64_t next = atomic_load_explicit(&slot->object.next_handle, memory_order_relaxed);
    return handle < next ? CDP_HANDLE_ENDED : CDP_HANDLE_FOREIGN;
}

/* ---- Unused slots ---- */

/* Makes sure that the chunk of the slot with this number exists.  False without memory. */
static bool has_chunk(struct cdp_scope_objects *objects, uint32_t number) CDP_NEEDS(&objects->lock)
{
    uint32_t at = number + CDP_SCOPE_FIRST;
    unsigned chunk = 31u - (unsigned)__builtin_clz(at) - CDP_SCOPE_FIRST_BITS;
    if (atomic_load_explicit(&objects->chunks[chunk], memory_order_relaxed) != NULL) {
        return true;
    }
    uint32_t first = ((uint32_t)CDP_SCOPE_FIRST << chunk) - CDP_SCOPE_FIRST;
    uint32_t count = (uint32_t)CDP_SCOPE_FIRST << chunk;
    struct cdp_scope_slot *slots = cdp_alloc_aligned(CDP_CACHE_LINE, count * sizeof *slots);
    for (uint32_t i = 0; slots != NULL && i < count; i++) {
        atomic_init(&slots[i].object.next_handle, TAG | GENERATION | (first + i));
    }
    /* Release pairs with the acquire in cdp_scope_slot_at. */
    atomic_store_explicit(&objects->chunks[chunk], slots, memory_order_release);
    return slots != NULL;
}

/* A list of some slots that no worker has taken.  NULL without memory. */
static struct cdp_scope_slot *cut(struct cdp_scope_objects *objects)
{
    struct cdp_scope_slot *list = NULL;
    cdp_lock_acquire(&objects->lock);
    uint32_t number = objects->used;
    if (number < 1u << CDP_SCOPE_NUMBER_BITS && has_chunk(objects, number)) {
        list = cdp_scope_slot_at(objects, number);
        objects->used += SOME;
    }
    cdp_lock_release(&objects->lock);
    for (int i = 0; list != NULL && i < SOME; i++) {
        list[i].object.next = i + 1 < SOME ? &list[i + 1] : NULL;
    }
    return list;
}

static struct cdp_scope_slot *find_unused(struct cdp_executor *executor)
{
    struct cdp_spares *spares = &executor->engine->launch_memory.spares;
    struct cdp_scope_slot *list = cdp_spares_take(spares, CDP_SPARE_OBJECTS);
    executor->records.objects.count = list != NULL ? CDP_SPARE_BATCH : SOME;
    return list != NULL ? list : cut(&executor->engine->scope_objects);
}

void cdp_scope_object_give(struct cdp_executor *executor, struct cdp_scope_object *object)
{
    struct cdp_scope_free *unused = &executor->records.objects;
    object->next = unused->first;
    unused->first = cdp_scope_slot_of(object);
    if (CDP_UNLIKELY(++unused->count == CDP_SPARE_KEPT)) {
        void *list = unused->first;
        cdp_spares_give(&executor->engine->launch_memory.spares, CDP_SPARE_OBJECTS, &list);
        unused->first = list;
        unused->count -= CDP_SPARE_BATCH;
    }
}

/* ---- Objects in use ---- */

static void add(struct cdp_scope_slot **list, struct cdp_scope_slot *slot)
{
    struct cdp_scope_slot *next = *list;
    slot->object.next = next;
    slot->object.before = NULL;
    if (next != NULL) {
        next->object.before = slot;
    }
    *list = slot;
}

static void take_out(struct cdp_scope_slot **list, struct cdp_scope_object *object)
{
    if (object->before != NULL) {
        object->before->object.next = object->next;
    } else {
        *list = object->next;
    }
    if (object->next != NULL) {
        object->next->object.before = object->before;
    }
}

static void init(struct cdp_scope_slot *slot, enum cdp_scope_kind kind)
{
    slot->object.kind = (uint8_t)kind;
    if (kind == CDP_SCOPE_STREAM) {
        slot->stream.head = slot->stream.tail = NULL;
        slot->stream.is_ending = false;
        atomic_init(&slot->stream.lock, 0);
        slot->stream.races = (struct cdp_race_stream){.clock = NULL};
    } else {
        slot->event.latest = NULL;
        atomic_init(&slot->event.lock, 0);
    }
}

struct cdp_scope_slot *cdp_scope_object_create(struct cdp_block *block, enum cdp_scope_kind kind)
{
    struct cdp_executor *executor = block->executor;
    struct cdp_grid *grid = block->grid;
    struct cdp_scope_slot *slot = executor->records.objects.first;
    if (CDP_UNLIKELY(slot == NULL)) {
        slot = find_unused(executor);
        if (slot == NULL) {
            return NULL;
        }
    }
    executor->records.objects.first = slot->object.next;
    executor->records.objects.count--;
    init(slot, kind);
    bool is_private =
        grid->shape.block_count == 1 || (block->view.kernel->flags & CDP_KERNEL_CDP1) != 0;
    slot->object.is_private = is_private;
    /* Relaxed: the handle publishes it. */
    atomic_store_explicit(&slot->object.owner, is_private ? (const void *)block : grid,
                          memory_order_relaxed);
    if (CDP_LIKELY(is_private)) {
        add(&block->children.objects, slot);
    } else {
        cdp_spin_lock(&grid->lock);
        add(&grid->objects, slot);
        cdp_spin_unlock(&grid->lock);
    }
    /* Relaxed: only this worker writes it.  Release pairs with the acquire in cdp_scope_find. */
    uint64_t handle = atomic_load_explicit(&slot->object.next_handle, memory_order_relaxed);
    atomic_store_explicit(&slot->object.handle, handle, memory_order_release);
    return slot;
}

static void end_handle(struct cdp_scope_object *object)
{
    /* Relaxed: a worker that uses the old handle at the same time makes a mistake. */
    uint64_t next = atomic_load_explicit(&object->next_handle, memory_order_relaxed);
    next = ((next + GENERATION) & ~TAG_MASK) | TAG;
    atomic_store_explicit(&object->next_handle, next, memory_order_relaxed);
    atomic_store_explicit(&object->handle, 0, memory_order_relaxed);
}

bool cdp_scope_object_end(struct cdp_block *block, struct cdp_scope_object *object)
{
    struct cdp_grid *grid = block->grid;
    if (CDP_LIKELY(object->is_private)) {
        end_handle(object);
        take_out(&block->children.objects, object);
        return true;
    }
    cdp_spin_lock(&grid->lock);
    /* Relaxed: under the lock.  0: another block ends it at the same time, which is a mistake. */
    bool ends = atomic_load_explicit(&object->handle, memory_order_relaxed) != 0;
    if (ends) {
        end_handle(object);
        take_out(&grid->objects, object);
    }
    cdp_spin_unlock(&grid->lock);
    return ends;
}

void cdp_scope_objects_close(struct cdp_executor *executor, struct cdp_scope_slot **list,
                             void (*finish)(struct cdp_scope_slot *slot))
{
    while (*list != NULL) {
        struct cdp_scope_slot *slot = *list;
        *list = slot->object.next;
        end_handle(&slot->object);
        finish(slot);
        cdp_scope_object_give(executor, &slot->object);
    }
}
