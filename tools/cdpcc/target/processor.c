/* Names of processors and features are LLVM's.
 *
 * Without --target and -march, LLVM detects this machine's processor and all its features.
 * With a name, the name alone counts: the features follow from it in LLVM. target_lanes and
 * target_has_fma need the features here as well, so there are lists of processors by their
 * features.
 *
 * LLVM asks the processor by an instruction that takes 30 microseconds in a virtual machine, and
 * passes ask for the lanes for each access. So what is found is kept. */
#include "target/processor.h"

#include "support/str.h"
#include "support/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <string.h>

/* Whether code is made for the machine that cdpcc runs on. */
static bool is_native(const struct target *target)
{
    return target->triple == NULL && (target->cpu == NULL || str_equals(target->cpu, "native"));
}

/* -march=armv8.2-a and the like name an architecture; LLVM wants a processor, so it is
 * "generic". */
const char *target_cpu(const struct target *target)
{
    bool is_arm = target_is_arm(target->triple);
    if (target->cpu != NULL && !is_native(target)) {
        return is_arm && target_is_architecture(target) ? "generic" : target->cpu;
    }
    if (!is_native(target)) {
        return is_arm ? "generic" : "x86-64";
    }
    static const char *host;
    if (host == NULL) {
        char *name = LLVMGetHostCPUName();
        host = str_format("%s", name);
        LLVMDisposeMessage(name);
    }
    return host;
}

bool target_is_architecture(const struct target *target)
{
    return target->cpu != NULL && str_starts(target->cpu, "armv");
}

const char *target_features(const struct target *target)
{
    const char *given = target->features == NULL ? "" : target->features;
    if (!is_native(target)) {
        return given;
    }
    static const char *host;
    if (host == NULL) {
        char *features = LLVMGetHostCPUFeatures();
        host = str_format("%s", features);
        LLVMDisposeMessage(features);
    }
    return *given == '\0' ? host : str_format("%s,%s", host, given);
}

/* The last mention of a feature counts. */
static bool has_feature(const char *features, const char *feature, bool otherwise)
{
    struct vec words = {.items = NULL};
    str_split_commas(&words, features);
    for (size_t i = 0; i < words.count; i++) {
        if (words.items[i][0] != '\0' && str_equals(words.items[i] + 1, feature)) {
            otherwise = words.items[i][0] == '+';
        }
    }
    return otherwise;
}

/* Processors with AVX-512. Names are prefixes. */
static const char *const wide[] = {"skylake-avx512",
                                   "cascadelake",
                                   "cooperlake",
                                   "icelake",
                                   "tigerlake",
                                   "rocketlake",
                                   "sapphirerapids",
                                   "emeraldrapids",
                                   "graniterapids",
                                   "znver4",
                                   "znver5",
                                   "x86-64-v4",
                                   NULL};
/* Processors with AVX2 and fused multiply-add, but without AVX-512. */
static const char *const middle[] = {"haswell",    "broadwell",  "skylake",   "alderlake",
                                     "raptorlake", "meteorlake", "arrowlake", "znver",
                                     "x86-64-v3",  "core-avx2",  NULL};

/* An explicit feature such as -avx512f counts more than the list. */
static unsigned find_lanes(const struct target *target)
{
    if (target_is_arm(target->triple)) {
        return 4; /* NEON, which all ARM processors have; LLVM uses no SVE for these vectors */
    }
    const char *cpu = target_cpu(target), *features = target_features(target);
    bool is_wide = str_starts_any(cpu, wide);
    if (has_feature(features, "avx512f", is_wide)) {
        return 16;
    }
    return has_feature(features, "avx2", is_wide || str_starts_any(cpu, middle)) ? 8 : 4;
}

/* A process compiles for one target. */
unsigned target_lanes(const struct target *target)
{
    static struct target last;
    static unsigned lanes;
    if (lanes == 0 || last.triple != target->triple || last.cpu != target->cpu ||
        last.features != target->features) {
        last = *target;
        lanes = find_lanes(target);
    }
    return lanes;
}

/* On x86, only AVX-512 has the instructions for all masks, and only for elements of 32 and 64 bits.
 */
bool target_has_gathers(const struct target *target, uint64_t bytes)
{
    enum { LANES_OF_AVX512 = 16, LEAST_BYTES = 4 };
    return target_lanes(target) == LANES_OF_AVX512 && bytes >= LEAST_BYTES;
}

/* On x86, AVX has them for elements of 32 and 64 bits, and AVX-512 for all. */
bool target_has_masked_accesses(const struct target *target, uint64_t bytes)
{
    enum { LANES_OF_AVX512 = 16, LANES_OF_AVX = 8, LEAST_BYTES = 4 };
    unsigned lanes = target_lanes(target);
    return lanes == LANES_OF_AVX512 || (lanes == LANES_OF_AVX && bytes >= LEAST_BYTES);
}

bool target_has_fma(const struct target *target)
{
    if (target_is_arm(target->triple)) {
        return true; /* all 64-bit ARM processors have it */
    }
    const char *cpu = target_cpu(target);
    return has_feature(target_features(target), "fma",
                       str_starts_any(cpu, wide) || str_starts_any(cpu, middle));
}
