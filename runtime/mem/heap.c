/* Best fit over a tree of free blocks, with immediate joining of neighbours. Memory is made
 * accessible in steps, when blocks first use it. Pages of large freed blocks are returned to the
 * system and fault until they are allocated again.
 *
 * Large blocks start at different offsets within a page. Otherwise the memory that a kernel reads
 * and the memory that it writes at equal indices would share a few sets of the caches, and a load
 * waits for a store to the same offset of another page. */
#include "mem/heap.h"

#include "base/alloc.h"
#include "base/valid.h"
#include "mem/heap_block.h"
#include "mem/share.h"
#include "mem/space.h"
#include "mem/written.h"
#include "os/os.h"

#include <string.h>

/* As on a GPU, which maps pages of 2 MiB: an access further beyond an allocation faults. */
#define OPEN_STEP ((size_t)2 << 20)
#define LEAST_RESERVATION ((size_t)1 << 20)
/* The pages of a freed block of this size are returned to the system at once. A smaller block is
 * likely to be used again soon, and a page fault costs more than to keep the page. */
#define DISCARD_SIZE ((size_t)4 << 20)
#define BLOCKS_PER_SLAB 64
#define FREED_KEPT 1024
/* The start offsets of large blocks are this far apart. So a kernel's reads, ahead of its writes,
 * do not conflict with them, and all multiples of 256 occur. */
#define PLACE_BYTES ((size_t)1280)
/* Addresses at this distance share a set of a processor's caches. */
#define PLACES_BYTES ((size_t)4096)
/* The part of CDP_HEAP_LARGE that the offsets may waste. */
#define ROOM_DIVISOR 16

/* For checked programs. */
#define CHECK_GAP ((size_t)64)
#define CHECK_KEPT ((size_t)64 << 20)
#define FREED_BYTE 0xFD

_Atomic uint64_t cdp_heap_generation;

struct slab {
    struct slab *next;
    struct cdp_heap_block blocks[BLOCKS_PER_SLAB];
};

static size_t round_up(size_t value, size_t multiple)
{
    return (value + multiple - 1) & ~(multiple - 1);
}

/* The addresses needed for bytes of blocks, including the front and the offsets of the large ones.
 */
static size_t with_room(size_t bytes)
{
    return CDP_HEAP_FRONT + bytes + round_up(bytes / ROOM_DIVISOR, cdp_os_page());
}

/* Device memory is allocated or freed. Relaxed: other processes only print the number. */
static void count_device(struct cdp_heap *heap, const struct cdp_heap_block *block, bool is_alloc)
    CDP_NEEDS(&heap->lock)
{
    if (heap->count.device_bytes == NULL ||
        (block->kind != CDP_MEMORY_DEVICE && block->kind != CDP_MEMORY_ARRAY)) {
        return;
    }
    uint64_t charge = cdp_heap_charge(heap, block->requested);
    atomic_fetch_add_explicit(heap->count.device_bytes, is_alloc ? charge : -charge,
                              memory_order_relaxed);
}

static struct cdp_heap_block *block_of(struct cdp_tree_node *node)
{
    return (struct cdp_heap_block *)(void *)node;
}

static void insert_free(struct cdp_heap *heap, struct cdp_heap_block *block) CDP_NEEDS(&heap->lock)
{
    block->requested = 0;
    block->node.major = block->size;
    block->node.minor = (uintptr_t)block->lo;
    cdp_tree_insert(&heap->free, &block->node);
}

static void give_spare(struct cdp_heap *heap, struct cdp_heap_block *block) CDP_NEEDS(&heap->lock)
{
    block->next = heap->spare;
    heap->spare = block;
}

static struct cdp_heap_block *take_spare(struct cdp_heap *heap) CDP_NEEDS(&heap->lock)
{
    struct cdp_heap_block *block = heap->spare;
    heap->spare = block->next;
    *block = (struct cdp_heap_block){0};
    return block;
}

/* An allocation splits off at most two pieces. With two descriptors ready, it cannot fail
 * halfway. */
