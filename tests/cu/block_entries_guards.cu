// cdpcc: --entry=block -march=native -O2
// entries: it tests their code
// Guards of all kinds, with limits before, after and at every place within a vector and a chunk,
// and at the limits of the integer types.
#include <climits>
#include "show.h"

enum { MOST = 1024, SIDE = 96 };

// The work of a thread that passes the guard: longer than that of the others.
__host__ __device__ static int value(int i, int n)
{
    int mixed = i * 3 + (n & 1023);
    mixed ^= mixed >> 3;
    return mixed * 5 + 1;
}

// A kernel, and its expected result. i is the thread's number, t its place in the block. The bound
// names a size that gets an entry of its own.
#define GUARD(name, condition)                                                                     \
    __global__ void __launch_bounds__(256) name(int n, unsigned m, long long w, int *out)          \
    {                                                                                              \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;                            \
        unsigned u = i;                                                                            \
        (void)t, (void)u;                                                                          \
        if (condition) {                                                                           \
            out[i] = value(i, n);                                                                  \
        }                                                                                          \
    }                                                                                              \
    static int wrong_##name(int size, int n, unsigned m, long long w, const int *out, int i)       \
    {                                                                                              \
        int t = i % size;                                                                          \
        unsigned u = i;                                                                            \
        (void)t, (void)u, (void)m, (void)w;                                                        \
        return out[i] != ((condition) ? value(i, n) : 0);                                          \
    }

GUARD(less, i < n)
GUARD(less_or_equal, i <= n)
GUARD(greater, n > i)
GUARD(not_less, !(i >= n))
GUARD(from, i >= n)
GUARD(other, i != n)
GUARD(unsigned_less, u < m)
GUARD(unsigned_from, u > m)
GUARD(unsigned_other, u != m)
GUARD(wraps, u - 3 < m)
GUARD(falls, 800 - i > n)
GUARD(falls_to, 700 - i != n)
GUARD(twice, 2 * i + 1 < n)
GUARD(wide, (long long)i * 3 - 7 < w)
GUARD(widened, i < w)
GUARD(both, i < n && i != n / 2)
GUARD(either, i<n || u> m)
GUARD(neither, !(i == n || i == n - 20 || u == m))
GUARD(between, i > n && i - 90 < n)
GUARD(in_block, t != 7 || i < n)
GUARD(first_of_block, t < n)

// The border of a picture is copied, the rest is smoothed.
__global__ void smooth(int width, int height, const int *in, int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    int i = y * width + x;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1) {
        out[i] = in[i];
    } else {
        out[i] = in[i] * 4 - in[i - 1] - in[i + 1] - in[i - width] - in[i + width];
    }
}

