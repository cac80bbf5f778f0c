/* The block sizes that kernels are launched with, as far as the source shows them: in the optimized
 * host code, in launches by kernels, and in __launch_bounds__.
 *
 * Each size gets an entry of its own, for which a guess is good enough.  In large units a kernel
 * has only these entries if each of its launches is known to have one of the sizes.  So a size that
 * is only guessed, or a launch that this file cannot see, also counts as a launch of unknown
 * size.
 *
 * What host code looks like after clang's lowering of k<<<grid, 256>>>(...), on x86-64:
 *
 *     call @__cudaPushCallConfiguration(i64 %grid_xy, i32 1, i64 4294967552, i32 1, ...)
 *     call @_Z16__device_stub__k...(...)
 *
 * The block's x and y are packed in one number: 4294967552 is 1 * 2^32 + 256. After inlining, the
 * stub pops the configuration and calls cudaLaunchKernel.
 *
 * Two levels of trust: a configuration that is on the only path to the launch is proven; the last
 * one in the code before it is a guess. A guess adds its size, and an unknown one. */
#include "simd/analysis/launch_sizes.h"

#include "ir/module.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/ir/calls.h"
#include "simd/ir/settings.h"
#include "simd/ir/variant.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

/* Operands of the calls that make up a launch. */
enum {
    PUSH_PAIR = 1,
    PUSH_XY = 2,
    PUSH_Z = 3,
    ENTRY_ADDRESS = 4,
    MOST_THREADS = 1024,
    MOST_STEPS = 1000, /* instructions from a launch back to its configuration */
};

/* CUDA's limit of threads in a block. */
static bool is_possible(const struct simd_size *size)
{
    uint64_t threads = (uint64_t)size->x * size->y * size->z;
    return threads != 0 && threads <= MOST_THREADS;
}

static void add(struct simd_launches *launches, struct simd_launch launch)
{
    if (!is_possible(&launch.size)) {
        launch.size = (struct simd_size){0, 0, 0};
    }
    LOWER_PUSH(launches->items, launches->count, launch);
}

static void add_launch(struct simd_launches *launches, const char *kernel, struct simd_size size)
{
    add(launches, (struct simd_launch){.kernel = kernel, .size = size});
}

/* A dim3 is passed in two registers. All zero if it is not constant.
 * x is in the low half, y in the high half. */
static struct simd_size size_of(LLVMValueRef xy, LLVMValueRef z)
{
    if (xy == NULL || z == NULL) {
        return (struct simd_size){0, 0, 0};
    }
    if (LLVMIsAConstantInt(xy) == NULL || LLVMIsAConstantInt(z) == NULL) {
        return (struct simd_size){0, 0, 0};
    }
    uint64_t both = LLVMConstIntGetZExtValue(xy);
    return (struct simd_size){(unsigned)both, (unsigned)(both >> 32),
                              (unsigned)LLVMConstIntGetZExtValue(z)};
}

/* ---- host code ---- */

static const char entry_prefix[] = ".offloading.entry.";

/* The stub or variable in this entry of the offloading table, or NULL.
 * clang describes each kernel by one row of this table, which has the kernel's name. */
static LLVMValueRef entry_address(LLVMValueRef global)
{
    LLVMValueRef row =
        str_starts(lower_name(global), entry_prefix) ? LLVMGetInitializer(global) : NULL;
    bool has_address = row != NULL && LLVMGetNumOperands(row) > ENTRY_ADDRESS;
    return has_address ? LLVMGetOperand(row, ENTRY_ADDRESS) : NULL;
}

/* The kernel's name, from the table entry of its stub. */
static const char *kernel_of(LLVMModuleRef module, LLVMValueRef stub)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at != NULL; at = LLVMGetNextGlobal(at)) {
        if (entry_address(at) == stub) {
            return str_format("%s", lower_name(at) + sizeof entry_prefix - 1);
        }
    }
    return NULL;
}

/* The stub that a call calls, or that it launches if the stub was inlined; else NULL. */
static LLVMValueRef stub_of(LLVMValueRef callee, LLVMValueRef call)
{
    const char *name = lower_name(callee);
    if (str_starts(name, "cudaLaunchKernel")) {
        return LLVMGetOperand(call, 0);
    }
    return strstr(name, "__device_stub__") != NULL ? callee : NULL;
}

/* The block's size: two numbers, or an array of two on ARM. */
static struct simd_size pushed_size(LLVMValueRef push)
{
    LLVMValueRef pair = LLVMGetOperand(push, PUSH_PAIR);
    if (LLVMGetTypeKind(LLVMTypeOf(pair)) != LLVMArrayTypeKind) {
        return size_of(LLVMGetOperand(push, PUSH_XY), LLVMGetOperand(push, PUSH_Z));
    }
    return LLVMIsAConstant(pair) == NULL
               ? size_of(NULL, NULL)
               : size_of(LLVMGetAggregateElement(pair, 0), LLVMGetAggregateElement(pair, 1));
}

