/* Libraries of device code, for both APIs. Their kernels have the handles of kernels elsewhere, so
 * a CUkernel can be launched by both APIs. The functions here need no context. */
#ifndef CDP_API_DRIVER_LIBRARY_H
#define CDP_API_DRIVER_LIBRARY_H

#include "api/driver/driver.h"

/* The options of a load. */
struct cdp_library_options {
    const CUjit_option *jit;
    void **jit_values;
    unsigned jit_count;
    const CUlibraryOption *list;
    unsigned count;
};
/* code: an image; else path: a file with one. */
CUresult cdp_library_load(const void *code, const char *path,
                          const struct cdp_library_options *options, CUlibrary *out) CDP_MUST_CHECK;
CUresult cdp_library_unload(CUlibrary library);
CUresult cdp_library_kernel(CUlibrary library, const char *name, CUkernel *out);
CUresult cdp_library_kernel_count(CUlibrary library, unsigned *out);
CUresult cdp_library_kernels(CUlibrary library, CUkernel *out, unsigned most);
CUresult cdp_library_global(CUlibrary library, const char *name, CUdeviceptr *ptr, size_t *size);
CUresult cdp_library_managed(CUlibrary library, const char *name, CUdeviceptr *ptr, size_t *size);

#endif
