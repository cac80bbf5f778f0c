/* Tensor maps: abi/cdp_tensor.h has their layout, exec/block/tensor.c what copies do with them.
 *
 * What is refused is as on an H100. It does not refuse all that the manual forbids: strides may be
 * 0 or overlap, and the address may be any that is aligned. */
#include "api/driver/driver.h"

#include <stdio.h>
#include <string.h>

#include "abi/cdp_tensor.h"

enum { UNIT = 16, MOST_CHANNELS = 256, MOST_PIXELS = 1024 };
#define MOST_STRIDE (UINT64_C(1) << 40)
#define MOST_SIZE (UINT64_C(1) << 32)
#define ADDRESSES (UINT64_C(1) << 57)
/* The shared memory of a multiprocessor. */
#define MOST_BYTES (UINT64_C(228) << 10)

_Static_assert(sizeof(CUtensorMap) == sizeof(struct cdp_tensor_map), "another size");
_Static_assert((int)CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ == (int)CDP_TENSOR_TF32_FTZ,
               "other numbers of types");

static const unsigned char type_bytes[CDP_TENSOR_TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

static bool is_real(CUtensorMapDataType type)
{
    return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
}

/* What both kinds of maps have. */
struct description {
    CUtensorMapDataType type;
    uint32_t rank;
    const void *address;
    const cuuint64_t *sizes, *strides;
    const cuuint32_t *steps;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion l2;
    CUtensorMapFloatOOBfill fill;
};

static bool are_words_valid(const struct description *given)
{
    bool fills_nan = given->fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
    return (unsigned)given->type < CDP_TENSOR_TYPES &&
           (unsigned)given->interleave <= CU_TENSOR_MAP_INTERLEAVE_32B &&
           (unsigned)given->swizzle <= CDP_TENSOR_MOST_SWIZZLE &&
           (unsigned)given->l2 <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
           (unsigned)given->fill <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA &&
           (!fills_nan || is_real(given->type));
}

static bool is_address_valid(const struct description *given)
{
    uintptr_t unit = given->interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 2 * UNIT : UNIT;
    return (uintptr_t)given->address % unit == 0 && (uintptr_t)given->address < ADDRESSES;
}

static bool are_dimensions_valid(const struct description *given)
{
    uint64_t unit = given->interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 2 * UNIT : UNIT;
    for (uint32_t i = 0; i < given->rank; i++) {
        bool is_stride_valid =
            i == 0 || (given->strides[i - 1] % unit == 0 && given->strides[i - 1] < MOST_STRIDE);
        if (!is_stride_valid || given->sizes[i] - 1 >= MOST_SIZE ||
            given->steps[i] - 1 >= CDP_TENSOR_MOST_STEP) {
            return false;
        }
    }
    return true;
}

/* rows: of shared memory, with `elements` each. */
static bool is_box_valid(const struct description *given, uint64_t elements, uint64_t rows)
{
    uint64_t bytes = elements * type_bytes[given->type];
    bool is_swizzled = given->swizzle != CU_TENSOR_MAP_SWIZZLE_NONE;
    return given->interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
           (bytes % UNIT == 0 && bytes * rows <= MOST_BYTES &&
            (!is_swizzled || bytes <= UINT64_C(16) << given->swizzle));
}

static bool is_valid(const struct description *given, uint32_t least_rank)
{
    bool is_interleaved = given->interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
    return given->sizes != NULL && given->strides != NULL && given->steps != NULL &&
           given->rank >= (is_interleaved ? 3 : least_rank) &&
           given->rank <= CDP_TENSOR_MOST_RANK && are_words_valid(given) &&
           is_address_valid(given) && are_dimensions_valid(given);
}

static struct cdp_tensor_map make(const struct description *given, enum cdp_tensor_kind kind)
{
    struct cdp_tensor_map map = {
        .magic = CDP_TENSOR_MAGIC,
        .kind = (unsigned char)kind,
        .type = (unsigned char)given->type,
        .rank = (unsigned char)given->rank,
        .swizzle = (unsigned char)given->swizzle,
        .address = (uintptr_t)given->address,
        .fills_nan = given->fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    };
    for (uint32_t i = 0; i < given->rank; i++) {
        map.last[i] = (unsigned)(given->sizes[i] - 1);
        map.steps[i] = (unsigned char)given->steps[i];
        if (i > 0) {
            map.strides[i - 1] = given->strides[i - 1];
        }
    }
    return map;
}

/* The map need not be aligned here. */
static CUresult write_map(CUtensorMap *to, const struct description *given,
                          const struct cdp_tensor_map *map)
{
    if (given->interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) {
        fprintf(stderr, "cdp: tensor maps with CU_TENSOR_MAP_INTERLEAVE_16B or _32B are not "
                        "supported: use CU_TENSOR_MAP_INTERLEAVE_NONE\n");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    memcpy((void *)to, map, sizeof *map);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *to, CUtensorMapDataType type, cuuint32_t rank,
                                void *address, const cuuint64_t *sizes, const cuuint64_t *strides,
                                const cuuint32_t *box, const cuuint32_t *steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    const struct description given = {type,  rank,       address, sizes, strides,
                                      steps, interleave, swizzle, l2,    fill};
    if (!cdp_driver_is_initialized()) {
        return CUDA_ERROR_NOT_INITIALIZED;
    }
    if (to == NULL || box == NULL || !is_valid(&given, 1)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_tensor_map map = make(&given, CDP_TENSOR_TILED);
    uint64_t rows = 1;
    for (cuuint32_t i = 0; i < rank; i++) {
        if (box[i] - 1 >= CDP_TENSOR_MOST_BOX) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        map.box[i] = (unsigned short)box[i];
        rows *= i == 0 ? 1 : box[i] / steps[i]; /* an H100 does not round up here */
    }
    return is_box_valid(&given, box[0], rows) ? write_map(to, &given, &map)
                                              : CUDA_ERROR_INVALID_VALUE;
}

/* A map of 3, 4 or 5 dimensions has 16, 8 or 5 bits for each offset of a corner. */
static int64_t corner_limit(cuuint32_t rank)
{
    return rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
}

/* The box must not be empty. */
static bool are_corners_valid(const struct description *given, const int *lower, const int *upper)
{
    int64_t limit = corner_limit(given->rank);
    for (cuuint32_t i = 0; i + 2 < given->rank; i++) {
        if (lower[i] < -limit || lower[i] >= limit || upper[i] < -limit || upper[i] >= limit ||
            (int64_t)given->sizes[i + 1] + upper[i] <= lower[i]) {
            return false;
        }
    }
    return true;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *to, CUtensorMapDataType type, cuuint32_t rank,
                                 void *address, const cuuint64_t *sizes, const cuuint64_t *strides,
                                 const int *lower, const int *upper, cuuint32_t channels,
                                 cuuint32_t pixels, const cuuint32_t *steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    const struct description given = {type,  rank,       address, sizes, strides,
                                      steps, interleave, swizzle, l2,    fill};
    if (!cdp_driver_is_initialized()) {
        return CUDA_ERROR_NOT_INITIALIZED;
    }
    if (to == NULL || lower == NULL || upper == NULL || !is_valid(&given, 3) ||
        !are_corners_valid(&given, lower, upper) || channels - 1 >= MOST_CHANNELS ||
        pixels - 1 >= MOST_PIXELS || !is_box_valid(&given, channels, pixels)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_tensor_map map = make(&given, CDP_TENSOR_IM2COL);
    map.channels = (unsigned short)channels;
    map.pixels = (unsigned short)pixels;
    for (cuuint32_t i = 0; i + 2 < rank; i++) {
        map.lower[i] = (short)lower[i];
        map.upper[i] = (short)upper[i];
    }
    return write_map(to, &given, &map);
}

/* As on an H100, anything of that size is taken for a map: kernels notice it. */
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address)
{
    if (!cdp_driver_is_initialized()) {
        return CUDA_ERROR_NOT_INITIALIZED;
    }
    if (map == NULL || address == NULL || (uintptr_t)address % UNIT != 0 ||
        (uintptr_t)address >= ADDRESSES) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_tensor_map changed;
    memcpy(&changed, map, sizeof changed);
    changed.address = (uintptr_t)address;
    memcpy((void *)map, &changed, sizeof changed);
    return CUDA_SUCCESS;
}
