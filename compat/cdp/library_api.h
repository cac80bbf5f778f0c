/* The runtime API's calls for libraries of device code, and kernels by handle. Included by cuda_runtime_api.h. */
#ifndef __CDP_LIBRARY_API_H
#define __CDP_LIBRARY_API_H

cudaError_t cudaLibraryLoadData(cudaLibrary_t *__library, const void *__code,
                                enum cudaJitOption *__jit_options, void **__jit_values,
                                unsigned int __jit_count, enum cudaLibraryOption *__options,
                                void **__values, unsigned int __count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *__library, const char *__path,
                                    enum cudaJitOption *__jit_options, void **__jit_values,
                                    unsigned int __jit_count, enum cudaLibraryOption *__options,
                                    void **__values, unsigned int __count);
cudaError_t cudaLibraryUnload(cudaLibrary_t __library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *__kernel, cudaLibrary_t __library,
                                 const char *__name);
cudaError_t cudaLibraryGetKernelCount(unsigned int *__count, cudaLibrary_t __library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *__kernels, unsigned int __most,
                                        cudaLibrary_t __library);
cudaError_t cudaLibraryGetGlobal(void **__ptr, size_t *__size, cudaLibrary_t __library,
                                 const char *__name);
cudaError_t cudaLibraryGetManaged(void **__ptr, size_t *__size, cudaLibrary_t __library,
                                  const char *__name);
cudaError_t cudaLibraryGetUnifiedFunction(void **__function, cudaLibrary_t __library,
                                          const char *__name);

/* ---- Kernels by handle ---- */
cudaError_t cudaFuncGetName(const char **__name, const void *__func);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *__func, const void *__symbol);
cudaError_t cudaGetKernel(cudaKernel_t *__kernel, const void *__func);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t __kernel, enum cudaFuncAttribute __attr,
                                            int __value, int __device);

#endif
