// cdpcc: --entry=block -O2
// Loops that most lanes leave early: the last ones run one after the other. Rows of a sparse matrix,
// searches, chains, loops with several exits and with stores; a few threads need many iterations.
#include "show.h"

enum { LINE = 128, ROWS = 3 * LINE + 41, MOST = 400, SIZE = 1 << 14 };

__device__ __host__ inline int lengthOf(int row, int kind)
{
    unsigned random = (row * 2654435761u) >> 20;
    return kind == 0   ? 0
           : kind == 1 ? random % 9
           : kind == 2 ? (random % 29 == 0 ? random % MOST : random % 4)
           : kind == 3 ? (row == 77) * MOST
                       : MOST / 8 + random % 3;
}
__device__ __host__ inline float multiply(const int *first, const int *column, const float *value,
                                          const float *x, int row)
{
    float sum = 0;
    for (int k = first[row]; k < first[row + 1]; k++) {
        sum += value[k] * x[column[k]];
    }
    return sum;
}
// The longest prefix, with an exit at the first difference and one at the limit.
__device__ __host__ inline int compare(const unsigned *a, const unsigned *b, int from, int limit,
                                       unsigned *last)
{
    int k = 0;
    *last = 0;
    while (k < limit) {
        unsigned difference = a[(from * 7 + k) % SIZE] ^ b[(from * 3 + k * 5) % SIZE];
        if (difference % 61 == 0) {
            *last = difference;
            return -k;
        }
        if (difference & 4) {
            *last += difference;
        }
        k++;
    }
    return k;
}
__device__ __host__ inline unsigned follow(const unsigned *next, unsigned at, int limit)
{
    unsigned sum = 0;
    for (; limit > 0 && at != 5; limit--) {
        at = next[at % SIZE] % SIZE;
        sum = sum * 3 + at;
    }
    return sum;
}
// All lanes but a few leave in the first iteration, and a value of the loop is used after it.
__device__ __host__ inline double halve(const double *x, int row, int limit, int *steps)
{
    double low = 0, high = 1000;
    int k = 0;
    for (; k < limit; k++) {
        double middle = (low + high) / 2;
        (x[(int)middle] + row > middle ? low : high) = middle;
    }
    *steps = k;
    return low;
}

struct Data {
    int first[ROWS + 1], column[SIZE];
    float value[SIZE], x[SIZE], y[ROWS];
    unsigned a[SIZE], b[SIZE], last[ROWS], sum[ROWS];
    int prefix[ROWS], steps[ROWS];
    double table[1024], low[ROWS];
    short short_sum[ROWS], narrow[SIZE];
};

__global__ void rows(const int *first, const int *column, const float *value, const float *x,
                     float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        y[row] = multiply(first, column, value, x, row);
    }
}
__global__ void prefixes(Data *d, int n, int kind)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        unsigned last;
        d->prefix[row] = compare(d->a, d->b, row, lengthOf(row, kind), &last);
        d->last[row] = last;
    }
}
__global__ void chains(Data *d, int n, int kind)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        d->sum[row] = follow(d->a, row, lengthOf(row, kind));
        d->low[row] = halve(d->table, row, lengthOf(row, kind) % 60, &d->steps[row]);
    }
}
// Stores in the loop, elements of two bytes, and a barrier before it: the row is live across the barrier.
__global__ void stores(Data *d, int n, int kind)
{
    __shared__ int lengths[LINE];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    lengths[threadIdx.x] = row < n ? lengthOf(row, kind) : 0;
    __syncthreads();
    int length = lengths[threadIdx.x ^ 1];
    short sum = 0;
    for (int k = 0; k < length; k++) {
        sum += d->narrow[(row * 5 + k * 3) % SIZE];
        if (sum % 2 != 0 && row < n) {
            d->short_sum[row] += k;
        }
    }
    if (row < n) {
        d->short_sum[row] += sum;
    }
}

static int check(Data *d, int kind)
{
    int wrong = 0, grid = (ROWS + LINE - 1) / LINE;
    d->first[0] = 0;
    for (int i = 0; i < ROWS; i++) {
        d->first[i + 1] = (d->first[i] + lengthOf(i, kind)) % (SIZE - MOST);
        if (d->first[i + 1] < d->first[i]) {
            d->first[i + 1] = d->first[i];
        }
        d->short_sum[i] = 0;
    }
    rows<<<grid, LINE>>>(d->first, d->column, d->value, d->x, d->y, ROWS);
    prefixes<<<grid, LINE>>>(d, ROWS, kind);
    chains<<<grid, LINE>>>(d, ROWS, kind);
    stores<<<grid, LINE>>>(d, ROWS, kind);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < ROWS; i++) {
        unsigned last;
        int steps;
        wrong += d->y[i] != multiply(d->first, d->column, d->value, d->x, i);
        wrong += d->prefix[i] != compare(d->a, d->b, i, lengthOf(i, kind), &last);
        wrong += d->last[i] != last;
        wrong += d->sum[i] != follow(d->a, i, lengthOf(i, kind));
        wrong += d->low[i] != halve(d->table, i, lengthOf(i, kind) % 60, &steps);
        wrong += d->steps[i] != steps;
        int neighbour = i ^ 1, length = neighbour < ROWS ? lengthOf(neighbour, kind) : 0;
        short sum = 0, all = 0;
        for (int k = 0; k < length; k++) {
            sum += d->narrow[(i * 5 + k * 3) % SIZE];
            all += sum % 2 != 0 ? k : 0;
        }
        wrong += d->short_sum[i] != short(all + sum);
    }
    return wrong;
}

int main()
{
    Data *d;
    MUST(cudaMallocManaged(&d, sizeof *d));
    for (unsigned i = 0; i < SIZE; i++) {
        d->column[i] = i * 7919 % SIZE;
        d->value[i] = i % 8; // sums are exact, with or without fused products
        d->x[i] = i % 16;
        d->a[i] = i * 2654435761u >> 7;
        d->b[i] = i * 40503u >> 3;
        d->narrow[i] = i * 37;
    }
    for (int i = 0; i < 1024; i++) {
        d->table[i] = i / 2 * 3 % 1000;
    }
    for (int kind = 0; kind < 5; kind++) {
        printf("kind %d: %d wrong\n", kind, check(d, kind));
    }
    return 0;
}
