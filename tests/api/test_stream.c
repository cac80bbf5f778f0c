/* Streams, events and host functions: order, overlap, handles. */
#include "support/suite.h"
#include "support/kernels.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A log in managed memory, written by kernels and host functions. */
static atomic_int *new_log(void)
{
    return managed(1000 * sizeof(atomic_int));
}

static cudaError_t launch_log(atomic_int *log, int value, cudaStream_t stream)
{
    static const void *kernel;
    if (kernel == NULL) {
        kernel = make_log();
    }
    void *args[] = {&log, &value};
    return launch_one(kernel, args, stream);
}

/* Blocks the stream until the gate opens. */
static atomic_int *close_gate(cudaStream_t stream)
{
    static const void *kernel;
    if (kernel == NULL) {
        kernel = make_gate();
    }
    atomic_int *gate = NULL;
    ck_ok(cudaHostAlloc((void **)&gate, 2 * sizeof *gate, 0));
    memset(gate, 0, 2 * sizeof *gate);
    atomic_int *where = gate + 1;
    int value = 1;
    void *args[] = {&gate, &where, &value};
    ck_ok(launch_one(kernel, args, stream));
    return gate;
}

static void ck_log(atomic_int *log, const char *expected)
{
    char text[1000] = "";
    for (int i = 0; i < atomic_load(&log[0]); i++) {
        text[i] = (char)atomic_load(&log[1 + i]);
    }
    ck_assert_str_eq(text, expected);
}

CDP_TEST(work_in_one_stream_runs_in_order)
{
    atomic_int *log = new_log();
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    for (int i = 0; i < 500; i++) {
        ck_ok(launch_log(log, i + 1, stream));
    }
    ck_ok(cudaStreamSynchronize(stream));
    for (int i = 0; i < 500; i++) {
        ck_assert_int_eq(atomic_load(&log[1 + i]), i + 1);
    }
}

CDP_TEST(null_stream_waits_for_blocking_streams_and_they_for_it)
{
    atomic_int *log = new_log();
    cudaStream_t a, b;
    ck_ok(cudaStreamCreate(&a));
    ck_ok(cudaStreamCreate(&b));
    atomic_int *gate = close_gate(a);
    ck_ok(launch_log(log, 'a', a));
    ck_ok(launch_log(log, '0', NULL));
    ck_ok(launch_log(log, 'b', b));
    ck_ok(launch_log(log, '1', cudaStreamLegacy));
    ck_cuda(cudaErrorNotReady, cudaStreamQuery(NULL));
    ck_cuda(cudaErrorNotReady, cudaStreamQuery(b));
    ck_assert_int_eq(atomic_load(&log[0]), 0);
    atomic_store(gate, 1);
    ck_ok(cudaDeviceSynchronize());
    ck_log(log, "a0b1");
}

CDP_TEST(non_blocking_streams_pass_the_null_stream)
{
    atomic_int *log = new_log();
    cudaStream_t stream;
    ck_ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    atomic_int *gate = close_gate(NULL);
    ck_ok(launch_log(log, '0', NULL));
    ck_ok(launch_log(log, 'n', stream));
    /* The gate occupies one worker, and one is the waiting host thread's. */
    int workers = 0;
    ck_ok(cudaDeviceGetAttribute(&workers, cudaDevAttrMultiProcessorCount, 0));
    if (workers > 2) {
        ck_ok(cudaStreamSynchronize(stream));
        ck_log(log, "n");
    }
    atomic_store(gate, 1);
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(atomic_load(&log[0]), 2);
}

