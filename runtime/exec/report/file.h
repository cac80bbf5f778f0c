/* The files of reports at the end of a program. */
#ifndef CDP_EXEC_REPORT_FILE_H
#define CDP_EXEC_REPORT_FILE_H

#include <stddef.h>
#include <stdio.h>

/* The name with the number of this process in place of its first "%p". A program may be several
 * processes, each of which writes files of its own. */
void cdp_report_path(const char *name, char *path, size_t size);
/* Opens this file for writing. NULL: errno says why. */
FILE *cdp_report_create(const char *name);

#endif
