#include "move.h"

#include <omp.h>
#include <string.h>

/* The calling thread's share: whole pages. */
static size_t share_of(size_t bytes, size_t *start)
{
    size_t pages = (bytes + 4095) / 4096;
    size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
    size_t first = pages * me / threads * 4096, end = pages * (me + 1) / threads * 4096;
    *start = first;
    return (end < bytes ? end : bytes) - first;
}

void openmp_copy(void *to, const void *from, size_t bytes)
{
#pragma omp parallel
    {
        size_t start, length = share_of(bytes, &start);
        memcpy((char *)to + start, (const char *)from + start, length);
    }
}

void openmp_set(void *to, int value, size_t bytes)
{
#pragma omp parallel
    {
        size_t start, length = share_of(bytes, &start);
        memset((char *)to + start, value, length);
    }
}