// The value that the guard depends on lives across barriers, and was changed when the guard differs
// from that of most threads.
__global__ void __launch_bounds__(256) waits(int n, int *out)
{
    __shared__ int seen[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int sum = i, total = i;
    for (int turn = 0; turn < 3; turn++) {
        total += turn * 5 + sum % 3;
        if (t >= n) {
            int more = sum % 7 * 3 + turn;
            more ^= more << 5;
            sum += more * 11 - (more >> 2);
        }
        seen[t] = sum;
        __syncthreads();
        sum ^= seen[(t * 7 + turn) % blockDim.x];
        __syncthreads();
    }
    out[i] = sum ^ total;
}

static void wait_here(int size, int n, int block, int *out)
{
    static int seen[256], total[256];
    for (int t = 0; t < size; t++) {
        total[t] = out[t] = block * size + t;
    }
    for (int turn = 0; turn < 3; turn++) {
        for (int t = 0; t < size; t++) {
            total[t] += turn * 5 + out[t] % 3;
            if (t >= n) {
                int more = out[t] % 7 * 3 + turn;
                more ^= more << 5;
                out[t] += more * 11 - (more >> 2);
            }
            seen[t] = out[t];
        }
        for (int t = 0; t < size; t++) {
            out[t] ^= seen[(t * 7 + turn) % size];
        }
    }
    for (int t = 0; t < size; t++) {
        out[t] ^= total[t];
    }
}

static int *device;

static int try_waiting(int size, int n)
{
    static int out[MOST], must[MOST];
    int blocks = MOST / size, count = 0;
    waits<<<blocks, size>>>(n, device);
    MUST(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
    for (int block = 0; block < blocks; block++) {
        wait_here(size, n, block, must + block * size);
    }
    for (int i = 0; i < blocks * size; i++) {
        count += out[i] != must[i];
    }
    return count;
}

typedef int (*wrong_in)(int size, int n, unsigned m, long long w, const int *out, int i);

template <typename Kernel>
static int try_guard(Kernel kernel, wrong_in wrong, int size, int n, unsigned m, long long w)
{
    static int out[MOST];
    int blocks = MOST / size, count = 0;
    MUST(cudaMemset(device, 0, sizeof out));
    kernel<<<blocks, size>>>(n, m, w, device);
    MUST(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks * size; i++) {
        count += wrong(size, n, m, w, out, i);
    }
    return count;
}

template <typename Kernel> static void guard(const char *name, Kernel kernel, wrong_in wrong)
{
    static const int sizes[] = {256, 100, 64, 192};
    static const int ends[] = {INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 800, -1};
    int count = 0;
    for (int size : sizes) {
        for (int n = 0; n < 300; n += n < 140 ? 1 : 13) {
            count += try_guard(kernel, wrong, size, n, n, n);
        }
        for (int n : ends) {
            int small = n < 0 ? -9 : n == INT_MAX ? 5000 : n; // n - 20 and the like must not wrap
            count += try_guard(kernel, wrong, size, small > 5000 ? 999 : small, n, n);
        }
    }
    printf("%s: %d wrong\n", name, count);
}
#define TRY(name) guard(#name, name, wrong_##name)

static int wrong_smooth(int width, int height, const int *in, const int *out)
{
    int count = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int i = y * width + x;
            bool border = x == 0 || x == width - 1 || y == 0 || y == height - 1;
            int must =
                border ? in[i] : in[i] * 4 - in[i - 1] - in[i + 1] - in[i - width] - in[i + width];
            count += out[i] != must;
        }
    }
    return count;
}

static int parts(int length, int size)
{
    return (length + size - 1) / size;
}

__attribute__((noinline)) static void smooth_rows(int width, int height, const int *in, int *out)
{
    smooth<<<dim3(parts(width, 32), parts(height, 8)), dim3(32, 8)>>>(width, height, in, out);
}

__attribute__((noinline)) static void smooth_tiles(int width, int height, const int *in, int *out)
{
    int size = width | height ? 16 : 1;
    dim3 grid(parts(width, size), parts(height, size));
    smooth<<<grid, dim3(size, size)>>>(width, height, in, out);
}

static int try_smooth(void (*run)(int, int, const int *, int *), int width, int height)
{
    static int in[SIDE * SIDE], out[SIDE * SIDE];
    int *from, *to;
    for (int i = 0; i < SIDE * SIDE; i++) {
        in[i] = i * 7919 % 1013;
    }
    MUST(cudaMalloc(&from, sizeof in));
    MUST(cudaMalloc(&to, sizeof out));
    MUST(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    run(width, height, from, to);
    MUST(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    MUST(cudaFree(from));
    MUST(cudaFree(to));
    return wrong_smooth(width, height, in, out);
}

int main()
{
    MUST(cudaMalloc(&device, MOST * sizeof(int)));
    TRY(less);
    TRY(less_or_equal);
    TRY(greater);
    TRY(not_less);
    TRY(from);
    TRY(other);
    TRY(unsigned_less);
    TRY(unsigned_from);
    TRY(unsigned_other);
    TRY(wraps);
    TRY(falls);
    TRY(falls_to);
    TRY(twice);
    TRY(wide);
    TRY(widened);
    TRY(both);
    TRY(either);
    TRY(neither);
    TRY(between);
    TRY(in_block);
    TRY(first_of_block);
    int count = 0;
    for (int size : {256, 100, 64, 33}) {
        for (int n = 0; n < size; n += 1 + n / 4) {
            count += try_waiting(size, n);
        }
    }
    printf("waits: %d wrong\n", count);
    count = 0;
    for (int width = 60; width <= SIDE; width += width < 70 ? 1 : 13) {
        for (int height = 5; height < 40; height += 3) {
            count += try_smooth(smooth_rows, width, height);
            count += try_smooth(smooth_tiles, width, height);
        }
    }
    printf("smooth: %d wrong\n", count + try_smooth(smooth_rows, SIDE, SIDE));
    return 0;
}
