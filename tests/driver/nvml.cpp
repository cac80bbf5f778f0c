// NVML's queries beside CUDA's: the same devices. Arguments: the number of devices, the name of the
// first, the megabytes of its memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nvml.h>
#include <unistd.h>

static int failed;

static void expect(bool good, const char *what)
{
    if (!good) {
        printf("wrong: %s\n", what);
        failed++;
    }
}
#define EXPECT(condition) expect(condition, #condition)

static void before_start()
{
    unsigned count;
    char text[80];
    EXPECT(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
    EXPECT(nvmlSystemGetDriverVersion(text, 80) == NVML_ERROR_UNINITIALIZED);
    EXPECT(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
    EXPECT(nvmlInitWithFlags(64) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(strcmp(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported") == 0);
    EXPECT(strcmp(nvmlErrorString((nvmlReturn_t)77), "Unknown Error") == 0);
}

static void system_queries()
{
    char text[80], tiny[3];
    int cuda, runtime;
    EXPECT(nvmlSystemGetDriverVersion(text, sizeof text) == NVML_SUCCESS && atoi(text) >= 575);
    EXPECT(nvmlSystemGetDriverVersion(tiny, sizeof tiny) == NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT(nvmlSystemGetNVMLVersion(text, sizeof text) == NVML_SUCCESS);
    EXPECT(nvmlSystemGetCudaDriverVersion(&cuda) == NVML_SUCCESS);
    EXPECT(cudaDriverGetVersion(&runtime) == cudaSuccess && cuda == runtime);
    EXPECT(nvmlSystemGetProcessName((unsigned)getpid(), text, sizeof text) == NVML_SUCCESS &&
           strstr(text, "nvml") != NULL);
    EXPECT(nvmlSystemGetProcessName(1u << 30, text, sizeof text) == NVML_ERROR_NOT_FOUND);
}

static void handles(nvmlDevice_t device, unsigned index, const cudaDeviceProp &prop)
{
    char uuid[NVML_DEVICE_UUID_BUFFER_SIZE], bus[32], hex[40] = "GPU-";
    nvmlDevice_t found = NULL;
    nvmlPciInfo_t pci;
    unsigned number;
    EXPECT(nvmlDeviceGetUUID(device, uuid, sizeof uuid) == NVML_SUCCESS);
    for (int i = 0; i < 16; i++) {
        sprintf(hex + strlen(hex), "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                (unsigned char)prop.uuid.bytes[i]);
    }
    EXPECT(strcmp(uuid, hex) == 0);
    EXPECT(nvmlDeviceGetHandleByUUID(uuid, &found) == NVML_SUCCESS && found == device);
    EXPECT(nvmlDeviceGetHandleByUUID("GPU-0", &found) == NVML_ERROR_NOT_FOUND);
    cudaDeviceGetPCIBusId(bus, sizeof bus, (int)index);
    EXPECT(nvmlDeviceGetHandleByPciBusId(bus, &found) == NVML_SUCCESS && found == device);
    EXPECT(nvmlDeviceGetHandleByPciBusId("0000:77:00.0", &found) == NVML_ERROR_NOT_FOUND);
    EXPECT(nvmlDeviceGetHandleByPciBusId("x", &found) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS && (int)pci.bus == prop.pciBusID &&
           strcmp(pci.busIdLegacy, bus) == 0);
    EXPECT(nvmlDeviceGetIndex(device, &number) == NVML_SUCCESS && number == index);
}

static void numbers(nvmlDevice_t device, const cudaDeviceProp &prop)
{
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
    int major, minor;
    unsigned value, pending;
    nvmlComputeMode_t mode;
    nvmlDeviceArchitecture_t arch;
    EXPECT(nvmlDeviceGetName(device, name, sizeof name) == NVML_SUCCESS &&
           strncmp(name, prop.name, sizeof name - 1) == 0);
    EXPECT(nvmlDeviceGetCudaComputeCapability(device, &major, &minor) == NVML_SUCCESS &&
           major == prop.major && minor == prop.minor);
    EXPECT(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &value) == NVML_SUCCESS &&
           (int)value == prop.clockRate / 1000);
    EXPECT(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &value) == NVML_SUCCESS &&
           (int)value == prop.memoryClockRate / 1000);
    EXPECT(nvmlDeviceGetClockInfo(device, NVML_CLOCK_VIDEO, &value) == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetMemoryBusWidth(device, &value) == NVML_SUCCESS &&
           (int)value == prop.memoryBusWidth);
    EXPECT(nvmlDeviceGetComputeMode(device, &mode) == NVML_SUCCESS && (int)mode == prop.computeMode);
    EXPECT(nvmlDeviceGetArchitecture(device, &arch) == NVML_SUCCESS && arch >= 4);
    EXPECT(nvmlDeviceGetPowerUsage(device, &value) == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetFanSpeed(device, &value) == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetMigMode(device, &value, &pending) == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceIsMigDeviceHandle(device, &value) == NVML_SUCCESS && value == 0);
    EXPECT(nvmlDeviceGetEncoderUtilization(device, &value, &pending) == NVML_ERROR_NOT_SUPPORTED);
    unsigned long long reasons = 1;
    nvmlFieldValue_t fields[2] = {};
    EXPECT(nvmlDeviceGetTotalEccErrors(device, NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_VOLATILE_ECC,
                                       &reasons) == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetFieldValues(device, 2, fields) == NVML_SUCCESS &&
           fields[0].nvmlReturn == NVML_ERROR_NOT_SUPPORTED &&
           fields[1].nvmlReturn == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetFieldValues(device, 0, fields) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons) == NVML_SUCCESS &&
           reasons == nvmlClocksThrottleReasonNone);
    EXPECT(nvmlDeviceGetFanSpeed((nvmlDevice_t)&value, &value) == NVML_ERROR_INVALID_ARGUMENT);
    nvmlReturn_t heat = nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value);
    EXPECT(heat == NVML_ERROR_NOT_SUPPORTED || (heat == NVML_SUCCESS && value < 150));
}

/* Memory that a kernel has written is in use, by this process. */
static void memory(nvmlDevice_t device, const cudaDeviceProp &prop)
{
    nvmlMemory_t before, after;
    nvmlMemory_v2_t all;
    nvmlUtilization_t rates;
    const size_t size = 64 << 20;
    unsigned count = 64;
    nvmlProcessInfo_t processes[64];
    void *p;
    EXPECT(nvmlDeviceGetMemoryInfo(device, &before) == NVML_SUCCESS &&
           before.total == prop.totalGlobalMem);
    cudaMalloc(&p, size);
    cudaMemset(p, 1, size);
    EXPECT(nvmlDeviceGetMemoryInfo(device, &after) == NVML_SUCCESS &&
           after.used + after.free == after.total);
    all.version = 0;
    EXPECT(nvmlDeviceGetMemoryInfo_v2(device, &all) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    all.version = nvmlMemory_v2;
    EXPECT(nvmlDeviceGetMemoryInfo_v2(device, &all) == NVML_SUCCESS && all.used >= size &&
           all.used + all.free + all.reserved == all.total);
    EXPECT(nvmlDeviceGetComputeRunningProcesses(device, &count, processes) == NVML_SUCCESS);
    bool found = false;
    for (unsigned i = 0; i < count; i++) {
        found |= processes[i].pid == (unsigned)getpid() && processes[i].usedGpuMemory >= size;
    }
    EXPECT(found);
    count = 0;
    EXPECT(nvmlDeviceGetComputeRunningProcesses(device, &count, NULL) ==
               NVML_ERROR_INSUFFICIENT_SIZE &&
           count > 0);
    EXPECT(nvmlDeviceGetUtilizationRates(device, &rates) == NVML_SUCCESS && rates.gpu <= 100);
    cudaFree(p);
}

int main(int, char **words)
{
    before_start();
    EXPECT(nvmlInit() == NVML_SUCCESS);
    EXPECT(nvmlInit() == NVML_SUCCESS);
    EXPECT(nvmlShutdown() == NVML_SUCCESS);
    system_queries();
    unsigned count = 0;
    nvmlDevice_t device;
    EXPECT(nvmlDeviceGetCount(&count) == NVML_SUCCESS && count == (unsigned)atoi(words[1]));
    EXPECT(nvmlDeviceGetHandleByIndex(count, &device) == NVML_ERROR_INVALID_ARGUMENT);
    for (unsigned i = 0; i < count; i++) {
        cudaDeviceProp prop;
        cudaGetDeviceProperties(&prop, (int)i);
        cudaSetDevice((int)i);
        EXPECT(nvmlDeviceGetHandleByIndex(i, &device) == NVML_SUCCESS);
        EXPECT(i > 0 || strstr(prop.name, words[2]) != NULL);
        EXPECT(prop.totalGlobalMem == (size_t)atoi(words[3]) << 20);
        handles(device, i, prop);
        numbers(device, prop);
        memory(device, prop);
    }
    EXPECT(nvmlShutdown() == NVML_SUCCESS);
    /* the names of earlier versions */
    const char *const names[] = {"nvmlInit", "nvmlInit_v2", "nvmlDeviceGetCount",
                                 "nvmlDeviceGetComputeRunningProcesses_v2"};
    for (const char *name : names) {
        expect(dlsym(RTLD_DEFAULT, name) != NULL, name);
    }
    printf("%d wrong\n", failed);
    return failed != 0;
}
