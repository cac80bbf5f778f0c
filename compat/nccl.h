/* Collective communication between devices and processes: NVIDIA's interface "NCCL".
 * docs/nccl.md says what differs. */
#ifndef NCCL_H_
#define NCCL_H_

#include "cuda_runtime.h"

#ifdef __CUDA__
#include "cuda_fp16.h"
#include "cuda_bf16.h"
#include "cuda_fp8.h"
#endif

#include <limits.h>
#include <stddef.h>

#include "cdp/hide.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 9
#define NCCL_SUFFIX ""

#define NCCL_VERSION_CODE 22809
#define NCCL_VERSION(X, Y, Z)                                                                      \
    (((X) <= 2 && (Y) <= 8) ? (X) * 1000 + (Y) * 100 + (Z) : (X) * 10000 + (Y) * 100 + (Z))

#ifdef __cplusplus
extern "C" {
#endif
/* A library built with hidden visibility still exports and finds these. */
#pragma GCC visibility push(default)

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow_vidmem *ncclWindow_t;
#define NCCL_COMM_NULL NULL

#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7,
    ncclNumResults = 8
} ncclResult_t;

typedef enum {
    ncclSum = 0,
    ncclProd = 1,
    ncclMax = 2,
    ncclMin = 3,
    ncclAvg = 4,
    ncclNumOps = 5, /* created ones follow */
    ncclMaxRedOp = 0x7fffffff
} ncclRedOp_t;

typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12
} ncclDataType_t;

typedef enum { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 } ncclScalarResidence_t;

#define NCCL_CONFIG_UNDEF_INT (-0x7fffffff - 1)
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_UNDEF_FLOAT -1.0f
#define NCCL_WIN_DEFAULT 0x00
#define NCCL_WIN_COLL_SYMMETRIC 0x01
#define NCCL_WIN_REQUIRED_ALIGNMENT 4096
#define NCCL_CTA_POLICY_DEFAULT 0x00
#define NCCL_CTA_POLICY_EFFICIENCY 0x01
#define NCCL_CTA_POLICY_ZERO 0x02
#define NCCL_SHRINK_DEFAULT 0x00
#define NCCL_SHRINK_ABORT 0x01 /* not supported */

/* Only blocking has an effect. */
typedef struct ncclConfig_v22800 {
    size_t size;
    unsigned int magic;
    unsigned int version;
    int blocking;
    int cgaClusterSize;
    int minCTAs;
    int maxCTAs;
    const char *netName;
    int splitShare;
    int trafficClass;
    const char *commName;
    int collnetEnable;
    int CTAPolicy;
    int shrinkShare;
    int nvlsCTAs;
    int nChannelsPerNetPeer;
    int nvlinkCentricSched;
} ncclConfig_t;

#define NCCL_CONFIG_INITIALIZER                                                                    \
    {                                                                                              \
        sizeof(ncclConfig_t),                             /* size */                               \
            0xcafebeef,                                   /* magic */                              \
            NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH), /* version */                        \
            NCCL_CONFIG_UNDEF_INT,                        /* blocking */                           \
            NCCL_CONFIG_UNDEF_INT,                        /* cgaClusterSize */                     \
            NCCL_CONFIG_UNDEF_INT,                        /* minCTAs */                            \
            NCCL_CONFIG_UNDEF_INT,                        /* maxCTAs */                            \
            NCCL_CONFIG_UNDEF_PTR,                        /* netName */                            \
            NCCL_CONFIG_UNDEF_INT,                        /* splitShare */                         \
            NCCL_CONFIG_UNDEF_INT,                        /* trafficClass */                       \
            NCCL_CONFIG_UNDEF_PTR,                        /* commName */                           \
            NCCL_CONFIG_UNDEF_INT,                        /* collnetEnable */                      \
            NCCL_CONFIG_UNDEF_INT,                        /* CTAPolicy */                          \
            NCCL_CONFIG_UNDEF_INT,                        /* shrinkShare */                        \
            NCCL_CONFIG_UNDEF_INT,                        /* nvlsCTAs */                           \
            NCCL_CONFIG_UNDEF_INT,                        /* nChannelsPerNetPeer */                \
            NCCL_CONFIG_UNDEF_INT                         /* nvlinkCentricSched */                 \
    }

/* ---- Communicators ---- */

