/* Atomic functions over the compiler's builtins: relaxed, as CUDA's are, and the same at every
 * scope. */
#ifndef __CDP_ATOMIC_H
#define __CDP_ATOMIC_H

#include "../vector_types.h"

/* Relaxed, as CUDA's are. TSan does not model fences. With relaxed atomics it would report every
 * use of __threadfence() and a counter as a race. */
#if defined(__has_feature)
#if __has_feature(__thread_sanitizer__)
#define __CDP_ORDER __ATOMIC_SEQ_CST
#define __CDP_ATOMIC_BY_LOOPS
#endif
#endif
#ifndef __CDP_ORDER
#define __CDP_ORDER __ATOMIC_RELAXED
#endif

/* The three scopes of one operation on *p with v. */
#define __CDP_ATOMIC(name, T, expression)                                                          \
    __CDP_DEVICE_INLINE T name(T *__p, T __v)                                                      \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    __CDP_DEVICE_INLINE T name##_block(T *__p, T __v)                                              \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    __CDP_DEVICE_INLINE T name##_system(T *__p, T __v)                                             \
    {                                                                                              \
        return expression;                                                                         \
    }
#define __CDP_ATOMIC_OP(name, T, op) __CDP_ATOMIC(name, T, op(__p, __v, __CDP_ORDER))

/* An operation that stores next, an expression of old and v. TSan does not intercept the operations
 * of LLVM that C11 does not have. */
#ifdef __CDP_ATOMIC_BY_LOOPS
#define __CDP_ATOMIC_NEXT(name, T, op, next)                                                       \
    __CDP_DEVICE_INLINE T __cdp_##name(T *__p, T __v)                                              \
    {                                                                                              \
        T __old, __desired;                                                                        \
        __atomic_load(__p, &__old, __CDP_ORDER);                                                   \
        do {                                                                                       \
            __desired = next;                                                                      \
        } while (                                                                                  \
            !__atomic_compare_exchange(__p, &__old, &__desired, true, __CDP_ORDER, __CDP_ORDER));  \
        return __old;                                                                              \
    }                                                                                              \
    __CDP_ATOMIC(name, T, __cdp_##name(__p, __v))
#else
#define __CDP_ATOMIC_NEXT(name, T, op, next) __CDP_ATOMIC_OP(name, T, op)
#endif

#define __CDP_ATOMIC_CAS_SCOPE(name, T)                                                            \
    __CDP_DEVICE_INLINE T name(T *__p, T __expected, T __desired)                                  \
    {                                                                                              \
        __atomic_compare_exchange_n(__p, &__expected, __desired, false, __CDP_ORDER, __CDP_ORDER); \
        return __expected;                                                                         \
    }
#define __CDP_ATOMIC_CAS(T)                                                                        \
    __CDP_ATOMIC_CAS_SCOPE(atomicCAS, T)                                                           \
    __CDP_ATOMIC_CAS_SCOPE(atomicCAS_block, T)                                                     \
    __CDP_ATOMIC_CAS_SCOPE(atomicCAS_system, T)

#define __CDP_ATOMIC_BITS(T)                                                                       \
    __CDP_ATOMIC_NEXT(atomicMin, T, __atomic_fetch_min, __old < __v ? __old : __v)                 \
    __CDP_ATOMIC_NEXT(atomicMax, T, __atomic_fetch_max, __old > __v ? __old : __v)                 \
    __CDP_ATOMIC_OP(atomicAnd, T, __atomic_fetch_and)                                              \
    __CDP_ATOMIC_OP(atomicOr, T, __atomic_fetch_or)                                                \
    __CDP_ATOMIC_OP(atomicXor, T, __atomic_fetch_xor)
#define __CDP_ATOMIC_INTEGER(T)                                                                    \
    __CDP_ATOMIC_BITS(T)                                                                           \
    __CDP_ATOMIC_OP(atomicAdd, T, __atomic_fetch_add)                                              \
    __CDP_ATOMIC_OP(atomicSub, T, __atomic_fetch_sub)                                              \
    __CDP_ATOMIC_OP(atomicExch, T, __atomic_exchange_n)                                            \
    __CDP_ATOMIC_CAS(T)
__CDP_ATOMIC_INTEGER(int)
__CDP_ATOMIC_INTEGER(unsigned int)
__CDP_ATOMIC_INTEGER(unsigned long long)
__CDP_ATOMIC_BITS(long long)
__CDP_ATOMIC_CAS(unsigned short)
__CDP_ATOMIC_NEXT(atomicAdd, float, __atomic_fetch_add, __old + __v)
__CDP_ATOMIC_NEXT(atomicAdd, double, __atomic_fetch_add, __old + __v)

__CDP_DEVICE_INLINE float __cdp_exchange(float *__p, float __v)
{
    float __old;
    __atomic_exchange(__p, &__v, &__old, __CDP_ORDER);
    return __old;
}
__CDP_ATOMIC(atomicExch, float, __cdp_exchange(__p, __v))

__CDP_ATOMIC_NEXT(atomicInc, unsigned int, __atomic_fetch_uinc, __old >= __v ? 0 : __old + 1)
__CDP_ATOMIC_NEXT(atomicDec, unsigned int, __atomic_fetch_udec,
                  __old == 0 || __old > __v ? __v : __old - 1)

/* Vectors: each element is atomic, but not the whole vector, as on hardware. */
__CDP_DEVICE_INLINE float2 __cdp_add_float2(float2 *__p, float2 __v)
{
    return float2{atomicAdd(&__p->x, __v.x), atomicAdd(&__p->y, __v.y)};
}
__CDP_DEVICE_INLINE float4 __cdp_add_float4(float4 *__p, float4 __v)
{
    return float4{atomicAdd(&__p->x, __v.x), atomicAdd(&__p->y, __v.y), atomicAdd(&__p->z, __v.z),
                  atomicAdd(&__p->w, __v.w)};
}
__CDP_ATOMIC(atomicAdd, float2, __cdp_add_float2(__p, __v))
__CDP_ATOMIC(atomicAdd, float4, __cdp_add_float4(__p, __v))

/* Any trivially copyable type of 16 bytes, aligned to 16. */
__CDP_DEVICE_ABI void __cdp_cas128(void *__p, const void *__expected, const void *__desired,
                                   void *__old);
__CDP_DEVICE_ABI void __cdp_exch128(void *__p, const void *__desired, void *__old);
template <class __T, bool = sizeof(__T) == 16> struct __cdp_wide {
};
template <class __T> struct __cdp_wide<__T, true> {
    typedef __T __type;
};
#define __CDP_ATOMIC_WIDE(scope)                                                                   \
    template <class __T>                                                                           \
    __CDP_DEVICE_INLINE typename __cdp_wide<__T>::__type atomicCAS##scope(                         \
        __T *__p, __T __expected, __T __desired)                                                   \
    {                                                                                              \
        __T __old;                                                                                 \
        __cdp_cas128(__p, &__expected, &__desired, &__old);                                        \
        return __old;                                                                              \
    }                                                                                              \
    template <class __T>                                                                           \
    __CDP_DEVICE_INLINE typename __cdp_wide<__T>::__type atomicExch##scope(__T *__p,               \
                                                                           __T __desired)          \
    {                                                                                              \
        __T __old;                                                                                 \
        __cdp_exch128(__p, &__desired, &__old);                                                    \
        return __old;                                                                              \
    }
