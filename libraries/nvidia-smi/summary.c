/* The table without options, the list of devices, and the details of -q. */
#include "smi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

void smi_cuda_version(char out[SMI_TEXT])
{
    int version = 0;
    (void)nvmlSystemGetCudaDriverVersion(&version);
    snprintf(out, SMI_TEXT, "%d.%d", NVML_CUDA_DRIVER_VERSION_MAJOR(version),
             NVML_CUDA_DRIVER_VERSION_MINOR(version));
}

void smi_now(char out[SMI_TEXT])
{
    struct tm parts;
    time_t time_now = time(NULL);
    strftime(out, SMI_TEXT, "%a %b %e %H:%M:%S %Y", localtime_r(&time_now, &parts));
}

/* The value of a field without the space before the unit. */
static void tight(nvmlDevice_t device, const char *name, char out[SMI_TEXT])
{
    char text[SMI_TEXT];
    smi_field(device, name, text);
    size_t length = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c != ' ') {
            out[length++] = *c;
        }
    }
    out[length] = '\0';
}

#define WIDE "-----------------------------------------"
#define MIDDLE "------------------------"
#define NARROW "----------------------"

static void print_device(nvmlDevice_t device)
{
    char name[SMI_TEXT], index[SMI_TEXT], bus[SMI_TEXT], used[SMI_TEXT], total[SMI_TEXT];
    char heat[SMI_TEXT], load[SMI_TEXT], persistence[SMI_TEXT], ecc[SMI_TEXT], mig[SMI_TEXT];
    char state[SMI_TEXT], limit[SMI_TEXT], power[SMI_TEXT];
    smi_field(device, "persistence_mode", persistence);
    smi_field(device, "ecc.errors.uncorrected.volatile.total", ecc);
    smi_field(device, "mig.mode.current", mig);
    smi_field(device, "pstate", state);
    smi_field(device, "power.limit", limit);
    char *dot = strchr(limit, '.'); /* 700.00 W: the table has no digits after it, and no space */
    if (dot != NULL) {
        memmove(dot, "W", sizeof "W");
    }
    smi_field(device, "index", index);
    smi_field(device, "name", name);
    smi_field(device, "pci.bus_id", bus);
    tight(device, "memory.used", used);
    tight(device, "memory.total", total);
    tight(device, "utilization.gpu", load);
    tight(device, "temperature.gpu", heat);
    if (strcmp(heat, "N/A") != 0) {
        strcat(heat, "C");
    }
    printf("| %3s  %-29.29s %4s | %18s Off | %20s |\n", index, name,
           strcmp(persistence, "Enabled") == 0 ? "On " : persistence, bus, ecc);
    snprintf(power, sizeof power, "N/A / %5s", limit);
    printf("| %3s  %4s   %3s %23s | %10s / %9s | %7s%13s |\n", "N/A", heat, state, power, used,
           total, load, "Default");
    printf("| %39s | %22s | %20s |\n", "", "", mig);
    printf("+" WIDE "+" MIDDLE "+" NARROW "+\n");
}

static void print_processes_of(nvmlDevice_t device, unsigned *all)
{
    static nvmlProcessInfo_t processes[1024];
    unsigned found = sizeof processes / sizeof *processes;
    char index[SMI_TEXT], name[SMI_TEXT], bytes[SMI_TEXT];
    smi_field(device, "index", index);
    if (nvmlDeviceGetComputeRunningProcesses(device, &found, processes) != NVML_SUCCESS) {
        return;
    }
    for (unsigned i = 0; i < found; i++) {
        *name = '\0';
        (void)nvmlSystemGetProcessName(processes[i].pid, name, sizeof name);
        snprintf(bytes, sizeof bytes, "%lluMiB", processes[i].usedGpuMemory >> 20);
        printf("|%5s   N/A  N/A%16u      C   %-38.38s%8s |\n", index, processes[i].pid, name,
               bytes);
    }
    *all += found;
}

int smi_print_summary(const struct smi_request *request)
{
    nvmlDevice_t devices[SMI_DEVICES];
    char text[SMI_TEXT], version[SMI_TEXT], driver[SMI_TEXT];
    unsigned count = smi_devices(request, devices, SMI_DEVICES), processes = 0;
    if (count == 0) {
        return SMI_NO_DEVICE;
    }
    smi_now(text);
    smi_cuda_version(version);
    (void)nvmlSystemGetDriverVersion(driver, sizeof driver);
    printf("%-31s\n", text);
    printf("+" WIDE "-" MIDDLE "-" NARROW "+\n");
    printf("| NVIDIA-SMI %s %-*s Driver Version: %-14s CUDA Version: %-8s |\n", driver,
           (int)(21 - strlen(driver)), "(cdpcc)", driver, version);
    printf("+" WIDE "+" MIDDLE "+" NARROW "+\n");
    printf(
        "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC "
        "|\n");
    printf(
        "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. "
        "|\n");
    printf("| %39s | %22s | %20s |\n", "", "", "MIG M.");
    printf("|=========================================+========================+"
           "======================|\n");
    for (unsigned i = 0; i < count; i++) {
        print_device(devices[i]);
    }
    printf("\n+" WIDE "-" MIDDLE "-" NARROW "+\n");
    printf("| %-87s |\n", "Processes:");
    printf(
        "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory "
        "|\n");
    printf(
        "|        ID   ID                                                               Usage      "
        "|\n");
    printf("|======================================================================================"
           "===|"
           "\n");
    for (unsigned i = 0; i < count; i++) {
        print_processes_of(devices[i], &processes);
    }
    if (processes == 0) {
        printf("|  %-86s |\n", "No running processes found");
    }
    printf("+" WIDE "-" MIDDLE "-" NARROW "+\n");
    return SMI_OK;
}

