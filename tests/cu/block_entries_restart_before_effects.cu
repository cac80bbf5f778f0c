// A region is restarted under masks if a few threads leave the common path. Nothing that it did
// before may be done again: sums, atomic additions. Branches depend on the index or on data: a
// branch by data does not restart.
#include "show.h"

// Most threads take the long side of the branch.
__device__ void longSide(float *y, int t)
{
    float v = y[t];
    v = v * 3 + 1;
    v = v * v - 2;
    v = v / 3 + t;
    v = v * 5 - 7;
    v = v * v;
    y[t] = v;
    y[t + 256] = v * 2;
}
template <bool ByData> __global__ void afterLoop(int *x, const int *common, float *y, int odd, int turns)
{
    int t = threadIdx.x;
    for (int j = 0; j < turns; j++) {
        x[t] += 1;
    }
    if (ByData ? common[t] != 0 : t != odd) {
        longSide(y, t);
    }
}
template <bool ByData> __global__ void afterStore(int *x, const int *common, float *y, int odd, int)
{
    int t = threadIdx.x;
    x[t] += 1;
    if (ByData ? common[t] != 0 : t != odd) {
        longSide(y, t);
    }
}
template <bool ByData> __global__ void afterAtomic(int *x, const int *common, float *y, int odd, int)
{
    int t = threadIdx.x;
    atomicAdd(&x[t / 2 * 2], t % 2);
    atomicAdd(&x[t / 2 * 2 + 1], t % 2);
    if (ByData ? common[t] != 0 : t != odd) {
        longSide(y, t);
    }
}

static int show(const char *name, void (*kernel)(int *, const int *, float *, int, int))
{
    int *x, *common, wrong = 0;
    float *y;
    MUST(cudaMallocManaged(&x, 256 * sizeof *x));
    MUST(cudaMallocManaged(&common, 256 * sizeof *common));
    MUST(cudaMallocManaged(&y, 512 * sizeof *y));
    for (int odd : {0, 77, 255}) {
        for (int i = 0; i < 256; i++) {
            x[i] = 0;
            common[i] = i != odd;
            y[i] = i;
        }
        kernel<<<1, 256>>>(x, common, y, odd, 1);
        MUST(cudaDeviceSynchronize());
        for (int i = 0; i < 256; i++) {
            wrong += x[i] != 1;
        }
    }
    printf("%s: %d wrong\n", name, wrong);
    return 0;
}

int main()
{
    return show("after a loop", afterLoop<false>) || show("after a store", afterStore<false>) ||
           show("after an atomic operation", afterAtomic<false>) ||
           show("by data, after a loop", afterLoop<true>) ||
           show("by data, after a store", afterStore<true>) ||
           show("by data, after an atomic operation", afterAtomic<true>);
}
