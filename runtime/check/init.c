/* The check of initialization: uses of memory of cudaMalloc and of the device heap, of shared
 * memory, and of local variables, that nobody wrote. See abi/cdp_check.h. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"
#include "base/alloc.h"
#include "base/attr.h"
#include "check/unseen.h"
#include "exec/report/fault.h"
#include "exec/report/finding.h"
#include "exec/report/names.h"
#include "exec/report/unwritten.h"
#include "exec/state/block.h"
#include "mem/memmap.h"
#include "mem/describe.h"
#include "mem/written.h"

CDP_EXPORT void cdp_abi_init_write(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_init_read(const struct cdp_abi_site *site, const void *address,
                                  uint64_t size);
CDP_EXPORT void cdp_abi_init_read_some(const struct cdp_abi_site *site, const void *address,
                                       uint64_t size);
CDP_EXPORT uint64_t cdp_abi_init_load(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_init_store(const void *address, uint64_t size, uint64_t bits);
CDP_EXPORT void cdp_abi_init_copy(const void *to, const void *from, uint64_t size);
CDP_EXPORT uint32_t cdp_abi_init_complete(const void *base);
CDP_EXPORT uint64_t cdp_abi_init_read_lanes(const struct cdp_abi_site *site, const void *first,
                                            int64_t stride, uint64_t size, uint64_t lanes,
                                            uint32_t thread);
CDP_EXPORT uint64_t cdp_abi_init_read_gather(const struct cdp_abi_site *site,
                                             const void *const *addresses, uint64_t size,
                                             uint64_t lanes, uint32_t thread);
CDP_EXPORT uint64_t cdp_abi_init_write_lanes(const struct cdp_abi_site *site, const void *first,
                                             int64_t stride, uint64_t size, uint64_t lanes,
                                             uint32_t thread);
CDP_EXPORT uint64_t cdp_abi_init_write_gather(const struct cdp_abi_site *site,
                                              const void *const *addresses, uint64_t size,
                                              uint64_t lanes, uint32_t thread);
CDP_EXPORT void cdp_abi_init_local(const struct cdp_abi_site *site);

/* The program continues. memory may be NULL. may_wait: see report/unwritten.h. */
CDP_COLD static void report(const struct cdp_abi_site *site, struct cdp_finding finding,
                            bool may_wait)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (!cdp_finding_is_on(CDP_CHECKS_INIT)) {
        return;
    }
    cdp_finding_place_of(&finding.at, block, cdp_abi_self->thread_idx);
    finding.at.site = site;
    finding.at.has_thread = true;
    if (may_wait) {
        cdp_unwritten_add(block, &finding);
    } else {
        (void)cdp_finding_report(&finding);
    }
}

/* Names the shared variable. False if it is not the block's own memory. */
static bool describe_shared(const char *address, char *out, size_t size)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if ((uintptr_t)address - (uintptr_t)block->view.shared >= block->view.shared_size) {
        return false;
    }
    cdp_names_shared(block, address, out, size);
    return true;
}

/* The order of a parent and its child is easily forgotten: the read looks as if it came later. */
static const char *help_of(bool is_shared)
{
    if (is_shared) {
        return "let a thread write it first, and put a __syncthreads() after the write";
    }
    if (cdp_block_of(cdp_abi_self)->children.count != 0) {
        return "write the memory first, for example by cudaMemset or cudaMemcpy; or did this read "
               "come before the child that writes it? Then wait for the child: by "
               "cudaDeviceSynchronize() (CDP1), or read in a tail launch (CDP2)";
    }
    return "write the memory first, for example by cudaMemset or cudaMemcpy";
}

/* first: the offset of a byte that was not written. It counts as written from now on: what follows
 * from one mistake is not reported again. */
CDP_COLD static void report_memory(const struct cdp_abi_site *site, const char *address,
                                   uint64_t size, size_t first)
{
    char title[200], memory[1300];
    bool is_shared = cdp_written_is_shared(address), is_known;
    cdp_check_find_unseen_writes(address, size);
    first = cdp_written_prefix(address, size);
    if (first == size) {
        return;
    }
    snprintf(
        title, sizeof title, "%s of %" PRIu64 " byte%s of %s",
        (site->flags & CDP_SITE_ATOMIC) != 0 ? "atomic access" : "read", size, size == 1 ? "" : "s",
        is_shared ? "shared memory that no thread of the block wrote" : "memory that nobody wrote");
    if (is_shared) {
        is_known = describe_shared(address + first, memory, sizeof memory);
    } else {
        is_known = cdp_describe_address(address + first, memory, sizeof memory);
    }
    cdp_written_set(address, size);
    struct cdp_finding finding = {.check = CDP_CHECKS_INIT,
                                  .title = title,
                                  .memory = is_known ? memory : NULL,
                                  .help = help_of(is_shared)};
    report(site, finding, is_shared);
}

