/* The special registers of PTX: %tid.x, %laneid, %clock and the like. They are read-only. */
#include "ptx/translate.h"

#include "abi/cdp_abi.h"

#include "support/str.h"

#include <string.h>

/* %lanemask_lt and the like: bits of the lanes below, above, or equal to the thread's own. */
static LLVMValueRef lane_mask(struct ptx_code *code, const char *which)
{
    LLVMBuilderRef builder = code->builder;
    LLVMTypeRef i32 = code->lower->types.i32;
    LLVMValueRef ones = LLVMConstAllOnes(i32), lane = ptx_lane(code);
    LLVMValueRef equal = LLVMBuildShl(builder, LLVMConstInt(i32, 1, 0), lane, "");
    LLVMValueRef not_less = LLVMBuildShl(builder, ones, lane, "");
    LLVMValueRef less = LLVMBuildNot(builder, not_less, "");
    if (strcmp(which, "eq") == 0) {
        return equal;
    }
    if (strcmp(which, "lt") == 0) {
        return less;
    }
    if (strcmp(which, "le") == 0) {
        return LLVMBuildOr(builder, less, equal, "");
    }
    if (strcmp(which, "ge") == 0) {
        return not_less;
    }
    return strcmp(which, "gt") == 0 ? LLVMBuildXor(builder, not_less, equal, "") : NULL;
}

/* A register that tells of the cluster; NULL: it is another one. */
static LLVMValueRef cluster_register(struct ptx_code *code, const char *name)
{
    static const struct {
        const char *name;
        unsigned what; /* for cdp_abi_cluster_read; of a vector, that of x */
        bool is_vector;
    } registers[] = {
        {"%cluster_nctaid", CDP_CLUSTER_DIM, true},
        {"%cluster_ctaid", CDP_CLUSTER_BLOCK, true},
        {"%clusterid", CDP_CLUSTER_INDEX, true},
        {"%nclusterid", CDP_CLUSTER_GRID, true},
        {"%is_explicit_cluster", CDP_CLUSTER_IS_SPECIFIED, false},
        {"%cluster_ctarank", CDP_CLUSTER_RANK, false},
        {"%cluster_nctarank", CDP_CLUSTER_SIZE, false},
    };
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        size_t length = strlen(registers[i].name);
        if (!str_starts(name, registers[i].name)) {
            continue;
        }
        const char *end = name + length;
        bool is_axis = end[0] == '.' && end[1] >= 'x' && end[1] <= 'z' && end[2] == '\0';
        if (registers[i].is_vector ? is_axis : end[0] == '\0') {
            unsigned axis = is_axis ? (unsigned)(end[1] - 'x') : 0;
            LLVMTypeRef i32 = code->lower->types.i32;
            LLVMValueRef what = LLVMConstInt(i32, registers[i].what + axis, 0);
            return ptx_call(code, "__cdp_cluster_read", i32, &what, 1);
        }
    }
    return NULL;
}

/* Registers that are the result of a function. */
static const struct {
    const char *name, *function;
    unsigned bits;
} functions[] = {
    {"%laneid", "__cdp_laneid", 32},
    {"%warpid", "__cdp_warpid", 32},
    {"%tid.x", "__cdp_threadIdx_x", 32},
    {"%tid.y", "__cdp_threadIdx_y", 32},
    {"%tid.z", "__cdp_threadIdx_z", 32},
    {"%ntid.x", "__cdp_blockDim_x", 32},
    {"%ntid.y", "__cdp_blockDim_y", 32},
    {"%ntid.z", "__cdp_blockDim_z", 32},
    {"%ctaid.x", "__cdp_blockIdx_x", 32},
    {"%ctaid.y", "__cdp_blockIdx_y", 32},
    {"%ctaid.z", "__cdp_blockIdx_z", 32},
    {"%nctaid.x", "__cdp_gridDim_x", 32},
    {"%nctaid.y", "__cdp_gridDim_y", 32},
    {"%nctaid.z", "__cdp_gridDim_z", 32},
    {"%smid", "__cdp_smid", 32},
    {"%nsmid", "__cdp_nsmid", 32},
    {"%clock", "clock64", 64},
    {"%clock64", "clock64", 64},
    {"%globaltimer", "__cdp_globaltimer", 64},
    {"%globaltimer_lo", "__cdp_globaltimer", 64},
    {"%dynamic_smem_size", "__cdp_dynamic_smem_size", 32},
    {"%total_smem_size", "__cdp_total_smem_size", 32},
};

/* Registers of 64 bits whose upper half is one, too. */
static const struct {
    const char *name, *whole;
} halves[] = {{"%clock_hi", "%clock64"}, {"%globaltimer_hi", "%globaltimer"}};

enum { RESERVED_SHARED = 1024 }; /* bytes that a GPU keeps of each block's shared memory */

/* The offsets of reserved shared memory are an H100's. Here no such memory exists. */
static const struct {
    const char *name;
    unsigned value;
} constants[] = {
    {"WARP_SZ", 32},
    {"%nwarpid", CDP_ABI_WARPS_PER_MULTIPROCESSOR},
    {"%reserved_smem_offset_begin", 0},
    {"%reserved_smem_offset_end", 288},
    {"%reserved_smem_offset_cap", RESERVED_SHARED},
    {"%reserved_smem_offset_0", 0},
    {"%reserved_smem_offset_1", 0},
};

static LLVMValueRef constant_register(struct ptx_code *code, const char *name)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (strcmp(name, constants[i].name) == 0) {
            return LLVMConstInt(code->lower->types.i32, constants[i].value, 0);
        }
    }
    return NULL;
}

/* A register that is the result of a function, or computed from it. */
static LLVMValueRef called_register(struct ptx_code *code, const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(name, functions[i].name) == 0) {
            return ptx_call(code, functions[i].function, ptx_int(code, functions[i].bits), NULL, 0);
        }
    }
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        if (strcmp(name, halves[i].name) == 0) {
            LLVMValueRef by = LLVMConstInt(code->lower->types.i64, 32, 0);
            return LLVMBuildLShr(code->builder, called_register(code, halves[i].whole), by, "");
        }
    }
    if (strcmp(name, "%aggr_smem_size") == 0) {
        LLVMValueRef reserved = LLVMConstInt(code->lower->types.i32, RESERVED_SHARED, 0);
        return LLVMBuildAdd(code->builder, called_register(code, "%total_smem_size"), reserved, "");
    }
    if (strcmp(name, "%current_graph_exec") == 0) {
        LLVMValueRef graph =
            ptx_call(code, "cudaGetCurrentGraphExec", code->lower->types.ptr, NULL, 0);
        return LLVMBuildPtrToInt(code->builder, graph, code->lower->types.i64, "");
    }
    return NULL;
}

LLVMValueRef ptx_special_register(struct ptx_code *code, const char *name)
{
    if (str_starts(name, "%lanemask_")) {
        return lane_mask(code, name + strlen("%lanemask_"));
    }
    LLVMValueRef value = constant_register(code, name);
    value = value == NULL ? called_register(code, name) : value;
    return value == NULL ? cluster_register(code, name) : value;
}
