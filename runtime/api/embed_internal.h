/* Kernels registered from C, as the registry keeps them. */
#ifndef CDP_API_EMBED_INTERNAL_H
#define CDP_API_EMBED_INTERNAL_H

#include <ffi.h>

#include "abi/cdp_abi.h"

enum { CDP_EMBED_MOST_PARAMS = 64 };

/* Owned by the registry, for ever: launches hold pointers to kernel. */
struct cdp_embedded_kernel {
    struct cdp_abi_kernel kernel; /* its address is the handle */
    struct cdp_embedded_kernel *next;
    ffi_cif cif;
    void (*function)(void);
    void (*block_function)(const void *params, unsigned thread_count); /* NULL: none */
    struct cdp_abi_shared_variable shared;                             /* all of it, as one */
    ffi_type *types[CDP_EMBED_MOST_PARAMS];
    struct cdp_abi_param params[CDP_EMBED_MOST_PARAMS];
};

#endif
