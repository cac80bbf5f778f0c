/* Linking of device code while a program runs: NVIDIA's interface "nvJitLink", on cdpcc.
 * docs/nvrtc.md says what differs. */
#ifndef nvJitLink_INCLUDED__
#define nvJitLink_INCLUDED__

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* A library built with hidden visibility still exports and finds these. */
#pragma GCC visibility push(default)

typedef enum {
    NVJITLINK_SUCCESS = 0,
    NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
    NVJITLINK_ERROR_MISSING_ARCH,
    NVJITLINK_ERROR_INVALID_INPUT,
    NVJITLINK_ERROR_PTX_COMPILE,
    NVJITLINK_ERROR_NVVM_COMPILE,
    NVJITLINK_ERROR_INTERNAL,
    NVJITLINK_ERROR_THREADPOOL,
    NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
    NVJITLINK_ERROR_FINALIZE,
    NVJITLINK_ERROR_NULL_INPUT,
    NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
    NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
    NVJITLINK_ERROR_ARCH_MISMATCH,
    NVJITLINK_ERROR_OUTDATED_LIBRARY,
    NVJITLINK_ERROR_MISSING_FATBIN,
    NVJITLINK_ERROR_UNRECOGNIZED_ARCH,
    NVJITLINK_ERROR_UNSUPPORTED_ARCH,
    NVJITLINK_ERROR_LTO_NOT_ENABLED
} nvJitLinkResult;

typedef enum {
    NVJITLINK_INPUT_NONE = 0,
    NVJITLINK_INPUT_CUBIN = 1,
    NVJITLINK_INPUT_PTX,
    NVJITLINK_INPUT_LTOIR,
    NVJITLINK_INPUT_FATBIN,
    NVJITLINK_INPUT_OBJECT,
    NVJITLINK_INPUT_LIBRARY,
    NVJITLINK_INPUT_INDEX,
    NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;

typedef struct nvJitLink *nvJitLinkHandle;

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *__handle, uint32_t __count,
                                const char **__options);
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *__handle);
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle __handle, nvJitLinkInputType __type,
                                 const void *__data, size_t __size, const char *__name);
nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle __handle, nvJitLinkInputType __type,
                                 const char *__path);
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle __handle);
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle __handle, void *__cubin);
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle __handle, char *__ptx);
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle __handle, char *__log);
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle __handle, char *__log);
nvJitLinkResult nvJitLinkVersion(unsigned int *__major, unsigned int *__minor);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
