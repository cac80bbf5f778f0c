/* nvidia-smi topo -m: how the devices are connected. All of them are the machine's processors, so
 * data between two of them goes through the processors: NVIDIA's PHB within one node of memory, and
 * SYS if there are several. */
#include "smi.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { CPUS = CPU_SETSIZE };

static const char legend[] = "\nLegend:\n\n  X    = Self\n"
                             "  SYS  = Connection between the nodes of the machine's memory\n"
                             "  PHB  = Connection through the processors and their memory\n";

/* The processors that programs may use, as in Linux's lists: 0-3,8. */
static void list_cpus(char *out, size_t size)
{
    cpu_set_t set;
    size_t length = 0;
    *out = '\0';
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return;
    }
    for (int cpu = 0; cpu < CPUS && length < size; cpu++) {
        if (!CPU_ISSET((size_t)cpu, &set)) {
            continue;
        }
        int last = cpu;
        while (last + 1 < CPUS && CPU_ISSET((size_t)last + 1, &set)) {
            last++;
        }
        length += (size_t)snprintf(out + length, size - length, "%s%d", length > 0 ? "," : "", cpu);
        if (last > cpu && length < size) {
            length += (size_t)snprintf(out + length, size - length, "-%d", last);
        }
        cpu = last;
    }
}

/* The nodes of the machine's memory; "0" if Linux does not tell. */
static void list_nodes(char *out, int size)
{
    FILE *file = fopen("/sys/devices/system/node/online", "re");
    if (file == NULL || fgets(out, size, file) == NULL) {
        snprintf(out, (size_t)size, "0");
    }
    out[strcspn(out, "\n")] = '\0';
    if (file != NULL) {
        fclose(file);
    }
}

int smi_print_topology(void)
{
    unsigned count = 0;
    char cpus[256], nodes[64];
    (void)nvmlDeviceGetCount(&count);
    list_cpus(cpus, sizeof cpus);
    list_nodes(nodes, sizeof nodes);
    const char *way = strcmp(nodes, "0") == 0 ? "PHB" : "SYS";
    for (unsigned i = 0; i < count; i++) {
        printf("\tGPU%u", i);
    }
    printf("\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n");
    for (unsigned i = 0; i < count; i++) {
        printf("GPU%u", i);
        for (unsigned j = 0; j < count; j++) {
            printf("\t%s", i == j ? " X " : way);
        }
        printf("\t%s\t%s\t\tN/A\n", cpus, nodes);
    }
    fputs(legend, stdout);
    return SMI_OK;
}
