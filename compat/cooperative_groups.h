/* Cooperative groups over the block's barrier and the warp operations: blocks,
 * tiles, coalesced threads, and the collectives on them.  A barrier of a whole
 * grid is not supported and fails to compile. */
#ifndef CDP_COOPERATIVE_GROUPS_H
#define CDP_COOPERATIVE_GROUPS_H

#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

/* As in cdp/sync.h: where a thread waits is the program's own line. */
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups
{

namespace details
{
CDP_DEVICE_INLINE unsigned int thread_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
CDP_DEVICE_INLINE unsigned int block_size()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
CDP_DEVICE_INLINE unsigned int block_rank()
{
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
CDP_DEVICE_INLINE unsigned int grid_blocks()
{
    return gridDim.x * gridDim.y * gridDim.z;
}
CDP_DEVICE_INLINE unsigned int lane()
{
    return __cdp_laneid();
}

/* Any type, word by word. */
template <class T>
__device__ inline T shuffle(unsigned int mask, T v, unsigned int lane, int width, int mode)
{
    constexpr unsigned int words = (sizeof(T) + 3) / 4;
    unsigned int word[words] = {};
    __builtin_memcpy(word, (const void *)&v, sizeof(T));
    for (unsigned int i = 0; i < words; i++) {
        word[i] = __cdp_shfl(mask, word[i], lane, width, mode);
    }
    __builtin_memcpy((void *)&v, word, sizeof(T));
    return v;
}
} // namespace details

/* ---- Groups ---- */

/* What functions that take any group receive: a block or some lanes of a warp. */
class thread_group
{
  protected:
    enum kind { block_kind, lanes_kind };
    kind kind_;
    unsigned int mask_, size_, rank_;
    __device__ thread_group(kind k, unsigned int mask, unsigned int size, unsigned int rank)
        : kind_(k), mask_(mask), size_(size), rank_(rank)
    {
    }
    friend __device__ inline thread_group tiled_partition(const thread_group &group,
                                                          unsigned int size);

  public:
    thread_group() = default;
    __device__ void sync() const
    {
        if (kind_ == block_kind) {
            __syncthreads();
        } else {
            __syncwarp(mask_);
        }
    }
    __device__ unsigned long long size() const
    {
        return size_;
    }
    __device__ unsigned long long num_threads() const
    {
        return size_;
    }
    __device__ unsigned long long thread_rank() const
    {
        return rank_;
    }
    __device__ bool is_valid() const
    {
        return true;
    }
};

class thread_block : public thread_group
{
    __device__ thread_block()
        : thread_group(block_kind, 0, details::block_size(), details::thread_rank())
    {
    }
    friend __device__ inline thread_block this_thread_block();

  public:
    struct arrival_token {
    };
    __device__ static void sync()
    {
        __syncthreads();
    }
    __device__ arrival_token barrier_arrive() const
    {
        return {};
    }
    __device__ void barrier_wait(arrival_token &&) const
    {
        __syncthreads();
    }
    __device__ static unsigned int size()
    {
        return details::block_size();
    }
    __device__ static unsigned int num_threads()
    {
        return details::block_size();
    }
    __device__ static unsigned int thread_rank()
    {
        return details::thread_rank();
    }
    __device__ static dim3 group_index()
    {
        return blockIdx;
    }
    __device__ static dim3 thread_index()
    {
        return threadIdx;
    }
    __device__ static dim3 group_dim()
    {
        return blockDim;
    }
    __device__ static dim3 dim_threads()
    {
        return blockDim;
    }
};
__device__ inline thread_block this_thread_block()
{
    return thread_block();
}
template <unsigned int N = 1024> struct block_tile_memory {
    char unused[8];
};
template <unsigned int N> __device__ inline thread_block this_thread_block(block_tile_memory<N> &)
{
    return this_thread_block();
}

class grid_group
{
    __device__ grid_group()
    {
    }
    friend __device__ inline grid_group this_grid();

  public:
    __device__ static bool is_valid()
    {
        return true;
    }
    __device__
        __attribute__((unavailable("a barrier of the whole grid is not supported"))) static void
        sync();
    __device__ static unsigned long long size()
    {
        return (unsigned long long)details::grid_blocks() * details::block_size();
    }
    __device__ static unsigned long long num_threads()
    {
        return size();
    }
    __device__ static unsigned long long thread_rank()
    {
        return (unsigned long long)details::block_rank() * details::block_size() +
               details::thread_rank();
    }
    __device__ static unsigned long long block_rank()
    {
        return details::block_rank();
    }
    __device__ static unsigned long long num_blocks()
    {
        return details::grid_blocks();
    }
    __device__ static dim3 group_dim()
    {
        return gridDim;
    }
    __device__ static dim3 dim_blocks()
    {
        return gridDim;
    }
    __device__ static dim3 block_index()
    {
        return blockIdx;
    }
};
__device__ inline grid_group this_grid()
{
    return grid_group();
}

/* Some lanes of one warp.  Ranks count the set bits of the mask. */
class coalesced_group : public thread_group
{
    unsigned int meta_rank_ = 0, meta_size_ = 1;

    __device__ unsigned int lane_of(unsigned int rank) const
    {
        unsigned int rest = mask_;
        for (; rank && rest; rank--) {
            rest &= rest - 1;
        }
        return rest ? (unsigned int)__ffs((int)rest) - 1 : details::lane();
    }
    /* The bits of the group's lanes, moved together. */
    __device__ unsigned int pack(unsigned int bits) const
    {
        unsigned int packed = 0, i = 0;
        for (unsigned int rest = mask_; rest; rest &= rest - 1, i++) {
            packed |= (bits >> (__ffs((int)rest) - 1) & 1) << i;
        }
        return packed;
    }
    template <class T> __device__ T from(T v, unsigned int rank) const
    {
        return details::shuffle(mask_, v, rank < size_ ? lane_of(rank) : details::lane(), 32,
                                __cdp_shfl_idx);
    }

  public:
    __device__ explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                        unsigned int meta_size = 1)
        : thread_group(lanes_kind, mask, (unsigned int)__popc(mask),
                       (unsigned int)__popc(mask & ((1u << details::lane()) - 1))),
          meta_rank_(meta_rank), meta_size_(meta_size)
    {
    }
    __device__ unsigned int mask() const
    {
        return mask_;
    }
    __device__ void sync() const
    {
        __syncwarp(mask_);
    }
    __device__ unsigned int size() const
    {
        return size_;
    }
    __device__ unsigned int num_threads() const
    {
        return size_;
    }
    __device__ unsigned int thread_rank() const
    {
        return rank_;
    }
    __device__ unsigned int meta_group_rank() const
    {
        return meta_rank_;
    }
    __device__ unsigned int meta_group_size() const
    {
        return meta_size_;
    }
    template <class T> __device__ T shfl(T v, int rank) const
    {
        return from(v, (unsigned int)rank % size_);
    }
    /* Beyond the ends a thread keeps its own value. */
    template <class T> __device__ T shfl_up(T v, unsigned int d) const
    {
        return from(v, rank_ >= d ? rank_ - d : size_);
    }
    template <class T> __device__ T shfl_down(T v, unsigned int d) const
    {
        return from(v, rank_ + d);
    }
    template <class T> __device__ T shfl_xor(T v, unsigned int x) const
    {
        return from(v, rank_ ^ x);
    }
    __device__ int any(int predicate) const
    {
        return __any_sync(mask_, predicate);
    }
    __device__ int all(int predicate) const
    {
        return __all_sync(mask_, predicate);
    }
    __device__ unsigned int ballot(int predicate) const
    {
        return pack(__ballot_sync(mask_, predicate));
    }
    template <class T> __device__ unsigned int match_any(T v) const
    {
        return pack(__match_any_sync(mask_, v));
    }
    template <class T> __device__ unsigned int match_all(T v, int &predicate) const
    {
        return pack(__match_all_sync(mask_, v, &predicate));
    }
};
__device__ inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* Size consecutive threads of a block.  Above 32 there are only sync and ranks, and
 * the tile has a barrier of its own. */
template <unsigned int Size, class Parent = void> class thread_block_tile : public thread_group
{
    static_assert(Size && !(Size & (Size - 1)) && Size <= 1024, "a power of two up to 1024");
    __device__ static unsigned int first_lane()
    {
        return details::lane() & ~(Size - 1) & 31;
    }
    __device__ static unsigned int mask()
    {
        return Size >= 32 ? ~0u : ((1u << (Size & 31)) - 1) << first_lane();
    }
    __device__ thread_block_tile()
        : thread_group(lanes_kind, mask(), Size, details::thread_rank() & (Size - 1))
    {
    }
    template <unsigned int S, class P>
    friend __device__ thread_block_tile<S, P> tiled_partition(const P &parent);
    template <class T> __device__ T move(T v, unsigned int lane, int mode) const
    {
        static_assert(Size <= 32, "tiles above 32 threads cannot shuffle");
        return details::shuffle(mask(), v, lane, (int)Size, mode);
    }

  public:
    template <class Q>
    __device__ thread_block_tile(const thread_block_tile<Size, Q> &) : thread_block_tile()
    {
    }
    __device__ static void sync()
    {
        if (Size <= 32) {
            __syncwarp(mask());
        } else {
            __cdp_tile_sync(Size);
        }
    }
    __device__ static constexpr unsigned int size()
    {
        return Size;
    }
    __device__ static constexpr unsigned int num_threads()
    {
        return Size;
    }
    __device__ static unsigned int thread_rank()
    {
        return details::thread_rank() & (Size - 1);
    }
    __device__ static unsigned int meta_group_rank()
    {
        return details::thread_rank() / Size;
    }
    __device__ static unsigned int meta_group_size()
    {
        return (details::block_size() + Size - 1) / Size;
    }
    template <class T> __device__ T shfl(T v, int rank) const
    {
        return move(v, (unsigned int)rank, __cdp_shfl_idx);
    }
    template <class T> __device__ T shfl_up(T v, unsigned int d) const
    {
        return move(v, d, __cdp_shfl_up);
    }
    template <class T> __device__ T shfl_down(T v, unsigned int d) const
    {
        return move(v, d, __cdp_shfl_down);
    }
    template <class T> __device__ T shfl_xor(T v, unsigned int x) const
    {
        return move(v, x, __cdp_shfl_xor);
    }
    __device__ int any(int predicate) const
    {
        return __any_sync(mask(), predicate);
    }
    __device__ int all(int predicate) const
    {
        return __all_sync(mask(), predicate);
    }
    __device__ unsigned int ballot(int predicate) const
    {
        return (__ballot_sync(mask(), predicate) & mask()) >> first_lane();
    }
    template <class T> __device__ unsigned int match_any(T v) const
    {
        return (__match_any_sync(mask(), v) & mask()) >> first_lane();
    }
    template <class T> __device__ unsigned int match_all(T v, int &predicate) const
    {
        return (__match_all_sync(mask(), v, &predicate) & mask()) >> first_lane();
    }
};

/* ---- Partitions ---- */

template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}
__device__ inline thread_group tiled_partition(const thread_group &group, unsigned int size)
{
    const unsigned int first = details::lane() & ~(size - 1);
    return thread_group(thread_group::lanes_kind, size >= 32 ? ~0u : ((1u << size) - 1) << first,
                        size, group.rank_ % size);
}
__device__ inline coalesced_group tiled_partition(const coalesced_group &group, unsigned int size)
{
    const unsigned int mine = group.thread_rank() / size;
    unsigned int mask = 0, i = 0;
    for (unsigned int rest = group.mask(); rest; rest &= rest - 1, i++) {
        mask |= i / size == mine ? rest & (0 - rest) : 0;
    }
    return coalesced_group(mask, mine, (group.size() + size - 1) / size);
}
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group &, Label label)
{
    return coalesced_group(__match_any_sync(__activemask(), label));
}
template <class Group>
__device__ inline coalesced_group binary_partition(const Group &, bool predicate)
{
    const unsigned int active = __activemask(), yes = __ballot_sync(active, predicate);
    return coalesced_group(predicate ? yes : active & ~yes);
}

