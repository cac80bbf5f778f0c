/* The driver API's libraries of device code, which belong to no context ("Library Management" in
 * NVIDIA's manual), and what modules tell of themselves. Included by cuda.h. */
#ifndef __CDP_CU_LIBRARY_H
#define __CDP_CU_LIBRARY_H

#include "cu_types.h"

typedef enum CUlibraryOption_enum {
    CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0, /* CUDA_ERROR_NOT_SUPPORTED */
    CU_LIBRARY_BINARY_IS_PRESERVED = 1,
    CU_LIBRARY_NUM_OPTIONS
} CUlibraryOption;

typedef struct CUlibraryHostUniversalFunctionAndDataTable_st {
    void *functionTable;
    size_t functionWindowSize;
    void *dataTable;
    size_t dataWindowSize;
} CUlibraryHostUniversalFunctionAndDataTable;

typedef enum CUmoduleLoadingMode_enum {
    CU_MODULE_EAGER_LOADING = 0x1,
    CU_MODULE_LAZY_LOADING = 0x2
} CUmoduleLoadingMode;

typedef enum CUfunctionLoadingState_enum {
    CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
    CU_FUNCTION_LOADING_STATE_LOADED = 1,
    CU_FUNCTION_LOADING_STATE_MAX
} CUfunctionLoadingState;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Libraries ---- */
CUresult cuLibraryLoadData(CUlibrary *__library, const void *__code, CUjit_option *__jit_options,
                           void **__jit_values, unsigned int __jit_count,
                           CUlibraryOption *__options, void **__values, unsigned int __count);
CUresult cuLibraryLoadFromFile(CUlibrary *__library, const char *__path,
                               CUjit_option *__jit_options, void **__jit_values,
                               unsigned int __jit_count, CUlibraryOption *__options,
                               void **__values, unsigned int __count);
CUresult cuLibraryUnload(CUlibrary __library);
CUresult cuLibraryGetKernel(CUkernel *__kernel, CUlibrary __library, const char *__name);
CUresult cuLibraryGetKernelCount(unsigned int *__count, CUlibrary __library);
CUresult cuLibraryEnumerateKernels(CUkernel *__kernels, unsigned int __most, CUlibrary __library);
CUresult cuLibraryGetModule(CUmodule *__module, CUlibrary __library);
CUresult cuLibraryGetGlobal(CUdeviceptr *__ptr, size_t *__size, CUlibrary __library,
                            const char *__name);
CUresult cuLibraryGetManaged(CUdeviceptr *__ptr, size_t *__size, CUlibrary __library,
                             const char *__name);
CUresult cuLibraryGetUnifiedFunction(void **__function, CUlibrary __library, const char *__name);

/* ---- Their kernels ---- */
CUresult cuKernelGetFunction(CUfunction *__function, CUkernel __kernel);
CUresult cuKernelGetLibrary(CUlibrary *__library, CUkernel __kernel);
CUresult cuKernelGetName(const char **__name, CUkernel __kernel);
CUresult cuKernelGetParamInfo(CUkernel __kernel, size_t __index, size_t *__offset, size_t *__size);
CUresult cuKernelGetAttribute(int *__value, CUfunction_attribute __attr, CUkernel __kernel,
                              CUdevice __device);
CUresult cuKernelSetAttribute(CUfunction_attribute __attr, int __value, CUkernel __kernel,
                              CUdevice __device);
CUresult cuKernelSetCacheConfig(CUkernel __kernel, CUfunc_cache __config, CUdevice __device);

/* ---- Functions and modules ---- */
CUresult cuFuncGetModule(CUmodule *__module, CUfunction __function);
CUresult cuFuncGetParamInfo(CUfunction __function, size_t __index, size_t *__offset,
                            size_t *__size);
CUresult cuFuncIsLoaded(CUfunctionLoadingState *__state, CUfunction __function);
CUresult cuFuncLoad(CUfunction __function);
CUresult cuModuleGetFunctionCount(unsigned int *__count, CUmodule __module);
CUresult cuModuleEnumerateFunctions(CUfunction *__functions, unsigned int __most,
                                    CUmodule __module);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *__mode);

#ifdef __cplusplus
}
#endif

#endif
