/* Libraries: modules that belong to no context. What is refused is as on an H200. There, too, a
 * load accepts data that is no device code: the calls that need the code fail. */
#include "api/driver/library.h"

#include "cuda_runtime_api.h"

#include "api/driver/module.h"
#include "api/register.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "jit/image.h"

#include <sys/stat.h>

enum { LIBRARY_TAG = 0x4c /* 'L' */ };

/* Life: from a load to cuLibraryUnload. Const but for next. Owned by the table. */
struct library {
    struct library *next;                /* in the list */
    const struct cdp_abi_module *tables; /* NULL: it has no code, and the result says why */
    CUmodule module;
    CUlibrary handle;
    CUresult result; /* of the search for its code */
};

static struct {
    struct cdp_lock lock; /* guards the table and the list */
    struct cdp_handle_table handles;
    struct library *first CDP_GUARDED_BY(&lock);
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_DRIVER), .handles = {.tag = LIBRARY_TAG}};

/* ---- Loads ---- */

static CUresult check_options(const struct cdp_library_options *options, bool is_file)
{
    if (options->count != 0 && options->list == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < options->count; i++) {
        if (options->list[i] == CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE) {
            return CUDA_ERROR_NOT_SUPPORTED;
        }
        if (options->list[i] != CU_LIBRARY_BINARY_IS_PRESERVED || is_file) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

static void remove_module(const struct library *library)
{
    if (library->tables != NULL) {
        (void)cdp_module_remove(library->module, true);
    }
}

static CUresult add(const struct cdp_abi_module *tables, CUresult found, CUlibrary *out)
{
    struct library *library = cdp_alloc_zero(sizeof *library);
    if (library == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    library->tables = tables;
    library->result = found;
    CUresult result = CUDA_SUCCESS;
    if (tables != NULL) {
        result = cdp_module_add(tables, true, &library->module);
    }
    if (result != CUDA_SUCCESS) {
        cdp_free(library);
        return result;
    }
    cdp_lock_acquire(&all.lock);
    uint64_t handle = cdp_handle_create(&all.handles, library);
    library->handle = (CUlibrary)(void *)(uintptr_t)handle;
    if (handle != 0) {
        library->next = all.first;
        all.first = library;
    }
    cdp_lock_release(&all.lock);
    if (handle == 0) {
        remove_module(library);
        cdp_free(library);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = library->handle;
    return CUDA_SUCCESS;
}

/* Nothing at all is refused at once. */
static bool is_empty(const char *code, const char *path)
{
    struct stat info;
    return code != NULL ? *code == '\0' : stat(path, &info) == 0 && info.st_size == 0;
}

CUresult cdp_library_load(const void *code, const char *path,
                          const struct cdp_library_options *options, CUlibrary *out)
{
    struct cdp_jit jit;
    const struct cdp_abi_module *tables = NULL;
    if (out == NULL || (code == NULL && path == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = check_options(options, code == NULL);
    if (result == CUDA_SUCCESS) {
        result = cdp_jit_begin(&jit, options->jit_count, options->jit, options->jit_values);
    }
    if (result == CUDA_SUCCESS) {
        result = code != NULL ? cdp_module_load_image(&jit, code, CDP_IMAGE_ANY_SIZE, &tables)
                              : cdp_module_load_file(path, &tables);
    }
    bool is_accepted =
        result == CUDA_SUCCESS || (result == CUDA_ERROR_INVALID_IMAGE && !is_empty(code, path));
    return is_accepted ? add(tables, result, out) : result;
}

static void take_off(const struct library *library) CDP_NEEDS(&all.lock)
{
    struct library **at = &all.first;
    while (*at != library) {
        at = &(*at)->next;
    }
    *at = library->next;
}

CUresult cdp_library_unload(CUlibrary handle)
{
    cdp_lock_acquire(&all.lock);
    struct library *library = cdp_handle_remove(&all.handles, (uintptr_t)(void *)handle);
    if (library != NULL) {
        take_off(library);
    }
    cdp_lock_release(&all.lock);
    if (library == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    remove_module(library);
    cdp_free(library);
    return CUDA_SUCCESS;
}

/* ---- What is in a library ---- */

/* A copy, because another thread may unload it. False: there is none. */
static bool find(CUlibrary handle, struct library *out)
{
    cdp_lock_acquire(&all.lock);
    const struct library *library = cdp_handle_find(&all.handles, (uintptr_t)(void *)handle);
    if (library != NULL) {
        *out = *library;
    }
    cdp_lock_release(&all.lock);
    return library != NULL;
}

/* The same for a call that needs the code. */
static CUresult find_code(CUlibrary handle, struct library *out)
{
    return find(handle, out) ? out->result : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cdp_library_kernel(CUlibrary handle, const char *name, CUkernel *out)
{
    struct library library;
    CUresult result = find_code(handle, &library);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (name == NULL || out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_abi_kernel *kernel = cdp_module_find_kernel(library.tables, name);
    if (kernel == NULL) {
        return CUDA_ERROR_NOT_FOUND;
    }
    *out = (CUkernel)(void *)kernel;
    return CUDA_SUCCESS;
}

CUresult cdp_library_kernel_count(CUlibrary handle, unsigned *out)
{
    struct library library;
    if (!find(handle, &library)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = library.tables != NULL ? cdp_module_kernel_count(library.tables) : 0;
    return CUDA_SUCCESS;
}

CUresult cdp_library_kernels(CUlibrary handle, CUkernel *out, unsigned most)
{
    struct library library;
    if (!find(handle, &library)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    unsigned count = library.tables != NULL ? cdp_module_kernel_count(library.tables) : 0;
    for (unsigned i = 0; i < most && i < count; i++) {
        out[i] = (CUkernel)(void *)(library.tables->kernels + i);
    }
    return CUDA_SUCCESS;
}

CUresult cdp_library_global(CUlibrary handle, const char *name, CUdeviceptr *ptr, size_t *size)
{
    struct library library;
    CUresult result = find_code(handle, &library);
    return result == CUDA_SUCCESS ? cdp_module_global(library.tables, name, ptr, size) : result;
}

CUresult cdp_library_managed(CUlibrary handle, const char *name, CUdeviceptr *ptr, size_t *size)
{
    struct library library;
    CUresult result = find_code(handle, &library);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    const struct cdp_abi_variable *variable =
        name != NULL ? cdp_module_find_variable(library.tables, name) : NULL;
    bool is_other = variable == NULL || (variable->flags & CDP_VARIABLE_MANAGED) == 0;
    return name != NULL && is_other ? CUDA_ERROR_NOT_FOUND
                                    : cdp_module_global(library.tables, name, ptr, size);
}

/* ---- The driver API ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit_options,
                           void **jit_values, unsigned int jit_count, CUlibraryOption *options,
                           void **values, unsigned int count)
{
    (void)values;
    struct cdp_driver_call call;
    struct cdp_library_options all_options = {jit_options, jit_values, jit_count, options, count};
    CUresult result = cdp_driver_begin_any(&call);
    return result != CUDA_SUCCESS ? result : cdp_library_load(code, NULL, &all_options, library);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit_options,
                               void **jit_values, unsigned int jit_count, CUlibraryOption *options,
                               void **values, unsigned int count)
{
    (void)values;
    struct cdp_driver_call call;
    struct cdp_library_options all_options = {jit_options, jit_values, jit_count, options, count};
    CUresult result = cdp_driver_begin_any(&call);
    return result != CUDA_SUCCESS ? result : cdp_library_load(NULL, path, &all_options, library);
}

/* The start of a call that needs no context, and its result. */
#define ANYWHERE(expression)                                                                       \
    struct cdp_driver_call call;                                                                   \
    CUresult result = cdp_driver_begin_any(&call);                                                 \
    return result != CUDA_SUCCESS ? result : (expression)

CUresult cuLibraryUnload(CUlibrary library)
{
    ANYWHERE(cdp_library_unload(library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    ANYWHERE(cdp_library_kernel(library, name, kernel));
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library)
{
    ANYWHERE(cdp_library_kernel_count(library, count));
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int most, CUlibrary library)
{
    ANYWHERE(cdp_library_kernels(library, kernels, most));
}

CUresult cuLibraryGetManaged(CUdeviceptr *ptr, size_t *size, CUlibrary library, const char *name)
{
    ANYWHERE(cdp_library_managed(library, name, ptr, size));
}

CUresult cuLibraryGetUnifiedFunction(void **function, CUlibrary library, const char *name)
{
    (void)function, (void)name;
    struct library found;
    ANYWHERE(find(library, &found) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *ptr, size_t *size, CUlibrary library, const char *name)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    return result != CUDA_SUCCESS ? result : cdp_library_global(library, name, ptr, size);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary handle)
{
    struct cdp_driver_call call;
    struct library library;
    CUresult result = cdp_driver_begin(&call);
    result = result == CUDA_SUCCESS ? find_code(handle, &library) : result;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (module == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *module = library.module;
    return CUDA_SUCCESS;
}

/* ---- Kernels ---- */

/* The start of a call for a kernel that needs no context. */
static CUresult begin(struct cdp_driver_call *call, CUkernel handle,
                      const struct cdp_abi_kernel **kernel)
{
    CUresult result = cdp_driver_begin_any(call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *kernel = cdp_registry_find_kernel((const void *)handle);
    return *kernel != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* The same for a call to which no kernel is an invalid value, as an H100 showed. */
static CUresult begin_reading(struct cdp_driver_call *call, CUkernel handle,
                              const struct cdp_abi_kernel **kernel)
{
    CUresult result = begin(call, handle, kernel);
    bool is_null = result == CUDA_ERROR_INVALID_HANDLE && handle == NULL;
    return is_null ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel handle)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(&call, handle, &kernel);
    if (result != CUDA_SUCCESS || function == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_begin(&call);
    if (result == CUDA_SUCCESS) {
        *function = (CUfunction)(void *)(uintptr_t)kernel;
    }
    return result;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel handle)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(&call, handle, &kernel);
    if (result != CUDA_SUCCESS || library == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = CUDA_ERROR_INVALID_HANDLE; /* a kernel of the program, or of a module */
    cdp_lock_acquire(&all.lock);
    for (const struct library *l = all.first; l != NULL && result != CUDA_SUCCESS; l = l->next) {
        bool has_code = l->tables != NULL; /* a library may be loaded from anything */
        if (has_code && kernel >= l->tables->kernels && kernel < l->tables->kernels_end) {
            *library = l->handle;
            result = CUDA_SUCCESS;
        }
    }
    cdp_lock_release(&all.lock);
    return result;
}

CUresult cuKernelGetName(const char **name, CUkernel handle)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin_reading(&call, handle, &kernel);
    if (result != CUDA_SUCCESS || name == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *name = kernel->name;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel handle, size_t index, size_t *offset, size_t *size)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin_reading(&call, handle, &kernel);
    return result != CUDA_SUCCESS ? result : cdp_driver_param_info(kernel, index, offset, size);
}

/* The start of a call for a kernel on a device. */
static CUresult begin_on(struct cdp_driver_call *call, CUkernel handle, CUdevice device)
{
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(call, handle, &kernel);
    return result != CUDA_SUCCESS ? result : cdp_driver_check_device(call, device);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attr, CUkernel kernel,
                              CUdevice device)
{
    struct cdp_driver_call call;
    struct cudaFuncAttributes attrs;
    CUresult result = begin_on(&call, kernel, device);
    if (result != CUDA_SUCCESS || value == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cudaFuncGetAttributes(&attrs, (const void *)kernel));
    return result != CUDA_SUCCESS ? result : cdp_driver_attribute_of(&attrs, attr, value);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attr, int value, CUkernel kernel,
                              CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = begin_on(&call, kernel, device);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaFuncSetAttribute((const void *)kernel,
                                                            (enum cudaFuncAttribute)attr, value));
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = begin_on(&call, kernel, device);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaFuncSetCacheConfig((const void *)kernel,
                                                              (enum cudaFuncCache)config));
}