static bool calls(LLVMValueRef at, const char *name)
{
    LLVMValueRef callee = lower_callee(at);
    return callee != NULL && str_equals(lower_name(callee), name);
}

/* The only predecessor of the block, or NULL. */
static LLVMBasicBlockRef only_before(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef only = NULL;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef from =
            LLVMIsAInstruction(user) == NULL ? NULL : LLVMGetInstructionParent(user);
        if (from == NULL || (only != NULL && from != only)) {
            return NULL;
        }
        only = from;
    }
    return only;
}

/* The instruction that has run before in any case, or NULL.
 * The search continues in the only predecessor, and ends where paths join. */
static LLVMValueRef instruction_before(LLVMValueRef at)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(at);
    if (before != NULL) {
        return before;
    }
    LLVMBasicBlockRef from = only_before(LLVMGetInstructionParent(at));
    return from == NULL ? NULL : LLVMGetLastInstruction(from);
}

/* The configuration that belongs to this launch alone: it is on the only path to the launch, and no
 * launch between uses it.  A launch that is not a call of the stub is one of two things.  It may be
 * the stub's inlined code, in which the configuration is popped before the launch; or the program's
 * own call, which has no configuration.  NULL: not found. */
static LLVMValueRef push_before(LLVMValueRef launch, LLVMValueRef stub)
{
    bool is_popped = lower_callee(launch) == stub;
    LLVMValueRef at = instruction_before(launch);
    for (unsigned steps = 0; at != NULL && steps < MOST_STEPS; steps++) {
        LLVMValueRef callee = lower_callee(at);
        if (calls(at, "__cudaPushCallConfiguration")) {
            return is_popped ? at : NULL;
        }
        if (calls(at, "__cudaPopCallConfiguration")) {
            if (is_popped) {
                return NULL;
            }
            is_popped = true;
        } else if (callee != NULL && stub_of(callee, at) != NULL) {
            return NULL;
        }
        at = instruction_before(at);
    }
    return NULL;
}

/* `guess`: uses the configuration that precedes the launch in the code if none is proven. */
static void add_host_launch(struct simd_launches *launches, const char *kernel, LLVMValueRef push,
                            struct simd_size guess)
{
    if (push != NULL) {
        add_launch(launches, kernel, pushed_size(push));
        return;
    }
    add_launch(launches, kernel, guess);
    add_launch(launches, kernel, (struct simd_size){0, 0, 0});
}

static void read_host_function(struct simd_launches *launches, LLVMModuleRef module,
                               LLVMValueRef function)
{
    struct simd_size last = {0, 0, 0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            LLVMValueRef callee = lower_callee(at);
            if (callee == NULL) {
                continue;
            }
            if (calls(at, "__cudaPushCallConfiguration")) {
                last = pushed_size(at);
                continue;
            }
            LLVMValueRef stub = stub_of(callee, at);
            const char *kernel = stub == NULL || stub == function ? NULL : kernel_of(module, stub);
            if (kernel != NULL) {
                add_host_launch(launches, kernel, push_before(at, stub), last);
                last = (struct simd_size){0, 0, 0};
            }
        }
    }
}

/* The value is used only in tables: of offloaded symbols, and of notes for the compiler. */
static bool is_in_table(LLVMValueRef value)
{
    if (LLVMIsAGlobalVariable(value) != NULL) {
        const char *name = lower_name(value);
        return str_starts(name, entry_prefix) || str_starts(name, "llvm.");
    }
    bool is_in = LLVMIsAConstantStruct(value) != NULL || LLVMIsAConstantArray(value) != NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL && is_in; use = LLVMGetNextUse(use)) {
        is_in = is_in_table(LLVMGetUser(use));
    }
    return is_in;
}

/* A call, a launch, or a query that launches nothing. */
static bool is_host_use(LLVMValueRef stub, LLVMValueRef user)
{
    LLVMValueRef callee = LLVMIsAInstruction(user) == NULL ? NULL : lower_callee(user);
    return callee != NULL &&
           (stub_of(callee, user) == stub || str_starts(lower_name(callee), "cudaFunc") ||
            str_starts(lower_name(callee), "cudaOccupancy") ||
            str_equals(lower_name(callee), "__cdp_occupancy"));
}

/* A kernel whose address is used otherwise may be launched with any size.
 * For example, a kernel whose address is in an array of function pointers. */
