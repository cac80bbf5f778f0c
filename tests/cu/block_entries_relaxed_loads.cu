// cdpcc: --entry=block -O2
// Relaxed atomic loads of words, which become vector loads: in active and inactive lanes, at any
// and at contiguous addresses, of data that other lanes and other blocks change at the same time.
#include <stdio.h>
enum { BLOCK = 100, COUNT = 300 };
struct sums {
    long long ints, wide, rows, changing;
    double reals;
};
__device__ int changed;
__global__ void add(struct sums *out, const int *ints, const long long *wide, const float *reals,
                    const int *nothing, int limit)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, at = i * 7 % COUNT;
    if (i % 3 == 1 || i >= limit) {
        return;
    }
    atomicAdd((unsigned long long *)&out->ints, __nv_atomic_load_n(&ints[at], __ATOMIC_RELAXED));
    atomicAdd((unsigned long long *)&out->wide, __nv_atomic_load_n(&wide[at], __ATOMIC_RELAXED));
    atomicAdd((unsigned long long *)&out->rows, __nv_atomic_load_n(&ints[i], __ATOMIC_RELAXED));
    float real;
    __nv_atomic_load(&reals[at], &real, __ATOMIC_RELAXED);
    atomicAdd(&out->reals, real);
    /* A thread sees its own additions. Other threads may add in between. */
    int drawn = atomicAdd(&changed, 1), *place = &changed + nothing[i];
    atomicAdd((unsigned long long *)&out->changing,
              __nv_atomic_load_n(place, __ATOMIC_RELAXED) > drawn);
}
int main(void)
{
    static struct sums out;
    static int ints[COUNT];
    static long long wide[COUNT];
    static float reals[COUNT];
    static const int nothing[COUNT] = {0};
    for (int i = 0; i < COUNT; i++) {
        ints[i] = i - 9;
        wide[i] = ((long long)i << 33) + i;
        reals[i] = i * 0.5f;
    }
    for (int limit = 0; limit <= COUNT; limit += 60) {
        out = sums();
        add<<<COUNT / BLOCK, BLOCK>>>(&out, ints, wide, reals, nothing, limit);
        cudaError_t error = cudaDeviceSynchronize();
        printf("%d: %d | %lld %lld %lld %g, %lld saw their own\n", limit, error, out.ints, out.wide,
               out.rows, out.reals, out.changing);
    }
    return 0;
}
