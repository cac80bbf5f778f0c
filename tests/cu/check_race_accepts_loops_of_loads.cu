// cdpcc: --check=race
// Loads of loops are recorded by one call before the loop, for exactly the addresses that are read:
// just beyond them others write. Loops that synchronize are recorded access by access.
#include <cstdio>

enum { N = 64 };

__global__ void between(int *a, int *out, int n) /* reads every third word, and writes the others */
{
    int sum = 0, t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        sum += a[3 * k];
    }
    for (int k = n; k >= 2; k -= 2) {
        sum += a[3 * k];
    }
    out[t] = sum;
    if (t == 0) a[3 * n + 1] = 1;
    if (t == 33) a[3 * n - 1] = 2;
}

__global__ void limits(int *a, int *out, int n)
{
    int sum = 0, t = threadIdx.x, k = 0;
    do {
        sum += a[k * N + t];
        k += 4;
    } while (k < n);
    a[k * N + (t + 1) % N] = sum; /* the row after the last one that is read */
    out[t] = sum;
}

__global__ void once(int *a, int *out, int n) /* the condition is false at its first test */
{
    int sum = 0, t = threadIdx.x;
    unsigned k = 10;
    do {
        sum += a[k * N + t];
        k++;
    } while ((int)k < n);
    a[11 * N + (t + 1) % N] = 1;
    out[t] = sum;
}

__global__ void turns(int *a, int *out, int n) /* each turn reads what the one before wrote */
{
    int sum = 0, t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        sum += a[k * N + t];
        __syncthreads();
        a[(k + 1) * N + (t + 1) % N] = sum;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void own(int *a, int n) /* a thread reads and writes words of its own */
{
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        a[k * N + t] = a[k * N + t] + 1;
    }
    for (int k = 0; k < n; k++) {
        a[k * N + t] += a[(n - 1 - k) * N + t];
    }
}

__global__ void ring(int *a, int *out, unsigned n) /* an index that wraps around on purpose */
{
    int sum = 0, t = threadIdx.x;
    unsigned char k = 250;
    for (unsigned i = 0; i < n; i++, k++) {
        sum += a[k];
    }
    a[256 + t] = sum;
    out[t] = sum;
}

int main()
{
    int *a, *out;
    cudaMallocManaged(&a, 64 * N * sizeof *a);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < 64 * N; i++) {
        a[i] = i % 17;
    }
    between<<<1, N>>>(a, out, 40);
    cudaDeviceSynchronize();
    limits<<<1, N>>>(a, out, 10);
    cudaDeviceSynchronize();
    once<<<1, N>>>(a, out, 3);
    cudaDeviceSynchronize();
    turns<<<1, N>>>(a, out, 9);
    cudaDeviceSynchronize();
    own<<<1, N>>>(a, 13);
    cudaDeviceSynchronize();
    ring<<<1, N>>>(a, out, 20);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(a);
    cudaFree(out);
}
