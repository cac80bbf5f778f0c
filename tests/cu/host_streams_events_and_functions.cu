#include <thread>

#include "show.h"
__global__ void step(int *value, int factor, int addend) { *value = *value * factor + addend; }
static void hostStep(void *arg) { *(int *)arg = *(int *)arg * 10 + 4; }
int main() {
    int *value;
    cudaStream_t a, b;
    cudaEvent_t event, start, stop;
    MUST(cudaMallocManaged(&value, sizeof(int)));
    *value = 0;
    MUST(cudaStreamCreate(&a));
    MUST(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));
    MUST(cudaEventRecord(start, a));
    step<<<1, 1, 0, a>>>(value, 10, 1);
    MUST(cudaEventRecord(event, a));
    MUST(cudaStreamWaitEvent(b, event, 0));
    step<<<1, 1, 0, b>>>(value, 10, 2);
    MUST(cudaEventRecord(event, b));
    MUST(cudaStreamWaitEvent(a, event, 0));
    step<<<1, 1, 0, a>>>(value, 10, 3);
    MUST(cudaLaunchHostFunc(a, hostStep, value));
    step<<<1, 1, 0, a>>>(value, 10, 5);
    MUST(cudaEventRecord(stop, a));
    MUST(cudaEventSynchronize(stop));
    float elapsed = -1;
    MUST(cudaEventElapsedTime(&elapsed, start, stop));
    SHOW(cudaStreamQuery(a));
    printf("%d %d\n", *value, elapsed >= 0);
    // Managed memory is attached as a whole, and to a single stream that the program has made.
    SHOW(cudaStreamAttachMemAsync(a, value, 0, cudaMemAttachSingle));
    SHOW(cudaStreamAttachMemAsync(a, value, sizeof(int), cudaMemAttachGlobal));
    SHOW(cudaStreamAttachMemAsync(a, value, 1, cudaMemAttachGlobal));
    SHOW(cudaStreamAttachMemAsync(a, (char *)value + 1, 0, cudaMemAttachGlobal));
    SHOW(cudaStreamAttachMemAsync(0, value, 0, cudaMemAttachSingle));
    SHOW(cudaStreamAttachMemAsync(0, value, 0, cudaMemAttachGlobal));
    // The two names of the NULL stream have one id, the per-thread streams one each.
    unsigned long long id[5];
    cudaStream_t streams[] = {0, cudaStreamLegacy, a, b, cudaStreamPerThread};
    for (int i = 0; i < 5; i++) {
        MUST(cudaStreamGetId(streams[i], &id[i]));
    }
    unsigned long long again = 0, other = 0;
    std::thread([&] { cudaStreamGetId(cudaStreamPerThread, &other); }).join();
    MUST(cudaStreamGetId(cudaStreamPerThread, &again));
    printf("%d %d %d %d\n", id[0] == id[1], id[2] != id[3] && id[2] != id[1], again == id[4],
           other != id[4] && other != id[1] && id[4] != id[1]);
    // The NULL stream waits for blocking streams and they for it.
    step<<<1, 1, 0, a>>>(value, 0, 1);
    step<<<1, 1>>>(value, 10, 2);
    step<<<1, 1, 0, a>>>(value, 10, 3);
    MUST(cudaStreamSynchronize(0));
    MUST(cudaStreamSynchronize(a));
    printf("%d\n", *value);
    MUST(cudaStreamDestroy(a));
    MUST(cudaStreamDestroy(b));
    MUST(cudaEventDestroy(event));
    SHOW(cudaEventElapsedTime(&elapsed, stop, start));
    SHOW(cudaDeviceSynchronize());
}
