/* The resources that this process may use: the machine's memory, or what its control groups allow
 * of it; address space; and threads. */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "os/os.h"

/* A number in a file; "max", or no file: no limit. */
static uint64_t read_limit(const char *path)
{
    uint64_t limit = UINT64_MAX;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return limit;
    }
    if (fscanf(file, "%" SCNu64, &limit) != 1) {
        limit = UINT64_MAX;
    }
    fclose(file);
    return limit;
}

/* The smallest limit of a group and its ancestors. group: its path below root; the string is
 * changed. */
static uint64_t least_above(const char *root, char *group, const char *file)
{
    char path[1024];
    uint64_t least = UINT64_MAX;
    for (;;) {
        size_t length = strlen(group);
        if (length > 0 && group[length - 1] == '/') {
            group[length - 1] = '\0';
        }
        if (snprintf(path, sizeof path, "%s%s/%s", root, group, file) < (int)sizeof path) {
            uint64_t limit = read_limit(path);
            least = limit < least ? limit : least;
        }
        char *last = strrchr(group, '/');
        if (last == NULL) {
            return least;
        }
        *last = '\0';
    }
}

/* A line of /proc/self/cgroup: "number:controllers:path". In version 2 the controllers are
 * empty. */
static uint64_t limit_of_group(const char *system, char *line)
{
    char root[256];
    char *controllers = strchr(line, ':'), *path = NULL;
    if (controllers != NULL) {
        *controllers++ = '\0';
        path = strchr(controllers, ':');
    }
    if (path == NULL) {
        return UINT64_MAX;
    }
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    if (*controllers == '\0') {
        return least_above(system, path, "memory.max");
    }
    if (strcmp(controllers, "memory") != 0) {
        return UINT64_MAX;
    }
    snprintf(root, sizeof root, "%s/memory", system);
    return least_above(root, path, "memory.limit_in_bytes");
}

uint64_t cdp_os_group_memory(const char *groups, const char *system)
{
    uint64_t least = UINT64_MAX;
    char line[1024];
    FILE *file = fopen(groups, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        uint64_t limit = limit_of_group(system, line);
        least = limit < least ? limit : least;
    }
    if (file != NULL) {
        fclose(file);
    }
    return least;
}

uint64_t cdp_os_memory_limit(void)
{
    uint64_t all = cdp_os_memory();
    uint64_t group = cdp_os_group_memory("/proc/self/cgroup", "/sys/fs/cgroup");
    return group < all ? group : all;
}

/* The bytes of mapped address space. */
static size_t mapped_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL) {
        if (fscanf(file, "%lu", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return pages * cdp_os_page();
}

static bool is_limited(int resource, rlim_t *limit)
{
    struct rlimit both;
    if (getrlimit((__rlimit_resource_t)resource, &both) != 0 || both.rlim_cur == RLIM_INFINITY) {
        return false;
    }
    *limit = both.rlim_cur;
    return true;
}

size_t cdp_os_address_space(void)
{
    rlim_t limit;
    if (!is_limited(RLIMIT_AS, &limit)) {
        return SIZE_MAX;
    }
    size_t mapped = mapped_bytes();
    return limit > mapped ? (size_t)limit - mapped : 0;
}

void cdp_os_save_address_space(void)
{
    (void)mallopt(M_ARENA_MAX, 1);
}

void cdp_os_describe_memory_limit(char *out, size_t size)
{
    rlim_t limit;
    if (is_limited(RLIMIT_AS, &limit)) {
        snprintf(out, size,
                 "the address space is limited to %" PRIu64
                 " KiB (ulimit -v), of which %zu are free",
                 (uint64_t)limit >> 10, cdp_os_address_space() >> 10);
    } else if (is_limited(RLIMIT_DATA, &limit)) {
        snprintf(out, size, "data is limited to %" PRIu64 " KiB (ulimit -d)",
                 (uint64_t)limit >> 10);
    } else {
        snprintf(out, size, "the system has no memory for it");
    }
}

void cdp_os_describe_thread_limit(char *out, size_t size)
{
    rlim_t limit;
    size_t for_a_stack = (size_t)16 << 20;
    if (cdp_os_address_space() < for_a_stack) {
        cdp_os_describe_memory_limit(out, size);
    } else if (is_limited(RLIMIT_NPROC, &limit)) {
        snprintf(out, size,
                 "the user may have %" PRIu64
                 " processes and threads at a time (ulimit -u), or the "
                 "control group fewer",
                 (uint64_t)limit);
    } else {
        snprintf(out, size, "the system, or the control group, allows no more threads");
    }
}
