// cdpcc: -g
// stderr: an instruction for tiled tensors of 1 dimensions, and a map of a tiled tensor of 2
// stderr: in shared memory: the address must be a multiple of 128
// stderr: coordinate 2 of dimension 0 is at 8 bytes, which must be a multiple of 16
// stderr: a store to coordinate -1 of dimension 1
// stderr: no tensor map: use cuTensorMapEncodeTiled
// stderr: in local memory: pass it as a parameter that is const __grid_constant__
// stderr: in kernel by_value, .*, at copy .tensor_map_misuse.cu:
// stderr: in kernel by_pointer, .*, at copy .tensor_map_misuse.cu:
// stderr: coordinate 8 of dimension 1 is outside the bounding box, which is from 0 to 6
/* Tensor maps that cannot be made, and copies of tensors that cannot be done: an H200's codes. A GPU
 * does not say why. */
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

struct arguments {
    CUtensorMapDataType type;
    cuuint32_t rank;
    uintptr_t address;
    cuuint64_t sizes[5], strides[4];
    cuuint32_t box[5], steps[5];
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion l2;
    CUtensorMapFloatOOBfill fill;
};
static const arguments usual = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                                2,
                                0x1000,
                                {64, 64, 4, 4, 4},
                                {256, 16384, 65536, 262144},
                                {16, 8, 2, 2, 2},
                                {1, 1, 1, 1, 1},
                                CU_TENSOR_MAP_INTERLEAVE_NONE,
                                CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE};

static CUtensorMap map;

