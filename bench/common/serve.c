#include "serve.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

static void list(const struct workload *workloads, int count)
{
    for (int i = 0; i < count; i++) {
        printf("%s\t%s\t%g\n", workloads[i].name, workloads[i].what, workloads[i].bar);
    }
    printf("\n");
}

static int repeats_of(const struct workload *workload)
{
    const char *wanted = getenv("BENCH_REPEATS");
    return wanted == NULL || atoi(wanted) < 1 ? workload->repeats : atoi(wanted);
}

/* The untimed run wakes threads and touches memory. */
static void measure(const struct workload *workload)
{
    int repeats = repeats_of(workload);
    workload->prepare();
    workload->run();
    double start = clock_now();
    for (int i = 0; i < repeats; i++) {
        workload->run();
    }
    double seconds = (clock_now() - start) / repeats;
    if (workload->is_right(repeats + 1)) {
        printf("%.9f\n", seconds);
    } else {
        printf("wrong result\n");
    }
    workload->finish();
}

static const struct workload *find(const struct workload *workloads, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(workloads[i].name, name) == 0) {
            return &workloads[i];
        }
    }
    return NULL;
}

int serve(const struct workload *workloads, int count)
{
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const struct workload *workload = find(workloads, count, line);
        if (strcmp(line, "?") == 0) {
            list(workloads, count);
        } else if (workload == NULL) {
            printf("no such workload\n");
        } else {
            measure(workload);
        }
        fflush(stdout);
    }
    return 0;
}
