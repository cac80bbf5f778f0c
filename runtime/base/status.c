/* Texts of the runtime's own results. */
#include "base/status.h"

const char *cdp_status_text(enum cdp_status status)
{
    switch (status) {
#define CDP_STATUS(name, sentence)                                                                 \
    case name:                                                                                     \
        return sentence;
#include "base/status.def"
#undef CDP_STATUS
    }
    return "unknown status";
}
