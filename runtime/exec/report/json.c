/* Texts in JSON. */
#include "exec/report/json.h"

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
