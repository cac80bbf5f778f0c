/* The vectorizer: a block entry is one function that runs all threads of a block, a vector of them
 * at a time.
 *
 * The pass works on thread entries that are inlined and simplified.  It cuts each at its barriers
 * into regions.  A region becomes a loop over chunks of W x U threads (W lanes in a vector, U
 * vectors side by side) with the kernel's own control flow inside it, under lane masks.  Uniform
 * values stay scalar, and branches on them stay branches.
 *
 *   ir/        the kernel as nodes (basic blocks cut at barriers), their dominators and loops
 *   analysis/  what holds of it: shapes of values, convergence, progress, aliases, legality
 *   plan/      what is made of it: width, slots, versions of loops, interleave groups, prefetches
 *   emit/      makes it: values, masks, control flow, accesses, the function around them
 *   post/      works on block entries behind LLVM's optimizer
 *
 * Plans are not records yet: much of plan/ emits what it has decided, and asks emit/ for values.
 *
 * Here: which kernels get block entries, and the choice between their versions at launch.
 *
 * Nothing is freed: all of it lies in the arena. */
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/pass.h"
#include "simd/analysis/convergence.h"
#include "simd/analysis/launch_sizes.h"
#include "simd/analysis/legality.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/function.h"
#include "simd/ir/dominators.h"
#include "simd/ir/inline.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/contract.h"
#include "simd/plan/nontemporal.h"
#include "simd/plan/width.h"
#include "simd/remarks.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1024 };
/* From here on compile time counts for more than the speed of entries that hardly ever run. */
enum { MANY_KERNELS = 4 };
enum { MOST_BRIEF = 256 }; /* values, of a kernel that is called brief */

/* Inlines, gives loops one shape, and lets no value leave one but through a phi.  No
 * unrolling and no vectors: both come after, from the optimizer and from here. */
static const char preparation[] =
    "always-inline,cgscc(inline),function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "simplifycfg,jump-threading,loop-simplify,loop-mssa(loop-rotate,licm),correlated-propagation,"
    "gvn<no-pre>,simplifycfg<no-switch-to-lookup;hoist-common-insts>,instcombine<no-verify-"
    "fixpoint>,adce,"
    "scalarizer<load-store>,instcombine<no-verify-fixpoint>,loop-simplify,lcssa)";

static bool is_wanted(const struct lower_context *lower)
{
    const struct lower_options *options = lower->options;
    return options->block_entries && !options->debug_device && options->optimize > 0 &&
           !options->sanitize_address && !options->sanitize_thread && lower->kernel_count != 0;
}

static bool prepare_module(struct lower_context *lower)
{
    simd_inline(lower);
    LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(lower->module, preparation, lower->machine, settings);
    LLVMDisposePassBuilderOptions(settings);
    if (error == NULL) {
        return true;
    }
    LLVMConsumeError(error);
    return false;
}

/* ---- the choice at launch ---- */

/* An entry, and the blocks it is for. */
struct version {
    struct simd_size size; /* all zero: any of the layout */
    enum simd_layout layout;
    struct simd_options options;
    struct simd_entry entry;
};

struct versions {
    struct version items[SIMD_MOST_SIZES + 2]; /* the general ones last */
    unsigned count;
};

struct choice {
    struct lower_context *lower;
    const struct simd_kernel *kernel;
    LLVMBuilderRef builder;
    LLVMValueRef function, block;
    LLVMBasicBlockRef refuse;
};

static LLVMValueRef word(struct choice *choice, size_t offset)
{
    LLVMValueRef at = lower_field(choice->lower, choice->builder, choice->block, offset, "");
    return lower_load_const(choice->lower, choice->builder, choice->lower->i32, at, "");
}

/* Goes on if the condition holds; else the block runs by thread entries. */
static void demand(struct choice *choice, LLVMValueRef condition, LLVMBasicBlockRef otherwise)
{
    LLVMBasicBlockRef go = LLVMAppendBasicBlockInContext(choice->lower->llvm, choice->function, "");
    LLVMBuildCondBr(choice->builder, condition, go, otherwise);
    LLVMPositionBuilderAtEnd(choice->builder, go);
}

