/* What cdpcc itself says: one form, "cdpcc: error: ...", on stderr; and the
 * compiler's own messages, each shown once although both passes report it. */
#ifndef CDPCC_DIAG_H
#define CDPCC_DIAG_H
#include <stddef.h>

void diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One compilation of a source. */
struct diag_pass {
    const char *text; /* what the compiler wrote */
    const char
        *source; /* what it wrote of the source, if text is of its preprocessed form; or NULL */
};

/* The directory of cdpcc's own headers, whose macros no message explains. */
void diag_hide_macros_of(const char *headers);
/* Shows what the compilations of one source wrote, each message once, unless it was shown
 * before, and without the closing counts ("2 errors generated"). */
void diag_show_passes(const struct diag_pass *passes, size_t count);
/* The same of one compilation. */
void diag_show(const char *text);
/* Shows what another tool wrote, as it is. */
void diag_show_raw(const char *text);
/* Closes the compiler's messages: the count of errors and warnings shown. */
void diag_show_totals(void);

#endif