CDP_TEST(events_order_streams)
{
    atomic_int *log = new_log();
    cudaStream_t a, b;
    cudaEvent_t event, never;
    ck_ok(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    ck_ok(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    ck_ok(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    ck_ok(cudaEventCreate(&never));
    atomic_int *gate = close_gate(a);
    ck_ok(launch_log(log, 'a', a));
    ck_ok(cudaEventRecord(event, a));
    ck_ok(launch_log(log, 'A', a));
    ck_ok(cudaStreamWaitEvent(b, event, 0));
    ck_ok(cudaStreamWaitEvent(b, never, 0));
    ck_ok(cudaEventDestroy(event));
    ck_ok(launch_log(log, 'b', b));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventQuery(event));
    ck_ok(cudaEventQuery(never));
    ck_cuda(cudaErrorNotReady, cudaStreamQuery(b));
    atomic_store(gate, 1);
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(atomic_load(&log[0]), 3);
    ck_assert_int_eq(atomic_load(&log[1]), 'a');
}

CDP_TEST(a_wait_is_for_the_record_made_before_it)
{
    atomic_int *log = new_log();
    cudaStream_t a, b;
    cudaEvent_t event;
    ck_ok(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    ck_ok(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    ck_ok(cudaEventCreate(&event));
    ck_ok(cudaEventRecord(event, b));
    ck_ok(cudaStreamWaitEvent(b, event, 0));
    ck_ok(launch_log(log, 'b', b));
    ck_ok(cudaStreamSynchronize(b));
    atomic_int *gate = close_gate(a);
    ck_ok(cudaEventRecord(event, a));
    ck_cuda(cudaErrorNotReady, cudaEventQuery(event));
    ck_log(log, "b");
    atomic_store(gate, 1);
    ck_ok(cudaEventSynchronize(event));
    ck_ok(cudaEventQuery(event));
}

CDP_TEST(events_measure_time)
{
    cudaEvent_t start, end, untimed, never;
    float ms = -1;
    ck_ok(cudaEventCreate(&start));
    ck_ok(cudaEventCreate(&end));
    ck_ok(cudaEventCreate(&never));
    ck_ok(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming | cudaEventBlockingSync));
    ck_ok(cudaEventRecord(start, NULL));
    ck_ok(cudaEventSynchronize(start)); /* the time is recorded, also on a busy machine */
    atomic_int *gate = close_gate(NULL);
    ck_ok(cudaEventRecord(end, NULL));
    ck_ok(cudaEventRecord(untimed, NULL));
    ck_cuda(cudaErrorNotReady, cudaEventElapsedTime(&ms, start, end));
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    atomic_store(gate, 1);
    ck_ok(cudaEventSynchronize(end));
    ck_ok(cudaEventElapsedTime(&ms, start, end));
    ck_assert(ms >= 15 && ms < 10000);
    ck_ok(cudaEventElapsedTime(&ms, end, start));
    ck_assert(ms <= -15);
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, never));
    ck_cuda(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, start, end));
}

CDP_TEST(bad_handles_are_refused)
{
    cudaStream_t stream, made_up = (cudaStream_t)(void *)0x7f0012345678;
    cudaEvent_t event;
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(cudaEventCreate(&event));
    cudaStream_t event_as_stream = (cudaStream_t)(void *)event;
    cudaEvent_t stream_as_event = (cudaEvent_t)(void *)stream;
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(made_up));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(event_as_stream));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamQuery(cudaStreamTailLaunch));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventRecord(stream_as_event, stream));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventRecord(event, made_up));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventSynchronize(NULL));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(stream, NULL, 0));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamLegacy));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventDestroy(NULL));
    ck_cuda(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 8));
    ck_cuda(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 0x40));
    ck_cuda(cudaErrorInvalidValue, cudaStreamCreate(NULL));
    ck_cuda(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, event, 9));
    ck_ok(cudaStreamDestroy(stream));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
    cudaStream_t second;
    ck_ok(cudaStreamCreate(&second)); /* likely in the same slot */
    ck_assert_ptr_ne(second, stream);
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamQuery(stream));
}

CDP_TEST(s19_work_of_a_destroyed_stream_still_runs)
{
    atomic_int *log = new_log();
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    atomic_int *gate = close_gate(stream);
    ck_ok(launch_log(log, 'x', stream));
    ck_ok(cudaStreamDestroy(stream));
    ck_cuda(cudaErrorInvalidResourceHandle, launch_log(log, 'y', stream));
    atomic_store(gate, 1);
    ck_ok(cudaDeviceSynchronize());
    ck_log(log, "x");
}

