// cdpcc: -arch=sm_90a
// workers: 1 2
/* Copies of tensors by tensor maps (cp.async.bulk.tensor and its kin): boxes inside and outside of
 * the tensor, every swizzle, convolutions (im2col), stores, reductions, and maps that kernels
 * change. An H200 printed the same. */
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

enum { SHARED = 65536, SOURCE = 1 << 20, NOTHING = 0xeeeeeeee };

struct position {
    int at[5];
    unsigned short offsets[3];
};
struct tensor {
    CUtensorMapDataType type;
    int rank;
    cuuint64_t sizes[5], strides[4];
    cuuint32_t box[5], steps[5];
    CUtensorMapSwizzle swizzle;
    CUtensorMapFloatOOBfill fill;
};

static PFN_cuTensorMapEncodeTiled_v12000 encode_tiled;
static PFN_cuTensorMapEncodeIm2col encode_im2col;
static unsigned *source, *loaded;
__device__ int is_over;

/* ---- Kernels ---- */

__device__ unsigned narrow(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
__device__ unsigned char *aligned(unsigned char *raw)
{
    return raw + (1024 - narrow(raw) % 1024) % 1024;
}

#define LOAD(KIND, RANK, COORDINATES, MORE)                                                        \
    asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global." KIND                      \
                 ".mbarrier::complete_tx::bytes [%0], [%1, {" COORDINATES "}], [%2]" MORE          \
                 ";" ::"r"(to),                                                                    \
                 "l"(map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]),    \
                 "h"(o[0]), "h"(o[1]), "h"(o[2])                                                   \
                 : "memory")

__device__ void issue(const CUtensorMap *map, int kind, const position &p, unsigned to,
                      unsigned barrier)
{
    const int *c = p.at;
    const unsigned short *o = p.offsets;
    switch (kind) {
    case 1:
        LOAD("tile", "1d", "%3", "");
        break;
    case 2:
        LOAD("tile", "2d", "%3, %4", "");
        break;
    case 3:
        LOAD("tile", "3d", "%3, %4, %5", "");
        break;
    case 4:
        LOAD("tile", "4d", "%3, %4, %5, %6", "");
        break;
    case 5:
        LOAD("tile", "5d", "%3, %4, %5, %6, %7", "");
        break;
    case 13:
        LOAD("im2col", "3d", "%3, %4, %5", ", {%8}");
        break;
    case 14:
        LOAD("im2col", "4d", "%3, %4, %5, %6", ", {%8, %9}");
        break;
    case 15:
        LOAD("im2col", "5d", "%3, %4, %5, %6, %7", ", {%8, %9, %10}");
        break;
    }
}

/* Loads a box, and writes the shared memory with it to out. is_over: the barrier got all bytes. */
__device__ void load_box(const CUtensorMap *map, int kind, const position &p, int bytes, int shift,
                         unsigned *out)
{
    extern __shared__ unsigned char raw[];
    __shared__ uint64_t barrier;
    unsigned *const data = (unsigned *)aligned(raw);
    for (unsigned i = threadIdx.x; i < SHARED / 4; i += blockDim.x) {
        data[i] = NOTHING;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned b = narrow(&barrier);
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(bytes)
                     : "memory");
        issue(map, kind, p, narrow(data) + shift, b);
        int over = 0;
        for (int i = 0; i < 1000 && !over; i++) {
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; "
                         "selp.u32 %0, 1, 0, p; }"
                         : "=r"(over)
                         : "r"(b)
                         : "memory");
            if (!over) {
                __nanosleep(1000);
            }
        }
        is_over = over;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < SHARED / 4; i += blockDim.x) {
        out[i] = data[i];
    }
}
__global__ void load(const __grid_constant__ CUtensorMap map, int kind, position p, int bytes,
                     int shift, unsigned *out)
{
    load_box(&map, kind, p, bytes, shift, out);
}
__global__ void load_by(const CUtensorMap *map, int kind, position p, int bytes, unsigned *out)
{
    load_box(map, kind, p, bytes, 0, out);
}

