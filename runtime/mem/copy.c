/* Copies and fills by rows. The check finds the allocation of the first byte and tests whether the
 * last byte is in it too. So it costs two look-ups for any shape. */
#include "mem/copy.h"

#include <stdint.h>
#include <string.h>

#include "mem/constants.h"
#include "mem/memmap.h"
#include "mem/written.h"
#include "os/os.h"

/* The approximate size of a machine's caches. */
#define PAST_CACHES ((size_t)32 << 20)

/* Bytes from the first one to the end of the last one; false if that overflows. */
static bool span(const struct cdp_box *box, size_t width, size_t height, size_t depth, size_t *out)
{
    size_t rows, slices;
    return !__builtin_mul_overflow(height - 1, box->pitch, &rows) &&
           !__builtin_mul_overflow(depth - 1, box->slice, &slices) &&
           !__builtin_add_overflow(rows, slices, &rows) &&
           !__builtin_add_overflow(rows, width, out) && *out <= PTRDIFF_MAX;
}

static bool pitches_fit(const struct cdp_box *box, size_t width, size_t height, size_t depth)
{
    size_t rows;
    return (height == 1 || box->pitch >= width) &&
           (depth == 1 ||
            (!__builtin_mul_overflow(height, box->pitch, &rows) && box->slice >= rows));
}

static enum cdp_status check_device(const struct cdp_box *box, size_t bytes, bool is_target)
{
    struct cdp_memory memory;
    cdp_memmap_find(box->base, &memory);
    if (memory.space == CDP_SPACE_HOST || cdp_space_is_private(memory.space)) {
        return CDP_INVALID_VALUE;
    }
    if (is_target && memory.space == CDP_SPACE_DEVICE &&
        (memory.flags & CDP_MEMMAP_READ_ONLY) != 0) {
        return CDP_INVALID_VALUE;
    }
    size_t offset = (size_t)(box->base - memory.base);
    return memory.size >= offset && memory.size - offset >= bytes ? CDP_OK : CDP_INVALID_VALUE;
}

static bool is_read_only(const void *address)
{
    struct cdp_memory memory;
    cdp_memmap_find(address, &memory);
    return (memory.flags & CDP_MEMMAP_HOST_READ_ONLY) != 0;
}

/* The host side may be any memory. But if it is the device's memory, the copy must not overrun
 * it. */
static enum cdp_status check_host(const struct cdp_box *box, size_t bytes, bool is_target)
{
    switch (cdp_memmap_space(box->base)) {
    case CDP_SPACE_DEVICE:
    case CDP_SPACE_HEAP:
        return check_device(box, bytes, is_target);
    case CDP_SPACE_SHARED:
    case CDP_SPACE_LOCAL:
        return CDP_INVALID_VALUE;
    case CDP_SPACE_REGISTERED:
        return is_target && is_read_only(box->base) ? CDP_INVALID_VALUE : CDP_OK;
    case CDP_SPACE_HOST:
    case CDP_SPACE_VARIABLE:
    case CDP_SPACE_CONSTANT:
        break;
    }
    return CDP_OK;
}

static enum cdp_status check_side(const struct cdp_copy *copy, const struct cdp_box *box,
                                  bool is_device)
{
    size_t bytes;
    if (box->base == NULL || !span(box, copy->width, copy->height, copy->depth, &bytes)) {
        return CDP_INVALID_VALUE;
    }
    bool is_target = box == &copy->to;
    return is_device ? check_device(box, bytes, is_target) : check_host(box, bytes, is_target);
}

enum cdp_status cdp_copy_check(const struct cdp_copy *copy)
{
    if ((unsigned)copy->direction > CDP_DIRECTION_DEFAULT) {
        return CDP_INVALID_DIRECTION;
    }
    if (copy->width == 0 || copy->height == 0 || copy->depth == 0) {
        return CDP_OK;
    }
    if (!pitches_fit(&copy->to, copy->width, copy->height, copy->depth) ||
        !pitches_fit(&copy->from, copy->width, copy->height, copy->depth)) {
        return CDP_INVALID_PITCH;
    }
    bool to_device =
        copy->direction == CDP_HOST_TO_DEVICE || copy->direction == CDP_DEVICE_TO_DEVICE;
    bool from_device =
        copy->direction == CDP_DEVICE_TO_HOST || copy->direction == CDP_DEVICE_TO_DEVICE;
    enum cdp_status status = check_side(copy, &copy->to, to_device);
    return status != CDP_OK ? status : check_side(copy, &copy->from, from_device);
}

