/* What no CPU has, or no program may read. */
#include "state.h"

#include <stddef.h>

#define ABSENT(name, parameters, out)                                                              \
    nvmlReturn_t name parameters                                                                   \
    {                                                                                              \
        nvmlReturn_t result = cdp_nvml_check_device(device);                                       \
        if (result != NVML_SUCCESS || (out) == NULL) {                                             \
            return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;                  \
        }                                                                                          \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* named for the reader */
ABSENT(nvmlDeviceGetSerial, (nvmlDevice_t device, char *serial, unsigned int length), serial)
ABSENT(nvmlDeviceGetVbiosVersion, (nvmlDevice_t device, char *version, unsigned int length),
       version)
ABSENT(nvmlDeviceGetPowerUsage, (nvmlDevice_t device, unsigned int *milliwatts), milliwatts)
ABSENT(nvmlDeviceGetPowerManagementLimit, (nvmlDevice_t device, unsigned int *milliwatts),
       milliwatts)
ABSENT(nvmlDeviceGetEnforcedPowerLimit, (nvmlDevice_t device, unsigned int *milliwatts), milliwatts)
ABSENT(nvmlDeviceGetTotalEnergyConsumption, (nvmlDevice_t device, unsigned long long *millijoules),
       millijoules)
ABSENT(nvmlDeviceGetFanSpeed, (nvmlDevice_t device, unsigned int *percent), percent)
ABSENT(nvmlDeviceGetTemperatureThreshold,
       (nvmlDevice_t device, nvmlTemperatureThresholds_t type, unsigned int *celsius), celsius)
ABSENT(nvmlDeviceGetPersistenceMode, (nvmlDevice_t device, nvmlEnableState_t *mode), mode)
ABSENT(nvmlDeviceGetEccMode,
       (nvmlDevice_t device, nvmlEnableState_t *current, nvmlEnableState_t *pending), current)
ABSENT(nvmlDeviceGetMigMode, (nvmlDevice_t device, unsigned int *current, unsigned int *pending),
       current)
ABSENT(nvmlDeviceGetCurrPcieLinkGeneration, (nvmlDevice_t device, unsigned int *number), number)
ABSENT(nvmlDeviceGetCurrPcieLinkWidth, (nvmlDevice_t device, unsigned int *width), width)
ABSENT(nvmlDeviceGetTotalEccErrors,
       (nvmlDevice_t device, nvmlMemoryErrorType_t type, nvmlEccCounterType_t counter,
        unsigned long long *errors),
       errors)
ABSENT(nvmlDeviceGetMemoryErrorCounter,
       (nvmlDevice_t device, nvmlMemoryErrorType_t type, nvmlEccCounterType_t counter,
        nvmlMemoryLocation_t location, unsigned long long *errors),
       errors)
ABSENT(nvmlDeviceGetDefaultEccMode, (nvmlDevice_t device, nvmlEnableState_t *mode), mode)
ABSENT(nvmlDeviceGetRetiredPages,
       (nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int *count,
        unsigned long long *addresses),
       count)
ABSENT(nvmlDeviceGetRetiredPagesPendingStatus, (nvmlDevice_t device, nvmlEnableState_t *is_pending),
       is_pending)
ABSENT(nvmlDeviceGetRemappedRows,
       (nvmlDevice_t device, unsigned int *corrected, unsigned int *uncorrected,
        unsigned int *is_pending, unsigned int *has_failed),
       corrected)
ABSENT(nvmlDeviceGetMaxPcieLinkGeneration, (nvmlDevice_t device, unsigned int *number), number)
ABSENT(nvmlDeviceGetMaxPcieLinkWidth, (nvmlDevice_t device, unsigned int *width), width)
ABSENT(nvmlDeviceGetPcieThroughput,
       (nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned int *kib_per_second),
       kib_per_second)
ABSENT(nvmlDeviceGetPcieReplayCounter, (nvmlDevice_t device, unsigned int *count), count)
ABSENT(nvmlDeviceGetNvLinkState,
       (nvmlDevice_t device, unsigned int link, nvmlEnableState_t *is_active), is_active)
ABSENT(nvmlDeviceGetPowerManagementMode, (nvmlDevice_t device, nvmlEnableState_t *mode), mode)
ABSENT(nvmlDeviceGetPowerManagementDefaultLimit, (nvmlDevice_t device, unsigned int *milliwatts),
       milliwatts)
ABSENT(nvmlDeviceGetPowerManagementLimitConstraints,
       (nvmlDevice_t device, unsigned int *least, unsigned int *most), least != NULL ? most : NULL)
#pragma GCC diagnostic pop
ABSENT(nvmlDeviceGetEncoderUtilization,
       (nvmlDevice_t device, unsigned int *percent, unsigned int *period),
       percent != NULL ? period : NULL)
ABSENT(nvmlDeviceGetDecoderUtilization,
       (nvmlDevice_t device, unsigned int *percent, unsigned int *period),
       percent != NULL ? period : NULL)

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    nvmlReturn_t result = cdp_nvml_check_device(device);
    if (result != NVML_SUCCESS || count <= 0 || values == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        values[i].nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
    }
    return NVML_SUCCESS;
}
