/* What a device printf prints: C's conversions, as far as CUDA has them.
 *
 * CUDA's are flags, a width that may be *, a precision of digits, a size, and one of
 * cdiouxXpeEfFgGaAs.  Anything else that begins with % is printed as it stands, and so is a
 * conversion that lacks its argument, which is undefined on a GPU, and any from the 33rd
 * argument on.  A NaN has no sign: which one arithmetic gives depends on the processor. */
#ifndef CDP_EXEC_REPORT_FORMAT_H
#define CDP_EXEC_REPORT_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

enum { CDP_FORMAT_MOST_ARGUMENTS = 32 };

struct cdp_format_arguments {
    va_list list;
    unsigned count; /* of those that are there */
};

/* Text in the caller's memory: length may be more than there is room for, and what was beyond is
 * not kept.  There is no final zero. */
struct cdp_format_text {
    char *bytes;
    size_t size, length;
};

/* What a user would want to know of a call. */
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
