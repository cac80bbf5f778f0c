/* The source files that findings and counts name. */
#ifndef CDP_REPORT_SOURCES_H
#define CDP_REPORT_SOURCES_H
#include "report/json.h"

#include <stdio.h>

/* File names, each once. They are copies. Zero is the empty list. */
struct sources {
    char **names;
    size_t count, room;
};

void sources_add_name(struct sources *sources, const char *name);
/* Adds each member "file" of the values. */
void sources_add(struct sources *sources, const struct json *json);
/* An object: the text of each file by its name. A file that cannot be read is left out. */
void sources_write(FILE *file, const struct sources *sources);

#endif
