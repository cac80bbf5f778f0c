/* Clocks: those of the profile, at which clock() counts. They never change. */
#include "state.h"

#include <stddef.h>

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    BEGIN(device, mhz)
    if ((unsigned)type >= NVML_CLOCK_COUNT) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    if (type == NVML_CLOCK_VIDEO) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    int khz =
        type == NVML_CLOCK_MEM ? device->profile->memory_clock_khz : device->profile->clock_khz;
    *mhz = (unsigned)khz / 1000;
    return NVML_SUCCESS;
}

/* Types that do not exist have the code of an H200. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    BEGIN(device, mhz)
    return (unsigned)type < NVML_CLOCK_COUNT ? nvmlDeviceGetMaxClockInfo(device, type, mhz)
                                             : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id,
                                unsigned int *mhz)
{
    BEGIN(device, mhz)
    if ((unsigned)id >= NVML_CLOCK_ID_COUNT || (unsigned)type > NVML_CLOCK_COUNT) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    return id == NVML_CLOCK_ID_CURRENT ? nvmlDeviceGetClockInfo(device, type, mhz)
                                       : NVML_ERROR_NOT_SUPPORTED;
}

/* One value, in the way of NVML's lists. */
static nvmlReturn_t store_one(unsigned value, unsigned *count, unsigned *values)
{
    unsigned most = *count;
    *count = 1;
    if (most == 0) {
        return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    if (values == NULL) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *values = value;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int *count,
                                                unsigned int *mhz)
{
    BEGIN_BOARD(device, count)
    (void)board;
    return store_one((unsigned)device->profile->memory_clock_khz / 1000, count, mhz);
}

nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int memory_mhz,
                                                  unsigned int *count, unsigned int *mhz)
{
    BEGIN_BOARD(device, count)
    (void)board;
    if (memory_mhz != (unsigned)device->profile->memory_clock_khz / 1000) {
        return memory_mhz == 0 ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_FOUND;
    }
    return store_one((unsigned)device->profile->clock_khz / 1000, count, mhz);
}

/* P0, the state of the highest clocks. */
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *state)
{
    BEGIN(device, state)
    *state = device->profile->board != NULL ? NVML_PSTATE_0 : NVML_PSTATE_UNKNOWN;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t *state)
{
    return nvmlDeviceGetPerformanceState(device, state);
}

/* size is that of the array, in bytes. */
nvmlReturn_t nvmlDeviceGetSupportedPerformanceStates(nvmlDevice_t device, nvmlPstates_t *states,
                                                     unsigned int size)
{
    BEGIN_BOARD(device, size > 0 ? states : NULL)
    (void)board;
    if (size < sizeof *states) {
        return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    for (unsigned i = 0; i < size / sizeof *states; i++) {
        states[i] = i == 0 ? NVML_PSTATE_0 : NVML_PSTATE_UNKNOWN;
    }
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMinMaxClockOfPState(nvmlDevice_t device, nvmlClockType_t type,
                                              nvmlPstates_t state, unsigned int *least,
                                              unsigned int *most)
{
    BEGIN_BOARD(device, least != NULL ? most : NULL)
    (void)board;
    if (state != NVML_PSTATE_0) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    result = nvmlDeviceGetMaxClockInfo(device, type, most);
    *least = result == NVML_SUCCESS ? *most : *least;
    return result;
}

/* ---- What slows the clocks: nothing is known to, so a device is idle or not ---- */

/* What GPUs tell: nine reasons. */
#define ALL_REASONS 0x1ff

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device,
                                                    unsigned long long *reasons)
{
    unsigned count = 0;
    nvmlUtilization_t rates = {0};
    BEGIN(device, reasons)
    result = nvmlDeviceGetComputeRunningProcesses(device, &count, NULL);
    if (result == NVML_ERROR_INSUFFICIENT_SIZE) {
        result = nvmlDeviceGetUtilizationRates(device, &rates);
    }
    *reasons = rates.gpu == 0 ? nvmlClocksEventReasonGpuIdle : nvmlClocksEventReasonNone;
    return result;
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long *reasons)
{
    return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device,
                                                      unsigned long long *reasons)
{
    BEGIN(device, reasons)
    *reasons = device->profile->board != NULL ? ALL_REASONS : nvmlClocksEventReasonGpuIdle;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                                         unsigned long long *reasons)
{
    return nvmlDeviceGetSupportedClocksEventReasons(device, reasons);
}
