/* The page: a template with the data, the style and the scripts put in. */
#ifndef CDP_REPORT_PAGE_H
#define CDP_REPORT_PAGE_H
#include "report/processes.h"
#include "report/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the page shows. All borrowed. */
struct page {
    char *const *command;
    const struct run *run;
    const struct processes *processes;
    size_t most_slices;
    const char *folder; /* of the template */
};

/* Whether the template is there; else prints a sentence. */
bool page_has_template(const char *folder);
bool page_write(FILE *file, const struct page *page);

#endif
