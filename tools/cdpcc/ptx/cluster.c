/* Inline PTX of thread block clusters: calls of the functions that the device headers use.
 *
 *   barrier.cluster.arrive{.release|.relaxed}{.aligned};      __cluster_barrier_arrive
 *   barrier.cluster.wait{.acquire}{.aligned};                 __cluster_barrier_wait
 *   mapa{.shared::cluster}.u32|.u64 d, a, rank;               __cluster_map_shared_rank
 *   getctarank{.shared::cluster}.u32|.u64 d, a;               __cluster_query_shared_rank
 *
 * Every arrival orders memory, which is more than .relaxed asks for. */
#include "ptx/forms.h"

bool ptx_do_cluster_barrier(struct ptx_code *code, const struct ptx_statement *statement)
{
    ptx_call(code,
             ptx_has(statement, "arrive") ? "__cluster_barrier_arrive" : "__cluster_barrier_wait",
             code->lower->types.none, NULL, 0);
    return true;
}

/* The second operand as a pointer. Without .shared::cluster it is a generic address, which has 64
 * bits here. */
static LLVMValueRef pointer(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef address = ptx_read(code, &statement->operands[1], 64);
    if (ptx_has(statement, "shared")) {
        address = ptx_shared_address(code, statement, address);
    } else if (ptx_has(statement, "u32")) {
        ptx_complain(code, "a generic address has 64 bits: use .u64, or .shared::cluster.u32");
    }
    return LLVMBuildIntToPtr(code->builder, address, code->lower->types.ptr, "");
}

bool ptx_do_map_rank(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef arguments[] = {pointer(code, statement),
                                ptx_read(code, &statement->operands[2], 32)};
    LLVMValueRef mapped =
        ptx_call(code, "__cluster_map_shared_rank", code->lower->types.ptr, arguments, 2);
    ptx_write(code, statement->operands[0].name,
              LLVMBuildPtrToInt(code->builder, mapped, code->lower->types.i64, ""));
    return true;
}

bool ptx_do_find_rank(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef address = pointer(code, statement);
    ptx_write(code, statement->operands[0].name,
              ptx_call(code, "__cluster_query_shared_rank", code->lower->types.i32, &address, 1));
    return true;
}