void cdp_abi_init_write(const void *address, uint64_t size)
{
    cdp_written_set(address, size);
}

void cdp_abi_init_read(const struct cdp_abi_site *site, const void *address, uint64_t size)
{
    size_t first = cdp_written_prefix(address, size);
    if (CDP_UNLIKELY(first != size)) {
        report_memory(site, address, size, first);
    }
}

void cdp_abi_init_read_some(const struct cdp_abi_site *site, const void *address, uint64_t size)
{
    if (CDP_UNLIKELY(size != 0 && cdp_written_bits(address, size) == 0)) {
        report_memory(site, address, size, 0);
    }
}

uint64_t cdp_abi_init_load(const void *address, uint64_t size)
{
    return cdp_written_bits(address, size);
}

/* Something that is unwritten may have been copied to the address. */
static void unwrite_shared(const void *address)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if ((uintptr_t)address - (uintptr_t)block->view.shared < block->view.shared_size) {
        block->slab.written = 0;
        block->view.shared_unwritten = 1;
    }
}

void cdp_abi_init_store(const void *address, uint64_t size, uint64_t bits)
{
    uint64_t all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    if (CDP_LIKELY((bits & all) == all)) {
        cdp_written_set(address, size);
    } else {
        cdp_written_put(address, size, bits);
        unwrite_shared(address);
    }
}

void cdp_abi_init_copy(const void *to, const void *from, uint64_t size)
{
    cdp_written_copy(to, from, size);
    unwrite_shared(to);
}

void cdp_abi_init_local(const struct cdp_abi_site *site)
{
    char title[300];
    bool is_element = (site->flags & CDP_SITE_ELEMENT) != 0;
    bool is_part = is_element || (site->flags & CDP_SITE_MEMBER) != 0;
    snprintf(title, sizeof title, "%slocal variable%s%s%s is used, but nothing wrote it",
             is_element ? "an element of "
             : is_part  ? "a member of "
                        : "",
             site->variable != NULL ? " '" : "", site->variable != NULL ? site->variable : "",
             site->variable != NULL ? "'" : "");
    struct cdp_finding finding = {
        .check = CDP_CHECKS_INIT,
        .title = title,
        .help = is_part
                    ? "give all of the variable a value where it is declared, for example by = {}"
                    : "give the variable a value where it is declared"};
    report(site, finding, false);
}

/* ---- Block entries ---- */

/* The lanes from the lowest to the highest one access consecutive memory. */
static bool is_range(int64_t stride, uint64_t size, uint64_t lanes)
{
    uint64_t from_lowest = lanes >> __builtin_ctzll(lanes);
    return stride == (int64_t)size && (from_lowest & (from_lowest + 1)) == 0;
}

/* Whether the address is in the block's shared memory, of which everything was written. Asked by
 * all accesses of block entries: most blocks write all of it, and early. */
static bool is_in_written_shared(const void *address)
{
    enum { PIECE = 1 << 12 };
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if ((uintptr_t)address - (uintptr_t)block->view.shared >= block->view.shared_size) {
        return false;
    }
    uint64_t rest = block->view.shared_size - block->slab.written;
    if (CDP_UNLIKELY(rest != 0)) {
        rest = rest < PIECE ? rest : PIECE;
        block->slab.written +=
            (uint32_t)cdp_written_prefix(block->view.shared + block->slab.written, rest);
        block->view.shared_unwritten = block->slab.written != block->view.shared_size;
    }
    return block->slab.written == block->view.shared_size;
}

/* The same for each of several addresses. */
static bool is_range_in_written_shared(const void *const *addresses, uint64_t lanes)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (!is_in_written_shared(addresses[__builtin_ctzll(lanes)])) {
        return false;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        uintptr_t at = (uintptr_t)addresses[__builtin_ctzll(lanes)];
        if (at - (uintptr_t)block->view.shared >= block->view.shared_size) {
            return false;
        }
    }
    return true;
}

static const char *address_of(const void *first, int64_t stride, int lane)
{
    return (const char *)first + stride * lane;
}

