#!/usr/bin/env bash
# A program may have macros of any name but those that CUDA, C and C++ own: the headers compile
# while every other name in them is a macro whose value fits nowhere.  docs/headers.md has the
# rule for names.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/../scripts/common.sh"
compat=$top/compat

# ---- What CUDA owns ----

# Names known by their form: of the APIs, of vector types and what makes them, of atomics and
# textures.
forms='^(cuda|nccl|NCCL_|cu[A-Z]|CU[A-Z_]|CU[a-z]|CCCL_|nvtx|_?nvrtc|NVRTC_|nvJitLink|NVJITLINK_|nvml|NVML_|make_|atomic[A-Z]|tex[123C]|surf[123C]).*'
forms+='|^u?(char|short|int|long|longlong)[1-4]$|^(float|double)[1-4]$|^dim3$'
forms+='|^(u?long|u?longlong|double)4_(16|32)a$|^(texture|surface)(Reference)?$'
# These files hold what CUDA documents and nothing else: structures, their members, constants.
type_files='driver_types.h cdp/external_types.h cdp/cu_external_types.h cdp/cu_external.h cdp/cu_batch.h cdp/cu_array_parts.h cdp/array_parts.h cdp/notification_api.h cdp/cu_multicast.h cdp/launch_types.h cdp/batch_types.h cdp/nvml_absent.h cdp/nvml_board.h cdp/graph_types.h cdp/library_types.h cdp/cu_library.h cdp/cu_types.h cdp/cu_attributes.h cdp/cu_mapping.h cdp/cu_tensor.h cdp/cu_array_types.h cdp/cu_reference.h cdp/cu_mem_op_types.h cdp/nvtx_types.h
    cdp/occupancy_types.h cdp/cu_graph_types.h cdp/cu_launch.h nvml.h texture_types.h library_types.h math_constants.h'
functions='threadIdx blockIdx blockDim gridDim warpSize x y z w clock64 mul24 umul24 mulhi umulhi
    saturate min max umin umax llmin llmax ullmin ullmax sinpi cospi sincospi sinpif cospif
    sincospif sincos sincosf rsqrt rcbrt rhypot norm3d norm4d rnorm3d rnorm4d norm rnorm rsqrtf
    rcbrtf rhypotf norm3df norm4df normf rnormf rnorm3df rnorm4df erfcx normcdf normcdfinv erfinv
    erfcinv erfcxf normcdff normcdfinvf erfinvf erfcinvf cyl_bessel_i0 cyl_bessel_i1
    cyl_bessel_i0f cyl_bessel_i1f exp10 exp10f fdividef fdivide j0 j1 jn jnf y0 y1 yn ynf'
# Of headers that are not included automatically.
half='half half2 nv_half nv_half2 nv_bfloat16 nv_bfloat162'
groups='cooperative_groups experimental thread_group thread_block thread_block_tile coalesced_group
    grid_group cluster_group this_cluster query_shared_rank map_shared_rank dim_clusters num_clusters
    cluster_index cluster_rank block_tile_memory this_thread_block this_grid coalesced_threads tiled_partition
    labeled_partition binary_partition sync size num_threads thread_rank group_size is_valid
    arrival_token barrier_arrive barrier_wait group_index thread_index group_dim dim_threads
    dim_blocks num_blocks block_rank block_index meta_group_rank meta_group_size shfl shfl_up
    shfl_down shfl_xor any all ballot match_any match_all plus less greater bit_and bit_or bit_xor
    reduce inclusive_scan exclusive_scan inclusive_scan_update exclusive_scan_update
    reduce_store_async reduce_update_async invoke_one invoke_one_broadcast wait wait_prior
    memcpy_async'
matrices='nvcuda wmma row_major col_major matrix_a matrix_b accumulator precision tf32 experimental u4
    s4 b1 layout_t mem_row_major mem_col_major helper_traits element_type storage_element_type
    fill_argument_type num_elements num_storage_elements fragment fill_fragment load_matrix_sync
    store_matrix_sync mma_sync bmma_sync bmmaBitOp bmmaBitOpXOR bmmaBitOpAND bmmaAccumulateOp
    bmmaAccumulateOpPOPC'
# Members of nccl.h's structures.
nccl='internal magic version blocking cgaClusterSize minCTAs maxCTAs netName splitShare trafficClass
    commName collnetEnable CTAPolicy shrinkShare nvlsCTAs nChannelsPerNetPeer nvlinkCentricSched'
# nvcuda::experimental's barrier and pipeline, and what PTX has in a string.
stages='awbarrier arrival_token pending_count arrive arrive_and_drop wait arrive_and_wait try_wait
    try_wait_parity timed_wait timed_wait_parity max init inval pipeline commit commit_and_wait
    wait_prior arrive_on memcpy_async segment'
# Members of std::atomic, and so of cuda::atomic.
atomics='load store compare_exchange_weak'
# cdpcc's own interface for kernels in C, <cdp/embed.h>.
embed='_ffi_type name function types type_count shared_size max_threads block_function thread block
    block_dim grid_dim cdp_embed_kernel cdp_embed_index cdp_embed_register cdp_embed_shared
    cdp_embed_dynamic_shared cdp_abi_syncthreads cdp_abi_printf cdp_abi_trap
    cdp_abi_cudaGetParameterBuffer cdp_abi_cudaLaunchDevice cdp_abi_cudaDeviceSynchronize
    cdp_abi_cudaGetLastError cdp_abi_cudaMalloc cdp_abi_cudaFree'

# ---- The names in texts ----