/* Threads of a block whose slots the stack has room for. */
static uint64_t most_threads(const struct simd_entry *entry)
{
    return entry->thread_bytes == 0 ? MOST_THREADS : SIMD_MOST_STACK / entry->thread_bytes;
}

static void demand_size(struct choice *choice)
{
    struct lower_context *lower = choice->lower;
    LLVMBuilderRef b = choice->builder;
    LLVMValueRef threads = word(choice, offsetof(struct cdp_abi_block, thread_count));
    LLVMValueRef fewest = LLVMConstInt(lower->i32, CDP_ABI_FEWEST_AT_ONCE, 0);
    demand(choice, LLVMBuildICmp(b, LLVMIntUGE, threads, fewest, ""), choice->refuse);
    LLVMValueRef grid = word(choice, offsetof(struct cdp_abi_block, grid_dim));
    LLVMValueRef size = word(choice, offsetof(struct cdp_abi_block, block_dim));
    LLVMValueRef all = LLVMBuildNUWMul(b, LLVMBuildZExt(b, grid, lower->i64, ""),
                                       LLVMBuildZExt(b, size, lower->i64, ""), "");
    LLVMValueRef bound = LLVMConstInt(lower->i64, SIMD_MOST_INDEX, 0);
    demand(choice, LLVMBuildICmp(b, LLVMIntULE, all, bound, ""), choice->refuse);
}

static LLVMValueRef is_line(struct choice *choice)
{
    LLVMValueRef y = word(choice, offsetof(struct cdp_abi_block, block_dim) + 4);
    LLVMValueRef z = word(choice, offsetof(struct cdp_abi_block, block_dim) + 8);
    LLVMValueRef rows = LLVMBuildNUWMul(choice->builder, y, z, "");
    return LLVMBuildICmp(choice->builder, LLVMIntEQ, rows, LLVMConstInt(choice->lower->i32, 1, 0),
                         "");
}

static LLVMValueRef is_rows(struct choice *choice, unsigned lanes)
{
    LLVMBuilderRef b = choice->builder;
    LLVMTypeRef i32 = choice->lower->i32;
    LLVMValueRef x = word(choice, offsetof(struct cdp_abi_block, block_dim));
    LLVMValueRef rest = LLVMBuildURem(b, x, LLVMConstInt(i32, lanes, 0), "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntEQ, rest, LLVMConstInt(i32, 0, 0), "");
    return LLVMBuildOr(b, fits, is_line(choice), "");
}

static LLVMValueRef is_size(struct choice *choice, const struct simd_size *size)
{
    const unsigned sizes[] = {size->x, size->y, size->z};
    LLVMValueRef all = LLVMConstInt(choice->lower->i1, 1, 0);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef is = word(choice, offsetof(struct cdp_abi_block, block_dim) + 4 * i);
        LLVMValueRef wanted = LLVMConstInt(choice->lower->i32, sizes[i], 0);
        LLVMValueRef same = LLVMBuildICmp(choice->builder, LLVMIntEQ, is, wanted, "");
        all = LLVMBuildAnd(choice->builder, all, same, "");
    }
    return all;
}

void simd_store_index(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef block,
                      LLVMValueRef x)
{
    size_t offset = offsetof(struct cdp_abi_block, block_idx);
    LLVMBuildStore(builder, x, lower_field(lower, builder, block, offset, ""));
}

