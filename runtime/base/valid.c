/* The message for an invariant that does not hold. */
#include "base/valid.h"

#include <stdio.h>
#include <stdlib.h>

void cdp_check_valid(bool is_valid, const char *what, const char *file, int line)
{
    if (!is_valid) {
        fprintf(stderr, "cdp: internal error: %s:%d: %s does not hold\n", file, line, what);
        abort();
    }
}
