/* What the profile tells of a GPU's board. This machine itself has none: NVML_ERROR_NOT_SUPPORTED.
 */
#include "state.h"

#include <stddef.h>

/* As GPUs have it. */
enum { ACCOUNTED_PROCESSES = 4000 };

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *type)
{
    static const nvmlBrandType_t types[] = {[CDP_BRAND_NVIDIA] = NVML_BRAND_NVIDIA,
                                            [CDP_BRAND_TESLA] = NVML_BRAND_TESLA,
                                            [CDP_BRAND_GEFORCE] = NVML_BRAND_GEFORCE};
    BEGIN(device, type)
    const struct cdp_board *board = device->profile->board;
    *type = board != NULL ? types[board->brand] : NVML_BRAND_UNKNOWN;
    return NVML_SUCCESS;
}

/* The number of CUDA cores; 0 for this machine. */
static unsigned cores_of(const struct cdp_profile *profile)
{
    const struct cdp_capability *c = profile->capability;
    bool is_half = c->major == 7 || (c->minor == 0 && c->major < 9); /* 64 a multiprocessor */
    return (unsigned)profile->multiprocessors * (is_half ? 64 : 128);
}

/* A query whose answer is an expression of board and device. */
#define QUERY(name, parameters, value)                                                             \
    nvmlReturn_t name parameters                                                                   \
    {                                                                                              \
        BEGIN_BOARD(device, out)                                                                   \
        (void)board;                                                                               \
        *out = (value);                                                                            \
        return NVML_SUCCESS;                                                                       \
    }
QUERY(nvmlDeviceGetBusType, (nvmlDevice_t device, nvmlBusType_t *out), NVML_BUS_TYPE_PCIE)
QUERY(nvmlDeviceGetNumGpuCores, (nvmlDevice_t device, unsigned *out), cores_of(device->profile))
QUERY(nvmlDeviceGetBoardId, (nvmlDevice_t device, unsigned *out), device->number)
QUERY(nvmlDeviceGetModuleId, (nvmlDevice_t device, unsigned *out), device->number)
QUERY(nvmlDeviceGetPowerSource, (nvmlDevice_t device, nvmlPowerSource_t *out), NVML_POWER_SOURCE_AC)
QUERY(nvmlDeviceGetAccountingBufferSize, (nvmlDevice_t device, unsigned *out), ACCOUNTED_PROCESSES)
/* Nothing is unloaded when the last program ends. */
QUERY(nvmlDeviceGetPersistenceMode, (nvmlDevice_t device, nvmlEnableState_t *out),
      NVML_FEATURE_ENABLED)
QUERY(nvmlDeviceGetAccountingMode, (nvmlDevice_t device, nvmlEnableState_t *out),
      NVML_FEATURE_DISABLED)
QUERY(nvmlDeviceGetVirtualizationMode, (nvmlDevice_t device, nvmlGpuVirtualizationMode_t *out),
      NVML_GPU_VIRTUALIZATION_MODE_NONE)

/* Those of data centers have none. How many the others have differs by vendor. */
nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned int *count)
{
    BEGIN_BOARD(device, count)
    if (board->brand == CDP_BRAND_GEFORCE) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device, nvmlDevice_t other, int *is_same)
{
    nvmlReturn_t second = cdp_nvml_check_device(other);
    BEGIN(device, second == NVML_SUCCESS ? is_same : NULL)
    if (device != other) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    *is_same = 1;
    return NVML_SUCCESS;
}

/* ---- The PCIe link: the profile's, always at its full speed ---- */

QUERY(nvmlDeviceGetCurrPcieLinkGeneration, (nvmlDevice_t device, unsigned *out),
      board->pcie_generation)
QUERY(nvmlDeviceGetMaxPcieLinkGeneration, (nvmlDevice_t device, unsigned *out),
      board->pcie_generation)
QUERY(nvmlDeviceGetGpuMaxPcieLinkGeneration, (nvmlDevice_t device, unsigned *out),
      board->pcie_generation)
QUERY(nvmlDeviceGetCurrPcieLinkWidth, (nvmlDevice_t device, unsigned *out), board->pcie_lanes)
QUERY(nvmlDeviceGetMaxPcieLinkWidth, (nvmlDevice_t device, unsigned *out), board->pcie_lanes)
/* Mbit/s of a lane: 8000 in generation 3, and twice as much in each later one. */
QUERY(nvmlDeviceGetPcieSpeed, (nvmlDevice_t device, unsigned *out), 1000u << board->pcie_generation)
/* NVML's numbers are those of the generations. */
QUERY(nvmlDeviceGetPcieLinkMaxSpeed, (nvmlDevice_t device, unsigned *out), board->pcie_generation)
QUERY(nvmlDeviceGetPcieReplayCounter, (nvmlDevice_t device, unsigned *out), 0)

/* ---- Limits of power, in milliwatts: the profile's. What the device needs is not known. ---- */

QUERY(nvmlDeviceGetPowerManagementMode, (nvmlDevice_t device, nvmlEnableState_t *out),
      NVML_FEATURE_ENABLED)
QUERY(nvmlDeviceGetPowerManagementDefaultLimit, (nvmlDevice_t device, unsigned *out),
      board->watts * 1000)
QUERY(nvmlDeviceGetPowerManagementLimit, (nvmlDevice_t device, unsigned *out), board->watts * 1000)
QUERY(nvmlDeviceGetEnforcedPowerLimit, (nvmlDevice_t device, unsigned *out), board->watts * 1000)

nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int *least,
                                                          unsigned int *most)
{
    BEGIN_BOARD(device, least != NULL ? most : NULL)
    if (board->least_watts == 0) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    *least = board->least_watts * 1000;
    *most = board->watts * 1000;
    return NVML_SUCCESS;
}

/* ---- Division into instances: never ---- */

nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *is_mig)
{
    BEGIN(device, is_mig)
    *is_mig = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
    BEGIN_BOARD(device, current != NULL ? pending : NULL)
    if (!board->has_mig) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    *current = *pending = NVML_DEVICE_MIG_DISABLE;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count)
{
    BEGIN(device, count)
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index,
                                                 nvmlDevice_t *instance)
{
    (void)index;
    BEGIN_BOARD(device, instance)
    return board->has_mig ? NVML_ERROR_NOT_FOUND : NVML_ERROR_NOT_SUPPORTED;
}

/* The rest is for handles of instances. */
nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, unsigned int *id)
{
    BEGIN(device, id)
    return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, unsigned int *id)
{
    BEGIN(device, id)
    return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t instance,
                                                          nvmlDevice_t *device)
{
    BEGIN(instance, device)
    return NVML_ERROR_INVALID_ARGUMENT;
}

/* ---- Accounting: off ---- */

nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t device, unsigned int *count,
                                         unsigned int *pids)
{
    BEGIN_BOARD(device, count)
    (void)board;
    bool is_query = *count == 0 || pids == NULL;
    *count = 0;
    return is_query ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}
