/* How much of a device is in use: memory, processor time, temperature. */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/owned.h"
#include "os/cpu.h"
#include "os/os.h"

/* A load is the processor time within this time, or since an earlier call if that is longer. */
#define LEAST_SAMPLE_NS UINT64_C(100000000)
#define TICK_NS UINT64_C(10000000)

/* The processes that have started the runtime; owned by the caller; NULL: no memory. */
static struct cdp_owned_process *list(unsigned *count,
                                      unsigned (*fill)(struct cdp_owned_process *, unsigned))
{
    unsigned most = 64;
    struct cdp_owned_process *processes = NULL;
    do {
        most *= 2;
        free(processes);
        processes = calloc(most, sizeof *processes);
        *count = processes != NULL ? fill(processes, most) : 0;
    } while (processes != NULL && *count > most);
    return processes;
}

/* ---- Memory ---- */

/* Bytes that the system can give to programs. */
static uint64_t available(void)
{
    char line[128];
    unsigned long long kilobytes = UINT64_MAX >> 10;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1) {
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kilobytes << 10;
}

/* reserved is what the system and other programs use. */
static nvmlReturn_t read_memory(nvmlDevice_t device, nvmlMemory_v2_t *out)
{
    unsigned count;
    struct cdp_owned_process *processes = list(&count, cdp_owned_list);
    if (processes == NULL) {
        return NVML_ERROR_MEMORY;
    }
    uint64_t used = 0, total = cdp_profile_memory(&cdp_nvml.options, device->profile);
    for (unsigned i = 0; i < count; i++) {
        used += processes[i].bytes[device->number];
    }
    free(processes);
    used = used < total ? used : total;
    uint64_t system = available(), rest = total - used;
    out->total = total;
    out->used = used;
    out->free = rest < system ? rest : system;
    out->reserved = rest - out->free;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    nvmlReturn_t result = cdp_nvml_check_device(device);
    if (result != NVML_SUCCESS || memory == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    return memory->version == nvmlMemory_v2 ? read_memory(device, memory)
                                            : NVML_ERROR_FUNCTION_NOT_FOUND; /* as an H200 */
}

/* As with NVML, used includes what is reserved. */
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    nvmlMemory_v2_t all;
    nvmlReturn_t result = cdp_nvml_check_device(device);
    if (result != NVML_SUCCESS || memory == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    result = read_memory(device, &all);
    if (result == NVML_SUCCESS) {
        *memory =
            (nvmlMemory_t){.total = all.total, .free = all.free, .used = all.used + all.reserved};
    }
    return result;
}

static nvmlReturn_t list_on(nvmlDevice_t device, unsigned *count, nvmlProcessInfo_t *infos)
{
    unsigned all, most = *count, found = 0;
    struct cdp_owned_process *processes = list(&all, cdp_owned_list);
    if (processes == NULL) {
        return NVML_ERROR_MEMORY;
    }
    for (unsigned i = 0; i < all; i++) {
        if (processes[i].has[device->number] && found++ < most) {
            infos[found - 1] =
                (nvmlProcessInfo_t){.pid = processes[i].id,
                                    .usedGpuMemory = processes[i].bytes[device->number],
                                    .gpuInstanceId = UINT32_MAX,
                                    .computeInstanceId = UINT32_MAX};
        }
    }
    free(processes);
    *count = found;
    return found > most ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *count,
                                                  nvmlProcessInfo_t *infos)
{
    nvmlReturn_t result = cdp_nvml_check_device(device);
    if (result != NVML_SUCCESS || count == NULL || (infos == NULL && *count > 0)) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    return list_on(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int *count,
                                                   nvmlProcessInfo_t *infos)
{
    (void)infos;
    BEGIN(device, count)
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t device, unsigned int *count,
                                                     nvmlProcessInfo_t *infos)
{
    return nvmlDeviceGetGraphicsRunningProcesses(device, count, infos);
}

/* ---- Load ---- */

/* The latest sample, and the load that it gave. */
static struct {
    pthread_mutex_t lock;
    uint64_t time; /* 0: none */
    unsigned count;
    struct cdp_owned_process *processes; /* owned; ordered as listed */
    unsigned percent;
} sample = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t ticks_before(unsigned id, uint64_t otherwise)
{
    for (unsigned i = 0; i < sample.count; i++) {
        if (sample.processes[i].id == id) {
            return sample.processes[i].ticks;
        }
    }
    return otherwise;
}

/* Takes a sample. A process that was not there before counts from now on. */
static bool take_sample(void)
{
    unsigned count;
    struct cdp_owned_process *processes = list(&count, cdp_owned_ticks);
    if (processes == NULL) {
        return false;
    }
    uint64_t now = cdp_os_now(), ticks = 0;
    for (unsigned i = 0; i < count; i++) {
        ticks += processes[i].ticks - ticks_before(processes[i].id, processes[i].ticks);
    }
    uint64_t whole = (now - sample.time) * cdp_os_cpu_count();
    uint64_t percent = whole > 0 ? ticks * TICK_NS * 100 / whole : 0;
    sample.percent = percent < 100 ? (unsigned)percent : 100;
    free(sample.processes);
    sample.processes = processes;
    sample.count = count;
    sample.time = now;
    return true;
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates)
{
    nvmlReturn_t result = cdp_nvml_check_device(device);
    if (result != NVML_SUCCESS || rates == NULL) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    bool good = true;
    pthread_mutex_lock(&sample.lock);
    if (sample.time == 0) {
        good = take_sample();
        if (good) {
            cdp_os_sleep(LEAST_SAMPLE_NS);
        }
    }
    if (good && cdp_os_now() - sample.time >= LEAST_SAMPLE_NS) {
        good = take_sample();
    }
    *rates = (nvmlUtilization_t){.gpu = sample.percent};
    pthread_mutex_unlock(&sample.lock);
    return good ? NVML_SUCCESS : NVML_ERROR_MEMORY;
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned int *celsius)
{
    nvmlReturn_t result = cdp_nvml_check_device(device);
    if (result != NVML_SUCCESS || celsius == NULL || sensor != NVML_TEMPERATURE_GPU) {
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;
    }
    return cdp_nvml_temperature("/sys/class/hwmon", celsius) ? NVML_SUCCESS
                                                             : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t *temperature)
{
    unsigned celsius = 0;
    BEGIN(device, temperature)
    if (temperature->version != nvmlTemperature_v1) {
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    }
    result = nvmlDeviceGetTemperature(device, temperature->sensorType, &celsius);
    temperature->temperature = result == NVML_SUCCESS ? (int)celsius : temperature->temperature;
    return result;
}
