/* --query-gpu: one table of fields. */
#include "smi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

/* Each writes the value without its unit; false: there is none. */
typedef bool (*writer)(nvmlDevice_t device, char out[SMI_TEXT]);

struct field {
    const char *name, *alias; /* alias: NULL if there is none */
    const char *unit;         /* NULL: none */
    writer write;
    const char *help;
};

static bool number(nvmlReturn_t result, unsigned long long value, char out[SMI_TEXT])
{
    snprintf(out, SMI_TEXT, "%llu", value);
    return result == NVML_SUCCESS;
}

/* A number that an NVML function stores. */
#define NUMBER(name, ...)                                                                          \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        unsigned value = 0;                                                                        \
        nvmlReturn_t result = __VA_ARGS__;                                                         \
        return number(result, value, out);                                                         \
    }
NUMBER(write_index, nvmlDeviceGetIndex(device, &value))
NUMBER(write_temperature, nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value))
NUMBER(write_sm, nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &value))
NUMBER(write_graphics, nvmlDeviceGetClockInfo(device, NVML_CLOCK_GRAPHICS, &value))
NUMBER(write_memory_clock, nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &value))
NUMBER(write_max_sm, nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &value))
NUMBER(write_max_graphics, nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_GRAPHICS, &value))
NUMBER(write_max_memory, nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &value))
NUMBER(write_fan, nvmlDeviceGetFanSpeed(device, &value))

NUMBER(write_pcie_generation, nvmlDeviceGetCurrPcieLinkGeneration(device, &value))
NUMBER(write_max_pcie_generation, nvmlDeviceGetMaxPcieLinkGeneration(device, &value))
NUMBER(write_pcie_lanes, nvmlDeviceGetCurrPcieLinkWidth(device, &value))
NUMBER(write_max_pcie_lanes, nvmlDeviceGetMaxPcieLinkWidth(device, &value))
NUMBER(write_accounting_size, nvmlDeviceGetAccountingBufferSize(device, &value))
NUMBER(write_retired_single,
       nvmlDeviceGetRetiredPages(device, NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS,
                                 &value, NULL))
NUMBER(write_retired_double,
       nvmlDeviceGetRetiredPages(device, NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR, &value,
                                 NULL))

/* The four numbers of remapped rows. */
static nvmlReturn_t read_rows(nvmlDevice_t device, unsigned numbers[4])
{
    return nvmlDeviceGetRemappedRows(device, &numbers[0], &numbers[1], &numbers[2], &numbers[3]);
}
#define ROWS(name, which)                                                                          \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        unsigned numbers[4] = {0};                                                                 \
        nvmlReturn_t result = read_rows(device, numbers);                                          \
        return number(result, numbers[which], out);                                                \
    }
ROWS(write_rows_corrected, 0)
ROWS(write_rows_uncorrected, 1)

static bool word(nvmlReturn_t result, bool is_on, const char *on, const char *off,
                 char out[SMI_TEXT])
{
    snprintf(out, SMI_TEXT, "%s", is_on ? on : off);
    return result == NVML_SUCCESS;
}
#define ROWS_FLAG(name, which)                                                                     \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        unsigned numbers[4] = {0};                                                                 \
        nvmlReturn_t result = read_rows(device, numbers);                                          \
        return word(result, numbers[which] != 0, "Yes", "No", out);                                \
    }
ROWS_FLAG(write_rows_pending, 2)
ROWS_FLAG(write_rows_failure, 3)

/* A mode that an NVML function stores in value, and maybe another one in other. */
#define MODE(name, type, on, off, ...)                                                             \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        type value = 0, other = 0;                                                                 \
        nvmlReturn_t result = __VA_ARGS__;                                                         \
        (void)other;                                                                               \
        return word(result, value != 0, on, off, out);                                             \
    }
MODE(write_persistence, nvmlEnableState_t, "Enabled", "Disabled",
     nvmlDeviceGetPersistenceMode(device, &value))
MODE(write_ecc, nvmlEnableState_t, "Enabled", "Disabled",
     nvmlDeviceGetEccMode(device, &value, &other))
