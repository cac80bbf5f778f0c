/* Reads /proc of all processes. */
#include "model/owned.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define PREFIX "cdp-device-"

void cdp_owned_name(char out[CDP_OWNED_NAME], unsigned device, const void *lo, size_t size)
{
    snprintf(out, CDP_OWNED_NAME, PREFIX "%u-%" PRIxPTR "-%zx", device, (uintptr_t)lo, size);
}

struct range {
    uintptr_t lo;
    size_t size; /* 0: none */
};

static FILE *open_of(unsigned process, const char *file)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/%s", process, file);
    return fopen(path, "re");
}

/* The ranges of the devices that a process has. */
static bool find_ranges(unsigned process, struct range ranges[CDP_MOST_DEVICES])
{
    bool found = false;
    char line[512];
    FILE *maps = open_of(process, "maps");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        const char *name = strstr(line, "/memfd:" PREFIX);
        unsigned device;
        struct range range;
        if (name != NULL &&
            sscanf(name, "/memfd:" PREFIX "%u-%" SCNxPTR "-%zx", &device, &range.lo, &range.size) ==
                3 &&
            device < CDP_MOST_DEVICES) {
            ranges[device] = range;
            found = true;
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return found;
}

static unsigned device_of(const struct range ranges[CDP_MOST_DEVICES], uintptr_t address)
{
    unsigned device = 0;
    while (device < CDP_MOST_DEVICES && address - ranges[device].lo >= ranges[device].size) {
        device++;
    }
    return device;
}

/* Adds up the memory of each mapping in a range. What several processes share counts in parts. */
static void add_bytes(struct cdp_owned_process *process,
                      const struct range ranges[CDP_MOST_DEVICES])
{
    char line[512];
    unsigned device = CDP_MOST_DEVICES;
    FILE *smaps = open_of(process->id, "smaps");
    while (smaps != NULL && fgets(line, sizeof line, smaps) != NULL) {
        uintptr_t lo, hi;
        uint64_t kilobytes;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &lo, &hi) == 2) {
            device = device_of(ranges, lo);
        } else if (device < CDP_MOST_DEVICES &&
                   sscanf(line, "Pss: %" SCNu64 " kB", &kilobytes) == 1) {
            process->bytes[device] += kilobytes << 10;
        }
    }
    if (smaps != NULL) {
        fclose(smaps);
    }
}

/* Raises the bytes of a device to what the process counts: pages that are allocated and not in use
 * are missing in add_bytes. descriptor: of the page that the process shows. */
static void raise_to_count(struct cdp_owned_process *process, const char *descriptor)
{
    char path[300], name[128];
    unsigned device;
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "/proc/%u/fd/%s", process->id, descriptor);
    ssize_t length = readlink(path, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    if (sscanf(name, "/memfd:" PREFIX "%u-", &device) != 1 || device >= CDP_MOST_DEVICES) {
        return;
    }
    FILE *file = fopen(path, "re");
    if (file != NULL && fread(&bytes, sizeof bytes, 1, file) == 1 &&
        bytes > process->bytes[device]) {
        process->bytes[device] = bytes;
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void add_counts(struct cdp_owned_process *process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/fd", process->id);
    DIR *descriptors = opendir(path);
    if (descriptors == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(descriptors); entry != NULL; entry = readdir(descriptors)) {
        raise_to_count(process, entry->d_name);
    }
    closedir(descriptors);
}

/* The processor time of the process, of all its threads. */
static uint64_t ticks_of(unsigned process)
{
    char line[1024];
    uint64_t user = 0, system = 0;
    FILE *stat = open_of(process, "stat");
    if (stat == NULL) {
        return 0;
    }
    const char *end = fgets(line, sizeof line, stat) != NULL ? strrchr(line, ')') : NULL;
    if (end == NULL ||
        sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64, &user,
               &system) != 2) {
        user = system = 0;
    }
    fclose(stat);
    return user + system;
}

static unsigned list(struct cdp_owned_process *out, unsigned most, bool with_bytes)
{
    unsigned count = 0;
    DIR *processes = opendir("/proc");
    if (processes == NULL) {
        return 0;
    }
    for (struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        struct range ranges[CDP_MOST_DEVICES] = {{0}};
        if (!isdigit((unsigned char)entry->d_name[0])) {
            continue;
        }
        unsigned id = (unsigned)strtoul(entry->d_name, NULL, 10);
        if (!find_ranges(id, ranges) || count++ >= most) {
            continue;
        }
        struct cdp_owned_process *process = &out[count - 1];
        *process = (struct cdp_owned_process){.id = id, .ticks = ticks_of(id)};
        for (unsigned i = 0; i < CDP_MOST_DEVICES; i++) {
            process->has[i] = ranges[i].size != 0;
        }
        if (with_bytes) {
            add_bytes(process, ranges);
            add_counts(process);
        }
    }
    closedir(processes);
    return count;
}

unsigned cdp_owned_list(struct cdp_owned_process *out, unsigned most)
{
    return list(out, most, true);
}

unsigned cdp_owned_ticks(struct cdp_owned_process *out, unsigned most)
{
    return list(out, most, false);
}