static int encode(const arguments &a)
{
    return cuTensorMapEncodeTiled(&map, a.type, a.rank, (void *)a.address, a.sizes, a.strides, a.box,
                                  a.steps, a.interleave, a.swizzle, a.l2, a.fill);
}
#define TRY(...)                                                                                   \
    {                                                                                              \
        arguments a = usual;                                                                       \
        __VA_ARGS__;                                                                               \
        printf("%s: %d\n", "" #__VA_ARGS__, encode(a));                                               \
    }

static void tiled()
{
    TRY();
    TRY(a.type = (CUtensorMapDataType)-1);
    TRY(a.type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
    TRY(a.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B);
    TRY(a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
    TRY(a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
        a.type = CU_TENSOR_MAP_DATA_TYPE_INT32);
    TRY(a.rank = 0);
    TRY(a.rank = 5);
    TRY(a.rank = 6);
    TRY(a.address = 0);
    TRY(a.address = 24);
    TRY(a.address = UINT64_C(1) << 57);
    TRY(a.sizes[1] = 0);
    TRY(a.sizes[1] = UINT64_C(1) << 32);
    TRY(a.sizes[1] = (UINT64_C(1) << 32) + 1);
    TRY(a.strides[0] = 264);
    TRY(a.strides[0] = 0);
    TRY(a.strides[0] = UINT64_C(1) << 40);
    TRY(a.box[0] = 0);
    TRY(a.box[0] = 256);
    TRY(a.box[0] = 260);
    TRY(a.box[0] = 6);
    TRY(a.box[1] = 257);
    TRY(a.box[0] = 256, a.box[1] = 228);
    TRY(a.box[0] = 256, a.box[1] = 229);
    TRY(a.steps[0] = 0);
    TRY(a.steps[1] = 8);
    TRY(a.steps[1] = 9);
    TRY(a.swizzle = CU_TENSOR_MAP_SWIZZLE_32B);
    TRY(a.swizzle = CU_TENSOR_MAP_SWIZZLE_64B);
    TRY(a.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B);
    TRY(a.l2 = (CUtensorMapL2promotion)4);
    TRY(a.fill = (CUtensorMapFloatOOBfill)2);
    TRY(a.interleave = CU_TENSOR_MAP_INTERLEAVE_16B);
    TRY(a.interleave = CU_TENSOR_MAP_INTERLEAVE_16B, a.rank = 3); /* 0 on a GPU */
    encode(usual);
    printf("replaced: %d %d %d\n", cuTensorMapReplaceAddress(&map, (void *)64),
           cuTensorMapReplaceAddress(&map, (void *)72), cuTensorMapReplaceAddress(&map, nullptr));
}

static void try_im2col(int rank, int lower, int upper, int channels, int pixels)
{
    const cuuint64_t sizes[] = {16, 7, 6, 3, 2}, strides[] = {64, 448, 2688, 8064};
    const cuuint32_t steps[] = {1, 1, 1, 1, 1};
    const int lowers[] = {lower, 0, 0}, uppers[] = {upper, 0, 0};
    printf("im2col %d, %d to %d, %d x %d: %d\n", rank, lower, upper, channels, pixels,
           cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, rank, (void *)0x1000,
                                   sizes, strides, lowers, uppers, channels, pixels, steps,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
}
static void im2col()
{
    try_im2col(4, -1, -1, 8, 40);
    try_im2col(2, 0, 0, 8, 40);
    try_im2col(4, -128, 127, 8, 40);
    try_im2col(4, -129, 0, 8, 40);
    try_im2col(4, 0, 128, 8, 40);
    try_im2col(5, 15, 15, 8, 40);
    try_im2col(5, 0, 16, 8, 40);
    try_im2col(3, -32768, 32767, 8, 40);
    try_im2col(4, 0, -6, 8, 40);
    try_im2col(4, 0, -7, 8, 40);
    try_im2col(4, 0, 0, 6, 40);
    try_im2col(4, 0, 0, 257, 40);
    try_im2col(4, 0, 0, 8, 1024);
    try_im2col(4, 0, 0, 8, 1025);
}

/* ---- Copies ---- */

__device__ CUtensorMap global_map;
__constant__ CUtensorMap constant_map;

#define COPY(TEXT)                                                                                 \
    asm volatile(TEXT ";" ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(b), "h"((short)0) : "memory");  \
    break

__device__ void copy(const CUtensorMap *map, int instruction, int shift, int x, int y)
{
    __shared__ alignas(1024) char data[4096];
    __shared__ uint64_t barrier;
    const unsigned to = (unsigned)__cvta_generic_to_shared(data) + shift;
    const unsigned b = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x != 0) {
        return;
    }
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    switch (instruction) {
    case 1:
        COPY("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
             "[%0], [%1, {%2}], [%4]");
    case 2:
        COPY("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
             "[%0], [%1, {%2, %3}], [%4]");
    case 3:
        COPY("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%1, {%2, %3}], [%0]");
    case 4:
        COPY("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
             "[%0], [%1, {%2, %2, %2, %3}], [%4], {%5, %5}");
    case 5:
        COPY("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%1, {%2, %3}]");
    case 6:
        COPY("cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group "
             "[%1, {%2, %3}], [%0]");
    case 7:
        COPY("prefetch.tensormap [%1]");
    }
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void by_parameter(const __grid_constant__ CUtensorMap map, int instruction, int shift,
                             int x, int y)
{
    copy(&map, instruction, shift, x, y);
}
__global__ void by_value(CUtensorMap map, int instruction, int shift, int x, int y)
{
    copy(&map, instruction, shift, x, y);
}
__global__ void by_shared(const __grid_constant__ CUtensorMap map, int instruction, int shift, int x,
                          int y)
{
    __shared__ CUtensorMap mine;
    mine = map;
    copy(&mine, instruction, shift, x, y);
}
__global__ void by_pointer(const CUtensorMap *map, int instruction, int shift, int x, int y)
{
    copy(map, instruction, shift, x, y);
}
__global__ void by_constant(int instruction, int shift, int x, int y)
{
    copy(&constant_map, instruction, shift, x, y);
}

static char *memory;

static void begin(const char *name)
{
    printf("%s: ", name);
    fflush(stdout);
    cudaMalloc(&memory, 1 << 20);
    arguments a = usual;
    a.address = (uintptr_t)memory;
    encode(a);
}
static void end()
{
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    fflush(stdout);
    cudaDeviceReset();
}
static void try_copy(const char *name, int instruction, int shift, int x, int y)
{
    begin(name);
    by_parameter<<<1, 32>>>(map, instruction, shift, x, y);
    end();
}

static void copies()
{
    CUtensorMap none = {};
    try_copy("load", 2, 0, 4, 3);
    try_copy("another rank", 1, 0, 0, 0);
    try_copy("another kind", 4, 0, 0, 0);
    try_copy("misaligned box", 2, 64, 0, 0);
    try_copy("misaligned box of a store", 3, 16, 0, 0);
    try_copy("misaligned coordinate", 2, 0, 2, 0);
    try_copy("store to a negative coordinate", 3, 0, 0, -1);
    try_copy("minimum of floats", 6, 0, 0, 0);
    begin("no map");
    by_parameter<<<1, 32>>>(none, 2, 0, 0, 0);
    end();
    begin("no map, prefetched");
    by_parameter<<<1, 32>>>(none, 5, 0, 0, 0);
    end();
    begin("no map, itself prefetched");
    by_parameter<<<1, 32>>>(none, 7, 0, 0, 0);
    end();
    begin("map by value");
    by_value<<<1, 32>>>(map, 2, 0, 0, 0);
    end();
    begin("map in shared memory");
    by_shared<<<1, 32>>>(map, 2, 0, 0, 0);
    end();
    begin("map in constant memory");
    cudaMemcpyToSymbol(constant_map, &map, sizeof map);
    by_constant<<<1, 32>>>(2, 0, 0, 0);
    end();
    for (int shift = 64; shift >= 16; shift -= 48) {
        begin(shift == 16 ? "misaligned map" : "map in global memory");
        char *room;
        cudaMalloc(&room, 4096);
        cudaMemcpy(room + shift, &map, sizeof map, cudaMemcpyHostToDevice);
        by_pointer<<<1, 32>>>((CUtensorMap *)(room + shift), 2, 0, 0, 0);
        end();
    }
    begin("map where nothing is");
    by_pointer<<<1, 32>>>((CUtensorMap *)0x10000, 2, 0, 0, 0);
    end();
    begin("start outside the bounding box");
    const cuuint64_t sizes[] = {16, 7, 6, 3}, strides[] = {64, 448, 2688};
    const cuuint32_t steps[] = {1, 1, 1, 1};
    const int corners[] = {0, 0};
    cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, memory, sizes, strides,
                            corners, corners, 8, 4, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    by_parameter<<<1, 32>>>(map, 4, 0, 8, 0);
    end();
    begin("address that nothing has");
    arguments a = usual;
    a.address = 0x1000;
    encode(a);
    by_parameter<<<1, 32>>>(map, 2, 0, 0, 0);
    end();
}

int main()
{
    TRY(); /* before cuInit */
    cuInit(0);
    tiled();
    im2col();
    copies();
    return 0;
}
