// cdpcc: --entry=block -O1
// The number of votes at a barrier in a loop, from which some threads return. The plan is verified.
#include <stdio.h>

enum { THREADS = 100 };

__managed__ int out[THREADS], in[THREADS];

__global__ void count(int n, int ends)
{
    int t = threadIdx.x, votes = n;
    for (int i = 0; i < n; i++) {
        if (in[t] == i) {
            if (ends == 2) {
                out[t] = -1;
                return;
            }
            in[t] += 100;
        }
        votes = __syncthreads_count(t < 50 + i);
        for (int j = 0; j < (in[t] & 3); j++) {
            out[t] += j;
        }
    }
    if ((votes ^ ends) & 1) {
        out[t] += votes * 1000;
    }
    out[t] += votes;
}
int main(void)
{
    for (int ends = 1; ends < 3; ends++) {
        for (int i = 0; i < THREADS; i++) {
            in[i] = i % 7;
            out[i] = 0;
        }
        count<<<1, THREADS>>>(4, ends);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        for (int i = 0; i < 12; i++) {
            printf("%d%c", out[i], i == 11 ? '\n' : ' ');
        }
    }
}
