/* What NVML tells of a GPU's board, its clocks, errors of its memory and its connections: facts of
 * the profile (CDP_DEVICE). Included by nvml.h. */
#ifndef __CDP_NVML_BOARD_H
#define __CDP_NVML_BOARD_H

#include "nvml_api.h"
#include "hide.h"

typedef enum nvmlMemoryErrorType_enum {
    NVML_MEMORY_ERROR_TYPE_CORRECTED = 0,
    NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1,
    NVML_MEMORY_ERROR_TYPE_COUNT
} nvmlMemoryErrorType_t;
typedef enum nvmlEccCounterType_enum {
    NVML_VOLATILE_ECC = 0,
    NVML_AGGREGATE_ECC = 1,
    NVML_ECC_COUNTER_TYPE_COUNT
} nvmlEccCounterType_t;
typedef enum nvmlMemoryLocation_enum {
    NVML_MEMORY_LOCATION_L1_CACHE = 0,
    NVML_MEMORY_LOCATION_L2_CACHE = 1,
    NVML_MEMORY_LOCATION_DRAM = 2,
    NVML_MEMORY_LOCATION_DEVICE_MEMORY = 2,
    NVML_MEMORY_LOCATION_REGISTER_FILE = 3,
    NVML_MEMORY_LOCATION_TEXTURE_MEMORY = 4,
    NVML_MEMORY_LOCATION_TEXTURE_SHM = 5,
    NVML_MEMORY_LOCATION_CBU = 6,
    NVML_MEMORY_LOCATION_SRAM = 7,
    NVML_MEMORY_LOCATION_COUNT
} nvmlMemoryLocation_t;
typedef enum nvmlPageRetirementCause_enum {
    NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0,
    NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR = 1,
    NVML_PAGE_RETIREMENT_CAUSE_COUNT
} nvmlPageRetirementCause_t;
typedef struct nvmlEccErrorCounts_st {
    unsigned long long l1Cache, l2Cache, deviceMemory, registerFile;
} nvmlEccErrorCounts_t;

typedef unsigned int nvmlBusType_t;
#define NVML_BUS_TYPE_UNKNOWN 0
#define NVML_BUS_TYPE_PCI 1
#define NVML_BUS_TYPE_PCIE 2
typedef enum nvmlGpuVirtualizationMode_enum {
    NVML_GPU_VIRTUALIZATION_MODE_NONE = 0
} nvmlGpuVirtualizationMode_t;
typedef unsigned int nvmlPowerSource_t;
#define NVML_POWER_SOURCE_AC 0
#define NVML_DEVICE_MIG_DISABLE 0
#define NVML_DEVICE_MIG_ENABLE 1

typedef enum nvmlGpuLevel_enum {
    NVML_TOPOLOGY_INTERNAL = 0,
    NVML_TOPOLOGY_SINGLE = 10,
    NVML_TOPOLOGY_MULTIPLE = 20,
    NVML_TOPOLOGY_HOSTBRIDGE = 30,
    NVML_TOPOLOGY_NODE = 40,
    NVML_TOPOLOGY_SYSTEM = 50
} nvmlGpuTopologyLevel_t;
typedef enum nvmlGpuP2PStatus_enum {
    NVML_P2P_STATUS_OK = 0,
    NVML_P2P_STATUS_NOT_SUPPORTED = 5,
    NVML_P2P_STATUS_UNKNOWN = 6
} nvmlGpuP2PStatus_t;
typedef enum nvmlGpuP2PCapsIndex_enum {
    NVML_P2P_CAPS_INDEX_READ = 0,
    NVML_P2P_CAPS_INDEX_WRITE = 1,
    NVML_P2P_CAPS_INDEX_NVLINK = 2,
    NVML_P2P_CAPS_INDEX_ATOMICS = 3,
    NVML_P2P_CAPS_INDEX_PCI = 4,
    NVML_P2P_CAPS_INDEX_UNKNOWN = 5
} nvmlGpuP2PCapsIndex_t;
typedef unsigned int nvmlAffinityScope_t;
#define NVML_AFFINITY_SCOPE_NODE 0
#define NVML_AFFINITY_SCOPE_SOCKET 1

