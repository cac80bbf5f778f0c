/* Kernels registered from C, as the registry stores them. */
#ifndef CDP_API_EMBED_INTERNAL_H
#define CDP_API_EMBED_INTERNAL_H

#include "abi/cdp_abi.h"

/* Owned by the registry, for ever: launches hold pointers to kernel. embed.c adds private
 * fields. */
struct cdp_embedded_kernel {
    struct cdp_abi_kernel kernel; /* its address is the handle */
    struct cdp_embedded_kernel *next;
};

#endif
