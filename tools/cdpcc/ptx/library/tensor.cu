/* Copies of tensors by inline PTX: cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, and the
 * changes of tensor maps.
 *
 * The runtime checks a copy and finds its rows (abi/cdp_tensor.h). They are complete at once, as in
 * bulk.cu. */
#include "reduce.h"

#include "abi/cdp_tensor.h"

extern "C" __device__ void __cdp_tensor_check_map(const void *map);
extern "C" __device__ void __cdp_tensor_begin(cdp_tensor_copy *copy, const void *map);
extern "C" __device__ u32 __cdp_tensor_next(cdp_tensor_copy *copy);
extern "C" __device__ void __cdp_tensor_replace(cdp_tensor_map *map, u32 field, u32 ordinal, u64 value);
extern "C" __device__ void __cdp_multicast_check(u32 blocks);
extern "C" __device__ void __cdp_mbarrier_transact(u64 *barrier, u32 bytes, u32 is_complete);

/* ---- Rows ---- */

enum { CHUNK = 16, LINE_SHIFT = 7, CHUNK_SHIFT = 4 };

/* Where a byte of the row is in shared memory. */
INTERNAL char *place(const cdp_tensor_copy &copy, u32 offset)
{
    const u64 address = (u64)copy.row + offset;
    return (char *)(address ^ (address >> LINE_SHIFT & copy.swizzle) << CHUNK_SHIFT);
}

/* Calls act(place in shared memory, offset, bytes) for each part of the row's bytes from `from` to
 * `to` that is contiguous. */
template <class Action>
INTERNAL void for_each_part(const cdp_tensor_copy &copy, u32 from, u32 to, Action act)
{
    if (copy.swizzle == 0) {
        act(copy.row + from, from, to - from);
        return;
    }
    for (u32 at = from, end; at < to; at = end) {
        const u32 chunk = (at | (CHUNK - 1)) + 1;
        end = chunk < to ? chunk : to;
        act(place(copy, at), at, end - at);
    }
}

INTERNAL void fill(const cdp_tensor_copy &copy, u32 from, u32 to)
{
    for_each_part(copy, from, to, [&](char *at, u32, u32 bytes) {
        if (copy.fill == 0) {
            __builtin_memset(at, 0, bytes);
            return;
        }
        for (u32 i = 0; i < bytes; i += sizeof(u16)) {
            *(u16 *)(at + i) = (u16)copy.fill;
        }
    });
}

/* To the nearest number of 10 bits after the point, ties to even. All NaNs become one. */
INTERNAL void round_row(const cdp_tensor_copy &copy)
{
    enum : u32 { INFINITE = 0x7f800000, NAN_BITS = 0x7fffe000, BITS = 13, HALF = 1 << (BITS - 1) };
    for (u32 i = 0; i < copy.inside; i += sizeof(u32)) {
        u32 *const element = (u32 *)place(copy, copy.before + i);
        const u32 x = *element, odd = x >> BITS & 1;
        const bool is_nan = (x & ~(1u << 31)) > INFINITE;
        *element = is_nan ? (u32)NAN_BITS : (x + (HALF - 1) + odd) >> BITS << BITS;
    }
}

INTERNAL void load_row(const cdp_tensor_copy &copy)
{
    const u32 from = copy.before, to = from + copy.inside;
    fill(copy, 0, from);
    for_each_part(copy, from, to, [&](char *at, u32 offset, u32 bytes) {
        __builtin_memcpy(at, copy.global + (offset - from), bytes);
    });
    fill(copy, to, to + copy.after);
    if (copy.type == CDP_TENSOR_TF32 || copy.type == CDP_TENSOR_TF32_FTZ) {
        round_row(copy);
    }
}

INTERNAL void store_row(const cdp_tensor_copy &copy)
{
    const u32 from = copy.before;
    for_each_part(copy, from, from + copy.inside, [&](char *at, u32 offset, u32 bytes) {
        __builtin_memcpy(copy.global + (offset - from), at, bytes);
    });
}

template <class T, class Operation>
INTERNAL void reduce_row(const cdp_tensor_copy &copy, Operation apply)
{
    for (u32 i = 0; i < copy.inside; i += sizeof(T)) {
        apply((T *)(copy.global + i), *(const T *)place(copy, copy.before + i));
    }
}

