/* Devices. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"

/* The start of a call for a device; it needs no context. */
static CUresult begin(CUdevice device, struct cdp_driver_call *call)
{
    CUresult result = cdp_driver_begin_any(call);
    return result == CUDA_SUCCESS ? cdp_driver_check_device(call, device) : result;
}

CUresult cuDeviceGetCount(int *count)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result != CUDA_SUCCESS || count == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return cdp_driver_end(&call, cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    struct cdp_driver_call call;
    CUresult result = begin(ordinal, &call);
    if (result != CUDA_SUCCESS || device == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *device = ordinal;
    return CUDA_SUCCESS;
}

static CUresult get_properties(CUdevice device, struct cudaDeviceProp *properties)
{
    struct cdp_driver_call call;
    CUresult result = begin(device, &call);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaGetDeviceProperties(properties, device));
}

/* A name that is too long is cut. */
CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult result = get_properties(device, &properties);
    if (result != CUDA_SUCCESS || name == NULL || length <= 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    size_t size = strlen(properties.name);
    size = size < (size_t)length ? size : (size_t)length - 1;
    memcpy(name, properties.name, size);
    name[size] = '\0';
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult result = get_properties(device, &properties);
    if (result != CUDA_SUCCESS || uuid == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *uuid = properties.uuid;
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult result = get_properties(device, &properties);
    if (result != CUDA_SUCCESS || bytes == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *bytes = properties.totalGlobalMem;
    return CUDA_SUCCESS;
}

/* Attributes have the same numbers in both APIs. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attr, CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = begin(device, &call);
    if (result != CUDA_SUCCESS || value == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return cdp_driver_end(&call, cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attr, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    if (major == NULL || minor == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result =
        cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return result != CUDA_SUCCESS
               ? result
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetProperties(CUdevprop *out, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult result = get_properties(device, &properties);
    int clock_rate = 0;
    if (result == CUDA_SUCCESS) {
        result = cuDeviceGetAttribute(&clock_rate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
    }
    if (result != CUDA_SUCCESS || out == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *out = (CUdevprop){
        .maxThreadsPerBlock = properties.maxThreadsPerBlock,
        .sharedMemPerBlock = (int)properties.sharedMemPerBlock,
        .totalConstantMemory = (int)properties.totalConstMem,
        .SIMDWidth = properties.warpSize,
        .memPitch = (int)properties.memPitch,
        .regsPerBlock = properties.regsPerBlock,
        .clockRate = clock_rate,
        .textureAlign = (int)properties.textureAlignment,
    };
    memcpy(out->maxThreadsDim, properties.maxThreadsDim, sizeof out->maxThreadsDim);
    memcpy(out->maxGridSize, properties.maxGridSize, sizeof out->maxGridSize);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = begin(device, &call);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaDeviceGetPCIBusId(id, length, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    return result != CUDA_SUCCESS ? result
                                  : cdp_driver_end(&call, cudaDeviceGetByPCIBusId(device, id));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    struct cdp_driver_call call;
    CUresult result = begin(device, &call);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attr, CUdevice src, CUdevice dst)
{
    struct cdp_driver_call call;
    CUresult result = begin(src, &call);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaDeviceGetP2PAttribute(
                                           value, (enum cudaDeviceP2PAttr)attr, src, dst));
}
