/* Functions that call the C library, except for arguments for which CUDA defines another result, or
 * for which C libraries differ.  lgamma calls another function of it.
 *
 * The macros define one function for each type. The name that the C library has is declared before
 * it, because the header of the C library is not included here. */
#include "math/math.h"

/* For zero and NaN the result is the least number. */
#define EXPONENT(F, name)                                                                          \
    int name(F x);                                                                                 \
    int cdp_##name(F x) CDP_GUARD(name);                                                           \
    int cdp_##name(F x)                                                                            \
    {                                                                                              \
        return x == 0 || x != x ? (-__INT_MAX__ - 1) : name(x);                                    \
    }
EXPONENT(float, ilogbf)
EXPONENT(double, ilogb)

/* They do not exist for negative orders. */
#define BESSEL(F, name, not_a_number)                                                              \
    F name(int n, F x);                                                                            \
    F cdp_##name(int n, F x) CDP_GUARD(name);                                                      \
    F cdp_##name(int n, F x)                                                                       \
    {                                                                                              \
        return n < 0 ? not_a_number : name(n, x);                                                  \
    }
BESSEL(float, jnf, __builtin_nanf(""))
BESSEL(float, ynf, __builtin_nanf(""))
BESSEL(double, jn, __builtin_nan(""))
BESSEL(double, yn, __builtin_nan(""))

/* If there is no remainder, the quotient is zero. */
#define REMAINDER(F, name)                                                                         \
    F name(F x, F y, int *quotient);                                                               \
    F cdp_##name(F x, F y, int *quotient) CDP_GUARD(name);                                         \
    F cdp_##name(F x, F y, int *quotient)                                                          \
    {                                                                                              \
        int found = 0;                                                                             \
        F rest = name(x, y, &found);                                                               \
        *quotient = rest == rest ? found : 0;                                                      \
        return rest;                                                                               \
    }
REMAINDER(float, remquof)
REMAINDER(double, remquo)

/* The C library's lgamma stores the sign in a global, signgam.  Two workers that store to it race.
 */
#define LOG_GAMMA(F, name)                                                                         \
    F name##_r(F x, int *sign);                                                                    \
    F cdp_##name(F x) CDP_GUARD(name);                                                             \
    F cdp_##name(F x)                                                                              \
    {                                                                                              \
        int sign;                                                                                  \
        return name##_r(x, &sign);                                                                 \
    }
LOG_GAMMA(float, lgammaf)
LOG_GAMMA(double, lgamma)
