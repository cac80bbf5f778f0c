/* Names of machines: ARCHITECTURE-linux-gnu, or with a vendor in the middle. */
#include "target/target.h"

#include "support/str.h"

#include <string.h>
#include <sys/utsname.h>

static const struct {
    const char *architecture, *target;
} known[] = {
    {"aarch64", "aarch64-linux-gnu"},
    {"arm64", "aarch64-linux-gnu"},
    {"x86_64", "x86_64-linux-gnu"},
};

/* Accepts the common spellings with and without a vendor. */
const char *target_find(const char *name)
{
    static const char *const vendors[] = {"-linux-gnu", "-unknown-linux-gnu", "-pc-linux-gnu"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!str_starts(name, known[i].architecture)) {
            continue;
        }
        for (size_t k = 0; k < sizeof vendors / sizeof vendors[0]; k++) {
            if (str_equals(name + strlen(known[i].architecture), vendors[k])) {
                return known[i].target;
            }
        }
    }
    return NULL;
}

const char *target_here(void)
{
    struct utsname machine;
    return uname(&machine) != 0 ? NULL : str_format("%s-linux-gnu", machine.machine);
}

bool target_is_arm(const char *target)
{
    target = target != NULL ? target : target_here();
    return target != NULL && str_starts(target, "aarch64");
}
