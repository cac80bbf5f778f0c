// cdpcc: --entry=block -O2
// block stderr: in kernel far, block \(1,0,0\), one of its 512 threads
// entries: it tests their code
// Kernels whose rows are threadIdx.x: block entries have lanes along threadIdx.y.
#include <stdio.h>
#include <vector>
// Row r of a matrix of n columns is of the threads with x = r. Each shape has a kernel of its own.
template <int X, int Y, int Z> __global__ void rows(const int *in, int *out, int n)
{
    __shared__ int s[X][Y * Z + 1];
    int x = threadIdx.x, column = threadIdx.y + Y * threadIdx.z, local[3] = {x, column, x + column};
    int row = blockIdx.x * blockDim.x + x, i = row * n + column;
    s[x][column] = in[i];
    __syncthreads();
    if ((row + column) % 5 == 4) {
        out[i] = -row;
        return;
    }
    int sum = local[in[i] % 3];
    for (int k = 0; k < x % 3; k++) {
        sum += s[(x + k) % X][column] * in[row * n + k];
    }
    int odd = __syncthreads_count(sum & 1);
    s[x][column] += odd;
    __syncthreads();
    out[i] = s[X - 1 - x][column] + sum * 2 + gridDim.x;
}
template <int X, int Y, int Z> static void check(const int *in, int *out, int n)
{
    rows<X, Y, Z><<<3, dim3(X, Y, Z)>>>(in, out, n);
    printf("%d x %d x %d: %d, ", X, Y, Z, cudaDeviceSynchronize());
    int wrong = 0;
    for (int b = 0; b < 3; b++) {
        std::vector<int> sum(X * Y * Z);
        auto start = [&](int x) { return in + (b * X + x) * n; };
        auto ends = [&](int x, int column) { return (b * X + x + column) % 5 == 4; };
        int odd = 0;
        for (int x = 0; x < X; x++) {
            for (int column = 0; column < Y * Z; column++) {
                int local[3] = {x, column, x + column}, &mine = sum[x * Y * Z + column];
                mine = local[start(x)[column] % 3];
                for (int k = 0; k < x % 3; k++) {
                    mine += start((x + k) % X)[column] * start(x)[k];
                }
                odd += !ends(x, column) && (mine & 1);
            }
        }
        for (int x = 0; x < X; x++) {
            for (int column = 0; column < Y * Z; column++) {
                int other = X - 1 - x, right = -(b * X + x);
                if (!ends(x, column)) {
                    right = start(other)[column] + (ends(other, column) ? 0 : odd) +
                            sum[x * Y * Z + column] * 2 + 3;
                }
                wrong += out[(b * X + x) * n + column] != right;
            }
        }
    }
    printf("%d wrong\n", wrong);
}
// The size is not known when this is compiled.
__global__ void any(const int *in, int *out, int n, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns) {
        return;
    }
    int sum = 0;
    for (int i = column; i < columns; i += gridDim.y * blockDim.y) {
        sum += in[row * n + i] + (int)blockDim.x * 3 + (int)threadIdx.y;
    }
    out[row * n + column] = sum;
}
static void check_any(const int *in, int *out, int n, dim3 block)
{
    const int columns = 201, step = 2 * block.y;
    int wrong = 0;
    any<<<dim3(2, 2), block>>>(in, out, n, columns);
    printf("%u x %u: %d, ", block.x, block.y, cudaDeviceSynchronize());
    for (int row = 0; row < 2 * (int)block.x; row++) {
        for (int column = 0; column < step && column < columns; column++) {
            int sum = 0;
            for (int i = column; i < columns; i += step) {
                sum += in[row * n + i] + (int)block.x * 3 + column % (int)block.y;
            }
            wrong += out[row * n + column] != sum;
        }
    }
    printf("%d wrong\n", wrong);
}
__global__ void far(int *p, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = threadIdx.y;
    p[row * n + column] += 1;
    if (row == 40 && column == 5) {
        p[row * n + column] = *(int *)16;
    }
}
int main()
{
    const int n = 512;
    int *in, *out;
    cudaMallocManaged(&in, 200 * n * sizeof(int));
    cudaMallocManaged(&out, 200 * n * sizeof(int));
    for (int i = 0; i < 200 * n; i++) {
        in[i] = i * 7 % 11;
    }
    check<32, 16, 1>(in, out, n);
    check<16, 16, 1>(in, out, n);
    check<1, 256, 1>(in, out, n);
    check<3, 64, 1>(in, out, n);
    check<5, 33, 2>(in, out, n);
    check<8, 8, 8>(in, out, n);
    check<20, 7, 3>(in, out, n);
    check<2, 500, 1>(in, out, n);
    const int sizes[][2] = {{16, 16}, {32, 8}, {8, 64}, {64, 4}, {1, 40}, {7, 9}, {40, 1}};
    for (const int *size : sizes) {
        check_any(in, out, n, dim3(size[0], size[1]));
    }
    far<<<2, dim3(32, 16)>>>(out, n);
    printf("%d\n", cudaDeviceSynchronize());
}
