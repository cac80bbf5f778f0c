/* Device code that is loaded while the program runs: its tables, as modules and libraries have
 * them. */
#ifndef CDP_API_DRIVER_MODULE_H
#define CDP_API_DRIVER_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/driver/driver.h"
#include "api/driver/jit.h"
#include "abi/cdp_abi.h"

/* Loads an image, or a file with one. Each load has variables of its own. The tables stay for
 * ever. Needs no context. */
CUresult cdp_module_load_image(struct cdp_jit *jit, const char *bytes, size_t size,
                               const struct cdp_abi_module **out) CDP_MUST_CHECK;
CUresult cdp_module_load_file(const char *path, const struct cdp_abi_module **out) CDP_MUST_CHECK;

/* A module with these tables. by_library: the caller is the library that it belongs to. */
CUresult cdp_module_add(const struct cdp_abi_module *tables, bool is_of_library,
                        CUmodule *out) CDP_MUST_CHECK;
CUresult cdp_module_remove(CUmodule module, bool by_library);
/* NULL: it is a kernel of the program. */
CUmodule cdp_module_of_kernel(const struct cdp_abi_kernel *kernel);

/* NULL: there is none. */
struct cdp_abi_kernel *cdp_module_find_kernel(const struct cdp_abi_module *tables,
                                              const char *name);
const struct cdp_abi_variable *cdp_module_find_variable(const struct cdp_abi_module *tables,
                                                        const char *name);
/* As cuModuleGetGlobal. */
CUresult cdp_module_global(const struct cdp_abi_module *tables, const char *name, CUdeviceptr *ptr,
                           size_t *size);
static inline unsigned cdp_module_kernel_count(const struct cdp_abi_module *tables)
{
    return (unsigned)(tables->kernels_end - tables->kernels);
}

#endif
