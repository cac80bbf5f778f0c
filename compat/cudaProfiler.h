/* The driver API's calls for profilers; there is none. cudaProfilerStart is in cuda_runtime.h. */
#ifndef __CDP_CUDA_PROFILER_H
#define __CDP_CUDA_PROFILER_H

#include "cuda.h"
#include "cuda_runtime.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