typedef enum nvmlValueType_enum {
    NVML_VALUE_TYPE_DOUBLE = 0,
    NVML_VALUE_TYPE_UNSIGNED_INT = 1,
    NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
    NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3,
    NVML_VALUE_TYPE_SIGNED_LONG_LONG = 4,
    NVML_VALUE_TYPE_SIGNED_INT = 5,
    NVML_VALUE_TYPE_UNSIGNED_SHORT = 6,
    NVML_VALUE_TYPE_COUNT
} nvmlValueType_t;
typedef union nvmlValue_st {
    double dVal;
    int siVal;
    unsigned int uiVal;
    unsigned long ulVal;
    unsigned long long ullVal;
    signed long long sllVal;
    unsigned short usVal;
} nvmlValue_t;
typedef struct nvmlFieldValue_st {
    unsigned int fieldId, scopeId;
    long long timestamp, latencyUsec;
    nvmlValueType_t valueType;
    nvmlReturn_t nvmlReturn;
    nvmlValue_t value;
} nvmlFieldValue_t;

/* The fields that have a value, for the profiles that have it. */
#define NVML_FI_DEV_ECC_CURRENT 1
#define NVML_FI_DEV_ECC_PENDING 2
#define NVML_FI_DEV_ECC_SBE_VOL_TOTAL 3
#define NVML_FI_DEV_ECC_DBE_VOL_TOTAL 4
#define NVML_FI_DEV_ECC_SBE_AGG_TOTAL 5
#define NVML_FI_DEV_ECC_DBE_AGG_TOTAL 6
#define NVML_FI_DEV_RETIRED_SBE 29
#define NVML_FI_DEV_RETIRED_DBE 30
#define NVML_FI_DEV_RETIRED_PENDING 31
#define NVML_FI_DEV_RETIRED_PENDING_SBE 92
#define NVML_FI_DEV_RETIRED_PENDING_DBE 93
#define NVML_FI_DEV_PCIE_REPLAY_COUNTER 94
#define NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER 95
#define NVML_FI_DEV_REMAPPED_COR 142
#define NVML_FI_DEV_REMAPPED_UNC 143
#define NVML_FI_DEV_REMAPPED_PENDING 144
#define NVML_FI_DEV_REMAPPED_FAILURE 145
#define NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS 173 /* to 182: counts of a link's errors */
#define NVML_FI_DEV_PCIE_COUNT_LCRC_ERROR 182
#define NVML_FI_DEV_POWER_MIN_LIMIT 187
#define NVML_FI_DEV_POWER_MAX_LIMIT 188
#define NVML_FI_DEV_POWER_DEFAULT_LIMIT 189
#define NVML_FI_DEV_POWER_CURRENT_LIMIT 190
#define NVML_FI_DEV_POWER_REQUESTED_LIMIT 192

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

nvmlReturn_t nvmlDeviceGetModuleId(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetPowerSource(nvmlDevice_t __device, nvmlPowerSource_t *__mode);
nvmlReturn_t nvmlDeviceGetAccountingBufferSize(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t __device, unsigned int *__count,
                                         unsigned int *__pids);
nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t __device, unsigned int *__count);
nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t __device, nvmlDevice_t __other, int *__same);
nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t __device, unsigned int *__id);
nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t __device, unsigned int *__id);
nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t __instance,
                                                          nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t __device, nvmlBrandType_t *__type);
nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t __device,
                                                          unsigned int *__least,
                                                          unsigned int *__most);
nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t __device, unsigned int *__is_mig);
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t __device, unsigned int *__current,
                                  unsigned int *__pending);
nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t __device, unsigned int *__count);
nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t __device, unsigned int __index,
                                                 nvmlDevice_t *__instance);