static void read_addresses(struct simd_launches *launches, LLVMModuleRef module)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at != NULL; at = LLVMGetNextGlobal(at)) {
        LLVMValueRef stub = entry_address(at);
        LLVMUseRef use = stub == NULL ? NULL : LLVMGetFirstUse(stub);
        while (use != NULL &&
               (is_in_table(LLVMGetUser(use)) || is_host_use(stub, LLVMGetUser(use)))) {
            use = LLVMGetNextUse(use);
        }
        if (use != NULL) {
            const char *kernel = str_format("%s", lower_name(at) + sizeof entry_prefix - 1);
            add_launch(launches, kernel, (struct simd_size){0, 0, 0});
        }
    }
}

static void read_host(struct simd_launches *launches, const char *path)
{
    LLVMModuleRef module = path == NULL ? NULL : module_load(path);
    launches->has_host = module != NULL;
    if (module == NULL) {
        return;
    }
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at != NULL; at = LLVMGetNextFunction(at)) {
        read_host_function(launches, module, at);
    }
    read_addresses(launches, module);
    module_dispose(module);
}

/* ---- device code ---- */

static void read_device_launch(struct simd_launches *launches, const struct lower_context *lower,
                               LLVMValueRef at)
{
    struct simd_size size =
        size_of(LLVMGetOperand(at, SIMD_LAUNCH_BLOCK_XY), LLVMGetOperand(at, SIMD_LAUNCH_BLOCK_Z));
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].descriptor == LLVMGetOperand(at, SIMD_LAUNCH_KERNEL)) {
            add_launch(launches, lower->kernels[i].name, size);
        }
    }
}

static void read_device_function(struct simd_launches *launches, const struct lower_context *lower,
                                 LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (simd_is_device_launch(at)) {
                read_device_launch(launches, lower, at);
            }
        }
    }
}

/* The same for kernels that device code launches. */
static void read_descriptors(struct simd_launches *launches, const struct lower_context *lower)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        LLVMUseRef use = LLVMGetFirstUse(lower->kernels[i].descriptor);
        while (use != NULL &&
               (is_in_table(LLVMGetUser(use)) || simd_is_device_launch(LLVMGetUser(use)))) {
            use = LLVMGetNextUse(use);
        }
        if (use != NULL) {
            add_launch(launches, lower->kernels[i].name, (struct simd_size){0, 0, 0});
        }
    }
}

static void read_device(struct simd_launches *launches, const struct lower_context *lower)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        read_device_function(launches, lower, function);
    }
    read_descriptors(launches, lower);
}

/* For tests: the same sizes for all kernels. No launch needs to have them. */
static void read_environment(struct simd_launches *launches, const struct lower_context *lower)
{
    const char *text = NULL;
    struct simd_size size;
    while (simd_setting_next_size(&text, &size)) {
        for (size_t i = 0; i < lower->kernel_count; i++) {
            add(launches, (struct simd_launch){
                              .kernel = lower->kernels[i].name, .size = size, .is_bound = true});
        }
    }
}

/* The order decides which sizes come first: tests, host code, device code, __launch_bounds__. */
struct simd_launches simd_launches_find(const struct lower_context *lower)
{
    struct simd_launches launches = {0};
    if (simd_setting_is_no_size()) {
        return launches;
    }
    read_environment(&launches, lower);
    read_host(&launches, lower->options->files.host);
    read_device(&launches, lower);
    for (size_t i = 0; i < lower->kernel_count; i++) {
        const struct lower_kernel *kernel = &lower->kernels[i];
        struct simd_size bound = {kernel->max_threads, 1, 1};
        add(&launches,
            (struct simd_launch){.kernel = kernel->name, .size = bound, .is_bound = true});
    }
    return launches;
}

unsigned simd_launches_of(const struct simd_launches *launches, const char *kernel,
                          struct simd_size sizes[SIMD_MOST_SIZES])
{
    unsigned count = 0;
    for (size_t i = 0; i < launches->count && count < SIMD_MOST_SIZES; i++) {
        const struct simd_launch *launch = &launches->items[i];
        bool is_new = launch->size.x != 0 && str_equals(launch->kernel, kernel);
        for (unsigned j = 0; j < count; j++) {
            is_new &= memcmp(&sizes[j], &launch->size, sizeof launch->size) != 0;
        }
        if (is_new) {
            sizes[count++] = launch->size;
        }
    }
    return count;
}

bool simd_launches_are_known(const struct simd_launches *launches, const char *kernel)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel, sizes), seen = 0;
    for (size_t i = 0; i < launches->count; i++) {
        const struct simd_launch *launch = &launches->items[i];
        if (launch->is_bound || !str_equals(launch->kernel, kernel)) {
            continue;
        }
        bool is_known = false;
        for (unsigned j = 0; j < count; j++) {
            is_known |= memcmp(&sizes[j], &launch->size, sizeof launch->size) == 0;
        }
        if (!is_known) {
            return false;
        }
        seen++;
    }
    return seen != 0 && launches->has_host;
}
