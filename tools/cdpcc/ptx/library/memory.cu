/* Instructions of inline PTX that access memory, and the lanes of a warp. */
#include "library.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* cp.async of 4, 8 and 16 bytes, of which some are copied and the others become 0. */
template <class T> INTERNAL void copy(T *to, const T *from, u32 copied)
{
    if (copied >= sizeof(T)) {
        *to = *from;
        return;
    }
    for (u32 i = 0; i < sizeof(T); i++) {
        ((u8 *)to)[i] = i < copied ? ((const u8 *)from)[i] : 0;
    }
}
PTX(void, copy4, u32 *to, const u32 *from, u32 copied)
{
    copy(to, from, copied);
}
PTX(void, copy8, u64 *to, const u64 *from, u32 copied)
{
    copy(to, from, copied);
}
PTX(void, copy16, uint4 *to, const uint4 *from, u32 copied)
{
    copy(to, from, copied);
}

template <class T, class B> INTERNAL B add_to(void *p, B value)
{
    const T old = atomicAdd((T *)p, __builtin_bit_cast(T, value));
    return __builtin_bit_cast(B, old);
}
PTX(u16, add_to_half, void *p, u16 value, u32 type)
{
    return type == 1 ? add_to<__half>(p, value) : add_to<__nv_bfloat16>(p, value);
}
PTX(u32, add_to_halves, void *p, u32 value, u32 type)
{
    return type == 1 ? add_to<__half2>(p, value) : add_to<__nv_bfloat162>(p, value);
}
PTX(void, red_to_half, void *p, u16 value, u32 type)
{
    ptx_add_to_half(p, value, type);
}
PTX(void, red_to_halves, void *p, u32 value, u32 type)
{
    ptx_add_to_halves(p, value, type);
}

/* Sums and extremes of halves, and of pairs of them; the old value is the result. */
enum { ADD = 1, MIN };

template <class T, class B, class F> INTERNAL B replace(void *p, F next)
{
    B *const bits = (B *)p;
    B old = 0, before; /* a guess: the first exchange reads it */
    do {
        before = old;
        const T now = __builtin_bit_cast(T, before);
        old = atomicCAS(bits, before, __builtin_bit_cast(B, next(now)));
    } while (old != before);
    return old;
}
template <class T, class B> INTERNAL B change_half(void *p, B value, u32 operation)
{
    const T with = __builtin_bit_cast(T, value);
    return operation == ADD ? add_to<T>(p, value) : replace<T, B>(p, [=](T now) {
        return operation == MIN ? __hmin(now, with) : __hmax(now, with);
    });
}
template <class T, class B> INTERNAL B change_pair(void *p, B value, u32 operation)
{
    const T with = __builtin_bit_cast(T, value);
    return operation == ADD ? add_to<T>(p, value) : replace<T, B>(p, [=](T now) {
        return operation == MIN ? __hmin2(now, with) : __hmax2(now, with);
    });
}
PTX(u16, change_half, void *p, u16 value, u32 operation, u32 type)
{
    return type == 1 ? change_half<__half>(p, value, operation)
                     : change_half<__nv_bfloat16>(p, value, operation);
}
PTX(u32, change_halves, void *p, u32 value, u32 operation, u32 type)
{
    return type == 1 ? change_pair<__half2>(p, value, operation)
                     : change_pair<__nv_bfloat162>(p, value, operation);
}

/* The lowest lane of the mask is elected. */
PTX(void, elect, u32 *leader, u32 *is_leader, u32 mask)
{
    __syncwarp(mask);
    const u32 first = (u32)__ffs((int)mask) - 1;
    *leader = first;
    *is_leader = first == __cdp_laneid();
}
