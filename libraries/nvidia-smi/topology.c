/* nvidia-smi topo -m: how the devices are connected. All of them are the machine's processors, so
 * data between two of them goes through the processors: NVIDIA's PHB within one node of memory, and
 * SYS if there are several. */
#include "smi.h"

#include <stdio.h>

enum { WORDS = 16, BITS = 8 * sizeof(unsigned long) };

static const char legend[] = "\nLegend:\n\n  X    = Self\n"
                             "  SYS  = Connection between the nodes of the machine's memory\n"
                             "  PHB  = Connection through the processors and their memory\n";

/* The numbers of a set, as in Linux's lists: 0-3,8. */
static void list(const unsigned long *set, char *out, size_t size)
{
    size_t length = 0;
    *out = '\0';
    for (unsigned i = 0; i < WORDS * BITS && length < size; i++) {
        if ((set[i / BITS] >> i % BITS & 1) == 0) {
            continue;
        }
        unsigned last = i;
        while (last + 1 < WORDS * BITS && (set[(last + 1) / BITS] >> (last + 1) % BITS & 1) != 0) {
            last++;
        }
        length += (size_t)snprintf(out + length, size - length, "%s%u", length > 0 ? "," : "", i);
        if (last > i && length < size) {
            length += (size_t)snprintf(out + length, size - length, "-%u", last);
        }
        i = last;
    }
}

static const char *connection(unsigned i, unsigned j)
{
    nvmlDevice_t a, b;
    nvmlGpuTopologyLevel_t level;
    if (i == j) {
        return " X ";
    }
    bool is_near = nvmlDeviceGetHandleByIndex(i, &a) == NVML_SUCCESS &&
                   nvmlDeviceGetHandleByIndex(j, &b) == NVML_SUCCESS &&
                   nvmlDeviceGetTopologyCommonAncestor(a, b, &level) == NVML_SUCCESS &&
                   level == NVML_TOPOLOGY_HOSTBRIDGE;
    return is_near ? "PHB" : "SYS";
}

static void print_row(unsigned device, unsigned count)
{
    unsigned long set[WORDS] = {0};
    char cpus[256] = "", nodes[64] = "";
    nvmlDevice_t handle;
    if (nvmlDeviceGetHandleByIndex(device, &handle) == NVML_SUCCESS) {
        (void)nvmlDeviceGetCpuAffinity(handle, WORDS, set);
        list(set, cpus, sizeof cpus);
        (void)nvmlDeviceGetMemoryAffinity(handle, WORDS, set, NVML_AFFINITY_SCOPE_NODE);
        list(set, nodes, sizeof nodes);
    }
    printf("GPU%u", device);
    for (unsigned i = 0; i < count; i++) {
        printf("\t%s", connection(device, i));
    }
    printf("\t%s\t%s\t\tN/A\n", cpus, nodes);
}

int smi_print_topology(void)
{
    unsigned count = 0;
    (void)nvmlDeviceGetCount(&count);
    for (unsigned i = 0; i < count; i++) {
        printf("\tGPU%u", i);
    }
    printf("\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n");
    for (unsigned i = 0; i < count; i++) {
        print_row(i, count);
    }
    fputs(legend, stdout);
    return SMI_OK;
}