/* What lies between two blocks is this loop alone. */
static void call_for_each(struct choice *choice, const struct simd_entry *entry, LLVMValueRef first,
                          LLVMValueRef end)
{
    struct lower_context *lower = choice->lower;
    LLVMBuilderRef b = choice->builder;
    LLVMTypeRef type = LLVMGlobalGetValueType(entry->function);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(lower->llvm, choice->function, "block");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(lower->llvm, choice->function, "done");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef x = LLVMBuildPhi(b, lower->i32, "x");
    simd_store_index(lower, b, choice->block, x);
    LLVMValueRef arguments[] = {LLVMGetParam(choice->function, 0), choice->block, x};
    LLVMBuildCall2(b, type, entry->function, arguments, 3, "");
    LLVMValueRef next = LLVMBuildAdd(b, x, LLVMConstInt(lower->i32, 1, 0), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, next, end, ""), loop, done);
    LLVMAddIncoming(x, &first, &before, 1);
    LLVMAddIncoming(x, &next, &loop, 1);
    LLVMPositionBuilderAtEnd(b, done);
}

/* What went past the caches comes before whatever the caller writes. */
static void order_streams(struct choice *choice)
{
    LLVMBuilderRef b = choice->builder;
    LLVMModuleRef module = choice->lower->module;
    LLVMContextRef llvm = choice->lower->llvm;
    LLVMBasicBlockRef fence = LLVMAppendBasicBlockInContext(llvm, choice->function, "fence");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(llvm, choice->function, "done");
    LLVMValueRef nontemporal =
        simd_build_nontemporal(module, b, choice->block, choice->kernel->nontemporal_bytes);
    LLVMBuildCondBr(b, nontemporal, fence, done);
    LLVMPositionBuilderAtEnd(b, fence);
    simd_build_nontemporal_fence(module, b);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
}

static void call_entry(struct choice *choice, const struct simd_entry *entry)
{
    LLVMBuilderRef b = choice->builder;
    LLVMTypeRef i32 = choice->lower->i32, type = LLVMGlobalGetValueType(entry->function);
    LLVMValueRef index =
        lower_field(choice->lower, b, choice->block, offsetof(struct cdp_abi_block, block_idx), "");
    LLVMValueRef first = LLVMBuildLoad2(b, i32, index, "first");
    LLVMValueRef arguments[] = {LLVMGetParam(choice->function, 0), choice->block, first, NULL};
    LLVMValueRef count =
        choice->kernel->has_ranges ? LLVMGetParam(choice->function, 2) : LLVMConstInt(i32, 1, 0);
    arguments[3] = LLVMBuildAdd(b, first, count, "");
    if (entry->takes_range) {
        LLVMBuildCall2(b, type, entry->function, arguments, 4, "");
    } else if (choice->kernel->has_ranges) {
        call_for_each(choice, entry, first, arguments[3]);
    } else {
        LLVMBuildCall2(b, type, entry->function, arguments, 3, "");
    }
    if (choice->kernel->has_nontemporal) {
        order_streams(choice);
    }
    LLVMBuildRet(b, count);
}

static LLVMValueRef create_choice(struct lower_context *lower, const struct lower_kernel *kernel)
{
    LLVMTypeRef parameters[] = {lower->ptr, lower->ptr, lower->i32};
    LLVMTypeRef type = LLVMFunctionType(lower->i32, parameters, 3, 0);
    LLVMValueRef function =
        LLVMAddFunction(lower->module, str_format("cdp.block.%s", kernel->name), type);
    LLVMSetLinkage(function, LLVMGetLinkage(kernel->entry));
    LLVMSetVisibility(function, LLVMGetVisibility(kernel->entry));
    if (kernel->comdat != NULL) {
        LLVMSetComdat(function, kernel->comdat);
    }
    lower_add_attribute(lower, function, "nounwind");
    return function;
}

/* The entry's own demand on the block. */
static LLVMValueRef suits(struct choice *choice, const struct version *version)
{
    if (version->size.x != 0) {
        return is_size(choice, &version->size);
    }
    LLVMTypeRef i32 = choice->lower->i32;
    LLVMValueRef threads = word(choice, offsetof(struct cdp_abi_block, thread_count));
    LLVMValueRef most = LLVMConstInt(i32, most_threads(&version->entry), 0);
    LLVMValueRef fits = LLVMBuildICmp(choice->builder, LLVMIntULE, threads, most, "");
    LLVMValueRef is_laid_out = version->layout == LAYOUT_LINE ? is_line(choice)
                               : version->layout == LAYOUT_ROWS
                                   ? is_rows(choice, version->options.lanes)
                                   : LLVMConstInt(choice->lower->i1, 1, 0);
    return LLVMBuildAnd(choice->builder, is_laid_out, fits, "");
}

