// cdpcc: --entry=block -O2
// Indices that are clamped at a field's borders, or wrap there, give contiguous accesses inside.
#include <stdio.h>
#include <vector>
#define X (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define Y (int)(blockIdx.y * blockDim.y + threadIdx.y)
__global__ void limited(const int *in, int *out, int w, int h, int dx, int dy)
{
    if (X < w && Y < h) {
        int x = min(max(X + dx, 0), w - 1), y = min(max(Y + dy, 0), h - 1);
        out[Y * w + X] = in[y * w + x];
    }
}
__global__ void limited_from_above(const int *in, int *out, int w, int h, int dx)
{
    if (X < w && Y < h) {
        int x = max(min(w - 1 - X + dx, w - 1), 0);
        out[Y * w + X] = in[Y * w + x];
    }
}
__global__ void limited_unsigned(const int *in, int *out, unsigned w, unsigned h, unsigned dx)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[y * w + x] = in[y * w + min(x + dx, w - 1)] + in[y * w + max(x, dx) % w];
    }
}
__global__ void torus(const int *in, int *out, int w, int h, int dx, int dy)
{
    if (X < w && Y < h) {
        int x = (X + dx) % w, y = (Y + dy) % h;
        out[Y * w + X] = in[y * w + x];
    }
}
__global__ void torus_unsigned(const int *in, int *out, unsigned w, unsigned h, unsigned dx)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[y * w + x] = in[y * w + (x + dx) % w] + in[y * w + (x + 5) % 7];
    }
}
/* Below zero, too; and by nothing, and less than nothing. */
__global__ void remainders(int *out, int n, int by, int from)
{
    if (X < n) {
        out[X] = (X + from) % by + (int)((unsigned)(X + 3) % (unsigned)by) * 2 + (X + from) / by;
    }
}
__global__ void store_limited(int *out, int n, int most)
{
    if (X < n) {
        int at = min(X, most);
        if (X <= most) {
            out[at] = X + 1;
        }
    }
}
__global__ void store_wrapped(int *out, int n, int shift)
{
    if (X < n) {
        out[(X + shift) % n] = X;
    }
}
/* Only some lanes, and a contiguous access that the other lanes do not make. */
__global__ void some(const int *in, int *out, int w, int n, int dx)
{
    if (X < n && in[X] % 3 != 0) {
        int x = min(max(X + dx, 0), w - 1);
        out[X] = in[x] + in[(X + w + dx) % w];
    }
}
__global__ void wide_if_any(const int *in, int *out, const long long *by, int n)
{
    if (X < n && *by > 0) {
        out[X] = in[(X - 9223372036854775807ll - 1) % *by + *by];
    }
}
/* The sum would overflow for threads that do not need it: the loop distinguishes these. */
__global__ void sum_of_some(const int *in, int *out, int most, int far, int m, int n)
{
    int x = X, s = 0;
    for (int j = 0; j < n; j++) {
        if (x < m) {
            s += in[min(x + far, most)];
            out[x] = s;
        }
    }
}
/* At a border, the thread's own element instead of a neighbour's. */
template <class T> __global__ void neighbours(const T *in, T *out, int w, int h)
{
    __shared__ T s[4][32];
    int x = X, y = Y, tx = threadIdx.x, ty = threadIdx.y;
    s[ty][tx] = x < w && y < h ? in[y * w + x] : 0;
    __syncthreads();
    if (x < w && y < h) {
        int west = x == 0 ? x : x - 1, east = x == w - 1 ? x : x + 1;
        int left = tx == 0 ? tx : tx - 1, right = tx == 31 || x == w - 1 ? tx : tx + 1;
        unsigned far = in[y * w + x] % 2 ? x : w - 1 - x;
        out[y * w + x] = in[y * w + west] + in[y * w + east] * 3 + s[ty][left] * 5 +
                         s[ty][right] * 7 + in[y * w + far] * 9;
    }
}
template <class T> static int wrong_neighbours(int w, int h)
{
    T *in, *out;
    int count = 0;
    cudaMallocManaged(&in, w * h * sizeof *in);
    cudaMallocManaged(&out, w * h * sizeof *out);
    for (int i = 0; i < w * h; i++) {
        in[i] = (T)(i * 2654435761u >> 24);
    }
    neighbours<<<dim3((w + 31) / 32, (h + 3) / 4), dim3(32, 4)>>>(in, out, w, h);
    cudaDeviceSynchronize();
    for (int i = 0; i < w * h; i++) {
        int x = i % w;
        const T *row = in + i / w * w;
        T e = row[x - (x != 0)] + row[x + (x != w - 1)] * 3 + row[x - (x % 32 != 0)] * 5 +
              row[x + (x % 32 != 31 && x != w - 1)] * 7 + row[row[x] % 2 ? x : w - 1 - x] * 9;
        count += out[i] != e;
    }
    return count;
}
/* Smaller than a vector. */
template <int> __device__ int few[3];
__global__ void __launch_bounds__(4) of_few(int *out, int at, int v)
{
    int t = threadIdx.x, was = 0;
    if (t < 2) {
        was = few<1>[t];
    }
    few<1>[at] = v;
    if (t < 3) {
        out[t] = few<1>[t] * 1000 + was;
    }
}
static int limit(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}
static int wrong(const int *out, const std::vector<int> &expected)
{
    int count = 0;
    cudaDeviceSynchronize();
    for (size_t i = 0; i < expected.size(); i++) {
        count += out[i] != expected[i];
    }
    return count;
}
int main()
{
    static const int sizes[][2] = {{200, 40}, {64, 16}, {97, 9}, {5, 3}};
    int *in, *out;
    cudaMallocManaged(&in, 10000 * sizeof *in);
    cudaMallocManaged(&out, 10000 * sizeof *out);
    for (int i = 0; i < 10000; i++) {
        in[i] = i * 2654435761u >> 8;
    }
    for (auto &size : sizes) {
        int w = size[0], h = size[1], bad[8] = {0};
        std::vector<int> e(w * h);
        dim3 block(32, 4), grid((w + 31) / 32, (h + 3) / 4);
        for (int dx = -40; dx <= 40; dx += dx > -3 && dx < 3 ? 1 : 7) {
            int dy = dx % 3, ux = dx < 0 ? -dx : dx;
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    e[y * w + x] = in[limit(y + dy, 0, h - 1) * w + limit(x + dx, 0, w - 1)];
                }
            }
            limited<<<grid, block>>>(in, out, w, h, dx, dy);
            bad[0] += wrong(out, e);
            for (int i = 0; i < w * h; i++) {
                e[i] = in[i / w * w + limit(w - 1 - i % w + dx, 0, w - 1)];
            }
            limited_from_above<<<grid, block>>>(in, out, w, h, dx);
            bad[1] += wrong(out, e);
            for (int i = 0; i < w * h; i++) {
                int x = i % w, far = x + ux < w - 1 ? x + ux : w - 1;
                e[i] = in[i / w * w + far] + in[i / w * w + (x > ux ? x : ux) % w];
            }
            limited_unsigned<<<grid, block>>>(in, out, w, h, ux);
            bad[2] += wrong(out, e);
            for (int i = 0; i < w * h; i++) {
                e[i] = in[(i / w + ux) % h * w + (i % w + ux) % w];
            }
            torus<<<grid, block>>>(in, out, w, h, ux, ux);
            bad[3] += wrong(out, e);
            for (int i = 0; i < w * h; i++) {
                e[i] = in[i / w * w + (i % w + ux) % w] + in[i / w * w + (i % w + 5) % 7];
            }
            torus_unsigned<<<grid, block>>>(in, out, w, h, ux);
            bad[4] += wrong(out, e);
            int n = w * h;
            for (int i = 0; i < n; i++) {
                e[(i + ux) % n] = i;
            }
            store_wrapped<<<(n + 63) / 64, 64>>>(out, n, ux);
            bad[5] += wrong(out, e);
            for (int i = 0; i < n; i++) {
                e[i] = out[i] = -1;
                if (in[i] % 3 != 0) {
                    e[i] = in[limit(i + dx, 0, w - 1)] + in[(i + w + dx) % w < 0 ? 0 : (i + w + dx) % w];
                }
            }
            if (w + dx >= 0) {
                some<<<(n + 63) / 64, 64>>>(in, out, w, n, dx);
                bad[6] += wrong(out, e);
            }
            for (int i = 0; i < n; i++) {
                e[i] = out[i] = -1;
                if (i <= ux) {
                    e[i] = i + 1;
                }
            }
            store_limited<<<(n + 63) / 64, 64>>>(out, n, ux);
            bad[7] += wrong(out, e);
        }
        printf("%d x %d: %d %d %d %d %d %d %d %d wrong\n", w, h, bad[0], bad[1], bad[2], bad[3],
               bad[4], bad[5], bad[6], bad[7]);
    }
    for (int by : {1, 2, 3, 7, 16, 50, 1000, 2000000000, -1, -3, -50, 0}) {
        for (int from : {0, -5, -100, 2147480000, -2147483647}) {
            int n = 700, count = 0;
            std::vector<int> e(n);
            for (int i = 0; i < n; i++) {
                int a = i + from;
                e[i] = by == 0    ? -1 + -2 + -1
                       : by == -1 ? (int)((unsigned)(i + 3) % (unsigned)by) * 2 - a
                                  : a % by + (int)((unsigned)(i + 3) % (unsigned)by) * 2 + a / by;
            }
            remainders<<<(n + 95) / 96, 96>>>(out, n, by, from);
            count = wrong(out, e);
            if (count != 0) {
                printf("by %d from %d: %d wrong\n", by, from, count);
            }
        }
    }
    int count = 0;
    long long *wide;
    cudaMallocManaged(&wide, sizeof *wide);
    for (long long by : {-1, 0, 9, 100}) {
        *wide = by;
        std::vector<int> e(200, -1);
        for (int i = 0; i < 200; i++) {
            out[i] = -1;
            e[i] = by > 0 ? in[(i - 9223372036854775807ll - 1) % by + by] : -1;
        }
        wide_if_any<<<4, 64>>>(in, out, wide, 200);
        count += wrong(out, e);
    }
    printf("64 bits: %d wrong, %s\n", count, cudaGetErrorString(cudaGetLastError()));
    for (int n : {1, 2}) {
        sum_of_some<<<1, 32>>>(in, out, 99, 2147483647 - 4, 5, n);
        count = wrong(out, std::vector<int>(5, (int)(n * (unsigned)in[99])));
        printf("sums of some: %d wrong\n", count);
        of_few<<<1, 4>>>(out, 2, 7 + n);
        count = wrong(out, n == 1 ? std::vector<int>{0, 0, 8000} : std::vector<int>{0, 0, 9000});
        printf("a few: %d wrong\n", count);
    }
    for (int w : {1, 5, 31, 32, 33, 100}) {
        printf("neighbours in %d: %d %d %d %d wrong\n", w, wrong_neighbours<unsigned char>(w, 9),
               wrong_neighbours<short>(w, 9), wrong_neighbours<int>(w, 9),
               wrong_neighbours<long long>(w, 9));
    }
}
