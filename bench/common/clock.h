/* The monotonic clock in seconds, and the median. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

static inline double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int clock_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values; of an even number, returns the upper one of the two in the middle. */
static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, clock_order);
    return values[count / 2];
}

#endif