MODE(write_mig, unsigned, "Enabled", "Disabled", nvmlDeviceGetMigMode(device, &value, &other))
MODE(write_accounting, nvmlEnableState_t, "Enabled", "Disabled",
     nvmlDeviceGetAccountingMode(device, &value))
MODE(write_power_management, nvmlEnableState_t, "Enabled", "Disabled",
     nvmlDeviceGetPowerManagementMode(device, &value))
MODE(write_retired_pending, nvmlEnableState_t, "Yes", "No",
     nvmlDeviceGetRetiredPagesPendingStatus(device, &value))

/* The counts of ECC errors: all kinds of one place have the same. */
static bool write_ecc_total(nvmlDevice_t device, char out[SMI_TEXT])
{
    unsigned long long errors = 0;
    nvmlReturn_t result = nvmlDeviceGetTotalEccErrors(device, NVML_MEMORY_ERROR_TYPE_UNCORRECTED,
                                                      NVML_AGGREGATE_ECC, &errors);
    return number(result, errors, out);
}
#define ECC_PLACE(name, place)                                                                     \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        unsigned long long errors = 0;                                                             \
        nvmlReturn_t result = nvmlDeviceGetMemoryErrorCounter(                                     \
            device, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_AGGREGATE_ECC, place, &errors);       \
        return number(result, errors, out);                                                        \
    }
ECC_PLACE(write_ecc_dram, NVML_MEMORY_LOCATION_DRAM)
ECC_PLACE(write_ecc_sram, NVML_MEMORY_LOCATION_SRAM)

static bool watts(nvmlReturn_t result, unsigned milliwatts, char out[SMI_TEXT])
{
    snprintf(out, SMI_TEXT, "%u.%02u", milliwatts / 1000, milliwatts % 1000 / 10);
    return result == NVML_SUCCESS;
}
#define WATTS(name, out_value, ...)                                                                \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        unsigned value = 0, other = 0;                                                             \
        nvmlReturn_t result = __VA_ARGS__;                                                         \
        (void)other;                                                                               \
        return watts(result, out_value, out);                                                      \
    }
WATTS(write_power_limit, value, nvmlDeviceGetPowerManagementLimit(device, &value))
WATTS(write_enforced_limit, value, nvmlDeviceGetEnforcedPowerLimit(device, &value))
WATTS(write_default_limit, value, nvmlDeviceGetPowerManagementDefaultLimit(device, &value))
WATTS(write_least_limit, value,
      nvmlDeviceGetPowerManagementLimitConstraints(device, &value, &other))
WATTS(write_most_limit, other, nvmlDeviceGetPowerManagementLimitConstraints(device, &value, &other))

static bool write_state(nvmlDevice_t device, char out[SMI_TEXT])
{
    nvmlPstates_t state = NVML_PSTATE_UNKNOWN;
    bool good = nvmlDeviceGetPerformanceState(device, &state) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "P%d", (int)state);
    return good && state != NVML_PSTATE_UNKNOWN;
}

/* A number of the PCI id. */
#define PCI(name, digits, part)                                                                    \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        nvmlPciInfo_t pci = {.domain = 0};                                                         \
        bool good = nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS;                            \
        snprintf(out, SMI_TEXT, "0x%0" #digits "X", pci.part);                                     \
        return good;                                                                               \
    }
PCI(write_pci_domain, 4, domain)
PCI(write_pci_bus, 2, bus)
PCI(write_pci_slot, 2, device)

static bool write_pci_device(nvmlDevice_t device, char out[SMI_TEXT])
{
    nvmlPciInfo_t pci = {.pciDeviceId = 0};
    bool good = nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "0x%08X", pci.pciDeviceId);
    return good && pci.pciDeviceId != 0;
}

/* A number of the memory's, in MiB. */
#define MEMORY(name, part)                                                                         \
    static bool name(nvmlDevice_t device, char out[SMI_TEXT])                                      \
    {                                                                                              \
        nvmlMemory_v2_t memory = {.version = nvmlMemory_v2};                                       \
        nvmlReturn_t result = nvmlDeviceGetMemoryInfo_v2(device, &memory);                         \
        return number(result, memory.part >> 20, out);                                             \
    }
