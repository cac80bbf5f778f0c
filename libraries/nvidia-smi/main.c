/* The command line. */
#include "smi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_usage(void)
{
    printf(
        "nvidia-smi of cdpcc: the devices that programs see (CDP_DEVICES, CDP_DEVICE)\n\n"
        "  nvidia-smi                     a table\n"
        "  -L, --list-gpus                a line for each device\n"
        "  -q, --query                    details; -d MEMORY,UTILIZATION,TEMPERATURE,POWER,\n"
        "                                 CLOCK,COMPUTE,PIDS,PERFORMANCE,ECC,\n"
        "                                 PAGE_RETIREMENT,ROW_REMAPPER,ACCOUNTING: only these\n"
        "  -q -x                          all details as XML\n"
        "  topo -m                        how the devices are connected\n"
        "  --query-gpu=FIELDS             with --format=csv[,noheader][,nounits];\n"
        "                                 --help-query-gpu lists the fields\n"
        "  --query-compute-apps=FIELDS    timestamp, gpu_name, gpu_bus_id, gpu_uuid, pid,\n"
        "                                 process_name, used_memory\n"
        "  -i, --id=IDS                   only the devices with these numbers, UUIDs or PCI ids\n"
        "  -l, --loop=SECONDS             again and again; -lms, --loop-ms=MILLISECONDS\n"
        "  --version, -h, --help\n\n"
        "Devices cannot be changed.\n");
}

static void print_version(void)
{
    char driver[SMI_TEXT] = "";
    int cuda = 0;
    (void)nvmlSystemGetDriverVersion(driver, sizeof driver);
    (void)nvmlSystemGetCudaDriverVersion(&cuda);
    printf("NVIDIA-SMI version  : %s (cdpcc)\nNVML version        : %.*s\n", driver,
           (int)(strrchr(driver, '.') - driver), driver);
    printf("DRIVER version      : %s\nCUDA Version        : %d.%d\n", driver,
           NVML_CUDA_DRIVER_VERSION_MAJOR(cuda), NVML_CUDA_DRIVER_VERSION_MINOR(cuda));
}

static bool find_device(const char *id, nvmlDevice_t *out)
{
    char *end;
    unsigned long index = strtoul(id, &end, 10);
    if (*id != '\0' && *end == '\0') {
        return nvmlDeviceGetHandleByIndex((unsigned)index, out) == NVML_SUCCESS;
    }
    return nvmlDeviceGetHandleByUUID(id, out) == NVML_SUCCESS ||
           nvmlDeviceGetHandleByPciBusId(id, out) == NVML_SUCCESS;
}

/* The devices of a list with commas. One that does not exist makes it empty. */
static unsigned find_devices(const char *list, nvmlDevice_t *out, unsigned most)
{
    unsigned count = 0;
    while (*list != '\0' && count < most) {
        char id[SMI_TEXT];
        size_t length = strcspn(list, ",");
        snprintf(id, sizeof id, "%.*s", (int)length, list);
        if (!find_device(id, &out[count++])) {
            return 0;
        }
        list += length + (list[length] == ',');
    }
    return count;
}

unsigned smi_devices(const struct smi_request *request, nvmlDevice_t *out, unsigned most)
{
    unsigned count = 0;
    if (request->id != NULL) {
        count = find_devices(request->id, out, most);
    } else {
        (void)nvmlDeviceGetCount(&count);
        count = count < most ? count : most;
        for (unsigned i = 0; i < count; i++) {
            (void)nvmlDeviceGetHandleByIndex(i, &out[i]);
        }
    }
    if (count == 0) {
        printf("No devices were found\n");
    }
    return count;
}

const char *smi_next_word(const char **at, size_t *length)
{
    const char *word = *at + strspn(*at, ", ");
    if (*word == '\0') {
        return NULL;
    }
    *length = strcspn(word, ",");
    *at = word + *length;
    while (*length > 0 && word[*length - 1] == ' ') {
        --*length;
    }
    return word;
}

/* The value of an option: after "=" in the word, else the next word, which is used up. NULL: it is
 * another option. */
static const char *value_of(char **words, int *at, const char *brief, const char *name)
{
    const char *word = words[*at];
    size_t length = strlen(name);
    if (strncmp(word, name, length) == 0 && word[length] == '=') {
        return word + length + 1;
    }
    if (strcmp(word, name) != 0 && (brief == NULL || strcmp(word, brief) != 0)) {
        return NULL;
    }
    return words[*at + 1] != NULL ? words[++*at] : "";
}

