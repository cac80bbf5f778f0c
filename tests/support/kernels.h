/* C kernels for tests of the host API: enough to test order, overlap and results without a compiler
 * of device code. */
#ifndef CDP_TESTS_SUPPORT_KERNELS_H
#define CDP_TESTS_SUPPORT_KERNELS_H

#include <ffi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <check.h>

#include "cdp/embed.h"

void cdp_abi_nanosleep(unsigned int nanoseconds);

#define ck_cuda(expected, call)                                                                    \
    do {                                                                                           \
        cudaError_t got_ = (call);                                                                 \
        ck_assert_msg(got_ == (expected), "%s: %s, not %s", #call, cudaGetErrorName(got_),         \
                      cudaGetErrorName(expected));                                                 \
    } while (0)
#define ck_ok(call) ck_cuda(cudaSuccess, call)

static inline void nop_kernel(void)
{
}

/* *where = value, by every thread. */
static inline void store_kernel(int *where, int value)
{
    *where = value;
}

/* Polls until *gate is nonzero, then *where = value: blocks a stream and a worker. */
static inline void gate_kernel(atomic_int *gate, int *where, int value)
{
    while (atomic_load(gate) == 0) {
        cdp_abi_nanosleep(20000);
    }
    *where = value;
}

/* values[global thread] += amount. */
static inline void add_kernel(int *values, int amount)
{
    struct cdp_embed_index i;
    cdp_embed_index(&i);
    values[i.block.x * i.block_dim.x + i.thread.x] += amount;
}

/* Appends value to a log: log[0] counts. */
static inline void log_kernel(atomic_int *log, int value)
{
    atomic_store(&log[1 + atomic_fetch_add(&log[0], 1)], value);
}

static inline const void *make_kernel(const char *name, void (*function)(void), ffi_type **types,
                                      size_t count)
{
    struct cdp_embed_kernel spec = {
        .name = name, .function = function, .types = types, .type_count = count};
    const void *kernel = cdp_embed_register(&spec);
    ck_assert_ptr_nonnull(kernel);
    return kernel;
}

static inline const void *make_nop(void)
{
    return make_kernel("nop", nop_kernel, NULL, 0);
}

static inline const void *make_store(void)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_sint};
    return make_kernel("store", (void (*)(void))store_kernel, types, 2);
}

static inline const void *make_add(void)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_sint};
    return make_kernel("add", (void (*)(void))add_kernel, types, 2);
}

static inline const void *make_log(void)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_sint};
    return make_kernel("log", (void (*)(void))log_kernel, types, 2);
}

static inline const void *make_gate(void)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_pointer, &ffi_type_sint};
    return make_kernel("gate", (void (*)(void))gate_kernel, types, 3);
}

static inline dim3 shape(unsigned x, unsigned y, unsigned z)
{
    return (dim3){x, y, z};
}

static inline cudaError_t launch_one(const void *kernel, void **args, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, shape(1, 1, 1), shape(1, 1, 1), args, 0, stream);
}

/* Zeroed managed memory. */
static inline void *managed(size_t size)
{
    void *memory = NULL;
    ck_ok(cudaMallocManaged(&memory, size, cudaMemAttachGlobal));
    ck_ok(cudaMemset(memory, 0, size));
    return memory;
}

#endif
