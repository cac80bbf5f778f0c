/* The only place that moves user bytes. It first checks that every byte on the device's side lies
 * in one live allocation, variable or registered range. */
#ifndef CDP_MEM_COPY_H
#define CDP_MEM_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"

/* In the order of CUDA's cudaMemcpyKind. */
enum cdp_direction {
    CDP_HOST_TO_HOST,
    CDP_HOST_TO_DEVICE,
    CDP_DEVICE_TO_HOST,
    CDP_DEVICE_TO_DEVICE,
    CDP_DIRECTION_DEFAULT, /* from the pointers */
};

/* One side of a copy: slices of rows of bytes. */
struct cdp_box {
    char *base;
    size_t pitch; /* bytes from row to row */
    size_t slice; /* bytes from slice to slice */
};

/* width bytes x height rows x depth slices. */
struct cdp_copy {
    struct cdp_box to, from; /* from.base is only read */
    size_t width, height, depth;
    enum cdp_direction direction;
};

struct cdp_set {
    struct cdp_box to;
    size_t width, height, depth; /* width in bytes */
    uint32_t value;              /* its lower value_size bytes are repeated */
    unsigned value_size;         /* 0 and 1: bytes; 2 or 4, of which the width is a multiple */
};

/* CDP_OK if the copy may be done: pitches fit, the device's sides are device memory from the first
 * byte to the last, and no pointer is NULL. A copy of no bytes is allowed. Direction out of range:
 * CDP_INVALID_DIRECTION. */
enum cdp_status cdp_copy_check(const struct cdp_copy *copy) CDP_MUST_CHECK;
enum cdp_status cdp_set_check(const struct cdp_set *set) CDP_MUST_CHECK;

/* Executes the copy without checks. The sides may overlap. */
void cdp_copy_run(const struct cdp_copy *copy);
void cdp_set_run(const struct cdp_set *set);

/* Copies some parts of a contiguous transfer. The parts have whole bytes and do not overlap. */
void cdp_copy_bytes(char *to, const char *from, size_t bytes, size_t whole);
void cdp_set_bytes(char *to, unsigned char value, size_t bytes);

/* A contiguous copy. */
static inline struct cdp_copy cdp_copy_flat(void *to, const void *from, size_t bytes,
                                            enum cdp_direction direction)
{
    return (struct cdp_copy){.to = {.base = to, .pitch = bytes, .slice = bytes},
                             .from = {.base = (char *)(size_t)from, .pitch = bytes, .slice = bytes},
                             .width = bytes,
                             .height = 1,
                             .depth = 1,
                             .direction = direction};
}

/* Whether an asynchronous copy must not access its host side after the call returns. This is so if
 * the runtime does not know the memory of that side. */
bool cdp_copy_reads_pageable(const struct cdp_copy *copy);
bool cdp_copy_writes_pageable(const struct cdp_copy *copy);

#endif
