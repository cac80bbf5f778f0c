/* Atomic functions over the compiler's builtins: relaxed, as CUDA's are, and the
 * same at every scope. */
#ifndef CDP_ATOMIC_H
#define CDP_ATOMIC_H

#include "../vector_types.h"

/* Relaxed, as CUDA's are.  TSan does not model fences: with relaxed atomics it would
 * call every use of __threadfence() and a counter a race. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CDP_ORDER __ATOMIC_SEQ_CST
#define CDP_ATOMIC_BY_LOOPS
#endif
#endif
#ifndef CDP_ORDER
#define CDP_ORDER __ATOMIC_RELAXED
#endif

/* The three scopes of one operation on *p with v. */
#define CDP_ATOMIC(name, T, expression)                                                            \
    CDP_DEVICE_INLINE T name(T *p, T v)                                                            \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    CDP_DEVICE_INLINE T name##_block(T *p, T v)                                                    \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    CDP_DEVICE_INLINE T name##_system(T *p, T v)                                                   \
    {                                                                                              \
        return expression;                                                                         \
    }
#define CDP_ATOMIC_OP(name, T, op) CDP_ATOMIC(name, T, __atomic_##op(p, v, CDP_ORDER))

/* An operation that leaves next, an expression of old and v.  TSan does not see those of LLVM's
 * that C11 has not. */
#ifdef CDP_ATOMIC_BY_LOOPS
#define CDP_ATOMIC_NEXT(name, T, op, next)                                                         \
    CDP_DEVICE_INLINE T __cdp_##name(T *p, T v)                                                    \
    {                                                                                              \
        T old, desired;                                                                            \
        __atomic_load(p, &old, CDP_ORDER);                                                         \
        do {                                                                                       \
            desired = next;                                                                        \
        } while (!__atomic_compare_exchange(p, &old, &desired, true, CDP_ORDER, CDP_ORDER));       \
        return old;                                                                                \
    }                                                                                              \
    CDP_ATOMIC(name, T, __cdp_##name(p, v))
#else
#define CDP_ATOMIC_NEXT(name, T, op, next) CDP_ATOMIC_OP(name, T, op)
#endif

#define CDP_ATOMIC_CAS_SCOPE(name, T)                                                              \
    CDP_DEVICE_INLINE T name(T *p, T expected, T desired)                                          \
    {                                                                                              \
        __atomic_compare_exchange_n(p, &expected, desired, false, CDP_ORDER, CDP_ORDER);           \
        return expected;                                                                           \
    }
#define CDP_ATOMIC_CAS(T)                                                                          \
    CDP_ATOMIC_CAS_SCOPE(atomicCAS, T)                                                             \
    CDP_ATOMIC_CAS_SCOPE(atomicCAS_block, T)                                                       \
    CDP_ATOMIC_CAS_SCOPE(atomicCAS_system, T)

#define CDP_ATOMIC_BITS(T)                                                                         \
    CDP_ATOMIC_NEXT(atomicMin, T, fetch_min, old < v ? old : v)                                    \
    CDP_ATOMIC_NEXT(atomicMax, T, fetch_max, old > v ? old : v)                                    \
    CDP_ATOMIC_OP(atomicAnd, T, fetch_and)                                                         \
    CDP_ATOMIC_OP(atomicOr, T, fetch_or)                                                           \
    CDP_ATOMIC_OP(atomicXor, T, fetch_xor)
#define CDP_ATOMIC_INTEGER(T)                                                                      \
    CDP_ATOMIC_BITS(T)                                                                             \
    CDP_ATOMIC_OP(atomicAdd, T, fetch_add)                                                         \
    CDP_ATOMIC_OP(atomicSub, T, fetch_sub)                                                         \
    CDP_ATOMIC_OP(atomicExch, T, exchange_n)                                                       \
    CDP_ATOMIC_CAS(T)
CDP_ATOMIC_INTEGER(int)
CDP_ATOMIC_INTEGER(unsigned int)
CDP_ATOMIC_INTEGER(unsigned long long)
CDP_ATOMIC_BITS(long long)
CDP_ATOMIC_CAS(unsigned short)
CDP_ATOMIC_NEXT(atomicAdd, float, fetch_add, old + v)
CDP_ATOMIC_NEXT(atomicAdd, double, fetch_add, old + v)

CDP_DEVICE_INLINE float __cdp_exchange(float *p, float v)
{
    float old;
    __atomic_exchange(p, &v, &old, CDP_ORDER);
    return old;
}
CDP_ATOMIC(atomicExch, float, __cdp_exchange(p, v))

CDP_ATOMIC_NEXT(atomicInc, unsigned int, fetch_uinc, old >= v ? 0 : old + 1)
CDP_ATOMIC_NEXT(atomicDec, unsigned int, fetch_udec, old == 0 || old > v ? v : old - 1)

/* Vectors: each element is atomic, the whole is not, as on hardware. */
CDP_DEVICE_INLINE float2 __cdp_add_float2(float2 *p, float2 v)
{
    return float2{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)};
}
CDP_DEVICE_INLINE float4 __cdp_add_float4(float4 *p, float4 v)
{
    return float4{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z),
                  atomicAdd(&p->w, v.w)};
}
CDP_ATOMIC(atomicAdd, float2, __cdp_add_float2(p, v))
CDP_ATOMIC(atomicAdd, float4, __cdp_add_float4(p, v))

/* Any trivially copyable type of 16 bytes, aligned to 16. */
CDP_DEVICE_ABI void __cdp_cas128(void *p, const void *expected, const void *desired, void *old);
CDP_DEVICE_ABI void __cdp_exch128(void *p, const void *desired, void *old);
template <class T, bool = sizeof(T) == 16> struct __cdp_wide {
};
template <class T> struct __cdp_wide<T, true> {
    typedef T type;
};
#define CDP_ATOMIC_WIDE(scope)                                                                     \
    template <class T>                                                                             \
    CDP_DEVICE_INLINE typename __cdp_wide<T>::type atomicCAS##scope(T *p, T expected, T desired)   \
    {                                                                                              \
        T old;                                                                                     \
        __cdp_cas128(p, &expected, &desired, &old);                                                \
        return old;                                                                                \
    }                                                                                              \
    template <class T>                                                                             \
    CDP_DEVICE_INLINE typename __cdp_wide<T>::type atomicExch##scope(T *p, T desired)              \
    {                                                                                              \
        T old;                                                                                     \
        __cdp_exch128(p, &desired, &old);                                                          \
        return old;                                                                                \
    }
CDP_ATOMIC_WIDE()
CDP_ATOMIC_WIDE(_block)
CDP_ATOMIC_WIDE(_system)
#undef CDP_ATOMIC_WIDE

#undef CDP_ATOMIC_INTEGER
#undef CDP_ATOMIC_BITS
#undef CDP_ATOMIC_CAS
#undef CDP_ATOMIC_CAS_SCOPE
#undef CDP_ATOMIC_OP
#undef CDP_ATOMIC_NEXT
#undef CDP_ATOMIC

/* The generic atomics of CUDA 12.8.  Macros, since they take any type; the scope
 * argument does not matter. */
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
