/* The processes of a run: which files each of them wrote. */
#ifndef CDP_REPORT_PROCESSES_H
#define CDP_REPORT_PROCESSES_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a process wrote while it ran, each in a file of its own. */
enum process_file {
    PROCESS_TRACE,
    PROCESS_PROFILE,
    PROCESS_FINDINGS,
    PROCESS_STEPS,
    PROCESS_COUNTS,
    PROCESS_FILES
};

/* One process that used the runtime. */
struct process {
    pid_t number;
    const char *files[PROCESS_FILES]; /* paths; NULL: it has not written this one */
};

/* By their numbers, but the one that cdp-report started comes first. Lives until the program ends.
 * Zero is the empty list. */
struct processes {
    struct process *items;
    size_t count, room;
};

/* What an environment variable gets: the path with "%p", which the runtime replaces by the number
 * of the process. */
const char *processes_path(const char *folder, enum process_file file);
/* Reads the folder. first: the process that cdp-report started. Each path is also added to the
 * files that tidy_now removes. */
void processes_find(struct processes *processes, const char *folder, pid_t first);

#endif
