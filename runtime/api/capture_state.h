/* The private interface of api/capture.c and api/capture_calls.c: the captures.
 *
 * A captured stream has dependencies: the nodes that its next node comes after. A new node comes
 * after all of them, and is then the only one. An event that is recorded takes the stream's
 * dependencies. A stream that waits for the event adds them to its own, and so joins the capture.
 */
#ifndef CDP_API_CAPTURE_STATE_H
#define CDP_API_CAPTURE_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/lock.h"

struct cdp_graph;
struct cdp_node;

/* Nodes, each once, and data of the edges from them to the next node. */
struct cdp_node_set {
    struct cdp_node **items;  /* owned */
    cudaGraphEdgeData *edges; /* owned; in a set that a function is given, NULL: ordinary ones */
    size_t count;
};

/* A stream or an event of a capture. */
struct cdp_capture_member {
    struct cdp_capture_member *next;
    uint64_t key; /* the stream's or event's handle */
    struct cdp_node_set deps;
    cudaGraphNode_t *handles; /* owned: of deps, as cudaStreamGetCaptureInfo has returned them */
};

/* Life: from cudaStreamBeginCapture to cudaStreamEndCapture. */
struct cdp_capture {
    struct cdp_capture *next;
    unsigned long long id;
    unsigned device;         /* the current one when it began */
    uint32_t devices;        /* a bit for each that has a stream of the capture */
    struct cdp_graph *graph; /* owned, unless the program gave it */
    bool is_given;
    size_t first_node; /* of a given graph: nodes from this index on are captured */
    enum cudaStreamCaptureMode mode;
    pthread_t thread;
    bool is_blocking; /* the stream takes part in the NULL stream's barrier */
    bool is_invalid;
    uint64_t origin;                             /* the key of the stream where it began */
    struct cdp_capture_member *streams, *events; /* owned */
};

struct cdp_captures {
    struct cdp_lock lock; /* guards the list, the captures and their graphs */
    struct cdp_capture *first;
    unsigned long long last_id;
};
extern struct cdp_captures cdp_captures;
/* The mode of the calling thread: cudaThreadExchangeStreamCaptureMode. */
extern __thread enum cudaStreamCaptureMode cdp_capture_thread_mode;

/* The legacy NULL stream cannot be captured. */
bool cdp_capture_is_legacy(cudaStream_t stream);
/* Names a stream. Each thread's own default stream has the same handle, and a key of its own. */
uint64_t cdp_capture_key(cudaStream_t stream);
/* The bit of the stream's device. */
uint32_t cdp_capture_device_bit(cudaStream_t stream);
/* The capture of which the stream is a part, and its member there; NULL: none. */
struct cdp_capture *cdp_capture_of(uint64_t key, struct cdp_capture_member **member)
    CDP_NEEDS(&cdp_captures.lock);
/* The member with the key, which is created if there is none; NULL: no memory. */
struct cdp_capture_member *cdp_capture_member(struct cdp_capture_member **list, uint64_t key);
/* The member is in no list any more. */
void cdp_capture_member_free(struct cdp_capture_member *member);
/* False: no memory. */
bool cdp_node_set_add(struct cdp_node_set *set, const struct cdp_node_set *more);
bool cdp_node_set_replace(struct cdp_node_set *set, const struct cdp_node_set *by);
/* True: the call would make the legacy stream wait for a captured one. See api/capture.h. */
bool cdp_capture_refuses_legacy(cudaError_t *error);

#endif