static void log_host(void *log)
{
    atomic_int *to = log;
    atomic_store(&to[1 + atomic_fetch_add(&to[0], 1)], 'h');
}

static void log_callback(cudaStream_t stream, cudaError_t status, void *log)
{
    if (stream != NULL && status == cudaSuccess) {
        log_host(log);
    }
}

CDP_TEST(host_functions_keep_their_place)
{
    atomic_int *log = new_log();
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(launch_log(log, '1', stream));
    ck_ok(cudaLaunchHostFunc(stream, log_host, log));
    ck_ok(launch_log(log, '2', stream));
    ck_ok(cudaStreamAddCallback(stream, log_callback, log, 0));
    ck_ok(launch_log(log, '3', stream));
    ck_ok(cudaStreamSynchronize(stream));
    ck_log(log, "1h2h3");
    ck_cuda(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, NULL, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaStreamAddCallback(stream, log_callback, log, 1));
}

static void call_cuda(void *result)
{
    void *memory;
    *(cudaError_t *)result = cudaMalloc(&memory, 4);
}

CDP_TEST(host_functions_may_not_call_cuda)
{
    cudaError_t result = cudaSuccess;
    ck_ok(cudaLaunchHostFunc(NULL, call_cuda, &result));
    ck_ok(cudaDeviceSynchronize());
    ck_cuda(cudaErrorNotPermitted, result);
}

CDP_TEST(stream_properties_are_kept)
{
    cudaStream_t stream;
    int priority, least, greatest;
    unsigned flags;
    ck_ok(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    ck_assert(least == 0 && greatest < 0);
    ck_ok(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10));
    ck_ok(cudaStreamGetPriority(stream, &priority));
    ck_assert_int_eq(priority, greatest);
    ck_ok(cudaStreamGetFlags(stream, &flags));
    ck_assert_uint_eq(flags, cudaStreamNonBlocking);
    ck_ok(cudaStreamGetFlags(NULL, &flags));
    ck_assert_uint_eq(flags, 0);
    enum cudaStreamCaptureStatus status;
    ck_ok(cudaStreamIsCapturing(stream, &status));
    ck_assert(status == cudaStreamCaptureStatusNone);
}

static void *use_own_stream(void *arg)
{
    atomic_int *log = arg;
    for (int i = 0; i < 100; i++) {
        if (launch_log(log, 't', cudaStreamPerThread) != cudaSuccess) {
            return "failed";
        }
    }
    return cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess ? NULL : "failed";
}

CDP_TEST(each_thread_has_its_own_default_stream)
{
    atomic_int *logs[4];
    pthread_t threads[4];
    atomic_int *gate_log = new_log();
    for (int i = 0; i < 4; i++) {
        logs[i] = new_log();
    }
    ck_ok(launch_log(gate_log, 'g', cudaStreamPerThread));
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, use_own_stream, logs[i]);
    }
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_null(result);
        ck_assert_int_eq(atomic_load(&logs[i][0]), 100);
    }
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamPerThread));
}

CDP_TEST(random_work_respects_every_order)
{
    enum { STREAMS = 6, STEPS = 2000 };
    cudaStream_t streams[STREAMS] = {NULL};
    int *counters = managed(STREAMS * sizeof *counters);
    int expected[STREAMS] = {0};
    cudaEvent_t event;
    ck_ok(cudaEventCreate(&event));
    const void *add = make_add();
    for (int i = 1; i < STREAMS; i++) {
        ck_ok(cudaStreamCreateWithFlags(&streams[i], i % 2 == 0 ? cudaStreamNonBlocking : 0));
    }
    unsigned seed = 12345;
    for (int step = 0; step < STEPS; step++) {
        seed = seed * 1664525 + 1013904223;
        int s = (int)(seed >> 16) % STREAMS, one = 1;
        int *counter = &counters[s];
        void *args[] = {&counter, &one};
        switch (seed >> 28) {
        case 0:
            ck_ok(cudaEventRecord(event, streams[s]));
            break;
        case 1:
            ck_ok(cudaStreamWaitEvent(streams[s], event, 0));
            break;
        case 2:
            ck_ok(cudaStreamSynchronize(streams[s]));
            break;
        default:
            ck_ok(launch_one(add, args, streams[s]));
            expected[s]++;
        }
    }
    ck_ok(cudaDeviceSynchronize());
    for (int i = 0; i < STREAMS; i++) {
        ck_assert_int_eq(counters[i], expected[i]);
    }
}

