/* Remarks of --explain: what a kernel's block entry is, or why it has none, and what its author
 * could do about it.  The advice for a refusal is found in a table by the start of its text. */
#include "simd/remarks.h"

#include "ir/context.h"
#include "ir/options.h"
#include "lower/kernel.h"
#include "simd/explain.h"
#include "simd/ir/origin.h"
#include "simd/ir/symbolic_stride.h"
#include "simd/ir/variant.h"
#include "ir/user_location.h"
#include "simd/plan/cost.h"
#include "simd/versions.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>

static const struct {
    const char *reason, *advice;
} table[] = {
    {"it has inline assembly", "use CUDA's function for it"},
    {"it calls through a pointer",
     "call the function by name, or make it a parameter of a template"},
    {"it calls a function of another unit", "define the function in this unit"},
    {"it calls a function that", "let the function be inlined: no __noinline__, no recursion"},
    {"other threads have something to do where one waits",
     "put __syncthreads() directly behind the branch of the thread that launches and waits"},
    {"it calls ", "make the call in a kernel of its own"},
    {"it has values of a type", "use scalars of at most 64 bits"},
    {"it has too many gathers", "unroll its loops less, or let neighbours access neighbours"},
    {"in its loops each thread stores",
     "let consecutive values of threadIdx.x access consecutive elements"},
    {"its code would be long",
     "put it into a file with fewer kernels, or launch it with a constant size"},
    {"it has too many divisions", "unroll its loops less, or divide numbers of 64 bits"},
    {"it has local memory of variable size", "give local arrays a constant size"},
    {"its threads have too much local memory", "use smaller local arrays"},
    {"values across barriers take too much of the stack", "keep fewer of them, or smaller blocks"},
    {"it has a loop without an end", "give it a condition that changes as it runs"},
    {"it has an irreducible loop (two entries)", "do not jump into the loop"},
    {"a loop in it waits",
     "let no condition in the loop depend on an atomic operation's result or on a volatile value, "
     "or put the loop into a kernel of its own"},
    {"a barrier is in an irreducible", "leave the loop in one place, all threads at once"},
    {"threads may diverge here",
     "move the barrier out of the branch, or let the whole block take the same branch"},
    {"threads of a warp may diverge", "move the operation to where all threads of the warp come"},
    {"the mask of", "name all threads of the warp, or move the operation out of the branch"},
    {"it is too large", "split the kernel"},
    {"no launch reaches it", "remove it, or launch it"},
};

static const char *advice_on(const char *reason)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_starts(reason, table[i].reason)) {
            return table[i].advice;
        }
    }
    return NULL;
}

/* One line for each kernel, with the file and line of the kernel, as compilers print warnings. */
static void explain(const struct simd_kernel *kernel, const char *text, LLVMValueRef blamed,
                    const char *advice)
{
    const struct lower_context *lower = simd_context_of(kernel);
    if (lower->options->explain == EXPLAIN_NOTHING || lower->options->explain == EXPLAIN_JSON) {
        return;
    }
    unsigned length = 0, line = 0;
    LLVMValueRef entry = simd_source_of(kernel)->entry; /* a clone has no line */
    const char *file = LLVMGetDebugLocFilename(entry, &length);
    line = LLVMGetDebugLocLine(entry);
    fprintf(stderr, "%.*s:%u: kernel %s: %s", (int)length, file == NULL ? "" : file, line,
            simd_source_of(kernel)->name, text);
    const char *call;
    struct lower_place cause = lower_user_location(lower, lower_with_line(blamed), &call);
    if (cause.file != NULL) {
        fprintf(stderr, " (%s:%u%s%s)", cause.file, cause.line, call != NULL ? ", in " : "",
                call != NULL ? call : "");
    }
    if (advice != NULL) {
        fprintf(stderr, "; %s", advice);
    }
    fputc('\n', stderr);
}

void simd_explain_refusal(const struct simd_kernel *kernel, const char *why, LLVMValueRef blamed)
{
    if (simd_context_of(kernel)->options->print != PRINT_NOTHING) {
        printf("refused: %s\n", why);
    }
    if (simd_context_of(kernel)->options->explain == EXPLAIN_JSON) {
        simd_explain_threads(stderr, kernel, why, blamed, advice_on(why));
        return;
    }
    explain(kernel, str_format("thread entries: %s", why), blamed, advice_on(why));
}

