/* Cooperative groups over the block's barrier and the warp operations: blocks,
 * tiles, coalesced threads, grids, clusters, and the collectives on them. */
#ifndef __CDP_COOPERATIVE_GROUPS_H
#define __CDP_COOPERATIVE_GROUPS_H

#include "cdp/hide.h"

#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

/* As in cdp/sync.h: a waiting thread is at the program's own line. */
#define __CDP_MEMBER __device__ __CDP_PART

namespace cooperative_groups
{

namespace __details
{
__CDP_PART_INLINE unsigned int thread_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__CDP_PART_INLINE unsigned int __block_size()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
__CDP_PART_INLINE unsigned int block_rank()
{
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__CDP_PART_INLINE unsigned int __grid_blocks()
{
    return gridDim.x * gridDim.y * gridDim.z;
}
__CDP_PART_INLINE unsigned int __lane()
{
    return __cdp_laneid();
}

/* Any type, word by word. */
template <class __T>
__CDP_MEMBER inline __T __shuffle(unsigned int __mask, __T __v, unsigned int __lane, int __width,
                                  int __mode)
{
    constexpr unsigned int __words = (sizeof(__T) + 3) / 4;
    unsigned int __word[__words] = {};
    __builtin_memcpy(__word, (const void *)&__v, sizeof(__T));
    for (unsigned int __i = 0; __i < __words; __i++) {
        __word[__i] = __cdp_shfl(__mask, __word[__i], __lane, __width, __mode);
    }
    __builtin_memcpy((void *)&__v, __word, sizeof(__T));
    return __v;
}

/* Memory for values that the warps of a large tile exchange: a place for each warp of the block. A
 * user first writes the place of its own warp, or the first one of its tile, and ends with a
 * barrier of the tile. So no thread writes a place that others still read. */
template <class __T> __CDP_MEMBER inline __T *__places()
{
    __shared__ __align__(16) unsigned char __bytes[32 * sizeof(__T)];
    return (__T *)__bytes;
}

/* The threads of a group that is divided into tiles. */
template <class __Parent> struct __span {
    __CDP_MEMBER static unsigned int __threads()
    {
        return __block_size();
    }
    __CDP_MEMBER static unsigned int __rank()
    {
        return thread_rank();
    }
};
} // namespace __details

/* ---- Groups ---- */

/* The parameter type of functions that accept any group: a block or some lanes of a warp. */
class thread_group
{
  protected:
    enum __kind { __block_kind, __tile_kind, __lanes_kind, __cluster_kind };
    __kind __kind_;
    unsigned int __mask_, __size_, __rank_;
    __CDP_MEMBER thread_group(__kind __k, unsigned int __mask, unsigned int size,
                              unsigned int __rank)
        : __kind_(__k), __mask_(__mask), __size_(size), __rank_(__rank)
    {
    }
    friend __CDP_MEMBER inline thread_group tiled_partition(const thread_group &__group,
                                                            unsigned int size);

  public:
    thread_group() = default;
    __CDP_MEMBER void sync() const
    {
        if (__kind_ == __block_kind) {
            __syncthreads();
        } else if (__kind_ == __tile_kind) {
            __cdp_tile_sync(__size_);
#ifdef __CDP_CLUSTER_HERE
        } else if (__kind_ == __cluster_kind) {
            __cluster_barrier_arrive();
            __cluster_barrier_wait();
#endif
        } else {
            __syncwarp(__mask_);
        }
    }
    __CDP_MEMBER unsigned long long size() const
    {
        return __size_;
    }
    __CDP_MEMBER unsigned long long num_threads() const
    {
        return __size_;
    }
    __CDP_MEMBER unsigned long long thread_rank() const
    {
        return __rank_;
    }
    __CDP_MEMBER bool is_valid() const
    {
        return true;
    }
    /* Of a group within a warp. */
    __CDP_MEMBER unsigned int __lanes() const
    {
        return __kind_ == __lanes_kind ? __mask_ : __activemask();
    }
};

class thread_block : public thread_group
{
    __CDP_MEMBER thread_block()
        : thread_group(__block_kind, 0, __details::__block_size(), __details::thread_rank())
    {
    }
    friend __CDP_MEMBER inline thread_block this_thread_block();