/* The runtime keeps for each block what it has launched, allocated and failed to do.  So several
 * may only be taken for one where nothing but memory and numbers is in the kernel. */
static bool has_ranges(const struct simd_kernel *kernel)
{
    for (size_t i = 0; i < kernel->value_count; i++) {
        LLVMValueRef at = kernel->values[i];
        bool is_call = kernel->node_of[i] >= 0 && LLVMIsACallInst(at) != NULL;
        if (is_call && !simd_is_barrier(at) && simd_warp_operation_of(at) == WARP_NONE &&
            strncmp(simd_callee_name(at), "llvm.", 5) != 0) {
            return false;
        }
    }
    return true;
}

/* Known to end soon: no loop, and no call that may take long. */
static bool is_brief(const struct simd_kernel *kernel)
{
    if (!kernel->has_ranges || kernel->value_count > MOST_BRIEF) {
        return false;
    }
    for (size_t i = 0; i < kernel->value_count; i++) {
        LLVMValueRef at = kernel->values[i];
        if (LLVMIsACallInst(at) != NULL && str_starts(simd_callee_name(at), "llvm.mem")) {
            return false;
        }
    }
    return simd_graph_build(kernel, 0, true, NULL)->loop_count == 0;
}

static LLVMValueRef make_choice(const struct simd_kernel *kernel, const struct versions *versions)
{
    struct lower_context *lower = kernel->lower;
    struct choice choice = {.lower = lower, .kernel = kernel};
    choice.function = create_choice(lower, kernel->source);
    choice.block = LLVMGetParam(choice.function, 1);
    choice.builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(lower->llvm, choice.function, "");
    choice.refuse = LLVMAppendBasicBlockInContext(lower->llvm, choice.function, "refuse");
    LLVMPositionBuilderAtEnd(choice.builder, first);
    demand_size(&choice);
    for (unsigned i = 0; i < versions->count; i++) {
        LLVMBasicBlockRef other =
            LLVMAppendBasicBlockInContext(lower->llvm, choice.function, "other");
        demand(&choice, suits(&choice, &versions->items[i]), other);
        call_entry(&choice, &versions->items[i].entry);
        LLVMPositionBuilderAtEnd(choice.builder, other);
    }
    LLVMBuildBr(choice.builder, choice.refuse);
    LLVMPositionBuilderAtEnd(choice.builder, choice.refuse);
    LLVMBuildRet(choice.builder, LLVMConstInt(lower->i32, 0, 0));
    LLVMDisposeBuilder(choice.builder);
    return choice.function;
}

/* ---- kernels ---- */

/* The first one from here on that has a line: a loop's first values have none. */
static LLVMValueRef with_line(LLVMValueRef at)
{
    if (at == NULL || LLVMIsAInstruction(at) == NULL) {
        return NULL;
    }
    while (at != NULL && LLVMGetDebugLocLine(at) == 0) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}

static void explain(const struct simd_kernel *kernel, const char *text, const char *advice)
{
    const struct lower_context *lower = kernel->lower;
    if (!lower->options->explain) {
        return;
    }
    unsigned length = 0, line = 0;
    const char *file = LLVMGetDebugLocFilename(kernel->function, &length);
    line = LLVMGetDebugLocLine(kernel->function);
    fprintf(stderr, "%.*s:%u: kernel %s: %s", (int)length, file == NULL ? "" : file, line,
            kernel->source->name, text);
    LLVMValueRef blamed = with_line(kernel->blamed);
    if (blamed != NULL) {
        file = LLVMGetDebugLocFilename(blamed, &length);
        fprintf(stderr, " (%.*s:%u)", (int)length, file == NULL ? "" : file,
                LLVMGetDebugLocLine(blamed));
    }
    if (advice != NULL) {
        fprintf(stderr, "; %s", advice);
    }
    fputc('\n', stderr);
}

