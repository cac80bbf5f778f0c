/* cdpcc's own messages have one form, "cdpcc: error: ...", on stderr. The compiler's messages are
 * shown once, although both compilations report them. */
#ifndef CDPCC_DIAG_H
#define CDPCC_DIAG_H
#include <stddef.h>

/* Prints "cdpcc: error: ", the text and an end of line. Counts nothing and does not end the
 * program. */
void diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What one compilation of a source printed. Strings are borrowed. */
struct diag_pass {
    const char *text;   /* what the compiler wrote */
    const char *source; /* if text is about the preprocessed form: that about the source; or NULL */
};

/* The directory of cdpcc's own headers. Messages do not explain macros of these headers. */
void diag_hide_macros_of(const char *headers);
/* Shows the messages of the compilations of one source. Each message is shown once, and not if it
 * was shown before. The closing counts ("2 errors generated") are omitted. */
void diag_show_passes(const struct diag_pass *passes, size_t count);
/* The same for one compilation. */
void diag_show(const char *text);
/* Shows the output of another tool unchanged. */
void diag_show_raw(const char *text);
/* Prints the final count of the errors and warnings shown, as clang does; nothing if there are
 * none. */
void diag_show_totals(void);

#endif
