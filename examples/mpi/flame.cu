// A flame front that spreads over a plate, computed by several processes (MPI ranks), with dynamic
// parallelism where the front is.
//
// Each rank owns a strip of the plate, and keeps a copy of the rows beside it (a halo). In each
// step, the ranks exchange these rows. MPI gets device pointers, as with a CUDA-aware MPI on GPUs.
// A kernel then advances the strip, one block for a tile. Heat spreads everywhere. The reaction
// changes fast within a cell at the front only. There, a tile launches a child grid, which
// integrates the reaction over 4 x 4 points of each cell; its steepest cells launch a grid of 16 x
// 16 points in turn.
//
// Each sum has a fixed order, so the result does not depend on the number of ranks, bit for bit.
// Rank 0 verifies that: it computes the whole plate once more, alone.
//
//   mpirun -n 4 flame [tiles of a side, default 16] [steps, default 100]
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "../check.h"

#define TILE 16 // cells of a tile in each direction
#define SPREAD 0.2f // of heat to the neighbours, in a step
#define RATE 0.9f // of the reaction, in a step
#define IGNITION 0.15f // the temperature above which the reaction heats
#define STEEP 0.02f // change from cell to cell that needs a child grid
#define STEEPER 0.18f // and one that needs a grid of its own

// A rank's strip: rows 1 to `rows` are its own, rows 0 and rows + 1 those of its neighbours, or
// equal to the edge of the plate.
struct Strip {
    float *now, *next;
    int rows, columns;
    unsigned long long *grids; // number of child grids so far
};

__device__ float reaction(float u) { return RATE * u * (1 - u) * (u - IGNITION); }

// The value in a row, with the columns beyond the edge equal to those at the edge.
__device__ float at(const Strip &s, int row, int column)
{
    return s.now[row * s.columns + min(max(column, 0), s.columns - 1)];
}

// Half of the change over a cell, down and to the right.
struct Slope {
    float down, right;
    __device__ Slope(const Strip &s, int row, int column)
        : down((at(s, row + 1, column) - at(s, row - 1, column)) / 4),
          right((at(s, row, column + 1) - at(s, row, column - 1)) / 4) {}
    __device__ float steepness() const { return fmaxf(fabsf(down), fabsf(right)); }
};

// The reaction at one of n x n points of a cell.
__device__ float at_point(float u, Slope slope, int n, int i, int j)
{
    float down = (2 * i + 1 - n) / (float)n, right = (2 * j + 1 - n) / (float)n;
    return reaction(u + slope.down * down + slope.right * right);
}

// One cell, a thread for each of its points.
__global__ void integrateCell(Strip s, int row, int column)
{
    __shared__ float part[TILE * TILE];
    int t = threadIdx.y * TILE + threadIdx.x;
    part[t] = at_point(at(s, row, column), Slope(s, row, column), TILE, threadIdx.y, threadIdx.x);
    for (int half = TILE * TILE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) s.next[row * s.columns + column] += part[0] / (TILE * TILE);
}

// A tile, a thread for each cell.
__global__ void integrateTile(Strip s, int firstRow, int firstColumn)
{
    int row = firstRow + threadIdx.y, column = firstColumn + threadIdx.x;
    Slope slope(s, row, column);
    if (slope.steepness() > STEEPER / 4) {
        integrateCell<<<1, dim3(TILE, TILE), 0, cudaStreamFireAndForget>>>(s, row, column);
        check(cudaGetLastError());
        atomicAdd(s.grids, 1ull);
        return;
    }
    float u = at(s, row, column), sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum += at_point(u, slope, 4, i, j);
    s.next[row * s.columns + column] += sum / 16;
}

__global__ void advance(Strip s)
{
    int row = 1 + blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float u = at(s, row, column);
    float around = at(s, row - 1, column) + at(s, row + 1, column) + at(s, row, column - 1) +
                   at(s, row, column + 1);
    bool steep = __syncthreads_or(Slope(s, row, column).steepness() > STEEP / 4);
    float spread = u + SPREAD * (around - 4 * u);
    s.next[row * s.columns + column] = steep ? spread : spread + reaction(u);
    if (!steep) return;
    __syncthreads(); // the child reads what all threads of the block have written
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        integrateTile<<<1, dim3(TILE, TILE), 0, cudaStreamFireAndForget>>>(
            s, 1 + blockIdx.y * TILE, blockIdx.x * TILE);
        check(cudaGetLastError());
        atomicAdd(s.grids, 1ull);
    }
}