static void explain_refusal(const struct simd_kernel *kernel, const char *why)
{
    explain(kernel, str_format("thread entries: %s", why), simd_advice(why));
}

/* A function that LLVM's verifier does not take was a mistake here: better none. */
static bool is_sound(const struct simd_entry *entry)
{
    LLVMVerifierFailureAction action =
        getenv("CDPCC_VERIFY") != NULL ? LLVMPrintMessageAction : LLVMReturnStatusAction;
    return !LLVMVerifyFunction(entry->function, action);
}

/* ---- blocks of a known size ---- */

/* While an entry for one size is made, its kernel has numbers where it asked for them. */
struct replaced {
    LLVMValueRef user, was;
    unsigned operand;
};

struct replacement {
    struct replaced *items;
    size_t count;
};

static void replace_uses(struct replacement *done, LLVMValueRef value, uint64_t number)
{
    size_t first = done->count;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned count = (unsigned)LLVMGetNumOperands(user);
        for (unsigned i = 0; i < count; i++) {
            if (LLVMGetOperand(user, i) == value) {
                struct replaced item = {.user = user, .was = value, .operand = i};
                LOWER_PUSH(done->items, done->count, item);
            }
        }
    }
    LLVMValueRef constant = LLVMConstInt(LLVMTypeOf(value), number, 0);
    for (size_t i = first; i < done->count; i++) {
        LLVMSetOperand(done->items[i].user, done->items[i].operand, constant);
    }
}

static struct replacement use_size(const struct simd_kernel *kernel, const struct simd_size *size)
{
    struct replacement done = {0};
    const unsigned sizes[] = {size->x, size->y, size->z};
    for (size_t i = 0; i < kernel->value_count; i++) {
        LLVMValueRef at = kernel->values[i];
        int field = kernel->node_of[i] < 0 ? -1 : simd_field(at);
        int dimension = field - (int)offsetof(struct cdp_abi_block, block_dim);
        if (field < 0 || LLVMTypeOf(at) != kernel->lower->i32) {
            continue;
        }
        if (dimension >= 0 && dimension < 12 && dimension % 4 == 0) {
            replace_uses(&done, at, sizes[dimension / 4]);
        } else if (field == offsetof(struct cdp_abi_block, thread_count)) {
            replace_uses(&done, at, (uint64_t)size->x * size->y * size->z);
        }
    }
    return done;
}

static void undo(const struct replacement *done)
{
    for (size_t i = 0; i < done->count; i++) {
        LLVMSetOperand(done->items[i].user, done->items[i].operand, done->items[i].was);
    }
}

/* ---- kernels' entries ---- */

static void try_version(struct simd_kernel *kernel, struct version *version)
{
    bool is_fixed = version->size.x != 0;
    struct replacement done = {0};
    kernel->layout = version->layout;
    kernel->size = is_fixed ? &version->size : NULL;
    if (is_fixed) {
        done = use_size(kernel, &version->size);
    }
    struct simd_entry *made = &version->entry;
    *made = simd_entry_emit(kernel, &version->options);
    undo(&done);
    kernel->size = NULL;
    if (made->function != NULL) {
        const struct simd_size *size = &version->size;
        bool fits = size->x * size->y * size->z <= most_threads(made);
        made->refusal = !fits             ? "values across barriers take too much of the stack"
                        : !is_sound(made) ? "cdpcc made bad code for it"
                                          : NULL;
    }
    if (made->function != NULL && made->refusal != NULL) {
        LLVMDeleteFunction(made->function);
        made->function = NULL;
    }
}

/* Half the vectors side by side, or as many if that cannot be. */
static unsigned fewer_vectors(const struct simd_kernel *kernel, const struct version *version)
{
    unsigned least = kernel->has_warps ? SIMD_WARP / version->options.lanes : 1;
    unsigned half = version->options.vectors / 2;
    return half >= least && half % least == 0 ? half : version->options.vectors;
}

