// Median time of a piece of work, in seconds.
#pragma once
#include <algorithm>
#include <chrono>

#define ROUNDS 7

static inline double now()
{
    auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
}

struct Samples {
    double seconds[ROUNDS];
    int count = 0;

    // Adds one measurement of work, repeated so often that the clock can see it.
    template <typename F> void measure(F work, int repeats = 1)
    {
        double start = now();
        for (int i = 0; i < repeats; i++) {
            work();
        }
        seconds[count++] = (now() - start) / repeats;
    }
    double median()
    {
        std::sort(seconds, seconds + count);
        return seconds[count / 2];
    }
};

template <typename F> static double medianOf(F work, int repeats = 1)
{
    Samples samples;
    work();
    for (int i = 0; i < ROUNDS; i++) {
        samples.measure(work, repeats);
    }
    return samples.median();
}
