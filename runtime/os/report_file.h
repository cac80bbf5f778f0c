/* Files that a run is reported to: those of CDP_TRACE, CDP_PROFILE_LOG, CDP_COUNT and others.
 *
 * A name may contain %p (the number of the process), %h (the name of the machine), %q{NAME} (the
 * variable NAME of the environment) and %%. If several processes of one run have the same name, the
 * first one takes it, and the others add their numbers: run.json, run.1234.json. */
#ifndef CDP_OS_REPORT_FILE_H
#define CDP_OS_REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

enum { CDP_OS_MOST_PATH = 4096 };

/* Life: from cdp_os_report_open to cdp_os_report_close. */
struct cdp_os_report {
    const char *variable; /* borrowed; that has the name, for messages */
    FILE *file;           /* owned; NULL: it cannot be written */
    char path[CDP_OS_MOST_PATH];
};

/* False: the file cannot be written; stderr has the reason. */
bool cdp_os_report_open(struct cdp_os_report *report, const char *variable, const char *name);
/* Says on stderr if something could not be written. */
void cdp_os_report_close(struct cdp_os_report *report);

#endif
