/* How devices, processors and memory are connected. All devices are the machine's processors, so
 * data between two of them goes through these. */
#include "state.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 8 * sizeof(unsigned long), MOST_NODES = 1024 };

/* Sets the bits of a list like 0-3,8; more says whether the list has others than 0. */
static bool parse_list(const char *list, unsigned long *set, unsigned size)
{
    bool more = false;
    unsigned first, last;
    int length;
    while (sscanf(list, "%u%n", &first, &length) == 1) {
        list += length;
        last = first;
        if (sscanf(list, "-%u%n", &last, &length) == 1) {
            list += length;
        }
        for (unsigned i = first; i <= last && i < MOST_NODES; i++) {
            if (i / BITS < size) {
                set[i / BITS] |= 1ul << i % BITS;
            }
            more |= i > 0;
        }
        list += *list == ',';
    }
    return more;
}

/* The nodes of the machine's memory; node 0 if Linux does not tell. True: there are several. */
static bool read_nodes(unsigned long *set, unsigned size)
{
    char line[256] = "0";
    FILE *file = fopen("/sys/devices/system/node/online", "re");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL) {
            snprintf(line, sizeof line, "0");
        }
        fclose(file);
    }
    memset(set, 0, size * sizeof *set);
    return parse_list(line, set, size);
}

static nvmlGpuTopologyLevel_t level_between_devices(void)
{
    unsigned long nodes[1];
    return read_nodes(nodes, 1) ? NVML_TOPOLOGY_SYSTEM : NVML_TOPOLOGY_HOSTBRIDGE;
}

static bool is_level(nvmlGpuTopologyLevel_t level)
{
    return level >= NVML_TOPOLOGY_INTERNAL && level <= NVML_TOPOLOGY_SYSTEM && level % 10 == 0;
}

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device, nvmlDevice_t other,
                                                 nvmlGpuTopologyLevel_t *level)
{
    nvmlReturn_t second = cdp_nvml_check_device(other);
    BEGIN(device, second == NVML_SUCCESS ? level : NULL)
    if (device == other) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    *level = level_between_devices();
    return NVML_SUCCESS;
}

/* Stores the devices but one, at most *count if that is not 0. */
static nvmlReturn_t store_others(const struct nvmlDevice_st *without, unsigned *count,
                                 nvmlDevice_t *devices)
{
    unsigned most = *count, found = 0;
    for (unsigned i = 0; i < cdp_nvml.count; i++) {
        if (&cdp_nvml.devices[i] != without && found++ < most && devices != NULL) {
            devices[found - 1] = &cdp_nvml.devices[i];
        }
    }
    *count = most == 0 || found < most ? found : most;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device, nvmlGpuTopologyLevel_t level,
                                              unsigned int *count, nvmlDevice_t *devices)
{
    BEGIN(device, is_level(level) ? count : NULL)
    if (*count > 0 && devices == NULL) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    if (level != level_between_devices()) {
        *count = 0;
        return NVML_SUCCESS;
    }
    return store_others(device, count, devices);
}

/* Each device is near each processor. */
nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned int cpu, unsigned int *count,
                                         nvmlDevice_t *devices)
{
    cpu_set_t set;
    nvmlReturn_t result = cdp_nvml_check();
    if (result != NVML_SUCCESS) {
        return result;
    }
    if (count == NULL || (*count > 0 && devices == NULL) || cpu >= CPU_SETSIZE ||
        sched_getaffinity(0, sizeof set, &set) != 0 || !CPU_ISSET(cpu, &set)) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    return store_others(NULL, count, devices);
}

/* Kernels of one device access the memory of another, by loads, stores and atomic operations. The
 * last index, and a device with itself, have the answers of an H200. */
nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device, nvmlDevice_t other,
                                    nvmlGpuP2PCapsIndex_t index, nvmlGpuP2PStatus_t *status)
{
    nvmlReturn_t second = cdp_nvml_check_device(other);
    bool is_index = second == NVML_SUCCESS && (unsigned)index <= NVML_P2P_CAPS_INDEX_UNKNOWN;
    BEGIN(device, is_index ? status : NULL)
    bool has_it = index == NVML_P2P_CAPS_INDEX_UNKNOWN ||
                  (index != NVML_P2P_CAPS_INDEX_NVLINK && device != other);
    *status = has_it ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
    return NVML_SUCCESS;
}

/* ---- Affinity ---- */

/* The processors that the calling program may use. size is in words. */
nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int size, unsigned long *cpus)
{
    cpu_set_t set;
    BEGIN(device, size > 0 ? cpus : NULL)
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return NVML_ERROR_UNKNOWN;
    }
    memset(cpus, 0, size * sizeof *cpus);
    for (unsigned i = 0; i < CPU_SETSIZE && i / BITS < size; i++) {
        cpus[i / BITS] |= (unsigned long)(CPU_ISSET(i, &set) != 0) << i % BITS;
    }
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned int size,
                                                 unsigned long *cpus, nvmlAffinityScope_t scope)
{
    return nvmlDeviceGetCpuAffinity(device, size,
                                    scope <= NVML_AFFINITY_SCOPE_SOCKET ? cpus : NULL);
}

nvmlReturn_t nvmlDeviceGetMemoryAffinity(nvmlDevice_t device, unsigned int size,
                                         unsigned long *nodes, nvmlAffinityScope_t scope)
{
    BEGIN(device, size > 0 && scope <= NVML_AFFINITY_SCOPE_SOCKET ? nodes : NULL)
    (void)read_nodes(nodes, size);
    return NVML_SUCCESS;
}
