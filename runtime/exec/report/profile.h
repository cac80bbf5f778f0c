/* CDP_PROFILE: how often kernels, copies and calls of the API ran, and how long they took; printed
 * at the end of the program. CDP_TRACE: when they ran (exec/report/timeline.h).
 *
 * Each OS thread adds to a recorder of its own. Without both only one flag is tested. A
 * kernel's time is from its first block's start to the end of all that it launched, as
 * cudaDeviceSynchronize would see it. */
#ifndef CDP_EXEC_REPORT_PROFILE_H
#define CDP_EXEC_REPORT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct cdp_abi_kernel;
struct cdp_options;
struct cdp_grid;

/* Whether the program is profiled or traced. Const after the library is loaded. */
extern bool cdp_profile_is_on;

/* ---- Grids ---- */

/* A grid is launched, before its record is published. parent: the launching grid; NULL: the host
 * launches it. */
void cdp_profile_launched(struct cdp_grid *grid, const struct cdp_grid *parent);
/* The stream of a launch by the host: its handle. */
void cdp_profile_stream(struct cdp_grid *grid, uint64_t stream);
/* Its first block starts; it is complete. Only for grids that cdp_profile_launched has marked. */
void cdp_profile_began(struct cdp_grid *grid);
void cdp_profile_ended(struct cdp_grid *grid);
/* Blocks of such a grid are complete. */
void cdp_profile_blocks_ended(uint32_t blocks);

/* A worker begins or continues a block of such a grid; or has nothing to run. For CDP_TRACE. */
void cdp_profile_runs(const struct cdp_grid *grid, unsigned worker);
void cdp_profile_idles(void);

/* ---- Copies and calls ---- */

/* A copy or fill: its kind in words, which is never freed; bytes; when it began; its device. */
void cdp_profile_copied(const char *kind, uint64_t bytes, uint64_t began, unsigned device);

/* A call of the API by the program. Calls within calls do not count. */
struct cdp_profile_call {
    const char *name;
    uint64_t began; /* 0: it does not count */
};
uint64_t cdp_profile_enter(void);
void cdp_profile_leave(const struct cdp_profile_call *call);
static inline void cdp_profile_call_ends(const struct cdp_profile_call *call)
{
    if (CDP_UNLIKELY(call->began != 0)) {
        cdp_profile_leave(call);
    }
}
/* At the start of a function of the API: the call lasts until the function returns. */
#define CDP_PROFILE_CALL()                                                                         \
    __attribute__((cleanup(cdp_profile_call_ends))) struct cdp_profile_call profile_call = {       \
        .name = __func__, .began = CDP_UNLIKELY(cdp_profile_is_on) ? cdp_profile_enter() : 0}

/* A stream has run a function of the host, or waited for an event, until now. For CDP_TRACE. */
struct cdp_profile_host {
    uint64_t stream; /* handle */
    uint64_t began;
    const void *function; /* NULL: the stream waited */
    unsigned device;
};
void cdp_profile_stream_did(const struct cdp_profile_host *host);

/* ---- NVTX: ranges and marks of the program ---- */

/* Texts are never freed; NULL: none. id: 0 for a range of the calling thread, which nests in
 * others; else of the process. */
struct cdp_profile_range {
    const char *domain, *text;
    const char *detail; /* members of a JSON object; NULL: none */
    uint64_t began, id;
};
/* The range ends now. */
void cdp_profile_ranged(const struct cdp_profile_range *range);
void cdp_profile_mark(const char *domain, const char *text, const char *detail);

/* ---- The end of the program ---- */

enum cdp_profile_form { CDP_PROFILE_TABLE = 1, CDP_PROFILE_CSV, CDP_PROFILE_JSON };
/* Prints to stderr, or to the file of CDP_PROFILE_LOG. Kernels may still run. by_thread: they run
 * by thread entries. */
void cdp_profile_print(const struct cdp_options *options, bool by_thread);

#endif
