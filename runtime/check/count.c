/* Builds that count: what device code calls. See abi/cdp_count.h. */
#include "abi/cdp_abi.h"
#include "abi/cdp_count.h"
#include "base/attr.h"
#include "exec/block/poll.h"
#include "exec/report/count.h"
#include "exec/report/count_request.h"
#include "exec/report/count_sums.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "fiber/fiber.h"

CDP_EXPORT void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address,
                                     uint64_t size, uint64_t key);
CDP_EXPORT void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key);
CDP_EXPORT void cdp_abi_count_switch(const struct cdp_abi_site *site, uint32_t side, uint64_t key);
CDP_EXPORT void cdp_abi_count_block(struct cdp_abi_count_block *block, uint64_t key);
CDP_EXPORT void cdp_abi_count_call(uint64_t key);
CDP_EXPORT uint64_t cdp_abi_count_start(void);
CDP_EXPORT void cdp_abi_count_end(void);
CDP_EXPORT void cdp_abi_count_lanes(const struct cdp_abi_site *site, const void *first,
                                    int64_t stride, uint64_t size, uint64_t active);
CDP_EXPORT void cdp_abi_count_vectors(const struct cdp_abi_site *site, const void *const *first,
                                      int64_t stride, uint32_t lanes, uint64_t size,
                                      uint64_t active);
CDP_EXPORT void cdp_abi_count_gather(const struct cdp_abi_site *site, const void *const *addresses,
                                     uint64_t size, uint64_t active);
CDP_EXPORT void cdp_abi_count_branch_lanes(const struct cdp_abi_site *site, uint64_t taken,
                                           uint64_t active);
CDP_EXPORT void cdp_abi_count_switch_lanes(const struct cdp_abi_site *site, const uint32_t *sides,
                                           uint64_t active);
CDP_EXPORT void cdp_abi_count_block_lanes(struct cdp_abi_count_block *block, uint32_t thread,
                                          uint64_t active);

enum { LANES = 32 };

/* From a call to the start of the function that is called. */
static __thread uint64_t call_key;

/* The kind of memory of an access; the address of a lane that is not active may be anything.
 * CDP_COUNT_SPACES for memory that is not counted: local memory, or shared memory of another block,
 * which has no banks here. */
static enum cdp_count_space space_of(uint64_t at)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    return at - (uintptr_t)block->view.shared < block->view.shared_size  ? CDP_COUNT_SHARED
           : at - cdp_abi_self->private_low < cdp_abi_self->private_size ? CDP_COUNT_SPACES
                                                                         : CDP_COUNT_GLOBAL;
}

static void launched(const struct cdp_abi_count_block *code, uint32_t thread)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    const uint32_t *idx = block->view.block_idx;
    if (code->is_entry != 0 && thread == 0 && (idx[0] | idx[1] | idx[2]) == 0) {
        cdp_count_launched(block, code->function);
    }
}

/* ---- Thread entries ---- */

static void add(const struct cdp_count_event *event)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (CDP_UNLIKELY(cdp_count_add(block, cdp_abi_self->linear, event))) {
        /* The thread is far ahead of others, or it polls for something that another block must do.
         */
        cdp_poll_yield(block->executor, cdp_fiber_of(cdp_abi_self));
    }
}

void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address, uint64_t size,
                          uint64_t key)
{
    enum cdp_count_space space = space_of((uintptr_t)address);
    if (space != CDP_COUNT_SPACES) {
        add(&(struct cdp_count_event){.what = (void *)(uintptr_t)site,
                                      .space = space,
                                      .value = (uintptr_t)address,
                                      .size = size,
                                      .key = key});
    }
}

void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key)
{
    add(&(struct cdp_count_event){
        .what = (void *)(uintptr_t)site, .space = CDP_COUNT_BRANCH, .value = taken, .key = key});
}

void cdp_abi_count_switch(const struct cdp_abi_site *site, uint32_t side, uint64_t key)
{
    cdp_abi_count_branch(site, side, key);
}

void cdp_abi_count_block(struct cdp_abi_count_block *block, uint64_t key)
{
    launched(block, cdp_abi_self->linear);
    add(&(struct cdp_count_event){.what = block, .space = CDP_COUNT_SPACES, .key = key});
}

void cdp_abi_count_call(uint64_t key)
{
    call_key = key;
}

uint64_t cdp_abi_count_start(void)
{
    return call_key;
}

void cdp_abi_count_end(void)
{
    cdp_count_thread_ended(cdp_block_of(cdp_abi_self), cdp_abi_self->linear);
}

/* ---- Block entries: a request is complete at once ---- */

/* Sets all but the lanes and the values, which need not be set. */
static void begin(struct cdp_count_request *request, const struct cdp_abi_site *site,
                  enum cdp_count_space space, uint64_t size)
{
    request->site = site;
    request->space = space;
    request->size = (uint32_t)size;
}