#define STORE(OPCODE, RANK, COORDINATES)                                                           \
    asm volatile(OPCODE ".async.bulk.tensor." RANK " [%0, {" COORDINATES "}], [%1];" ::"l"(&map),  \
                 "r"(from), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]), "r"(p.at[4])   \
                 : "memory")
#define REDUCE(WORD)                                                                               \
    STORE("cp.reduce", "2d.global.shared::cta." WORD ".tile.bulk_group", "%2, %3");                \
    break

__device__ void fill(unsigned char *data, int kind)
{
    for (int i = threadIdx.x; i < SHARED / 8; i += blockDim.x) {
        switch (kind) {
        case 0:
            ((uint2 *)data)[i] = make_uint2(0x10000u + 2 * i, 0x10001u + 2 * i);
            break;
        case 1:
            ((float2 *)data)[i] =
                make_float2(2 * i % 37 - 8.5f, (2 * i + 1) % 37 - 8.5f);
            break;
        case 2: /* halves */
            ((uint2 *)data)[i] = make_uint2(0x3c004000u + 2 * i % 5, 0x3c004000u + (2 * i + 1) % 5);
            break;
        case 3:
            ((unsigned long long *)data)[i] = 0x100000005ull * (i % 11);
            break;
        case 4:
            ((double *)data)[i] = 0.25 * (i % 13) - 1;
            break;
        }
    }
}
__global__ void store(const __grid_constant__ CUtensorMap map, int rank, position p, int operation,
                      int kind)
{
    extern __shared__ unsigned char raw[];
    unsigned char *const data = aligned(raw);
    fill(data, kind);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0) {
        return;
    }
    const unsigned from = narrow(data);
    switch (operation) {
    case 0:
        if (rank == 1) {
            STORE("cp", "1d.global.shared::cta.tile.bulk_group", "%2");
        } else if (rank == 2) {
            STORE("cp", "2d.global.shared::cta.bulk_group", "%2, %3");
        } else {
            STORE("cp", "5d.global.shared::cta.tile.bulk_group", "%2, %3, %4, %5, %6");
        }
        break;
    case 1:
        REDUCE("add");
    case 2:
        REDUCE("min");
    case 3:
        REDUCE("max");
    case 4:
        REDUCE("inc");
    case 5:
        REDUCE("dec");
    case 6:
        REDUCE("and");
    case 7:
        REDUCE("or");
    case 8:
        REDUCE("xor");
    }
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
}

/* ---- Host ---- */

