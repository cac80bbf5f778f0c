#include "report/write.h"

void write_text(FILE *file, const char *text)
{
    if (text == NULL) {
        fputs("null", file);
        return;
    }
    putc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at < ' ' || *at == '<') {
            fprintf(file, "\\u%04x", *at);
        } else {
            fprintf(file, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
        }
    }
    putc('"', file);
}

void write_json(FILE *file, const char *json)
{
    for (; *json != '\0'; json++) {
        if (*json == '<') {
            fputs("\\u003c", file);
        } else {
            putc(*json, file);
        }
    }
}

void write_html(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        default:
            putc(*text, file);
        }
    }
}
