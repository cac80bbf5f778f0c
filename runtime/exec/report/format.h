/* The text that a device printf prints: the conversions of C that CUDA supports.
 *
 * A conversion has flags, a width that may be *, a precision of digits, a size, and one of
 * cdiouxXpeEfFgGaAs.  Anything else that begins with % is printed unchanged.  So are conversions
 * without an argument (undefined on a GPU), and conversions from the 33rd argument on.  A NaN is
 * printed without a sign, because its sign depends on the processor. */
#ifndef CDP_EXEC_REPORT_FORMAT_H
#define CDP_EXEC_REPORT_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

enum { CDP_FORMAT_MOST_ARGUMENTS = 32 };

struct cdp_format_arguments {
    va_list list;
    unsigned count; /* the number of arguments that the caller passed */
};

/* Text in the caller's memory. length may exceed size: then the rest of the text is missing.  There
 * is no final zero. */
struct cdp_format_text {
    char *bytes;
    size_t size, length;
};

/* Problems of a call that are reported to the user. */
enum cdp_format_oddity {
    CDP_FORMAT_FINE,
    CDP_FORMAT_LACKS_ARGUMENT,
    CDP_FORMAT_TOO_MANY_ARGUMENTS,
    CDP_FORMAT_STAR_PRECISION,
};

struct cdp_format_result {
    int parsed;                    /* arguments */
    enum cdp_format_oddity oddity; /* the first one */
};

/* Appends to text; arguments->list is used up. */
struct cdp_format_result cdp_format(struct cdp_format_text *text, const char *format,
                                    struct cdp_format_arguments *arguments);

#endif
