/* The names that the functions had in earlier versions. Programs find them by dlsym. */
#include "nvml.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
#undef nvmlDeviceGetMPSComputeRunningProcesses

static nvmlReturn_t get_old_pci_info(nvmlDevice_t device, void *pci)
{
    nvmlPciInfo_t now;
    nvmlReturn_t result = nvmlDeviceGetPciInfo_v3(device, pci != NULL ? &now : NULL);
    if (result == NVML_SUCCESS) {
        memcpy(pci, &now, offsetof(nvmlPciInfo_t, busId));
    }
    return result;
}

static nvmlReturn_t list_old_processes(nvmlDevice_t device, unsigned *count,
                                       nvmlProcessInfo_v1_t *infos)
{
    if (count == NULL || *count == 0 || infos == NULL) {
        return nvmlDeviceGetComputeRunningProcesses_v3(device, count, (void *)infos);
    }
    enum { LATE = 64 }; /* processes that start meanwhile */
    unsigned have = 0;
    (void)nvmlDeviceGetComputeRunningProcesses_v3(device, &have, NULL);
    if (*count > have + LATE) { /* a program may say that it has room for any number */
        *count = have + LATE;
    }
    nvmlProcessInfo_t *now = calloc(*count, sizeof *now);
    if (now == NULL) {
        return NVML_ERROR_MEMORY;
    }
    nvmlReturn_t result = nvmlDeviceGetComputeRunningProcesses_v3(device, count, now);
    for (unsigned i = 0; result == NVML_SUCCESS && i < *count; i++) {
        infos[i] = (nvmlProcessInfo_v1_t){now[i].pid, now[i].usedGpuMemory};
    }
    free(now);
    return result;
}

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
OLD(nvmlDeviceGetMPSComputeRunningProcesses_v2,
    (nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *infos), (device, count, infos),
    nvmlDeviceGetMPSComputeRunningProcesses_v3)

/* The first two versions have no busId at the end. */
OLD(nvmlDeviceGetPciInfo_v2, (nvmlDevice_t device, void *pci), (device, pci), get_old_pci_info)
OLD(nvmlDeviceGetPciInfo, (nvmlDevice_t device, void *pci), (device, pci), get_old_pci_info)

/* The first versions have elements without the instances. */
OLD(nvmlDeviceGetComputeRunningProcesses,
    (nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *infos), (device, count, infos),
    list_old_processes)
OLD(nvmlDeviceGetGraphicsRunningProcesses,
    (nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *infos),
    (device, count, (void *)infos), nvmlDeviceGetGraphicsRunningProcesses_v3)
OLD(nvmlDeviceGetMPSComputeRunningProcesses,
    (nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *infos),
    (device, count, (void *)infos), nvmlDeviceGetMPSComputeRunningProcesses_v3)
