// cdpcc: --entry=block -O2
// block stderr: in kernel far, .*one of threads \(0,3,0\) to \(17,3,0\)
// entries: it tests their code
// Blocks whose rows are no multiple of a vector: each row is padded with lanes that are no threads.
#include <stdio.h>
#include <vector>
#define T (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
__device__ __noinline__ int unknown(int x)
{
    return x + threadIdx.x * 3 + threadIdx.y * 5 + threadIdx.z * 7;
}
/* The launch shows the shapes: one kernel for each. */
template <int X, int Y, int Z> __global__ void exchange(const int *in, int *out, int *seen)
{
    __shared__ int s[1024], h[16];
    int n = X * Y * Z, t = T, a[4] = {t, t + 1, t + 2, t + 3};
    if (t < 16) {
        h[t] = 0;
    }
    s[t] = in[blockIdx.x * n + t];
    __syncthreads();
    int v = s[(t + 1) % n] * 3 + s[n - 1 - t], mine = s[t];
    int odd = __syncthreads_count(v & 1);
    s[t] = v;
    atomicAdd(&h[v & 15], 1);
    a[in[t] & 3] += v;
    __syncthreads();
    if (t % 7 == 3) {
        out[blockIdx.x * n + t] = -odd;
        return;
    }
    int last = __syncthreads_or(t == n - 1);
    if (t % 5 == 1 && threadIdx.y + 1 < Y) {
        mine += s[t + X] + unknown(odd);
    }
    __syncthreads();
    s[t] += mine;
    seen[blockIdx.x] = n;
    __syncthreads();
    out[blockIdx.x * n + t] = s[t] + s[n - 1] + h[t & 15] + a[in[t] & 3] + last;
}
template <int X, int Y, int Z> static int check(const int *in, int *out, int *seen)
{
    int n = X * Y * Z, wrong = 0;
    exchange<X, Y, Z><<<3, dim3(X, Y, Z)>>>(in, out, seen);
    cudaDeviceSynchronize();
    for (int b = 0; b < 3; b++) {
        std::vector<int> s(in + b * n, in + b * n + n), v(n), mine(s), h(16);
        int odd = 0, last = (n - 1) % 7 != 3;
        for (int t = 0; t < n; t++) {
            v[t] = s[(t + 1) % n] * 3 + s[n - 1 - t];
            odd += v[t] & 1;
            h[v[t] & 15]++;
        }
        s = v;
        for (int t = 0; t < n; t++) {
            int x = t % X, y = t / X % Y, z = t / X / Y;
            if (t % 7 != 3 && t % 5 == 1 && y + 1 < Y) {
                mine[t] += v[t + X] + odd + x * 3 + y * 5 + z * 7;
            }
            s[t] += t % 7 == 3 ? 0 : mine[t];
        }
        for (int t = 0; t < n; t++) {
            int a = t + (in[t] & 3) + v[t];
            wrong += out[b * n + t] != (t % 7 == 3 ? -odd : s[t] + s[n - 1] + h[t & 15] + a + last);
        }
        wrong += seen[b] != n;
    }
    printf("%d x %d x %d: %d wrong, %s\n", X, Y, Z, wrong, cudaGetErrorName(cudaGetLastError()));
    return 0;
}
/* Padding lanes call nothing, launch nothing and read nothing. */
__global__ void child(int *sum, int x)
{
    atomicAdd(sum, x);
}
__global__ void launches(int *sum)
{
    if (threadIdx.y % 3 == 0) {
        child<<<1, 1, 0, cudaStreamFireAndForget>>>(sum, T);
    }
    printf(threadIdx.x == 17 && threadIdx.y == 2 ? "thread 53\n" : "");
}
__global__ void far(const int *in, int *out)
{
    out[T] = threadIdx.x == 17 && threadIdx.y == 3 ? in[1 << 30] : T;
}
/* A sum of bits in some lanes is a sum in all lanes. */
__global__ void sums(const unsigned *in, unsigned *out, unsigned by)
{
    unsigned t = threadIdx.x + by;
    if (t % 8 == 0) {
        out[t] = in[t + 4] * 2 + in[(t + 1) & 1023];
    }
}
/* All lanes of a row side by side would need more stack than there is. */
__global__ void large(int *out, int n)
{
    int a[600], sum = 0;
    for (int i = 0; i < 600; i++) {
        a[i] = T + i;
    }
    for (int i = 0; i < 50; i++) {
        int to = (T * 7 + i * n) % 600;
        a[to] += a[(to + i * 31) % 600];
        sum += a[to];
    }
    out[blockIdx.x * 1000 + T] = sum;
}
static int check_large(int *out, int n)
{
    int wrong = 0;
    large<<<4, dim3(250, 4)>>>(out, n);
    cudaDeviceSynchronize();
    for (int g = 0; g < 4000; g++) {
        int a[600], sum = 0, t = g % 1000;
        for (int i = 0; i < 600; i++) {
            a[i] = t + i;
        }
        for (int i = 0; i < 50; i++) {
            int to = (t * 7 + i * n) % 600;
            a[to] += a[(to + i * 31) % 600];
            sum += a[to];
        }
        wrong += out[g] != sum;
    }
    return wrong;
}
int main()
{
    int *in, *out, *seen;
    cudaMallocManaged(&in, 4096 * sizeof *in);
    cudaMallocManaged(&out, 4096 * sizeof *out);
    cudaMallocManaged(&seen, 16 * sizeof *seen);
    for (int i = 0; i < 4096; i++) {
        in[i] = i * 2654435761u >> 22;
    }
    check<20, 20, 1>(in, out, seen);
    check<18, 18, 1>(in, out, seen);
    check<12, 12, 1>(in, out, seen);
    check<10, 5, 3>(in, out, seen);
    check<5, 7, 1>(in, out, seen);
    check<7, 3, 2>(in, out, seen);
    check<33, 3, 1>(in, out, seen);
    check<9, 9, 2>(in, out, seen);
    check<3, 5, 1>(in, out, seen);
    check<1, 33, 1>(in, out, seen);
    check<17, 2, 2>(in, out, seen);
    check<30, 30, 1>(in, out, seen);
    check<24, 24, 1>(in, out, seen);
    printf("large: %d wrong\n", check_large(out, 17));
    seen[0] = 0;
    launches<<<1, dim3(18, 10)>>>(seen);
    cudaDeviceSynchronize();
    int sum = 0, wrong = 0;
    for (int t = 0; t < 180; t++) {
        sum += t / 18 % 3 == 0 ? t : 0;
    }
    printf("launches: %d\n", seen[0] - sum);
    for (unsigned by : {0u, 5u, 11u}) {
        for (int i = 0; i < 1024; i++) {
            out[i] = 0;
        }
        sums<<<1, 256>>>((unsigned *)in, (unsigned *)out, by);
        cudaDeviceSynchronize();
        for (int t = 0; t < 256 + (int)by; t++) {
            bool is_one = t >= (int)by && t % 8 == 0;
            wrong += out[t] != (is_one ? in[t + 4] * 2 + in[t + 1] : 0);
        }
    }
    printf("sums: %d wrong\n", wrong);
    far<<<1, dim3(18, 10)>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
