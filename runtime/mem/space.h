/* The spaces that an address can lie in, as CUDA's address-space predicates and pointer queries
 * distinguish them. */
#ifndef CDP_MEM_SPACE_H
#define CDP_MEM_SPACE_H

#include <stdbool.h>

enum cdp_space {
    CDP_SPACE_HOST = 0,   /* memory that the runtime does not know */
    CDP_SPACE_DEVICE,     /* cudaMalloc and the like: device, managed and pinned memory */
    CDP_SPACE_HEAP,       /* the device heap: malloc in kernels */
    CDP_SPACE_REGISTERED, /* host memory given to cudaHostRegister */
    CDP_SPACE_VARIABLE,   /* a __device__ or __managed__ variable */
    CDP_SPACE_CONSTANT,   /* a __constant__ variable */
    CDP_SPACE_SHARED,     /* a block's shared memory */
    CDP_SPACE_LOCAL,      /* a device thread's stack */
};

/* The call that made an allocation of CDP_SPACE_DEVICE, and other memory of the same kind. */
enum cdp_memory_kind {
    CDP_MEMORY_DEVICE = 1, /* cudaMalloc, cudaMallocPitch, cudaMallocAsync */
    CDP_MEMORY_PINNED,     /* cudaMallocHost, cudaHostAlloc; registered host memory */
    CDP_MEMORY_MANAGED,    /* cudaMallocManaged; __managed__ variables */
    CDP_MEMORY_ARRAY,      /* cudaMallocArray: users never see its address */
};

/* There is one address space for host and device: every kernel can access all memory except shared
 * and local memory. */
static inline bool cdp_space_is_private(enum cdp_space space)
{
    return space == CDP_SPACE_SHARED || space == CDP_SPACE_LOCAL;
}

#endif