static unsigned fewest_vectors(const struct simd_kernel *kernel, const struct version *version)
{
    struct version narrower = *version;
    unsigned fewer;
    while ((fewer = fewer_vectors(kernel, &narrower)) != narrower.options.vectors) {
        narrower.options.vectors = fewer;
    }
    return narrower.options.vectors;
}

static unsigned vectors_for(unsigned threads, unsigned lanes)
{
    return (threads + lanes - 1) / lanes;
}

/* A vector lies within a row: narrow ones take narrow vectors.  So do rows that are no multiple of
 * wide ones, if that makes no more than half as many again; else each row is filled up.  That takes
 * masks, which are constants where chunks are whole rows, and registers.  False: none fits. */
static bool fit_rows(const struct simd_kernel *kernel, struct version *version)
{
    unsigned x = version->size.x, wide = version->options.lanes, lanes = wide;
    if (kernel->has_warps) {
        return x % lanes == 0;
    }
    while (lanes > SIMD_FEWEST_LANES && x % lanes != 0) {
        lanes /= 2;
    }
    while (wide > SIMD_FEWEST_LANES && wide / 2 >= x) {
        wide /= 2;
    }
    unsigned filled = vectors_for(x, wide), exact = vectors_for(x, lanes);
    unsigned vectors = filled == 1 ? 2 : filled;
    bool is_exact = x % lanes == 0 && 2 * exact <= 3 * filled;
    if (is_exact || filled * wide > SIMD_MOST_FILLED * x || vectors > SIMD_MOST_VECTORS ||
        simd_local_bytes(kernel) * wide * vectors > SIMD_MOST_STACK / 2) {
        version->options.lanes = lanes;
        return x % lanes == 0;
    }
    version->layout = LAYOUT_FILLED;
    version->options.lanes = wide;
    version->options.vectors = vectors;
    return true;
}

/* A chunk is no larger than the block; more vectors than others have are for blocks that fill them.
 * False: none fits. */
static bool fit_size(const struct simd_kernel *kernel, struct version *version)
{
    const struct simd_size *size = &version->size;
    unsigned threads = size->x * size->y * size->z;
    unsigned usual = version->options.vectors;
    version->layout = size->y * size->z == 1 ? LAYOUT_LINE : LAYOUT_ROWS;
    bool fits = version->layout == LAYOUT_LINE || fit_rows(kernel, version);
    if (version->layout == LAYOUT_FILLED) {
        return threads >= CDP_ABI_FEWEST_AT_ONCE;
    }
    version->options.vectors = version->options.vectors_of_size;
    for (;;) {
        unsigned chunk = version->options.lanes * version->options.vectors;
        bool is_too_wide = version->options.vectors > usual && threads % chunk != 0;
        unsigned fewer = fewer_vectors(kernel, version);
        if (fewer == version->options.vectors || (chunk / 2 < threads && !is_too_wide)) {
            break;
        }
        version->options.vectors = fewer;
    }
    return threads >= CDP_ABI_FEWEST_AT_ONCE && fits;
}

static void make_fixed(struct simd_kernel *kernel, struct versions *versions,
                       const struct simd_launches *launches, const struct simd_options *options)
{
    static const char *const prefixes[SIMD_MOST_SIZES] = {"fixed1", "fixed2"};
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->source->name, sizes);
    for (unsigned i = 0; i < count; i++) {
        struct version *version = &versions->items[versions->count];
        *version = (struct version){.size = sizes[i], .options = *options};
        version->options.prefix = prefixes[i];
        if (fit_size(kernel, version)) {
            try_version(kernel, version);
            versions->count += version->entry.function != NULL;
        }
    }
}

static bool is_for_threads(const struct simd_size *size)
{
    return size->x * size->y * size->z < CDP_ABI_FEWEST_AT_ONCE;
}

/* The general entries run only if other units launch the kernel too. */
static bool is_general_seldom(const struct simd_kernel *kernel,
                              const struct simd_launches *launches,
                              const struct simd_options *options)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->source->name, sizes);
    for (unsigned i = 0; i < count; i++) {
        struct version version = {.size = sizes[i], .options = *options};
        if (!is_for_threads(&sizes[i]) && !fit_size(kernel, &version)) {
            return false;
        }
    }
    return simd_launches_are_known(launches, kernel->source->name);
}

