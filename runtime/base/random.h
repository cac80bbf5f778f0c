/* Random numbers for schedules: fast, and the same sequence for the same seed on all machines. Not
 * for anything that must be hard to predict. */
#ifndef CDP_BASE_RANDOM_H
#define CDP_BASE_RANDOM_H

#include <stdint.h>

/* Marsaglia's xorshift64. The state must not be zero, and never becomes zero. */
static inline uint64_t cdp_random_next(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x;
}

/* The first state for a seed. Small seeds have states that are much alike. */
static inline uint64_t cdp_random_seeded(uint64_t seed)
{
    return seed * 0x9e3779b97f4a7c15u | 1;
}

/* 32 bits of xorshift64*: also its low bits are good. */
static inline uint64_t cdp_random_word(uint64_t *state)
{
    return cdp_random_next(state) * 0x2545f4914f6cdd1du >> 32;
}

#endif