__global__ void ignite(Strip s, int firstRow)
{
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    bool hot = firstRow + row < s.columns / 8 && column < s.columns / 4;
    s.now[(row + 1) * s.columns + column] = hot ? 1.0f : 0.0f;
}

// A sum of the rank's cells as integers, which has no rounding and so no order.
__global__ void checksum(Strip s, unsigned long long *sum)
{
    int row = 1 + blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    atomicAdd(sum, (unsigned long long)__float_as_uint(s.now[row * s.columns + column]));
}

struct Result {
    unsigned long long sum, grids; // of all ranks
    double seconds;                // of the steps
};

// Exchanges the rows at the strip's ends. MPI reads and writes device memory.
static void exchange(Strip s, int rank, int ranks, MPI_Comm ranksOfPlate)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    float *first = s.now + s.columns, *last = s.now + s.rows * s.columns;
    MPI_Sendrecv(first, s.columns, MPI_FLOAT, above, 0, last + s.columns, s.columns, MPI_FLOAT,
                 below, 0, ranksOfPlate, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, s.columns, MPI_FLOAT, below, 1, s.now, s.columns, MPI_FLOAT, above, 1,
                 ranksOfPlate, MPI_STATUS_IGNORE);
    size_t bytes = s.columns * sizeof(float);
    if (rank == 0) check(cudaMemcpy(s.now, first, bytes, cudaMemcpyDefault));
    if (rank + 1 == ranks)
        check(cudaMemcpy(last + s.columns, last, bytes, cudaMemcpyDefault));
}

static Result burn(int tiles, int steps, MPI_Comm ranksOfPlate)
{
    int rank, ranks;
    MPI_Comm_rank(ranksOfPlate, &rank);
    MPI_Comm_size(ranksOfPlate, &ranks);
    int firstTile = tiles * rank / ranks, endTile = tiles * (rank + 1) / ranks;
    dim3 block(TILE, TILE), grid(tiles, endTile - firstTile);

    Strip s = {};
    s.rows = (endTile - firstTile) * TILE;
    s.columns = tiles * TILE;
    size_t bytes = (s.rows + 2) * s.columns * sizeof(float);
    unsigned long long *sum = nullptr;
    check(cudaMalloc(&s.now, bytes));
    check(cudaMalloc(&s.next, bytes));
    check(cudaMallocManaged(&s.grids, sizeof *s.grids));
    check(cudaMallocManaged(&sum, sizeof *sum));
    *s.grids = *sum = 0;

    ignite<<<grid, block>>>(s, firstTile * TILE);
    check(cudaDeviceSynchronize()); // MPI knows nothing of streams
    MPI_Barrier(ranksOfPlate);
    double begin = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        exchange(s, rank, ranks, ranksOfPlate);
        advance<<<grid, block>>>(s);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
        std::swap(s.now, s.next);
    }
    MPI_Barrier(ranksOfPlate);
    Result result = {0, 0, MPI_Wtime() - begin};

    checksum<<<grid, block>>>(s, sum);
    check(cudaDeviceSynchronize());
    MPI_Allreduce(sum, &result.sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, ranksOfPlate);
    MPI_Allreduce(s.grids, &result.grids, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, ranksOfPlate);
    check(cudaFree(s.now));
    check(cudaFree(s.next));
    check(cudaFree(s.grids));
    check(cudaFree(sum));
    return result;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int tiles = argc > 1 ? atoi(argv[1]) : 16, steps = argc > 2 ? atoi(argv[2]) : 100;
    if (tiles < ranks || tiles > 1024 || steps < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: flame [tiles of a side, from the number of ranks to 1024] "
                            "[steps]\n");
        MPI_Finalize();
        return 2;
    }
    Result together = burn(tiles, steps, MPI_COMM_WORLD);
    int failed = 0;
    if (rank == 0) {
        Result alone = burn(tiles, steps, MPI_COMM_SELF);
        failed = together.sum != alone.sum || together.grids != alone.grids;
        if (failed)
            printf("flame: FAILED: %d ranks got sum %llx with %llu child grids, one rank %llx with "
                   "%llu\n", ranks, together.sum, together.grids, alone.sum, alone.grids);
        else
            printf("flame: %d ranks, %d x %d cells, %d steps, %llu child grids: the same as one "
                   "rank (%.3f s, alone %.3f s)\n", ranks, tiles * TILE, tiles * TILE, steps,
                   together.grids, together.seconds, alone.seconds);
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
