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

/* There are none of these. */
nvmlReturn_t nvmlUnitGetCount(unsigned int *__count);
nvmlReturn_t nvmlGetExcludedDeviceCount(unsigned int *__count);

nvmlReturn_t nvmlDeviceGetCount(unsigned int *__count);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int __index, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *__uuid, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t *__uuid, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *__id, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *__serial, nvmlDevice_t *__device);

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t __device, char *__name, unsigned int __length);
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t __device, char *__uuid, unsigned int __length);
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t __device, unsigned int *__index);
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t __device, unsigned int *__number);
nvmlReturn_t nvmlDeviceGetPciInfoExt(nvmlDevice_t __device, nvmlPciInfoExt_t *__pci);
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t __device, nvmlPciInfo_t *__pci);
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t __device, nvmlDeviceArchitecture_t *__arch);
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t __device, int *__major, int *__minor);
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t __device, unsigned int *__bits);
nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t __device, unsigned int *__is_multi);
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t __device, nvmlComputeMode_t *__mode);
nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t __device, nvmlEnableState_t *__state);
nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t __device, nvmlEnableState_t *__state);

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t __device, nvmlMemory_t *__memory);
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t __device, nvmlMemory_v2_t *__memory);
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t __device, nvmlUtilization_t *__rates);
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t __device, nvmlTemperatureSensors_t __sensor,
                                      unsigned int *__celsius);
nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t __device, nvmlTemperature_t *__temperature);
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
nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t __device, unsigned int *__count,
                                                     nvmlProcessInfo_t *__infos);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
