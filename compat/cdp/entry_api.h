/* The functions of the driver API by name: "Driver Entry Point Access" of NVIDIA's manual of the
 * runtime API. Included by cuda_runtime_api.h within its extern "C". */
#ifndef __CDP_ENTRY_API_H
#define __CDP_ENTRY_API_H

/* The version that this CUDA has, and that of a CUDA. */
cudaError_t
cudaGetDriverEntryPoint(const char *__name, void **__function, unsigned long long __flags,
                        enum cudaDriverEntryPointQueryResult *__result __CDP_DEFAULT(0));
cudaError_t
cudaGetDriverEntryPointByVersion(const char *__name, void **__function, unsigned int __version,
                                 unsigned long long __flags,
                                 enum cudaDriverEntryPointQueryResult *__result __CDP_DEFAULT(0));

#endif
