/* Reports at the end of a program, and its exit status.
 *
 * Device code does not change the exit status, as with CUDA. Then test drivers that check only the
 * status do not notice a failed kernel. CDP_ERROR_EXIT=n changes the status to n, and
 * CDP_CHECK_EXIT=n does so if a check has found a mistake. */
#include "api/exit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/agreement.h"
#include "api/check.h"
#include "api/leak.h"
#include "api/profile.h"
#include "api/nvtx.h"
#include "api/runtime.h"
#include "api/unread.h"
#include "api/unwaited.h"
#include "exec/report/count.h"
#include "exec/report/finding.h"
#include "exec/report/profile.h"
#include "exec/report/progress.h"
#include "exec/report/races.h"
#include "exec/report/recorder.h"
#include "exec/report/steps.h"
#include "exec/report/timeline.h"
#include "exec/state/engine.h"

/* As cudaOccupancyMaxActiveBlocksPerMultiprocessor has it. */
static double occupancy(const struct cdp_abi_kernel *kernel, uint32_t threads,
                        uint32_t dynamic_shared)
{
    uint32_t warps = (threads + CDP_WARP_SIZE - 1) / CDP_WARP_SIZE;
    int blocks = cdp_occupancy_of(kernel, (int)threads, dynamic_shared);
    int most = cdp_profile_here()->capability->threads / CDP_WARP_SIZE;
    return (double)blocks * warps / most;
}

static void write_recorded(const struct cdp_options *options, bool by_thread)
{
    if (options->profile != 0) {
        cdp_profile_print(options, by_thread);
    }
    if (options->trace != NULL) {
        cdp_timeline_write(options->trace);
    }
}

/* Of a process that has ranges of NVTX and did not start the runtime. */
static void at_exit_of_ranges(void)
{
    struct cdp_options options;
    if (cdp_runtime_running() == NULL && cdp_recorder_all() != NULL) {
        cdp_options_read(&options);
        write_recorded(&options, false);
    }
}

void cdp_exit_prepare_ranges(void)
{
    (void)pthread_atfork(NULL, NULL, cdp_recorder_forget_parent);
    if (atexit(at_exit_of_ranges) != 0) {
        fprintf(stderr, "cdp: no memory for the ranges at the end of the program\n");
    }
}

/* A handler for on_exit, which passes the status. In the C library a second call of exit, made
 * here, changes the status: the remaining handlers run and see the new one. */
static void at_exit(int status, void *unused)
{
    (void)unused;
    struct cdp_runtime *running = cdp_runtime_running();
    if (running == NULL) {
        return; /* in a child process */
    }
    bool failed = cdp_unread_tell();
    for (unsigned i = 0; i < running->device_count; i++) {
        failed |= cdp_engine_fault(running->engine, i, NULL) != CDP_OK ||
                  cdp_engine_lost_launch(running->engine, i) ||
                  atomic_load(&running->devices[i].deferred_error) != 0;
    }
    if (!failed && status == EXIT_SUCCESS) {
        cdp_unwaited_report();
    }
    cdp_leak_report(running, CDP_ALL_DEVICES);
    if (atomic_load(&cdp_finding_checks) != 0) {
        cdp_agreement_tell(running);
        cdp_registry_tell_unchecked();
        cdp_races_finish();
    }
    uint64_t findings = cdp_finding_finish();
    if (running->options.stats != 0) {
        cdp_engine_print_stats(running->engine);
    }
    cdp_progress_finish(running->engine);
    write_recorded(&running->options, running->engine->modes.by_thread);
    cdp_steps_write();
    cdp_count_print(running->options.count, occupancy);
    if (failed && status == EXIT_SUCCESS && running->options.error_exit != 0) {
        exit((int)running->options.error_exit);
    }
    if (findings != 0 && status == EXIT_SUCCESS && running->options.check_exit != 0) {
        exit((int)running->options.check_exit);
    }
}

void cdp_exit_prepare(void)
{
    static atomic_flag is_prepared;
    cdp_nvtx_link();
    cdp_nvtx_injection_link();
    if (atomic_flag_test_and_set(&is_prepared)) {
        return;
    }
    if (on_exit(at_exit, NULL) != 0) {
        fprintf(stderr, "cdp: no memory for the reports at the end of the program\n");
    }
}