names() { # names: those on standard input, without literals, once each
    sed -E "s/\"([^\"\\\\]|\\\\.)*\"//g; s/'([^'\\\\]|\\\\.)'//g" |
        grep -oE '\b[A-Za-z_][A-Za-z0-9_]*' | sort -u
}
names_of_files() { # names_of_files FILE...: all branches, without comments and file names
    cat "$@" | sed -E ':all; N; $!ball; s:/\*([^*]|\*+[^*/])*\*+/: :g' |
        sed -E 's://.*::; s/^ *# *(include|error).*//' | names
}
# The contents of headers that are not ours, as they are read: C's, C++'s and the compiler's.
names_of_libraries() { # names_of_libraries SOURCE
    local side
    for side in host device; do
        "$CDPCC" -D__CDP_REFERENCES -E --cuda-$side-only "$1" | awk -v ours="/$(basename "$include")/" '
            /^# [0-9]+ "/ { split($0, part, "\""); skip = index(part[2], ours) || part[2] ~ /^</; next }
            !skip'
    done | names
}
keywords() {
    tr ' ' '\n' <<<'alignas alignof asm auto bool break case catch char class const constexpr
        const_cast continue decltype default delete do double dynamic_cast else enum explicit
        export extern false float for friend goto if inline int long mutable namespace new
        noexcept nullptr operator private protected public register reinterpret_cast return
        short signed sizeof static static_assert static_cast struct switch template this throw
        true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
        define undef ifdef ifndef endif elif defined pragma include' | grep .
}

# Writes SOURCE.rsp: a macro for each name in our headers that SOURCE includes but the owned.
make_macros() { # make_macros SOURCE OWNED
    local ours owned=$2 macros=$work/$(basename "$1").rsp
    mapfile -t ours < <("$CDPCC" -D__CDP_REFERENCES -M "$1" | tr ' \\' '\n\n' | grep "^$include/")
    # shellcheck disable=SC2086
    {
        keywords
        tr ' ' '\n' <<<"$owned" | grep .
        (cd "$compat" && names_of_files $type_files)
        names_of_libraries "$1"
        # The headers hide these from macros by themselves.
        sed -n 's/^#pragma push_macro("\(.*\)")/-\1/p' "${ours[@]}"
    } | sort -u >"$work/owned"
    sed -n 's/^-//p' "$work/owned" | sort -u >"$work/hidden"
    comm -23 "$work/owned" "$work/hidden" >"$work/excluded"
    names_of_files "${ours[@]}" | grep -vE "^_[A-Z_]|$forms" | comm -23 - "$work/excluded" |
        sed 's/.*/"-D&=0 0"/' >"$macros"
    wc -l <"$macros"
}

include=$(readlink -f "$(dirname "$CDPCC")/..")/include/cdpcc
# CUDA's own words in a program whose names are no macros.
cat >"$work/own.cu" <<'CU'
__managed__ int __managed;
__constant__ int __constant;
__device__ int __device;
__host__ __device__ __forceinline__ int __both() { return 1; }
__launch_bounds__(32) __global__ void __kernel()
{
    extern __shared__ int __dynamic[];
    __shared__ __align__(16) int __shared;
    __shared = __dynamic[0] + __constant + __both();
    __managed = atomicAdd(&__device, __shared) + __double2ll_rd(0.5) + __popc(7u);
}
int main() { __kernel<<<1, 1, 4>>>(); return cudaDeviceSynchronize(); }
CU
{ # all of the public headers
    (cd "$compat" && find . -name '*.h' ! -path './absent/*' ! -name per_thread.h ! -name hide.h ! -name show.h ! -name collectives.h ! -name operators.h ! -name "wmma*.h" \
        ! -name references.h ! -name "rtc*.h") | sed 's|^\./\(.*\)|#include <\1>|'
    cat "$work/own.cu"
} >"$work/all.cu"

compiles() { # compiles SOURCE: also what the compiler reads of pragmas is free of them
    "$CDPCC" -D__CDP_REFERENCES "@$1.rsp" -c "$1" -o "$1.o"
}
# No macro reaches into the text, not even into names that are pasted together.
unchanged() { # unchanged SOURCE SIDE
    "$CDPCC" -D__CDP_REFERENCES -E --cuda-"$2"-only "$1" | grep -v '^# 1 "<command line>"' >"$work/plain.ii"
    "$CDPCC" -D__CDP_REFERENCES -E --cuda-"$2"-only "@$1.rsp" "$1" | grep -v '^# 1 "<command line>"' >"$work/macros.ii"
    [ -s "$work/plain.ii" ] && cmp -s "$work/plain.ii" "$work/macros.ii" && return
    diff "$work/plain.ii" "$work/macros.ii" | cut -c1-200
    return 1
}
for source in own all; do
    owned=$functions
    [ $source = own ] || owned="$functions $half $groups $matrices $stages $nccl $atomics $embed"
    count=$(make_macros "$work/$source.cu" "$owned")
    check "there are names for macros, $source" [ "${count:-0}" -gt 100 ]
    check "$count macros, $source" compiles "$work/$source.cu"
    check "$count macros change nothing of the host side, $source" unchanged "$work/$source.cu" host
    check "$count macros change nothing of the device side, $source" unchanged "$work/$source.cu" device
done

# What programs have by the command line, one by one.
common='A B C D I K L M N P Q R S T U V X Y a b c d e f i j k l m n p q r s t u v size data count
    value width height length mask lane src dst source target node stream block grid
    threads blocks num max_threads mode kind type op func function args list state result error
    status flags bits word words key offset begin end push pop get set property off on fast'
for word in $common; do
    printf -- '-D%s=256 ' "$word"
done >"$work/common.rsp"
by_the_command_line() {
    "$CDPCC" "@$work/common.rsp" -c "$work/own.cu" -o "$work/common.o"
}
check "common macros, for example A, P, S, n, size and data" by_the_command_line
finish