static bool have_spares(struct cdp_heap *heap) CDP_NEEDS(&heap->lock)
{
    if (heap->spare != NULL && heap->spare->next != NULL) {
        return true;
    }
    struct slab *slab = cdp_alloc(sizeof *slab);
    if (slab == NULL) {
        return false;
    }
    slab->next = heap->slabs;
    heap->slabs = slab;
    for (int i = 0; i < BLOCKS_PER_SLAB; i++) {
        give_spare(heap, &slab->blocks[i]);
    }
    return true;
}

/* Splits block, which is in no tree, after its first bytes. The rest is returned and is in no
 * tree. */
static struct cdp_heap_block *split(struct cdp_heap *heap, struct cdp_heap_block *block,
                                    size_t bytes) CDP_NEEDS(&heap->lock)
{
    struct cdp_heap_block *rest = take_spare(heap);
    rest->lo = block->lo + bytes;
    rest->size = block->size - bytes;
    rest->open_to = block->open_to > rest->lo ? block->open_to : rest->lo;
    block->open_to = block->open_to < rest->lo ? block->open_to : rest->lo;
    block->size = bytes;
    rest->previous = block;
    rest->next = block->next;
    if (rest->next != NULL) {
        rest->next->previous = rest;
    } else {
        heap->last = rest;
    }
    block->next = rest;
    return rest;
}

/* Joins block with the one after it. Neither is in a tree. */
static void join_next(struct cdp_heap *heap, struct cdp_heap_block *block) CDP_NEEDS(&heap->lock)
{
    struct cdp_heap_block *next = block->next;
    if (block->open_to == next->lo) {
        block->open_to = next->open_to;
    }
    block->size += next->size;
    block->next = next->next;
    if (block->next != NULL) {
        block->next->previous = block;
    } else {
        heap->last = block;
    }
    give_spare(heap, next);
}

/* Makes the block accessible from its start to end, and some more. */
static bool open_to(struct cdp_heap *heap, struct cdp_heap_block *block, char *end)
    CDP_NEEDS(&heap->lock)
{
    if (end <= block->open_to) {
        return true;
    }
    char *last = block->lo + block->size;
    char *first = heap->lo + CDP_HEAP_FRONT; /* steps of the same size as without a front */
    char *target = first + round_up((size_t)(end - first), OPEN_STEP);
    target = target < last ? target : last;
    uintptr_t from = (uintptr_t)block->open_to & ~((uintptr_t)cdp_os_page() - 1);
    size_t bytes = round_up((uintptr_t)target, cdp_os_page()) - from;
    if (!cdp_os_commit((void *)from, bytes)) {
        return false;
    }
    cdp_os_want_huge_pages((void *)from, bytes);
    cdp_heap_poison(block->open_to, (size_t)(target - block->open_to));
    block->open_to = target;
    if ((size_t)(target - heap->lo) > heap->opened) {
        heap->opened = (size_t)(target - heap->lo);
    }
    return true;
}

/* The whole range after the front as one free block. Without memory for the front's page table, an
 * access to it faults. */
static void start_empty(struct cdp_heap *heap) CDP_NEEDS(&heap->lock)
{
    heap->live = (struct cdp_tree){0};
    heap->free = (struct cdp_tree){0};
    heap->used = 0;
    heap->count.live = heap->count.large = 0;
    if (heap->count.device_bytes != NULL) {
        atomic_store_explicit(heap->count.device_bytes, 0, memory_order_relaxed);
    }
    struct cdp_heap_block *block = take_spare(heap);
    block->lo = block->open_to = heap->lo + CDP_HEAP_FRONT;
    block->size = with_room(heap->limit) - CDP_HEAP_FRONT;
    if (cdp_os_commit(heap->lo, CDP_HEAP_FRONT)) {
        cdp_heap_poison(heap->lo, CDP_HEAP_FRONT);
        heap->opened = heap->opened > CDP_HEAP_FRONT ? heap->opened : CDP_HEAP_FRONT;
    }
    heap->last = block;
    insert_free(heap, block);
}

