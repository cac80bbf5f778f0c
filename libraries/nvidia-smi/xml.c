/* -q -x: the details as XML, with NVIDIA's names of elements. */
#include "smi.h"

#include <stdio.h>
#include <string.h>

/* A line: the element around it, its own, the field of --query-gpu. */
static const struct {
    const char *around; /* NULL: that of the device */
    const char *element, *field;
} lines[] = {
    {NULL, "product_name", "name"},
    {NULL, "product_brand", "brand"},
    {NULL, "product_architecture", "architecture"},
    {NULL, "display_mode", "display_mode"},
    {NULL, "display_active", "display_active"},
    {NULL, "persistence_mode", "persistence_mode"},
    {"mig_mode", "current_mig", "mig.mode.current"},
    {"mig_mode", "pending_mig", "mig.mode.pending"},
    {NULL, "accounting_mode", "accounting.mode"},
    {NULL, "accounting_mode_buffer_size", "accounting.buffer_size"},
    {NULL, "serial", "serial"},
    {NULL, "uuid", "uuid"},
    {NULL, "minor_number", "index"},
    {NULL, "vbios_version", "vbios_version"},
    {"pci", "pci_bus_id", "pci.bus_id"},
    {NULL, "fan_speed", "fan.speed"},
    {NULL, "performance_state", "pstate"},
    {"fb_memory_usage", "total", "memory.total"},
    {"fb_memory_usage", "reserved", "memory.reserved"},
    {"fb_memory_usage", "used", "memory.used"},
    {"fb_memory_usage", "free", "memory.free"},
    {NULL, "compute_mode", "compute_mode"},
    {"utilization", "gpu_util", "utilization.gpu"},
    {"utilization", "memory_util", "utilization.memory"},
    {"ecc_mode", "current_ecc", "ecc.mode.current"},
    {"ecc_mode", "pending_ecc", "ecc.mode.pending"},
    {"remapped_rows", "remapped_row_corr", "remapped_rows.correctable"},
    {"remapped_rows", "remapped_row_unc", "remapped_rows.uncorrectable"},
    {"remapped_rows", "remapped_row_pending", "remapped_rows.pending"},
    {"remapped_rows", "remapped_row_failure", "remapped_rows.failure"},
    {"temperature", "gpu_temp", "temperature.gpu"},
    {"gpu_power_readings", "power_draw", "power.draw"},
    {"gpu_power_readings", "current_power_limit", "power.limit"},
    {"gpu_power_readings", "requested_power_limit", "power.limit"},
    {"gpu_power_readings", "default_power_limit", "power.default_limit"},
    {"gpu_power_readings", "min_power_limit", "power.min_limit"},
    {"gpu_power_readings", "max_power_limit", "power.max_limit"},
    {"clocks", "graphics_clock", "clocks.gr"},
    {"clocks", "sm_clock", "clocks.sm"},
    {"clocks", "mem_clock", "clocks.mem"},
    {"max_clocks", "graphics_clock", "clocks.max.gr"},
    {"max_clocks", "sm_clock", "clocks.max.sm"},
    {"max_clocks", "mem_clock", "clocks.max.mem"},
};
enum { LINES = sizeof lines / sizeof *lines };

/* Names of processes may have any characters. */
static void print_text(const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", stdout);
            break;
        case '>':
            fputs("&gt;", stdout);
            break;
        case '&':
            fputs("&amp;", stdout);
            break;
        default:
            putchar(*text);
            break;
        }
    }
}

static void print_element(unsigned depth, const char *element, const char *text)
{
    for (unsigned i = 0; i < depth; i++) {
        putchar('\t');
    }
    printf("<%s>", element);
    print_text(text);
    printf("</%s>\n", element);
}

static void print_processes(nvmlDevice_t device)
{
    static nvmlProcessInfo_t processes[1024];
    unsigned count = sizeof processes / sizeof *processes;
    if (nvmlDeviceGetComputeRunningProcesses(device, &count, processes) != NVML_SUCCESS) {
        count = 0;
    }
    printf("\t\t<processes>\n");
    for (unsigned i = 0; i < count; i++) {
        char name[SMI_TEXT] = "", pid[16], memory[32];
        (void)nvmlSystemGetProcessName(processes[i].pid, name, sizeof name);
        snprintf(pid, sizeof pid, "%u", processes[i].pid);
        snprintf(memory, sizeof memory, "%llu MiB", processes[i].usedGpuMemory >> 20);
        printf("\t\t\t<process_info>\n");
        print_element(4, "pid", pid);
        print_element(4, "type", "C");
        print_element(4, "process_name", name);
        print_element(4, "used_memory", memory);
        printf("\t\t\t</process_info>\n");
    }
    printf("\t\t</processes>\n");
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void print_device(nvmlDevice_t device)
{
    char value[SMI_TEXT];
    const char *around = NULL;
    smi_field(device, "pci.bus_id", value);
    printf("\t<gpu id=\"%s\">\n", value);
    for (int i = 0; i < LINES; i++) {
        if (!is_same(around, lines[i].around)) {
            if (around != NULL) {
                printf("\t\t</%s>\n", around);
            }
            around = lines[i].around;
            if (around != NULL) {
                printf("\t\t<%s>\n", around);
            }
        }
        smi_field(device, lines[i].field, value);
        if (strcmp(lines[i].element, "gpu_temp") == 0 && strcmp(value, "N/A") != 0) {
            strcat(value, " C");
        }
        print_element(around != NULL ? 3 : 2, lines[i].element, value);
    }
    printf("\t\t</%s>\n", around);
    print_processes(device);
    printf("\t</gpu>\n");
}

int smi_print_xml(const struct smi_request *request)
{
    nvmlDevice_t devices[SMI_DEVICES];
    char text[SMI_TEXT];
    unsigned count = smi_devices(request, devices, SMI_DEVICES), all = 0;
    if (count == 0) {
        return SMI_NO_DEVICE;
    }
    printf("<?xml version=\"1.0\" ?>\n"
           "<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>\n");
    smi_now(text);
    print_element(1, "timestamp", text);
    (void)nvmlSystemGetDriverVersion(text, sizeof text);
    print_element(1, "driver_version", text);
    smi_cuda_version(text);
    print_element(1, "cuda_version", text);
    (void)nvmlDeviceGetCount(&all);
    snprintf(text, sizeof text, "%u", all);
    print_element(1, "attached_gpus", text);
    for (unsigned i = 0; i < count; i++) {
        print_device(devices[i]);
    }
    printf("</nvidia_smi_log>\n");
    return SMI_OK;
}
