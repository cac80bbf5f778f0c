#include "report/sources.h"

#include "report/memory.h"
#include "report/write.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_FILES = 64 };

static bool has(const struct sources *sources, const char *name)
{
    for (size_t i = 0; i < sources->count; i++) {
        if (str_equals(sources->names[i], name)) {
            return true;
        }
    }
    return false;
}

void sources_add_name(struct sources *sources, const char *name)
{
    if (name[0] == '\0' || sources->count == MOST_FILES || has(sources, name)) {
        return;
    }
    sources->names =
        memory_room(sources->names, sources->count, &sources->room, sizeof *sources->names);
    sources->names[sources->count++] = str_copy(name, strlen(name));
}

void sources_add(struct sources *sources, const struct json *json)
{
    for (size_t i = 0; i < json->count; i++) {
        const struct json_value *value = &json->values[i];
        if (value->name != NULL && str_equals(value->name, "file")) {
            sources_add_name(sources, value->text);
        }
    }
}

void sources_write(FILE *file, const struct sources *sources)
{
    const char *between = "{";
    for (size_t i = 0; i < sources->count; i++) {
        char *text = memory_of_file(sources->names[i], MOST_BYTES);
        if (text == NULL) {
            continue;
        }
        fputs(between, file);
        between = ",\n";
        write_text(file, sources->names[i]);
        fputs(":", file);
        write_text(file, text);
        free(text);
    }
    fputs(between[0] == '{' ? "{}" : "}", file);
}