int smi_print_list(const struct smi_request *request)
{
    nvmlDevice_t devices[SMI_DEVICES];
    unsigned count = smi_devices(request, devices, SMI_DEVICES);
    for (unsigned i = 0; i < count; i++) {
        char index[SMI_TEXT], name[SMI_TEXT], uuid[SMI_TEXT];
        smi_field(devices[i], "index", index);
        smi_field(devices[i], "name", name);
        smi_field(devices[i], "uuid", uuid);
        printf("GPU %s: %s (UUID: %s)\n", index, name, uuid);
    }
    return count > 0 ? SMI_OK : SMI_NO_DEVICE;
}

/* ---- Details ---- */

/* A line of -q: part, title, field. A part that -d can name has lines below a heading. A title
 * without a field is a heading of its own. */
static const struct {
    const char *part; /* NULL: only without -d */
    const char *heading, *title, *field;
} lines[] = {
#define DETAIL(part, heading, title, field) {part, heading, title, field},
#include "details.def"
#undef DETAIL
};
enum { LINES = sizeof lines / sizeof *lines };

/* Whether the list of -d has the part; without a list, all parts. */
static bool wants(const char *list, const char *part)
{
    if (list == NULL || part == NULL) {
        return list == NULL;
    }
    for (const char *word = list; *word != '\0';) {
        size_t length = strcspn(word, ",");
        if (strlen(part) == length && strncasecmp(word, part, length) == 0) {
            return true;
        }
        word += length + (word[length] == ',');
    }
    return false;
}

static bool is_known(const char *list)
{
    for (const char *word = list; *word != '\0';) {
        size_t length = strcspn(word, ",");
        bool known = length == 4 && strncasecmp(word, "PIDS", 4) == 0;
        for (int i = 0; i < LINES && !known; i++) {
            known = lines[i].part != NULL && strlen(lines[i].part) == length &&
                    strncasecmp(word, lines[i].part, length) == 0;
        }
        if (!known) {
            return false;
        }
        word += length + (word[length] == ',');
    }
    return *list != '\0';
}

static void print_pids(nvmlDevice_t device)
{
    static nvmlProcessInfo_t processes[1024];
    unsigned found = sizeof processes / sizeof *processes;
    if (nvmlDeviceGetComputeRunningProcesses(device, &found, processes) != NVML_SUCCESS ||
        found == 0) {
        printf("    %-50s : None\n", "Processes");
        return;
    }
    printf("    Processes\n");
    for (unsigned i = 0; i < found; i++) {
        char name[SMI_TEXT] = "";
        (void)nvmlSystemGetProcessName(processes[i].pid, name, sizeof name);
        printf("        %-46s : %u\n", "Process ID", processes[i].pid);
        printf("            %-42s : C\n", "Type");
        printf("            %-42s : %s\n", "Name", name);
        printf("            %-42s : %llu MiB\n", "Used GPU Memory",
               processes[i].usedGpuMemory >> 20);
    }
}

/* What -q has after a value, other than --query-gpu. */
static const char *suffix(const char *field, const char *value)
{
    if (strcmp(value, "N/A") == 0) {
        return "";
    }
    if (strncmp(field, "temperature", 11) == 0) {
        return " C";
    }
    return strncmp(field, "pcie.link.width", 15) == 0 ? "x" : "";
}

static void print_details_of(nvmlDevice_t device, const char *display)
{
    char value[SMI_TEXT];
    const char *heading = NULL;
    smi_field(device, "pci.bus_id", value);
    printf("GPU %s\n", value);
    for (int i = 0; i < LINES; i++) {
        if (!wants(display, lines[i].part)) {
            continue;
        }
        *value = '\0';
        if (lines[i].field != NULL) {
            smi_field(device, lines[i].field, value);
        }
        if (lines[i].heading == NULL) {
            printf("    %-50s : %s\n", lines[i].title, value);
            continue;
        }
        if (heading == NULL || strcmp(heading, lines[i].heading) != 0) {
            heading = lines[i].heading;
            printf("    %s\n", heading);
        }
        if (lines[i].field == NULL) {
            printf("        %s\n", lines[i].title);
            continue;
        }
        printf("        %-46s : %s%s\n", lines[i].title, value, suffix(lines[i].field, value));
    }
    if (wants(display, "PIDS")) {
        print_pids(device);
    }
}

int smi_print_details(const struct smi_request *request)
{
    nvmlDevice_t devices[SMI_DEVICES];
    char text[SMI_TEXT];
    if (request->display != NULL && !is_known(request->display)) {
        printf("Failed to parse --display/-d flags\n");
        return SMI_WRONG_USE;
    }
    unsigned count = smi_devices(request, devices, SMI_DEVICES), all = 0;
    if (count == 0) {
        return SMI_NO_DEVICE;
    }
    smi_now(text);
    printf("\n==============NVSMI LOG==============\n\n%-54s : %s\n", "Timestamp", text);
    (void)nvmlSystemGetDriverVersion(text, sizeof text);
    printf("%-54s : %s\n", "Driver Version", text);
    smi_cuda_version(text);
    (void)nvmlDeviceGetCount(&all);
    printf("%-54s : %s\n\n%-54s : %u\n", "CUDA Version", text, "Attached GPUs", all);
    for (unsigned i = 0; i < count; i++) {
        print_details_of(devices[i], request->display);
        printf("\n");
    }
    return SMI_OK;
}
