/* The runtime's own results. Only api/error.c converts them to cudaError_t. */
#ifndef CDP_BASE_STATUS_H
#define CDP_BASE_STATUS_H

enum cdp_status {
#define CDP_STATUS(name, sentence) name,
#include "base/status.def"
#undef CDP_STATUS
};

/* The sentence for a status; "unknown status" for anything else. */
const char *cdp_status_text(enum cdp_status status);

#endif
