/* Bulk copies of inline PTX, and asynchronous stores and reductions: cp.async.bulk,
 * cp.reduce.async.bulk, st.async, red.async.
 *
 * They are complete at once, which PTX allows. Then they tell the barrier how many bytes have come;
 * there is nothing to wait for in bulk groups. Their reductions are atomic for each element. As on
 * an H100, st.async and red.async need a launch with clusters. */
#include "library.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __device__ void __cdp_async_check(void);
extern "C" __device__ void __cdp_bulk_check(const void *to, const void *from, u32 bytes);
extern "C" __device__ void __cdp_mbarrier_transact(u64 *barrier, u32 bytes, u32 is_complete);

INTERNAL void complete(void *barrier, u32 bytes)
{
    __cdp_mbarrier_transact((u64 *)barrier, bytes, 1);
}

/* ---- Copies ---- */

PTX(void, bulk_to_shared, void *to, const void *from, u32 bytes, void *barrier, u64)
{
    __cdp_bulk_check(to, from, bytes);
    __builtin_memcpy(to, from, bytes);
    complete(barrier, bytes);
}
PTX(void, bulk_to_global, void *to, const void *from, u32 bytes, u64)
{
    __cdp_bulk_check(to, from, bytes);
    __builtin_memcpy(to, from, bytes);
}
/* To the same place in each block of the cluster whose bit is set, as are the barriers. */
PTX(void, bulk_to_cluster, void *to, const void *from, u32 bytes, void *barrier, u16 blocks, u64)
{
    __cdp_bulk_check(to, from, bytes);
    for (u32 rank = 0; blocks >> rank != 0; rank++) {
        if ((blocks >> rank & 1) != 0) {
            __builtin_memcpy(__cluster_map_shared_rank(to, rank), from, bytes);
            complete(__cluster_map_shared_rank(barrier, rank), bytes);
        }
    }
}

/* ---- Reductions ---- */

/* The words of an operation in forms.def. */
enum { ADD = 1, MIN, MAX, INC, DEC, AND, OR, XOR };

template <class T> INTERNAL void reduce_extreme(T *to, T value, u32 operation)
{
    if (operation == MIN) {
        atomicMin(to, value);
    } else if (operation == MAX) {
        atomicMax(to, value);
    }
}
template <class T> INTERNAL void reduce_number(T *to, T value, u32 operation)
{
    if (operation == ADD) {
        atomicAdd(to, value);
    } else {
        reduce_extreme(to, value, operation);
    }
}
template <class T> INTERNAL void reduce_bits(T *to, T value, u32 operation)
{
    switch (operation) {
    case AND:
        atomicAnd(to, value);
        break;
    case OR:
        atomicOr(to, value);
        break;
    case XOR:
        atomicXor(to, value);
        break;
    default:
        reduce_number(to, value, operation);
    }
}
INTERNAL void reduce(u32 *to, u32 value, u32 operation)
{
    switch (operation) {
    case INC:
        atomicInc(to, value);
        break;
    case DEC:
        atomicDec(to, value);
        break;
    default:
        reduce_bits(to, value, operation);
    }
}
INTERNAL void reduce(u64 *to, u64 value, u32 operation)
{
    reduce_bits(to, value, operation);
}
INTERNAL void reduce(s32 *to, s32 value, u32 operation)
{
    reduce_number(to, value, operation);
}
/* A sum of unsigned numbers has the same bits. */
INTERNAL void reduce(s64 *to, s64 value, u32 operation)
{
    if (operation == ADD) {
        atomicAdd((u64 *)to, (u64)value);
    } else {
        reduce_extreme(to, value, operation);
    }
}
INTERNAL void reduce(float *to, float value, u32)
{
    atomicAdd(to, value);
}
INTERNAL void reduce(double *to, double value, u32)
{
    atomicAdd(to, value);
}
template <class T> INTERNAL void reduce_half(T *to, T value, u32 operation)
{
    if (operation == ADD) {
        atomicAdd(to, value);
        return;
    }
    u16 *const bits = (u16 *)to;
    u16 old = *(volatile u16 *)bits, before;
    do {
        before = old;
        const T now = __builtin_bit_cast(T, before);
        const T next = operation == MIN ? __hmin(now, value) : __hmax(now, value);
        old = atomicCAS(bits, before, __builtin_bit_cast(u16, next));
    } while (old != before);
}
INTERNAL void reduce(__half *to, __half value, u32 operation)
{
    reduce_half(to, value, operation);
}
INTERNAL void reduce(__nv_bfloat16 *to, __nv_bfloat16 value, u32 operation)
{
    reduce_half(to, value, operation);
}

