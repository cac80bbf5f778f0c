/* Bulk copies of inline PTX, and asynchronous stores and reductions: cp.async.bulk,
 * cp.reduce.async.bulk, st.async, red.async.
 *
 * They are complete at once, which PTX allows. Then they tell the barrier how many bytes have come;
 * there is nothing to wait for in bulk groups. Their reductions are atomic for each element. As on
 * an H200, st.async, red.async, copies and reductions from shared to shared memory need a launch
 * with clusters. */
#include "reduce.h"

extern "C" __device__ void __cdp_async_check(void);
extern "C" __device__ void __cdp_bulk_check(const void *to, const void *from, u32 bytes);
extern "C" __device__ void __cdp_multicast_check(u32 blocks);
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
PTX(void, bulk_to_sibling, void *to, const void *from, u32 bytes, void *barrier)
{
    __cdp_async_check();
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
    __cdp_multicast_check(blocks);
    __cdp_bulk_check(to, from, bytes);
    for (u32 rank = 0; blocks >> rank != 0; rank++) {
        if ((blocks >> rank & 1) != 0) {
            __builtin_memcpy(__cluster_map_shared_rank(to, rank), from, bytes);
            complete(__cluster_map_shared_rank(barrier, rank), bytes);
        }
    }
}

/* ---- Reductions ---- */

template <class T, class Operation>
INTERNAL void reduce_each(void *to, const void *from, u32 bytes, Operation apply)
{
    for (u32 i = 0; i < bytes / sizeof(T); i++) {
        apply((T *)to + i, ((const T *)from)[i]);
    }
}
/* For elements of one of the types. Its number is that of the type's word in forms.def, from 1. */
template <class First, class... Others, class Operation>
INTERNAL void reduce(void *to, const void *from, u32 bytes, u32 type, Operation apply)
{
    if constexpr (sizeof...(Others) > 0) {
        if (type > 1) {
            reduce<Others...>(to, from, bytes, type - 1, apply);
            return;
        }
    }
    reduce_each<First>(to, from, bytes, apply);
}

PTX(void, reduce_sum, void *to, const void *from, u32 bytes, u64, u32 type)
{
    __cdp_bulk_check(to, from, bytes);
    reduce<u32, s32, u64, float, double>(to, from, bytes, type, sum{});
}
PTX(void, reduce_sum_of_halves, void *to, const void *from, u32 bytes, u64, u32 type)
{
    __cdp_bulk_check(to, from, bytes);
    reduce<__half, __nv_bfloat16>(to, from, bytes, type, sum{});
}
PTX(void, reduce_extreme, void *to, const void *from, u32 bytes, u64, u32 operation, u32 type)
{
    __cdp_bulk_check(to, from, bytes);
    reduce<u32, s32, u64, s64, __half, __nv_bfloat16>(to, from, bytes, type, extreme{operation});
}
PTX(void, reduce_step, void *to, const void *from, u32 bytes, u64, u32 operation)
{
    __cdp_bulk_check(to, from, bytes);
    reduce_each<u32>(to, from, bytes, step{operation});
}
PTX(void, reduce_logic, void *to, const void *from, u32 bytes, u64, u32 operation, u32 type)
{
    __cdp_bulk_check(to, from, bytes);
    reduce<u32, u64>(to, from, bytes, type, logic{operation});
}

/* To shared memory, with a barrier. */
PTX(void, reduce_sum_shared, void *to, const void *from, u32 bytes, void *barrier, u32 type)
{
    __cdp_async_check();
    __cdp_bulk_check(to, from, bytes);
    reduce<u32, s32, u64>(to, from, bytes, type, sum{});
    complete(barrier, bytes);
}
PTX(void, reduce_extreme_shared, void *to, const void *from, u32 bytes, void *barrier,
    u32 operation, u32 type)
{
    __cdp_async_check();
    __cdp_bulk_check(to, from, bytes);
    reduce<u32, s32>(to, from, bytes, type, extreme{operation});
    complete(barrier, bytes);
}
PTX(void, reduce_step_shared, void *to, const void *from, u32 bytes, void *barrier, u32 operation)
{
    __cdp_async_check();
    __cdp_bulk_check(to, from, bytes);
    reduce_each<u32>(to, from, bytes, step{operation});
    complete(barrier, bytes);
}
PTX(void, reduce_logic_shared, void *to, const void *from, u32 bytes, void *barrier, u32 operation)
{
    __cdp_async_check();
    __cdp_bulk_check(to, from, bytes);
    reduce_each<u32>(to, from, bytes, logic{operation});
    complete(barrier, bytes);
}

/* Of one number. */
template <class T, class Operation>
INTERNAL void reduce_async(void *to, T value, void *barrier, Operation apply)
{
    __cdp_async_check();
    apply((T *)to, value);
    complete(barrier, sizeof value);
}
PTX(void, red_async_sum, void *to, u32 value, void *barrier)
{
    reduce_async(to, value, barrier, sum{});
}
PTX(void, red_async_sum64, void *to, u64 value, void *barrier)
{
    reduce_async(to, value, barrier, sum{});
}
PTX(void, red_async_extreme, void *to, u32 value, void *barrier, u32 operation)
{
    reduce_async(to, value, barrier, extreme{operation});
}
PTX(void, red_async_signed_extreme, void *to, s32 value, void *barrier, u32 operation)
{
    reduce_async(to, value, barrier, extreme{operation});
}
PTX(void, red_async_step, void *to, u32 value, void *barrier, u32 operation)
{
    reduce_async(to, value, barrier, step{operation});
}
PTX(void, red_async_logic, void *to, u32 value, void *barrier, u32 operation)
{
    reduce_async(to, value, barrier, logic{operation});
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
