/* Kernels written in C, without a compiler driver: any C function can be registered
 * with its libffi signature and then launched, from the host or from another kernel.
 *
 *     static void add(const float *a, const float *b, float *c)
 *     {
 *         struct cdp_embed_index i;
 *         cdp_embed_index(&i);
 *         unsigned n = i.block.x * i.block_dim.x + i.thread.x;
 *         c[n] = a[n] + b[n];
 *     }
 *     ...
 *     ffi_type *types[] = {&ffi_type_pointer, &ffi_type_pointer, &ffi_type_pointer};
 *     struct cdp_embed_kernel spec = {.name = "add", .function = (void (*)(void))add,
 *                                     .types = types, .type_count = 3};
 *     const void *kernel = cdp_embed_register(&spec);
 *     void *args[] = {&a, &b, &c};
 *     cudaLaunchKernel(kernel, grid, block, args, 0, NULL);
 *
 * A call through libffi costs some 30 ns per thread more than compiled code's.  A
 * kernel may also bring a block entry, which runs all threads of a block in one call.
 *
 * Link with -lcdprt -lffi -lpthread -lm.  C11 and C++. */
#ifndef __CDP_EMBED_H
#define __CDP_EMBED_H

#include "hide.h"

#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct _ffi_type; /* libffi's ffi_type */

/* The description of a kernel. Everything is copied, except the objects to which the pointers in
 * types point. These must live as long as the process (libffi's own basic types do). */
struct cdp_embed_kernel {
    const char *name;               /* for reports */
    void (*function)(void);         /* its real type is void (types...) */
    struct _ffi_type *const *types; /* of the parameters; at most 64 */
    size_t type_count;
    size_t shared_size;   /* bytes of static shared memory: cdp_embed_shared() */
    unsigned max_threads; /* like __launch_bounds__; 0 = 1024 */
    /* Runs all threads of one block; NULL: function runs once per thread. params is the parameter
     * buffer: parameter i is at the next multiple of its alignment. */
    void (*block_function)(const void *__params, unsigned __thread_count);
};

/* The kernel's handle, for cudaLaunchKernel and all calls that have a kernel parameter, on both
 * sides; valid for ever. NULL if the signature is impossible or memory is short; then
 * cudaGetLastError returns the reason. */
const void *cdp_embed_register(const struct cdp_embed_kernel *__kernel);

/* ---- In a kernel ---- */

/* threadIdx and the like. */
struct cdp_embed_index {
    uint3 thread, block;
    dim3 block_dim, grid_dim;
};
void cdp_embed_index(struct cdp_embed_index *__out);
/* The block's static and dynamic shared memory. */
void *cdp_embed_shared(void);
void *cdp_embed_dynamic_shared(void);

/* __syncthreads(); not in a block function. */
void cdp_abi_syncthreads(void);
int cdp_abi_printf(const char *__format, ...) __attribute__((__format__(printf, 1, 2)));

/* Ends the launch with cudaErrorLaunchFailure. */
void cdp_abi_trap(void);

/* Device-side launches and the device runtime, as in cuda_device_runtime_api.h. kernel is a handle
 * from cdp_embed_register. The launch reads its parameters from the buffer, each at the next
 * multiple of its alignment. */
void *cdp_abi_cudaGetParameterBuffer(size_t __alignment, size_t __size);
cudaError_t cdp_abi_cudaLaunchDevice(const void *__kernel, void *__buffer, dim3 __grid, dim3 block,
                                     unsigned int __shared, cudaStream_t __stream);
cudaError_t cdp_abi_cudaDeviceSynchronize(void);
cudaError_t cdp_abi_cudaGetLastError(void);
cudaError_t cdp_abi_cudaMalloc(void **__ptr, size_t __size);
cudaError_t cdp_abi_cudaFree(void *__ptr);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "show.h"

#endif
