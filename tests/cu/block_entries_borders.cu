// cdpcc: --entry=block -O2
// Indices that are limited at a field's borders, or begin anew behind them, are rows within.
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
/* Some lanes only, and a row that others know nothing of. */
__global__ void some(const int *in, int *out, int w, int n, int dx)
{
    if (X < n && in[X] % 3 != 0) {
        int x = min(max(X + dx, 0), w - 1);
        out[X] = in[x] + in[(X + w + dx) % w];
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
}
