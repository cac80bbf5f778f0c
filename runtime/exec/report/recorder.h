/* What each OS thread records for CDP_PROFILE, CDP_TRACE and CDP_PROGRESS.
 *
 * A program may end while kernels still run. So each recorder has a lock, which its thread takes to
 * add to it, and the end of the program to read it. No other thread waits for that lock before. */
#ifndef CDP_EXEC_REPORT_RECORDER_H
#define CDP_EXEC_REPORT_RECORDER_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/lock.h"
#include "exec/report/profile_table.h"
#include "exec/report/progress.h"
#include "exec/report/timeline_list.h"

/* What a worker runs now, for CDP_TRACE. */
struct cdp_recorder_run {
    const struct cdp_abi_kernel *kernel; /* NULL: nothing; only compared */
    uint64_t began;
    unsigned worker;
    const char *name; /* never freed */
};

/* Owner: one OS thread. Never freed: what a thread did counts after its end. */
struct cdp_recorder {
    struct cdp_recorder *next;  /* const once published */
    unsigned index;             /* const: the number of the thread */
    int os_thread;              /* const: its number in the system */
    _Atomic(const char *) name; /* that the program gave it, never freed; or NULL */
    uint64_t numbers;           /* given to grids and ranges; used by the owner only */
    struct cdp_progress_counts progress;
    struct cdp_recorder_run run; /* used by the owner only */
    void *ranges;                /* open ranges of NVTX (api/nvtx.c); used by the owner only */
    struct cdp_lock lock;
    struct cdp_profile_table table CDP_GUARDED_BY(&lock);
    struct cdp_timeline_list list CDP_GUARDED_BY(&lock);
};

/* That of the calling thread; NULL without memory. */
struct cdp_recorder *cdp_recorder_own(void);
/* In a child of fork: the parent's recorders, which other threads may have locked, are left to it.
 */
void cdp_recorder_forget_parent(void);
/* All of them, the latest thread's first. */
struct cdp_recorder *cdp_recorder_all(void);

/* Names that the program gives to a thread of the system, and to a stream by its handle. The texts
 * are never freed. */
void cdp_recorder_name_thread(uint32_t os_thread, const char *name);
void cdp_recorder_name_stream(uint64_t handle, const char *name);
/* NULL: it has none. */
const char *cdp_recorder_stream_name(uint64_t handle);

#endif