static void take_a_while(void *data)
{
    (void)data;
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
}

/* The kernel waits for an action of the host after its wait for another stream. So the host must
 * not run the kernel during that wait. */
CDP_TEST(waiting_for_one_stream_runs_no_kernel_of_another)
{
    cudaStream_t held, other;
    ck_ok(cudaStreamCreateWithFlags(&held, cudaStreamNonBlocking));
    ck_ok(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    take_a_while(NULL); /* the workers sleep by then */
    atomic_int *gate = close_gate(held);
    ck_ok(cudaLaunchHostFunc(other, take_a_while, NULL));
    ck_ok(cudaStreamSynchronize(other));
    atomic_store(gate, 1);
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(atomic_load(gate + 1), 1);
}

CDP_TEST(a_program_that_only_submits_is_blocked)
{
    int *counter = managed(sizeof *counter), one = 1;
    void *args[] = {&counter, &one};
    const void *add = make_add();
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    for (int i = 0; i < 100000; i++) {
        ck_ok(launch_one(add, args, i % 3 == 0 ? NULL : stream));
    }
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(*counter, 100000);
}

/* The data that the threads of the next test share. */
static struct {
    cudaStream_t streams[4];
    cudaEvent_t events[4];
    const void *add, *nop;
    int *counters; /* one for each thread and stream */
} commons;

static atomic_int launched[4];

static void *use_commons(void *arg)
{
    unsigned seed = (unsigned)(size_t)arg * 7919 + 1;
    for (int step = 0; step < 1500; step++) {
        seed = seed * 1664525 + 1013904223;
        unsigned s = seed >> 12 & 3, e = seed >> 14 & 3;
        cudaStream_t stream = s == 0 ? NULL : commons.streams[s], own;
        cudaError_t error = cudaSuccess;
        int one = 1, *counter = &commons.counters[4 * (size_t)arg + s];
        void *args[] = {&counter, &one};
        switch (seed >> 28) {
        case 0:
            error = cudaEventRecord(commons.events[e], stream);
            break;
        case 1:
            error = cudaStreamWaitEvent(stream, commons.events[e], 0);
            break;
        case 2:
            error = cudaStreamSynchronize(stream);
            break;
        case 3:
            error = cudaEventSynchronize(commons.events[e]);
            break;
        case 4:
            error = cudaStreamCreate(&own);
            error = error != cudaSuccess ? error : launch_one(commons.nop, NULL, own);
            error = error != cudaSuccess ? error : cudaStreamDestroy(own);
            break;
        case 5:
            error = seed % 8 == 0 ? cudaDeviceSynchronize() : cudaSuccess;
            break;
        default:
            atomic_fetch_add(&launched[s], 1);
            error = launch_one(commons.add, args, stream);
        }
        if (error != cudaSuccess) {
            return (void *)(uintptr_t)cudaGetErrorName(error);
        }
    }
    return NULL;
}

CDP_TEST(many_threads_share_streams_and_events)
{
    commons.add = make_add();
    commons.nop = make_nop();
    commons.counters = managed(16 * sizeof(int));
    for (int i = 0; i < 4; i++) {
        ck_ok(cudaStreamCreateWithFlags(&commons.streams[i], i == 3 ? cudaStreamNonBlocking : 0));
        ck_ok(cudaEventCreate(&commons.events[i]));
    }
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, use_commons, (void *)i);
    }
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_msg(result == NULL, "%s", (const char *)result);
    }
    ck_ok(cudaDeviceSynchronize());
    for (int s = 0; s < 4; s++) {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += commons.counters[4 * i + s];
        }
        ck_assert_int_eq(sum, atomic_load(&launched[s]));
    }
}

