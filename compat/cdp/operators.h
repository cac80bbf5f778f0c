/* The operators of cooperative groups' collectives, and reductions by one operation of the warp.
 * A part of cooperative_groups.h. */
#ifndef __CDP_OPERATORS_H
#define __CDP_OPERATORS_H

namespace cooperative_groups
{

template <class __T> struct plus {
    __host__ __CDP_MEMBER __T operator()(__T __a, __T __b) const
    {
        return __a + __b;
    }
};
template <class __T> struct less {
    __host__ __CDP_MEMBER __T operator()(__T __a, __T __b) const
    {
        return __b < __a ? __b : __a;
    }
};
template <class __T> struct greater {
    __host__ __CDP_MEMBER __T operator()(__T __a, __T __b) const
    {
        return __a < __b ? __b : __a;
    }
};
template <class __T> struct bit_and {
    __host__ __CDP_MEMBER __T operator()(__T __a, __T __b) const
    {
        return __a & __b;
    }
};
template <class __T> struct bit_or {
    __host__ __CDP_MEMBER __T operator()(__T __a, __T __b) const
    {
        return __a | __b;
    }
};
template <class __T> struct bit_xor {
    __host__ __CDP_MEMBER __T operator()(__T __a, __T __b) const
    {
        return __a ^ __b;
    }
};

namespace __details
{
/* Of 32-bit integers in any lanes of a warp: one operation, as from compute capability 8.0 on. */
#define __CDP_REDUCE_LANES(__op, __T, __name, __Word)                                              \
    __CDP_MEMBER inline __T __reduce(const coalesced_group &__group, __T __v, __op<__T>)           \
    {                                                                                              \
        return (__T)__name(__group.__mask(), (__Word)__v);                                         \
    }
#define __CDP_REDUCE_BITS(__op, __name)                                                            \
    __CDP_REDUCE_LANES(__op, int, __name, unsigned int)                                            \
    __CDP_REDUCE_LANES(__op, unsigned int, __name, unsigned int)
#define __CDP_REDUCE_NUMBERS(__op, __name)                                                         \
    __CDP_REDUCE_LANES(__op, int, __name, int)                                                     \
    __CDP_REDUCE_LANES(__op, unsigned int, __name, unsigned int)
__CDP_REDUCE_NUMBERS(plus, __reduce_add_sync)
__CDP_REDUCE_NUMBERS(less, __reduce_min_sync)
__CDP_REDUCE_NUMBERS(greater, __reduce_max_sync)
__CDP_REDUCE_BITS(bit_and, __reduce_and_sync)
__CDP_REDUCE_BITS(bit_or, __reduce_or_sync)
__CDP_REDUCE_BITS(bit_xor, __reduce_xor_sync)
#undef __CDP_REDUCE_NUMBERS
#undef __CDP_REDUCE_BITS
#undef __CDP_REDUCE_LANES
} // namespace __details
} // namespace cooperative_groups

#endif
