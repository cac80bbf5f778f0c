/* The names that the functions had in earlier versions. Programs find them by dlsym. */
#include "nvml.h"

#include <stddef.h>

#define OLD(name, parameters, arguments, now)                                                      \
    __attribute__((visibility("default"))) nvmlReturn_t name parameters;                           \
    nvmlReturn_t name parameters                                                                   \
    {                                                                                              \
        return now arguments;                                                                      \
    }
#undef nvmlInit
#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId
#undef nvmlDeviceGetPciInfo
#undef nvmlDeviceGetComputeRunningProcesses
#undef nvmlDeviceGetGraphicsRunningProcesses

OLD(nvmlInit, (void), (), nvmlInit_v2)
OLD(nvmlDeviceGetCount, (unsigned int *count), (count), nvmlDeviceGetCount_v2)
OLD(nvmlDeviceGetHandleByIndex, (unsigned int index, nvmlDevice_t *device), (index, device),
    nvmlDeviceGetHandleByIndex_v2)
OLD(nvmlDeviceGetHandleByPciBusId, (const char *id, nvmlDevice_t *device), (id, device),
    nvmlDeviceGetHandleByPciBusId_v2)
OLD(nvmlDeviceGetComputeRunningProcesses_v2,
    (nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *infos), (device, count, infos),
    nvmlDeviceGetComputeRunningProcesses_v3)
OLD(nvmlDeviceGetGraphicsRunningProcesses_v2,
    (nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *infos), (device, count, infos),
    nvmlDeviceGetGraphicsRunningProcesses_v3)
