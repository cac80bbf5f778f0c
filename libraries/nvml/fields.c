/* nvmlDeviceGetFieldValues: the queries by number. */
#include "state.h"

#include <stddef.h>
#include <time.h>

static nvmlReturn_t store(nvmlFieldValue_t *value, nvmlReturn_t result, unsigned long long number,
                          nvmlValueType_t type)
{
    value->valueType = type;
    value->value.ullVal = number;
    return result;
}

/* The ECC counts are numbered by pairs: single bit, double bit. */
static nvmlReturn_t read_ecc_count(nvmlDevice_t device, nvmlFieldValue_t *value)
{
    unsigned long long errors = 0;
    nvmlReturn_t result = nvmlDeviceGetTotalEccErrors(device, NVML_MEMORY_ERROR_TYPE_CORRECTED,
                                                      NVML_AGGREGATE_ECC, &errors);
    return store(value, result, errors, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
}

static nvmlReturn_t read_ecc_mode(nvmlDevice_t device, nvmlFieldValue_t *value)
{
    nvmlEnableState_t current = NVML_FEATURE_DISABLED, pending;
    nvmlReturn_t result = nvmlDeviceGetEccMode(device, &current, &pending);
    return store(value, result, current, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
}

static nvmlReturn_t read_retired(nvmlDevice_t device, nvmlFieldValue_t *value)
{
    unsigned count = 0;
    nvmlReturn_t result = nvmlDeviceGetRetiredPages(
        device, NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR, &count, NULL);
    return store(value, result, count, NVML_VALUE_TYPE_UNSIGNED_INT);
}

static nvmlReturn_t read_remapped(nvmlDevice_t device, nvmlFieldValue_t *value)
{
    unsigned numbers[4] = {0};
    nvmlReturn_t result =
        nvmlDeviceGetRemappedRows(device, &numbers[0], &numbers[1], &numbers[2], &numbers[3]);
    unsigned which = value->fieldId - NVML_FI_DEV_REMAPPED_COR;
    return store(value, result, numbers[which], NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
}

/* All counts of a link's errors. */
static nvmlReturn_t read_replays(nvmlDevice_t device, nvmlFieldValue_t *value)
{
    unsigned count = 0;
    nvmlReturn_t result = nvmlDeviceGetPcieReplayCounter(device, &count);
    return store(value, result, count, NVML_VALUE_TYPE_UNSIGNED_INT);
}

static nvmlReturn_t read_power(nvmlDevice_t device, nvmlFieldValue_t *value)
{
    unsigned least = 0, most = 0;
    bool is_range = value->fieldId <= NVML_FI_DEV_POWER_MAX_LIMIT;
    nvmlReturn_t result = is_range
                              ? nvmlDeviceGetPowerManagementLimitConstraints(device, &least, &most)
                              : nvmlDeviceGetPowerManagementLimit(device, &most);
    return store(value, result, value->fieldId == NVML_FI_DEV_POWER_MIN_LIMIT ? least : most,
                 NVML_VALUE_TYPE_UNSIGNED_INT);
}

static const struct {
    unsigned first, last;
    nvmlReturn_t (*read)(nvmlDevice_t device, nvmlFieldValue_t *value);
} fields[] = {
    {NVML_FI_DEV_ECC_CURRENT, NVML_FI_DEV_ECC_PENDING, read_ecc_mode},
    {NVML_FI_DEV_ECC_SBE_VOL_TOTAL, NVML_FI_DEV_ECC_DBE_AGG_TOTAL, read_ecc_count},
    {NVML_FI_DEV_RETIRED_SBE, NVML_FI_DEV_RETIRED_PENDING, read_retired},
    {NVML_FI_DEV_RETIRED_PENDING_SBE, NVML_FI_DEV_RETIRED_PENDING_DBE, read_retired},
    {NVML_FI_DEV_PCIE_REPLAY_COUNTER, NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER, read_replays},
    {NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS, NVML_FI_DEV_PCIE_COUNT_LCRC_ERROR, read_replays},
    {NVML_FI_DEV_REMAPPED_COR, NVML_FI_DEV_REMAPPED_FAILURE, read_remapped},
    {NVML_FI_DEV_POWER_MIN_LIMIT, NVML_FI_DEV_POWER_CURRENT_LIMIT, read_power},
    {NVML_FI_DEV_POWER_REQUESTED_LIMIT, NVML_FI_DEV_POWER_REQUESTED_LIMIT, read_power},
};

static nvmlReturn_t read_field(nvmlDevice_t device, nvmlFieldValue_t *value)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (value->fieldId >= fields[i].first && value->fieldId <= fields[i].last) {
            return fields[i].read(device, value);
        }
    }
    return NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    struct timespec now;
    BEGIN(device, count > 0 ? values : NULL)
    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < count; i++) {
        values[i].timestamp = (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
        values[i].latencyUsec = 0;
        values[i].nvmlReturn = read_field(device, &values[i]);
    }
    return NVML_SUCCESS;
}
