/* Variables of the environment by which tests choose versions of kernels.
 *
 * A wrong value is an error, since a test with it would test something else. */
#include "simd/ir/settings.h"

#include "ir/report.h"
#include "simd/ir/lanes.h"
#include "simd/ir/variant.h"
#include "simd/ir/vectors.h"
#include "support/str.h"

#include <stdlib.h>

enum { MOST_THREADS = 1024, DECIMAL = 10 };

static const char of_lanes[] = "CDPCC_LANES", of_vectors[] = "CDPCC_VECTORS",
                  of_sizes[] = "CDPCC_SIZES", of_along_y[] = "CDPCC_ALONG_Y",
                  of_calls[] = "CDPCC_CALLS", of_verify[] = "CDPCC_VERIFY";

/* NULL: it is not set, or it is empty. */
static const char *text_of(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? text : NULL;
}

/* Reads digits only, and advances the text. 0: there are none, or the number is above `most`. */
static unsigned read_number(const char **text, unsigned most)
{
    unsigned number = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && number <= most; at++) {
        number = number * DECIMAL + (unsigned)(*at - '0');
    }
    *text = at;
    return number <= most ? number : 0;
}

/* A power of two. 0: the value is another one. */
static unsigned power_of(const char *text, unsigned least, unsigned most)
{
    unsigned number = read_number(&text, most);
    return *text == '\0' && number >= least && (number & (number - 1)) == 0 ? number : 0;
}

/* Reads "XxYxZ"; Y and Z may be missing. The size is 0, 0, 0 if that is not what the text starts
 * with, or if no block has as many threads. */
static void read_size(const char **text, struct simd_size *size)
{
    unsigned numbers[3] = {1, 1, 1};
    for (unsigned i = 0; i < 3; i++) {
        numbers[i] = read_number(text, MOST_THREADS);
        if (i == 2 || **text != 'x') {
            break;
        }
        (*text)++;
    }
    unsigned threads = numbers[0] * numbers[1] * numbers[2];
    bool is_right = threads != 0 && threads <= MOST_THREADS && (**text == ',' || **text == '\0');
    *size = is_right ? (struct simd_size){numbers[0], numbers[1], numbers[2]}
                     : (struct simd_size){0, 0, 0};
}

unsigned simd_setting_lanes(void)
{
    const char *text = text_of(of_lanes);
    return text == NULL ? 0 : power_of(text, SIMD_FEWEST_LANES, SIMD_MOST_LANES);
}

unsigned simd_setting_vectors(void)
{
    const char *text = text_of(of_vectors);
    return text == NULL ? 0 : power_of(text, 1, SIMD_MOST_VECTORS);
}

bool simd_setting_is_no_size(void)
{
    const char *text = text_of(of_sizes);
    return text != NULL && str_equals(text, "none");
}

bool simd_setting_next_size(const char **text, struct simd_size *size)
{
    const char *at = *text == NULL ? text_of(of_sizes) : *text;
    if (at == NULL || *at == '\0') {
        return false;
    }
    read_size(&at, size);
    *text = *at == ',' ? at + 1 : at;
    return size->x != 0;
}

static bool is_one(const char *name)
{
    const char *text = text_of(name);
    return text != NULL && str_equals(text, "1");
}

bool simd_setting_along_y(void)
{
    return is_one(of_along_y);
}

static bool calls_are(const char *what)
{
    const char *text = text_of(of_calls);
    return text != NULL && str_equals(text, what);
}

bool simd_setting_calls_vectors(void)
{
    return calls_are("vectors");
}

bool simd_setting_calls_lanes(void)
{
    return calls_are("lanes");
}

bool simd_setting_verifies(void)
{
    return is_one(of_verify);
}

/* ---- errors ---- */

static bool refuse(struct lower_context *lower, const char *name, const char *what)
{
    lower_error(lower, NULL, "%s=%s: must be %s", name, text_of(name), what);
    return false;
}

static bool is_switch(const char *name)
{
    const char *text = text_of(name);
    return text == NULL || str_equals(text, "0") || str_equals(text, "1");
}

static bool has_right_sizes(void)
{
    const char *text = NULL;
    struct simd_size size;
    if (text_of(of_sizes) == NULL || simd_setting_is_no_size()) {
        return true;
    }
    while (simd_setting_next_size(&text, &size)) {
    }
    return text != NULL && *text == '\0' && size.x != 0;
}

bool simd_settings_are_right(struct lower_context *lower)
{
    bool are = true;
    if (text_of(of_lanes) != NULL && simd_setting_lanes() == 0) {
        are = refuse(lower, of_lanes, "4, 8 or 16");
    }
    if (text_of(of_vectors) != NULL && simd_setting_vectors() == 0) {
        are = refuse(lower, of_vectors, "1, 2, 4, 8 or 16");
    }
    if (!has_right_sizes()) {
        are = refuse(lower, of_sizes, "none, or sizes of blocks as in 256x1x1,16x16x1");
    }
    if (text_of(of_calls) != NULL && !simd_setting_calls_vectors() && !simd_setting_calls_lanes()) {
        are = refuse(lower, of_calls, "vectors or lanes");
    }
    if (!is_switch(of_along_y)) {
        are = refuse(lower, of_along_y, "0 or 1");
    }
    if (!is_switch(of_verify)) {
        are = refuse(lower, of_verify, "0 or 1");
    }
    return are;
}
