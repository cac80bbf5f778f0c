/* How to order two accesses. */
#include "exec/report/race_help.h"

#include <string.h>

#include "exec/report/finding.h"
#include "races/race.h"

/* Threads that execute the same line, as *counter += 1. */
static bool is_same_line(const struct cdp_finding *finding)
{
    const struct cdp_abi_site *a = finding->at.site, *b = finding->other.site;
    return a != NULL && b != NULL && a->file != NULL && b->file != NULL && a->line == b->line &&
           strcmp(a->file, b->file) == 0;
}

/* Whether a thread may read what another one writes as its own element: a[i] += a[i + 1]. Then an
 * atomic operation does not help. */
static bool may_be_neighbour(const struct cdp_finding *finding,
                             const struct cdp_race_conflict *conflict)
{
    uint32_t a = finding->at.site->flags, b = finding->other.site->flags;
    bool one_reads = (a & CDP_SITE_WRITE) == 0 || !conflict->writes;
    return one_reads && (a & b & CDP_SITE_INDEXED) != 0;
}

static const char *help_of_line(const struct cdp_finding *finding,
                                const struct cdp_race_conflict *conflict, bool is_one_warp)
{
    if (!may_be_neighbour(finding, conflict)) {
        return "use an atomic operation, such as atomicAdd(), or let each thread write a place of "
               "its own";
    }
    if (conflict->rule == CDP_NO_GRID_SYNC) {
        return "blocks of a grid run in any order: write into another array than the one that is "
               "read, or, if several threads update one element, use an atomic operation, such as "
               "atomicAdd()";
    }
    return is_one_warp
               ? "let each thread read into a local variable, put a __syncwarp() after it, and "
                 "write then; or, if several threads update one element, use an atomic operation, "
                 "such as atomicAdd()"
               : "let each thread read into a local variable, put a __syncthreads() after it, and "
                 "write then; or, if several threads update one element, use an atomic operation, "
                 "such as atomicAdd()";
}

const char *cdp_race_help(const struct cdp_finding *finding,
                          const struct cdp_race_conflict *conflict, bool is_shared,
                          bool is_one_warp)
{
    enum cdp_order_rule rule = conflict->rule;
    if (rule <= CDP_NO_GRID_SYNC && is_same_line(finding)) {
        return help_of_line(finding, conflict, is_one_warp);
    }
    /* A read after the launch is usually meant to see the result. */
    if (!conflict->writes && rule == CDP_NO_LAUNCH) {
        rule = CDP_NO_JOIN;
    } else if (!conflict->writes && rule == CDP_NO_HOST_LAUNCH) {
        rule = CDP_NO_HOST_SYNC;
    }
    if (rule == CDP_NO_GRID_SYNC && is_shared) {
        return "let all blocks of the cluster meet between the two: cluster.sync()";
    }
    switch (rule) {
    case CDP_NO_WARP_SYNC:
        return is_one_warp
                   ? "put a __syncwarp() between the two, or a __syncthreads(): the lanes of "
                     "a warp do not run in lockstep"
                   : "put a __syncthreads() between the two, or, if only threads of one warp share "
                     "the memory, a __syncwarp(): the lanes of a warp do not run in lockstep";
    case CDP_NO_BARRIER:
        return "put a __syncthreads() between the two";
    case CDP_NO_GRID_SYNC:
        return "blocks of a grid run in any order: use an atomic operation, let each block write "
               "its own place, or order the two by a __threadfence() and an atomic flag";
    case CDP_NO_LAUNCH:
        return "the child may run before this access: move the access before the launch, or put a "
               "__syncthreads() between the two";
    case CDP_NO_JOIN:
        return "wait for the child first: by cudaDeviceSynchronize() (CDP1), or in a tail launch "
               "(CDP2)";
    case CDP_JOIN_BY_OTHER:
        return "another thread of the block waited for the child: put a __syncthreads() after its "
               "cudaDeviceSynchronize()";
    case CDP_NO_STREAM:
        return "launch both into one stream, let one stream wait for an event of the other, or "
               "wait between the two launches";
    case CDP_NO_HOST_SYNC:
        return "let the host wait before this access: cudaDeviceSynchronize()";
    case CDP_NO_HOST_LAUNCH:
        return "let the host access the memory before the launch, or wait for the kernel first";
    case CDP_ORDERED:
        break;
    }
    return NULL;
}