template <class T> INTERNAL void reduce_all(void *to, const void *from, u32 bytes, u32 operation)
{
    for (u32 i = 0; i < bytes / sizeof(T); i++) {
        reduce((T *)to + i, ((const T *)from)[i], operation);
    }
}

/* The words of a type in forms.def. */
enum { U32 = 1, S32, B32, U64, S64, B64, F16, BF16, F32, F64 };

INTERNAL void reduce_bulk(void *to, const void *from, u32 bytes, u32 operation, u32 type)
{
    __cdp_bulk_check(to, from, bytes);
    switch (type) {
    case S32:
        reduce_all<s32>(to, from, bytes, operation);
        break;
    case U64:
    case B64:
        reduce_all<u64>(to, from, bytes, operation);
        break;
    case S64:
        reduce_all<s64>(to, from, bytes, operation);
        break;
    case F16:
        reduce_all<__half>(to, from, bytes, operation);
        break;
    case BF16:
        reduce_all<__nv_bfloat16>(to, from, bytes, operation);
        break;
    case F32:
        reduce_all<float>(to, from, bytes, operation);
        break;
    case F64:
        reduce_all<double>(to, from, bytes, operation);
        break;
    default:
        reduce_all<u32>(to, from, bytes, operation);
    }
}
PTX(void, bulk_reduce_shared, void *to, const void *from, u32 bytes, void *barrier, u32 operation,
    u32 type)
{
    reduce_bulk(to, from, bytes, operation, type);
    complete(barrier, bytes);
}
PTX(void, bulk_reduce_global, void *to, const void *from, u32 bytes, u64, u32 operation, u32 type)
{
    reduce_bulk(to, from, bytes, operation, type);
}
PTX(void, red_async, void *to, u32 value, void *barrier, u32 operation, u32 type)
{
    __cdp_async_check();
    if (type == S32) {
        reduce((s32 *)to, (s32)value, operation);
    } else {
        reduce((u32 *)to, value, operation);
    }
    complete(barrier, sizeof value);
}
/* Its operations have fewer words. */
PTX(void, red_async64, void *to, u64 value, void *barrier, u32 operation)
{
    __cdp_async_check();
    reduce((u64 *)to, value, operation == 1 ? ADD : operation + AND - 2);
    complete(barrier, sizeof value);
}

/* ---- Stores ---- */

template <class T> INTERNAL void store(void *to, T value, void *barrier)
{
    __cdp_async_check();
    *(T *)to = value;
    complete(barrier, sizeof value);
}
PTX(void, store_async, void *to, u32 a, void *barrier)
{
    store(to, a, barrier);
}
PTX(void, store_async_v2, void *to, u32 a, u32 b, void *barrier)
{
    store(to, make_uint2(a, b), barrier);
}
PTX(void, store_async_v4, void *to, u32 a, u32 b, u32 c, u32 d, void *barrier)
{
    store(to, make_uint4(a, b, c, d), barrier);
}
PTX(void, store_async64, void *to, u64 a, void *barrier)
{
    store(to, a, barrier);
}
PTX(void, store_async64_v2, void *to, u64 a, u64 b, void *barrier)
{
    store(to, make_ulonglong2(a, b), barrier);
}
PTX(void, store_async64_v4, void *to, u64 a, u64 b, u64 c, u64 d, void *barrier)
{
    const u64 all[] = {a, b, c, d};
    __cdp_async_check();
    __builtin_memcpy(to, all, sizeof all);
    complete(barrier, sizeof all);
}
