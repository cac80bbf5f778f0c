// Adaptive grid refinement: the area of a disc, measured on a grid that is fine only at the
// disc's edge.
//
// One thread handles one square cell. A cell inside the disc counts in full, one outside does
// not count. A cell that the edge crosses is covered by a child grid of 4 x 4 smaller cells,
// down to cells of one unit. The arithmetic uses integers, so the result is exact in any
// order.
//
//   adaptive_grid [levels, 1 to 6]        default 4
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "check.h"

#define SIDE 4 // cells of a grid in each direction

struct Totals {
    unsigned long long inside; // number of unit cells in the disc
    unsigned long long grids;  // how many grids were needed
};

enum Place { OUTSIDE, CROSSED, INSIDE };

// The position of the cell of the given size relative to the disc around (0, 0). The nearest point
// of a cell in the positive quadrant is its low corner.
__host__ __device__ inline Place placeOf(long long x, long long y, long long size, long long radius)
{
    long long farX = x + size, farY = y + size;
    if (x * x + y * y >= radius * radius) {
        return OUTSIDE;
    }
    return farX * farX + farY * farY <= radius * radius ? INSIDE : CROSSED;
}

__global__ void refine(long long x0, long long y0, long long size, long long radius, Totals *totals)
{
    long long x = x0 + threadIdx.x * size, y = y0 + threadIdx.y * size;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        atomicAdd(&totals->grids, 1ull);
    }
    Place place = placeOf(x, y, size, radius);
    if (place == INSIDE) {
        atomicAdd(&totals->inside, (unsigned long long)(size * size));
    } else if (place == CROSSED && size > 1) {
        refine<<<1, dim3(SIDE, SIDE), 0, cudaStreamFireAndForget>>>(x, y, size / SIDE, radius,
                                                                    totals);
    }
}

static void refineOnHost(long long x0, long long y0, long long size, long long radius,
                         Totals *totals)
{
    totals->grids++;
    for (int i = 0; i < SIDE * SIDE; i++) {
        long long x = x0 + i % SIDE * size, y = y0 + i / SIDE * size;
        Place place = placeOf(x, y, size, radius);
        if (place == INSIDE) {
            totals->inside += size * size;
        } else if (place == CROSSED && size > 1) {
            refineOnHost(x, y, size / SIDE, radius, totals);
        }
    }
}

int main(int argc, char **argv)
{
    int levels = argc > 1 ? atoi(argv[1]) : 4;
    if (levels < 1 || levels > 6) {
        fprintf(stderr, "usage: adaptive_grid [levels, from 1 to 6]\n");
        return 2;
    }
    long long size = 1; // of the coarsest cells
    for (int i = 1; i < levels; i++) {
        size *= SIDE;
    }
    long long radius = size * SIDE;

    Totals *totals = nullptr;
    check(cudaMallocManaged(&totals, sizeof(Totals)));
    *totals = {};
    refine<<<1, dim3(SIDE, SIDE)>>>(0, 0, size, radius, totals);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    Totals expected = {};
    refineOnHost(0, 0, size, radius, &expected);
    double pi = 4.0 * totals->inside / ((double)radius * radius);
    // Unit cells that the edge crosses do not count: fewer than two per column.
    bool isNear = fabs(pi - 3.14159265358979) < 8.0 / radius;
    if (totals->inside != expected.inside || totals->grids != expected.grids || !isNear) {
        printf("adaptive_grid: FAILED: %llu cells in %llu grids instead of %llu in %llu\n",
               totals->inside, totals->grids, expected.inside, expected.grids);
        return 1;
    }
    printf("adaptive_grid: %llu grids instead of %lld: pi is about %.4f\n", totals->grids,
           size * size, pi);
    check(cudaFree(totals));
    return 0;
}