MEMORY(write_total, total)
MEMORY(write_used, used)
MEMORY(write_free, free)
MEMORY(write_reserved, reserved)

static bool write_name(nvmlDevice_t device, char out[SMI_TEXT])
{
    return nvmlDeviceGetName(device, out, SMI_TEXT) == NVML_SUCCESS;
}

static bool write_uuid(nvmlDevice_t device, char out[SMI_TEXT])
{
    return nvmlDeviceGetUUID(device, out, SMI_TEXT) == NVML_SUCCESS;
}

static bool write_bus_id(nvmlDevice_t device, char out[SMI_TEXT])
{
    nvmlPciInfo_t pci;
    bool good = nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "%s", good ? pci.busId : "");
    return good;
}

static bool write_driver(nvmlDevice_t device, char out[SMI_TEXT])
{
    (void)device;
    return nvmlSystemGetDriverVersion(out, SMI_TEXT) == NVML_SUCCESS;
}

static bool write_count(nvmlDevice_t device, char out[SMI_TEXT])
{
    unsigned count = 0;
    (void)device;
    nvmlReturn_t result = nvmlDeviceGetCount(&count);
    return number(result, count, out);
}

static bool write_capability(nvmlDevice_t device, char out[SMI_TEXT])
{
    int major = 0, minor = 0;
    bool good = nvmlDeviceGetCudaComputeCapability(device, &major, &minor) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "%d.%d", major, minor);
    return good;
}

static bool write_load(nvmlDevice_t device, char out[SMI_TEXT])
{
    nvmlUtilization_t rates = {0};
    nvmlReturn_t result = nvmlDeviceGetUtilizationRates(device, &rates);
    return number(result, rates.gpu, out);
}

static bool write_compute_mode(nvmlDevice_t device, char out[SMI_TEXT])
{
    nvmlComputeMode_t mode;
    bool good = nvmlDeviceGetComputeMode(device, &mode) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "Default");
    return good && mode == NVML_COMPUTEMODE_DEFAULT;
}

static bool write_display(nvmlDevice_t device, char out[SMI_TEXT])
{
    nvmlEnableState_t state;
    bool good = nvmlDeviceGetDisplayActive(device, &state) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, good && state == NVML_FEATURE_ENABLED ? "Enabled" : "Disabled");
    return good;
}

static bool write_throttling(nvmlDevice_t device, char out[SMI_TEXT])
{
    unsigned long long reasons = 0;
    bool good = nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "0x%016llX", reasons);
    return good;
}

static bool write_reasons(nvmlDevice_t device, char out[SMI_TEXT])
{
    unsigned long long reasons = 0;
    bool good = nvmlDeviceGetSupportedClocksEventReasons(device, &reasons) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "0x%016llX", reasons);
    return good;
}

static bool write_idle(nvmlDevice_t device, char out[SMI_TEXT])
{
    unsigned long long reasons = 0;
    nvmlReturn_t result = nvmlDeviceGetCurrentClocksEventReasons(device, &reasons);
    return word(result, (reasons & nvmlClocksEventReasonGpuIdle) != 0, "Active", "Not Active", out);
}

static bool write_architecture(nvmlDevice_t device, char out[SMI_TEXT])
{
    static const char *const names[] = {
        [NVML_DEVICE_ARCH_KEPLER] = "Kepler",      [NVML_DEVICE_ARCH_MAXWELL] = "Maxwell",
        [NVML_DEVICE_ARCH_PASCAL] = "Pascal",      [NVML_DEVICE_ARCH_VOLTA] = "Volta",
        [NVML_DEVICE_ARCH_TURING] = "Turing",      [NVML_DEVICE_ARCH_AMPERE] = "Ampere",
        [NVML_DEVICE_ARCH_ADA] = "Ada Lovelace",   [NVML_DEVICE_ARCH_HOPPER] = "Hopper",
        [NVML_DEVICE_ARCH_BLACKWELL] = "Blackwell"};
    nvmlDeviceArchitecture_t arch;
    bool good = nvmlDeviceGetArchitecture(device, &arch) == NVML_SUCCESS &&
                arch < sizeof names / sizeof *names && names[arch] != NULL;
    snprintf(out, SMI_TEXT, "%s", good ? names[arch] : "");
    return good;
}

