/* Large transfers are cut at multiples of the size of a huge page. So no two threads fault one in,
 * and each part is first touched by the thread that moves it. */
#include "api/move.h"

#include <stdatomic.h>
#include <stdint.h>

#include "check/copies.h"
#include "exec/loop/crew.h"
#include "exec/report/guard.h"
#include "exec/report/profile.h"
#include "mem/memmap.h"
#include "os/os.h"
#include "exec/report/races.h"
#include "exec/state/engine.h"
#include "mem/constants.h"
#include "mem/written.h"

#define PART ((size_t)2 << 20)
#define LARGE (2 * PART)

/* A contiguous transfer that several threads share. */
struct share {
    const struct cdp_transfer *transfer;
    char *to;
    const char *from; /* NULL: a fill */
    size_t bytes;
    _Atomic(const void *) address; /* of a fault; NULL: none */
};

/* One part of a share. */
struct piece {
    const struct share *share;
    size_t start, end;
};

static void run_piece(void *data)
{
    const struct piece *piece = data;
    const struct share *share = piece->share;
    char *to = share->to + piece->start;
    size_t bytes = piece->end - piece->start;
    if (share->from == NULL) {
        cdp_set_bytes(to, (unsigned char)share->transfer->set.value, bytes);
    } else {
        cdp_copy_bytes(to, share->from + piece->start, bytes, share->bytes);
    }
}

static void run_part(void *data, size_t part)
{
    struct share *share = data;
    size_t first = PART - (uintptr_t)share->to % PART; /* bytes of part 0 */
    struct piece piece = {.share = share};
    piece.start = part == 0 ? 0 : first + (part - 1) * PART;
    piece.end = first + part * PART;
    piece.end = piece.end < share->bytes ? piece.end : share->bytes;
    const void *address;
    if (!cdp_guard_run(run_piece, &piece, &address)) {
        atomic_store_explicit(&share->address, address, memory_order_relaxed);
    }
}

static bool move_together(struct cdp_engine *engine, struct share *share, const void **address)
{
    size_t first = PART - (uintptr_t)share->to % PART;
    size_t parts = 1 + (share->bytes - first + PART - 1) / PART;
    struct cdp_constants_range *constants = cdp_constants_open(share->to);
    cdp_crew_run(engine, parts, run_part, share);
    cdp_constants_close(constants);
    *address = atomic_load_explicit(&share->address, memory_order_relaxed);
    return *address == NULL;
}

/* Whether the transfer is contiguous, without overlap, and large. */
static bool can_share(const struct cdp_transfer *transfer, struct share *out)
{
    const struct cdp_box *to = transfer->is_set ? &transfer->set.to : &transfer->copy.to;
    size_t width = transfer->is_set ? transfer->set.width : transfer->copy.width;
    size_t height = transfer->is_set ? transfer->set.height : transfer->copy.height;
    size_t depth = transfer->is_set ? transfer->set.depth : transfer->copy.depth;
    bool has_pattern = transfer->is_set && transfer->set.value_size > 1;
    if (depth != 1 || (height != 1 && to->pitch != width) || has_pattern) {
        return false;
    }
    *out = (struct share){.transfer = transfer, .to = to->base, .bytes = width * height};
    if (transfer->is_set || out->bytes < LARGE) {
        return out->bytes >= LARGE;
    }
    const struct cdp_box *from = &transfer->copy.from;
    out->from = from->base;
    uintptr_t a = (uintptr_t)out->to, b = (uintptr_t)out->from;
    return (height == 1 || from->pitch == width) && (a > b ? a - b : b - a) >= out->bytes;
}

static void run_alone(void *data)
{
    const struct cdp_transfer *transfer = data;
    if (transfer->is_set) {
        cdp_set_run(&transfer->set);
    } else {
        cdp_copy_run(&transfer->copy);
    }
}

/* ---- The race check ---- */

static void note_box(const struct cdp_box *box, const struct cdp_copy *extent, bool writes,
                     const char *what)
{
    for (size_t z = 0; z < extent->depth; z++) {
        for (size_t y = 0; y < extent->height; y++) {
            struct cdp_races_range range = {.address = box->base + z * box->slice + y * box->pitch,
                                            .size = extent->width,
                                            .writes = writes,
                                            .what = what};
            cdp_races_access(&range);
        }
    }
}

void cdp_move_note_copy(const struct cdp_copy *copy)
{
    note_box(&copy->from, copy, false, "a copy");
    note_box(&copy->to, copy, true, "a copy");
}

void cdp_move_note_set(const struct cdp_set *set)
{
    struct cdp_copy extent = {.width = set->width, .height = set->height, .depth = set->depth};
    note_box(&set->to, &extent, true, "a fill");
}

/* ---- The profile ---- */

/* Whether it is the device's, and not pinned, registered or other memory of the host. */
static bool is_of_device(const void *address)
{
    struct cdp_memory memory;
    cdp_memmap_find(address, &memory);
    return memory.space == CDP_SPACE_VARIABLE || memory.space == CDP_SPACE_HEAP ||
           (memory.space == CDP_SPACE_DEVICE && memory.kind != CDP_MEMORY_PINNED);
}

static const char *kind_of(const struct cdp_transfer *transfer)
{
    static const char *const kinds[] = {[CDP_HOST_TO_HOST] = "host to host",
                                        [CDP_HOST_TO_DEVICE] = "host to device",
                                        [CDP_DEVICE_TO_HOST] = "device to host",
                                        [CDP_DEVICE_TO_DEVICE] = "device to device"};
    if (transfer->is_set) {
        return "fill";
    }
    const struct cdp_copy *copy = &transfer->copy;
    if (copy->direction != CDP_DIRECTION_DEFAULT) {
        return kinds[copy->direction];
    }
    bool from_device = is_of_device(copy->from.base), to_device = is_of_device(copy->to.base);
    return kinds[from_device ? (to_device ? CDP_DEVICE_TO_DEVICE : CDP_DEVICE_TO_HOST)
                             : (to_device ? CDP_HOST_TO_DEVICE : CDP_HOST_TO_HOST)];
}

static uint64_t bytes_of(const struct cdp_transfer *transfer)
{
    return transfer->is_set ? transfer->set.width * transfer->set.height * transfer->set.depth
                            : transfer->copy.width * transfer->copy.height * transfer->copy.depth;
}

static bool move(struct cdp_engine *engine, const struct cdp_transfer *transfer,
                 const void **address)
{
    struct share share;
    if (can_share(transfer, &share)) {
        return move_together(engine, &share, address);
    }
    return cdp_guard_run(run_alone, (void *)(uintptr_t)transfer, address);
}

bool cdp_move(struct cdp_engine *engine, const struct cdp_transfer *transfer, const void **address)
{
    if (CDP_UNLIKELY(engine->modes.races)) {
        if (transfer->is_set) {
            cdp_move_note_set(&transfer->set);
        } else {
            cdp_move_note_copy(&transfer->copy);
        }
    }
    if (CDP_UNLIKELY(cdp_written_is_on()) && !transfer->is_set && transfer->call_site != NULL) {
        cdp_check_copy(&transfer->copy, transfer->call_site);
    }
    if (CDP_LIKELY(!cdp_profile_is_on)) {
        return move(engine, transfer, address);
    }
    uint64_t began = cdp_os_now();
    bool good = move(engine, transfer, address);
    cdp_profile_copied(kind_of(transfer), bytes_of(transfer), began, transfer->device);
    return good;
}