static unsigned hash(const std::vector<unsigned> &words)
{
    unsigned h = 2166136261u;
    for (unsigned word : words) {
        for (int i = 0; i < 32; i += 8) {
            h = (h ^ (word >> i & 255)) * 16777619u;
        }
    }
    return h;
}
static std::vector<unsigned> words_of(int kind)
{
    std::vector<unsigned> words(SOURCE / 4);
    for (unsigned i = 0; i < words.size(); i++) {
        const float f = (float)(i % 23) - 7;
        const unsigned long long u = 0x200000003ull * (i / 2 % 19) - 9;
        const double d = 0.5 * (i / 2 % 19) - 2;
        words[i] = i;
        if (kind == 1) {
            memcpy(&words[i], &f, 4);
        } else if (kind == 2) {
            words[i] = 0x3a003800u + i % 7;
        } else if (kind == 3) {
            memcpy(&words[i], (const char *)&u + i % 2 * 4, 4);
        } else if (kind == 4) {
            memcpy(&words[i], (const char *)&d + i % 2 * 4, 4);
        } else if (kind == 5) { /* around the ties of 10 bits, and special numbers */
            const unsigned base[] = {0x3f800000, 0xbf800000, 0, 0x7f800000, 0xff800000, 0x7f7fe000};
            words[i] = base[i / 8 % 6] + i % 8 * 0x800 + (i % 5 == 0);
        }
    }
    return words;
}
static void set_source(int kind)
{
    cudaMemcpy(source, words_of(kind).data(), SOURCE, cudaMemcpyHostToDevice);
}
static CUtensorMap map_of(const tensor &t)
{
    CUtensorMap map = {};
    const CUresult result =
        encode_tiled(&map, t.type, t.rank, source, t.sizes, t.strides, t.box, t.steps,
                     CU_TENSOR_MAP_INTERLEAVE_NONE, t.swizzle,
                     CU_TENSOR_MAP_L2_PROMOTION_NONE, t.fill);
    if (result != CUDA_SUCCESS) {
        printf("encode: %d\n", result);
    }
    return map;
}
static int bytes_of(const tensor &t)
{
    static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    int bytes = sizes[t.type] * (int)t.box[0];
    for (int i = 1; i < t.rank; i++) {
        bytes *= (t.box[i] + t.steps[i] - 1) / t.steps[i];
    }
    return bytes;
}
static void print_loaded(const char *name, int bytes)
{
    const cudaError_t error = cudaDeviceSynchronize();
    std::vector<unsigned> words(SHARED / 4);
    int over = 0;
    cudaMemcpyFromSymbol(&over, is_over, sizeof over);
    cudaMemcpy(words.data(), loaded, SHARED, cudaMemcpyDeviceToHost);
    size_t last = words.size();
    while (last > 0 && words[last - 1] == NOTHING) {
        last--;
    }
    printf("%s: %s, %d of %d bytes, %zu in shared memory, %08x\n", name, cudaGetErrorName(error),
           over ? bytes : 0, bytes, last * 4, hash(words));
}
static void try_load(const char *name, const tensor &t, position p, int shift = 0)
{
    load<<<1, 128, SHARED + 1024>>>(map_of(t), t.rank, p, bytes_of(t), shift, loaded);
    print_loaded(name, bytes_of(t));
}
static void try_store(const char *name, const tensor &t, position p, int operation = 0,
                      int kind = 0)
{
    set_source(kind);
    store<<<1, 128, SHARED + 1024>>>(map_of(t), t.rank, p, operation, kind);
    const cudaError_t error = cudaDeviceSynchronize();
    const std::vector<unsigned> before = words_of(kind);
    std::vector<unsigned> after(SOURCE / 4);
    cudaMemcpy(after.data(), source, SOURCE, cudaMemcpyDeviceToHost);
    int changed = 0;
    for (size_t i = 0; i < after.size(); i++) {
        changed += after[i] != before[i];
    }
    printf("%s: %s, %d words changed, %08x\n", name, cudaGetErrorName(error), changed, hash(after));
}

#define U32 CU_TENSOR_MAP_DATA_TYPE_UINT32
#define F32 CU_TENSOR_MAP_DATA_TYPE_FLOAT32
#define TYPE(NAME) CU_TENSOR_MAP_DATA_TYPE_##NAME
static const CUtensorMapSwizzle PLAIN = CU_TENSOR_MAP_SWIZZLE_NONE;
static const CUtensorMapFloatOOBfill ZERO = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
                                     NOT_A_NUMBER =
                                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;