/* Reserves bytes. If that fails, reserves a quarter of the address space that is available, because
 * others need some too. */
static bool reserve(struct cdp_heap *heap, size_t bytes)
{
    bytes = round_up(bytes < LEAST_RESERVATION ? LEAST_RESERVATION : bytes, cdp_os_page());
    heap->lo = cdp_os_reserve(with_room(bytes));
    bool limited = heap->lo == NULL;
    while (heap->lo == NULL && bytes > LEAST_RESERVATION) {
        bytes = round_up(bytes / 2, cdp_os_page());
        heap->lo = cdp_os_reserve(with_room(bytes));
    }
    if (limited && heap->lo != NULL && bytes / 4 >= LEAST_RESERVATION) {
        cdp_os_unmap(heap->lo, with_room(bytes));
        bytes = round_up(bytes / 4, cdp_os_page());
        heap->lo = cdp_os_reserve(with_room(bytes));
    }
    heap->most = bytes;
    heap->reserved = with_room(bytes);
    return heap->lo != NULL;
}

enum cdp_status cdp_heap_init(struct cdp_heap *heap, size_t bytes, size_t limit, size_t granule)
{
    *heap = (struct cdp_heap){.granule = granule};
    if (!reserve(heap, bytes)) {
        return CDP_NO_MEMORY;
    }
    bytes = heap->most;
    cdp_lock_init(&heap->lock, CDP_RANK_HEAP);
    cdp_lock_acquire(&heap->lock);
    heap->limit = limit < bytes ? round_up(limit, cdp_os_page()) : bytes;
    bool ready = have_spares(heap);
    if (ready) {
        start_empty(heap);
    }
    cdp_lock_release(&heap->lock);
    if (!ready) {
        cdp_heap_finish(heap);
        return CDP_NO_MEMORY;
    }
    return CDP_OK;
}

static void free_slabs(struct cdp_heap *heap) CDP_NEEDS(&heap->lock)
{
    for (struct slab *slab = heap->slabs; slab != NULL;) {
        struct slab *next = slab->next;
        cdp_free(slab);
        slab = next;
    }
}

void cdp_heap_finish(struct cdp_heap *heap)
{
    if (heap->lo == NULL) {
        return;
    }
    cdp_lock_acquire(&heap->lock);
    cdp_share_ended(heap);
    free_slabs(heap);
    cdp_free(heap->freed);
    cdp_heap_unpoison(heap->lo, heap->opened);
    cdp_lock_release(&heap->lock);
    cdp_os_unmap(heap->lo, heap->reserved);
    cdp_lock_finish(&heap->lock);
    *heap = (struct cdp_heap){0};
}

/* The offset in block, which holds size bytes, at which the allocation starts. A large one starts
 * at the next offset, if it fits. The offset depends on the number of live large blocks. So a
 * program that alternately allocates and frees gets the same memory again. */
static size_t place_in(const struct cdp_heap *heap, const struct cdp_heap_block *block, size_t size)
    CDP_NEEDS(&heap->lock)
{
    if (size < CDP_HEAP_LARGE) {
        return 0;
    }
    size_t front = (heap->count.large * PLACE_BYTES - (uintptr_t)block->lo) & (PLACES_BYTES - 1);
    return block->size - size >= front ? front : 0;
}

/* The smallest free block that holds size bytes at the alignment, cut to size and in no tree; NULL
 * if there is none. */
static struct cdp_heap_block *cut(struct cdp_heap *heap, size_t size, size_t alignment)
    CDP_NEEDS(&heap->lock)
{
    size_t slack = alignment - heap->granule;
    struct cdp_tree_node *node = cdp_tree_ceiling(&heap->free, size + slack, 0);
    if (node == NULL) {
        return NULL;
    }
    struct cdp_heap_block *block = block_of(node);
    size_t front = alignment > heap->granule ? -(uintptr_t)block->lo & (alignment - 1)
                                             : place_in(heap, block, size);
    if (!open_to(heap, block, block->lo + front + size)) {
        return NULL;
    }
    cdp_tree_remove(&heap->free, node);
    if (front > 0) {
        struct cdp_heap_block *head = block;
        block = split(heap, head, front);
        insert_free(heap, head);
    }
    if (block->size > size) {
        insert_free(heap, split(heap, block, size));
    }
    return block;
}