enum cdp_status cdp_set_check(const struct cdp_set *set)
{
    if (set->width == 0 || set->height == 0 || set->depth == 0) {
        return CDP_OK;
    }
    if (!pitches_fit(&set->to, set->width, set->height, set->depth)) {
        return CDP_INVALID_VALUE;
    }
    size_t bytes;
    if (set->to.base == NULL || !span(&set->to, set->width, set->height, set->depth, &bytes)) {
        return CDP_INVALID_VALUE;
    }
    return check_device(&set->to, bytes, true);
}

/* For the check of initialization. */
static void note_copy(const char *to, const char *from, size_t bytes)
{
    if (CDP_UNLIKELY(cdp_written_is_on())) {
        cdp_written_copy(to, from, bytes);
    }
}

static void note_set(const char *to, size_t bytes)
{
    if (CDP_UNLIKELY(cdp_written_is_on())) {
        cdp_written_set(to, bytes);
    }
}

static void copy_rows(const struct cdp_copy *copy)
{
    size_t width = copy->width, height = copy->height;
    if (copy->to.pitch == width && copy->from.pitch == width) {
        width *= height;
        height = 1;
    }
    for (size_t z = 0; z < copy->depth; z++) {
        char *to = copy->to.base + z * copy->to.slice;
        const char *from = copy->from.base + z * copy->from.slice;
        for (size_t y = 0; y < height; y++) {
            memmove(to, from, width);
            note_copy(to, from, width);
            to += copy->to.pitch;
            from += copy->from.pitch;
        }
    }
}

void cdp_copy_run(const struct cdp_copy *copy)
{
    if (copy->width == 0 || copy->height == 0 || copy->depth == 0) {
        return;
    }
    struct cdp_constants_range *constants = cdp_constants_open(copy->to.base);
    copy_rows(copy);
    cdp_constants_close(constants);
}

static void set_row(char *to, const struct cdp_set *set)
{
    if (set->value_size <= 1) {
        memset(to, (unsigned char)set->value, set->width);
        return;
    }
    for (size_t at = 0; at < set->width; at += set->value_size) {
        memcpy(to + at, &set->value, set->value_size); /* little-endian */
    }
}

static void set_rows(const struct cdp_set *set)
{
    for (size_t z = 0; z < set->depth; z++) {
        char *to = set->to.base + z * set->to.slice;
        for (size_t y = 0; y < set->height; y++) {
            set_row(to, set);
            note_set(to, set->width);
            to += set->to.pitch;
        }
    }
}

void cdp_set_run(const struct cdp_set *set)
{
    if (set->width == 0 || set->height == 0 || set->depth == 0) {
        return;
    }
    struct cdp_constants_range *constants = cdp_constants_open(set->to.base);
    set_rows(set);
    cdp_constants_close(constants);
}

void cdp_copy_bytes(char *to, const char *from, size_t bytes, size_t whole)
{
    if (whole >= PAST_CACHES) {
        cdp_os_copy_past_caches(to, from, bytes);
    } else {
        memcpy(to, from, bytes);
    }
    note_copy(to, from, bytes);
}

void cdp_set_bytes(char *to, unsigned char value, size_t bytes)
{
    memset(to, value, bytes);
    note_set(to, bytes);
}

static bool is_pageable(const struct cdp_box *box)
{
    return cdp_memmap_space(box->base) == CDP_SPACE_HOST;
}

bool cdp_copy_reads_pageable(const struct cdp_copy *copy)
{
    return is_pageable(&copy->from);
}

bool cdp_copy_writes_pageable(const struct cdp_copy *copy)
{
    return is_pageable(&copy->to);
}
