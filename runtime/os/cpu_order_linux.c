/* The order in which workers get CPUs, by the NUMA nodes in sysfs, and the CPUs' caches. If sysfs
 * has no information, all CPUs are in one node, or all distances are equal. */
#include "os/cpu.h"
#include "os/os.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_NODES = 1024 };

/* The facts about the machine that one call has read. */
struct machine {
    const char *directory;
    struct cdp_os_cpu_info *cpus;
    unsigned count;
    int nodes[MOST_NODES]; /* their numbers, ascending */
    unsigned node_count;
};

/* Reads a file of one line; "" if there is none. */
static void read_line(const struct machine *machine, const char *name, char *out, size_t size)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", machine->directory, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, out, size - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    out[got > 0 ? got : 0] = '\0';
}

/* Removes a range from the front of a list such as "0-3,8"; false at its end. */
static bool next_range(const char **list, long *first, long *last)
{
    char *end;
    *first = *last = strtol(*list, &end, 10);
    if (end == *list) {
        return false;
    }
    if (*end == '-') {
        *last = strtol(end + 1, &end, 10);
    }
    *list = *end == ',' ? end + 1 : end;
    return true;
}

static void find_nodes(struct machine *machine)
{
    char line[4096];
    const char *list = line;
    long first, last;
    read_line(machine, "online", line, sizeof line);
    while (next_range(&list, &first, &last)) {
        for (long node = first; node <= last && node < MOST_NODES; node++) {
            if (machine->node_count < MOST_NODES) {
                machine->nodes[machine->node_count++] = (int)node;
            }
        }
    }
}

static void assign_node(const struct machine *machine, int node)
{
    char name[64], line[4096];
    const char *list = line;
    long first, last;
    (void)snprintf(name, sizeof name, "node%d/cpulist", node);
    read_line(machine, name, line, sizeof line);
    while (next_range(&list, &first, &last)) {
        for (unsigned i = 0; i < machine->count; i++) {
            if (machine->cpus[i].cpu >= first && machine->cpus[i].cpu <= last) {
                machine->cpus[i].node = node;
            }
        }
    }
}

/* The line has one distance for each online node. */
static void measure(const struct machine *machine, int from)
{
    char name[64], line[8192], *at = line;
    (void)snprintf(name, sizeof name, "node%d/distance", from);
    read_line(machine, name, line, sizeof line);
    for (unsigned n = 0; n < machine->node_count; n++) {
        int distance = (int)strtol(at, &at, 10);
        for (unsigned i = 0; i < machine->count; i++) {
            if (machine->cpus[i].node == machine->nodes[n]) {
                machine->cpus[i].distance = distance;
            }
        }
    }
}

static bool is_before(const struct cdp_os_cpu_info *a, const struct cdp_os_cpu_info *b, int host)
{
    if (a->round != b->round) {
        return a->round < b->round;
    }
    if (a->node != b->node) {
        return a->distance != b->distance ? a->distance < b->distance : a->node < b->node;
    }
    return a->cpu == host || (b->cpu != host && a->cpu < b->cpu);
}

static void sort(const struct machine *machine, int host)
{
    struct cdp_os_cpu_info *cpus = machine->cpus;
    for (unsigned i = 1; i < machine->count; i++) {
        struct cdp_os_cpu_info cpu = cpus[i];
        unsigned at = i;
        for (; at > 0 && is_before(&cpu, &cpus[at - 1], host); at--) {
            cpus[at] = cpus[at - 1];
        }
        cpus[at] = cpu;
    }
}

void cdp_os_sort_cpus(struct cdp_os_cpu_info *cpus, unsigned count, const char *directory,
                      const struct cdp_os_order *order)
{
    struct machine machine = {.directory = directory, .cpus = cpus, .count = count};
    int node = 0;
    find_nodes(&machine);
    for (unsigned i = 0; i < machine.node_count; i++) {
        assign_node(&machine, machine.nodes[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        node = cpus[i].cpu == order->host_cpu ? cpus[i].node : node;
    }
    measure(&machine, node);
    sort(&machine, order->host_cpu);
    if (order->is_spread) {
        for (unsigned i = 1; i < count; i++) {
            cpus[i].round = cpus[i].node == cpus[i - 1].node ? cpus[i - 1].round + 1 : 0;
        }
        sort(&machine, order->host_cpu);
    }
    /* The host's is the first now. */
    if (count > 0 && cpus[0].cpu == order->host_cpu) {
        struct cdp_os_cpu_info first = cpus[0];
        for (unsigned i = 1; i < count; i++) {
            cpus[i - 1] = cpus[i];
        }
        cpus[count - 1] = first;
    }
}

/* The last-level cache is the third one, or else the second one. */
static uint64_t read_cache(const struct machine *machine, int cpu, char *sharers, size_t size)
{
    for (int level = 3; level >= 2; level--) {
        char name[64], line[64], *unit;
        (void)snprintf(name, sizeof name, "cpu%d/cache/index%d/size", cpu, level);
        read_line(machine, name, line, sizeof line);
        uint64_t bytes = strtoull(line, &unit, 10);
        (void)snprintf(name, sizeof name, "cpu%d/cache/index%d/shared_cpu_list", cpu, level);
        read_line(machine, name, sharers, size);
        if (bytes != 0) {
            return bytes << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
        }
    }
    return 0;
}

uint64_t cdp_os_sum_caches(const char *directory, const struct cdp_os_cpu_info *cpus,
                           unsigned count)
{
    const struct machine machine = {.directory = directory};
    bool is_counted[CDP_OS_MOST_CPUS] = {false};
    uint64_t sum = 0;
    for (unsigned i = 0; i < count && i < CDP_OS_MOST_CPUS; i++) {
        char line[4096] = "";
        const char *list = line;
        long first, last;
        sum += is_counted[i] ? 0 : read_cache(&machine, cpus[i].cpu, line, sizeof line);
        while (next_range(&list, &first, &last)) {
            for (unsigned j = i; j < count && j < CDP_OS_MOST_CPUS; j++) {
                is_counted[j] |= cpus[j].cpu >= first && cpus[j].cpu <= last;
            }
        }
    }
    return sum;
}