/* All versions for known sizes, in one line. */
static const char *describe_sizes(const struct simd_versions *versions)
{
    const char *text = "";
    for (unsigned i = 0; i < versions->count; i++) {
        const struct simd_version *at = &versions->items[i];
        if (at->size.x != 0) {
            text =
                str_format("%s%s %ux%ux%u (%u lanes%s, %u at a time%s)", text,
                           *text == '\0' ? "for blocks of" : ",", at->size.x, at->size.y,
                           at->size.z, at->options.lanes, at->is_transposed ? " along y" : "",
                           at->options.vectors, at->layout == LAYOUT_PADDED ? ", padded rows" : "");
        }
    }
    return text;
}

/* Which blocks run by the versions, of which `shown` is the first general one if there is any, and
 * why others run by thread entries. */
static const char *describe_blocks(const struct simd_version *shown, const char *sizes,
                                   const char *why)
{
    if (shown->size.x != 0) {
        return why == NULL ? str_format("%s; no other sizes", sizes)
                           : str_format("%s; other sizes by thread entries: %s", sizes, why);
    }
    const char *text = str_format("vectors of %u lanes%s, %u at a time%s%s", shown->options.lanes,
                                  shown->is_transposed ? " along y" : "", shown->options.vectors,
                                  *sizes == '\0' ? "" : "; ", sizes);
    return why == NULL ? text
                       : str_format("%s; blocks of several rows by thread entries: %s", text, why);
}

/* What --explain adds for a kernel of such a unit. */
static const char one_version[] =
    "the unit's kernels have so much code that each keeps one version, to save compile time; for "
    "more versions, put this kernel into a file with fewer kernels";

/* And for a kernel whose faster entry is not known. */
static void explain_unsure(const struct simd_kernel *kernel, const struct simd_plan *plan)
{
    struct simd_cost cost = simd_cost_of(plan);
    explain(kernel,
            str_format("its thread entries may be faster, so the runtime measures both: the "
                       "estimate is %.0f instructions for a thread, and %.0f by thread entries",
                       cost.block, cost.thread),
            NULL, NULL);
}

static void explain_plans(const struct simd_kernel *kernel, const struct simd_versions *versions)
{
    enum lower_explain how = simd_context_of(kernel)->options->explain;
    for (unsigned i = 0; how >= EXPLAIN_PLAN && i < versions->count; i++) {
        simd_explain_plan(stderr, versions->items[i].plan, how == EXPLAIN_JSON);
    }
}

void simd_explain_versions(const struct simd_kernel *kernel, const struct simd_versions *versions,
                           const struct simd_version *general)
{
    const char *why = general->refusal;
    unsigned first = 0;
    while (first + 1 < versions->count && versions->items[first].size.x != 0) {
        first++;
    }
    const struct simd_version *shown = &versions->items[first];
    explain(kernel,
            str_format("block entry: %u regions, %u values across barriers, %s",
                       (unsigned)shown->plan->region_count, shown->plan->slots,
                       describe_blocks(shown, describe_sizes(versions), why)),
            why == NULL ? NULL : general->plan->blamed, why == NULL ? NULL : advice_on(why));
    if (general->options.keeps_one) {
        explain(kernel, one_version, NULL, NULL);
    }
    if (simd_source_of(kernel)->block.is_unsure) {
        explain_unsure(kernel, versions->items[0].plan);
    }
    explain_plans(kernel, versions);
}

static const char *name_of_parameter(const struct lower_kernel *source, uint64_t offset)
{
    for (unsigned i = 0; i < source->param_count; i++) {
        const struct lower_param *param = &source->params[i];
        if (offset - param->offset >= param->size) {
            continue;
        }
        const char *name = param->name != NULL && *param->name != '\0'
                               ? param->name
                               : str_format("parameter %u", i + 1);
        return param->size <= sizeof(uint64_t)
                   ? name
                   : str_format("%s (from byte %u)", name, (unsigned)(offset - param->offset));
    }
    return str_format("byte %u of the parameters", (unsigned)offset); /* only in tests of passes */
}

void simd_explain_unit_strides(const struct simd_kernel *kernel,
                               const struct simd_symbolic_stride *strides, size_t count,
                               const struct simd_versions *versions)
{
    const char *names = "";
    for (size_t i = 0; i < count; i++) {
        const char *name = name_of_parameter(simd_source_of(kernel), strides[i].offset);
        names = str_format("%s%s%s", names, i == 0 ? "" : ", ", name);
    }
    explain(kernel, str_format("other versions for launches with stride 1: %s", names), NULL, NULL);
    explain_plans(kernel, versions);
}
