/* Errors of NCCL's calls: a code, and a sentence on stderr. NCCL_DEBUG=INFO also prints what
 * communicators do, and TRACE each operation. */
#ifndef CDP_API_NCCL_REPORT_H
#define CDP_API_NCCL_REPORT_H

#include "nccl.h"

enum { CDP_NCCL_TEXT = 400 };

/* The call of NCCL that the calling thread makes, for messages. */
extern __thread const char *cdp_nccl_call;

/* Prints "cdp: CODE: CALL: text", and stores it as the thread's last error. Returns result. */
ncclResult_t cdp_nccl_fail(ncclResult_t result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for an error that a call of the runtime API has just returned. */
ncclResult_t cdp_nccl_cuda(cudaError_t error);
/* An error that was printed before. */
ncclResult_t cdp_nccl_again(ncclResult_t result, const char *text);
/* Prints a failure that no call returns. */
void cdp_nccl_print(ncclResult_t result, const char *text);
/* The calling thread's last error as text. */
const char *cdp_nccl_last(void);

enum cdp_nccl_level { CDP_NCCL_INFO, CDP_NCCL_TRACE };
/* Prints a line if NCCL_DEBUG asks for the level. */
void cdp_nccl_say(enum cdp_nccl_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
