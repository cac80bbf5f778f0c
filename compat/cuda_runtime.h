/* The header that is included first in every .cu file. It only fixes the order; all content is in
 * other headers. Plain C and C++ get the host API and the types. */
#ifndef __CDP_CUDA_RUNTIME_H
#define __CDP_CUDA_RUNTIME_H

#include "cdp/hide.h"

#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#ifdef __CUDA__
/* Programs and libraries test these names to detect nvcc. */
#define __CUDACC__ 1
#define __CUDACC_RDC__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
/* The version that cdpcc --version prints. */
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 86
#define __CUDACC_VER__                                                                             \
    "__CUDACC_VER__ is no longer supported.  Use __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, "     \
    "and __CUDACC_VER_BUILD__ instead."
#define __CUDA_API_VER_MAJOR__ __CUDACC_VER_MAJOR__
#define __CUDA_API_VER_MINOR__ __CUDACC_VER_MINOR__
/* CUB 3 otherwise needs all of NVTX if an nvToolsExt.h exists. */
#define CCCL_DISABLE_NVTX 1
/* CCCL 2 and later would treat cdpcc as a real nvcc, and fail. */
#if !defined(__NVCC__) && !__has_include(<cuda/std/__cccl/compiler.h>)
#define __NVCC__ 1
#endif
#include "host_defines.h"
/* cdpcc defines it for run-time compilation. */
#ifdef __CUDACC_RTC__
#include "cdp/rtc.h"
#include "cdp/rtc_cxx.h"
#else
#include "cdp/libc.h"
#endif
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "cdp/api_cxx.h"
#include "cdp/channel.h"
#endif

#ifdef __CUDA__
#include "cuda_device_runtime_api.h"
#include "cdp/absent.h"
#include "cdp/builtin_vars.h"
#include "cdp/sync.h"
#include "cdp/cluster.h"
#include "cdp/shared.h"
#include "cdp/atomic.h"
#include "cdp/load.h"
#include "cdp/dpx.h"
#include "cdp/integer.h"
#include "cdp/minmax.h"
#include "cdp/math.h"
#include "cdp/rounding.h"
#include "cdp/texture.h"
/* cdpcc defines it for sources that need it: programs of CUDA 12 may have a texture of their
 * own. */
#ifdef __CDP_REFERENCES
#include "cdp/references.h"
#endif
#endif

#include "cdp/show.h"

#endif
