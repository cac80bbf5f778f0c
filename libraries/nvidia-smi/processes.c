/* --query-compute-apps: the processes that use the devices. */
#include "smi.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *title;
} process_fields[] = {
    {"timestamp", "timestamp"},
    {"gpu_name", "gpu_name"},
    {"gpu_bus_id", "gpu_bus_id"},
    {"gpu_uuid", "gpu_uuid"},
    {"pid", "pid"},
    {"process_name", "process_name"},
    {"name", "process_name"},
    {"used_gpu_memory", "used_gpu_memory [MiB]"},
    {"used_memory", "used_gpu_memory [MiB]"},
};
enum { PROCESS_FIELDS = sizeof process_fields / sizeof *process_fields };

static int find_process_field(const char *word, size_t length)
{
    for (int i = 0; i < PROCESS_FIELDS; i++) {
        if (strlen(process_fields[i].name) == length &&
            strncmp(process_fields[i].name, word, length) == 0) {
            return i;
        }
    }
    return -1;
}

static void print_of_process(const struct smi_request *request, nvmlDevice_t device,
                             const nvmlProcessInfo_t *process, int column)
{
    char value[SMI_TEXT] = "";
    const char *title = process_fields[column].title;
    if (strcmp(title, "pid") == 0) {
        printf("%u", process->pid);
    } else if (strcmp(title, "process_name") == 0) {
        (void)nvmlSystemGetProcessName(process->pid, value, sizeof value);
        printf("%s", value);
    } else if (strncmp(title, "used", 4) == 0) {
        printf("%llu%s", process->usedGpuMemory >> 20, request->no_units ? "" : " MiB");
    } else {
        smi_field(device, title, value);
        printf("%s", value);
    }
}

static int parse_process_fields(const char *list, int columns[SMI_COLUMNS])
{
    int count = 0;
    size_t length;
    for (const char *word; (word = smi_next_word(&list, &length)) != NULL && count < SMI_COLUMNS;) {
        columns[count] = find_process_field(word, length);
        if (columns[count++] < 0) {
            printf("Field \"%.*s\" is not a valid field to query.\n\n", (int)length, word);
            return -1;
        }
    }
    return count;
}

int smi_print_processes(const struct smi_request *request)
{
    int columns[SMI_COLUMNS];
    nvmlDevice_t devices[64];
    static nvmlProcessInfo_t processes[1024];
    int count = parse_process_fields(request->fields, columns);
    if (count < 0) {
        return SMI_WRONG_USE;
    }
    unsigned device_count = smi_devices(request, devices, 64);
    if (device_count == 0) {
        return SMI_NO_DEVICE;
    }
    for (int i = 0; i < count && !request->no_header; i++) {
        const char *title = process_fields[columns[i]].title;
        printf("%s%s%s", i > 0 ? ", " : "", title, i + 1 == count ? "\n" : "");
    }
    for (unsigned i = 0; i < device_count; i++) {
        unsigned found = sizeof processes / sizeof *processes;
        if (nvmlDeviceGetComputeRunningProcesses(devices[i], &found, processes) != NVML_SUCCESS) {
            continue;
        }
        for (unsigned j = 0; j < found; j++) {
            for (int k = 0; k < count; k++) {
                printf("%s", k > 0 ? ", " : "");
                print_of_process(request, devices[i], &processes[j], columns[k]);
            }
            printf("\n");
        }
    }
    return SMI_OK;
}
