/* The reference: the best simple C for the same results, with OpenMP's threads and vectors. No
 * fast-math, and no more tuning than fits into a page of C. But it uses register blocking, private
 * histograms and masked lanes where C needs these to be fast. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "implementation.h"

/* As many rows and columns of accumulators as fit in the vector registers. */
#if defined __AVX512F__
enum { LANES = 16, TILE_ROWS = 8 };
#elif defined __AVX__
enum { LANES = 8, TILE_ROWS = 4 };
#else
enum { LANES = 4, TILE_ROWS = 4 };
#endif
enum { STRIP = 8 * LANES, TILE_COLUMNS = 2 * LANES, HUGE_PAGE = 1 << 21 };
typedef float vector __attribute__((vector_size(LANES * 4), aligned(4)));

/* In huge pages if they are available, and first touched by the threads that will use it. */
void *impl_alloc(size_t bytes)
{
    size_t rounded = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *memory = aligned_alloc(HUGE_PAGE, rounded);
    if (memory == NULL) {
        fprintf(stderr, "openmp: out of memory\n");
        exit(1);
    }
    madvise(memory, rounded, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < bytes; i += 4096) {
        memory[i] = 0;
    }
    return memory;
}

void impl_free(void *memory)
{
    free(memory);
}

void impl_copy_in(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void impl_copy_out(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void impl_saxpy(int n, float a, const float *restrict x, float *restrict y)
{
    for (int launch = 0; launch < SAXPY_LAUNCHES; launch++) {
#pragma omp parallel for simd schedule(static)
        for (int i = 0; i < n; i++) {
            y[i] = a * x[i] + y[i];
        }
    }
}

/* One row at a time, with a strip of columns in registers. */
void impl_multiply(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n; row++) {
        for (int start = 0; start < n; start += STRIP) {
            vector sum[STRIP / LANES] = {{0}};
            for (int k = 0; k < n; k++) {
                const vector *line = (const vector *)(b + k * n + start);
                float factor = a[row * n + k];
#pragma clang loop unroll(full)
                for (int j = 0; j < STRIP / LANES; j++) {
                    sum[j] += factor * line[j];
                }
            }
            memcpy(c + row * n + start, sum, sizeof sum);
        }
    }
}

/* TILE_ROWS x TILE_COLUMNS of the product, from rows of a and a packed strip of b. */
static void multiply_tile(int n, const float *restrict a, const float *restrict strip,
                          float *restrict c)
{
    vector sum[TILE_ROWS][TILE_COLUMNS / LANES] = {{{0}}};
    for (int k = 0; k < n; k++) {
        const vector *line = (const vector *)(strip + k * TILE_COLUMNS);
#pragma clang loop unroll(full)
        for (int row = 0; row < TILE_ROWS; row++) {
            float factor = a[row * n + k];
#pragma clang loop unroll(full)
            for (int j = 0; j < TILE_COLUMNS / LANES; j++) {
                sum[row][j] += factor * line[j];
            }
        }
    }
#pragma clang loop unroll(full)
    for (int row = 0; row < TILE_ROWS; row++) {
        memcpy(c + row * n, sum[row], sizeof sum[row]);
    }
}

void impl_multiply_tiled(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma omp parallel for schedule(static)
    for (int start = 0; start < n; start += TILE_COLUMNS) {
        _Alignas(64) float strip[MATRIX_SIDE * TILE_COLUMNS];
        for (int k = 0; k < n; k++) {
            memcpy(strip + k * TILE_COLUMNS, b + k * n + start, TILE_COLUMNS * sizeof *strip);
        }
        for (int row = 0; row < n; row += TILE_ROWS) {
            multiply_tile(n, a + row * n, strip, c + row * n + start);
        }
    }
}

void impl_reduce(int n, const float *restrict in, float *restrict sums)
{
#pragma omp parallel for schedule(static)
    for (int block = 0; block < n / REDUCE_BLOCK; block++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < REDUCE_BLOCK; i++) {
            sum += in[block * REDUCE_BLOCK + i];
        }
        sums[block] = sum;
    }
}

static void sweep(int side, const float *restrict in, float *restrict out)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < side; y++) {
        const float *from = in + (size_t)y * (size_t)side;
        float *to = out + (size_t)y * (size_t)side;
        if (y == 0 || y == side - 1) {
            memcpy(to, from, (size_t)side * sizeof *to);
            continue;
        }
        to[0] = from[0];
#pragma omp simd
        for (int x = 1; x < side - 1; x++) {
            to[x] = 0.2f * (from[x] + from[x - 1] + from[x + 1] + from[x - side] + from[x + side]);
        }
        to[side - 1] = from[side - 1];
    }
}

void impl_stencil(int side, float *a, float *b)
{
    for (int i = 0; i < STENCIL_SWEEPS; i += 2) {
        sweep(side, a, b);
        sweep(side, b, a);
    }
}