/* Two warps whose lanes are all active. Each vector accesses consecutive elements, or one: most
 * accesses of most programs are such. Lane l accesses first[l / lanes] + stride * (l % lanes). */
struct whole {
    const void *const *first;
    int64_t stride;
    uint64_t size;
    uint32_t lanes;
};

/* Sectors of 32 bytes; 0: this does not find them, because vectors overlap. */
static inline uint64_t whole_sectors(const struct whole *whole, uint32_t from, uint32_t to)
{
    enum { SECTOR = 32 };
    uint64_t count = 0, low = 0, high = 0;
    uint64_t length = (uint64_t)whole->stride * (whole->lanes - 1) + whole->size - 1;
    for (uint32_t i = from; i < to; i++) {
        uint64_t first = (uintptr_t)whole->first[i];
        uint64_t own_low = first / SECTOR, own_high = (first + length) / SECTOR;
        if (i == from || own_low > high) {
            count += own_high - own_low + 1;
        } else if (own_low == high) {
            count += own_high - own_low;
        } else if (own_low != low || own_high != high) {
            return 0;
        }
        low = own_low;
        high = own_high;
    }
    return count;
}

/* Wavefronts of elements of a word or more; 0: this does not find them, because vectors have banks
 * in common. Larger elements are served in phases of 16 or 8 lanes. If each phase is in one vector,
 * its words are consecutive, or those of one element. */
static inline uint64_t whole_wavefronts(const struct whole *whole, uint32_t from, uint32_t to)
{
    enum { WORD = 4 };
    uint32_t used = 0, lanes = whole->stride != 0 ? whole->lanes : 1;
    uint32_t run = (uint32_t)((UINT64_C(1) << lanes) - 1);
    if (whole->size > WORD) {
        uint64_t phases = whole->size / WORD;
        return (whole->size & (whole->size - 1)) == 0 && whole->lanes * phases >= LANES ? phases
                                                                                        : 0;
    }
    for (uint32_t i = from; i < to; i++) {
        uint32_t bank = (uint32_t)((uintptr_t)whole->first[i] / WORD % LANES);
        uint32_t banks = bank == 0 ? run : run << bank | run >> (LANES - bank);
        if (i != from && whole->first[i] == whole->first[i - 1]) {
            continue;
        }
        if ((banks & used) != 0) {
            return 0;
        }
        used |= banks;
    }
    return whole->size == WORD;
}

/* False: they must be looked at one by one. */
static inline bool count_whole(const struct cdp_abi_site *site, const struct whole *whole)
{
    enum { MOST_BYTES = 16 };
    enum cdp_count_space space = space_of((uintptr_t)whole->first[0]);
    uint64_t (*parts_of)(const struct whole *, uint32_t, uint32_t) =
        space == CDP_COUNT_SHARED ? whole_wavefronts : whole_sectors;
    uint32_t vectors = LANES / whole->lanes;
    if (whole->size == 0 || (whole->stride != 0 && whole->stride != (int64_t)whole->size) ||
        whole->size > MOST_BYTES || (uintptr_t)whole->first[0] % whole->size != 0 ||
        (site->flags & CDP_SITE_ATOMIC) != 0 || space == CDP_COUNT_SPACES) {
        return false;
    }
    uint64_t one = parts_of(whole, 0, vectors), two = parts_of(whole, vectors, 2 * vectors);
    if (one == 0 || two == 0) {
        return false;
    }
    struct cdp_count_sums *sums = cdp_count_own(site->number);
    if (CDP_LIKELY(sums != NULL)) {
        struct cdp_count_sum *sum = &sums->in[space];
        cdp_count_plus(&sum->requests, 2);
        cdp_count_plus(&sum->lanes, 2 * LANES);
        cdp_count_plus(&sum->bytes, 2 * LANES * whole->size);
        cdp_count_plus(&sum->parts, one + two);
    }
    return true;
}

/* A warp, of vectors with so many lanes. */
static void count_warp(struct cdp_count_request *request, const struct cdp_count_affine *vectors,
                       uint32_t lanes)
{
    struct cdp_count_parts parts = cdp_count_affine_parts(request, vectors, lanes);
    cdp_count_finish(request, &parts);
}