/* All sizes that are launched have entries, and which unit's kernel others launch is no question,
 * as it is where each unit that uses a template has the kernel. */
static bool is_general_needless(const struct simd_kernel *kernel, const struct versions *versions,
                                const struct simd_launches *launches)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->source->name, sizes), wanted = 0;
    for (unsigned i = 0; i < count; i++) {
        wanted += !is_for_threads(&sizes[i]);
    }
    return versions->count == wanted && kernel->source->comdat == NULL;
}

/* A block of so few threads runs by thread entries, whatever there is. */
static bool is_always_tiny(const struct simd_launches *launches, const struct lower_kernel *kernel)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->name, sizes);
    bool is_tiny = simd_launches_are_known(launches, kernel->name) && kernel->comdat == NULL;
    for (unsigned i = 0; i < count; i++) {
        is_tiny = is_tiny && is_for_threads(&sizes[i]);
    }
    return is_tiny;
}

/* What rows of whole vectors are not, at the end of all others. */
static void make_any(struct simd_kernel *kernel, struct versions *versions,
                     const struct version *general)
{
    struct version *version = &versions->items[versions->count];
    *version = (struct version){.layout = LAYOUT_ANY, .options = general->options};
    version->options.prefix = "any";
    try_version(kernel, version);
    versions->count += version->entry.function != NULL;
}

static bool has_many_kernels(const struct lower_context *lower)
{
    unsigned count = 0;
    for (size_t i = 0; i < lower->kernel_count; i++) {
        count += lower->kernels[i].is_defined;
    }
    return count >= MANY_KERNELS;
}

/* Those for known sizes first: the choice takes the first that suits. */
static void make_versions(struct simd_kernel *kernel, struct versions *versions,
                          const struct simd_launches *launches, struct version *general)
{
    bool is_cold =
        has_many_kernels(kernel->lower) && is_general_seldom(kernel, launches, &general->options);
    make_fixed(kernel, versions, launches, &general->options);
    if (is_cold && is_general_needless(kernel, versions, launches)) {
        return;
    }
    general->options.is_cold = is_cold;
    general->options.vectors = is_cold ? fewest_vectors(kernel, general) : general->options.vectors;
    general->options.prefix = kernel->uses_rows ? "rows" : "line";
    try_version(kernel, general);
    if (general->entry.function == NULL) {
        return;
    }
    versions->items[versions->count++] = *general;
    if (kernel->uses_rows && !is_cold) {
        make_any(kernel, versions, general);
    }
}

static const char *describe_sizes(const struct versions *versions)
{
    const char *text = "";
    for (unsigned i = 0; i < versions->count; i++) {
        const struct version *at = &versions->items[i];
        if (at->size.x != 0) {
            text = str_format("%s%s %ux%ux%u (%u lanes, %u at a time%s)", text,
                              *text == '\0' ? "for blocks of" : ",", at->size.x, at->size.y,
                              at->size.z, at->options.lanes, at->options.vectors,
                              at->layout == LAYOUT_FILLED ? ", rows filled up" : "");
        }
    }
    return text;
}

/* Of the general entry, if there is one.  `why`: it was refused, or NULL. */
static void explain_versions(struct simd_kernel *kernel, const struct versions *versions,
                             const char *why)
{
    unsigned first = 0;
    while (first + 1 < versions->count && versions->items[first].size.x != 0) {
        first++;
    }
    const struct version *shown = &versions->items[first];
    const char *sizes = describe_sizes(versions), *rest = str_format("%s alone", sizes);
    if (why != NULL) {
        rest = str_format("%s; others by thread entries: %s", sizes, why);
    } else if (shown->size.x == 0) {
        rest = str_format("vectors of %u lanes, %u at a time%s%s", shown->options.lanes,
                          shown->options.vectors, *sizes == '\0' ? "" : "; ", sizes);
    }
    kernel->blamed = why == NULL ? NULL : kernel->blamed;
    explain(kernel,
            str_format("block entry: %u regions, %u values across barriers, %s",
                       shown->entry.regions, shown->entry.slots, rest),
            why == NULL ? NULL : simd_advice(why));
}