uint64_t cdp_abi_init_read_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                                 uint64_t size, uint64_t lanes, uint32_t thread)
{
    (void)site, (void)thread;
    if (is_in_written_shared(first)) {
        return 0;
    }
    if (lanes == 0) {
        return 0;
    }
    int lowest = __builtin_ctzll(lanes);
    uint64_t count = stride == 0 ? 1 : (uint64_t)__builtin_popcountll(lanes), left = 0;
    if ((stride == 0 || is_range(stride, size, lanes)) &&
        cdp_written_prefix(address_of(first, stride, lowest), count * size) == count * size) {
        return 0;
    }
    for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
        int lane = __builtin_ctzll(rest);
        bool is_written = cdp_written_prefix(address_of(first, stride, lane), size) == size;
        left |= (uint64_t)!is_written << lane;
    }
    return left;
}

uint64_t cdp_abi_init_read_gather(const struct cdp_abi_site *site, const void *const *addresses,
                                  uint64_t size, uint64_t lanes, uint32_t thread)
{
    uint64_t left = 0;
    (void)site, (void)thread;
    if (lanes != 0 && is_range_in_written_shared(addresses, lanes)) {
        return 0;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctzll(lanes);
        left |= (uint64_t)(cdp_written_prefix(addresses[lane], size) != size) << lane;
    }
    return left;
}

uint64_t cdp_abi_init_write_lanes(const struct cdp_abi_site *site, const void *first,
                                  int64_t stride, uint64_t size, uint64_t lanes, uint32_t thread)
{
    (void)site, (void)thread;
    if (is_in_written_shared(first)) {
        return 0;
    }
    if (lanes != 0 && is_range(stride, size, lanes)) {
        uint64_t count = (uint64_t)__builtin_popcountll(lanes);
        cdp_written_set(address_of(first, stride, __builtin_ctzll(lanes)), count * size);
        return 0;
    }
    for (; lanes != 0; lanes &= stride == 0 ? 0 : lanes - 1) {
        cdp_written_set(address_of(first, stride, __builtin_ctzll(lanes)), size);
    }
    return 0;
}

uint64_t cdp_abi_init_write_gather(const struct cdp_abi_site *site, const void *const *addresses,
                                   uint64_t size, uint64_t lanes, uint32_t thread)
{
    (void)site, (void)thread;
    if (lanes != 0 && is_range_in_written_shared(addresses, lanes)) {
        return 0;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        cdp_written_set(addresses[__builtin_ctzll(lanes)], size);
    }
    return 0;
}

/* ---- Objects of which everything was written ---- */

/* How far an object was found to be written. Owned by one OS thread; valid for one generation of
 * the heaps (mem/heap.h), because bytes become unwritten only by an allocation. */
struct progress {
    uint64_t low, generation, done;
};

enum { OBJECTS = 16, STEP = 1 << 16 };

/* The oldest entry is replaced. The table lives as long as the OS thread, a worker; static memory
 * for threads is scarce in libraries that dlopen loads. NULL without memory. */
static struct progress *progress_of(uint64_t low)
{
    static __thread struct progress *table;
    static __thread unsigned next;
    if (CDP_UNLIKELY(table == NULL)) {
        table = cdp_alloc_zero(OBJECTS * sizeof *table);
        if (table == NULL) {
            return NULL;
        }
    }
    uint64_t generation = atomic_load_explicit(&cdp_heap_generation, memory_order_relaxed);
    for (unsigned i = 0; i < OBJECTS; i++) {
        if (table[i].low == low && table[i].generation == generation) {
            return &table[i];
        }
    }
    struct progress *object = &table[next];
    next = (next + 1) % OBJECTS;
    *object = (struct progress){.low = low, .generation = generation};
    return object;
}

uint32_t cdp_abi_init_complete(const void *base)
{
    if (cdp_written_is_shared(base)) {
        return 0; /* the next block gets it unwritten */
    }
    struct cdp_abi_bounds bounds = cdp_abi_bounds(base);
    if (!cdp_written_is_checked((const void *)bounds.low)) {
        return 1;
    }
    struct progress *object = progress_of(bounds.low);
    if (object == NULL) {
        return 0;
    }
    /* A part at a time: each block asks, and most objects are small or wholly written. */
    uint64_t rest = bounds.size - object->done, step = rest < STEP ? rest : STEP;
    if (step != 0) {
        object->done += cdp_written_prefix((const char *)bounds.low + object->done, step);
    }
    return object->done == bounds.size;
}
