/* Shared variables whose constructors do not run. cdpcc uses this for
 *
 *     __shared__ T name;
 *
 * if clang refuses T's constructor because it has an effect. nvcc omits the constructor with a
 * warning: the program must do its work, as with cuda::barrier and its function init. */
#ifndef __CDP_SHARED_H
#define __CDP_SHARED_H

/* Memory for a T.  A union builds none of its members. */
template <class __T> union __cdp_place {
    __T __value;
    __device__ __cdp_place()
    {
    }
    __device__ ~__cdp_place()
    {
    }
};

/* Whether the work of T's constructor is done at compile time: nvcc does not warn of such
 * constructors. */
template <class __T> struct __cdp_is_constant {
    template <class __U, int = (__U(), 0)> static char __test(int);
    template <class __U> static long __test(long);
    enum { __value = sizeof(__test<__T>(0)) == sizeof(char) };
};
template <class __T, size_t __n> struct __cdp_is_constant<__T[__n]> : __cdp_is_constant<__T> {
};

template <class __T>
__host__ __device__ constexpr __T &__cdp_unbuilt_quietly(__cdp_place<__T> &__place)
{
    return __place.__value;
}
template <class __T>
__host__ __device__ constexpr __T &__cdp_unbuilt(__cdp_place<__T> &__place)
    __attribute__((__diagnose_if__(!__cdp_is_constant<__T>::__value,
                                   "dynamic initialization is not supported for a __shared__ "
                                   "variable: its constructor does not run",
                                   "warning")))
{
    return __place.__value;
}

#endif