static void tiles()
{
    set_source(0);
    const tensor one = {U32, 1, {100}, {}, {32}, {1}, PLAIN, ZERO};
    try_load("1d", one, {{8}});
    try_load("1d past the end", one, {{88}});
    try_load("1d before the start", one, {{-8}});
    const tensor two = {U32, 2, {60, 20}, {256}, {16, 6}, {1, 1}, PLAIN, ZERO};
    try_load("2d", two, {{4, 3}});
    try_load("2d at the end", two, {{52, 17}});
    try_load("2d before the start", two, {{-4, -2}});
    try_load("2d far outside", two, {{2147483644, 2147483647}});
    try_load("2d bytes", {TYPE(UINT8), 2, {101, 20}, {112}, {48, 5}, {1, 1}, PLAIN, ZERO},
             {{64, 2}});
    try_load("2d with steps", {U32, 2, {64, 40}, {256}, {16, 13}, {3, 5}, PLAIN, ZERO}, {{4, 31}});
    try_load("2d with steps before the start",
             {U32, 2, {64, 40}, {256}, {16, 12}, {1, 3}, PLAIN, ZERO}, {{4, -4}});
    try_load("2d, one row for all", {U32, 2, {64, 20}, {0}, {16, 6}, {1, 1}, PLAIN, ZERO},
             {{0, 3}});
    try_load("2d of 64000 bytes", {U32, 2, {64, 200}, {256}, {64, 250}, {1, 1}, PLAIN, ZERO},
             {{0, -20}});
    try_load("3d", {U32, 3, {16, 10, 8}, {64, 640}, {8, 4, 6}, {1, 2, 3}, PLAIN, ZERO},
             {{4, 3, 1}});
    try_load("4d",
             {U32, 4, {16, 6, 5, 4}, {64, 384, 1920}, {8, 3, 2, 3}, {1, 1, 1, 1}, PLAIN, ZERO},
             {{-4, 4, 3, 2}});
    const tensor five = {U32,
                         5,
                         {8, 4, 4, 4, 4},
                         {32, 128, 512, 2048},
                         {8, 2, 3, 2, 2},
                         {1, 1, 1, 1, 1},
                         PLAIN,
                         ZERO};
    try_load("5d", five, {{0, 3, 1, 2, 3}});
    tensor real = {F32, 2, {58, 20}, {256}, {16, 6}, {1, 1}, PLAIN, NOT_A_NUMBER};
    try_load("float and NaN", real, {{52, 17}});
    real.type = TYPE(FLOAT16), real.sizes[0] = 59;
    try_load("half and NaN", real, {{48, 17}});
    real.type = TYPE(FLOAT64), real.sizes[0] = 30;
    try_load("double and NaN", real, {{20, 17}});
    set_source(5);
    try_load("tf32", {TYPE(TFLOAT32), 2, {64, 20}, {256}, {64, 2}, {1, 1}, PLAIN, ZERO}, {{0, 0}});
}

static void swizzles()
{
    set_source(0);
    for (int swizzle = 1; swizzle <= 3; swizzle++) {
        for (cuuint32_t width = 4; width <= 4u << swizzle; width *= 2) {
            char name[64];
            snprintf(name, sizeof name, "rows of %u bytes in %d", width * 4, 16 << swizzle);
            try_load(name,
                     {U32, 2, {28, 18}, {128}, {width, 20}, {1, 1}, (CUtensorMapSwizzle)swizzle,
                      ZERO},
                     {{24, -1}}, (int)width % 3 * 384);
        }
    }
    try_load("3d in 128",
             {U32, 3, {32, 10, 8}, {128, 1280}, {12, 3, 4}, {1, 1, 1},
              CU_TENSOR_MAP_SWIZZLE_128B, ZERO},
             {{8, 8, 5}});
}

static void try_im2col(const char *name, int rank, const int (&corners)[6], position p,
                       int channels, int pixels, cuuint32_t step, int swizzle)
{
    const uint64_t sizes[] = {16, 7, 6, rank == 5 ? 4ull : 3ull, 3};
    const uint64_t strides[] = {64, 448, 2688, 10752};
    const uint32_t steps[] = {1, step, step, 1, 1};
    CUtensorMap map;
    const CUresult result = encode_im2col(
        &map, U32, rank, source, sizes, strides, corners, corners + 3, channels, pixels, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, ZERO);
    if (result != CUDA_SUCCESS) {
        printf("%s: encode: %d\n", name, result);
    }
    load<<<1, 128, SHARED + 1024>>>(map, 10 + rank, p, 4 * channels * pixels, 0, loaded);
    print_loaded(name, 4 * channels * pixels);
}
static void convolutions()
{
    const int corners[6] = {-1, -2, 0, 0, -1, -1};
    try_im2col("im2col 3d", 3, corners, {{0, -1, 0}, {1}}, 8, 21, 1, 0);
    try_im2col("im2col 4d", 4, corners, {{4, -1, -2, 0}, {1, 2}}, 8, 60, 1, 0);
    try_im2col("im2col from the middle", 4, corners, {{0, 2, 3, 1}, {2, 1}}, 8, 40, 1, 0);
    try_im2col("im2col with steps", 4, corners, {{0, 1, -2, 2}, {0, 1}}, 8, 20, 2, 1);
    try_im2col("im2col swizzled", 4, corners, {{0, 0, 0, 0}, {0, 0}}, 16, 64, 1, 3);
    try_im2col("im2col past the images", 4, corners, {{8, 5, 4, 2}, {0, 0}}, 16, 20, 1, 0);
    try_im2col("im2col before the images", 4, corners, {{0, 0, 0, -1}, {0, 0}}, 8, 60, 1, 0);
    try_im2col("im2col 5d", 5, corners, {{0, -1, -2, 0, 0}, {1, 0, 1}}, 8, 200, 1, 0);
}

