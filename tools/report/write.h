/* Writes data into a page: JSON within <script>, so "<" never appears as such. A name that contains
 * "</script>" or "<!--" would end or hide the rest. */
#ifndef CDP_REPORT_WRITE_H
#define CDP_REPORT_WRITE_H
#include "report/trace.h"

#include <stdio.h>

/* The text as a string of JSON, with its quotes. NULL: null. */
void write_text(FILE *file, const char *text);
/* JSON as it is, which has "<" in strings only. */
void write_json(FILE *file, const char *json);
/* The text for HTML outside of scripts. */
void write_html(FILE *file, const char *text);

/* The trace as one object. Of grids and of other slices, only the longest `most` are listed; the
 * sums of the launch tree are of all. */
void write_trace(FILE *file, const struct trace *trace, size_t most);

#endif
