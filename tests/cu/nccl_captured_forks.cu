// Forks and joins that come after one another need few branches, however many they are.
#include <cstdio>

#include <nccl.h>

#define CHECK(call) \
    do { \
        cudaError_t error_ = (call); \
        if (error_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(error_)); \
    } while (0)

__global__ void add(int *p)
{
    *p += 1;
}

int main()
{
    constexpr int forks = 200;
    ncclComm_t comm;
    cudaStream_t stream, other;
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int device = 0, *sum, *counts, result[2];
    ncclResult_t status = ncclCommInitAll(&comm, 1, &device);
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaEventCreate(&forked));
    CHECK(cudaEventCreate(&joined));
    CHECK(cudaMalloc(&sum, sizeof(int)));
    CHECK(cudaMalloc(&counts, sizeof(int)));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    CHECK(cudaMemset(counts, 0, sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < forks && status == ncclSuccess; i++) {
        CHECK(cudaEventRecord(forked, stream));
        CHECK(cudaStreamWaitEvent(other, forked, 0));
        status = ncclAllReduce(sum, sum, 1, ncclInt, ncclSum, comm, other);
        add<<<1, 1, 0, other>>>(sum);
        add<<<1, 1, 0, stream>>>(counts);
        CHECK(cudaEventRecord(joined, other));
        CHECK(cudaStreamWaitEvent(stream, joined, 0));
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&result[0], sum, sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemcpy(&result[1], counts, sizeof(int), cudaMemcpyDefault));
    printf("%s %d %d\n", ncclGetErrorString(status), result[0], result[1]);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    ncclCommDestroy(comm);
}
