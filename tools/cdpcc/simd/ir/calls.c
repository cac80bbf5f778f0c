/* Calls that the vectorizer recognizes: barriers, warp operations, pure functions.
 *
 * The kernel's code refers to CUDA by name: calls of the runtime have names that start with
 * cdp_abi_. */
#include "simd/ir/calls.h"
#include "simd/ir/wide_calls.h"

#include "ir/value.h"
#include "lower/kernel.h"
#include "support/str.h"

#include <string.h>

const char *simd_callee_name(LLVMValueRef instruction)
{
    LLVMValueRef callee = lower_callee(instruction);
    return callee == NULL ? "" : lower_name(callee);
}

bool simd_is_barrier(LLVMValueRef instruction)
{
    return strcmp(simd_callee_name(instruction), "cdp_abi_syncthreads") == 0 ||
           simd_vote_of(instruction) != VOTE_NONE;
}

/* __syncthreads_count(), _and() and _or(). */
enum simd_vote simd_vote_of(LLVMValueRef instruction)
{
    static const char prefix[] = "cdp_abi_syncthreads_";
    const char *name = simd_callee_name(instruction);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        return VOTE_NONE;
    }
    const char *what = name + sizeof prefix - 1;
    return strcmp(what, "count") == 0 ? VOTE_COUNT : strcmp(what, "and") == 0 ? VOTE_AND : VOTE_OR;
}

static const struct operation {
    const char *name, *title;
    enum simd_warp what;
} operations[] = {
    {"cdp_abi_syncwarp", "__syncwarp", WARP_SYNC},
    {"cdp_abi_shfl32", "a shuffle", WARP_SHUFFLE},
    {"cdp_abi_shfl64", "a shuffle", WARP_SHUFFLE},
    {"cdp_abi_ballot", "a vote", WARP_BALLOT},
    {"cdp_abi_activemask", "__activemask", WARP_ACTIVE},
    {"cdp_abi_match_any32", "__match_any_sync", WARP_MATCH_ANY},
    {"cdp_abi_match_any64", "__match_any_sync", WARP_MATCH_ANY},
    {"cdp_abi_match_all32", "__match_all_sync", WARP_MATCH_ALL},
    {"cdp_abi_match_all64", "__match_all_sync", WARP_MATCH_ALL},
    {"cdp_abi_reduce32", "a reduction", WARP_REDUCE},
};

static const struct operation *find_operation(LLVMValueRef instruction)
{
    const char *name = LLVMIsACallInst(instruction) == NULL ? "" : simd_callee_name(instruction);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(name, operations[i].name) == 0) {
            return &operations[i];
        }
    }
    return NULL;
}

const char *simd_warp_operation_title(LLVMValueRef call)
{
    return find_operation(call)->title;
}

enum simd_warp simd_warp_operation_of(LLVMValueRef instruction)
{
    const struct operation *operation = find_operation(instruction);
    return operation == NULL ? WARP_NONE : operation->what;
}

bool simd_waits_for_children(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL &&
           str_equals(simd_callee_name(at), "cdp_abi_cudaDeviceSynchronize");
}

bool simd_waits(LLVMValueRef at)
{
    return simd_waits_for_children(at) ||
           (LLVMIsACallInst(at) != NULL && str_equals(simd_callee_name(at), "cdp_abi_grid_wait"));
}

bool simd_is_guard(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) != NULL &&
           str_starts(simd_callee_name(instruction), LOWER_GUARDS);
}

bool simd_is_device_launch(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL && LLVMGetNumArgOperands(at) == SIMD_LAUNCH_OPERANDS &&
           str_equals(simd_callee_name(at), "cdp_abi_cudaLaunchDevice");
}

bool simd_is_parameter_buffer(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL &&
           str_equals(simd_callee_name(at), "cdp_abi_cudaGetParameterBuffer");
}

bool simd_is_hint(LLVMValueRef instruction)
{
    static const char *const names[] = {"llvm.lifetime.",  "llvm.assume",
                                        "llvm.dbg.",       "llvm.experimental.noalias.scope.decl",
                                        "llvm.prefetch",   "llvm.donothing",
                                        "llvm.sideeffect", NULL};
    return LLVMIsACallInst(instruction) != NULL &&
           str_starts_any(simd_callee_name(instruction), names);
}

bool simd_is_print(LLVMValueRef instruction)
{
    static const char *const names[] = {"cdp_abi_printf", "cdp_abi_vprintf", "cdp_abi_puts",
                                        "cdp_abi_putchar", NULL};
    return LLVMIsACallInst(instruction) != NULL &&
           str_starts_any(simd_callee_name(instruction), names);
}

bool simd_is_serial_child(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) != NULL &&
           str_starts(simd_callee_name(instruction), SIMD_SERIAL_CHILD);
}