static void stores()
{
    try_store("store 1d", {U32, 1, {100}, {}, {32}, {1}, PLAIN, ZERO}, {{88}});
    try_store("store 2d", {U32, 2, {60, 20}, {256}, {16, 6}, {1, 1}, PLAIN, ZERO}, {{52, 17}});
    try_store("store outside", {U32, 2, {60, 20}, {256}, {16, 6}, {1, 1}, PLAIN, ZERO},
              {{4, 300}});
    try_store("store with steps", {U32, 2, {64, 40}, {256}, {16, 12}, {1, 3}, PLAIN, ZERO},
              {{4, 5}});
    try_store("store swizzled",
              {U32, 2, {32, 40}, {128}, {32, 20}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_128B, ZERO},
              {{0, 25}});
    try_store("store 5d",
              {U32, 5, {8, 4, 4, 4, 4}, {32, 128, 512, 2048}, {8, 2, 3, 2, 2}, {1, 1, 1, 1, 1},
               PLAIN, ZERO},
              {{0, 3, 1, 2, 3}});
}

static void reductions()
{
    static const struct {
        CUtensorMapDataType type;
        int kind, bytes;
        const char *operations; /* from 1: add min max inc dec and or xor */
    } types[] = {{U32, 0, 4, "12345678"},        {TYPE(INT32), 0, 4, "123678"},
                 {F32, 1, 4, "1"},               {TYPE(FLOAT16), 2, 2, "123"},
                 {TYPE(BFLOAT16), 2, 2, "123"},  {TYPE(UINT64), 3, 8, "123678"},
                 {TYPE(INT64), 3, 8, "23"},      {TYPE(FLOAT64), 4, 8, "1"},
                 {TYPE(FLOAT32_FTZ), 1, 4, "1"}, {TYPE(TFLOAT32), 1, 4, "1"}};
    for (const auto &t : types) {
        const unsigned width = 64 / t.bytes;
        for (const char *operation = t.operations; *operation != '\0'; operation++) {
            char name[64];
            snprintf(name, sizeof name, "reduction %c of type %d", *operation, t.type);
            try_store(name,
                      {t.type, 2, {width * 4, 20}, {256}, {width, 6}, {1, 1}, PLAIN, ZERO},
                      {{(int)(width * 7 / 2), 16}}, *operation - '0', t.kind);
        }
    }
}

/* ---- Clusters ---- */

/* Block 0 loads to both blocks of its cluster. Each has a barrier. */
__global__ void __cluster_dims__(2) load_to_both(const __grid_constant__ CUtensorMap map,
                                                 unsigned *out)
{
    __shared__ alignas(128) unsigned data[96];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(narrow(&barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                         narrow(&barrier)),
                     "r"((int)sizeof data)
                     : "memory");
    }
    asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes.multicast::cluster [%0], [%1, {4, 3}], [%2], %3;" ::"r"(narrow(data)),
                     "l"(&map), "r"(narrow(&barrier)), "h"((unsigned short)3)
                     : "memory");
    }
    int over = 0;
    while (!over) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(narrow(&barrier))
                     : "memory");
    }
    out[blockIdx.x * 96 + threadIdx.x] = data[threadIdx.x];
    asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
}
static void multicasts()
{
    set_source(0);
    cudaMemset(loaded, 0, SHARED);
    load_to_both<<<2, 96>>>(map_of({U32, 2, {64, 20}, {256}, {16, 6}, {1, 1}, PLAIN, ZERO}),
                            loaded);
    print_loaded("to a cluster", 0);
}

