/* The driver API (NVIDIA's manual "CUDA Driver API"), on top of the runtime API.
 *
 *     call.c      the start and the end of calls; errors; entry points by name
 *     device.c    devices
 *     context.c   contexts, and which one is current
 *     module.c    modules: files with device code
 *     library.c   libraries: the same without a context
 *     library_runtime.c  libraries of the runtime API
 *     jit.c       options of loads and links
 *     link.c      several files to one module
 *     memory.c    memory, copies, fills
 *     array.c     arrays
 *     boxes.c     copies of rows and boxes, and of arrays
 *     texture.c   texture and surface objects
 *     reference.c texture and surface references
 *     pool.c      memory pools, managed memory
 *     mapping.c   addresses and memory apart
 *     stream.c    streams and events
 *     memory_op.c stream memory operations
 *     capture.c   stream capture
 *     graph.c     graphs, and executable graphs
 *     node.c      nodes of graphs, with their parameters
 *     kernel.c    launches, attributes, occupancy
 *     unsupported.c  what is refused
 *
 * All contexts of a device share its memory. Streams, events and kernels have the same handles in
 * both APIs. A call of the driver API leaves the last error of the runtime API as it
 * is. */
#ifndef CDP_API_DRIVER_DRIVER_H
#define CDP_API_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda.h"
#include "driver_types.h"

#include "api/leak.h"
#include "base/attr.h"

/* The state of the runtime API before a call of the driver API, which leaves it as it is. */
struct cdp_driver_call {
    cudaError_t last; /* the calling thread's last error */
    bool is_used;     /* whether there was a call of the runtime API */
};
struct cdp_driver_call cdp_driver_call_now(void);

/* The result of a call that needs a context. */
#define CDP_DRIVER_CALL(expression)                                                                \
    struct cdp_driver_call call;                                                                   \
    CUresult result = cdp_driver_begin(&call);                                                     \
    return result != CUDA_SUCCESS ? result : cdp_driver_end(&call, expression)

/* The same of a call that makes an object, whose handle is then at out. */
#define CDP_DRIVER_MAKE(kind, out, expression)                                                     \
    struct cdp_driver_call call;                                                                   \
    CUresult result = cdp_driver_begin(&call);                                                     \
    return result != CUDA_SUCCESS ? result                                                         \
                                  : cdp_driver_made(cdp_driver_end(&call, expression), kind, out,  \
                                                    __builtin_return_address(0))

/* The start of a call. The first needs a current context, the second needs only cuInit. */
CUresult cdp_driver_begin(struct cdp_driver_call *call) CDP_MUST_CHECK;
CUresult cdp_driver_begin_any(struct cdp_driver_call *call) CDP_MUST_CHECK;
/* Whether there is such a device: CUDA_SUCCESS or CUDA_ERROR_INVALID_DEVICE. */
CUresult cdp_driver_check_device(const struct cdp_driver_call *call, CUdevice device);
/* The end of a call: the code of a call of the runtime API. */
CUresult cdp_driver_end(const struct cdp_driver_call *call, cudaError_t error);
/* The end of a call whose call of the runtime API has made an object: reports name the program's
 * call at site. handle: where the object's handle is, if the
 * program wants it. Returns result. */
static inline CUresult cdp_driver_made(CUresult result, enum cdp_leak_kind kind, const void *handle,
                                       const void *site)
{
    uint64_t object = result == CUDA_SUCCESS && handle != NULL ? *(const uintptr_t *)handle : 0;
    if (object != 0) {
        cdp_leak_freed(object);
        cdp_leak_made(kind, object, site);
    }
    return result;
}
/* An error of the runtime API as one of the driver API. Those that it does not have are
 * CUDA_ERROR_INVALID_VALUE. */
CUresult cdp_driver_result(cudaError_t error);

/* ---- Contexts ---- */

/* The calling thread's current context, or NULL. */
CUcontext cdp_context_current(void);
/* The device of a context; NULL is the current one. False: it is no context. */
bool cdp_context_device(CUcontext context, CUdevice *device);
bool cdp_driver_is_initialized(void);

/* ---- Graphs ---- */

/* The data of dependencies is the same in both APIs. */
_Static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData), "another layout");
static inline cudaGraphEdgeData *cdp_driver_edges(const CUgraphEdgeData *edges)
{
    return (cudaGraphEdgeData *)(uintptr_t)edges;
}

/* ---- Kernels ---- */

struct cdp_abi_kernel;
/* Pointers to the arguments in the buffer that the last argument of cuLaunchKernel describes. The
 * caller frees them. */
CUresult cdp_driver_args_of_buffer(const struct cdp_abi_kernel *kernel, void **extra,
                                   void ***args) CDP_MUST_CHECK;

struct cudaFuncAttributes;
/* One of the attributes of a kernel. */
CUresult cdp_driver_attribute_of(const struct cudaFuncAttributes *attrs, CUfunction_attribute attr,
                                 int *value);
/* As cuFuncGetParamInfo. */
CUresult cdp_driver_param_info(const struct cdp_abi_kernel *kernel, size_t index, size_t *offset,
                               size_t *size);

static inline void *cdp_address_of(CUdeviceptr ptr)
{
    return (void *)(uintptr_t)ptr;
}

#endif