/* Puts a block that is in no tree into the tree of free ones, joined with its free neighbours. */
static void give_free(struct cdp_heap *heap, struct cdp_heap_block *block) CDP_NEEDS(&heap->lock)
{
    struct cdp_heap_block *previous = block->previous;
    if (block->next != NULL && block->next->requested == 0) {
        cdp_tree_remove(&heap->free, &block->next->node);
        join_next(heap, block);
    }
    if (previous != NULL && previous->requested == 0) {
        cdp_tree_remove(&heap->free, &previous->node);
        join_next(heap, previous);
        block = previous;
    }
    insert_free(heap, block);
}

/* Frees the oldest of the kept blocks. */
static void release_kept(struct cdp_heap *heap) CDP_NEEDS(&heap->lock)
{
    struct cdp_heap_block *block = heap->checks.first;
    heap->checks.first =
        heap->checks.first == heap->checks.last ? NULL : block_of(block->node.right);
    heap->checks.bytes -= block->size;
    give_free(heap, block);
}

size_t cdp_heap_charge(const struct cdp_heap *heap, size_t requested)
{
    return round_up(requested + CDP_HEAP_RED_ZONE, heap->granule);
}

static void count_use(const struct cdp_heap_block *block)
{
    struct cdp_heap_use *use = block->use;
    if (use == NULL) {
        return;
    }
    use->now += block->requested;
    for (size_t i = 0; i < sizeof use->most / sizeof *use->most; i++) {
        use->most[i] = use->most[i] > use->now ? use->most[i] : use->now;
    }
}

enum cdp_status cdp_heap_alloc(struct cdp_heap *heap, const struct cdp_heap_request *request,
                               void **out)
{
    *out = NULL;
    if (request->size > heap->most || cdp_alloc_fails()) {
        return CDP_NO_MEMORY;
    }
    size_t alignment = request->alignment > heap->granule ? request->alignment : heap->granule;
    cdp_lock_acquire(&heap->lock);
    size_t charge = cdp_heap_charge(heap, request->size);
    size_t size = charge + round_up(heap->checks.gap, heap->granule);
    size_t filled = request->kind <= CDP_MEMORY_DEVICE ? heap->checks.most_filled : 0;
    struct cdp_heap_block *block = NULL;
    if (charge <= heap->limit - heap->used && have_spares(heap)) {
        block = cut(heap, size, alignment);
        while (block == NULL && heap->checks.first != NULL) {
            release_kept(heap);
            block = cut(heap, size, alignment);
        }
    }
    if (block != NULL) {
        block->requested = request->size;
        block->kind = request->kind;
        block->flags = request->flags;
        block->mark = false;
        block->use = request->use;
        count_use(block);
        block->site = request->site;
        block->serial = ++heap->serial;
        block->node.major = (uintptr_t)block->lo;
        block->node.minor = 0;
        cdp_tree_insert(&heap->live, &block->node);
        heap->used += charge;
        heap->count.live++;
        heap->count.large += block->size >= CDP_HEAP_LARGE;
        count_device(heap, block, true);
        cdp_heap_unpoison(block->lo, block->requested);
        *out = block->lo;
    }
    CDP_CHECK_VALID_SAMPLE(heap->count.live, cdp_heap_is_valid(heap));
    cdp_lock_release(&heap->lock);
    if (*out != NULL && cdp_written_is_on()) {
        bool is_written = request->kind > CDP_MEMORY_DEVICE;
        (is_written ? cdp_written_set : cdp_written_clear)(*out, request->size);
    }
    if (*out != NULL && filled != 0) {
        memset(*out, CDP_HEAP_FRESH_BYTE, request->size < filled ? request->size : filled);
    }
    return block != NULL ? CDP_OK : CDP_NO_MEMORY;
}

