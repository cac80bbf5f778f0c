/* What no CPU has, or no program may read. */
#include "state.h"

#include <stddef.h>

#define ABSENT(name, parameters, out)                                                              \
    nvmlReturn_t name parameters                                                                   \
    {                                                                                              \
        BEGIN(device, out)                                                                         \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* named for the reader */
ABSENT(nvmlDeviceGetSerial, (nvmlDevice_t device, char *serial, unsigned int length), serial)
ABSENT(nvmlDeviceGetVbiosVersion, (nvmlDevice_t device, char *version, unsigned int length),
       version)
ABSENT(nvmlDeviceGetBoardPartNumber, (nvmlDevice_t device, char *number, unsigned int length),
       number)
ABSENT(nvmlDeviceGetInforomImageVersion, (nvmlDevice_t device, char *version, unsigned int length),
       version)
ABSENT(nvmlDeviceGetPowerUsage, (nvmlDevice_t device, unsigned int *milliwatts), milliwatts)
ABSENT(nvmlDeviceGetTotalEnergyConsumption, (nvmlDevice_t device, unsigned long long *millijoules),
       millijoules)
ABSENT(nvmlDeviceGetFanSpeed, (nvmlDevice_t device, unsigned int *percent), percent)
ABSENT(nvmlDeviceGetFanSpeed_v2, (nvmlDevice_t device, unsigned int fan, unsigned int *percent),
       percent)
ABSENT(nvmlDeviceGetTemperatureThreshold,
       (nvmlDevice_t device, nvmlTemperatureThresholds_t type, unsigned int *celsius), celsius)
ABSENT(nvmlDeviceGetPcieThroughput,
       (nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned int *kib_per_second),
       kib_per_second)
ABSENT(nvmlDeviceGetNvLinkState,
       (nvmlDevice_t device, unsigned int link, nvmlEnableState_t *is_active), is_active)
ABSENT(nvmlDeviceGetNvLinkVersion, (nvmlDevice_t device, unsigned int link, unsigned int *version),
       version)
ABSENT(nvmlDeviceGetNumaNodeId, (nvmlDevice_t device, unsigned int *node), node)
ABSENT(nvmlDeviceGetApplicationsClock,
       (nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz), mhz)
ABSENT(nvmlDeviceSetPersistenceMode, (nvmlDevice_t device, nvmlEnableState_t mode), device)
ABSENT(nvmlDeviceSetComputeMode, (nvmlDevice_t device, nvmlComputeMode_t mode), device)
ABSENT(nvmlDeviceSetEccMode, (nvmlDevice_t device, nvmlEnableState_t mode), device)
ABSENT(nvmlDeviceSetPowerManagementLimit, (nvmlDevice_t device, unsigned int milliwatts), device)
ABSENT(nvmlDeviceSetGpuLockedClocks, (nvmlDevice_t device, unsigned int least, unsigned int most),
       device)
ABSENT(nvmlDeviceResetGpuLockedClocks, (nvmlDevice_t device), device)
ABSENT(nvmlDeviceSetAccountingMode, (nvmlDevice_t device, nvmlEnableState_t mode), device)
#pragma GCC diagnostic pop
ABSENT(nvmlDeviceGetEncoderUtilization,
       (nvmlDevice_t device, unsigned int *percent, unsigned int *period),
       percent != NULL ? period : NULL)
ABSENT(nvmlDeviceGetDecoderUtilization,
       (nvmlDevice_t device, unsigned int *percent, unsigned int *period),
       percent != NULL ? period : NULL)

/* Further parameters are never read, so these functions need no more than the first. */
#define EXPORTED(name) __attribute__((visibility("default"))) nvmlReturn_t name
#define CDP_NVML_ABSENT(name)                                                                      \
    EXPORTED(name)(nvmlDevice_t device);                                                           \
    nvmlReturn_t name(nvmlDevice_t device)                                                         \
    {                                                                                              \
        nvmlReturn_t result = cdp_nvml_check_device(device);                                       \
        return result != NVML_SUCCESS ? result : NVML_ERROR_NOT_SUPPORTED;                         \
    }
#define CDP_NVML_ABSENT_ELSE(name)                                                                 \
    EXPORTED(name)(void);                                                                          \
    nvmlReturn_t name(void)                                                                        \
    {                                                                                              \
        nvmlReturn_t result = cdp_nvml_check();                                                    \
        return result != NVML_SUCCESS ? result : NVML_ERROR_NOT_SUPPORTED;                         \
    }
#include "absent.def"