/* ---- Types of elements ---- */

INTERNAL void add_row(const cdp_tensor_copy &copy)
{
    switch (copy.type) {
    case CDP_TENSOR_U64:
        reduce_row<u64>(copy, sum{});
        break;
    case CDP_TENSOR_F16:
        reduce_row<__half>(copy, sum{});
        break;
    case CDP_TENSOR_BF16:
        reduce_row<__nv_bfloat16>(copy, sum{});
        break;
    case CDP_TENSOR_F64:
        reduce_row<double>(copy, sum{});
        break;
    case CDP_TENSOR_U32:
    case CDP_TENSOR_S32:
        reduce_row<u32>(copy, sum{});
        break;
    default:
        reduce_row<float>(copy, sum{});
    }
}
INTERNAL void reduce_extreme_row(const cdp_tensor_copy &copy, extreme apply)
{
    switch (copy.type) {
    case CDP_TENSOR_U64:
        reduce_row<u64>(copy, apply);
        break;
    case CDP_TENSOR_S64:
        reduce_row<s64>(copy, apply);
        break;
    case CDP_TENSOR_F16:
        reduce_row<__half>(copy, apply);
        break;
    case CDP_TENSOR_BF16:
        reduce_row<__nv_bfloat16>(copy, apply);
        break;
    case CDP_TENSOR_S32:
        reduce_row<s32>(copy, apply);
        break;
    default:
        reduce_row<u32>(copy, apply);
    }
}
INTERNAL void reduce_one_row(const cdp_tensor_copy &copy, u32 operation)
{
    switch (operation) {
    case CDP_TENSOR_ADD:
        add_row(copy);
        break;
    case CDP_TENSOR_MIN:
    case CDP_TENSOR_MAX:
        reduce_extreme_row(copy, extreme{operation - CDP_TENSOR_MIN + extreme::MIN});
        break;
    case CDP_TENSOR_INC:
    case CDP_TENSOR_DEC:
        reduce_row<u32>(copy, step{operation - CDP_TENSOR_INC + step::INC});
        break;
    default: {
        const logic apply = {operation - CDP_TENSOR_AND + logic::AND};
        if (copy.type == CDP_TENSOR_U64) {
            reduce_row<u64>(copy, apply);
        } else {
            reduce_row<u32>(copy, apply);
        }
    }
    }
}

/* ---- Instructions ---- */

INTERNAL void begin(cdp_tensor_copy &copy, const void *map)
{
    __cdp_tensor_check_map(map);
    __builtin_memcpy(&copy.map, map, sizeof copy.map);
    __cdp_tensor_begin(&copy, map);
}

/* The operand [map, {coordinates}]. */
#define TENSOR const void *map, u32 rank, s32 c0, s32 c1, s32 c2, s32 c3, s32 c4
#define TENSOR_OF(kind, action, shared)                                                            \
    {(char *)(shared), {c0, c1, c2, c3, c4}, {}, kind, action, rank, 0}
/* The operand {offsets} of im2col. */
#define OFFSETS u16 o0, u16 o1, u16 o2

INTERNAL void load(cdp_tensor_copy &copy, const void *map, void *barrier)
{
    begin(copy, map);
    while (__cdp_tensor_next(&copy)) {
        load_row(copy);
    }
    __cdp_mbarrier_transact((u64 *)barrier, copy.bytes, 1);
}
/* To the same place in each block of the cluster whose bit is set, as are the barriers. */
INTERNAL void load_to_cluster(const cdp_tensor_copy &copy, const void *map, void *barrier,
                              u32 blocks)
{
    __cdp_multicast_check(blocks);
    for (u32 rank = 0; blocks >> rank != 0; rank++) {
        if ((blocks >> rank & 1) != 0) {
            cdp_tensor_copy one = copy;
            one.row = (char *)__cluster_map_shared_rank(copy.row, rank);
            load(one, map, __cluster_map_shared_rank(barrier, rank));
        }
    }
}