template <class Group> __device__ inline void sync(const Group &group)
{
    group.sync();
}
template <class Group>
__device__ inline auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <class Group>
__device__ inline auto group_size(const Group &group) -> decltype(group.size())
{
    return group.size();
}

/* ---- Collectives, over shuffles ---- */

template <class T> struct plus {
    __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <class T> struct less {
    __host__ __device__ T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};
template <class T> struct greater {
    __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
template <class T> struct bit_and {
    __host__ __device__ T operator()(T a, T b) const
    {
        return a & b;
    }
};
template <class T> struct bit_or {
    __host__ __device__ T operator()(T a, T b) const
    {
        return a | b;
    }
};
template <class T> struct bit_xor {
    __host__ __device__ T operator()(T a, T b) const
    {
        return a ^ b;
    }
};

template <class Group, class T, class Op> __device__ inline T reduce(const Group &group, T v, Op op)
{
    const unsigned int size = group.size(), rank = group.thread_rank();
    for (unsigned int d = 1; d < size; d <<= 1) {
        const T other = group.shfl_down(v, d);
        if (rank + d < size) {
            v = op(v, other);
        }
    }
    return group.shfl(v, 0);
}
template <class Group, class T> __device__ inline T reduce(const Group &group, T v)
{
    return reduce(group, v, plus<T>());
}
template <class Group, class T, class Op>
__device__ inline T inclusive_scan(const Group &group, T v, Op op)
{
    const unsigned int size = group.size(), rank = group.thread_rank();
    for (unsigned int d = 1; d < size; d <<= 1) {
        const T other = group.shfl_up(v, d);
        if (rank >= d) {
            v = op(other, v);
        }
    }
    return v;
}
template <class Group, class T> __device__ inline T inclusive_scan(const Group &group, T v)
{
    return inclusive_scan(group, v, plus<T>());
}
template <class Group, class T, class Op>
__device__ inline T exclusive_scan(const Group &group, T v, Op op)
{
    const T before = group.shfl_up(inclusive_scan(group, v, op), 1);
    return group.thread_rank() ? before : T();
}
template <class Group, class T> __device__ inline T exclusive_scan(const Group &group, T v)
{
    return exclusive_scan(group, v, plus<T>());
}
template <class Group, class F> __device__ inline void invoke_one(const Group &group, F f)
{
    if (group.thread_rank() == 0) {
        f();
    }
}

/* ---- Copies: complete at once, so that waiting is a barrier ---- */

template <class Group, class T>
__device__ inline void memcpy_async(const Group &group, T *dst, const T *src, size_t bytes)
{
    for (size_t i = group.thread_rank(); i < bytes; i += group.size()) {
        ((char *)dst)[i] = ((const char *)src)[i];
    }
}
template <class Group, class T>
__device__ inline void memcpy_async(const Group &group, T *dst, size_t dst_count, const T *src,
                                    size_t src_count)
{
    const size_t count = dst_count < src_count ? dst_count : src_count;
    for (size_t i = group.thread_rank(); i < count; i += group.size()) {
        dst[i] = src[i];
    }
}
template <class Group> __device__ inline void wait(const Group &group)
{
    group.sync();
}
template <unsigned int N, class Group> __device__ inline void wait_prior(const Group &group)
{
    group.sync();
}

namespace experimental
{
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
} // namespace experimental

} // namespace cooperative_groups

#pragma clang attribute pop
#pragma clang attribute pop

#endif