/* ---- Maps that kernels change ---- */

#define REPLACE(FIELD, MORE)                                                                       \
    asm volatile("tensormap.replace.tile." FIELD " [%0], " MORE ";" ::"r"(narrow(&copy)),          \
                 "r"((unsigned)value), "l"(value)                                                  \
                 : "memory");                                                                      \
    break

/* tensormap.replace needs sm_90a. */
__global__ void change(const __grid_constant__ CUtensorMap map, int field,
                       unsigned long long value, CUtensorMap *out)
{
    __shared__ alignas(128) CUtensorMap copy;
    if (threadIdx.x == 0) {
        copy = map;
        switch (field) {
        case 0:
            REPLACE("global_address.shared::cta.b1024.b64", "%2");
        case 1:
            REPLACE("rank.shared::cta.b1024.b32", "%1");
        case 2:
            REPLACE("box_dim.shared::cta.b1024.b32", "1, %1");
        case 3:
            REPLACE("global_dim.shared::cta.b1024.b32", "1, %1");
        case 4:
            REPLACE("global_stride.shared::cta.b1024.b64", "0, %2");
        case 5:
            REPLACE("element_stride.shared::cta.b1024.b32", "1, %1");
        case 6:
            REPLACE("elemtype.shared::cta.b1024.b32", "10"); /* bf16 */
        case 7:
            REPLACE("swizzle_mode.shared::cta.b1024.b32", "2");
        case 8:
            REPLACE("fill_mode.shared::cta.b1024.b32", "1");
        }
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
                 "aligned [%0], [%1], 128;" ::"l"(out),
                 "r"(narrow(&copy))
                 : "memory");
}
static void changes()
{
    static const struct {
        const char *name;
        unsigned long long value;
        int bytes;
        position p;
    } fields[] = {{"address", 0, 384, {{4, 3}}},   {"rank", 0, 64, {{4}}},
                  {"box", 3, 192, {{4, 3}}},       {"size", 4, 384, {{4, 1}}},
                  {"stride", 512, 384, {{4, 3}}},  {"step", 2, 192, {{4, 3}}},
                  {"type", 0, 192, {{8, 3}}},      {"swizzle", 0, 384, {{4, 3}}},
                  {"fill", 0, 384, {{56, 3}}}};
    set_source(0);
    CUtensorMap *map;
    cudaMalloc(&map, sizeof *map);
    for (int i = 0; i < 9; i++) {
        const unsigned long long value =
            i == 0 ? (unsigned long long)(source + 1000) : fields[i].value;
        change<<<1, 32>>>(map_of({F32, 2, {64, 20}, {256}, {16, 6}, {1, 1}, PLAIN, ZERO}), i,
                          value, map);
        load_by<<<1, 128, SHARED + 1024>>>(map, i == 1 ? 1 : 2, fields[i].p, fields[i].bytes,
                                           loaded);
        char name[64];
        snprintf(name, sizeof name, "another %s", fields[i].name);
        print_loaded(name, fields[i].bytes);
    }
}

static void *find(const char *name)
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &result);
    return function;
}

int main()
{
    encode_tiled = (decltype(encode_tiled))find("cuTensorMapEncodeTiled");
    encode_im2col = (decltype(encode_im2col))find("cuTensorMapEncodeIm2col");
    cudaMalloc(&source, SOURCE);
    cudaMalloc(&loaded, SHARED);
    cudaFuncSetAttribute(load, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED + 1024);
    cudaFuncSetAttribute(load_by, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED + 1024);
    cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED + 1024);
    tiles();
    swizzles();
    convolutions();
    stores();
    reductions();
    multicasts();
    changes();
    return 0;
}
