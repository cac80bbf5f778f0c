/* When invariants are checked, and the message for one that does not hold. */
#include "base/valid.h"

#include <stdio.h>
#include <stdlib.h>

bool cdp_check_is_due(size_t elements)
{
    enum { FEW = 64 };
    static __thread size_t saved; /* elements that calls could have looked at, and did not */
    if (elements <= FEW) {
        return true;
    }
    saved += FEW;
    if (saved < elements) {
        return false;
    }
    saved = 0;
    return true;
}

void cdp_check_valid(bool is_valid, const char *what, const char *file, int line)
{
    if (!is_valid) {
        fprintf(stderr, "cdp: internal error: %s:%d: %s does not hold\n", file, line, what);
        abort();
    }
}