static bool write_brand(nvmlDevice_t device, char out[SMI_TEXT])
{
    nvmlBrandType_t brand;
    bool good = nvmlDeviceGetBrand(device, &brand) == NVML_SUCCESS;
    snprintf(out, SMI_TEXT, "%s",
             good && brand == NVML_BRAND_TESLA     ? "Tesla"
             : good && brand == NVML_BRAND_GEFORCE ? "GeForce"
                                                   : "NVIDIA");
    return true;
}

static bool write_timestamp(nvmlDevice_t device, char out[SMI_TEXT])
{
    struct timeval now;
    struct tm parts;
    char text[64];
    (void)device;
    gettimeofday(&now, NULL);
    strftime(text, sizeof text, "%Y/%m/%d %H:%M:%S", localtime_r(&now.tv_sec, &parts));
    snprintf(out, SMI_TEXT, "%s.%03d", text, (int)(now.tv_usec / 1000));
    return true;
}

/* What no CPU has, or no program may read. */
static bool write_nothing(nvmlDevice_t device, char out[SMI_TEXT])
{
    (void)device;
    *out = '\0';
    return false;
}

static bool write_no_sensor(nvmlDevice_t device, char out[SMI_TEXT])
{
    (void)device;
    snprintf(out, SMI_TEXT, "N/A");
    return true;
}

#define ECC_COUNT(name, write) {name, NULL, NULL, write, "0 for a GPU with ECC"}
#define ECC(kind)                                                                                  \
    ECC_COUNT("ecc.errors." kind ".device_memory", write_ecc_dram),                                \
        ECC_COUNT("ecc.errors." kind ".dram", write_ecc_dram),                                     \
        ECC_COUNT("ecc.errors." kind ".sram", write_ecc_sram),                                     \
        ECC_COUNT("ecc.errors." kind ".total", write_ecc_total)

