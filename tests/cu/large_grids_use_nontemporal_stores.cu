// cdpcc: --entry=block -O2
// env: CDP_STREAM_BYTES=1
// Data of nontemporal stores is visible when the grid is complete: for the next grid, on any
// worker, and for the host; for any alignment of rows, and any number of threads in the last block.
#include <stdio.h>
#include <stdlib.h>
#define I (blockIdx.x * blockDim.x + threadIdx.x)
template <class T> __global__ void scale(const T *in, T *out, T by, int n)
{
    if (I < n) {
        out[I] = in[I] * by;
    }
}
template <class T> __global__ void smooth(const T *in, T *out, int n)
{
    if (I >= n) {
        return;
    }
    if (I == 0 || I == n - 1) {
        out[I] = in[I];
    } else {
        out[I] = in[I - 1] / 2 + in[I + 1] / 2;
    }
}
__global__ void turn(const int *in, int *out, int side)
{
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        out[(y + j) * side + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}
__global__ void children(const int *in, int *out, int n)
{
    scale<<<(n + 255) / 256, 256>>>(in, out, 3, n);
}
template <class T> static void check(const char *name, int threads, int shift)
{
    enum { N = 100003, ROUNDS = 8 };
    T *a, *b;
    cudaMallocManaged(&a, (N + 64) * sizeof(T));
    cudaMallocManaged(&b, (N + 64) * sizeof(T));
    static T expected[N], other[N];
    for (int i = 0; i < N; i++) {
        expected[i] = a[i + shift] = (T)(i % 100);
    }
    for (int round = 0; round < ROUNDS; round++) {
        scale<<<(N + threads - 1) / threads, threads>>>(a + shift, b + shift, (T)2, N);
        smooth<<<(N + threads - 1) / threads, threads>>>(b + shift, a + shift, N);
        for (int i = 0; i < N; i++) {
            other[i] = expected[i] * (T)2;
        }
        for (int i = 0; i < N; i++) {
            expected[i] = i == 0 || i == N - 1 ? other[i] : other[i - 1] / 2 + other[i + 1] / 2;
        }
    }
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += a[i + shift] != expected[i];
    }
    printf("%s, %d threads, shifted by %d: %d wrong\n", name, threads, shift, wrong);
    cudaFree(a);
    cudaFree(b);
}
int main(void)
{
    enum { SIDE = 512 };
    static const int threads[] = {256, 100, 1024}, shifts[] = {0, 1, 8};
    for (int t : threads) {
        for (int shift : shifts) {
            check<unsigned char>("bytes", t, shift);
            check<unsigned short>("shorts", t, shift);
            check<unsigned>("ints", t, shift);
            check<float>("floats", t, shift);
            check<double>("doubles", t, shift);
        }
    }
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, SIDE * SIDE * sizeof *in);
    cudaMallocManaged(&out, SIDE * SIDE * sizeof *out);
    for (int i = 0; i < SIDE * SIDE; i++) {
        in[i] = i;
    }
    turn<<<dim3(SIDE / 32, SIDE / 32), dim3(32, 8)>>>(in, out, SIDE);
    cudaDeviceSynchronize();
    for (int i = 0; i < SIDE * SIDE; i++) {
        wrong += out[i] != i % SIDE * SIDE + i / SIDE;
    }
    printf("turned: %d wrong\n", wrong);
    children<<<1, 1>>>(out, in, SIDE * SIDE);
    cudaDeviceSynchronize();
    for (int i = wrong = 0; i < SIDE * SIDE; i++) {
        wrong += in[i] != 3 * out[i];
    }
    printf("children: %d wrong\n", wrong);
}
