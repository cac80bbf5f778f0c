/* What is said when something that must always hold does not. */
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