static const struct field fields[] = {
    {"timestamp", NULL, NULL, write_timestamp, "the time of the query"},
    {"driver_version", NULL, NULL, write_driver, "the driver version that belongs to this CUDA"},
    {"count", NULL, NULL, write_count, "the number of devices"},
    {"name", "gpu_name", NULL, write_name, "the name of the device"},
    {"serial", "gpu_serial", NULL, write_nothing, "no value"},
    {"uuid", "gpu_uuid", NULL, write_uuid, "a name that the device keeps"},
    {"pci.bus_id", "gpu_bus_id", NULL, write_bus_id, "the PCI id; the bus is the device's number"},
    {"vbios_version", NULL, NULL, write_nothing, "no value"},
    {"index", NULL, NULL, write_index, "the number of the device, from 0"},
    {"display_active", NULL, NULL, write_display, "Disabled"},
    {"display_mode", NULL, NULL, write_display, "Disabled"},
    {"persistence_mode", NULL, NULL, write_persistence, "Enabled for a GPU"},
    {"accounting.mode", NULL, NULL, write_accounting, "Disabled for a GPU"},
    {"accounting.buffer_size", NULL, NULL, write_accounting_size, "4000 for a GPU"},
    {"pstate", NULL, NULL, write_state, "P0 for a GPU"},
    {"pci.domain", NULL, NULL, write_pci_domain, "0"},
    {"pci.bus", NULL, NULL, write_pci_bus, "the device's number"},
    {"pci.device", NULL, NULL, write_pci_slot, "0"},
    {"pci.device_id", NULL, NULL, write_pci_device, "of the GPU and of NVIDIA"},
    {"fan.speed", NULL, "%", write_fan, "no value"},
    {"memory.total", NULL, "MiB", write_total, "the size of the device's memory"},
    {"memory.reserved", NULL, "MiB", write_reserved, "of it, what the rest of the machine uses"},
    {"memory.used", NULL, "MiB", write_used, "of it, what programs have allocated"},
    {"memory.free", NULL, "MiB", write_free, "the rest"},
    {"compute_mode", NULL, NULL, write_compute_mode, "Default"},
    {"compute_cap", NULL, NULL, write_capability, "the compute capability"},
    {"utilization.gpu", NULL, "%", write_load, "processor time of programs that use the devices"},
    {"utilization.memory", NULL, "%", write_nothing, "no value"},
    {"ecc.mode.current", NULL, NULL, write_ecc, "as the GPU is delivered"},
    {"ecc.mode.pending", NULL, NULL, write_ecc, "as the GPU is delivered"},
    ECC("corrected.volatile"),
    ECC("corrected.aggregate"),
    ECC("uncorrected.volatile"),
    ECC("uncorrected.aggregate"),
    {"retired_pages.single_bit_ecc.count", "retired_pages.sbe", NULL, write_retired_single,
     "0 for a GPU that retires pages"},
    {"retired_pages.double_bit.count", "retired_pages.dbe", NULL, write_retired_double,
     "0 for a GPU that retires pages"},
    {"retired_pages.pending", NULL, NULL, write_retired_pending, "No"},
    {"remapped_rows.correctable", NULL, NULL, write_rows_corrected, "0 for a GPU that has them"},
    {"remapped_rows.uncorrectable", NULL, NULL, write_rows_uncorrected,
     "0 for a GPU that has them"},
    {"remapped_rows.pending", NULL, NULL, write_rows_pending, "No"},
    {"remapped_rows.failure", NULL, NULL, write_rows_failure, "No"},
    {"pcie.link.gen.current", "pcie.link.gen.gpucurrent", NULL, write_pcie_generation, "the GPU's"},
    {"pcie.link.gen.max", "pcie.link.gen.gpumax", NULL, write_max_pcie_generation, "the GPU's"},
    {"pcie.link.width.current", NULL, NULL, write_pcie_lanes, "the GPU's"},
    {"pcie.link.width.max", NULL, NULL, write_max_pcie_lanes, "the GPU's"},
    {"mig.mode.current", NULL, NULL, write_mig, "Disabled for a GPU that has MIG"},
    {"mig.mode.pending", NULL, NULL, write_mig, "Disabled for a GPU that has MIG"},
    {"temperature.gpu", NULL, NULL, write_temperature, "of the processor, if it has a sensor"},
    {"temperature.memory", NULL, NULL, write_no_sensor, "N/A, without brackets as NVIDIA has it"},
    {"power.draw", NULL, "W", write_nothing, "no value"},
    {"power.management", NULL, NULL, write_power_management, "Enabled for a GPU"},
    {"power.limit", NULL, "W", write_power_limit, "the GPU's"},
    {"enforced.power.limit", NULL, "W", write_enforced_limit, "the GPU's"},
    {"power.default_limit", NULL, "W", write_default_limit, "the GPU's"},
    {"power.min_limit", NULL, "W", write_least_limit, "the GPU's"},
    {"power.max_limit", NULL, "W", write_most_limit, "the GPU's"},
    {"clocks.current.graphics", "clocks.gr", "MHz", write_graphics, "as cudaDeviceProp has it"},
    {"clocks.current.sm", "clocks.sm", "MHz", write_sm, "the rate of clock()"},
    {"clocks.current.memory", "clocks.mem", "MHz", write_memory_clock, "as cudaDeviceProp has it"},
    {"clocks_event_reasons.active", "clocks_throttle_reasons.active", NULL, write_throttling,
     "1: idle; 0: not, and nothing is known to slow it down"},
    {"clocks_event_reasons.supported", NULL, NULL, write_reasons, "what a GPU could tell"},
    {"clocks_event_reasons.gpu_idle", NULL, NULL, write_idle, "Active if no program runs kernels"},
    {"clocks.max.graphics", "clocks.max.gr", "MHz", write_max_graphics, "as cudaDeviceProp has it"},
    {"clocks.max.sm", NULL, "MHz", write_max_sm, "the rate of clock()"},
    {"clocks.max.memory", "clocks.max.mem", "MHz", write_max_memory, "as cudaDeviceProp has it"},
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Lines of -q that --query-gpu does not have. */
static const struct field details[] = {{"brand", NULL, NULL, write_brand, NULL},
                                       {"architecture", NULL, NULL, write_architecture, NULL}};

static const struct field *find(const char *name, size_t length)
{
    for (int i = 0; i < FIELDS; i++) {
        const char *words[] = {fields[i].name, fields[i].alias};
        for (int j = 0; j < 2; j++) {
            if (words[j] != NULL && strlen(words[j]) == length &&
                strncmp(words[j], name, length) == 0) {
                return &fields[i];
            }
        }
    }
    return NULL;
}

void smi_field(nvmlDevice_t device, const char *name, char out[SMI_TEXT])
{
    const struct field *field = find(name, strlen(name));
    for (int i = 0; field == NULL && i < (int)(sizeof details / sizeof *details); i++) {
        field = strcmp(details[i].name, name) == 0 ? &details[i] : NULL;
    }
    char value[SMI_TEXT - 8];
    char full[SMI_TEXT];
    if (field == NULL || !field->write(device, full)) {
        snprintf(out, SMI_TEXT, "N/A");
        return;
    }
    snprintf(value, sizeof value, "%.*s", (int)sizeof value - 1, full);
    snprintf(out, SMI_TEXT, "%s%s%s", value, field->unit != NULL ? " " : "",
             field->unit != NULL ? field->unit : "");
}

/* The number of columns; -1: one of them does not exist, which is told. */
static int parse(const char *list, const struct field *columns[SMI_COLUMNS])
{
    int count = 0;
    size_t length;
    for (const char *word; (word = smi_next_word(&list, &length)) != NULL && count < SMI_COLUMNS;) {
        columns[count] = find(word, length);
        if (columns[count++] == NULL) {
            printf("Field \"%.*s\" is not a valid field to query.\n\n", (int)length, word);
            return -1;
        }
    }
    return count;
}

static void print_row(const struct smi_request *request, nvmlDevice_t device,
                      const struct field *const *columns, int count)
{
    char value[SMI_TEXT];
    for (int i = 0; i < count; i++) {
        const char *unit = request->no_units ? NULL : columns[i]->unit;
        printf("%s", i > 0 ? ", " : "");
        if (columns[i]->write(device, value)) {
            printf("%s%s%s", value, unit != NULL ? " " : "", unit != NULL ? unit : "");
        } else {
            printf("[N/A]");
        }
    }
    printf("\n");
}

int smi_print_fields(const struct smi_request *request)
{
    const struct field *columns[SMI_COLUMNS];
    nvmlDevice_t devices[64];
    int count = parse(request->fields, columns);
    if (count < 0) {
        return SMI_WRONG_USE;
    }
    unsigned device_count = smi_devices(request, devices, 64);
    if (device_count == 0) {
        return SMI_NO_DEVICE;
    }
    for (int i = 0; i < count && !request->no_header; i++) {
        const char *unit = columns[i]->unit; /* the header has it even without units */
        printf("%s%s%s%s%s", i > 0 ? ", " : "", columns[i]->name, unit != NULL ? " [" : "",
               unit != NULL ? unit : "", unit != NULL ? "]" : "");
    }
    printf("%s", request->no_header ? "" : "\n");
    for (unsigned i = 0; i < device_count; i++) {
        print_row(request, devices[i], columns, count);
    }
    return SMI_OK;
}

void smi_print_field_help(void)
{
    printf("The fields of --query-gpu. Where there is no value, it is [N/A].\n");
    for (int i = 0; i < FIELDS; i++) {
        const char *alias = fields[i].alias, *unit = fields[i].unit;
        printf("\n\"%s\"%s%s%s\n    %s%s%s\n", fields[i].name, alias != NULL ? " or \"" : "",
               alias != NULL ? alias : "", alias != NULL ? "\"" : "", fields[i].help,
               unit != NULL ? ", in " : "", unit != NULL ? unit : "");
    }
}
