// cdpcc: --entry=block -O2
// Loops in which groups of threads share a row: threads of a warp, a half or several warps, from a
// number modulo the group's size. Blocks of all forms, whole groups and parts of them.
#include <stdio.h>
#include <string.h>

enum { ROWS = 70, COLUMNS = 133, MOST = 1024 };

__managed__ int in[ROWS * COLUMNS], out[4][MOST];

/* The sums of one thread, for groups of `size` threads. */
__host__ __device__ int sum_of(const int *x, unsigned number, unsigned size)
{
    int row = number / size % ROWS, lane = number % size, sum = 0;
    for (int c = lane; c < COLUMNS; c += size) {
        sum += x[row * COLUMNS + c] * (c + 1);
    }
    return sum;
}
template <int SIZE> __global__ void by_x(int *out)
{
    int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[number] = sum_of(in, threadIdx.x, SIZE);
}
template <int SIZE> __global__ void by_number(int *out)
{
    int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[number] = sum_of(in, number, SIZE);
}
template <int SIZE> __global__ void in_grid(int *out)
{
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    out[number] = sum_of(in, number, SIZE);
}
/* The lanes exchange their sums. */
template <int SIZE> __global__ void of_warp(int *out)
{
    int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int sum = sum_of(in, number, SIZE);
    for (int k = 1; k < (SIZE < 32 ? SIZE : 32); k *= 2) {
        sum += __shfl_xor_sync(~0u, sum, k);
    }
    out[number] = sum;
}
template <int SIZE> static int check(dim3 block)
{
    int threads = block.x * block.y * block.z, wrong = 0;
    memset(out, 0, sizeof out);
    by_x<SIZE><<<1, block>>>(out[0]);
    by_number<SIZE><<<1, block>>>(out[1]);
    if (block.x == threads && threads <= 300) {
        in_grid<SIZE><<<3, block>>>(out[2]);
    }
    if (threads % 32 == 0) {
        of_warp<SIZE><<<1, block>>>(out[3]);
    }
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < threads; i++) {
        wrong += out[0][i] != sum_of(in, i % block.x, SIZE);
        wrong += out[1][i] != sum_of(in, i, SIZE);
    }
    for (int i = 0; block.x == threads && threads <= 300 && i < 3 * threads; i++) {
        wrong += out[2][i] != sum_of(in, i, SIZE);
    }
    for (int i = 0; threads % 32 == 0 && i < threads; i++) {
        int size = SIZE < 32 ? SIZE : 32, sum = 0;
        for (int k = i / size * size; k < i / size * size + size; k++) {
            sum += sum_of(in, k, SIZE);
        }
        wrong += out[3][i] != sum;
    }
    return wrong;
}
template <int SIZE> static void check_all(void)
{
    const dim3 blocks[] = {1, 7, 32, 33, 64, 100, 256, 300, dim3(32, 4), dim3(48, 2), dim3(33, 3),
                           dim3(16, 16), dim3(8, 8), dim3(20, 5), dim3(16, 2, 2), dim3(64, 3, 2)};
    int wrong = 0;
    for (dim3 block : blocks) {
        wrong += check<SIZE>(block);
    }
    by_x<SIZE><<<1, 256>>>(out[0]); /* sizes that the compiler sees */
    by_number<SIZE><<<1, dim3(32, 8)>>>(out[1]);
    in_grid<SIZE><<<3, 128>>>(out[2]);
    of_warp<SIZE><<<1, 128>>>(out[3]);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 256; i++) {
        wrong += out[0][i] != sum_of(in, i, SIZE) || out[1][i] != sum_of(in, i, SIZE) ||
                 out[2][i] != sum_of(in, i, SIZE);
    }
    printf("groups of %d: %d wrong\n", SIZE, wrong);
}
int main(void)
{
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        in[i] = i * 31 % 101;
    }
    check_all<8>();
    check_all<16>();
    check_all<32>();
    check_all<64>();
    check_all<128>();
    return 0;
}
