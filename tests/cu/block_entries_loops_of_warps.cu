// cdpcc: --entry=block -march=native
// entries: it tests their code
// Loops and branches whose condition differs between warps, not within them: each warp goes over rows
// of its own. Fields of structures are at the lane's number times the fields.
#include "show.h"

enum { MOST = 256, ROWS = 40, WIDTH = 128 };

struct Sums {
    int all, odd, last, turns;
};

// What a lane of a warp computes; the exchange between lanes comes after it.
__host__ __device__ static Sums rows_of(const int *in, const int *starts, int thread, int warps, int n)
{
    Sums sums = {0, 0, -1, 0};
    int warp = thread / 32, lane = thread % 32;
    if (warp < n) {
        sums.all = in[warp] + 1;
        for (int row = warp; row < n; row += warps) {
            const int *fields = in + starts[row] * WIDTH + lane * 4;
            int product = fields[0] * 3 + fields[1] * fields[2] - fields[3];
            if (lane % 2 == 1) {
                sums.odd += product;
            }
            if (row % 3 == 0) { // the same for a warp
                sums.all ^= product * row;
                continue;
            }
            sums.all += product;
            sums.last = row;
            sums.turns++;
        }
    } else {
        sums.last = -warp;
    }
    return sums;
}

__global__ void rows(const int *in, const int *starts, int n, Sums *out, int *odd)
{
    __shared__ int part[MOST / 32];
    int thread = threadIdx.x, warps = (blockDim.x + 31) / 32;
    Sums sums = rows_of(in, starts, thread, warps, n);
    int left = blockDim.x - thread / 32 * 32;
    unsigned mask = left >= 32 ? ~0u : (1u << left) - 1;
    int other = __shfl_xor_sync(mask, sums.all, 1);
    sums.all += (thread ^ 1) < blockDim.x ? other : 0;
    if (thread % 32 == 0) {
        part[thread / 32] = sums.turns;
    }
    __syncthreads();
    int base = blockIdx.x * blockDim.x;
    for (int w = thread / 32; w < warps; w += 2) { // some warps have no turn
        sums.turns += part[w] * (w + 1);
        odd[base + thread] = sums.odd + w;
    }
    out[base + thread] = sums;
}

// A loop under a branch that lanes of a warp take differently; the branch's lanes leave it together.
__global__ void under_branch(const int *in, const int *ends, int *out)
{
    int thread = threadIdx.x, warp = thread / 32, sum = 0;
    if (in[thread] % 3 != 0) {
        for (int i = warp; i < ends[warp]; i++) {
            sum += in[i * 32 + thread % 32];
        }
    }
    sum += __any_sync(__activemask(), sum > 1000) ? 1 : 0;
    out[thread] = sum;
}

static unsigned sum_of(const int *numbers, int count)
{
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        sum = sum * 31 + (unsigned)numbers[i];
    }
    return sum;
}

static bool check(int threads, int n, const int *in, const int *starts, const Sums *out, const int *odd)
{
    int warps = (threads + 31) / 32, turns[MOST / 32];
    for (int w = 0; w < warps; w++) {
        turns[w] = rows_of(in, starts, w * 32, warps, n).turns;
    }
    for (int t = 0; t < threads; t++) {
        Sums own = rows_of(in, starts, t, warps, n);
        int all = own.all + ((t ^ 1) < threads ? rows_of(in, starts, t ^ 1, warps, n).all : 0);
        int last_odd = -1;
        for (int w = t / 32; w < warps; w += 2) {
            own.turns += turns[w] * (w + 1);
            last_odd = own.odd + w;
        }
        if (all != out[t].all || own.odd != out[t].odd || own.last != out[t].last ||
            own.turns != out[t].turns || last_odd != odd[t]) {
            std::printf("thread %d of %d, %d rows\n", t, threads, n);
            return false;
        }
    }
    return true;
}

int main()
{
    int *in, *starts, *odd, *ends;
    Sums *out;
    cudaMallocManaged(&in, (ROWS * WIDTH + MOST) * sizeof *in);
    cudaMallocManaged(&starts, ROWS * sizeof *starts);
    cudaMallocManaged(&ends, MOST * sizeof *ends);
    cudaMallocManaged(&odd, MOST * sizeof *odd);
    cudaMallocManaged(&out, MOST * sizeof *out);
    for (int i = 0; i < ROWS * WIDTH + MOST; i++) {
        in[i] = i * 7919 % 1009 - 300;
    }
    for (int i = 0; i < ROWS; i++) {
        starts[i] = i * 17 % ROWS;
    }
    bool good = true;
    for (int n : {0, 1, 3, 4, 5, 39, 40}) {
        rows<<<1, 128>>>(in, starts, n, out, odd);
        cudaDeviceSynchronize();
        good = good && check(128, n, in, starts, out, odd);
        for (int threads : {1, 31, 32, 33, 64, 80, 96, 255, 256}) {
            rows<<<1, threads>>>(in, starts, n, out, odd);
            cudaDeviceSynchronize();
            good = good && check(threads, n, in, starts, out, odd);
        }
    }
    std::printf("rows: %s\n", good ? "right" : "wrong");
    for (int w = 0; w < MOST / 32; w++) {
        ends[w] = w * 5 % 7;
    }
    for (int threads : {96, 77}) {
        under_branch<<<1, threads>>>(in, ends, odd);
        cudaDeviceSynchronize();
        std::printf("under a branch: %u\n", sum_of(odd, threads));
    }
}
