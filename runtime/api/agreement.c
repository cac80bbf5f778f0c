/* What a run relied on and hardware does not guarantee. */
#include "api/agreement.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "api/runtime.h"
#include "exec/report/finding.h"
#include "exec/report/reliance.h"
#include "exec/report/stats.h"
#include "exec/state/stats.h"
#include "os/code.h"

/* The nesting depth that CUDA's dynamic parallelism has on all hardware. */
enum { MOST_DEPTH = 24 };

/* The most shared memory of a block, with cudaFuncSetAttribute, by compute capability. */
static const struct {
    unsigned arch, bytes;
} shared_limits[] = {
    {50, 48 << 10},  {70, 96 << 10}, {75, 64 << 10},  {80, 163 << 10}, {86, 99 << 10},
    {87, 163 << 10}, {89, 99 << 10}, {90, 227 << 10}, {120, 99 << 10},
};

/* The latest kernel that was given more shared memory than its architecture has. */
static _Atomic(const struct cdp_abi_kernel *) large_kernel;
static _Atomic size_t large_bytes;

/* The limit of the latest architecture that is not above the kernel's. */
static unsigned shared_limit(unsigned arch)
{
    unsigned bytes = shared_limits[0].bytes;
    for (size_t i = 0; i < sizeof shared_limits / sizeof *shared_limits; i++) {
        if (shared_limits[i].arch <= arch) {
            bytes = shared_limits[i].bytes;
        }
    }
    return bytes;
}

static unsigned arch_of(const struct cdp_abi_kernel *kernel)
{
    return kernel->flags >> CDP_KERNEL_ARCH_SHIFT;
}

void cdp_agreement_launched(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape)
{
    size_t bytes = kernel->shared_size + shape->dynamic_shared;
    unsigned arch = arch_of(kernel);
    if (arch != 0 && bytes > shared_limit(arch)) {
        atomic_store(&large_bytes, bytes);
        atomic_store(&large_kernel, kernel);
    }
}

/* The remark. On the stack of cdp_agreement_tell. */
struct remark {
    char text[1500];
    size_t used;
};

static void add(struct remark *remark, const char *format, ...) CDP_PRINTF(2, 3);
static void add(struct remark *remark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(remark->text + remark->used, sizeof remark->text - remark->used, format,
                           arguments);
    va_end(arguments);
    remark->used += (size_t)length;
    if (remark->used >= sizeof remark->text) {
        remark->used = sizeof remark->text - 1;
    }
}

/* The line of a launch. */
static void add_line(struct remark *remark, const void *site)
{
    char place[512];
    cdp_os_symbolize(site != NULL ? (const char *)site - 1 : NULL, place, sizeof place);
    add(remark, ", reached by the launch at %s", place);
}

static void add_launches(struct remark *remark, struct cdp_runtime *runtime)
{
    struct cdp_stats_summary sum;
    cdp_stats_summarize(runtime->engine, &sum);
    uint32_t pending = cdp_engine_limits(runtime->engine, 0)->pending_launches;
    if (sum.deepest > MOST_DEPTH) {
        add(remark, "\n  - grids were nested %u deep", sum.deepest);
        add_line(remark, sum.deepest_site);
        add(remark, ": hardware has %d levels", MOST_DEPTH);
    }
    if (sum.pending > pending) {
        add(remark, "\n  - %u launches by kernels were pending at once", sum.pending);
        add_line(remark, sum.pending_site);
        add(remark,
            ": hardware has space for %u; "
            "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, n) makes it larger",
            pending);
    }
    if ((sum.uses & CDP_STATS_WAITED) != 0 && (sum.uses & CDP_STATS_TAIL_OR_FREE) != 0) {
        add(remark,
            "\n  - kernels called cudaDeviceSynchronize(), and launched into "
            "cudaStreamTailLaunch or cudaStreamFireAndForget: no generation of CUDA has both");
    }
}

/* "in k at x.cu:3:5". */
static void add_site(struct remark *remark, const struct cdp_reliance *reliance)
{
    const struct cdp_abi_site *site = atomic_load(&reliance->site);
    char name[256];
    cdp_os_demangle(atomic_load(&reliance->kernel)->name, name, sizeof name);
    add(remark, ", in kernel %s", name);
    if (site->file != NULL) {
        add(remark, " (%s:%u:%u)", cdp_os_base_name(site->file), site->line, site->column);
    }
}

static void add_memory(struct remark *remark)
{
    uint64_t stack = atomic_load(&cdp_reliance_stack.amount);
    if (atomic_load(&cdp_reliance_host_memory.amount) != 0) {
        add(remark,
            "\n  - host memory that is neither pinned, registered nor managed was accessed");
        add_site(remark, &cdp_reliance_host_memory);
        add(remark, ": only some systems allow that (cudaDevAttrPageableMemoryAccess)");
    }
    if (stack != 0) {
        add(remark, "\n  - a recursion needs at least %" PRIu64 " bytes of a GPU's stack", stack);
        add_site(remark, &cdp_reliance_stack);
        add(remark, ", more than cudaLimitStackSize: "
                    "cudaDeviceSetLimit(cudaLimitStackSize, n) makes it larger");
    }
}

static void add_races(struct remark *remark)
{
    uint64_t races = cdp_finding_count(CDP_CHECKS_RACE);
    if (races != 0) {
        add(remark,
            "\n  - an order that nothing fixes: %" PRIu64 " finding%s of race; "
            "results may depend on it",
            races, races == 1 ? "" : "s");
    }
}

static void add_shared(struct remark *remark)
{
    const struct cdp_abi_kernel *kernel = atomic_load(&large_kernel);
    char name[256];
    if (kernel != NULL) {
        cdp_os_demangle(kernel->name, name, sizeof name);
        add(remark, "\n  - a block of %s got %zu bytes of shared memory: sm_%u has at most %u",
            name, atomic_load(&large_bytes), arch_of(kernel), shared_limit(arch_of(kernel)));
    }
}

void cdp_agreement_tell(struct cdp_runtime *runtime)
{
    struct remark remark = {.used = 0};
    add_launches(&remark, runtime);
    add_shared(&remark);
    add_memory(&remark);
    add_races(&remark);
    if (remark.used != 0) {
        cdp_finding_remark("would a GPU agree? This run relied on what hardware does not "
                           "guarantee:%s",
                           remark.text);
    }
}
