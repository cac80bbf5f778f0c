/* Events that several processes have (cudaEventInterprocess).
 *
 * The records of such an event have numbers, in the order of the calls of all processes. Its state
 * is in a file without a name that all map: the latest record, and which records are complete. Each
 * process has one such file for the events that it made. */
#ifndef CDP_STREAM_SHARED_EVENT_H
#define CDP_STREAM_SHARED_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"

struct cdp_event_board; /* shared_event.c */

/* One process's side of an event. Zero: none. Copies made by cdp_shared_event_take count. */
struct cdp_shared_event {
    struct cdp_event_board *board; /* counted */
    uint32_t slot;
};

/* The name of an event, for processes of this machine. */
struct cdp_event_name {
    uint32_t magic;   /* CDP_EVENT_MAGIC */
    uint32_t process; /* that made it */
    int32_t fd;       /* that process's descriptor of the file */
    uint32_t slot;
    uint64_t file; /* cdp_os_shared_number */
    uint64_t serial;
};
#define CDP_EVENT_MAGIC 0x45444d43u /* 'CMDE' */

enum cdp_status cdp_shared_event_create(struct cdp_shared_event *out) CDP_MUST_CHECK;
/* CDP_INVALID_VALUE: not a name; CDP_NOT_REGISTERED: the event is gone, or its process. */
enum cdp_status cdp_shared_event_open(const struct cdp_event_name *name,
                                      struct cdp_shared_event *out) CDP_MUST_CHECK;
void cdp_shared_event_take(const struct cdp_shared_event *event);
void cdp_shared_event_give(const struct cdp_shared_event *event);
void cdp_shared_event_name(const struct cdp_shared_event *event, struct cdp_event_name *out);

/* A new record, which is pending: its number. */
uint64_t cdp_shared_event_record(const struct cdp_shared_event *event);
void cdp_shared_event_complete(const struct cdp_shared_event *event, uint64_t record);
/* The number of the latest record; 0: there was none, and it counts as complete. */
uint64_t cdp_shared_event_latest(const struct cdp_shared_event *event);
bool cdp_shared_event_is_done(const struct cdp_shared_event *event, uint64_t record);
/* Blocks until it is done. The record of a process that died is done. */
void cdp_shared_event_wait(const struct cdp_shared_event *event, uint64_t record);

/* What is to be done after a record. */
struct cdp_shared_wait {
    struct cdp_shared_wait *next;
    struct cdp_shared_event event; /* counted */
    uint64_t record;
    void (*run)(void *data);
    void *data;
};
/* Calls run(data) from another thread when the record is done. The caller keeps the struct until
 * then. False if there is no thread: then it is not called. */
bool cdp_shared_event_call(struct cdp_shared_wait *wait) CDP_MUST_CHECK;

#endif
