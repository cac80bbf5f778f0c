/* Copies of tensors, row by row: cdp_tensor.h describes the calls and the map.
 *
 * A tiled copy goes through a box of the tensor. An im2col copy goes through the pixels of a
 * bounding box, from a start on, over all images, and adds an offset to each position: the rows of
 * the matrix of a convolution ("im2col mode" in the PTX manual). What is refused, and by which
 * code, is as on an H100. */
#include "abi/cdp_tensor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "exec/report/fault.h"
#include "exec/state/block.h"
#include "exec/state/entry.h"

/* The numbers of types in tensormap.replace. */
static const unsigned char types_of_replace[] = {
    CDP_TENSOR_U8,   CDP_TENSOR_U16,  CDP_TENSOR_U32,      CDP_TENSOR_S32,     CDP_TENSOR_U64,
    CDP_TENSOR_S64,  CDP_TENSOR_F16,  CDP_TENSOR_F32,      CDP_TENSOR_F32_FTZ, CDP_TENSOR_F64,
    CDP_TENSOR_BF16, CDP_TENSOR_TF32, CDP_TENSOR_TF32_FTZ,
};

enum { UNIT = 16, SHARED_ALIGN = 128, MAP_ALIGN = 64, MAP_BYTES = 128 };
_Static_assert(sizeof(struct cdp_tensor_map) == MAP_BYTES, "the size of CUtensorMap");

#define BIT(x) (1u << (x))
#define EXTREMES (BIT(CDP_TENSOR_MIN) | BIT(CDP_TENSOR_MAX))
#define LOGIC (BIT(CDP_TENSOR_AND) | BIT(CDP_TENSOR_OR) | BIT(CDP_TENSOR_XOR))
#define STEPS (BIT(CDP_TENSOR_INC) | BIT(CDP_TENSOR_DEC))

static const struct {
    unsigned char bytes;
    unsigned short operations; /* of reductions: bits of enum cdp_tensor_operation */
} types[CDP_TENSOR_TYPES] = {
    [CDP_TENSOR_U8] = {1, 0},
    [CDP_TENSOR_U16] = {2, 0},
    [CDP_TENSOR_U32] = {4, BIT(CDP_TENSOR_ADD) | EXTREMES | LOGIC | STEPS},
    [CDP_TENSOR_S32] = {4, BIT(CDP_TENSOR_ADD) | EXTREMES | LOGIC},
    [CDP_TENSOR_U64] = {8, BIT(CDP_TENSOR_ADD) | EXTREMES | LOGIC},
    [CDP_TENSOR_S64] = {8, EXTREMES},
    [CDP_TENSOR_F16] = {2, BIT(CDP_TENSOR_ADD) | EXTREMES},
    [CDP_TENSOR_F32] = {4, BIT(CDP_TENSOR_ADD)},
    [CDP_TENSOR_F64] = {8, BIT(CDP_TENSOR_ADD)},
    [CDP_TENSOR_BF16] = {2, BIT(CDP_TENSOR_ADD) | EXTREMES},
    [CDP_TENSOR_F32_FTZ] = {4, BIT(CDP_TENSOR_ADD)},
    [CDP_TENSOR_TF32] = {4, BIT(CDP_TENSOR_ADD)},
    [CDP_TENSOR_TF32_FTZ] = {4, BIT(CDP_TENSOR_ADD)},
};

/* ---- Checks ---- */

/* The place of the instruction, and what is copied, for messages. */
struct request {
    const struct cdp_tensor_copy *copy;
    const void *map;
    const void *pc;
};

#define REFUSE(request, status, ...) cdp_fault_raise(status, (request)->pc, __VA_ARGS__)

static bool is_store(const struct cdp_tensor_copy *copy)
{
    return copy->action == CDP_TENSOR_STORE || copy->action == CDP_TENSOR_REDUCE;
}

/* A GPU reads maps from global and constant memory, and from parameters that are const
 * __grid_constant__: others are copied to the thread's stack. */
void cdp_abi_tensor_check_map(const void *map)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    const void *pc = (const char *)__builtin_return_address(0) - 1;
    uintptr_t address = (uintptr_t)map;
    const struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    bool is_shared = address - (uintptr_t)block->view.shared < block->view.shared_size;
    if (is_shared || address - (uintptr_t)self->low < (uintptr_t)(self->top - self->low)) {
        cdp_fault_raise(
            CDP_FAULT_ADDRESS, pc,
            "the tensor map at %p is in %s memory: pass it as a parameter that is const "
            "__grid_constant__, or put it into __constant__ or global memory",
            map, is_shared ? "shared" : "local");
    }
    if (address % MAP_ALIGN != 0) {
        cdp_fault_raise(CDP_FAULT_MISALIGNED, pc,
                        "the tensor map at %p must be aligned to 64 bytes, as CUtensorMap is", map);
    }
}

static const char *name_of_kind(unsigned kind)
{
    return kind == CDP_TENSOR_IM2COL ? "im2col" : "tiled";
}

