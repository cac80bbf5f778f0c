/* Tensor maps (CUtensorMap), and the copies of tensors that use them.
 *
 * The driver API writes maps (api/driver/tensor.c), or PTX's tensormap.replace changes them.
 * Kernels read them in instructions of PTX such as cp.async.bulk.tensor ("Tensor" in the PTX
 * manual), whose code is in cdpcc's tools/cdpcc/ptx/library/tensor.cu. The layout is ours: CUDA's
 * is secret.
 *
 * A copy goes row by row. cdp_abi_tensor_check_map checks where the map is, cdp_abi_tensor_begin
 * the copy, and cdp_abi_tensor_next gives each row, as often as it returns 1 (exec/block/tensor.c).
 * The accesses themselves, also those of the map, are in the kernel's code, so checks and reports
 * see them. */
#ifndef CDP_ABI_TENSOR_H
#define CDP_ABI_TENSOR_H

#ifdef __cplusplus
#define CDP_TENSOR_ALIGN alignas(64)
#else
#define CDP_TENSOR_ALIGN _Alignas(64)
#endif

enum {
    CDP_TENSOR_MOST_RANK = 5,
    CDP_TENSOR_MOST_BOX = 256,
    CDP_TENSOR_MOST_STEP = 8,
    CDP_TENSOR_MOST_SWIZZLE = 3
};
enum { CDP_TENSOR_MAGIC = 0x544d5043 };

enum cdp_tensor_kind { CDP_TENSOR_TILED = 1, CDP_TENSOR_IM2COL };

/* The numbers of CUtensorMapDataType. */
enum cdp_tensor_type {
    CDP_TENSOR_U8,
    CDP_TENSOR_U16,
    CDP_TENSOR_U32,
    CDP_TENSOR_S32,
    CDP_TENSOR_U64,
    CDP_TENSOR_S64,
    CDP_TENSOR_F16,
    CDP_TENSOR_F32,
    CDP_TENSOR_F64,
    CDP_TENSOR_BF16,
    CDP_TENSOR_F32_FTZ,
    CDP_TENSOR_TF32,
    CDP_TENSOR_TF32_FTZ,
    CDP_TENSOR_TYPES
};

/* CUtensorMap as we fill it. Dimension 0 is the one whose elements are contiguous. */
struct cdp_tensor_map {
    CDP_TENSOR_ALIGN unsigned magic; /* CDP_TENSOR_MAGIC */
    unsigned char kind;              /* enum cdp_tensor_kind */
    unsigned char type;              /* enum cdp_tensor_type */
    unsigned char rank;              /* dimensions */
    unsigned char swizzle;           /* CUtensorMapSwizzle: none, or in 32 << swizzle - 1 bytes */
    unsigned long long address;
    unsigned long long strides[CDP_TENSOR_MOST_RANK - 1]; /* bytes, of dimensions 1 to 4 */
    unsigned last[CDP_TENSOR_MOST_RANK];                  /* the size of each dimension, less 1 */
    unsigned short box[CDP_TENSOR_MOST_RANK];             /* tiled: its sizes */
    unsigned char steps[CDP_TENSOR_MOST_RANK];            /* the one of dimension 0 has no effect */
    unsigned char fills_nan;                              /* elements outside: NaN, not zero */
    short lower[CDP_TENSOR_MOST_RANK - 2], upper[CDP_TENSOR_MOST_RANK - 2]; /* im2col: corners */
    unsigned short channels, pixels;                                        /* im2col: sizes */
};

/* What an instruction does, besides its coordinates. */
enum cdp_tensor_action {
    CDP_TENSOR_LOAD = 1,
    CDP_TENSOR_STORE,
    CDP_TENSOR_PREFETCH,
    CDP_TENSOR_REDUCE /* this and more: the words of the operation in forms.def, from 1 */
};
enum cdp_tensor_operation {
    CDP_TENSOR_ADD = 1,
    CDP_TENSOR_MIN,
    CDP_TENSOR_MAX,
    CDP_TENSOR_INC,
    CDP_TENSOR_DEC,
    CDP_TENSOR_AND,
    CDP_TENSOR_OR,
    CDP_TENSOR_XOR
};

/* What tensormap.replace changes, in the order of the words in forms.def. */
enum cdp_tensor_field {
    CDP_TENSOR_ADDRESS = 1,
    CDP_TENSOR_STRIDE,
    CDP_TENSOR_BOX,
    CDP_TENSOR_SIZE,
    CDP_TENSOR_STEP,
    CDP_TENSOR_RANK,
    CDP_TENSOR_TYPE,
    CDP_TENSOR_INTERLEAVE,
    CDP_TENSOR_SWIZZLE,
    CDP_TENSOR_ATOMICITY,
    CDP_TENSOR_FILL
};

/* A copy, and its current row. On the stack of the thread that copies. */
struct cdp_tensor_copy {
    /* Set before cdp_abi_tensor_begin. */
    char *row; /* the box in shared memory; then its current row, before swizzling */
    int at[CDP_TENSOR_MOST_RANK];
    unsigned short offsets[CDP_TENSOR_MOST_RANK - 2]; /* im2col */
    unsigned char kind, action;                       /* of the instruction */
    unsigned rank;
    unsigned operation; /* of a reduction */
    /* Set by cdp_abi_tensor_begin. */
    unsigned bytes;   /* of the box: what the barrier waits for */
    unsigned swizzle; /* a chunk's number is changed by these bits of its line of 128 bytes */
    unsigned fill;    /* 16 bits of each 2 bytes of elements outside */
    unsigned type;    /* of an element */
    /* The current row. */
    char *global;                   /* of the first byte inside */
    unsigned before, inside, after; /* bytes outside the tensor, inside, and outside again */
    /* Private to exec/block/tensor.c. */
    unsigned pitch, width; /* of a row in shared memory, and its bytes */
    unsigned left;         /* rows that follow */
    int position[CDP_TENSOR_MOST_RANK];
    struct cdp_tensor_map map; /* a copy, set before cdp_abi_tensor_begin */
};

#endif
