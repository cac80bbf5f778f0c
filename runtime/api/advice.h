/* Advice for managed memory: see api/advice.c. */
#ifndef CDP_API_ADVICE_H
#define CDP_API_ADVICE_H

#include <stddef.h>

/* The memory is new: advice for the pages that it has alone is dropped. */
void cdp_advice_forget(const void *ptr, size_t size);

#endif
