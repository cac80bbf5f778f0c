// cdpcc: --entry=block -O2
// Blocks with several rows of threads, and kernels that read threadIdx.x only. Where all rows store the
// same values, block entries run one row. All rows count in atomic operations and at barriers.
#include <stdio.h>
__global__ void doubles(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = blockDim.y * blockDim.z;
        for (int k = 0; k <= i % 4; k++) {
            sum += in[i] * 2;
        }
        out[i] = sum;
    }
}
__global__ void count(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&out[i], 1);
    }
}
__global__ void meet(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = __syncthreads_count(i < n && in[i] % 2);
    if (i < n) {
        out[i] = odd;
    }
}
// The block's number of the thread is read, too: each row has elements of its own.
__global__ void number(int *out)
{
    int of_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[blockIdx.x * 256 + of_block] = of_block;
}
enum { N = 90, MOST = 3 * 256 };
static int *in, *out;
static void start(void)
{
    cudaDeviceSynchronize();
    for (int i = 0; i < MOST; i++) {
        in[i] = 7 * i % 11;
        out[i] = 0;
    }
}
static void print(const char *what, dim3 block)
{
    int error = cudaDeviceSynchronize(), sum = 0;
    for (int i = 0; i < MOST; i++) {
        sum += out[i] * (i % 13 + 1);
    }
    printf("%s %u x %u x %u: %d, %d %d %d, sum %d\n", what, block.x, block.y, block.z, error, out[1],
           out[block.x], out[N - 1], sum);
}
template <int X, int Y, int Z> static void all(void)
{
    start();
    doubles<<<3, dim3(X, Y, Z)>>>(in, out, N);
    print("doubles", dim3(X, Y, Z));
    start();
    count<<<3, dim3(X, Y, Z)>>>(out, N);
    print("count", dim3(X, Y, Z));
    start();
    meet<<<3, dim3(X, Y, Z)>>>(in, out, N);
    print("meet", dim3(X, Y, Z));
    start();
    number<<<3, dim3(X, Y, Z)>>>(out);
    print("number", dim3(X, Y, Z));
}
int main()
{
    cudaMallocManaged(&in, MOST * sizeof *in);
    cudaMallocManaged(&out, MOST * sizeof *out);
    all<32, 8, 1>();
    all<20, 3, 2>();
    all<1, 64, 1>();
    all<2, 1, 1>();
}
