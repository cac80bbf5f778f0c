/* The functions of NVML. Included by nvml.h. */
#ifndef __CDP_NVML_API_H
#define __CDP_NVML_API_H

#include "../nvml.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A library built with hidden visibility still exports and finds these. */
#pragma GCC visibility push(default)

nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlInitWithFlags(unsigned int __flags);
nvmlReturn_t nvmlShutdown(void);
const char *nvmlErrorString(nvmlReturn_t __result);

nvmlReturn_t nvmlSystemGetDriverVersion(char *__version, unsigned int __length);
nvmlReturn_t nvmlSystemGetNVMLVersion(char *__version, unsigned int __length);
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *__version);
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *__version);
nvmlReturn_t nvmlSystemGetProcessName(unsigned int __pid, char *__name, unsigned int __length);

nvmlReturn_t nvmlDeviceGetCount(unsigned int *__count);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int __index, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *__uuid, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *__id, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *__serial, nvmlDevice_t *__device);

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t __device, char *__name, unsigned int __length);
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t __device, char *__uuid, unsigned int __length);
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t __device, unsigned int *__index);
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t __device, unsigned int *__number);
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t __device, nvmlPciInfo_t *__pci);
nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t __device, nvmlBrandType_t *__type);
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t __device, nvmlDeviceArchitecture_t *__arch);
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t __device, int *__major, int *__minor);
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t __device, unsigned int *__bits);
nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t __device, unsigned int *__is_multi);
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t __device, nvmlComputeMode_t *__mode);
nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t __device, nvmlEnableState_t *__state);
nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t __device, nvmlEnableState_t *__state);
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t __device, nvmlPstates_t *__state);

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t __device, nvmlMemory_t *__memory);
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t __device, nvmlMemory_v2_t *__memory);
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t __device, nvmlUtilization_t *__rates);
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t __device, nvmlTemperatureSensors_t __sensor,
                                      unsigned int *__celsius);
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t __device, nvmlClockType_t __type,
                                    unsigned int *__mhz);
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t __device, nvmlClockType_t __type,
                                       unsigned int *__mhz);
nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t __device, nvmlClockType_t __type, nvmlClockId_t __id,
                                unsigned int *__mhz);
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t __device, unsigned int *__count,
                                                  nvmlProcessInfo_t *__infos);
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t __device, unsigned int *__count,
                                                   nvmlProcessInfo_t *__infos);

/* No device is a part of one, and nothing is known to slow one down. */
nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t __device, unsigned int *__is_mig);
nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t __device,
                                                       unsigned long long *__reasons);
nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t __device,
                                                    unsigned long long *__reasons);

/* These return NVML_ERROR_NOT_SUPPORTED for each device. */
nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t __device, unsigned int *__percent,
                                             unsigned int *__period);
nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t __device, unsigned int *__percent,
                                             unsigned int *__period);
nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t __device, char *__serial, unsigned int __length);
nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t __device, char *__version,
                                       unsigned int __length);
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t __device, unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t __device, unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t __device, unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t __device,
                                                 unsigned long long *__millijoules);
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t __device, unsigned int *__percent);
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t __device,
                                               nvmlTemperatureThresholds_t __type,
                                               unsigned int *__celsius);
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t __device, nvmlEnableState_t *__mode);
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t __device, nvmlEnableState_t *__current,
                                  nvmlEnableState_t *__pending);
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t __device, unsigned int *__current,
                                  unsigned int *__pending);
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t __device, unsigned int *__number);
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t __device, unsigned int *__width);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
