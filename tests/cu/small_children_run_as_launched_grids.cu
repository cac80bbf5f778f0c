// Children of few threads run as a part of the code that launches them (serialized). They must do
// what launched grids do, also where they may not be serialized.
// races: threads store the root that they find to links that others read, as LonestarGPU does
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                                 \
    do {                                                                                            \
        cudaError_t error = (call);                                                                 \
        if (error != cudaSuccess) {                                                                 \
            printf("%s: %s\n", #call, cudaGetErrorName(error));                                     \
        }                                                                                           \
    } while (0)

enum { PARENTS = 96, ROOM = 64 };

struct Rows {
    int *begin, *out;
    int shift;
    double scale;
};

// One thread each, without atomics: children in one stream run one after the other.
__global__ void count(int *counter) { counter[0] = counter[0] * 1 + 1; }

__global__ void counts(int *counters)
{
    for (int i = 0; i < 3; i++) {
        count<<<1, 1>>>(&counters[blockIdx.x]);
    }
}

// The index in the usual form, and all that a thread may ask for.
__global__ void fill(int *out, int base, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[base + i] = 1000000 * gridDim.x + 10000 * blockDim.x + 100 * blockIdx.x + threadIdx.x;
    }
}

__global__ void fills(int *out)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x, n = p % (ROOM + 1);
    fill<<<(n + 7) / 8 + 1, 8>>>(out, p * ROOM, n);
}

// threadIdx.x alone is no index of a grid of several blocks.
__global__ void each_block(int *out, int n)
{
    if (threadIdx.x >= n) {
        return;
    }
    atomicAdd(&out[threadIdx.x], 1 + blockIdx.x + (gridDim.y + blockDim.y + blockIdx.y) * 100);
}

__global__ void each_blocks(int *out) { each_block<<<3, 4>>>(out + threadIdx.x * 4, 3); }

// base + i wraps around: threads after the first one that returns go on.
__global__ void wraps(unsigned *out, unsigned base, unsigned end)
{
    unsigned i = base + threadIdx.x;
    if (i < end) {
        out[threadIdx.x] = i + 1;
    }
}

__global__ void wrapped(unsigned *out) { wraps<<<1, 32>>>(out + threadIdx.x * 32, 0u - 5 - threadIdx.x, 9); }

// Two limits, and a structure of which the launch copies all.
__global__ void scaled(Rows rows, int row, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && i + row < PARENTS) {
        int *to = rows.out + rows.begin[row] + i;
        *to = (int)(rows.scale * (row << rows.shift)) + i;
    }
}

__global__ void scales(Rows rows)
{
    int row = threadIdx.x;
    int n = rows.begin[row + 1] - rows.begin[row];
    if (n > 0) {
        scaled<<<(n + 127) / 128, 128>>>(rows, row, n);
    }
}

// A table that is passed by value, read at an index that varies.
struct Table {
    int values[8];
};

__global__ void look_up(int *out, const __grid_constant__ Table table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = table.values[(i * 3 + 1) & 7];
    }
}

__global__ void look_ups(int *out, Table table, int n)
{
    table.values[5] += threadIdx.x;
    look_up<<<1, 32>>>(out + threadIdx.x * 20, table, n);
}

// A large child comes before a small one of the same stream, and so on.
__global__ void add_all(int *values, int n, int by)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        values[i] = values[i] * 2 + by;
    }
}
__global__ void add_few(int *values, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        values[i] = values[i] * 2 + by;
    }
}

__global__ void in_order(int *values)
{
    add_few<<<1, 32>>>(values, 20, 1);
    add_all<<<8, 256>>>(values, 5000, 2);
    add_few<<<1, 32>>>(values, 20, 3);
    add_all<<<8, 256>>>(values, 5000, 4);
    add_few<<<100, 32>>>(values, 3000, 5);
    add_few<<<1, 32>>>(values, 20, 6);
    cudaDeviceSynchronize();
    add_few<<<1, 32>>>(values, 20, 7);
}

// Threads of one block entry launch large and small children into the block's NULL stream, in which
// grids never overlap.
__global__ void __launch_bounds__(512) mixed_child(int *values, int n, int work)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned before = values[i], h = before;
        for (int k = 0; k < work; k++) {
            h = h * 1664525u + (h >> 9);
        }
        values[i] = before + 1 + (h == 77);
    }
}