  public:
    struct arrival_token {
    };
    __CDP_MEMBER static void sync()
    {
        __syncthreads();
    }
    __CDP_MEMBER arrival_token barrier_arrive() const
    {
        return {};
    }
    __CDP_MEMBER void barrier_wait(arrival_token &&) const
    {
        __syncthreads();
    }
    __CDP_MEMBER static unsigned int size()
    {
        return __details::__block_size();
    }
    __CDP_MEMBER static unsigned int num_threads()
    {
        return __details::__block_size();
    }
    __CDP_MEMBER static unsigned int thread_rank()
    {
        return __details::thread_rank();
    }
    __CDP_MEMBER static dim3 group_index()
    {
        return blockIdx;
    }
    __CDP_MEMBER static dim3 thread_index()
    {
        return threadIdx;
    }
    __CDP_MEMBER static dim3 group_dim()
    {
        return blockDim;
    }
    __CDP_MEMBER static dim3 dim_threads()
    {
        return blockDim;
    }
};
__CDP_MEMBER inline thread_block this_thread_block()
{
    return thread_block();
}
template <unsigned int __N = 1024> struct block_tile_memory {
    char __unused[8];
};
template <unsigned int __N>
__CDP_MEMBER inline thread_block this_thread_block(block_tile_memory<__N> &)
{
    return this_thread_block();
}

} // namespace cooperative_groups
#include "cdp/wide_groups.h"
namespace cooperative_groups
{

/* Some lanes of one warp.  Ranks count the set bits of the mask. */
class coalesced_group : public thread_group
{
    unsigned int __meta_rank_ = 0, __meta_size_ = 1;

    __CDP_MEMBER unsigned int __lane_of(unsigned int __rank) const
    {
        unsigned int __rest = __mask_;
        for (; __rank && __rest; __rank--) {
            __rest &= __rest - 1;
        }
        return __rest ? (unsigned int)__ffs((int)__rest) - 1 : __details::__lane();
    }
    /* The bits of the group's lanes, moved together. */
    __CDP_MEMBER unsigned int __pack(unsigned int __bits) const
    {
        unsigned int __packed = 0, __i = 0;
        for (unsigned int __rest = __mask_; __rest; __rest &= __rest - 1, __i++) {
            __packed |= (__bits >> (__ffs((int)__rest) - 1) & 1) << __i;
        }
        return __packed;
    }
    template <class __T> __CDP_MEMBER __T __from(__T __v, unsigned int __rank) const
    {
        return __details::__shuffle(__mask_, __v,
                                    __rank < __size_ ? __lane_of(__rank) : __details::__lane(), 32,
                                    __cdp_shfl_idx);
    }

