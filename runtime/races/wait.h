/* Waits of streams for values in memory: what is before the operations that follow a wait.
 *
 * A wait is an operation of its stream. When it ends, it has acquired what was released at its
 * address: by operations of streams that wrote there, by device code, or by the host. The
 * operations behind it may be queued long before, so they do not know it by their clocks. The
 * comparison of two accesses asks here. */
#ifndef CDP_RACES_WAIT_H
#define CDP_RACES_WAIT_H

#include <stdbool.h>
#include <stdint.h>

struct cdp_history_launch;
struct cdp_release_query;
struct cdp_release_view;

/* The operation of a stream writes the address: releases what is before it. */
void cdp_wait_wrote(const void *address, uint32_t operation);
/* The operation has waited for the value at the address. */
void cdp_wait_ended(const void *address, uint32_t operation);

/* Whether a wait before the launch by the host has acquired what the query describes. launch: NULL:
 * a wait that the host has waited for. */
bool cdp_wait_has(const struct cdp_history_launch *launch, const struct cdp_release_query *query);
/* Adds to *view what the waits before the launch have acquired. */
void cdp_wait_view(const struct cdp_history_launch *launch, struct cdp_release_view **view);
/* Nothing is pending: forgets all waits. */
void cdp_wait_clear(void);

#endif
