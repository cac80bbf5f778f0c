/* Tests of AddressSanitizer for block entries: one call for the lanes of a chunk, or for all their
 * accesses in a loop.
 *
 * AddressSanitizer has a byte of shadow for each 8 bytes.  0: all may be accessed; 1 to 7: only the
 * first ones; negative: none.  Memory that has no shadow is left to the processor: the access
 * itself faults, and the report names its address. */
#include "base/attr.h"
#include "fiber/sanitizer.h"

#if CDP_ASAN

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "abi/cdp_check.h"
#include "exec/report/asan.h"
#include "exec/report/names.h"
#include "exec/state/block.h"

CDP_EXPORT void cdp_abi_address_read(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_address_write(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_address_reads(const void *address, uint64_t size, int64_t step,
                                      uint64_t count);
CDP_EXPORT void cdp_abi_address_writes(const void *address, uint64_t size, int64_t step,
                                       uint64_t count);
CDP_EXPORT void cdp_abi_address_read_range(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_address_write_range(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_address_outside(const void *variable, uint64_t offset, uint64_t size_twice,
                                        const struct cdp_abi_extent *extent, uint64_t step,
                                        uint64_t count);
CDP_EXPORT uint64_t cdp_abi_address_lanes(const struct cdp_abi_site *site, const void *first,
                                          int64_t stride, uint64_t size, uint64_t lanes,
                                          uint32_t thread);
CDP_EXPORT uint64_t cdp_abi_address_gather(const struct cdp_abi_site *site,
                                           const void *const *addresses, uint64_t size,
                                           uint64_t lanes, uint32_t thread);
CDP_EXPORT uint64_t cdp_abi_address_loop_lanes(const struct cdp_abi_site *site, const void *first,
                                               int64_t stride, uint64_t size, uint64_t lanes,
                                               uint32_t thread, int64_t step, uint64_t count);

enum { GRANULE_SHIFT = 3, GRANULE = 1 << GRANULE_SHIFT };

/* Addresses from low to low + size - 1 have a shadow, at (address >> GRANULE_SHIFT) + offset.
 * Memory below the shadow has one, too, but only programs at fixed addresses have data there. */
static struct {
    uint64_t low, size, offset;
} mapped;

/* The shadow of the highest address is just below the lowest one of these addresses.  Before all
 * constructors of programs, which may launch kernels. */
__attribute__((constructor(101))) static void find_mapping(void)
{
    size_t scale, offset;
    uint64_t here = (uint64_t)__builtin_frame_address(0);
    uint64_t highest = UINT64_MAX >> __builtin_clzll(here); /* stacks are in the upper half */
    __asan_get_shadow_mapping(&scale, &offset);
    if (scale == GRANULE_SHIFT) {
        mapped.offset = offset;
        mapped.low = (highest >> GRANULE_SHIFT) + offset + 1;
        mapped.size = highest - mapped.low + 1;
    }
}

/* Not instrumented, like all that reads the shadow: sanitizers know no access to it. */
#define READS_SHADOW CDP_NOT_INSTRUMENTED __attribute__((always_inline)) static inline

enum { WORD = sizeof(uint64_t), HALF = WORD / 2 };

READS_SHADOW uint64_t word_at(const char *shadow)
{
    uint64_t word;
    __builtin_memcpy(&word, shadow, sizeof word);
    return word;
}

READS_SHADOW uint32_t half_at(const char *shadow)
{
    uint32_t half;
    __builtin_memcpy(&half, shadow, sizeof half);
    return half;
}

/* Whether count bytes of the shadow are zero.  The last word overlaps the one before. */
READS_SHADOW bool is_zero(const char *shadow, uint64_t count)
{
    uint64_t all = 0;
    if (count < HALF) {
        for (uint64_t i = 0; i < count; i++) {
            all |= (uint64_t)shadow[i];
        }
        return all == 0;
    }
    if (count < WORD) {
        return (half_at(shadow) | half_at(shadow + count - HALF)) == 0;
    }
    const char *last = shadow + count - WORD;
    for (; shadow < last; shadow += WORD) {
        all |= word_at(shadow);
    }
    return (all | word_at(last)) == 0;
}

/* Whether all bytes have a shadow. */
READS_SHADOW bool is_mapped(uint64_t address, uint64_t size)
{
    uint64_t at = address - mapped.low;
    return at < mapped.size && size <= mapped.size - at;
}

READS_SHADOW const char *shadow_of(uint64_t address)
{
    return (const char *)((address >> GRANULE_SHIFT) + mapped.offset);
}

/* Whether all bytes have a shadow and may be accessed.  False may be wrong. */
READS_SHADOW bool is_open(uint64_t address, uint64_t size)
{
    uint64_t last = address + size - 1;
    if (CDP_UNLIKELY(!is_mapped(address, size))) {
        return false;
    }
    const char *shadow = shadow_of(address);
    uint64_t granules = (last >> GRANULE_SHIFT) - (address >> GRANULE_SHIFT);
    signed char end = (signed char)shadow[granules];
    return end == 0 ? is_zero(shadow, granules + 1)
                    : end > (signed char)(last % GRANULE) && is_zero(shadow, granules);
}

/* ---- Several accesses ---- */

/* All that several accesses reach, from the lowest to the highest byte. */
struct span {
    uint64_t low, size;
};

/* Adds the same accesses, moved by up to distance. */
READS_SHADOW struct span extended(struct span span, uint64_t distance)
{
    bool is_down = (int64_t)distance < 0;
    return (struct span){span.low + (is_down ? distance : 0),
                         span.size + (is_down ? -distance : distance)};
}

/* Whether a test of the whole span takes less time than tests of the accesses in it. To load a word
 * of the shadow takes a quarter of the time of such a test. */
READS_SHADOW bool is_dense(struct span span, uint64_t accesses)
{
    enum { WORDS_OF_ACCESS = 4, BYTES_OF_WORD = GRANULE * WORD };
    return span.size <= accesses * WORDS_OF_ACCESS * BYTES_OF_WORD;
}

/* ---- One thread ---- */

static bool has_shadow(uint64_t address)
{
    return address - mapped.low < mapped.size || address < mapped.offset;
}

/* Exact.  The range of a copy may be empty. */
CDP_NOT_INSTRUMENTED static bool is_poisoned(uint64_t address, uint64_t size)
{
    return size != 0 && !is_open(address, size) && has_shadow(address) &&
           __asan_region_is_poisoned((void *)address, size) != NULL;
}

/* Tests count accesses.  A report begins at caller, in the device code. */
CDP_NOT_INSTRUMENTED static void test(uint64_t address, uint64_t size, bool writes, void *caller)
{
    if (CDP_UNLIKELY(is_poisoned(address, size))) {
        void *here = __builtin_frame_address(0);
        __asan_report_error(caller, here, here, (void *)address, writes, size);
    }
}

CDP_NOT_INSTRUMENTED static void test_loop(uint64_t address, uint64_t size, bool writes,
                                           void *caller, int64_t step, uint64_t count)
{
    struct span span = extended((struct span){address, size}, (uint64_t)step * (count - 1));
    if (count != 0 && is_dense(span, count) && is_open(span.low, span.size)) {
        return;
    }
    for (; count != 0 && has_shadow(address); count--, address += (uint64_t)step) {
        test(address, size, writes, caller);
    }
}

void cdp_abi_address_read(const void *address, uint64_t size)
{
    test((uint64_t)address, size, false, __builtin_return_address(0));
}

void cdp_abi_address_write(const void *address, uint64_t size)
{
    test((uint64_t)address, size, true, __builtin_return_address(0));
}

void cdp_abi_address_reads(const void *address, uint64_t size, int64_t step, uint64_t count)
{
    test_loop((uint64_t)address, size, false, __builtin_return_address(0), step, count);
}

void cdp_abi_address_writes(const void *address, uint64_t size, int64_t step, uint64_t count)
{
    test_loop((uint64_t)address, size, true, __builtin_return_address(0), step, count);
}

void cdp_abi_address_read_range(const void *address, uint64_t size)
{
    test((uint64_t)address, size, false, __builtin_return_address(0));
}

void cdp_abi_address_write_range(const void *address, uint64_t size)
{
    test((uint64_t)address, size, true, __builtin_return_address(0));
}

/* ---- Variables ---- */

/* An access outside of a variable. */
struct outside {
    uint64_t offset, size, variable_size; /* bytes */
    bool is_local, writes;
    const char *name; /* may be NULL */
};

static bool is_outside(const struct outside *access)
{
    return access->size > access->variable_size ||
           access->offset > access->variable_size - access->size;
}

static uint64_t distance_of(const struct outside *access)
{
    if ((int64_t)access->offset < 0) {
        return -access->offset;
    }
    bool is_past = access->offset >= access->variable_size;
    return is_past ? access->offset - access->variable_size : 0;
}

/* "shared variable 's'" or "variable 'cells'". */
static void name_variable(const struct outside *access, const void *variable, char *out,
                          size_t size)
{
    const struct cdp_abi_thread *self = cdp_abi_self;
    if (access->name != NULL) {
        snprintf(out, size, "variable '%s'", access->name);
    } else if (variable != NULL && self != NULL) {
        cdp_names_shared(cdp_block_of(self), variable, out, size);
    } else {
        snprintf(out, size, "a variable");
    }
}

/* The head of the report. The address may be that of another variable, so it is not described. */
static void say(const struct outside *access, const void *variable)
{
    static _Thread_local char text[512];
    char name[300];
    name_variable(access, variable, name, sizeof name);
    snprintf(text, sizeof text, "the access is %lu bytes %s %s (%lu bytes)",
             (unsigned long)distance_of(access),
             (int64_t)access->offset < 0 ? "before the start of" : "past the end of", name,
             (unsigned long)access->variable_size);
    cdp_asan_says(text);
}

/* The header that LLVM's pass stores before the variables of a frame. AddressSanitizer finds it by
 * its shadow. */
struct frame_head {
    uint64_t magic;
    const char *variables; /* "count offset size length name" */
    const void *function;
    uint64_t padding;
};

enum {
    FRAME_MAGIC = 0x41b58ab3,
    HEAD = sizeof(struct frame_head),
    LEFT = 0xf1, /* shadow of a frame's left red zone, which has the header, and of its right one */
    RIGHT = 0xf3,
    MOST_FRAME = 2048 /* bytes: longer distances are reported as shorter ones */
};

READS_SHADOW void set_shadow(const char *from, uint64_t size, int value)
{
    /* volatile: memset would be tested itself */
    volatile char *shadow = (volatile char *)(((uint64_t)from >> GRANULE_SHIFT) + mapped.offset);
    for (uint64_t i = 0; i < size >> GRANULE_SHIFT; i++) {
        shadow[i] = (char)value;
    }
}

/* AddressSanitizer knows no frames of a block entry's lanes. So this makes a frame that has the
 * variable, for the report. */
CDP_NOT_INSTRUMENTED static void report_local(const struct outside *access, void *caller)
{
    _Alignas(HEAD) char frame[HEAD + MOST_FRAME + HEAD];
    char variables[256];
    const char *name = access->name != NULL ? access->name : "array";
    uint64_t room = access->variable_size < MOST_FRAME / 2 ? access->variable_size : MOST_FRAME / 2;
    uint64_t past = access->offset - access->variable_size, at = HEAD + room;
    if ((int64_t)access->offset < 0) {
        at = -access->offset <= HEAD ? HEAD + access->offset : 0;
    } else if (access->offset < access->variable_size) { /* it ends outside */
        at = HEAD + room - (access->variable_size - access->offset);
    } else {
        at += past < MOST_FRAME - room ? past : 0;
    }
    snprintf(variables, sizeof variables, "1 %d %lu %zu %.200s", HEAD, (unsigned long)room,
             strnlen(name, 200), name);
    *(struct frame_head *)frame = (struct frame_head){FRAME_MAGIC, variables, caller, 0};
    uint64_t end = (HEAD + room) / GRANULE * GRANULE;
    set_shadow(frame, HEAD, LEFT);
    set_shadow(frame + end, sizeof frame - end, RIGHT);
    if (room % GRANULE != 0) {
        set_shadow(frame + end, GRANULE, (int)(room % GRANULE));
    }
    __asan_report_error(caller, frame, frame, frame + at, access->writes, access->size);
    set_shadow(frame, sizeof frame, 0);
}

void cdp_abi_address_outside(const void *variable, uint64_t offset, uint64_t size_twice,
                             const struct cdp_abi_extent *extent, uint64_t step, uint64_t count)
{
    void *caller = __builtin_return_address(0), *here = __builtin_frame_address(0);
    struct outside access = {.offset = offset,
                             .size = size_twice / 2,
                             .variable_size = extent->size,
                             .is_local = variable == NULL,
                             .writes = size_twice % 2 != 0,
                             .name = extent->name};
    for (; count > 1 && !is_outside(&access); count--) {
        access.offset += step;
    }
    if (!is_outside(&access)) {
        return;
    }
    say(&access, variable);
    if (access.is_local) {
        report_local(&access, caller);
    } else {
        void *address = (void *)((uint64_t)variable + access.offset);
        __asan_report_error(caller, here, here, address, access.writes, access.size);
    }
    cdp_asan_says(NULL);
}

/* ---- The lanes of a vector ---- */

/* The span of all lanes.  There is at least one. */
READS_SHADOW struct span span_of(uint64_t first, int64_t stride, uint64_t size, uint64_t lanes)
{
    uint64_t lowest = (uint64_t)__builtin_ctzll(lanes),
             highest = 63 - (uint64_t)__builtin_clzll(lanes);
    struct span one = {first + (uint64_t)stride * lowest, size};
    return extended(one, (uint64_t)stride * (highest - lowest));
}

/* The lanes that may access poisoned memory. */
READS_SHADOW uint64_t closed_lanes(uint64_t first, int64_t stride, uint64_t size, uint64_t lanes)
{
    struct span span = span_of(first, stride, size, lanes);
    if (CDP_LIKELY(is_dense(span, (uint64_t)__builtin_popcountll(lanes)) &&
                   is_open(span.low, span.size))) {
        return 0;
    }
    uint64_t closed = 0;
    for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
        uint64_t lane = (uint64_t)__builtin_ctzll(rest);
        closed |= (uint64_t)!is_open(first + (uint64_t)stride * lane, size) << lane;
    }
    return closed;
}

/* Whether all bytes of a short span may be accessed in each iteration of a loop, which moves it by
 * step: a loop along a column of a matrix.  False may be wrong. */
READS_SHADOW bool are_open(struct span span, int64_t step, uint64_t count)
{
    struct span all = extended(span, (uint64_t)step * (count - 1));
    uint64_t last = span.low + span.size - 1;
    uint64_t granules = (last >> GRANULE_SHIFT) - (span.low >> GRANULE_SHIFT) + 1;
    if (step % GRANULE != 0 || granules < HALF || granules > 2 * WORD ||
        !is_mapped(all.low, all.size)) {
        return false;
    }
    const char *shadow = shadow_of(span.low);
    uint64_t bits = 0;
    for (; count != 0; count--, shadow += step / GRANULE) {
        bits |= granules < WORD ? half_at(shadow) | half_at(shadow + granules - HALF)
                                : word_at(shadow) | word_at(shadow + granules - WORD);
    }
    return bits == 0;
}

CDP_NOT_INSTRUMENTED uint64_t cdp_abi_address_lanes(const struct cdp_abi_site *site,
                                                    const void *first, int64_t stride,
                                                    uint64_t size, uint64_t lanes, uint32_t thread)
{
    (void)site, (void)thread;
    return lanes == 0 ? 0 : closed_lanes((uint64_t)first, stride, size, lanes);
}

CDP_NOT_INSTRUMENTED uint64_t cdp_abi_address_gather(const struct cdp_abi_site *site,
                                                     const void *const *addresses, uint64_t size,
                                                     uint64_t lanes, uint32_t thread)
{
    (void)site, (void)thread;
    uint64_t closed = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctzll(lanes);
        closed |= (uint64_t)!is_open((uint64_t)addresses[lane], size) << lane;
    }
    return closed;
}

CDP_NOT_INSTRUMENTED uint64_t cdp_abi_address_loop_lanes(const struct cdp_abi_site *site,
                                                         const void *first, int64_t stride,
                                                         uint64_t size, uint64_t lanes,
                                                         uint32_t thread, int64_t step,
                                                         uint64_t count)
{
    (void)site, (void)thread;
    if (lanes == 0 || count == 0) {
        return 0;
    }
    struct span one = span_of((uint64_t)first, stride, size, lanes);
    struct span span = extended(one, (uint64_t)step * (count - 1));
    uint64_t accesses = (uint64_t)__builtin_popcountll(lanes);
    accesses = is_dense(one, accesses) ? count : count * accesses;
    if (is_dense(span, accesses) ? is_open(span.low, span.size) : are_open(one, step, count)) {
        return 0;
    }
    uint64_t closed = 0;
    for (uint64_t i = 0; i < count && closed == 0; i++) {
        closed = closed_lanes((uint64_t)first + (uint64_t)step * i, stride, size, lanes);
    }
    return closed;
}

#endif