/* Four counters for each bin, so that additions of equal bytes do not wait for each other. */
void impl_histogram(int n, const unsigned char *restrict in, unsigned *restrict bins)
{
#pragma omp parallel
    {
        unsigned mine[4][256];
        memset(mine, 0, sizeof mine);
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i += 8) {
            unsigned long long eight;
            memcpy(&eight, in + i, 8);
            mine[0][eight & 255]++;
            mine[1][eight >> 8 & 255]++;
            mine[2][eight >> 16 & 255]++;
            mine[3][eight >> 24 & 255]++;
            mine[0][eight >> 32 & 255]++;
            mine[1][eight >> 40 & 255]++;
            mine[2][eight >> 48 & 255]++;
            mine[3][eight >> 56]++;
        }
        for (int bin = 0; bin < 256; bin++) {
            unsigned count = mine[0][bin] + mine[1][bin] + mine[2][bin] + mine[3][bin];
#pragma omp atomic
            bins[bin] += count;
        }
    }
}

/* Two vectors of bodies side by side, against one body after the other. */
void impl_bodies(int n, const float *restrict bodies, float *restrict forces)
{
    enum { GROUP = 2 * LANES };
#pragma omp parallel for schedule(static)
    for (int start = 0; start < n; start += GROUP) {
        float x[GROUP], y[GROUP], z[GROUP], fx[GROUP] = {0}, fy[GROUP] = {0}, fz[GROUP] = {0};
        for (int i = 0; i < GROUP; i++) {
            x[i] = bodies[4 * (start + i)];
            y[i] = bodies[4 * (start + i) + 1];
            z[i] = bodies[4 * (start + i) + 2];
        }
        for (int j = 0; j < n; j++) {
            const float *other = bodies + 4 * j;
#pragma omp simd
            for (int i = 0; i < GROUP; i++) {
                float dx = other[0] - x[i], dy = other[1] - y[i], dz = other[2] - z[i];
                float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
                float factor = other[3] * inverse * inverse * inverse;
                fx[i] += dx * factor;
                fy[i] += dy * factor;
                fz[i] += dz * factor;
            }
        }
        for (int i = 0; i < GROUP; i++) {
            float *force = forces + 4 * (start + i);
            force[0] = fx[i];
            force[1] = fy[i];
            force[2] = fz[i];
            force[3] = 0;
        }
    }
}

void impl_scan(int n, const int *restrict in, int *restrict out)
{
#pragma omp parallel for schedule(static)
    for (int block = 0; block < n / SCAN_BLOCK; block++) {
        int sum = 0;
        for (int i = block * SCAN_BLOCK; i < (block + 1) * SCAN_BLOCK; i++) {
            out[i] = sum += in[i];
        }
    }
}

/* Two vectors of numbers at a time, each under its mask until all numbers are 1. */
void impl_collatz(int n, int *restrict lengths)
{
    enum { GROUP = 2 * LANES };
#pragma omp parallel for schedule(dynamic, 256)
    for (int start = 0; start < n; start += GROUP) {
        unsigned long long value[GROUP], steps[GROUP] = {0}, alive;
        for (int i = 0; i < GROUP; i++) {
            value[i] = (unsigned long long)(start + i) + 1;
        }
        do {
            alive = 0;
#pragma omp simd reduction(| : alive)
            for (int i = 0; i < GROUP; i++) {
                unsigned long long mask = value[i] != 1 ? ~0ull : 0;
                unsigned long long next = value[i] & 1 ? 3 * value[i] + 1 : value[i] >> 1;
                value[i] = mask ? next : value[i];
                steps[i] -= mask;
                alive |= mask;
            }
        } while (alive);
        for (int i = 0; i < GROUP; i++) {
            lengths[start + i] = (int)steps[i];
        }
    }
}

/* The block is a loop, and a barrier is the loop's end. The compiler must not optimize across
 * it. */
void impl_barriers(int blocks, int count, unsigned *restrict out)
{
#pragma omp parallel for schedule(static)
    for (int block = 0; block < blocks; block++) {
        unsigned shared[2][BARRIER_THREADS + 1], mine[BARRIER_THREADS];
        for (int i = 0; i < BARRIER_THREADS; i++) {
            mine[i] = (unsigned)(block * BARRIER_THREADS + i);
        }
        for (int turn = 0; turn < count; turn++) {
            unsigned *now = shared[turn & 1];
#pragma omp simd
            for (int i = 0; i < BARRIER_THREADS; i++) {
                now[i] = mine[i];
            }
            now[BARRIER_THREADS] = now[0];
            __asm__ volatile("" ::"r"(now) : "memory");
#pragma omp simd
            for (int i = 0; i < BARRIER_THREADS; i++) {
                mine[i] += now[i + 1];
            }
        }
        memcpy(out + block * BARRIER_THREADS, mine, sizeof mine);
    }
}
