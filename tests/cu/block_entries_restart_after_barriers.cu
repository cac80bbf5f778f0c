// cdpcc: --entry=block -march=native -O2
// entries: it tests their code
// Chunks that some lane's guard stops are restarted, also after barriers in loops, where uniform values
// of the block have changed in the meantime: with limits at every place within vectors and chunks.
#include "show.h"

enum { SIDE = 16, MOST = 50, LINE = 256, TURNS = 5 };

__global__ void multiply(const int *a, const int *b, int *product, int n)
{
    __shared__ int tileA[SIDE][SIDE], tileB[SIDE][SIDE];
    int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
    int sum = 0;
    for (int start = 0; start < n; start += SIDE) {
        int k = start + threadIdx.x;
        tileA[threadIdx.y][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0;
        k = start + threadIdx.y;
        tileB[threadIdx.y][threadIdx.x] = column < n && k < n ? b[k * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < SIDE; i++) {
            sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < n && column < n) {
        product[row * n + column] = sum;
    }
}

// The iteration's limit is loaded in the region that it guards, and used in the next one. Each
// thread's counter changes in that region, too.
__global__ void __launch_bounds__(LINE) turns(const int *limits, int *out)
{
    __shared__ int seen[LINE];
    int thread = threadIdx.x, counted = 0, limit = limits[0], before = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        seen[thread] = -1;
        __syncthreads();
        before = limit;
        limit = limits[turn + 1];
        if (thread < limit) {
            counted += 3 * (thread + turn) + before;
            counted ^= counted >> 2;
            seen[thread] = counted;
        }
        __syncthreads();
        counted += seen[(thread + limit) % LINE] + before;
        __syncthreads();
    }
    out[thread] = counted;
}

static int wrong_product(int n, int *a, int *b, int *product)
{
    int tiles = (n + SIDE - 1) / SIDE, wrong = 0;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 13 - 5;
        b[i] = i % 17 - 9;
        product[i] = 77;
    }
    multiply<<<dim3(tiles, tiles), dim3(SIDE, SIDE)>>>(a, b, product, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n * n; i++) {
        int sum = 0;
        for (int k = 0; k < n; k++) {
            sum += a[i / n * n + k] * b[k * n + i % n];
        }
        wrong += sum != product[i];
    }
    return wrong;
}

static int wrong_turns(const int *limits, int *out)
{
    int counted[LINE] = {0}, seen[LINE], wrong = 0;
    turns<<<1, LINE>>>(limits, out);
    cudaDeviceSynchronize();
    for (int turn = 0; turn < TURNS; turn++) {
        int before = limits[turn], limit = limits[turn + 1];
        for (int i = 0; i < LINE; i++) {
            seen[i] = -1;
            if (i < limit) {
                counted[i] += 3 * (i + turn) + before;
                counted[i] ^= counted[i] >> 2;
                seen[i] = counted[i];
            }
        }
        for (int i = 0; i < LINE; i++) {
            counted[i] += seen[(i + limit) % LINE] + before;
        }
    }
    for (int i = 0; i < LINE; i++) {
        wrong += counted[i] != out[i];
    }
    return wrong;
}

int main()
{
    int *a, *b, *out;
    cudaMallocManaged(&a, MOST * MOST * sizeof(int));
    cudaMallocManaged(&b, MOST * MOST * sizeof(int));
    cudaMallocManaged(&out, MOST * MOST * sizeof(int));
    int wrong = 0;
    for (int n = 1; n <= MOST; n++) {
        wrong += wrong_product(n, a, b, out);
    }
    printf("products: %d wrong\n", wrong);
    wrong = 0;
    for (int limit = 0; limit <= LINE; limit++) {
        for (int turn = 0; turn <= TURNS; turn++) {
            a[turn] = turn % 2 == 0 ? limit : (LINE - limit) / turn;
        }
        wrong += wrong_turns(a, out);
    }
    printf("turns: %d wrong\n", wrong);
    return 0;
}