__CDP_ATOMIC_WIDE()
__CDP_ATOMIC_WIDE(_block)
__CDP_ATOMIC_WIDE(_system)
#undef __CDP_ATOMIC_WIDE

#undef __CDP_ATOMIC_INTEGER
#undef __CDP_ATOMIC_BITS
#undef __CDP_ATOMIC_CAS
#undef __CDP_ATOMIC_CAS_SCOPE
#undef __CDP_ATOMIC_OP
#undef __CDP_ATOMIC_NEXT
#undef __CDP_ATOMIC

/* The generic atomics of CUDA 12.8. They are macros because they accept any type; the scope
 * argument has no effect. */
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
#define __nv_atomic_load_n(p, order, ...) __atomic_load_n(p, order)
#define __nv_atomic_store_n(p, v, order, ...) __atomic_store_n(p, v, order)
#define __nv_atomic_load(p, r, order, ...) __atomic_load(p, r, order)
#define __nv_atomic_store(p, v, order, ...) __atomic_store(p, v, order)
#define __nv_atomic_exchange_n(p, v, order, ...) __atomic_exchange_n(p, v, order)
#define __nv_atomic_compare_exchange_n(p, e, d, weak, success, failure, ...)                       \
    __atomic_compare_exchange_n(p, e, d, weak, success, failure)
#define __nv_atomic_compare_exchange(p, e, d, weak, success, failure, ...)                         \
    __atomic_compare_exchange(p, e, d, weak, success, failure)
#define __nv_atomic_fetch_add(p, v, order, ...) __atomic_fetch_add(p, v, order)
#define __nv_atomic_fetch_sub(p, v, order, ...) __atomic_fetch_sub(p, v, order)
#define __nv_atomic_fetch_and(p, v, order, ...) __atomic_fetch_and(p, v, order)
#define __nv_atomic_fetch_or(p, v, order, ...) __atomic_fetch_or(p, v, order)
#define __nv_atomic_fetch_xor(p, v, order, ...) __atomic_fetch_xor(p, v, order)
#define __nv_atomic_fetch_min(p, v, order, ...) __atomic_fetch_min(p, v, order)
#define __nv_atomic_fetch_max(p, v, order, ...) __atomic_fetch_max(p, v, order)
#define __nv_atomic_add(p, v, order, ...) ((void)__atomic_fetch_add(p, v, order))
#define __nv_atomic_sub(p, v, order, ...) ((void)__atomic_fetch_sub(p, v, order))
#define __nv_atomic_and(p, v, order, ...) ((void)__atomic_fetch_and(p, v, order))
#define __nv_atomic_or(p, v, order, ...) ((void)__atomic_fetch_or(p, v, order))
#define __nv_atomic_xor(p, v, order, ...) ((void)__atomic_fetch_xor(p, v, order))
#define __nv_atomic_min(p, v, order, ...) ((void)__atomic_fetch_min(p, v, order))
#define __nv_atomic_max(p, v, order, ...) ((void)__atomic_fetch_max(p, v, order))
#define __nv_atomic_thread_fence(order, ...) __atomic_thread_fence(order)

#endif
