/* The spaces an address can lie in, as CUDA's address-space predicates and pointer
 * queries tell them apart. */
#ifndef CDP_MEM_SPACE_H
#define CDP_MEM_SPACE_H

#include <stdbool.h>

enum cdp_space {
    CDP_SPACE_HOST = 0,   /* anything the runtime knows nothing of */
    CDP_SPACE_DEVICE,     /* cudaMalloc and its kin: device, managed and pinned memory */
    CDP_SPACE_HEAP,       /* the device heap: malloc in kernels */
    CDP_SPACE_REGISTERED, /* host memory given to cudaHostRegister */
    CDP_SPACE_VARIABLE,   /* a __device__ or __managed__ variable */
    CDP_SPACE_CONSTANT,   /* a __constant__ variable */
    CDP_SPACE_SHARED,     /* a block's shared memory */
    CDP_SPACE_LOCAL,      /* a device thread's stack */
};

/* What an allocation of CDP_SPACE_DEVICE was made by, and what else there is of its kind. */
enum cdp_memory_kind {
    CDP_MEMORY_DEVICE = 1, /* cudaMalloc, cudaMallocPitch, cudaMallocAsync */
    CDP_MEMORY_PINNED,     /* cudaMallocHost, cudaHostAlloc; registered host memory */
    CDP_MEMORY_MANAGED,    /* cudaMallocManaged; __managed__ variables */
    CDP_MEMORY_ARRAY,      /* cudaMallocArray: users never see its address */
};

/* One address space for host and device: all but shared and local is reachable
 * from every kernel. */
static inline bool cdp_space_is_private(enum cdp_space space)
{
    return space == CDP_SPACE_SHARED || space == CDP_SPACE_LOCAL;
}

#endif