static void check_map(const struct request *request)
{
    const struct cdp_tensor_copy *copy = request->copy;
    const struct cdp_tensor_map *map = &copy->map;
    if (map->magic != CDP_TENSOR_MAGIC || map->rank > CDP_TENSOR_MOST_RANK ||
        map->type >= CDP_TENSOR_TYPES) {
        REFUSE(request, CDP_FAULT_INSTRUCTION,
               "the 128 bytes at %p are no tensor map: use cuTensorMapEncodeTiled or "
               "cuTensorMapEncodeIm2col",
               request->map);
    }
    if (map->rank != copy->rank || map->kind != copy->kind) {
        REFUSE(request, CDP_FAULT_INSTRUCTION,
               "an instruction for %s tensors of %u dimensions, and a map of a %s tensor of %u",
               name_of_kind(copy->kind), copy->rank, name_of_kind(map->kind), map->rank);
    }
}

static void check_shared(const struct request *request)
{
    const struct cdp_tensor_copy *copy = request->copy;
    if (copy->action != CDP_TENSOR_PREFETCH && (uintptr_t)copy->row % SHARED_ALIGN != 0) {
        REFUSE(request, CDP_FAULT_MISALIGNED,
               "a box of a tensor at %p in shared memory: the address must be a multiple of 128",
               (const void *)copy->row);
    }
}

static void check_coordinates(const struct request *request)
{
    const struct cdp_tensor_copy *copy = request->copy;
    int64_t bytes = (int64_t)copy->at[0] * types[copy->map.type].bytes;
    if (bytes % UNIT != 0) {
        REFUSE(request, CDP_FAULT_INSTRUCTION,
               "coordinate %d of dimension 0 is at %lld bytes, which must be a multiple of 16",
               copy->at[0], (long long)bytes);
    }
    for (unsigned i = 0; is_store(copy) && i < copy->rank; i++) {
        if (copy->at[i] < 0) {
            REFUSE(request, CDP_FAULT_INSTRUCTION,
                   "a store to coordinate %d of dimension %u, which must not be negative",
                   copy->at[i], i);
        }
    }
}

/* The last position of an im2col copy in dimension 1, 2 or 3. */
static int64_t upper_corner(const struct cdp_tensor_map *map, unsigned dimension)
{
    return (int64_t)map->last[dimension] + map->upper[dimension - 1];
}

static void check_start(const struct request *request)
{
    const struct cdp_tensor_copy *copy = request->copy;
    for (unsigned i = 1; copy->kind == CDP_TENSOR_IM2COL && i + 1 < copy->rank; i++) {
        if (copy->at[i] < copy->map.lower[i - 1] || copy->at[i] > upper_corner(&copy->map, i)) {
            REFUSE(request, CDP_FAULT_INSTRUCTION,
                   "coordinate %d of dimension %u is outside the bounding box, which is from %d to "
                   "%lld",
                   copy->at[i], i, copy->map.lower[i - 1], (long long)upper_corner(&copy->map, i));
        }
    }
}

static void check_operation(const struct request *request)
{
    const struct cdp_tensor_copy *copy = request->copy;
    if (copy->action == CDP_TENSOR_REDUCE &&
        (types[copy->map.type].operations & BIT(copy->operation)) == 0) {
        REFUSE(request, CDP_FAULT_INSTRUCTION,
               "a reduction that does not exist for the elements of the tensor map");
    }
}

/* ---- Rows ---- */

static void start(struct cdp_tensor_copy *copy)
{
    const struct cdp_tensor_map *map = &copy->map;
    unsigned bytes = types[map->type].bytes;
    copy->width = bytes * (map->kind == CDP_TENSOR_TILED ? map->box[0] : map->channels);
    copy->left = map->kind == CDP_TENSOR_TILED ? 1 : map->pixels;
    for (unsigned i = 1; map->kind == CDP_TENSOR_TILED && i < map->rank; i++) {
        copy->left *= (map->box[i] + map->steps[i] - 1u) / map->steps[i];
    }
    for (unsigned i = 0; i < map->rank; i++) {
        copy->position[i] = i == 0 ? copy->at[0] : 0;
        if (map->kind == CDP_TENSOR_IM2COL) {
            copy->position[i] = copy->at[i];
        }
    }
    copy->bytes = copy->width * copy->left;
    copy->pitch = map->swizzle == 0 ? copy->width : (unsigned)UNIT << map->swizzle;
    copy->swizzle = BIT(map->swizzle) - 1;
    copy->fill = map->fills_nan ? 0x7ff7 : 0;
    copy->type = map->type;
    copy->row -= copy->pitch;
}

void cdp_abi_tensor_begin(struct cdp_tensor_copy *copy, const void *map)
{
    const struct request request = {copy, map, (const char *)__builtin_return_address(0) - 1};
    check_map(&request);
    check_shared(&request);
    check_coordinates(&request);
    check_start(&request);
    check_operation(&request);
    start(copy);
}