PTX(void, tensor_load, void *to, TENSOR, void *barrier, u64)
{
    cdp_tensor_copy copy = TENSOR_OF(CDP_TENSOR_TILED, CDP_TENSOR_LOAD, to);
    load(copy, map, barrier);
}
PTX(void, tensor_multicast, void *to, TENSOR, void *barrier, u16 blocks, u64)
{
    const cdp_tensor_copy copy = TENSOR_OF(CDP_TENSOR_TILED, CDP_TENSOR_LOAD, to);
    load_to_cluster(copy, map, barrier, blocks);
}
PTX(void, tensor_load_im2col, void *to, TENSOR, void *barrier, OFFSETS, u64)
{
    cdp_tensor_copy copy = TENSOR_OF(CDP_TENSOR_IM2COL, CDP_TENSOR_LOAD, to);
    copy.offsets[0] = o0, copy.offsets[1] = o1, copy.offsets[2] = o2;
    load(copy, map, barrier);
}
PTX(void, tensor_multicast_im2col, void *to, TENSOR, void *barrier, OFFSETS, u16 blocks, u64)
{
    cdp_tensor_copy copy = TENSOR_OF(CDP_TENSOR_IM2COL, CDP_TENSOR_LOAD, to);
    copy.offsets[0] = o0, copy.offsets[1] = o1, copy.offsets[2] = o2;
    load_to_cluster(copy, map, barrier, blocks);
}

/* Of the words tile and im2col_no_offs, which is the second. */
INTERNAL u8 kind_of(u32 mode)
{
    return mode == 2 ? CDP_TENSOR_IM2COL : CDP_TENSOR_TILED;
}

PTX(void, tensor_store, TENSOR, void *from, u64, u32 mode)
{
    cdp_tensor_copy copy = TENSOR_OF(kind_of(mode), CDP_TENSOR_STORE, from);
    begin(copy, map);
    while (__cdp_tensor_next(&copy)) {
        store_row(copy);
    }
}
PTX(void, tensor_reduce, TENSOR, void *from, u64, u32 operation, u32 mode)
{
    cdp_tensor_copy copy = TENSOR_OF(kind_of(mode), CDP_TENSOR_REDUCE, from);
    copy.operation = operation;
    begin(copy, map);
    while (__cdp_tensor_next(&copy)) {
        reduce_one_row(copy, operation);
    }
}
/* Only checked: there is nothing to fetch ahead. */
PTX(void, tensor_prefetch, TENSOR, u64)
{
    cdp_tensor_copy copy = TENSOR_OF(CDP_TENSOR_TILED, CDP_TENSOR_PREFETCH, nullptr);
    begin(copy, map);
}
PTX(void, tensor_prefetch_im2col, TENSOR, OFFSETS, u64)
{
    cdp_tensor_copy copy = TENSOR_OF(CDP_TENSOR_IM2COL, CDP_TENSOR_PREFETCH, nullptr);
    copy.offsets[0] = o0, copy.offsets[1] = o1, copy.offsets[2] = o2;
    begin(copy, map);
}

/* ---- Changes of maps ---- */

INTERNAL void replace(void *map, u32 field, u32 dimension, u64 value)
{
    cdp_tensor_map changed;
    __builtin_memcpy(&changed, map, sizeof changed);
    __cdp_tensor_replace(&changed, field, dimension, value);
    __builtin_memcpy(map, &changed, sizeof changed);
}

PTX(void, tensor_replace_address, void *map, u64 value)
{
    replace(map, CDP_TENSOR_ADDRESS, 0, value);
}
PTX(void, tensor_replace_stride, void *map, u32 dimension, u64 value)
{
    replace(map, CDP_TENSOR_STRIDE, dimension, value);
}
PTX(void, tensor_replace_dimension, void *map, u32 dimension, u32 value, u32 field)
{
    replace(map, CDP_TENSOR_BOX + field - 1, dimension, value);
}
PTX(void, tensor_replace_mode, void *map, u32 value, u32 field)
{
    replace(map, CDP_TENSOR_RANK + field - 1, 0, value);
}
/* All lanes of a warp copy together, so one does. */
PTX(void, tensor_map_copy, void *to, const void *from, u32 bytes)
{
    if (__cdp_laneid() == (u32)__builtin_ctz(__activemask())) {
        __builtin_memcpy(to, from, bytes);
    }
    __threadfence();
    __syncwarp();
}
