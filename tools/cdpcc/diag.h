/* What cdpcc itself says: one form, "cdpcc: error: ...", on stderr; and the
 * compiler's own messages, each shown once although both passes report it. */
#ifndef CDPCC_DIAG_H
#define CDPCC_DIAG_H

void diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void diag_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Shows what a compiler wrote, without diagnostics shown before and without its
 * closing count ("2 errors generated"). */
void diag_show(const char *text);
/* Shows what another tool wrote, as it is. */
void diag_show_raw(const char *text);
/* Closes the compiler's messages: the count of errors and warnings shown. */
void diag_show_totals(void);

#endif
