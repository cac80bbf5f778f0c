// NVML's queries beside CUDA's: the same devices. Arguments: the number of devices, the name of the
// first, the megabytes of its memory.
#include <initializer_list>
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
    unsigned value, period;
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
    EXPECT(nvmlDeviceIsMigDeviceHandle(device, &value) == NVML_SUCCESS && value == 0);
    EXPECT(nvmlDeviceGetEncoderUtilization(device, &value, &period) == NVML_ERROR_NOT_SUPPORTED);
    unsigned long long reasons = 7;
    EXPECT(nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons) == NVML_SUCCESS &&
           (reasons == nvmlClocksThrottleReasonGpuIdle || reasons == nvmlClocksThrottleReasonNone));
    EXPECT(nvmlDeviceGetFanSpeed((nvmlDevice_t)&value, &value) == NVML_ERROR_INVALID_ARGUMENT);
    nvmlReturn_t heat = nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value);
    EXPECT(heat == NVML_ERROR_NOT_SUPPORTED || (heat == NVML_SUCCESS && value < 150));
}

/* The name of a profile, what it must tell. */
struct board {
    const char *name;
    nvmlBrandType_t brand;
    unsigned id, cores, generation, watts, least;
    bool has_pages, has_rows, has_mig;
};

static nvmlReturn_t field(nvmlDevice_t device, unsigned number, unsigned long long *value)
{
    nvmlFieldValue_t fields[2] = {};
    fields[0].fieldId = number;
    fields[1].fieldId = NVML_FI_DEV_ECC_CURRENT;
    EXPECT(nvmlDeviceGetFieldValues(device, 0, fields) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetFieldValues(device, 2, fields) == NVML_SUCCESS);
    nvmlEnableState_t mode = NVML_FEATURE_DISABLED, pending;
    EXPECT(fields[1].nvmlReturn == nvmlDeviceGetEccMode(device, &mode, &pending) &&
           (int)fields[1].value.uiVal == mode);
    *value = fields[0].value.ullVal;
    return fields[0].nvmlReturn;
}

