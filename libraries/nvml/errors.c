/* Errors of memory. The memory is this machine's, and no error of it is known: where the profile
 * has ECC, the counts are 0. */
#include "state.h"

#include <stddef.h>

/* The ECC of the profile as it is delivered: nothing can change it. */
static nvmlReturn_t read_ecc(nvmlDevice_t device, const void *out, nvmlEnableState_t *mode)
{
    BEGIN_BOARD(device, out)
    *mode = board->ecc == CDP_ECC_ON ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
    return board->ecc != CDP_ECC_ABSENT ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current,
                                  nvmlEnableState_t *pending)
{
    nvmlEnableState_t mode;
    nvmlReturn_t result = read_ecc(device, current != NULL ? pending : NULL, &mode);
    if (result == NVML_SUCCESS) {
        *current = *pending = mode;
    }
    return result;
}

nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    nvmlEnableState_t value;
    nvmlReturn_t result = read_ecc(device, mode, &value);
    if (result == NVML_SUCCESS) {
        *mode = value;
    }
    return result;
}

/* NVML_SUCCESS if errors are counted. */
static nvmlReturn_t check_counts(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                 nvmlEccCounterType_t counter, const void *out)
{
    nvmlEnableState_t mode;
    bool is_good = (unsigned)type < NVML_MEMORY_ERROR_TYPE_COUNT &&
                   (unsigned)counter < NVML_ECC_COUNTER_TYPE_COUNT;
    nvmlReturn_t result = read_ecc(device, is_good ? out : NULL, &mode);
    return result == NVML_SUCCESS && mode != NVML_FEATURE_ENABLED ? NVML_ERROR_NOT_SUPPORTED
                                                                  : result;
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                         nvmlEccCounterType_t counter, unsigned long long *errors)
{
    nvmlReturn_t result = check_counts(device, type, counter, errors);
    if (result == NVML_SUCCESS) {
        *errors = 0;
    }
    return result;
}

/* Since Ampere all memory on the chip is counted as one. */
static bool has_place(nvmlDevice_t device, nvmlMemoryLocation_t location)
{
    bool is_new = device->profile->capability->major >= 8;
    return location == NVML_MEMORY_LOCATION_DRAM ||
           (location == NVML_MEMORY_LOCATION_SRAM) == is_new;
}

nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                             nvmlEccCounterType_t counter,
                                             nvmlMemoryLocation_t location,
                                             unsigned long long *errors)
{
    bool is_place = (unsigned)location < NVML_MEMORY_LOCATION_COUNT;
    nvmlReturn_t result = check_counts(device, type, counter, is_place ? errors : NULL);
    if (result == NVML_SUCCESS && !has_place(device, location)) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    return result == NVML_SUCCESS ? nvmlDeviceGetTotalEccErrors(device, type, counter, errors)
                                  : result;
}

nvmlReturn_t nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                            nvmlEccCounterType_t counter,
                                            nvmlEccErrorCounts_t *counts)
{
    nvmlReturn_t result = check_counts(device, type, counter, counts);
    if (result == NVML_SUCCESS) {
        *counts = (nvmlEccErrorCounts_t){.l1Cache = 0};
    }
    return result;
}

/* ---- Memory that is replaced: pages before Ampere, rows since then ---- */

static bool has_rows(nvmlDevice_t device)
{
    return device->profile->capability->major >= 8;
}

static nvmlReturn_t check_replaced(nvmlDevice_t device, const void *out, bool rows)
{
    nvmlReturn_t result =
        check_counts(device, NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_AGGREGATE_ECC, out);
    return result == NVML_SUCCESS && has_rows(device) != rows ? NVML_ERROR_NOT_SUPPORTED : result;
}

nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause,
                                       unsigned int *count, unsigned long long *addresses)
{
    (void)addresses;
    bool is_cause = (unsigned)cause < NVML_PAGE_RETIREMENT_CAUSE_COUNT;
    nvmlReturn_t result = check_replaced(device, is_cause ? count : NULL, false);
    if (result == NVML_SUCCESS) {
        *count = 0;
    }
    return result;
}

nvmlReturn_t nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device, nvmlPageRetirementCause_t cause,
                                          unsigned int *count, unsigned long long *addresses,
                                          unsigned long long *times)
{
    (void)times;
    return nvmlDeviceGetRetiredPages(device, cause, count, addresses);
}

nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device,
                                                    nvmlEnableState_t *is_pending)
{
    nvmlReturn_t result = check_replaced(device, is_pending, false);
    if (result == NVML_SUCCESS) {
        *is_pending = NVML_FEATURE_DISABLED;
    }
    return result;
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int *corrected,
                                       unsigned int *uncorrected, unsigned int *is_pending,
                                       unsigned int *has_failed)
{
    bool are_given =
        corrected != NULL && uncorrected != NULL && is_pending != NULL && has_failed != NULL;
    nvmlReturn_t result = check_replaced(device, are_given ? corrected : NULL, true);
    if (result == NVML_SUCCESS) {
        *corrected = *uncorrected = *is_pending = *has_failed = 0;
    }
    return result;
}