ncclResult_t ncclGetVersion(int *__version);
ncclResult_t ncclGetUniqueId(ncclUniqueId *__id);
ncclResult_t ncclCommInitRank(ncclComm_t *__comm, int __nranks, ncclUniqueId __id, int __rank);
ncclResult_t ncclCommInitRankScalable(ncclComm_t *__comm, int __nranks, int __rank, int __count,
                                      ncclUniqueId *__ids, ncclConfig_t *__config);
ncclResult_t ncclCommInitRankConfig(ncclComm_t *__comm, int __nranks, ncclUniqueId __id, int __rank,
                                    ncclConfig_t *__config);
ncclResult_t ncclCommInitAll(ncclComm_t *__comms, int __ndev, const int *__devlist);
ncclResult_t ncclCommSplit(ncclComm_t __comm, int __color, int __key, ncclComm_t *__new,
                           ncclConfig_t *__config);
ncclResult_t ncclCommShrink(ncclComm_t __comm, int *__without, int __count, ncclComm_t *__new,
                            ncclConfig_t *__config, int __flags);
ncclResult_t ncclCommFinalize(ncclComm_t __comm);
ncclResult_t ncclCommDestroy(ncclComm_t __comm);
ncclResult_t ncclCommAbort(ncclComm_t __comm);
ncclResult_t ncclCommGetAsyncError(ncclComm_t __comm, ncclResult_t *__error);
ncclResult_t ncclCommCount(const ncclComm_t __comm, int *__count);
ncclResult_t ncclCommCuDevice(const ncclComm_t __comm, int *__device);
ncclResult_t ncclCommUserRank(const ncclComm_t __comm, int *__rank);
const char *ncclGetErrorString(ncclResult_t __result);
/* comm may be NULL: the calling thread's latest error. */
const char *ncclGetLastError(ncclComm_t __comm);

/* ---- Memory ---- */

ncclResult_t ncclMemAlloc(void **__ptr, size_t __size);
ncclResult_t ncclMemFree(void *__ptr);
ncclResult_t ncclCommRegister(const ncclComm_t __comm, void *__buff, size_t __size,
                              void **__handle);
ncclResult_t ncclCommDeregister(const ncclComm_t __comm, void *__handle);
/* Succeeds without a window, as on GPUs whose memory others cannot map: operations use the buffer as
 * any other. */
ncclResult_t ncclCommWindowRegister(ncclComm_t __comm, void *__buff, size_t __size,
                                    ncclWindow_t *__win, int __flags);
ncclResult_t ncclCommWindowDeregister(ncclComm_t __comm, ncclWindow_t __win);

/* ---- Reductions ---- */

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *__op, void *__scalar, ncclDataType_t __type,
                                      ncclScalarResidence_t __residence, ncclComm_t __comm);
ncclResult_t ncclRedOpDestroy(ncclRedOp_t __op, ncclComm_t __comm);

/* ---- Collectives: queued in the stream, like a kernel ---- */

ncclResult_t ncclReduce(const void *__send, void *__recv, size_t __count, ncclDataType_t __type,
                        ncclRedOp_t __op, int __root, ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclBcast(void *__buff, size_t __count, ncclDataType_t __type, int __root,
                       ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclBroadcast(const void *__send, void *__recv, size_t __count, ncclDataType_t __type,
                           int __root, ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclAllReduce(const void *__send, void *__recv, size_t __count, ncclDataType_t __type,
                           ncclRedOp_t __op, ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclReduceScatter(const void *__send, void *__recv, size_t __recvcount,
                               ncclDataType_t __type, ncclRedOp_t __op, ncclComm_t __comm,
                               cudaStream_t __stream);
ncclResult_t ncclAllGather(const void *__send, void *__recv, size_t __sendcount,
                           ncclDataType_t __type, ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclAlltoAll(const void *__send, void *__recv, size_t __count, ncclDataType_t __type,
                          ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclGather(const void *__send, void *__recv, size_t __count, ncclDataType_t __type,
                        int __root, ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclScatter(const void *__send, void *__recv, size_t __count, ncclDataType_t __type,
                         int __root, ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclSend(const void *__send, size_t __count, ncclDataType_t __type, int __peer,
                      ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclRecv(void *__recv, size_t __count, ncclDataType_t __type, int __peer,
                      ncclComm_t __comm, cudaStream_t __stream);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "cdp/show.h"
#endif
