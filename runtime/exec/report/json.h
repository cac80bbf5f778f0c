/* Texts in JSON. */
#ifndef CDP_EXEC_REPORT_JSON_H
#define CDP_EXEC_REPORT_JSON_H

#include <stdio.h>

/* Prints the text in quotes. */
void cdp_json_print_text(FILE *file, const char *text);
/* Prints the path of a source file in quotes. folder: may be NULL, if the file has one. */
void cdp_json_print_path(FILE *file, const char *folder, const char *name);

#endif
