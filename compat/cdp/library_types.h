/* Types for libraries of device code ("Library Management" in NVIDIA's manual), and for functions of
 * the driver API by name. Included by driver_types.h. */
#ifndef __CDP_LIBRARY_TYPES_H
#define __CDP_LIBRARY_TYPES_H

typedef struct CUlib_st *cudaLibrary_t;

/* Only the buffers for messages have an effect: device code is compiled already. */
enum cudaJitOption {
    cudaJitMaxRegisters = 0,
    cudaJitThreadsPerBlock = 1,
    cudaJitWallTime = 2,
    cudaJitInfoLogBuffer = 3,
    cudaJitInfoLogBufferSizeBytes = 4,
    cudaJitErrorLogBuffer = 5,
    cudaJitErrorLogBufferSizeBytes = 6,
    cudaJitOptimizationLevel = 7,
    cudaJitFallbackStrategy = 10,
    cudaJitGenerateDebugInfo = 11,
    cudaJitLogVerbose = 12,
    cudaJitGenerateLineInfo = 13,
    cudaJitCacheMode = 14,
    cudaJitPositionIndependentCode = 30,
    cudaJitMinCtaPerSm = 31,
    cudaJitMaxThreadsPerBlock = 32,
    cudaJitOverrideDirectiveValues = 33
};
enum cudaJit_CacheMode {
    cudaJitCacheOptionNone = 0,
    cudaJitCacheOptionCG = 1,
    cudaJitCacheOptionCA = 2
};
enum cudaJit_Fallback { cudaPreferPtx = 0, cudaPreferBinary = 1 };

enum cudaLibraryOption {
    cudaLibraryHostUniversalFunctionAndDataTable = 0, /* cudaErrorNotSupported */
    cudaLibraryBinaryIsPreserved = 1
};
struct cudalibraryHostUniversalFunctionAndDataTable {
    void *functionTable;
    size_t functionWindowSize;
    void *dataTable;
    size_t dataWindowSize;
};

/* ---- Functions of the driver API by name ---- */

enum cudaGetDriverEntryPointFlags {
    cudaEnableDefault = 0,
    cudaEnableLegacyStream = 1,
    cudaEnablePerThreadDefaultStream = 2
};
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
};

#endif