nvmlReturn_t nvmlDeviceGetBusType(nvmlDevice_t __device, nvmlBusType_t *__mode);
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetBoardId(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t __device, nvmlEnableState_t *__mode);
nvmlReturn_t nvmlDeviceGetAccountingMode(nvmlDevice_t __device, nvmlEnableState_t *__mode);
nvmlReturn_t nvmlDeviceGetVirtualizationMode(nvmlDevice_t __device,
                                             nvmlGpuVirtualizationMode_t *__mode);
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetGpuMaxPcieLinkGeneration(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetPcieSpeed(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetPcieLinkMaxSpeed(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t __device, nvmlEnableState_t *__mode);
nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t __device, unsigned int *__value);
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t __device, unsigned int *__value);

nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t __device, unsigned int *__count,
                                                unsigned int *__mhz);
nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t __device, unsigned int __memory_mhz,
                                                  unsigned int *__count, unsigned int *__mhz);
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t __device, nvmlPstates_t *__state);
nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t __device, nvmlPstates_t *__state);
nvmlReturn_t nvmlDeviceGetSupportedPerformanceStates(nvmlDevice_t __device, nvmlPstates_t *__states,
                                                     unsigned int __size);
nvmlReturn_t nvmlDeviceGetMinMaxClockOfPState(nvmlDevice_t __device, nvmlClockType_t __type,
                                              nvmlPstates_t __state, unsigned int *__least,
                                              unsigned int *__most);
nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t __device,
                                                    unsigned long long *__reasons);
nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t __device,
                                                       unsigned long long *__reasons);
nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t __device,
                                                      unsigned long long *__reasons);
nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t __device,
                                                         unsigned long long *__reasons);

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t __device, nvmlEnableState_t *__current,
                                  nvmlEnableState_t *__pending);
nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t __device, nvmlEnableState_t *__mode);
nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t __device, nvmlMemoryErrorType_t __type,
                                         nvmlEccCounterType_t __counter,
                                         unsigned long long *__errors);
nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t __device, nvmlMemoryErrorType_t __type,
                                             nvmlEccCounterType_t __counter,
                                             nvmlMemoryLocation_t __location,
                                             unsigned long long *__errors);
nvmlReturn_t nvmlDeviceGetDetailedEccErrors(nvmlDevice_t __device, nvmlMemoryErrorType_t __type,
                                            nvmlEccCounterType_t __counter,
                                            nvmlEccErrorCounts_t *__counts);
nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t __device, nvmlPageRetirementCause_t __cause,
                                       unsigned int *__count, unsigned long long *__addresses);
nvmlReturn_t nvmlDeviceGetRetiredPages_v2(nvmlDevice_t __device, nvmlPageRetirementCause_t __cause,
                                          unsigned int *__count, unsigned long long *__addresses,
                                          unsigned long long *__times);
nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t __device,
                                                    nvmlEnableState_t *__is_pending);
nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t __device, unsigned int *__corrected,
                                       unsigned int *__uncorrected, unsigned int *__is_pending,
                                       unsigned int *__has_failed);

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t __device, nvmlDevice_t __other,
                                                 nvmlGpuTopologyLevel_t *__level);
nvmlReturn_t nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t __device, nvmlGpuTopologyLevel_t __level,
                                              unsigned int *__count, nvmlDevice_t *__devices);
nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned int __cpu, unsigned int *__count,
                                         nvmlDevice_t *__devices);
nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t __device, nvmlDevice_t __other,
                                    nvmlGpuP2PCapsIndex_t __index, nvmlGpuP2PStatus_t *__status);
nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t __device, unsigned int __size,
                                      unsigned long *__cpus);
nvmlReturn_t nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t __device, unsigned int __size,
                                                 unsigned long *__cpus,
                                                 nvmlAffinityScope_t __scope);
nvmlReturn_t nvmlDeviceGetMemoryAffinity(nvmlDevice_t __device, unsigned int __size,
                                         unsigned long *__nodes, nvmlAffinityScope_t __scope);

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t __device, int __count,
                                      nvmlFieldValue_t *__values);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "show.h"

#endif
