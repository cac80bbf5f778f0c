/* Findings: the mistakes that checks report. All checks use one form:
 *
 *     cdp: race: thread (3,0,0) reads s[252] although thread (252,0,0) may be writing it
 *       --> reverse.cu:9:12, in kernel reverse, block (0,0,0), thread (3,0,0)
 *         9 |     a[t] = s[255 - t];
 *           |            ^
 *       --> reverse.cu:8:10, the write, in block (0,0,0), thread (252,0,0)
 *         8 |     s[t] = a[t];
 *           |          ^
 *       memory: shared variable 's' (1024 bytes), 1008 bytes into it
 *       launched: reverse by the host at reverse.cu:15:5
 *       help: put a __syncthreads() between lines 8 and 9
 *       gdb: cdp-gdb -ex 'break reverse.cu:9 if ...' -ex run --args ./reverse
 *
 * A mistake is reported once for a pair of sites and counted from then on. The numbers are printed
 * at the end. */
#ifndef CDP_EXEC_REPORT_FINDING_H
#define CDP_EXEC_REPORT_FINDING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/cdp_check.h"
#include "base/attr.h"
#include "base/options.h"

struct cdp_abi_kernel;
struct cdp_block;

enum { CDP_FINDING_CHAIN = 8 }; /* launches that a report names */

/* One launch of the chain that led to an access. */
struct cdp_finding_launch {
    const struct cdp_abi_kernel *kernel; /* launched */
    const struct cdp_abi_kernel *by;     /* kernel that launched it; NULL: the host */
    uint32_t block[3], thread[3];        /* of by */
    bool has_thread;
    bool is_tail;   /* a tail launch of by, whose block is not known */
    const void *pc; /* inside the launching call; may be NULL */
};

/* One access or call of a finding. Zero is "not known". */
struct cdp_finding_place {
    const char *what;                    /* "the write", "the launch"; NULL for the first place */
    const struct cdp_abi_site *site;     /* the line; NULL: pc gives it */
    const void *pc;                      /* inside the instruction; used if site is NULL */
    const struct cdp_abi_kernel *kernel; /* NULL: host code */
    uint32_t block[3], thread[3];
    bool has_thread;
    struct cdp_finding_launch launches[CDP_FINDING_CHAIN]; /* innermost first */
    uint32_t launch_count;
};

/* All texts are borrowed for the call. */
struct cdp_finding {
    enum cdp_abi_checks check; /* one bit */
    const char *title;         /* a sentence without its final stop */
    const char *error;         /* CUDA's name of the error that the launch or call gets; or NULL */
    struct cdp_finding_place at;
    struct cdp_finding_place other; /* used if other.what is not NULL */
    const char *memory;             /* the allocation or variable, and where in it; or NULL */
    const char *help;               /* one sentence of advice; or NULL */
};

/* Before other calls: opens the files that the options name. options are borrowed for the call. */
void cdp_finding_start(const struct cdp_options *options);
/* A module has these checks (enum cdp_abi_checks) compiled in. May come before cdp_finding_start.
 */
void cdp_finding_enable(uint32_t checks);

/* Fills in the place of a running CUDA thread, with its launches. thread: its context. */
void cdp_finding_place_of(struct cdp_finding_place *place, const struct cdp_block *block,
                          const uint32_t thread[3]);

/* Prints the finding unless its sites were reported before, or CDP_CHECK_LIMIT is reached. Any
 * thread may call it; it takes a lock and may start a process. False if it was only counted. */
bool cdp_finding_report(const struct cdp_finding *finding);

/* Counts the finding if it was reported before, and returns whether it was. Its texts may be
 * missing still, except other.what. Saves the work of writing texts that nobody prints. */
bool cdp_finding_repeats(const struct cdp_finding *finding);

/* For cdp_finding_is_on: the checks that are on. */
extern _Atomic uint32_t cdp_finding_checks;
/* Whether this kind of check is on: compiled into some module, and not turned off by CDP_CHECK.
 * False before cdp_finding_start. */
static inline bool cdp_finding_is_on(enum cdp_abi_checks check)
{
    /* Relaxed: a module's code finds its own check on, since it was registered before it runs. */
    return (atomic_load_explicit(&cdp_finding_checks, memory_order_relaxed) & check) != 0;
}

/* Prints a remark that is no finding, as lines of their own. It does not count. */
void cdp_finding_remark(const char *format, ...) CDP_PRINTF(1, 2);

/* The number of findings of a kind, each counted once. */
uint64_t cdp_finding_count(enum cdp_abi_checks check);
/* At the end of the program: prints the number of findings, and how often they were repeated.
 * Closes the files. Returns the number of findings, each counted once. */
uint64_t cdp_finding_finish(void);

#endif