/* The list has only functions that write no memory of the program and cannot fail. */
bool simd_is_pure_call(LLVMValueRef instruction)
{
    static const char *const pure[] = {"llvm.sqrt.",
                                       "llvm.fabs.",
                                       "llvm.fma.",
                                       "llvm.fmuladd.",
                                       "llvm.floor.",
                                       "llvm.ceil.",
                                       "llvm.trunc.",
                                       "llvm.rint.",
                                       "llvm.nearbyint.",
                                       "llvm.roundeven.",
                                       "llvm.copysign.",
                                       "llvm.minimumnum.",
                                       "llvm.maximumnum.",
                                       "llvm.smin.",
                                       "llvm.smax.",
                                       "llvm.umin.",
                                       "llvm.umax.",
                                       "llvm.ctpop.",
                                       "llvm.bswap.",
                                       "llvm.bitreverse.",
                                       "llvm.fshl.",
                                       "llvm.fshr.",
                                       "llvm.ctlz.",
                                       "llvm.cttz.",
                                       "llvm.abs.",
                                       "llvm.minimum.",
                                       "llvm.maximum.",
                                       "llvm.sin.",
                                       "llvm.cos.",
                                       "llvm.exp.",
                                       "llvm.exp2.",
                                       "llvm.log.",
                                       "llvm.log2.",
                                       "llvm.log10.",
                                       "llvm.pow.",
                                       "llvm.round.",
                                       "llvm.uadd.sat.",
                                       "llvm.sadd.sat.",
                                       "llvm.usub.sat.",
                                       "llvm.ssub.sat.",
                                       "llvm.fptosi.sat.",
                                       "llvm.fptoui.sat.",
                                       "cdp_abi_bounds",
                                       "cdp_abi_init_complete",
                                       SIMD_HIGH_PRODUCT,
                                       SIMD_WIDE_ARITHMETIC,
                                       NULL};
    return str_starts_any(simd_callee_name(instruction), pure);
}

bool simd_is_arithmetic_call(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.", SIMD_HIGH_PRODUCT, SIMD_WIDE_ARITHMETIC, NULL};
    return str_starts_any(simd_callee_name(call), names);
}

bool simd_is_high_product(LLVMValueRef call)
{
    return LLVMIsACallInst(call) != NULL && str_equals(simd_callee_name(call), SIMD_HIGH_PRODUCT);
}

bool simd_is_pair(LLVMValueRef value)
{
    return LLVMIsAAtomicCmpXchgInst(value) != NULL ||
           (LLVMIsACallInst(value) != NULL &&
            strcmp(simd_callee_name(value), "cdp_abi_bounds") == 0);
}

const struct simd_record_form *simd_record_form_of(LLVMValueRef call)
{
    static const struct simd_record_form forms[] = {
        {"race_load", "cdp_abi_race_lanes", "cdp_abi_race_gather", .has_site = true},
        {"race_loads", "cdp_abi_race_loads_lanes", NULL, .has_site = true, .has_steps = true},
        {"race_store", "cdp_abi_race_store_lanes", "cdp_abi_race_scatter", .has_site = true,
         .has_value = true},
        {"init_read", "cdp_abi_init_read_lanes", "cdp_abi_init_read_gather", .has_site = true},
        {"init_read_some", "cdp_abi_init_read_lanes", "cdp_abi_init_read_gather", .has_site = true},
        {"init_load", "cdp_abi_init_read_lanes", "cdp_abi_init_read_gather", .has_result = true},
        {"init_store", "cdp_abi_init_write_lanes", "cdp_abi_init_write_gather", .has_bits = true},
        {"address_read", "cdp_abi_address_lanes", "cdp_abi_address_gather", .has_site = false},
        {"address_write", "cdp_abi_address_lanes", "cdp_abi_address_gather", .has_site = false},
        {"address_reads", "cdp_abi_address_loop_lanes", NULL, .has_steps = true},
        {"address_writes", "cdp_abi_address_loop_lanes", NULL, .has_steps = true},
        {"init_write", "cdp_abi_init_write_lanes", "cdp_abi_init_write_gather", .is_final = true},
    };
    static const char runtime[] = "cdp_abi_";
    const char *name = LLVMIsACallInst(call) != NULL ? simd_callee_name(call) : "";
    name += simd_is_guard(call)         ? sizeof LOWER_GUARDS - 1
            : str_starts(name, runtime) ? sizeof runtime - 1
                                        : strlen(name);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (str_equals(name, forms[i].name)) {
            return &forms[i];
        }
    }
    return NULL;
}

bool simd_is_address_test(LLVMValueRef call)
{
    const char *name = simd_callee_name(call);
    return str_starts(name, "cdp_abi_address_") || str_starts(name, LOWER_GUARDS "address.");
}

enum simd_count simd_count_of(LLVMValueRef instruction)
{
    static const struct {
        const char *name;
        enum simd_count what;
    } counts[] = {{"access", COUNT_ACCESS},
                  {"branch", COUNT_BRANCH},
                  {"switch", COUNT_SWITCH},
                  {"block", COUNT_BLOCK},
                  {"end", COUNT_END}};
    static const char prefix[] = "cdp_abi_count_";
    const char *name = LLVMIsACallInst(instruction) != NULL ? simd_callee_name(instruction) : "";
    for (size_t i = 0; str_starts(name, prefix) && i < sizeof counts / sizeof *counts; i++) {
        if (str_equals(name + sizeof prefix - 1, counts[i].name)) {
            return counts[i].what;
        }
    }
    return COUNT_NONE;
}

bool simd_has_effects(LLVMValueRef call)
{
    return !simd_is_pure_call(call) && !simd_is_guard(call) && simd_record_form_of(call) == NULL &&
           simd_count_of(call) == COUNT_NONE;
}

LLVMIntPredicate simd_clamp_of(LLVMValueRef instruction)
{
    static const struct {
        const char *name;
        LLVMIntPredicate predicate;
    } clamps[] = {{"llvm.smin.i", LLVMIntSLE},
                  {"llvm.smax.i", LLVMIntSGE},
                  {"llvm.umin.i", LLVMIntULE},
                  {"llvm.umax.i", LLVMIntUGE}};
    for (size_t i = 0; LLVMIsACallInst(instruction) != NULL && i < sizeof clamps / sizeof *clamps;
         i++) {
        if (str_starts(simd_callee_name(instruction), clamps[i].name)) {
            return clamps[i].predicate;
        }
    }
    return 0;
}