static const char *build(struct lower_context *lower, struct lower_kernel *source,
                         struct simd_kernel *kernel)
{
    *kernel = (struct simd_kernel){.lower = lower, .source = source, .function = source->entry};
    return simd_kernel_build(kernel) ? simd_refusal(kernel) : "it is too large";
}

/* A loop that is entered in two places gets one place, and a value that says where to go on. */
static void unite_beginnings(struct lower_context *lower, LLVMValueRef function)
{
    static const char passes[] = "lower-switch,fix-irreducible,loop-simplify,lcssa";
    LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, passes, lower->machine, settings);
    LLVMDisposePassBuilderOptions(settings);
    if (error != NULL) {
        LLVMConsumeError(error);
    }
}

/* No loop of the kernel polls: what was read by way of a cache need not be read each time. */
static void make_cached_plain(const struct simd_kernel *kernel)
{
    for (size_t i = 0; i < kernel->value_count; i++) {
        if (kernel->node_of[i] >= 0 && lower_is_cached(kernel->values[i])) {
            LLVMSetOrdering(kernel->values[i], LLVMAtomicOrderingNotAtomic);
        }
    }
}

/* Entries of the kernel, which is built if there was no reason against it. */
static void make_entries(struct simd_kernel *kernel, struct lower_kernel *source,
                         const struct simd_launches *launches, const char *why)
{
    struct versions versions = {.count = 0};
    why = why == NULL && is_always_tiny(launches, source) ? "all launches are of one or two threads"
                                                          : why;
    if (why != NULL) {
        explain_refusal(kernel, why);
        return;
    }
    make_cached_plain(kernel);
    kernel->has_ranges = has_ranges(kernel);
    struct version general = {.layout = kernel->uses_rows ? LAYOUT_ROWS : LAYOUT_LINE};
    general.options = simd_options_of(kernel);
    if (simd_local_bytes(kernel) * general.options.lanes * general.options.vectors >
        SIMD_MOST_STACK / 2) {
        explain_refusal(kernel, "its threads have too much local memory");
        return;
    }
    simd_find_nontemporal(kernel, general.options.lanes);
    make_versions(kernel, &versions, launches, &general);
    if (versions.count == 0) {
        explain_refusal(kernel, general.entry.refusal);
        return;
    }
    source->block_entry_runs_rows = kernel->has_ranges;
    source->is_brief = is_brief(kernel);
    source->block_entry = make_choice(kernel, &versions);
    explain_versions(kernel, &versions, general.entry.refusal);
}

static void lower_kernel(struct lower_context *lower, struct lower_kernel *source,
                         const struct simd_launches *launches)
{
    struct simd_kernel kernel;
    simd_warp_prepare(lower, source->entry);
    const char *why = build(lower, source, &kernel);
    if (kernel.has_two_beginnings) {
        unite_beginnings(lower, source->entry);
        why = build(lower, source, &kernel);
    }
    make_entries(&kernel, source, launches, why);
    source->parts_at_barriers = simd_parts_at_barriers(&kernel);
}

void lower_blocks(struct lower_context *lower)
{
    if (!is_wanted(lower)) {
        if (lower->options->explain && lower->kernel_count != 0) {
            fprintf(stderr, "all kernels: thread entries: -O0, -g, -G, --check, sanitizers and "
                            "--entry=thread leave no others; compile without them\n");
        }
        return;
    }
    if (!prepare_module(lower)) {
        return;
    }
    simd_contract(lower);
    lower->blocks_are_known = true;
    struct simd_launches launches = simd_launches_find(lower);
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined) {
            lower_kernel(lower, &lower->kernels[i], &launches);
        }
    }
    simd_debug_finish(lower);
}