__global__ void mixed(int *values, int work)
{
    mixed_child<<<1, 512>>>(values, threadIdx.x % 2 ? 500 : 5, work);
}

// What a launch refuses, it refuses for small children, too.
__global__ void __launch_bounds__(64) bounded(int *out) { out[threadIdx.x] = 1; }

__global__ void refused(int *out, int blocks, int threads, int none)
{
    count<<<blocks, threads>>>(out);
    out[1] = cudaGetLastError();
    count<<<none, 1>>>(out);
    out[2] = cudaGetLastError();
    count<<<1, none>>>(out);
    out[3] = cudaGetLastError();
    bounded<<<1, threads>>>(out + 8);
    out[4] = cudaGetLastError();
    count<<<dim3(1, none), 1>>>(out);
    out[5] = cudaGetLastError();
    count<<<1, 1, 1 << 20>>>(out);
    out[6] = cudaGetLastError();
    count<<<1, 1>>>(out);
    out[7] = cudaPeekAtLastError();
}

// Grids that are serial, but of two dimensions, or in other streams.
__global__ void plane(int *out)
{
    out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x] =
        100 * blockIdx.y + 10 * threadIdx.y + threadIdx.x + blockIdx.x * 1000;
}

__global__ void planes(int *out, dim3 grid, dim3 block)
{
    plane<<<grid, block>>>(out);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    count<<<1, 1, 0, stream>>>(out + 64);
    count<<<1, 1, 0, stream>>>(out + 64);
    cudaStreamDestroy(stream);
}

// A parent reads what its children wrote.
__global__ void square(const int *in, int *out, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = 0; k <= in[i]; k++) {
        sum += k * k;
    }
    out[i] = sum;
}

__global__ void squares(int *in, int *out, int *total)
{
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        in[t * 4 + i] = t + i;
    }
    square<<<1, 32>>>(in + t * 4, out + t * 4, 4);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += out[t * 4 + i];
    }
    atomicAdd(total, sum);
}

// Loops that follow links to a root, and read it atomically.  Other blocks shorten the paths.
__device__ int root_of(int *up, int i)
{
    while (atomicCAS(&up[i], i, i) != i) {
        i = up[i];
    }
    return i;
}

__global__ void find_roots(int *up, const int *from, int *roots, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        roots[i] = root_of(up, from[i]);
        up[from[i]] = roots[i];
    }
}

__global__ void find_all_roots(int *up, const int *from, int *roots)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x, n = p % 5 == 0 ? 60 : p % 13 + 1;
    find_roots<<<1, 128>>>(up, from + p * ROOM, roots + p * ROOM, n);
}

template <class T> static T *managed(size_t count)
{
    T *p;
    CHECK(cudaMallocManaged(&p, count * sizeof *p));
    memset(p, 0, count * sizeof *p);
    return p;
}

static void expect(const char *what, bool is_right) { printf("%s: %s\n", what, is_right ? "right" : "WRONG"); }

