/* The processor for which device code is compiled, and its features. */
#ifndef CDPCC_PROCESSOR_H
#define CDPCC_PROCESSOR_H
#include "target/target.h"

#include <stdint.h>

/* The user's options. The strings are borrowed; NULL if not given.
 *
 * For example {"aarch64-linux-gnu", "neoverse-n1", NULL}. Zero is this machine with all its
 * features. */
struct target {
    const char *triple;   /* --target; NULL: this machine */
    const char *cpu;      /* -march; NULL: the machine's own */
    const char *features; /* beside those of the processor, in LLVM's form */
};

/* The processor and its features as LLVM names them; in the arena. Never NULL: "" if no features
 * are to be added. */
const char *target_cpu(const struct target *target);
const char *target_features(const struct target *target);
/* Whether -march names an ARM architecture and not a processor: the front end has written its
 * features into the functions' attributes. */
bool target_is_architecture(const struct target *target);

/* Lanes of 32 bits in the processor's vectors: 4, 8 or 16. */
unsigned target_lanes(const struct target *target);
/* Whether the processor has gathers and scatters of elements of that size, under any mask. */
bool target_has_gathers(const struct target *target, uint64_t bytes);
/* Whether it has masked loads and stores of contiguous elements of that size. */
bool target_has_masked_accesses(const struct target *target, uint64_t bytes);
/* Whether the processor has fused multiply-add. */
bool target_has_fma(const struct target *target);

#endif