/* Queries and submissions of other threads do not affect a thread that only launches. */
struct onlooker {
    cudaStream_t stream;
    atomic_bool stop;
    atomic_int failures;
};

static void look_once(struct onlooker *onlooker, unsigned turn)
{
    cudaError_t error = cudaSuccess;
    cudaEvent_t event;
    switch (turn % 6) {
    case 0:
        error = cudaStreamQuery(onlooker->stream);
        break;
    case 1:
        error = cudaStreamSynchronize(onlooker->stream);
        break;
    case 2:
        error = cudaDeviceSynchronize();
        break;
    case 3:
        error = cudaMemsetAsync(onlooker, 0, 0, onlooker->stream);
        break;
    case 4:
        error = cudaStreamQuery(NULL);
        break;
    default:
        atomic_fetch_add(&onlooker->failures, cudaEventCreate(&event) != cudaSuccess);
        atomic_fetch_add(&onlooker->failures,
                         cudaEventRecord(event, onlooker->stream) != cudaSuccess);
        error = cudaEventSynchronize(event);
        atomic_fetch_add(&onlooker->failures, cudaEventDestroy(event) != cudaSuccess);
    }
    atomic_fetch_add(&onlooker->failures, error != cudaSuccess && error != cudaErrorNotReady);
}

static void *look_on(void *arg)
{
    struct onlooker *onlooker = arg;
    for (unsigned turn = 0; !atomic_load(&onlooker->stop); turn++) {
        look_once(onlooker, turn);
    }
    return NULL;
}

CDP_TEST(launches_keep_their_order_despite_queries)
{
    cudaStream_t streams[3] = {NULL};
    ck_ok(cudaStreamCreate(&streams[1]));
    ck_ok(cudaStreamCreateWithFlags(&streams[2], cudaStreamNonBlocking));
    for (int s = 0; s < 3; s++) {
        struct onlooker onlooker = {.stream = streams[s]};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, look_on, &onlooker), 0);
        for (int round = 0; round < 20; round++) {
            atomic_int *log = new_log();
            for (int i = 0; i < 500; i++) {
                ck_ok(launch_log(log, i + 1, streams[s]));
            }
            ck_ok(cudaStreamSynchronize(streams[s]));
            for (int i = 0; i < 500; i++) {
                ck_assert_int_eq(atomic_load(&log[1 + i]), i + 1);
            }
            ck_ok(cudaFree(log));
        }
        atomic_store(&onlooker.stop, true);
        pthread_join(thread, NULL);
        ck_assert_int_eq(atomic_load(&onlooker.failures), 0);
    }
}

CDP_TEST(launches_into_a_destroyed_stream_are_refused)
{
    atomic_int *log = new_log();
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(launch_log(log, 'a', stream));
    ck_ok(launch_log(log, 'b', stream));
    ck_ok(cudaStreamDestroy(stream));
    ck_cuda(cudaErrorInvalidResourceHandle, launch_log(log, 'c', stream));
    ck_ok(cudaDeviceSynchronize());
    ck_log(log, "ab");
}

/* Each launch is appended to the earlier ones unless something was submitted in between. */
CDP_TEST(launches_of_one_thread_alternate_between_streams)
{
    atomic_int *log = new_log();
    cudaStream_t a, b;
    ck_ok(cudaStreamCreate(&a));
    ck_ok(cudaStreamCreate(&b));
    for (int i = 0; i < 100; i++) {
        ck_ok(launch_log(log, 'a', a));
        ck_ok(launch_log(log, 'A', a));
        ck_ok(launch_log(log, '0', NULL));
        ck_ok(launch_log(log, '1', cudaStreamLegacy));
        ck_ok(launch_log(log, 'b', b));
        ck_ok(launch_log(log, '2', NULL));
        ck_ok(launch_log(log, '3', NULL));
    }
    ck_ok(cudaDeviceSynchronize());
    for (int i = 0; i < 700; i++) {
        ck_assert_int_eq(atomic_load(&log[1 + i]), "aA01b23"[i % 7]);
    }
}

CDP_TEST_MAIN("stream", 60)
