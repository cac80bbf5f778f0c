/* Programs built with per-thread default streams. */
#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
#include "support/kernels.h"
#include "support/suite.h"

#include <pthread.h>

CDP_TEST(null_means_the_threads_own_stream)
{
    atomic_int *gate = managed(sizeof *gate);
    int *where = managed(sizeof *where), value = 1;
    void *args[] = {&gate, &where, &value};
    ck_ok(launch_one(make_gate(), args, NULL));
    ck_cuda(cudaErrorNotReady, cudaStreamQuery(NULL));
    ck_cuda(cudaErrorNotReady, cudaStreamQuery(cudaStreamPerThread));
    atomic_store(gate, 1);
    ck_ok(cudaStreamSynchronize(NULL));
    ck_ok(cudaStreamQuery(cudaStreamPerThread));
    ck_assert_int_eq(*where, 1);
    ck_ok(cudaMemset(where, 0, sizeof *where));
    ck_assert_int_eq(*where, 0);
}

CDP_TEST(a_launch_by_configuration_uses_it_too)
{
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    ck_assert_uint_eq(__cudaPushCallConfiguration(shape(1, 1, 1), shape(1, 1, 1), 0, NULL), 0);
    ck_ok(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    ck_assert_ptr_eq(stream, cudaStreamPerThread);
    ck_assert_uint_eq(
        __cudaPushCallConfiguration(shape(1, 1, 1), shape(1, 1, 1), 0, cudaStreamLegacy), 0);
    ck_ok(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    ck_assert_ptr_eq(stream, cudaStreamLegacy);
}

static void *count_up(void *arg)
{
    int *counter = arg, one = 1, back = 0;
    void *args[] = {&counter, &one};
    const void *add = make_add();
    for (int i = 0; i < 200; i++) {
        if (launch_one(add, args, NULL) != cudaSuccess) {
            return "failed";
        }
    }
    return cudaMemcpy(&back, counter, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess &&
                   back == 200
               ? NULL
               : "failed";
}

CDP_TEST(threads_do_not_wait_for_each_other)
{
    int *counters = managed(4 * sizeof *counters);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, count_up, &counters[i]);
    }
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_null(result);
    }
}

CDP_TEST_MAIN("per_thread", 60)