static bool parse_format(const char *text, struct smi_request *request)
{
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        if (length == 8 && strncmp(text, "noheader", length) == 0) {
            request->no_header = true;
        } else if (length == 7 && strncmp(text, "nounits", length) == 0) {
            request->no_units = true;
        } else if (length != 3 || strncmp(text, "csv", length) != 0) {
            return false;
        }
        text += length + (text[length] == ',');
    }
    return true;
}

/* SMI_OK, or the status to exit with after a message. */
static int parse(char **words, struct smi_request *request)
{
    for (int i = 1; words[i] != NULL; i++) {
        const char *word = words[i], *value;
        if (strcmp(word, "-L") == 0 || strcmp(word, "--list-gpus") == 0) {
            request->form = SMI_LIST;
        } else if (strcmp(word, "-q") == 0 || strcmp(word, "--query") == 0) {
            request->form = SMI_DETAILS;
        } else if (strcmp(word, "-x") == 0 || strcmp(word, "--xml-format") == 0) {
            request->is_xml = true;
        } else if ((value = value_of(words, &i, NULL, "--query-gpu")) != NULL) {
            request->form = SMI_FIELDS;
            request->fields = value;
        } else if ((value = value_of(words, &i, NULL, "--query-compute-apps")) != NULL) {
            request->form = SMI_PROCESSES;
            request->fields = value;
        } else if ((value = value_of(words, &i, "-d", "--display")) != NULL) {
            request->display = value;
        } else if ((value = value_of(words, &i, "-i", "--id")) != NULL) {
            request->id = value;
        } else if ((value = value_of(words, &i, "-l", "--loop")) != NULL) {
            request->loop_ms = (unsigned)strtoul(value, NULL, 10) * 1000;
        } else if ((value = value_of(words, &i, "-lms", "--loop-ms")) != NULL) {
            request->loop_ms = (unsigned)strtoul(value, NULL, 10);
        } else if ((value = value_of(words, &i, NULL, "--format")) != NULL) {
            if (!parse_format(value, request)) {
                printf("Format modifier is not recognized.\n");
                return SMI_WRONG_USE;
            }
        } else {
            printf("ERROR: Option %s is not recognized. Please run 'nvidia-smi -h'.\n\n", word);
            return SMI_WRONG_OPTION;
        }
    }
    return SMI_OK;
}

static int print(const struct smi_request *request)
{
    switch (request->form) {
    case SMI_SUMMARY:
        return smi_print_summary(request);
    case SMI_LIST:
        return smi_print_list(request);
    case SMI_DETAILS:
        return request->is_xml ? smi_print_xml(request) : smi_print_details(request);
    case SMI_FIELDS:
        return smi_print_fields(request);
    case SMI_PROCESSES:
        return smi_print_processes(request);
    }
    return SMI_WRONG_USE;
}

/* The words that print and need no others. */
static bool is_answered(const char *word)
{
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        print_usage();
    } else if (strcmp(word, "--version") == 0) {
        print_version();
    } else if (strcmp(word, "--help-query-gpu") == 0) {
        smi_print_field_help();
    } else {
        return false;
    }
    return true;
}

/* topo with other words, or none. */
static int refuse_topology(int count)
{
    printf("    topo -- the topology of the devices.\n\n    Usage: nvidia-smi topo -m\n");
    return count == 2 ? SMI_OK : SMI_WRONG_USE;
}

int main(int count, char **words)
{
    struct smi_request request = {.form = SMI_SUMMARY};
    if (nvmlInit() != NVML_SUCCESS) {
        return SMI_NO_DEVICE;
    }
    if (count > 1 && is_answered(words[1])) {
        return SMI_OK;
    }
    if (count > 1 && strcmp(words[1], "topo") == 0) {
        bool is_matrix =
            count == 3 && (strcmp(words[2], "-m") == 0 || strcmp(words[2], "--matrix") == 0);
        return is_matrix ? smi_print_topology() : refuse_topology(count);
    }
    int status = parse(words, &request);
    if (status != SMI_OK) {
        return status;
    }
    status = print(&request);
    while (status == SMI_OK && request.loop_ms > 0) {
        struct timespec pause = {.tv_sec = request.loop_ms / 1000,
                                 .tv_nsec = (long)(request.loop_ms % 1000) * 1000000};
        fflush(stdout);
        nanosleep(&pause, NULL);
        request.no_header = true;
        status = print(&request);
    }
    return status;
}
