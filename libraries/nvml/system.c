/* Start and end, errors, and queries of the system. */
#include "state.h"

#include <stdio.h>
#include <string.h>

struct cdp_nvml cdp_nvml = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void start(void)
{
    const struct cdp_profile *profiles[CDP_MOST_DEVICES];
    cdp_options_read(&cdp_nvml.options);
    cdp_profiles_choose(&cdp_nvml.options, profiles);
    cdp_nvml.count = cdp_nvml.options.devices;
    for (unsigned i = 0; i < cdp_nvml.count; i++) {
        cdp_nvml.devices[i] = (struct nvmlDevice_st){.number = i, .profile = profiles[i]};
    }
}

nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    if ((flags & ~(unsigned)(NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH)) != 0) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    pthread_mutex_lock(&cdp_nvml.lock);
    if (cdp_nvml.starts++ == 0) {
        start();
    }
    pthread_mutex_unlock(&cdp_nvml.lock);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit(void)
{
    return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlShutdown(void)
{
    pthread_mutex_lock(&cdp_nvml.lock);
    bool runs = cdp_nvml.starts > 0;
    cdp_nvml.starts -= runs;
    pthread_mutex_unlock(&cdp_nvml.lock);
    return runs ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

nvmlReturn_t cdp_nvml_check(void)
{
    pthread_mutex_lock(&cdp_nvml.lock);
    bool runs = cdp_nvml.starts > 0;
    pthread_mutex_unlock(&cdp_nvml.lock);
    return runs ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

nvmlReturn_t cdp_nvml_check_device(nvmlDevice_t device)
{
    nvmlReturn_t result = cdp_nvml_check();
    for (unsigned i = 0; result == NVML_SUCCESS && i < cdp_nvml.count; i++) {
        if (device == &cdp_nvml.devices[i]) {
            return NVML_SUCCESS;
        }
    }
    return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t cdp_nvml_store(const char *text, char *out, unsigned length)
{
    if (out == NULL) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    if (strlen(text) >= length) {
        return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    memcpy(out, text, strlen(text) + 1);
    return NVML_SUCCESS;
}

const char *nvmlErrorString(nvmlReturn_t result)
{
    static const struct {
        nvmlReturn_t result;
        const char *text;
    } texts[] = {
        {NVML_SUCCESS, "Success"},
        {NVML_ERROR_UNINITIALIZED, "Uninitialized"},
        {NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument"},
        {NVML_ERROR_NOT_SUPPORTED, "Not Supported"},
        {NVML_ERROR_NO_PERMISSION, "Insufficient Permissions"},
        {NVML_ERROR_ALREADY_INITIALIZED, "Already Initialized"},
        {NVML_ERROR_NOT_FOUND, "Not Found"},
        {NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size"},
        {NVML_ERROR_INSUFFICIENT_POWER, "Insufficient External Power"},
        {NVML_ERROR_DRIVER_NOT_LOADED, "Driver Not Loaded"},
        {NVML_ERROR_TIMEOUT, "Timeout"},
        {NVML_ERROR_IRQ_ISSUE, "Interrupt Request Issue"},
        {NVML_ERROR_LIBRARY_NOT_FOUND, "NVML Shared Library Not Found"},
        {NVML_ERROR_FUNCTION_NOT_FOUND, "Function Not Found"},
        {NVML_ERROR_CORRUPTED_INFOROM, "Corrupted infoROM"},
        {NVML_ERROR_GPU_IS_LOST, "GPU is lost"},
        {NVML_ERROR_RESET_REQUIRED, "GPU requires reset"},
        {NVML_ERROR_OPERATING_SYSTEM, "GPU access blocked by the operating system"},
        {NVML_ERROR_LIB_RM_VERSION_MISMATCH, "Driver/library version mismatch"},
        {NVML_ERROR_IN_USE, "In use by another client"},
        {NVML_ERROR_MEMORY, "Insufficient Memory"},
        {NVML_ERROR_NO_DATA, "No data"},
        {NVML_ERROR_VGPU_ECC_NOT_SUPPORTED, "vGPU ECC not supported"},
        {NVML_ERROR_INSUFFICIENT_RESOURCES, "Insufficient resources"},
        {NVML_ERROR_FREQ_NOT_SUPPORTED, "Invalid Frequency"},
        {NVML_ERROR_ARGUMENT_VERSION_MISMATCH, "Argument version mismatch"},
        {NVML_ERROR_DEPRECATED, "Requested functionality has been deprecated"},
        {NVML_ERROR_NOT_READY, "System is not in ready state"},
        {NVML_ERROR_GPU_NOT_FOUND, "No supported GPUs were found"},
        {NVML_ERROR_INVALID_STATE, "Resource not in correct state to perform requested operation"},
        {NVML_ERROR_RESET_TYPE_NOT_SUPPORTED, "Reset type is not supported for given device"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].result == result) {
            return texts[i].text;
        }
    }
    return "Unknown Error";
}

/* ---- The system ---- */

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    nvmlReturn_t result = cdp_nvml_check();
    return result != NVML_SUCCESS ? result : cdp_nvml_store(CDP_NVML_DRIVER, version, length);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    nvmlReturn_t result = cdp_nvml_check();
    return result != NVML_SUCCESS
               ? result
               : cdp_nvml_store(NVML_API_VERSION_STR "." CDP_NVML_DRIVER, version, length);
}

/* These two need no nvmlInit. */
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    if (version == NULL) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *version = CDP_NVML_CUDA;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

/* The first word of the command line; a longer one is cut off. */
nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length)
{
    char path[64], text[4096] = "";
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || name == NULL || length == 0) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return NVML_ERROR_NOT_FOUND;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    snprintf(name, length, "%s", text);
    return NVML_SUCCESS;
}

/* There are none of these. */
static nvmlReturn_t count_none(unsigned *count)
{
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS || count == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlUnitGetCount(unsigned int *count)
{
    return count_none(count);
}

nvmlReturn_t nvmlGetExcludedDeviceCount(unsigned int *count)
{
    return count_none(count);
}
