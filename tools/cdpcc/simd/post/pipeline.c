/* The optimizer for block entries.
 *
 * They are many times as long as the thread entries, so their passes dominate the compile time.
 * They are made from simplified code, have few calls, and are already vectorized.  So each pass
 * runs once or a few times, where LLVM's default pipeline runs some passes eight times:
 * - Early CSE finds what value numbering would.
 * - Loops without a known trip count stay as they are.
 * - Loops are not duplicated by unswitching: an iteration is long enough that an invariant branch
 *   costs little.
 * - Dead stores are few, since slots become registers, and post/shared_memory.h removes those to
 *   shared memory: there is no other pass for them.
 *
 * One order matters.  First loops over chunks are unrolled.  Then slots become registers, and
 * branches on the next region vanish.  Only then loops around barriers have known trip counts and
 * are unrolled as well.  At the end, values that only a loop's exit needs are sunk out of the loop,
 * which would otherwise compute them in each iteration. */
#include "simd/post/pipeline.h"

#include "ir/module.h"
#include "ir/value.h"
#include "support/timing.h"

#include <llvm-c/Core.h>
#include <string.h>

#define COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>,"
#define SIMPLIFY "simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;speculate-blocks;"

#define PASSES(simplified_loops)                                                                   \
    "sroa<modify-cfg>,early-cse<memssa>," COMBINE SIMPLIFY "keep-loops>,"                          \
    "loop-mssa(licm<no-allowspeculation>,loop-rotate,licm,"                                        \
    "simple-loop-unswitch<no-nontrivial;trivial>)," SIMPLIFY "keep-loops>,"                        \
    "loop(loop-idiom," simplified_loops "loop-unroll-full),"                                       \
    "sroa<modify-cfg>,early-cse<memssa>,sccp," COMBINE                                             \
    "jump-threading,correlated-propagation,adce,"                                                  \
    "loop-mssa(licm)," SIMPLIFY "no-keep-loops;forward-switch-cond;switch-to-lookup;"              \
    "hoist-common-insts;sink-common-insts>,loop(loop-rotate,loop-deletion),loop-vectorize,"        \
    "vector-combine,loop-unroll<O3;no-runtime>,sroa<preserve-cfg>,infer-alignment," COMBINE        \
    "loop-mssa(licm),loop-sink,instsimplify,div-rem-pairs," SIMPLIFY                               \
    "keep-loops;hoist-loads-stores-with-cond-faulting;speculate-unpredictables>,"                  \
    "separate-const-offset-from-gep,early-cse,sink"

static const char passes[] = PASSES("indvars,");
/* For functions with long loops. The time of indvars grows with the number of extended indices
 * times the number of a loop's blocks, and a long iteration gains nothing by it. */
static const char passes_of_long[] = PASSES("");

enum { LONG = 10000 }; /* instructions */

/* The passes for entries that rarely run: simple code, but no other kinds of loops. */
static const char few_passes[] =
    "sroa<modify-cfg>,early-cse<memssa>," COMBINE SIMPLIFY "keep-loops>,"
    "loop-mssa(licm<no-allowspeculation>,loop-rotate,licm),sroa<modify-cfg>,"
    "jump-threading," SIMPLIFY "no-keep-loops;forward-switch-cond;switch-to-lookup;"
    "hoist-common-insts;sink-common-insts>,infer-alignment," COMBINE
    "separate-const-offset-from-gep,early-cse,sink";

static const char marker[] = "cdp-block-entry", cold[] = "cold";

static LLVMAttributeIndex of_function(void)
{
    return (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
}

bool simd_optimize_is_marked(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function) &&
           LLVMGetStringAttributeAtIndex(function, of_function(), marker, sizeof marker - 1) !=
               NULL;
}

/* The attribute of functions that LLVM's passes leave alone.  It requires noinline, which entries
 * have. */
static unsigned hidden(void)
{
    return LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));
}

void simd_optimize_mark(LLVMValueRef function, bool is_cold)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMAttributeRef mark = LLVMCreateStringAttribute(llvm, marker, sizeof marker - 1, cold,
                                                      is_cold ? sizeof cold - 1 : 0);
    LLVMAddAttributeAtIndex(function, of_function(), mark);
}

void simd_optimize_hide(LLVMModuleRef module)
{
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), hidden(), 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (simd_optimize_is_marked(f)) {
            LLVMAddAttributeAtIndex(f, of_function(), attribute);
        }
    }
}

static bool is_cold(LLVMValueRef function)
{
    LLVMAttributeRef mark =
        LLVMGetStringAttributeAtIndex(function, of_function(), marker, sizeof marker - 1);
    unsigned length;
    LLVMGetStringAttributeValue(mark, &length);
    return length != 0;
}

static bool optimize(LLVMValueRef function, LLVMTargetMachineRef machine)
{
    const char *chosen = lower_count_instructions(function) > LONG ? passes_of_long : passes;
    return module_run_passes_on(function, is_cold(function) ? few_passes : chosen, machine);
}

bool simd_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    bool ok = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (simd_optimize_is_marked(f)) {
            LLVMRemoveEnumAttributeAtIndex(f, of_function(), hidden());
            int64_t begun = timing_now();
            ok = ok && optimize(f, machine);
            timing_add_since(TIMING_VERSION, "optimizer", lower_name(f), begun);
        }
    }
    return ok;
}
