/* What a device is: its identity and the numbers of its profile. */
#include "state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The numbers of PCI. */
enum { NVIDIA_VENDOR = 0x10de, DISPLAY_CONTROLLER = 3, VGA = 0, WITHOUT_SCREEN = 2 };

nvmlReturn_t nvmlDeviceGetCount(unsigned int *count)
{
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || count == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    *count = cdp_nvml.count;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device)
{
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || device == NULL || index >= cdp_nvml.count) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    *device = &cdp_nvml.devices[index];
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char own[CDP_UUID_TEXT];
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || uuid == NULL || device == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    for (unsigned i = 0; i < cdp_nvml.count; i++) {
        cdp_profile_uuid_text(i, own);
        if (strcasecmp(own, uuid) == 0) {
            *device = &cdp_nvml.devices[i];
            return NVML_SUCCESS;
        }
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t *uuid, nvmlDevice_t *device)
{
    unsigned char own[CDP_UUID_BYTES];
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || uuid == NULL || device == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    if (uuid->version != nvmlUUID_v1) {
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    }
    if (uuid->type == NVML_UUID_TYPE_ASCII) {
        return nvmlDeviceGetHandleByUUID(uuid->value.str, device);
    }
    for (unsigned i = 0; uuid->type == NVML_UUID_TYPE_BINARY && i < cdp_nvml.count; i++) {
        cdp_profile_uuid(i, own);
        if (memcmp(own, uuid->value.bytes, sizeof own) == 0) {
            *device = &cdp_nvml.devices[i];
            return NVML_SUCCESS;
        }
    }
    return uuid->type == NVML_UUID_TYPE_BINARY ? NVML_ERROR_NOT_FOUND : NVML_ERROR_INVALID_ARGUMENT;
}

/* Domain, bus and device, with or without the function. */
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device)
{
    unsigned domain = 0, bus, slot, function = 0;
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || id == NULL || device == NULL ||
        (sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
         (domain = 0, sscanf(id, "%x:%x.%x", &bus, &slot, &function) < 2))) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    if ((domain | slot | function) != 0 || bus >= cdp_nvml.count) {
        return NVML_ERROR_NOT_FOUND;
    }
    *device = &cdp_nvml.devices[bus];
    return NVML_SUCCESS;
}

/* No device has a serial number. */
nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *serial, nvmlDevice_t *device)
{
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || serial == NULL || device == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    char text[256];
    BEGIN(device, name)
    cdp_profile_name(device->profile, text, sizeof text);
    text[NVML_DEVICE_NAME_V2_BUFFER_SIZE - 1] = '\0';
    if (length < NVML_DEVICE_NAME_V2_BUFFER_SIZE && length >= NVML_DEVICE_NAME_BUFFER_SIZE) {
        text[length - 1] = '\0'; /* a program with the buffer of old versions */
    }
    return cdp_nvml_store(text, name, length);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];
    BEGIN(device, uuid)
    cdp_profile_uuid_text(device->number, text);
    return cdp_nvml_store(text, uuid, length);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    BEGIN(device, index)
    *index = device->number;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *number)
{
    return nvmlDeviceGetIndex(device, number);
}

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    char id[CDP_PCI_ID_BYTES];
    BEGIN(device, pci)
    cdp_profile_pci_id(device->number, id);
    const struct cdp_board *board = device->profile->board;
    *pci = (nvmlPciInfo_t){.bus = device->number,
                           .pciDeviceId = board != NULL ? board->pci_id << 16 | NVIDIA_VENDOR : 0};
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%s", id);
    snprintf(pci->busId, sizeof pci->busId, "0000%s", id);
    return NVML_SUCCESS;
}

/* The class is that of a display controller: for screens, or only for computing. */
nvmlReturn_t nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_t *pci)
{
    nvmlPciInfo_t plain;
    BEGIN_BOARD(device, pci)
    if (pci->version != nvmlPciInfoExt_v1) {
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    }
    (void)nvmlDeviceGetPciInfo(device, &plain);
    *pci = (nvmlPciInfoExt_t){.version = nvmlPciInfoExt_v1,
                              .bus = plain.bus,
                              .pciDeviceId = plain.pciDeviceId,
                              .baseClass = DISPLAY_CONTROLLER,
                              .subClass = board->brand == CDP_BRAND_GEFORCE ? VGA : WITHOUT_SCREEN};
    memcpy(pci->busId, plain.busId, sizeof pci->busId);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *arch)
{
    BEGIN(device, arch)
    const struct cdp_capability *c = device->profile->capability;
    switch (c->major) {
    case 6:
        *arch = NVML_DEVICE_ARCH_PASCAL;
        break;
    case 7:
        *arch = c->minor == 5 ? NVML_DEVICE_ARCH_TURING : NVML_DEVICE_ARCH_VOLTA;
        break;
    case 8:
        *arch = c->minor == 9 ? NVML_DEVICE_ARCH_ADA : NVML_DEVICE_ARCH_AMPERE;
        break;
    case 9:
        *arch = NVML_DEVICE_ARCH_HOPPER;
        break;
    default:
        *arch = c->major > 9 ? NVML_DEVICE_ARCH_BLACKWELL : NVML_DEVICE_ARCH_UNKNOWN;
        break;
    }
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    BEGIN(device, major != NULL ? minor : NULL)
    *major = device->profile->capability->major;
    *minor = device->profile->capability->minor;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *bits)
{
    BEGIN(device, bits)
    *bits = (unsigned)device->profile->bus_bits;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int *is_multi)
{
    BEGIN(device, is_multi)
    *is_multi = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    BEGIN(device, mode)
    *mode = NVML_COMPUTEMODE_DEFAULT;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t *state)
{
    BEGIN(device, state)
    *state = NVML_FEATURE_DISABLED;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t *state)
{
    return nvmlDeviceGetDisplayMode(device, state);
}
