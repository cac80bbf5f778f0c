/* What NVML tells of GPUs and no CPU has, or no program may read: errors of memory, links, limits.
 * Each function returns NVML_ERROR_NOT_SUPPORTED for each device. Included by nvml.h. */
#ifndef __CDP_NVML_ABSENT_H
#define __CDP_NVML_ABSENT_H

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
typedef enum nvmlPcieUtilCounter_enum {
    NVML_PCIE_UTIL_TX_BYTES = 0,
    NVML_PCIE_UTIL_RX_BYTES = 1,
    NVML_PCIE_UTIL_COUNT
} nvmlPcieUtilCounter_t;

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

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Succeeds. Each value has NVML_ERROR_NOT_SUPPORTED. */
nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t __device, int __count,
                                      nvmlFieldValue_t *__values);

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t __device, nvmlMemoryErrorType_t __type,
                                         nvmlEccCounterType_t __counter,
                                         unsigned long long *__errors);
nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t __device, nvmlMemoryErrorType_t __type,
                                             nvmlEccCounterType_t __counter,
                                             nvmlMemoryLocation_t __location,
                                             unsigned long long *__errors);
nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t __device, nvmlEnableState_t *__mode);
nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t __device, nvmlPageRetirementCause_t __cause,
                                       unsigned int *__count, unsigned long long *__addresses);
nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t __device,
                                                    nvmlEnableState_t *__is_pending);
nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t __device, unsigned int *__corrected,
                                       unsigned int *__uncorrected, unsigned int *__is_pending,
                                       unsigned int *__has_failed);
nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t __device, unsigned int *__number);
nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t __device, unsigned int *__width);
nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t __device, nvmlPcieUtilCounter_t __counter,
                                         unsigned int *__kib_per_second);
nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t __device, unsigned int *__count);
nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t __device, unsigned int __link,
                                      nvmlEnableState_t *__is_active);
nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t __device, nvmlEnableState_t *__mode);
nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t __device,
                                                      unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t __device,
                                                          unsigned int *__least,
                                                          unsigned int *__most);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "show.h"

#endif
