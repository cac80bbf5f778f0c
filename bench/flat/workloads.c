/* The workloads without device launches: inputs, checks, and the table of both implementations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/serve.h"
#include "implementation.h"

enum { MATRIX_SIZE = MATRIX_SIDE * MATRIX_SIDE, STENCIL_SIZE = STENCIL_SIDE * STENCIL_SIDE };

/* The arrays of the current workload, here and in the implementation. */
struct array {
    void *here, *there;
    size_t bytes;
};
static struct array first, second, result;

static void take(struct array *array, size_t bytes)
{
    array->bytes = bytes;
    array->here = calloc(1, bytes);
    if (array->here == NULL) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    array->there = impl_alloc(bytes);
}

static void send(const struct array *array)
{
    impl_copy_in(array->there, array->here, array->bytes);
}

static void fetch(const struct array *array)
{
    impl_copy_out(array->here, array->there, array->bytes);
}

static void drop(struct array *array)
{
    free(array->here);
    if (array->there != NULL) {
        impl_free(array->there);
    }
    *array = (struct array){0};
}

static void finish(void)
{
    drop(&first);
    drop(&second);
    drop(&result);
}

/* Xorshift: the same numbers for every implementation. */
static unsigned next_random(unsigned *state)
{
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* From -1 to 1, exact in 16 bits. */
static float next_fraction(unsigned *state)
{
    return (float)((int)(next_random(state) >> 8 & 0xffff) - 32768) / 32768.0f;
}

/* ---- saxpy: every value is exactly representable ---- */

static void prepare_saxpy(void)
{
    take(&first, SAXPY_SIZE * sizeof(float));
    take(&result, SAXPY_SIZE * sizeof(float));
    float *x = first.here, *y = result.here;
    for (int i = 0; i < SAXPY_SIZE; i++) {
        x[i] = (float)(i & 1023) / 1024.0f;
        y[i] = (float)(i & 7);
    }
    send(&first);
    send(&result);
}

static void run_saxpy(void)
{
    impl_saxpy(SAXPY_SIZE, 0.5f, first.there, result.there);
}

static bool saxpy_is_right(int runs)
{
    fetch(&result);
    const float *x = first.here, *y = result.here;
    for (int i = 0; i < SAXPY_SIZE; i++) {
        if (y[i] != (float)(i & 7) + (float)(runs * SAXPY_LAUNCHES) * (0.5f * x[i])) {
            return false;
        }
    }
    return true;
}

/* ---- matrix products ---- */

static void prepare_matrices(void)
{
    unsigned state = 12345;
    take(&first, MATRIX_SIZE * sizeof(float));
    take(&second, MATRIX_SIZE * sizeof(float));
    take(&result, MATRIX_SIZE * sizeof(float));
    for (int i = 0; i < MATRIX_SIZE; i++) {
        ((float *)first.here)[i] = next_fraction(&state);
        ((float *)second.here)[i] = next_fraction(&state);
    }
    send(&first);
    send(&second);
}

static void run_multiply(void)
{
    impl_multiply(MATRIX_SIDE, first.there, second.there, result.there);
}

static void run_multiply_tiled(void)
{
    impl_multiply_tiled(MATRIX_SIDE, first.there, second.there, result.there);
}

/* Checks some elements of every row and column. */
static bool product_is_right(int runs)
{
    (void)runs;
    fetch(&result);
    const float *a = first.here, *b = second.here, *c = result.here;
    for (int row = 0; row < MATRIX_SIDE; row++) {
        for (int column = row % 61; column < MATRIX_SIDE; column += 61) {
            double sum = 0;
            for (int k = 0; k < MATRIX_SIDE; k++) {
                sum += (double)a[row * MATRIX_SIDE + k] * (double)b[k * MATRIX_SIDE + column];
            }
            if (!(fabs(sum - (double)c[row * MATRIX_SIDE + column]) <= 1e-3)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- reduction: all partial sums are exact ---- */

static void prepare_reduce(void)
{
    unsigned state = 99;
    take(&first, REDUCE_SIZE * sizeof(float));
    take(&result, REDUCE_SIZE / REDUCE_BLOCK * sizeof(float));
    for (int i = 0; i < REDUCE_SIZE; i++) {
        ((float *)first.here)[i] = (float)(next_random(&state) >> 9 & 63) / 8;
    }
    send(&first);
}

static void run_reduce(void)
{
    impl_reduce(REDUCE_SIZE, first.there, result.there);
}

static bool reduce_is_right(int runs)
{
    (void)runs;
    fetch(&result);
    const float *in = first.here, *sums = result.here;
    for (int block = 0; block < REDUCE_SIZE / REDUCE_BLOCK; block++) {
        float sum = 0;
        for (int i = 0; i < REDUCE_BLOCK; i++) {
            sum += in[block * REDUCE_BLOCK + i];
        }
        if (sum != sums[block]) {
            return false;
        }
    }
    return true;
}

/* ---- stencil ---- */

static void prepare_stencil(void)
{
    unsigned state = 4242;
    take(&first, STENCIL_SIZE * sizeof(float));
    take(&result, STENCIL_SIZE * sizeof(float));
    for (int i = 0; i < STENCIL_SIZE; i++) {
        ((float *)first.here)[i] = next_fraction(&state);
    }
    send(&first);
}

static void run_stencil(void)
{
    impl_stencil(STENCIL_SIDE, first.there, result.there);
}

/* A cell's new value, or its old value at the border and outside. */
static double swept(const double *from, int width, int at, int x, int y)
{
    bool inside = x > 0 && x < STENCIL_SIDE - 1 && y > 0 && y < STENCIL_SIDE - 1;
    return !inside ? from[at]
                   : 0.2 * (from[at] + from[at - 1] + from[at + 1] + from[at - width] +
                            from[at + width]);
}

/* The value of a cell, computed from a square around it that becomes smaller with each sweep. */
static double stencil_value(const float *in, int center_x, int center_y, int sweeps)
{
    enum { LIMIT = 8 * STENCIL_SWEEPS, WIDTH = 2 * LIMIT + 1 };
    static double squares[2][WIDTH * WIDTH];
    if (sweeps > LIMIT) {
        fprintf(stderr, "stencil: BENCH_REPEATS must be at most %d\n", LIMIT / STENCIL_SWEEPS - 1);
        exit(2);
    }
    double *from = squares[0], *to = squares[1];
    for (int sweep = 0; sweep <= sweeps; sweep++) {
        int radius = sweeps - sweep;
        for (int dy = -radius; dy <= radius; dy++) {
            for (int dx = -radius; dx <= radius; dx++) {
                int x = center_x + dx, y = center_y + dy, at = (dy + LIMIT) * WIDTH + dx + LIMIT;
                bool exists = x >= 0 && x < STENCIL_SIDE && y >= 0 && y < STENCIL_SIDE;
                to[at] = sweep > 0 ? swept(from, WIDTH, at, x, y)
                         : exists  ? (double)in[y * STENCIL_SIDE + x]
                                   : 0;
            }
        }
        double *other = from;
        from = to;
        to = other;
    }
    return from[LIMIT * WIDTH + LIMIT];
}

static bool stencil_is_right(int runs)
{
    fetch(&result); /* an even number of sweeps ends in the first array */
    impl_copy_out(result.here, first.there, first.bytes);
    const float *got = result.here;
    unsigned state = 31;
    for (int i = 0; i < 200; i++) {
        int x = (int)(next_random(&state) % STENCIL_SIDE);
        int y = (int)(next_random(&state) % STENCIL_SIDE);
        x = i % 8 == 0 ? 3 : i % 8 == 1 ? STENCIL_SIDE - 2 : x;
        y = i % 8 == 2 ? 2 : i % 8 == 3 ? STENCIL_SIDE - 4 : y;
        double value = stencil_value(first.here, x, y, runs * STENCIL_SWEEPS);
        if (!(fabs(value - (double)got[y * STENCIL_SIDE + x]) <= 1e-4)) {
            return false;
        }
    }
    return true;
}

/* ---- histogram ---- */

static void prepare_histogram(void)
{
    unsigned state = 2024;
    take(&first, HISTOGRAM_SIZE);
    take(&result, 256 * sizeof(unsigned));
    for (int i = 0; i < HISTOGRAM_SIZE; i++) {
        unsigned random = next_random(&state);
        ((unsigned char *)first.here)[i] =
            (unsigned char)((random >> 8 & 255) & (random >> 16 | 0x3f));
    }
    send(&first);
    send(&result);
}

static void run_histogram(void)
{
    impl_histogram(HISTOGRAM_SIZE, first.there, result.there);
}

static bool histogram_is_right(int runs)
{
    unsigned expected[256] = {0};
    fetch(&result);
    for (int i = 0; i < HISTOGRAM_SIZE; i++) {
        expected[((const unsigned char *)first.here)[i]] += (unsigned)runs;
    }
    return memcmp(expected, result.here, sizeof expected) == 0;
}

/* ---- bodies ---- */

static void prepare_bodies(void)
{
    unsigned state = 5;
    take(&first, BODIES * 4 * sizeof(float));
    take(&result, BODIES * 4 * sizeof(float));
    float *bodies = first.here;
    for (int i = 0; i < BODIES; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bodies[4 * i + axis] = next_fraction(&state);
        }
        bodies[4 * i + 3] = (float)(1 + (next_random(&state) & 3)) / 4096.0f;
    }
    send(&first);
}

static void run_bodies(void)
{
    impl_bodies(BODIES, first.there, result.there);
}

static bool force_is_right(const float *bodies, const float *force, int i)
{
    double sum[3] = {0};
    for (int j = 0; j < BODIES; j++) {
        double d[3], square = (double)SOFTENING;
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = (double)bodies[4 * j + axis] - (double)bodies[4 * i + axis];
            square += d[axis] * d[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += d[axis] * (double)bodies[4 * j + 3] / (square * sqrt(square));
        }
    }
    return fabs(sum[0] - (double)force[0]) <= 2e-3 && fabs(sum[1] - (double)force[1]) <= 2e-3 &&
           fabs(sum[2] - (double)force[2]) <= 2e-3;
}

static bool bodies_are_right(int runs)
{
    (void)runs;
    fetch(&result);
    for (int i = 0; i < BODIES; i += 61) {
        if (!force_is_right(first.here, (const float *)result.here + 4 * i, i)) {
            return false;
        }
    }
    return true;
}

/* ---- scan ---- */

static void prepare_scan(void)
{
    unsigned state = 8;
    take(&first, SCAN_SIZE * sizeof(int));
    take(&result, SCAN_SIZE * sizeof(int));
    for (int i = 0; i < SCAN_SIZE; i++) {
        ((int *)first.here)[i] = (int)(next_random(&state) & 255) - 100;
    }
    send(&first);
}

static void run_scan(void)
{
    impl_scan(SCAN_SIZE, first.there, result.there);
}

static bool scan_is_right(int runs)
{
    (void)runs;
    fetch(&result);
    int sum = 0;
    for (int i = 0; i < SCAN_SIZE; i++) {
        sum = (i % SCAN_BLOCK != 0 ? sum : 0) + ((const int *)first.here)[i];
        if (((const int *)result.here)[i] != sum) {
            return false;
        }
    }
    return true;
}

/* ---- Collatz ---- */

static void prepare_collatz(void)
{
    take(&result, COLLATZ_SIZE * sizeof(int));
}

static void run_collatz(void)
{
    impl_collatz(COLLATZ_SIZE, result.there);
}

/* When a number falls below its start, the lengths of all smaller numbers have been checked
 * already. */
static bool collatz_is_right(int runs)
{
    (void)runs;
    fetch(&result);
    const int *lengths = result.here;
    for (unsigned long long start = 1; start <= COLLATZ_SIZE; start++) {
        unsigned long long value = start;
        int steps = 0;
        while (value > 1 && value >= start) {
            value = value % 2 != 0 ? 3 * value + 1 : value / 2;
            steps++;
        }
        if (lengths[start - 1] != steps + (value < start ? lengths[value - 1] : 0)) {
            return false;
        }
    }
    return true;
}

/* ---- barriers ---- */

static void prepare_barriers(void)
{
    take(&result, BARRIER_BLOCKS * BARRIER_THREADS * sizeof(unsigned));
}

static void run_barriers(void)
{
    impl_barriers(BARRIER_BLOCKS, BARRIER_COUNT, result.there);
}

static bool barrier_block_is_right(int block)
{
    unsigned mine[BARRIER_THREADS], old[BARRIER_THREADS];
    for (int i = 0; i < BARRIER_THREADS; i++) {
        mine[i] = (unsigned)(block * BARRIER_THREADS + i);
    }
    for (int turn = 0; turn < BARRIER_COUNT; turn++) {
        memcpy(old, mine, sizeof old);
        for (int i = 0; i < BARRIER_THREADS; i++) {
            mine[i] += old[(i + 1) % BARRIER_THREADS];
        }
    }
    return memcmp((const unsigned *)result.here + block * BARRIER_THREADS, mine, sizeof mine) == 0;
}

static bool barriers_are_right(int runs)
{
    (void)runs;
    fetch(&result);
    for (int block = 0; block < BARRIER_BLOCKS; block++) {
        if (!barrier_block_is_right(block)) {
            return false;
        }
    }
    return true;
}

int main(void)
{
    static const struct workload table[] = {
        {"saxpy", "a saxpy, 5 times 2^24 floats, block 256", 1.0, 1, prepare_saxpy, run_saxpy,
         saxpy_is_right, finish},
        {"multiply", "b naive matrix product, 512 x 512, block 16 x 16", 0.4, 3, prepare_matrices,
         run_multiply, product_is_right, finish},
        {"tiled", "c matrix product by shared tiles, 512 x 512, block 16 x 16", 1.8, 5,
         prepare_matrices, run_multiply_tiled, product_is_right, finish},
        {"reduce", "d block reduction, 2^24 floats, block 256", 1.05, 3, prepare_reduce, run_reduce,
         reduce_is_right, finish},
        {"stencil", "e 5-point stencil, 4096 x 4096, 10 sweeps, block 32 x 8", 1.1, 1,
         prepare_stencil, run_stencil, stencil_is_right, finish},
        {"histogram", "f histogram, 2^24 bytes, block 256", 1.1, 3, prepare_histogram,
         run_histogram, histogram_is_right, finish},
        {"bodies", "g n-body, 4096 bodies, shared tiles of 256", 1.0, 3, prepare_bodies, run_bodies,
         bodies_are_right, finish},
        {"scan", "h inclusive scan of each block of 512, 2^22 ints", 2.3, 5, prepare_scan, run_scan,
         scan_is_right, finish},
        {"collatz", "j Collatz lengths up to 2^20, block 256", 0.6, 1, prepare_collatz, run_collatz,
         collatz_is_right, finish},
        {"barriers", "k 1,000 barriers in 64 blocks of 256 threads", 0, 1, prepare_barriers,
         run_barriers, barriers_are_right, finish},
    };
    return serve(table, sizeof table / sizeof *table);
}
