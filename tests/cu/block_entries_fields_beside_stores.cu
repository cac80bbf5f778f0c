// cdpcc: --entry=block -O2
// Two fields that are loaded together have two types: stores to either type may change them.
#include <stdio.h>

enum { N = 128, TURNS = 10 };

struct Mixed {
    float a;
    int b;
    double c;
};

__global__ void reads(const Mixed *in, int *to, float *floats, int *ints, const int *which, int n,
                      int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = 0;
    int last = 0;
    bool is_on = which[i] > 0;
    for (int j = 0; j < turns; j++) {
        if (is_on) {
            sum += in[i].a;
            last = last * 3 + in[i].b;
        }
        to[i] = j;
    }
    floats[i] = sum;
    ints[i] = last;
}

int main()
{
    Mixed *in;
    float *floats;
    int *ints, *which, expected = 0;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&floats, N * sizeof *floats);
    cudaMallocManaged(&ints, N * sizeof *ints);
    cudaMallocManaged(&which, N * sizeof *which);
    for (int i = 0; i < N; i++) {
        in[i] = {(float)(i + 1), i * 3 + 5, (double)i};
        which[i] = 1;
    }
    for (int j = 0, b = in[0].b; j < TURNS; b = j++) {
        expected = expected * 3 + b;
    }
    reads<<<1, N>>>(in, &in[0].b, floats, ints, which, 1, TURNS); /* one thread: no race */
    cudaDeviceSynchronize();
    printf("%g %d\n", floats[0], ints[0] - expected);
}
