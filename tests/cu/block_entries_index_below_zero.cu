// cdpcc: --entry=block -O2
// An index that is below zero in inactive lanes, in ascending and descending order, for loads and
// stores; and an index that all lanes compute and some use.
#include <stdio.h>
enum { BLOCK = 100 };
__global__ void shift(const int *in, int *out, int by)
{
    __shared__ int s[BLOCK];
    int tid = threadIdx.x;
    s[tid] = in[tid];
    __syncthreads();
    int v = tid >= by ? s[tid - by] : -1;
    __syncthreads();
    if (tid >= by) {
        s[tid - by] = v + 1000;
    }
    __syncthreads();
    size_t place = tid >= by ? (size_t)(unsigned)(tid - by) : (size_t)0;
    int w = s[place];
    if (by - 1 - tid >= 0) {
        w += s[by - 1 - tid];
    }
    out[tid] = v + 3 * w;
}
static int expected(const int *in, int tid, int by)
{
    int v = tid >= by ? in[tid - by] : -1;
    int place = tid >= by ? tid - by : 0;
    int last = BLOCK - 1;
    int w = place <= last - by ? in[place] + 1000 : in[place];
    if (by - 1 - tid >= 0) {
        int at = by - 1 - tid;
        w += at <= last - by ? in[at] + 1000 : in[at];
    }
    return v + 3 * w;
}
int main(void)
{
    static int in[BLOCK], out[BLOCK];
    int bad = 0;
    for (int i = 0; i < BLOCK; i++) {
        in[i] = i * i + 1;
    }
    for (int by = 1; by <= BLOCK; by++) {
        shift<<<1, BLOCK>>>(in, out, by);
        cudaDeviceSynchronize();
        for (int i = 0; i < BLOCK; i++) {
            bad += out[i] != expected(in, i, by);
        }
    }
    printf("wrong: %d\n", bad);
    return bad != 0;
}