#define SUPPORTED(is) ((is) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED)
static void errors(nvmlDevice_t device, const board &board, const cudaDeviceProp &prop)
{
    nvmlEnableState_t ecc = NVML_FEATURE_DISABLED, pending;
    unsigned a = 9, b = 9, c = 9, d = 9;
    unsigned long long count = 9;
    bool has_ecc = board.has_pages || board.has_rows;
    EXPECT(nvmlDeviceGetEccMode(device, &ecc, &pending) == SUPPORTED(has_ecc) &&
           ecc == prop.ECCEnabled && ecc == has_ecc);
    EXPECT(nvmlDeviceGetMemoryErrorCounter(device, NVML_MEMORY_ERROR_TYPE_CORRECTED,
                                           NVML_VOLATILE_ECC, NVML_MEMORY_LOCATION_DRAM,
                                           &count) == SUPPORTED(has_ecc) &&
           count == (has_ecc ? 0 : 9));
    EXPECT(nvmlDeviceGetRetiredPages(device, NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR, &a,
                                     NULL) == SUPPORTED(board.has_pages));
    EXPECT(field(device, NVML_FI_DEV_RETIRED_DBE, &count) == SUPPORTED(board.has_pages));
    EXPECT(nvmlDeviceGetRemappedRows(device, &a, &b, &c, &d) == SUPPORTED(board.has_rows));
    EXPECT(!board.has_rows || (a | b | c | d) == 0);
    EXPECT(nvmlDeviceGetRemappedRows(device, &a, NULL, &c, &d) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(field(device, NVML_FI_DEV_REMAPPED_UNC, &count) == SUPPORTED(board.has_rows));
}

// Answers that an H200 gives, too; of this machine only the codes for handles.
static void as_h200(nvmlDevice_t device, bool is_gpu)
{
    unsigned value = 0;
    unsigned long long reasons = 0;
    nvmlGpuP2PStatus_t status;
    nvmlDevice_t other;
    int same = 0;
    EXPECT(nvmlDeviceOnSameBoard(device, device, &same) == NVML_SUCCESS && same == 1);
    EXPECT(nvmlDeviceGetGpuInstanceId(device, &value) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetDeviceHandleFromMigDeviceHandle(device, &other) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_READ, &status) == NVML_SUCCESS &&
           status == NVML_P2P_STATUS_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetClockInfo(device, NVML_CLOCK_COUNT, &value) == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_COUNT, &value) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetClock(device, NVML_CLOCK_SM, NVML_CLOCK_ID_COUNT, &value) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(strcmp(nvmlErrorString(NVML_ERROR_DEPRECATED), "Requested functionality has been deprecated") == 0);
    if (!is_gpu) {
        return;
    }
    EXPECT(nvmlDeviceGetSupportedClocksEventReasons(device, &reasons) == NVML_SUCCESS && reasons == 0x1ff);
    EXPECT(nvmlDeviceGetNumFans(device, &value) == NVML_SUCCESS && value == 0);
    EXPECT(nvmlDeviceGetAccountingBufferSize(device, &value) == NVML_SUCCESS && value == 4000);
    value = 0;
    EXPECT(nvmlDeviceGetAccountingPids(device, &value, NULL) == NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT(field(device, NVML_FI_DEV_PCIE_COUNT_LCRC_ERROR, &reasons) == NVML_SUCCESS && reasons == 0);
}

static void of_board(nvmlDevice_t device, const cudaDeviceProp &prop)
{
    static const board boards[] = {
        {"Tesla T4", NVML_BRAND_NVIDIA, 0x1eb810de, 2560, 3, 70, 60, true, false, false},
        {"NVIDIA H100", NVML_BRAND_NVIDIA, 0x233010de, 16896, 5, 700, 200, false, true, true},
        {"cdpcc CPU", NVML_BRAND_UNKNOWN, 0, 0, 0, 0, 0, false, false, false}};
    const board *board = boards;
    while (strncmp(prop.name, board->name, strlen(board->name)) != 0) {
        board++;
    }
    nvmlReturn_t is_gpu = SUPPORTED(board->watts > 0);
    unsigned value = 0, other = 0;
    unsigned long long milliwatts = 0;
    nvmlBrandType_t brand;
    nvmlPciInfo_t pci;
    nvmlPstates_t state;
    EXPECT(nvmlDeviceGetBrand(device, &brand) == NVML_SUCCESS && brand == board->brand);
    EXPECT(nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS && pci.pciDeviceId == board->id);
    EXPECT(nvmlDeviceGetNumGpuCores(device, &value) == is_gpu && value == board->cores);
    value = 0;
    EXPECT(nvmlDeviceGetCurrPcieLinkGeneration(device, &value) == is_gpu &&
           value == board->generation);
    value = 0;
    EXPECT(nvmlDeviceGetPcieSpeed(device, &value) == is_gpu &&
           value == (board->generation ? 1000u << board->generation : 0));
    EXPECT(nvmlDeviceGetPowerManagementLimitConstraints(device, &value, &other) == is_gpu);
    EXPECT(!board->watts || (value == board->least * 1000 && other == board->watts * 1000));
    EXPECT(field(device, NVML_FI_DEV_POWER_DEFAULT_LIMIT, &milliwatts) == is_gpu &&
           milliwatts == board->watts * 1000);
    EXPECT(nvmlDeviceGetMigMode(device, &value, &other) == SUPPORTED(board->has_mig));
    EXPECT(nvmlDeviceGetPerformanceState(device, &state) == NVML_SUCCESS &&
           state == (board->watts ? NVML_PSTATE_0 : NVML_PSTATE_UNKNOWN));
    value = 0;
    EXPECT(nvmlDeviceGetSupportedMemoryClocks(device, &value, NULL) ==
           (board->watts ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_ERROR_NOT_SUPPORTED));
    EXPECT(!board->watts || nvmlDeviceGetSupportedMemoryClocks(device, &value, &other) == is_gpu);
    EXPECT(!board->watts ||
           nvmlDeviceGetSupportedGraphicsClocks(device, other, &value, &other) == is_gpu);
    EXPECT(!board->watts || (int)other == prop.clockRate / 1000);
    errors(device, *board, prop);
    as_h200(device, board->watts > 0);
}

/* How the devices are connected. */
static void connections(unsigned count)
{
    nvmlDevice_t first, other, found[4];
    nvmlGpuTopologyLevel_t level;
    nvmlGpuP2PStatus_t status;
    unsigned long cpus[16] = {};
    unsigned near = 0;
    nvmlDeviceGetHandleByIndex(0, &first);
    EXPECT(nvmlDeviceGetCpuAffinity(first, 16, cpus) == NVML_SUCCESS);
    EXPECT(nvmlDeviceGetCpuAffinity(first, 0, cpus) == NVML_ERROR_INVALID_ARGUMENT);
    unsigned cpu = 0;
    while (cpu < 1023 && (cpus[cpu / 64] >> cpu % 64 & 1) == 0) {
        cpu++;
    }
    EXPECT(nvmlSystemGetTopologyGpuSet(cpu, &near, NULL) == NVML_SUCCESS && near == count);
    EXPECT(nvmlSystemGetTopologyGpuSet(100000, &near, found) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetTopologyCommonAncestor(first, first, &level) == NVML_ERROR_NOT_SUPPORTED);
    if (count == 1) {
        return;
    }
    nvmlDeviceGetHandleByIndex(1, &other);
    EXPECT(nvmlDeviceGetTopologyCommonAncestor(first, other, &level) == NVML_SUCCESS &&
           (level == NVML_TOPOLOGY_HOSTBRIDGE || level == NVML_TOPOLOGY_SYSTEM));
    near = 4;
    EXPECT(nvmlDeviceGetTopologyNearestGpus(first, level, &near, found) == NVML_SUCCESS &&
           near == count - 1 && found[0] == other);
    EXPECT(nvmlDeviceGetTopologyNearestGpus(first, NVML_TOPOLOGY_SINGLE, &near, found) ==
               NVML_SUCCESS &&
           near == 0);
    EXPECT(nvmlDeviceGetTopologyNearestGpus(first, (nvmlGpuTopologyLevel_t)25, &near, found) ==
           NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetP2PStatus(first, other, NVML_P2P_CAPS_INDEX_ATOMICS, &status) ==
               NVML_SUCCESS &&
           status == NVML_P2P_STATUS_OK);
    EXPECT(nvmlDeviceGetP2PStatus(first, other, NVML_P2P_CAPS_INDEX_NVLINK, &status) ==
               NVML_SUCCESS &&
           status == NVML_P2P_STATUS_NOT_SUPPORTED);
}

/* Arguments that have a version. */
static void versions(nvmlDevice_t device)
{
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];
    nvmlUUID_t uuid = {nvmlUUID_v1, NVML_UUID_TYPE_ASCII, {}};
    nvmlDevice_t found = NULL;
    nvmlTemperature_t heat = {7, NVML_TEMPERATURE_GPU, 0};
    nvmlPciInfoExt_t pci = {};
    nvmlDeviceGetUUID(device, text, sizeof text);
    strcpy(uuid.value.str, text);
    EXPECT(nvmlDeviceGetHandleByUUIDV(&uuid, &found) == NVML_SUCCESS && found == device);
    uuid.type = 0;
    EXPECT(nvmlDeviceGetHandleByUUIDV(&uuid, &found) == NVML_ERROR_INVALID_ARGUMENT);
    uuid.version = 9;
    EXPECT(nvmlDeviceGetHandleByUUIDV(&uuid, &found) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    EXPECT(nvmlDeviceGetTemperatureV(device, &heat) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    pci.version = nvmlPciInfoExt_v1;
    nvmlReturn_t result = nvmlDeviceGetPciInfoExt(device, &pci);
    EXPECT(result == NVML_ERROR_NOT_SUPPORTED || (result == NVML_SUCCESS && pci.baseClass == 3));
}

/* The structs of earlier versions are smaller: nothing behind them is written. */
static void earlier_structs()
{
    enum { OLD_PCI = 52, ROOM = 128 };
    nvmlDevice_t device;
    EXPECT(nvmlInit() == NVML_SUCCESS && nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS);
    for (const char *name : {"nvmlDeviceGetPciInfo", "nvmlDeviceGetPciInfo_v2"}) {
        unsigned char pci[ROOM];
        memset(pci, 0xaa, sizeof pci);
        auto get = (nvmlReturn_t(*)(nvmlDevice_t, void *))dlsym(RTLD_DEFAULT, name);
        expect(get != NULL && get(device, pci) == NVML_SUCCESS && pci[OLD_PCI] == 0xaa, name);
    }
    struct {
        unsigned pid;
        unsigned long long used;
    } processes[64];
    unsigned count = ~0u;
    auto list = (nvmlReturn_t(*)(nvmlDevice_t, unsigned *, void *))dlsym(RTLD_DEFAULT, "nvmlDeviceGetComputeRunningProcesses");
    EXPECT(list != NULL && list(device, &count, processes) == NVML_SUCCESS && count <= 64);
    EXPECT(nvmlShutdown() == NVML_SUCCESS);
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
    EXPECT(nvmlDeviceGetMemoryInfo_v2(device, &all) == NVML_ERROR_FUNCTION_NOT_FOUND);
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
        of_board(device, prop);
        versions(device);
        memory(device, prop);
    }
    connections(count);
    /* A function that has no meaning here, and is not in nvml.h. */
    auto absent = (nvmlReturn_t(*)(nvmlDevice_t, int))dlsym(RTLD_DEFAULT, "nvmlDeviceSetMigMode");
    EXPECT(absent != NULL && absent(device, 0) == NVML_ERROR_NOT_SUPPORTED &&
           absent(NULL, 0) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlShutdown() == NVML_SUCCESS);
    EXPECT(absent(device, 0) == NVML_ERROR_UNINITIALIZED);
    /* the names of earlier versions */
    const char *const names[] = {"nvmlInit", "nvmlInit_v2", "nvmlDeviceGetCount",
                                 "nvmlDeviceGetComputeRunningProcesses_v2",
                                 "nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetPciInfo_v2",
                                 "nvmlGpmMetricsGet", "nvmlVgpuTypeGetName"};
    for (const char *name : names) {
        expect(dlsym(RTLD_DEFAULT, name) != NULL, name);
    }
    earlier_structs();
    printf("%d wrong\n", failed);
    return failed != 0;
}