static struct cdp_heap_block *find_live(struct cdp_heap *heap, const void *address)
    CDP_NEEDS(&heap->lock)
{
    struct cdp_tree_node *node = cdp_tree_floor(&heap->live, (uintptr_t)address, 0);
    return node == NULL ? NULL : block_of(node);
}

/* Returns the block's whole pages to the system. From then on they fault, so uses after a free are
 * detected. */
static void close_pages(struct cdp_heap_block *block)
{
    uintptr_t lo = round_up((uintptr_t)block->lo, cdp_os_page());
    uintptr_t hi = ((uintptr_t)block->lo + block->size) & ~((uintptr_t)cdp_os_page() - 1);
    cdp_os_close((void *)lo, hi - lo);
    block->open_to = (char *)lo;
}

/* Records the allocation for reports. If there is no memory for the record, reports say less. */
static void remember(struct cdp_heap *heap, const struct cdp_heap_block *block, const void *site)
    CDP_NEEDS(&heap->lock)
{
    if (heap->freed == NULL) {
        heap->freed = cdp_alloc(FREED_KEPT * sizeof *heap->freed);
        if (heap->freed == NULL) {
            return;
        }
    }
    heap->freed[heap->freed_count++ % FREED_KEPT] =
        (struct cdp_heap_freed){.base = block->lo,
                                .size = block->requested,
                                .kind = block->kind,
                                .site = block->site,
                                .freed_site = site,
                                .serial = ++heap->serial};
}

/* Keeps a freed block, so that uses of it are found. */
static void keep(struct cdp_heap *heap, struct cdp_heap_block *block) CDP_NEEDS(&heap->lock)
{
    block->requested = CDP_HEAP_KEPT;
    block->node.right = NULL;
    if (heap->checks.first == NULL) {
        heap->checks.first = block;
    } else {
        heap->checks.last->node.right = &block->node;
    }
    heap->checks.last = block;
    heap->checks.bytes += block->size;
    while (heap->checks.bytes > heap->checks.most && heap->checks.first != block) {
        release_kept(heap);
    }
}

static void make_free(struct cdp_heap *heap, struct cdp_heap_block *block) CDP_NEEDS(&heap->lock)
{
    cdp_tree_remove(&heap->live, &block->node);
    if (CDP_UNLIKELY(block->is_shared)) {
        cdp_share_freed(heap, block);
    }
    if (heap->checks.most != 0 || cdp_written_is_on()) {
        atomic_fetch_add(&cdp_heap_generation, 1);
    }
    if (block->use != NULL) {
        block->use->now -= block->requested;
    }
    heap->used -= cdp_heap_charge(heap, block->requested);
    heap->count.live--;
    heap->count.large -= block->size >= CDP_HEAP_LARGE;
    count_device(heap, block, false);
    if (heap->checks.most_filled != 0 && block->size < DISCARD_SIZE) {
        memset(block->lo, FREED_BYTE, block->requested);
    }
    cdp_heap_poison(block->lo, block->size);
    if (block->size >= DISCARD_SIZE) {
        close_pages(block);
    }
    if (heap->checks.most != 0) {
        keep(heap, block);
    } else {
        give_free(heap, block);
    }
}

enum cdp_status cdp_heap_free(struct cdp_heap *heap, void *memory, const void *site)
{
    cdp_lock_acquire(&heap->lock);
    struct cdp_heap_block *block = find_live(heap, memory);
    bool found = block != NULL && block->lo == memory;
    if (found) {
        remember(heap, block, site);
        make_free(heap, block);
    }
    CDP_CHECK_VALID_SAMPLE(heap->count.live, cdp_heap_is_valid(heap));
    cdp_lock_release(&heap->lock);
    return found ? CDP_OK : CDP_INVALID_VALUE;
}

