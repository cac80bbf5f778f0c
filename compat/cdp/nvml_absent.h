/* What NVML tells of GPUs and no CPU has, or no program may read, and changes of settings. Each
 * function returns NVML_ERROR_NOT_SUPPORTED for each device. Included by nvml.h. */
#ifndef __CDP_NVML_ABSENT_H
#define __CDP_NVML_ABSENT_H

#include "nvml_api.h"
#include "hide.h"

typedef enum nvmlPcieUtilCounter_enum {
    NVML_PCIE_UTIL_TX_BYTES = 0,
    NVML_PCIE_UTIL_RX_BYTES = 1,
    NVML_PCIE_UTIL_COUNT
} nvmlPcieUtilCounter_t;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t __device, char *__serial, unsigned int __length);
nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t __device, char *__version,
                                       unsigned int __length);
nvmlReturn_t nvmlDeviceGetBoardPartNumber(nvmlDevice_t __device, char *__number,
                                          unsigned int __length);
nvmlReturn_t nvmlDeviceGetInforomImageVersion(nvmlDevice_t __device, char *__version,
                                              unsigned int __length);
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t __device, unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t __device,
                                                 unsigned long long *__millijoules);
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t __device, unsigned int *__percent);
nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t __device, unsigned int __fan,
                                      unsigned int *__percent);
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t __device,
                                               nvmlTemperatureThresholds_t __type,
                                               unsigned int *__celsius);
nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t __device, nvmlPcieUtilCounter_t __counter,
                                         unsigned int *__kib_per_second);
nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t __device, unsigned int __link,
                                      nvmlEnableState_t *__is_active);
nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t __device, unsigned int __link,
                                        unsigned int *__version);
nvmlReturn_t nvmlDeviceGetNumaNodeId(nvmlDevice_t __device, unsigned int *__node);
nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t __device, nvmlClockType_t __type,
                                            unsigned int *__mhz);
nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t __device, nvmlEnableState_t __mode);
nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t __device, nvmlComputeMode_t __mode);
nvmlReturn_t nvmlDeviceSetEccMode(nvmlDevice_t __device, nvmlEnableState_t __mode);
nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t __device, unsigned int __milliwatts);
nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t __device, unsigned int __least,
                                          unsigned int __most);
nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t __device);
nvmlReturn_t nvmlDeviceSetAccountingMode(nvmlDevice_t __device, nvmlEnableState_t __mode);
nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t __device, unsigned int *__percent,
                                             unsigned int *__period);
nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t __device, unsigned int *__percent,
                                             unsigned int *__period);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "show.h"

#endif
