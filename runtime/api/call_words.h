/* A call of the API in words, for reports. */
#ifndef CDP_API_CALL_WORDS_H
#define CDP_API_CALL_WORDS_H

#include <stdarg.h>

#include "driver_types.h"

/* The text of one call. Any part may be cut. */
struct cdp_call_words {
    char call[600];    /* "cudaFree(devPtr = device memory 0x7f00)" */
    char memory[1200]; /* about its memory: where it was allocated, or why it cannot be freed; may
                          be empty */
};

/* Reads the arguments that calls.def lists. */
void cdp_call_describe(const char *function, va_list arguments, struct cdp_call_words *out);

/* One sentence of advice; NULL if there is none. */
const char *cdp_call_advice(const char *function, cudaError_t error);

#endif
