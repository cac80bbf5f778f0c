/* Texts in JSON. */
#include "exec/report/json.h"

#include <stdbool.h>

void cdp_json_print_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\') {
            fprintf(file, "\\%c", byte);
        } else if (byte < ' ') {
            fprintf(file, "\\u%04x", byte);
        } else {
            fputc(byte, file);
        }
    }
    fputc('"', file);
}

void cdp_json_print_path(FILE *file, const char *folder, const char *name)
{
    char path[4096];
    bool is_whole = name[0] == '/' || folder == NULL;
    snprintf(path, sizeof path, "%s%s%s", is_whole ? "" : folder, is_whole ? "" : "/", name);
    cdp_json_print_text(file, path);
}
