/* The two forms of a finding: text for people, and JSON for programs. */
#ifndef CDP_EXEC_REPORT_FINDING_PRINT_H
#define CDP_EXEC_REPORT_FINDING_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "exec/report/finding.h"
#include "os/code.h"

/* A place with its source lines. Too large for the stack of a device thread. */
struct cdp_finding_lines {
    const struct cdp_finding_place *place;
    struct cdp_os_source source;
    char code[300]; /* the module and the offset, if the source is not known */
    struct cdp_os_source launches[CDP_FINDING_CHAIN];
};

/* A finding with all that a report needs. It is large, and the two forms share it. */
struct cdp_finding_report {
    const struct cdp_finding *finding;
    struct cdp_finding_lines at, other;
    char debugger[3000]; /* a command */
};

/* "memory", "race". */
const char *cdp_finding_word(enum cdp_abi_checks check);
/* Looks up the source lines of both places. May start processes. */
void cdp_finding_resolve_lines(const struct cdp_finding *finding, struct cdp_finding_report *out);
/* After that: the lines of the launches, and the command. */
void cdp_finding_resolve_rest(struct cdp_finding_report *out);
/* "file:line:column" without folders; or code, unless it is empty; or "an unknown line". */
void cdp_finding_position(const struct cdp_os_source *source, const char *code, char *out,
                          size_t size);

void cdp_finding_print_text(FILE *file, const struct cdp_finding_report *report, bool has_colour);
/* Prints one object, without a final line end. */
void cdp_finding_print_json(FILE *file, const struct cdp_finding_report *report);

#endif
