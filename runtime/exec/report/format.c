/* The text that a device printf prints. */
#include "exec/report/format.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Longer conversions are not recognized.  They could only have zeros and repeated flags. */
enum { LONGEST = 40 };

/* One conversion of the format, from its % on. */
struct conversion {
    const char *start;
    size_t flags, width, precision, sizes; /* the lengths of its parts, in this order */
    size_t length;                         /* of the whole conversion */
    char type;
    bool is_valid, has_star; /* the star is the width */
};

static struct conversion parse(const char *start)
{
    static const char digits[] = "0123456789";
    struct conversion c = {.start = start};
    const char *p = start + 1;
    c.flags = strspn(p, "#0- +'");
    p += c.flags;
    c.has_star = *p == '*';
    c.width = c.has_star ? 1 : strspn(p, digits);
    p += c.width;
    c.precision = *p == '.' ? 1 + strspn(p + 1, digits) : 0;
    p += c.precision;
    c.sizes = strspn(p, "hlLqjzt");
    p += c.sizes;
    c.type = *p;
    c.length = (size_t)(p - start) + (c.type != '\0' ? 1 : 0);
    c.is_valid =
        c.type != '\0' && strchr("cdiouxXpeEfFgGaAs", c.type) != NULL && c.length <= LONGEST;
    return c;
}

static void append(struct cdp_format_text *text, const char *bytes, size_t length)
{
    size_t space = text->length < text->size ? text->size - text->length : 0;
    size_t kept = length < space ? length : space;
    if (kept != 0) {
        memcpy(text->bytes + text->length, bytes, kept);
    }
    text->length += length;
}

/* Appends by C's printf, which needs space for a final zero. */
__attribute__((format(printf, 2, 3))) static void append_value(struct cdp_format_text *text,
                                                               const char *one, ...)
{
    size_t space = text->length < text->size ? text->size - text->length : 0;
    va_list arguments;
    va_start(arguments, one);
    int length = vsnprintf(space != 0 ? text->bytes + text->length : NULL, space, one, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
}

/* Writes the conversion for C's printf: with digits for the star, and with the sizes only if C
 * allows them for the type. */
static void write_one(const struct conversion *c, int star, char *one, size_t size)
{
    const char *width = c->start + 1 + c->flags, *precision = width + c->width;
    const char *sizes = precision + c->precision;
    char digits[16] = "";
    if (c->has_star) {
        snprintf(digits, sizeof digits, "%s%u", star < 0 ? "-" : "",
                 star < 0 ? 0u - (unsigned)star : (unsigned)star);
        width = digits;
    }
    bool is_sized = strchr("csp", c->type) == NULL;
    snprintf(one, size, "%%%.*s%.*s%.*s%.*s%c", (int)c->flags, c->start + 1,
             c->has_star ? (int)strlen(digits) : (int)c->width, width, (int)c->precision, precision,
             is_sized ? (int)c->sizes : 0, sizes, c->type);
}

static bool has_size(const struct conversion *c, const char *any)
{
    const char *sizes = c->start + 1 + c->flags + c->width + c->precision;
    return strcspn(sizes, any) < c->sizes;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void append_real(struct cdp_format_text *text, const char *one, bool is_long, va_list *list)
{
    if (is_long) {
        long double value = va_arg(*list, long double);
        append_value(text, one, value != value ? __builtin_fabsl(value) : value);
    } else {
        double value = va_arg(*list, double);
        append_value(text, one, value != value ? __builtin_fabs(value) : value);
    }
}

static void append_next(struct cdp_format_text *text, const struct conversion *c, va_list *list)
{
    char one[LONGEST + 32];
    int star = c->has_star ? va_arg(*list, int) : 0;
    write_one(c, star, one, sizeof one);
    if (strchr("eEfFgGaA", c->type) != NULL) {
        append_real(text, one, has_size(c, "L"), list);
    } else if (c->type == 's' || c->type == 'p') {
        append_value(text, one, va_arg(*list, void *));
    } else if (c->type != 'c' && has_size(c, "lLqjzt")) {
        append_value(text, one, va_arg(*list, long long));
    } else {
        append_value(text, one, va_arg(*list, int));
    }
}
#pragma GCC diagnostic pop

/* Whether the precision is an argument. */
static bool has_star_precision(const struct conversion *c)
{
    return c->type == '*' && c->precision == 1;
}

static enum cdp_format_oddity lacking(const struct cdp_format_arguments *arguments, unsigned needed)
{
    return needed > arguments->count            ? CDP_FORMAT_LACKS_ARGUMENT
           : needed > CDP_FORMAT_MOST_ARGUMENTS ? CDP_FORMAT_TOO_MANY_ARGUMENTS
                                                : CDP_FORMAT_FINE;
}

struct cdp_format_result cdp_format(struct cdp_format_text *text, const char *format,
                                    struct cdp_format_arguments *arguments)
{
    struct cdp_format_result result = {.parsed = 0, .oddity = CDP_FORMAT_FINE};
    for (;;) {
        const char *next = strchrnul(format, '%');
        append(text, format, (size_t)(next - format));
        if (*next == '\0') {
            return result;
        }
        if (next[1] == '%') {
            append(text, "%", 1);
            format = next + 2;
            continue;
        }
        struct conversion c = parse(next);
        unsigned needed = (unsigned)result.parsed + (c.has_star ? 2 : 1);
        enum cdp_format_oddity oddity = c.is_valid               ? lacking(arguments, needed)
                                        : has_star_precision(&c) ? CDP_FORMAT_STAR_PRECISION
                                                                 : CDP_FORMAT_FINE;
        if (c.is_valid && oddity == CDP_FORMAT_FINE) {
            append_next(text, &c, &arguments->list);
            result.parsed = (int)needed;
        } else {
            append(text, next, c.length);
            /* The remaining arguments are not printed either, because their types may not match. */
            arguments->count = c.is_valid ? 0 : arguments->count;
        }
        result.oddity = result.oddity != CDP_FORMAT_FINE ? result.oddity : oddity;
        format = next + c.length;
    }
}