int main()
{
    int *out = managed<int>(PARENTS * ROOM);
    counts<<<4, PARENTS>>>(out);
    CHECK(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < 4; i++) right &= out[i] == 3 * PARENTS;
    expect("counts", right);

    memset(out, 0xff, PARENTS * ROOM * sizeof *out);
    fills<<<2, PARENTS / 2>>>(out);
    CHECK(cudaDeviceSynchronize());
    right = true;
    for (int p = 0; p < PARENTS; p++) {
        int n = p % (ROOM + 1);
        for (int i = 0; i < ROOM; i++) {
            int is = i < n ? 1000000 * ((n + 7) / 8 + 1) + 80000 + 100 * (i / 8) + i % 8 : -1;
            right &= out[p * ROOM + i] == is;
        }
    }
    expect("fills", right);

    memset(out, 0, PARENTS * ROOM * sizeof *out);
    each_blocks<<<1, 40>>>(out);
    CHECK(cudaDeviceSynchronize());
    right = true;
    for (int i = 0; i < 160; i++) right &= out[i] == (i % 4 < 3 ? 606 : 0);
    expect("each block", right);

    unsigned *wrapping = managed<unsigned>(40 * 32);
    wrapped<<<1, 40>>>(wrapping);
    CHECK(cudaDeviceSynchronize());
    right = true;
    for (unsigned p = 0; p < 40; p++) {
        for (unsigned t = 0; t < 32; t++) {
            unsigned i = 0u - 5 - p + t;
            right &= wrapping[p * 32 + t] == (i < 9 ? i + 1 : 0);
        }
    }
    expect("wraps", right);

    Rows rows = {managed<int>(PARENTS + 1), managed<int>(20000), 2, 0.5};
    for (int r = 0; r < PARENTS; r++) rows.begin[r + 1] = rows.begin[r] + (r * 37) % 90;
    scales<<<1, PARENTS>>>(rows);
    CHECK(cudaDeviceSynchronize());
    right = true;
    for (int r = 0; r < PARENTS; r++) {
        for (int i = 0; i < rows.begin[r + 1] - rows.begin[r]; i++) {
            right &= rows.out[rows.begin[r] + i] == (i + r < PARENTS ? 2 * r + i : 0);
        }
    }
    expect("structure", right);

    Table table = {{10, 20, 30, 40, 50, 60, 70, 80}};
    memset(out, 0, PARENTS * 20 * sizeof *out);
    look_ups<<<1, PARENTS>>>(out, table, 19);
    CHECK(cudaDeviceSynchronize());
    right = true;
    for (int p = 0; p < PARENTS; p++) {
        for (int i = 0; i < 20; i++) {
            int k = (i * 3 + 1) & 7;
            right &= out[p * 20 + i] == (i < 19 ? table.values[k] + (k == 5 ? p : 0) : 0);
        }
    }
    expect("table", right);

    int *values = managed<int>(5000);
    for (int round = 0; round < 20; round++) {
        memset(values, 0, 5000 * sizeof *values);
        in_order<<<1, 1>>>(values);
        CHECK(cudaDeviceSynchronize());
        right = true;
        for (int i = 0; i < 5000; i++) {
            int is = 0;
            if (i < 20) is = is * 2 + 1;
            is = is * 2 + 2;
            if (i < 20) is = is * 2 + 3;
            is = is * 2 + 4;
            if (i < 3000) is = is * 2 + 5;
            if (i < 20) is = (is * 2 + 6) * 2 + 7;
            right &= values[i] == is;
        }
        if (!right) break;
    }
    expect("order", right);

    for (int round = 0; round < 10; round++) {
        memset(values, 0, 512 * sizeof *values);
        mixed<<<1, 32>>>(values, 2000);
        CHECK(cudaDeviceSynchronize());
        right = true;
        for (int i = 0; i < 512; i++) right &= values[i] == (i < 5 ? 32 : i < 500 ? 16 : 0);
        if (!right) break;
    }
    expect("mixed", right);

    memset(out, 0, 100 * sizeof *out);
    refused<<<1, 1>>>(out, 1, 2000, 0);
    CHECK(cudaDeviceSynchronize());
    printf("refused:");
    for (int i = 0; i < 10; i++) printf(" %d", out[i]);
    printf("\n");

    memset(out, 0, 100 * sizeof *out);
    planes<<<1, 1>>>(out, dim3(2, 2), dim3(3, 4));
    CHECK(cudaDeviceSynchronize());
    right = out[64] == 2;
    for (int b = 0; b < 4; b++) {
        for (int t = 0; t < 12; t++) {
            right &= out[b * 12 + t] == 100 * (b / 2) + 10 * (t / 3) + t % 3 + b % 2 * 1000;
        }
    }
    expect("plane", right);

    enum { ALL = PARENTS * ROOM };
    int *up = managed<int>(ALL), *from = managed<int>(ALL);
    for (int i = 0; i < ALL; i++) {
        up[i] = i < 7 ? i : i - 7; // chains to the numbers from 0 to 6
        from[i] = i * 29 % ALL;
    }
    memset(out, 0xff, ALL * sizeof *out);
    find_all_roots<<<12, PARENTS / 12>>>(up, from, out);
    CHECK(cudaDeviceSynchronize());
    right = true;
    for (int p = 0; p < PARENTS; p++) {
        int n = p % 5 == 0 ? 60 : p % 13 + 1;
        for (int i = 0; i < ROOM; i++) right &= out[p * ROOM + i] == (i < n ? from[p * ROOM + i] % 7 : -1);
    }
    expect("roots", right);

    int *total = managed<int>(1);
    squares<<<1, 48>>>(out, out + 500, total);
    CHECK(cudaDeviceSynchronize());
    int sum = 0;
    for (int t = 0; t < 48; t++) {
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k <= t + i; k++) sum += k * k;
        }
    }
    expect("squares", *total == sum);
}
