// cdpcc: --entry=block -O2
// Divisors that are zero only in lanes that do not divide.
#include <stdio.h>
#define X (int)(blockIdx.x * blockDim.x + threadIdx.x)
__global__ void __launch_bounds__(128) bias(const int *in, const int *b, int *out, int n, int by)
{
    int i = X;
    if (i < n && by > 0) {
        out[i] = in[i] + b[i % by];
    }
}
struct Field {
    int w, h;
};
__global__ void torus(const int *in, int *out, const Field *field)
{
    int i = X, w = field->w, h = field->h;
    if (w > 0 && h > 0 && i < w * h) {
        out[i] = in[(i + 1) % w];
    }
}
int main()
{
    int *in, *out, wrong = 0;
    Field *field;
    cudaMallocManaged(&in, 1024 * sizeof *in);
    cudaMallocManaged(&out, 1024 * sizeof *out);
    cudaMallocManaged(&field, sizeof *field);
    for (int i = 0; i < 1024; i++) {
        in[i] = i * i;
    }
    for (int w : {0, 9, 20}) {
        for (int i = 0; i < 256; i++) {
            out[i] = -1;
        }
        bias<<<2, 128>>>(in, in, out, 200, w);
        cudaError_t first = cudaDeviceSynchronize();
        for (int i = 0; i < 256; i++) {
            wrong += out[i] != (w > 0 && i < 200 ? in[i] + in[i % w] : -1);
            out[i] = -1;
        }
        *field = {w, w};
        torus<<<2, 128>>>(in, out, field);
        cudaError_t second = cudaDeviceSynchronize();
        for (int i = 0; i < 256; i++) {
            wrong += out[i] != (i < w * w ? in[(i + 1) % w] : -1);
        }
        printf("%d: %s, %s, %d wrong\n", w, cudaGetErrorName(first), cudaGetErrorName(second), wrong);
    }
}
