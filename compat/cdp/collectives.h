/* Reductions and scans of cooperative groups: by shuffles within a warp, and for larger tiles by
 * values that their warps exchange. A part of cooperative_groups.h. */
#ifndef __CDP_COLLECTIVES_H
#define __CDP_COLLECTIVES_H
#include "cdp/operators.h"

namespace cooperative_groups
{
namespace __details
{
/* Over the lanes of one warp. */
template <class __Group, class __T, class __Op>
__CDP_MEMBER inline __T __reduce(const __Group &__group, __T __v, __Op __op)
{
    const unsigned int size = __group.size(), __rank = __group.thread_rank();
    for (unsigned int __d = 1; __d < size; __d <<= 1) {
        const __T __other = __group.shfl_down(__v, __d);
        if (__rank + __d < size) {
            __v = __op(__v, __other);
        }
    }
    return __group.shfl(__v, 0);
}
template <class __Group, class __T, class __Op>
__CDP_MEMBER inline __T __scan(const __Group &__group, __T __v, __Op __op)
{
    const unsigned int size = __group.size(), __rank = __group.thread_rank();
    for (unsigned int __d = 1; __d < size; __d <<= 1) {
        const __T __other = __group.shfl_up(__v, __d);
        if (__rank >= __d) {
            __v = __op(__other, __v);
        }
    }
    return __v;
}

/* The combined values of the large tile's warps before this one; the last lane of each warp
 * provides its value. For the tile's first warp there is no value, and the result must not be used.
 * *__total is the value of all warps. */
template <class __Tile, class __T, class __Op>
__CDP_MEMBER inline __T __before_warp(const __Tile &__tile, __T __last, __Op __op, __T *__total)
{
    __T *const __places = __tile.template __warp_places<__T>();
    const unsigned int __warp = __tile.thread_rank() / 32;
    if (__tile.thread_rank() % 32 == 31) {
        __builtin_memcpy((void *)&__places[__warp], (const void *)&__last, sizeof(__T));
    }
    __tile.sync();
    __T __sum = __places[0], __before = __sum;
    for (unsigned int __i = 1; __i < __tile.size() / 32; __i++) {
        if (__i == __warp) {
            __before = __sum;
        }
        __sum = __op(__sum, __places[__i]);
    }
    __tile.sync();
    *__total = __sum;
    return __before;
}

/* Collectives of any group, and of tiles by their size. */
template <bool __is_large> struct __collective {
    template <class __Group, class __T, class __Op>
    __CDP_MEMBER static __T __reduce(const __Group &__group, __T __v, __Op __op)
    {
        return __details::__reduce(__group, __v, __op);
    }
    template <class __Group, class __T, class __Op>
    __CDP_MEMBER static __T __inclusive(const __Group &__group, __T __v, __Op __op)
    {
        return __details::__scan(__group, __v, __op);
    }
    /* The result of the first thread must not be used. */
    template <class __Group, class __T, class __Op>
    __CDP_MEMBER static __T __exclusive(const __Group &__group, __T __v, __Op __op)
    {
        return __group.shfl_up(__details::__scan(__group, __v, __op), 1);
    }
};
template <> struct __collective<true> {
    template <class __Tile, class __T, class __Op>
    __CDP_MEMBER static __T __reduce(const __Tile &__tile, __T __v, __Op __op)
    {
        __T __total;
        (void)__before_warp(__tile, __details::__reduce(__tile.__warp(), __v, __op), __op,
                            &__total);
        return __total;
    }
    template <class __Tile, class __T, class __Op>
    __CDP_MEMBER static __T __inclusive(const __Tile &__tile, __T __v, __Op __op)
    {
        __T __total;
        __v = __details::__scan(__tile.__warp(), __v, __op);
        const __T __before = __before_warp(__tile, __v, __op, &__total);
        return __tile.thread_rank() < 32 ? __v : __op(__before, __v);
    }
    template <class __Tile, class __T, class __Op>
    __CDP_MEMBER static __T __exclusive(const __Tile &__tile, __T __v, __Op __op)
    {
        __T __total;
        __v = __details::__scan(__tile.__warp(), __v, __op);
        const __T __before = __before_warp(__tile, __v, __op, &__total);
        const __T __left = __tile.__warp().shfl_up(__v, 1);
        const bool __is_first = __tile.thread_rank() % 32 == 0;
        return __tile.thread_rank() < 32 ? __left : __is_first ? __before : __op(__before, __left);
    }
};
template <class __Group> struct __collective_of : __collective<false> {
};
template <unsigned int __Size, class __Parent>
struct __collective_of<thread_block_tile<__Size, __Parent>> : __collective<(__Size > 32)> {
};

/* One thread's operation on cuda::atomic and the like; returns the previous value. */
template <class __Atomic, class __T, class __Op>
__CDP_MEMBER inline __T __fetch(__Atomic &__atomic, __T __v, __Op __op)
{
    __T __old = __atomic.load();
    while (!__atomic.compare_exchange_weak(__old, __op(__old, __v))) {
    }
    return __old;
}
} // namespace __details

template <class __Group, class __T, class __Op>
__CDP_MEMBER inline __T reduce(const __Group &__group, __T __v, __Op __op)
{
    return __details::__collective_of<__Group>::__reduce(__group, __v, __op);
}
template <class __Group, class __T> __CDP_MEMBER inline __T reduce(const __Group &__group, __T __v)
{
    return reduce(__group, __v, plus<__T>());
}
template <class __Group, class __T, class __Op>
__CDP_MEMBER inline __T inclusive_scan(const __Group &__group, __T __v, __Op __op)
{
    return __details::__collective_of<__Group>::__inclusive(__group, __v, __op);
}
template <class __Group, class __T>
__CDP_MEMBER inline __T inclusive_scan(const __Group &__group, __T __v)
{
    return inclusive_scan(__group, __v, plus<__T>());
}
template <class __Group, class __T, class __Op>
__CDP_MEMBER inline __T exclusive_scan(const __Group &__group, __T __v, __Op __op)
{
    const __T __before = __details::__collective_of<__Group>::__exclusive(__group, __v, __op);
    return __group.thread_rank() ? __before : __T();
}
template <class __Group, class __T>
__CDP_MEMBER inline __T exclusive_scan(const __Group &__group, __T __v)
{
    return exclusive_scan(__group, __v, plus<__T>());
}

/* Stores into memory, or into cuda::atomic and the like. Complete at once. */
template <class __Group, class __T, class __Op>
__CDP_MEMBER inline void reduce_store_async(const __Group &__group, __T *__to, __T __v, __Op __op)
{
    __v = reduce(__group, __v, __op);
    if (__group.thread_rank() == 0) {
        *__to = __v;
    }
}
template <class __Group, class __Atomic, class __T, class __Op>
__CDP_MEMBER inline auto reduce_store_async(const __Group &__group, __Atomic &&__atomic, __T __v,
                                            __Op __op) -> decltype(__atomic.store(__v))
{
    __v = reduce(__group, __v, __op);
    if (__group.thread_rank() == 0) {
        __atomic.store(__v);
    }
}
template <class __Group, class __Atomic, class __T, class __Op>
__CDP_MEMBER inline void reduce_update_async(const __Group &__group, __Atomic &&__atomic, __T __v,
                                             __Op __op)
{
    __v = reduce(__group, __v, __op);
    if (__group.thread_rank() == 0) {
        (void)__details::__fetch(__atomic, __v, __op);
    }
}

/* Scans that start with the value of an atomic, and store the final value in it. */
template <class __Group, class __Atomic, class __T, class __Op>
__CDP_MEMBER inline __T inclusive_scan_update(const __Group &__group, __Atomic &&__atomic, __T __v,
                                              __Op __op)
{
    __v = inclusive_scan(__group, __v, __op);
    const unsigned int __last = __group.size() - 1;
    __T __start = __v;
    if (__group.thread_rank() == __last) {
        __start = __details::__fetch(__atomic, __v, __op);
    }
    return __op(__group.shfl(__start, (int)__last), __v);
}
template <class __Group, class __Atomic, class __T>
__CDP_MEMBER inline __T inclusive_scan_update(const __Group &__group, __Atomic &&__atomic, __T __v)
{
    return inclusive_scan_update(__group, __atomic, __v, plus<__T>());
}
template <class __Group, class __Atomic, class __T, class __Op>
__CDP_MEMBER inline __T exclusive_scan_update(const __Group &__group, __Atomic &&__atomic, __T __v,
                                              __Op __op)
{
    const __T __before = exclusive_scan(__group, __v, __op);
    const unsigned int __last = __group.size() - 1;
    __T __start = __v;
    if (__group.thread_rank() == __last) {
        __start = __details::__fetch(__atomic, __last ? __op(__before, __v) : __v, __op);
    }
    __start = __group.shfl(__start, (int)__last);
    return __group.thread_rank() ? __op(__start, __before) : __start;
}
template <class __Group, class __Atomic, class __T>
__CDP_MEMBER inline __T exclusive_scan_update(const __Group &__group, __Atomic &&__atomic, __T __v)
{
    return exclusive_scan_update(__group, __atomic, __v, plus<__T>());
}

template <class __Group, class __F, class... __Args>
__CDP_MEMBER inline void invoke_one(const __Group &__group, __F &&__f, __Args &&...__args)
{
    if (__group.thread_rank() == 0) {
        __f(static_cast<__Args &&>(__args)...);
    }
}
/* For its result's type: that of a copy of the value. (libcu++ has another __decay.) */
template <class __T> __CDP_MEMBER __T __cdp_copy_of(const __T &__value);
/* Broadcasts the result of the one thread's call to all. */
template <class __Group, class __F, class... __Args>
__CDP_MEMBER inline auto invoke_one_broadcast(const __Group &__group, __F &&__f, __Args &&...__args)
    -> decltype(__cdp_copy_of(__f(static_cast<__Args &&>(__args)...)))
{
    decltype(__cdp_copy_of(__f(static_cast<__Args &&>(__args)...))) __result;
    if (__group.thread_rank() == 0) {
        __result = __f(static_cast<__Args &&>(__args)...);
    }
    return __group.shfl(__result, 0);
}

} // namespace cooperative_groups

#endif