  public:
    __CDP_MEMBER explicit coalesced_group(unsigned int __mask, unsigned int __meta_rank = 0,
                                          unsigned int __meta_size = 1)
        : thread_group(__lanes_kind, __mask, (unsigned int)__popc(__mask),
                       (unsigned int)__popc(__mask & ((1u << __details::__lane()) - 1))),
          __meta_rank_(__meta_rank), __meta_size_(__meta_size)
    {
    }
    __CDP_MEMBER unsigned int __mask() const
    {
        return __mask_;
    }
    __CDP_MEMBER void sync() const
    {
        __syncwarp(__mask_);
    }
    __CDP_MEMBER unsigned int size() const
    {
        return __size_;
    }
    __CDP_MEMBER unsigned int num_threads() const
    {
        return __size_;
    }
    __CDP_MEMBER unsigned int thread_rank() const
    {
        return __rank_;
    }
    __CDP_MEMBER unsigned int meta_group_rank() const
    {
        return __meta_rank_;
    }
    __CDP_MEMBER unsigned int meta_group_size() const
    {
        return __meta_size_;
    }
    template <class __T> __CDP_MEMBER __T shfl(__T __v, int __rank) const
    {
        return __from(__v, (unsigned int)__rank % __size_);
    }
    /* Beyond the ends a thread keeps its own value. */
    template <class __T> __CDP_MEMBER __T shfl_up(__T __v, unsigned int __d) const
    {
        return __from(__v, __rank_ >= __d ? __rank_ - __d : __size_);
    }
    template <class __T> __CDP_MEMBER __T shfl_down(__T __v, unsigned int __d) const
    {
        return __from(__v, __rank_ + __d);
    }
    template <class __T> __CDP_MEMBER __T shfl_xor(__T __v, unsigned int x) const
    {
        return __from(__v, __rank_ ^ x);
    }
    __CDP_MEMBER int any(int __predicate) const
    {
        return __any_sync(__mask_, __predicate);
    }
    __CDP_MEMBER int all(int __predicate) const
    {
        return __all_sync(__mask_, __predicate);
    }
    __CDP_MEMBER unsigned int ballot(int __predicate) const
    {
        return __pack(__ballot_sync(__mask_, __predicate));
    }
    template <class __T> __CDP_MEMBER unsigned int match_any(__T __v) const
    {
        return __pack(__match_any_sync(__mask_, __v));
    }
    template <class __T> __CDP_MEMBER unsigned int match_all(__T __v, int &__predicate) const
    {
        return __pack(__match_all_sync(__mask_, __v, &__predicate));
    }
};
__CDP_MEMBER inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* Size consecutive threads of a block. A tile above 32 threads has a barrier of its own, and its
 * warps exchange values in shared memory. */
template <unsigned int __Size, class __Parent = void> class thread_block_tile : public thread_group
{
    static_assert(__Size && !(__Size & (__Size - 1)) && __Size <= 1024,
                  "a power of two up to 1024");
    unsigned int __meta_rank, __meta_size;

    __CDP_MEMBER static unsigned int __first_lane()
    {
        return __details::__lane() & ~(__Size - 1) & 31;
    }
    __CDP_MEMBER static unsigned int __mask()
    {
        return __Size >= 32 ? ~0u : ((1u << (__Size & 31)) - 1) << __first_lane();
    }
    __CDP_MEMBER static unsigned int __first_warp()
    {
        return __details::thread_rank() / __Size * (__Size / 32);
    }
    __CDP_MEMBER thread_block_tile(unsigned int __meta_rank, unsigned int __meta_size)
        : thread_group(__Size > 32 ? __tile_kind : __lanes_kind, __mask(), __Size,
                       __details::thread_rank() & (__Size - 1)),
          __meta_rank(__meta_rank), __meta_size(__meta_size)
    {
    }
    __CDP_MEMBER thread_block_tile()
        : thread_block_tile(__details::__span<__Parent>::__rank() / __Size,
                            (__details::__span<__Parent>::__threads() + __Size - 1) / __Size)
    {
    }
    template <unsigned int __S, class __P>
    friend __CDP_MEMBER thread_block_tile<__S, __P> tiled_partition(const __P &__parent);
    template <unsigned int __S, class __P> friend class thread_block_tile;
    template <class __T> __CDP_MEMBER __T __move(__T __v, unsigned int __lane, int __mode) const
    {
        static_assert(__Size <= 32, "tiles above 32 threads have no such shuffle");
        return __details::__shuffle(__mask(), __v, __lane, (int)__Size, __mode);
    }
    /* One bit of each warp: the number of the tile's warps in which it is set. */
    __CDP_MEMBER unsigned int __warps_with(bool __bit) const
    {
        unsigned int *const __places = __details::__places<unsigned int>() + __first_warp();
        unsigned int __count = 0;
        __places[thread_rank() / 32] = __bit;
        sync();
        for (unsigned int __i = 0; __i < __Size / 32; __i++) {
            __count += __places[__i];
        }
        sync();
        return __count;
    }

  public:
    template <class __Q>
    __CDP_MEMBER thread_block_tile(const thread_block_tile<__Size, __Q> &__other)
        : thread_block_tile(__other.__meta_rank, __other.__meta_size)
    {
    }
    __CDP_MEMBER static void sync()
    {
        if (__Size <= 32) {
            __syncwarp(__mask());
        } else {
            __cdp_tile_sync(__Size);
        }
    }
    __CDP_MEMBER static constexpr unsigned int size()
    {
        return __Size;
    }
    __CDP_MEMBER static constexpr unsigned int num_threads()
    {
        return __Size;
    }
    __CDP_MEMBER static unsigned int thread_rank()
    {
        return __details::thread_rank() & (__Size - 1);
    }
    __CDP_MEMBER unsigned int meta_group_rank() const
    {
        return __meta_rank;
    }
    __CDP_MEMBER unsigned int meta_group_size() const
    {
        return __meta_size;
    }
    /* In a large tile all threads must name the same rank. */
    template <class __T> __CDP_MEMBER __T shfl(__T __v, int __rank) const
    {
        if (__Size <= 32) {
            return __details::__shuffle(__mask(), __v, (unsigned int)__rank, (int)__Size,
                                        __cdp_shfl_idx);
        }
        __T *const __place = __details::__places<__T>() + __first_warp();
        if (thread_rank() == ((unsigned int)__rank & (__Size - 1))) {
            __builtin_memcpy((void *)__place, (const void *)&__v, sizeof(__T));
        }
        sync();
        __builtin_memcpy((void *)&__v, (const void *)__place, sizeof(__T));
        sync();
        return __v;
    }
    template <class __T> __CDP_MEMBER __T shfl_up(__T __v, unsigned int __d) const
    {
        return __move(__v, __d, __cdp_shfl_up);
    }
    template <class __T> __CDP_MEMBER __T shfl_down(__T __v, unsigned int __d) const
    {
        return __move(__v, __d, __cdp_shfl_down);
    }
    template <class __T> __CDP_MEMBER __T shfl_xor(__T __v, unsigned int x) const
    {
        return __move(__v, x, __cdp_shfl_xor);
    }
    __CDP_MEMBER int any(int __predicate) const
    {
        const bool __any = __any_sync(__mask(), __predicate);
        return __Size <= 32 ? __any : __warps_with(__any) != 0;
    }
    __CDP_MEMBER int all(int __predicate) const
    {
        const bool __all = __all_sync(__mask(), __predicate);
        return __Size <= 32 ? __all : __warps_with(__all) == __Size / 32;
    }
    __CDP_MEMBER unsigned int ballot(int __predicate) const
    {
        static_assert(__Size <= 32, "tiles above 32 threads have no ballot");
        return (__ballot_sync(__mask(), __predicate) & __mask()) >> __first_lane();
    }
    template <class __T> __CDP_MEMBER unsigned int match_any(__T __v) const
    {
        static_assert(__Size <= 32, "tiles above 32 threads have no match_any");
        return (__match_any_sync(__mask(), __v) & __mask()) >> __first_lane();
    }
    template <class __T> __CDP_MEMBER unsigned int match_all(__T __v, int &__predicate) const
    {
        static_assert(__Size <= 32, "tiles above 32 threads have no match_all");
        return (__match_all_sync(__mask(), __v, &__predicate) & __mask()) >> __first_lane();
    }
    /* Private to cdpcc, for collectives on large tiles: the thread's warp as a tile, and the places
     * of the tile's warps. */
    __CDP_MEMBER thread_block_tile<32, thread_block_tile> __warp() const
    {
        return thread_block_tile<32, thread_block_tile>();
    }
    template <class __T> __CDP_MEMBER __T *__warp_places() const
    {
        return __details::__places<__T>() + __first_warp();
    }
};

namespace __details
{
template <unsigned int __Size, class __Parent> struct __span<thread_block_tile<__Size, __Parent>> {
    __CDP_MEMBER static unsigned int __threads()
    {
        return __Size;
    }
    __CDP_MEMBER static unsigned int __rank()
    {
        return thread_rank() & (__Size - 1);
    }
};
} // namespace __details

/* ---- Partitions ---- */

template <unsigned int __Size, class __Parent>
__CDP_MEMBER thread_block_tile<__Size, __Parent> tiled_partition(const __Parent &)
{
    return thread_block_tile<__Size, __Parent>();
}
__CDP_MEMBER inline thread_group tiled_partition(const thread_group &__group, unsigned int size)
{
    const unsigned int __first = __details::__lane() & ~(size - 1);
    return thread_group(thread_group::__lanes_kind,
                        size >= 32 ? ~0u : ((1u << size) - 1) << __first, size,
                        __group.__rank_ % size);
}
__CDP_MEMBER inline coalesced_group tiled_partition(const coalesced_group &__group,
                                                    unsigned int size)
{
    const unsigned int __mine = __group.thread_rank() / size;
    unsigned int __mask = 0, __i = 0;
    for (unsigned int __rest = __group.__mask(); __rest; __rest &= __rest - 1, __i++) {
        __mask |= __i / size == __mine ? __rest & (0 - __rest) : 0;
    }
    return coalesced_group(__mask, __mine, (__group.size() + size - 1) / size);
}
/* The groups of a partition are numbered by their lowest lanes. */
template <class __Group, class __Label>
__CDP_MEMBER inline coalesced_group labeled_partition(const __Group &__group, __Label __label)
{
    const unsigned int __mask = __match_any_sync(__group.__lanes(), __label);
    const unsigned int __lowest = __mask & (0 - __mask);
    const unsigned int __all_lowest =
        __ballot_sync(__group.__lanes(), __lowest == 1u << __details::__lane());
    return coalesced_group(__mask, (unsigned int)__popc(__all_lowest & (__lowest - 1)),
                           (unsigned int)__popc(__all_lowest));
}
/* Of two groups, that of the threads whose predicate is true has number 1. */
template <class __Group>
__CDP_MEMBER inline coalesced_group binary_partition(const __Group &__group, bool __predicate)
{
    const unsigned int __mask = __match_any_sync(__group.__lanes(), (int)__predicate);
    const bool __is_all = __mask == __group.__lanes();
    return coalesced_group(__mask, !__is_all && __predicate, __is_all ? 1 : 2);
}
template <class __Group>
__CDP_MEMBER inline coalesced_group labeled_partition(const __Group &__group, bool __label)
{
    return binary_partition(__group, __label);
}

template <class __Group> __CDP_MEMBER inline void sync(const __Group &__group)
{
    __group.sync();
}
template <class __Group>
__CDP_MEMBER inline auto thread_rank(const __Group &__group) -> decltype(__group.thread_rank())
{
    return __group.thread_rank();
}
template <class __Group>
__CDP_MEMBER inline auto group_size(const __Group &__group) -> decltype(__group.size())
{
    return __group.size();
}

/* ---- Copies: complete at once, so a wait is a barrier ---- */

template <class __Group, class __T>
__CDP_MEMBER inline void memcpy_async(const __Group &__group, __T *__dst, const __T *__src,
                                      size_t __bytes)
{
    for (size_t __i = __group.thread_rank(); __i < __bytes; __i += __group.size()) {
        ((char *)__dst)[__i] = ((const char *)__src)[__i];
    }
}
template <class __Group, class __T>
__CDP_MEMBER inline void memcpy_async(const __Group &__group, __T *__dst, size_t __dst_count,
                                      const __T *__src, size_t __src_count)
{
    const size_t __count = __dst_count < __src_count ? __dst_count : __src_count;
    for (size_t __i = __group.thread_rank(); __i < __count; __i += __group.size()) {
        __dst[__i] = __src[__i];
    }
}
template <class __Group> __CDP_MEMBER inline void wait(const __Group &__group)
{
    __group.sync();
}
template <unsigned int __N, class __Group>
__CDP_MEMBER inline void wait_prior(const __Group &__group)
{
    __group.sync();
}

} // namespace cooperative_groups

#include "cdp/collectives.h"

namespace cooperative_groups
{
namespace experimental
{
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
} // namespace experimental

} // namespace cooperative_groups

#undef __CDP_MEMBER

#include "cdp/show.h"

#endif