struct cdp_heap_use cdp_heap_read_use(struct cdp_heap *heap, const struct cdp_heap_use *use)
{
    cdp_lock_acquire(&heap->lock);
    struct cdp_heap_use copy = *use;
    cdp_lock_release(&heap->lock);
    return copy;
}

void cdp_heap_reset_use(struct cdp_heap *heap, struct cdp_heap_use *use, int which,
                        uint64_t at_least)
{
    cdp_lock_acquire(&heap->lock);
    uint64_t least = use->now > at_least ? use->now : at_least;
    use->most[which] = use->most[which] < least ? use->most[which] : least;
    cdp_lock_release(&heap->lock);
}

void cdp_heap_end_use(struct cdp_heap *heap, const struct cdp_heap_use *use)
{
    cdp_lock_acquire(&heap->lock);
    for (struct cdp_heap_block *block = heap->last; block != NULL; block = block->previous) {
        block->use = block->use == use ? NULL : block->use;
    }
    cdp_lock_release(&heap->lock);
}

static struct cdp_heap_info info_of(const struct cdp_heap_block *block)
{
    return (struct cdp_heap_info){.base = block->lo,
                                  .size = block->requested,
                                  .kind = block->kind,
                                  .flags = block->flags,
                                  .site = block->site,
                                  .serial = block->serial,
                                  .mark = block->mark};
}

bool cdp_heap_find(struct cdp_heap *heap, const void *address, struct cdp_heap_info *out)
{
    if (!cdp_heap_contains(heap, address)) {
        return false;
    }
    cdp_lock_acquire(&heap->lock);
    const struct cdp_heap_block *block = find_live(heap, address);
    bool found = block != NULL && (uintptr_t)address - (uintptr_t)block->lo < block->requested;
    if (found) {
        *out = info_of(block);
    }
    cdp_lock_release(&heap->lock);
    return found;
}

bool cdp_heap_set_mark(struct cdp_heap *heap, const void *address, bool mark)
{
    cdp_lock_acquire(&heap->lock);
    struct cdp_heap_block *block = find_live(heap, address);
    bool found = block != NULL && (uintptr_t)address - (uintptr_t)block->lo < block->requested;
    if (found) {
        block->mark = mark;
    }
    cdp_lock_release(&heap->lock);
    return found;
}

bool cdp_heap_find_nearest(struct cdp_heap *heap, const void *address, struct cdp_heap_info *out)
{
    uintptr_t a = (uintptr_t)address;
    cdp_lock_acquire(&heap->lock);
    struct cdp_tree_node *node = cdp_tree_ceiling(&heap->live, a, 0);
    const struct cdp_heap_block *block = find_live(heap, address);
    if (node != NULL &&
        (block == NULL || node->major - a < a - (uintptr_t)block->lo - block->requested)) {
        block = block_of(node);
    }
    if (block != NULL) {
        *out = info_of(block);
    }
    cdp_lock_release(&heap->lock);
    return block != NULL;
}

bool cdp_heap_find_from(struct cdp_heap *heap, const void *address, struct cdp_heap_info *out)
{
    cdp_lock_acquire(&heap->lock);
    struct cdp_tree_node *node = cdp_tree_ceiling(&heap->live, (uintptr_t)address, 0);
    if (node != NULL) {
        *out = info_of(block_of(node));
    }
    cdp_lock_release(&heap->lock);
    return node != NULL;
}

bool cdp_heap_find_freed(struct cdp_heap *heap, const void *address, struct cdp_heap_freed *out)
{
    bool found = false;
    cdp_lock_acquire(&heap->lock);
    uint64_t count = heap->freed_count;
    uint64_t oldest = count > FREED_KEPT ? count - FREED_KEPT : 0;
    while (count > oldest && !found) {
        const struct cdp_heap_freed *freed = &heap->freed[--count % FREED_KEPT];
        found = (uintptr_t)address - (uintptr_t)freed->base < freed->size;
        if (found) {
            *out = *freed;
        }
    }
    cdp_lock_release(&heap->lock);
    return found;
}

