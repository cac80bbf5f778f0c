/* Operations of streams on words of memory: a stream writes a value, or waits until a word has one
 * (CUDA Driver API, "Stream Memory Operations").
 *
 * A wait is a hold of its stream (stream/stream.h). No thread of the engine waits for it: one
 * thread of this file looks at the words of all waits, since anybody may write them: device code,
 * the host, another stream, another process. */
#ifndef CDP_STREAM_MEMORY_OP_H
#define CDP_STREAM_MEMORY_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"

struct cdp_streams;

/* With the values of CUstreamWaitValue_flags. w: the word, v: the value. */
enum cdp_memory_test {
    CDP_TEST_GEQ, /* w - v >= 0 as a signed number, so that counters may wrap around */
    CDP_TEST_EQ,
    CDP_TEST_AND, /* (w & v) != 0 */
    CDP_TEST_NOR, /* ~(w | v) != 0 */
};

struct cdp_memory_op {
    void *address; /* aligned to the word */
    uint64_t value;
    bool is_wait, is_64; /* words of 4 or 8 bytes */
    enum cdp_memory_test test;
    const void *site; /* the program's call, for messages; may be NULL */
};

/* Queues the operation. The stream's device must have access to the word until the operation is
 * complete: if it is freed before, the device gets the fault CDP_FAULT_ADDRESS. With CDP_TIMEOUT a
 * wait may take no longer than a launch. */
enum cdp_status cdp_stream_memory_op(struct cdp_streams *streams, uint64_t stream,
                                     const struct cdp_memory_op *op) CDP_MUST_CHECK;

#endif