/* The position of the current row in a dimension, in elements of the tensor. */
static int64_t place(const struct cdp_tensor_copy *copy, unsigned dimension)
{
    if (copy->kind == CDP_TENSOR_TILED) {
        return (int64_t)copy->at[dimension] + copy->position[dimension];
    }
    bool has_offset = dimension + 1 < copy->rank;
    return (int64_t)copy->position[dimension] + (has_offset ? copy->offsets[dimension - 1] : 0);
}

/* Fills the fields of the current row. */
static void find_row(struct cdp_tensor_copy *copy)
{
    const struct cdp_tensor_map *map = &copy->map;
    int64_t size = types[map->type].bytes;
    int64_t first = copy->at[0] * size, end = first + copy->width;
    int64_t limit = ((int64_t)map->last[0] + 1) * size;
    int64_t from = first > 0 ? first : 0, to = end < limit ? end : limit;
    uint64_t address = map->address + (uint64_t)from;
    for (unsigned i = 1; i < copy->rank; i++) {
        int64_t at = place(copy, i);
        if (at < 0 || at > map->last[i]) {
            to = from; /* all of it is outside */
        }
        address += (uint64_t)at * map->strides[i - 1];
    }
    if (from >= to) {
        copy->before = copy->width;
        copy->inside = copy->after = 0;
        copy->global = NULL;
        return;
    }
    copy->before = (unsigned)(from - first);
    copy->inside = (unsigned)(to - from);
    copy->after = (unsigned)(end - to);
    copy->global = (char *)(uintptr_t)address;
}

/* Moves to the next row: the dimensions count like digits. */
static void advance(struct cdp_tensor_copy *copy)
{
    const struct cdp_tensor_map *map = &copy->map;
    bool is_tiled = copy->kind == CDP_TENSOR_TILED;
    for (unsigned i = 1; i < copy->rank; i++) {
        bool is_image = !is_tiled && i + 1 == copy->rank;
        copy->position[i] += is_image ? 1 : map->steps[i];
        if (is_image || copy->position[i] <= (is_tiled ? map->box[i] - 1 : upper_corner(map, i))) {
            return;
        }
        copy->position[i] = is_tiled ? 0 : map->lower[i - 1];
    }
}

uint32_t cdp_abi_tensor_next(struct cdp_tensor_copy *copy)
{
    if (copy->left == 0) {
        return 0;
    }
    copy->left--;
    copy->row += copy->pitch;
    find_row(copy);
    advance(copy);
    return 1;
}

/* ---- Changes of maps ---- */

/* The fields that have a value for each dimension; false if it has none. */
static bool replace_of_dimension(struct cdp_tensor_map *map, uint32_t field, uint32_t dimension,
                                 uint64_t value)
{
    switch (field) {
    case CDP_TENSOR_STRIDE:
        map->strides[dimension < CDP_TENSOR_MOST_RANK - 1 ? dimension : 0] = value;
        return dimension < CDP_TENSOR_MOST_RANK - 1 && value % UNIT == 0;
    case CDP_TENSOR_BOX:
        map->box[dimension] = (unsigned short)value;
        return value - 1 < CDP_TENSOR_MOST_BOX;
    case CDP_TENSOR_SIZE:
        map->last[dimension] = (unsigned)value - 1;
        return true;
    default:
        map->steps[dimension] = (unsigned char)value;
        return value - 1 < CDP_TENSOR_MOST_STEP;
    }
}

/* False if the value does not exist on an H100. */
static bool replace(struct cdp_tensor_map *map, uint32_t field, uint32_t dimension, uint64_t value)
{
    switch (field) {
    case CDP_TENSOR_ADDRESS:
        map->address = value;
        return value % UNIT == 0;
    case CDP_TENSOR_RANK: /* less 1 */
        map->rank = (unsigned char)(value + 1);
        return value < CDP_TENSOR_MOST_RANK;
    case CDP_TENSOR_TYPE:
        map->type = types_of_replace[value < CDP_TENSOR_TYPES ? value : 0];
        return value < CDP_TENSOR_TYPES;
    case CDP_TENSOR_SWIZZLE:
        map->swizzle = (unsigned char)value;
        return value <= CDP_TENSOR_MOST_SWIZZLE;
    case CDP_TENSOR_FILL:
        map->fills_nan = value != 0;
        return value <= 1;
    case CDP_TENSOR_INTERLEAVE:
    case CDP_TENSOR_ATOMICITY:
        return value == 0;
    default:
        return dimension < CDP_TENSOR_MOST_RANK &&
               replace_of_dimension(map, field, dimension, value);
    }
}

void cdp_abi_tensor_replace(struct cdp_tensor_map *map, uint32_t field, uint32_t ordinal,
                            uint64_t value)
{
    if (!replace(map, field, ordinal, value)) {
        cdp_fault_raise(CDP_FAULT_INSTRUCTION, (const char *)__builtin_return_address(0) - 1,
                        "tensormap.replace with the value %llu for dimension %u, which this field "
                        "of a tensor map cannot have",
                        (unsigned long long)value, ordinal);
    }
}
