/* Finds code that nvcc refuses and clang accepts. It works on the unoptimized code, because the
 * optimizer would silently remove a store to a constant. Kernel parameters are checked where they
 * are laid out.
 *
 * Three kinds of code are refused:
 *
 *     __constant__ int limit;
 *     __global__ void k(int *p)
 *     {
 *         limit = 1;                 // a store to a constant
 *         child<<<1, 1>>>(p);        // with -rdc=false, or -arch below sm_35
 *         __nvvm_...();              // an intrinsic of NVIDIA's back end without meaning here
 *     }
 *
 * The messages have the positions of the instructions. The pass changes nothing. It reports all
 * errors of the unit; the runner stops before the pass "front".
 *
 * A store through a pointer that only may point to a constant is not an error. lower/pointers.c
 * warns of it if it finds the variable. */
#include "lower/check.h"

#include "ir/debug_info.h"
#include "ir/report.h"
#include "ir/value.h"
#include "lower/passes.h"

#include <string.h>

/* The first architecture with dynamic parallelism, like __CUDA_ARCH__. */
enum { FIRST_ARCH = 350 };

/* The variable behind an address, through offsets and casts.
 *
 * Stops at anything else, for example at a phi or a load: then the variable is unknown, and the
 * store is not checked here. */
static LLVMValueRef root_of(LLVMValueRef address)
{
    for (;;) {
        bool is_offset = LLVMIsAGetElementPtrInst(address) != NULL;
        if (LLVMIsAConstantExpr(address) != NULL) {
            LLVMOpcode opcode = LLVMGetConstOpcode(address);
            is_offset = opcode == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast;
        } else if (LLVMIsAAddrSpaceCastInst(address) != NULL) {
            is_offset = true;
        }
        if (!is_offset) {
            return address;
        }
        address = LLVMGetOperand(address, 0);
    }
}

/* The front end makes string literals private constants. These are not variables of the source. */
bool lower_is_constant_variable(LLVMValueRef value)
{
    return LLVMIsAGlobalVariable(value) != NULL && LLVMIsGlobalConstant(value) &&
           LLVMGetLinkage(value) != LLVMPrivateLinkage;
}

LLVMValueRef lower_written_address(LLVMValueRef at)
{
    if (LLVMIsAStoreInst(at) != NULL) {
        return LLVMGetOperand(at, 1);
    }
    if (LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL) {
        return LLVMGetOperand(at, 0);
    }
    if (LLVMIsAMemIntrinsic(at) != NULL) {
        return LLVMGetOperand(at, 0);
    }
    return NULL;
}

/* Only direct stores: the address is the variable, or a constant offset into it. */
static void check_write(struct lower_context *lower, LLVMValueRef at)
{
    LLVMValueRef address = lower_written_address(at);
    if (address != NULL && lower_is_constant_variable(root_of(address))) {
        lower_error(lower, at, "device code writes to the __constant__ variable '%s'",
                    lower_source_name(lower, root_of(address)));
    }
}

/* A launch is a call for the buffer and a call for the launch. One report is enough. */
bool lower_is_launch(const char *name)
{
    return strcmp(name, "cudaLaunchDevice") == 0 || strcmp(name, "cudaLaunchDeviceV2") == 0;
}

/* Whether the function is declared __host__ __device__. */
static bool is_of_both_sides(const struct lower_context *lower, LLVMValueRef function)
{
    for (size_t i = 0; i < lower->host.count; i++) {
        if (lower->host.items[i] == function) {
            return true;
        }
    }
    return false;
}

void lower_check_launch(struct lower_context *lower, LLVMValueRef at)
{
    if (lower->options->no_device_launch) {
        lower_error(lower, at,
                    "a kernel launch from device code needs separate compilation "
                    "(-rdc=true); -rdc=false was given");
    }
    if (lower->options->arch < FIRST_ARCH) {
        lower_error(lower, at,
                    "a kernel launch from device code needs compute capability 3.5 "
                    "(-arch=sm_35 or later); -arch=sm_%u was given",
                    lower->options->arch / 10);
    }
    if (lower->options->mode == CDP_MODE_1 && is_of_both_sides(lower, lower_function_of(at))) {
        struct lower_place place = lower_place_of(at);
        lower_warning(lower, WARNING_HOST_DEVICE_LAUNCH, &place,
                      "a kernel launch in a __host__ __device__ function: CUDA's toolkits "
                      "of the --cdp=1 generation refuse it");
    }
}

/* The barrier is the only intrinsic of NVIDIA's back end that has a meaning here; lower/builtin.c
 * replaces it. */
static void check_call(struct lower_context *lower, LLVMValueRef at)
{
    LLVMValueRef callee = lower_callee(at);
    if (callee == NULL) {
        return;
    }
    const char *name = lower_name(callee);
    if (lower_is_launch(name)) {
        lower_check_launch(lower, at);
    }
    bool is_barrier = strncmp(name, "llvm.nvvm.barrier.cta.sync.aligned.all", 38) == 0;
    if (strncmp(name, "llvm.nvvm.", 10) == 0 && !is_barrier) {
        lower_error(lower, at, "the GPU intrinsic '%s' is not supported", name);
    }
}

static void check_instruction(struct lower_context *lower, LLVMValueRef at)
{
    check_write(lower, at);
    check_call(lower, at);
    if (LLVMIsAIndirectBrInst(at) != NULL) {
        lower_error(lower, at, "device code jumps to the address of a label");
    }
}

void lower_check(struct lower_context *lower)
{
    lower_each_instruction(lower, check_instruction);
}