void cdp_abi_count_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                         uint64_t size, uint64_t active)
{
    if (CDP_LIKELY(active == UINT64_MAX)) {
        const void *const both[] = {first, (const char *)first + stride * LANES};
        const struct whole whole = {.first = both, .stride = stride, .size = size, .lanes = LANES};
        if (count_whole(site, &whole)) {
            return;
        }
    }
    uint64_t lane = active != 0 ? (uint64_t)__builtin_ctzll(active) : 0;
    enum cdp_count_space space =
        active != 0 ? space_of((uintptr_t)first + (uint64_t)stride * lane) : CDP_COUNT_SPACES;
    struct cdp_count_affine vector = {.first = (uintptr_t)first, .stride = stride};
    struct cdp_count_request request;
    begin(&request, site, space, size);
    for (; active != 0 && space != CDP_COUNT_SPACES; active >>= LANES) {
        request.lanes = (uint32_t)active;
        if (request.lanes != 0) {
            count_warp(&request, &vector, LANES);
        }
        vector.first += (uint64_t)stride * LANES;
    }
}

void cdp_abi_count_vectors(const struct cdp_abi_site *site, const void *const *first,
                           int64_t stride, uint32_t lanes, uint64_t size, uint64_t active)
{
    const struct whole whole = {.first = first, .stride = stride, .size = size, .lanes = lanes};
    if (CDP_LIKELY(active == UINT64_MAX) && count_whole(site, &whole)) {
        return;
    }
    uint64_t lane = active != 0 ? (uint64_t)__builtin_ctzll(active) : 0;
    uint64_t address = (uintptr_t)first[lane / lanes] + (uint64_t)stride * (lane % lanes);
    enum cdp_count_space space = active != 0 ? space_of(address) : CDP_COUNT_SPACES;
    struct cdp_count_request request;
    begin(&request, site, space, size);
    for (; active != 0 && space != CDP_COUNT_SPACES; active >>= LANES, first += LANES / lanes) {
        struct cdp_count_affine vectors[LANES];
        request.lanes = (uint32_t)active;
        for (uint32_t i = 0; i < LANES / lanes; i++) {
            vectors[i] = (struct cdp_count_affine){.first = (uintptr_t)first[i], .stride = stride};
        }
        if (request.lanes != 0) {
            count_warp(&request, vectors, lanes);
        }
    }
}

/* A request of the lanes that access memory of the space. Returns the other lanes. */
static uint32_t gather(const struct cdp_abi_site *site, const void *const *addresses, uint64_t size,
                       uint32_t active)
{
    enum cdp_count_space space = space_of((uintptr_t)addresses[__builtin_ctz(active)]);
    struct cdp_count_request request;
    uint32_t others = 0;
    begin(&request, site, space, size);
    for (uint32_t left = active; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        request.values[lane] = (uintptr_t)addresses[lane];
        others |= space_of((uintptr_t)addresses[lane]) != space ? UINT32_C(1) << lane : 0;
    }
    request.lanes = active & ~others;
    if (space != CDP_COUNT_SPACES) {
        struct cdp_count_parts parts = cdp_count_request_parts(&request);
        cdp_count_finish(&request, &parts);
    }
    return others;
}

void cdp_abi_count_gather(const struct cdp_abi_site *site, const void *const *addresses,
                          uint64_t size, uint64_t active)
{
    for (; active != 0; active >>= LANES, addresses += LANES) {
        for (uint32_t lanes = (uint32_t)active; lanes != 0;) {
            lanes = gather(site, addresses, size, lanes);
        }
    }
}

static void add_divergent(const struct cdp_abi_site *site, uint64_t warps)
{
    struct cdp_count_sums *sums = warps != 0 ? cdp_count_own(site->number) : NULL;
    if (sums != NULL) {
        cdp_count_plus(&sums->in[CDP_COUNT_BRANCH].parts, warps);
    }
}

void cdp_abi_count_branch_lanes(const struct cdp_abi_site *site, uint64_t taken, uint64_t active)
{
    uint64_t warps = 0;
    for (; active != 0; active >>= LANES, taken >>= LANES) {
        uint32_t lanes = (uint32_t)active, on = (uint32_t)taken & lanes;
        warps += on != 0 && on != lanes;
    }
    add_divergent(site, warps);
}

void cdp_abi_count_switch_lanes(const struct cdp_abi_site *site, const uint32_t *sides,
                                uint64_t active)
{
    uint64_t warps = 0;
    for (; active != 0; active >>= LANES, sides += LANES) {
        uint32_t lanes = (uint32_t)active, others = 0;
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            others += sides[__builtin_ctz(left)] != sides[__builtin_ctz(lanes)];
        }
        warps += others != 0;
    }
    add_divergent(site, warps);
}

void cdp_abi_count_block_lanes(struct cdp_abi_count_block *block, uint32_t thread, uint64_t active)
{
    uint64_t warps = ((uint32_t)active != 0) + (uint64_t)(active >> LANES != 0);
    if (active != 0) {
        bool is_full = active == UINT64_MAX;
        uint64_t lanes = is_full ? 2 * LANES : (uint64_t)__builtin_popcountll(active);
        launched(block, thread);
        cdp_count_ran(block, warps, lanes);
    }
}