/* Moves the end of the range. Its last piece is free or must become free. */
static void move_end(struct cdp_heap *heap, size_t limit) CDP_NEEDS(&heap->lock)
{
    struct cdp_heap_block *last = heap->last;
    if (last->requested != 0) {
        last->next = take_spare(heap);
        last->next->previous = last;
        last->next->lo = last->next->open_to = last->lo + last->size;
        last = last->next;
        heap->last = last;
    } else {
        cdp_tree_remove(&heap->free, &last->node);
    }
    last->size = (size_t)(heap->lo + with_room(limit) - last->lo);
    if (last->open_to > last->lo + last->size) {
        last->open_to = last->lo + last->size;
    }
    heap->limit = limit;
    insert_free(heap, last);
}

enum cdp_status cdp_heap_set_limit(struct cdp_heap *heap, size_t limit)
{
    if (limit > heap->most) {
        return CDP_INVALID_VALUE;
    }
    limit = round_up(limit == 0 ? 1 : limit, cdp_os_page());
    enum cdp_status status = CDP_OK;
    cdp_lock_acquire(&heap->lock);
    while (heap->checks.first != NULL) {
        release_kept(heap);
    }
    if (limit < heap->limit && heap->count.live > 0) {
        status = CDP_NOT_PERMITTED;
    } else if (!have_spares(heap)) {
        status = CDP_NO_MEMORY;
    } else if (limit != heap->limit) {
        move_end(heap, limit);
    }
    cdp_lock_release(&heap->lock);
    return status;
}

size_t cdp_heap_limit(struct cdp_heap *heap)
{
    cdp_lock_acquire(&heap->lock);
    size_t limit = heap->limit;
    cdp_lock_release(&heap->lock);
    return limit;
}

size_t cdp_heap_available(struct cdp_heap *heap)
{
    cdp_lock_acquire(&heap->lock);
    size_t available = heap->limit - heap->used;
    cdp_lock_release(&heap->lock);
    return available;
}

void cdp_heap_count_in(struct cdp_heap *heap, _Atomic uint64_t *device_bytes)
{
    cdp_lock_acquire(&heap->lock);
    heap->count.device_bytes = device_bytes;
    cdp_lock_release(&heap->lock);
}

void cdp_heap_enable_checks(struct cdp_heap *heap)
{
    cdp_lock_acquire(&heap->lock);
    heap->checks = (struct cdp_heap_checks){
        .gap = CHECK_GAP, .most = CHECK_KEPT, .most_filled = CDP_HEAP_MOST_FILLED};
    cdp_lock_release(&heap->lock);
}

void cdp_heap_enable_fill(struct cdp_heap *heap)
{
    cdp_lock_acquire(&heap->lock);
    heap->checks.most_filled = CDP_HEAP_MOST_FILLED;
    cdp_lock_release(&heap->lock);
}

void cdp_heap_reset(struct cdp_heap *heap)
{
    cdp_lock_acquire(&heap->lock);
    cdp_share_ended(heap);
    heap->checks.first = heap->checks.last = NULL;
    heap->checks.bytes = 0;
    for (struct cdp_heap_block *block = heap->last; block != NULL;) {
        struct cdp_heap_block *previous = block->previous;
        if (block->requested != 0 && block->requested != CDP_HEAP_KEPT) {
            remember(heap, block, CDP_HEAP_RESET);
            if (block->use != NULL) {
                block->use->now = 0;
            }
        }
        give_spare(heap, block);
        block = previous;
    }
    cdp_heap_poison(heap->lo, heap->opened);
    cdp_os_close(heap->lo, round_up(heap->opened, cdp_os_page()));
    start_empty(heap);
    /* Only now: a cache that looked up a block before is not used any more. */
    atomic_fetch_add(&cdp_heap_generation, 1);
    cdp_lock_release(&heap->lock);
}
