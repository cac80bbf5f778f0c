// cdpcc: --check=race
// races: they are planted
// stderr: check_race_loops_of_loads.cu:24:[0-9]+, (the read, )?in kernel row
// stderr: check_race_loops_of_loads.cu:27:[0-9]+, (the write, )?in kernel row
// stderr: check_race_loops_of_loads.cu:34:[0-9]+, (the read, )?in kernel column
// stderr: check_race_loops_of_loads.cu:36:[0-9]+, (the write, )?in kernel column
// stderr: check_race_loops_of_loads.cu:45:[0-9]+, (the read, )?in kernel down
// stderr: check_race_loops_of_loads.cu:47:[0-9]+, (the write, )?in kernel down
// stderr: check_race_loops_of_loads.cu:55:[0-9]+, (the read, )?in kernel own_bounds
// stderr: check_race_loops_of_loads.cu:57:[0-9]+, (the write, )?in kernel own_bounds
// stderr: check_race_loops_of_loads.cu:66:[0-9]+, (the read, )?in kernel pointers
// stderr: check_race_loops_of_loads.cu:68:[0-9]+, (the write, )?in kernel pointers
// stderr: ^cdp: 5 findings$
// Loads of loops are recorded by one call before the loop. In each kernel the last iteration alone
// reads what another thread writes.
#include <cstdio>

enum { N = 64 };

__global__ void row(int *a, int *out, int n) /* one address for all threads */
{
    int sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[k];
    }
    out[threadIdx.x] = sum;
    if (threadIdx.x == 5) a[n - 1] = 7;
}

__global__ void column(int *a, int *out, int n) /* consecutive threads, consecutive words */
{
    int sum = 0, t = threadIdx.x;
    for (int k = 0; k < 8; k++) {
        sum += a[k * n + t];
    }
    if (t == 40) a[7 * n + 3] = 7;
    out[t] = sum;
}

__global__ void down(int *a, int *out, int n)
{
    int sum = 0, t = threadIdx.x;
    /* The last address that is read is a + t. */
    for (int k = n; k > 0; k -= 3) {
        sum += a[(k - 1) * N + t];
    }
    if (t == 9) a[63] = 7;
    out[t] = sum;
}

__global__ void own_bounds(const int *first, int *a, int *out) /* other counts for each thread */
{
    int sum = 0, t = threadIdx.x;
    for (int k = first[t]; k < first[t + 1]; k++) {
        sum += a[2 * k];
    }
    if (t == 0) a[2 * (first[N] - 1)] = 7;
    out[t] = sum;
}

__global__ void pointers(int *a, int *out, int n)
{
    int sum = 0;
    const int *end = a + n;
    for (const int *p = a; p != end; p += 4) {
        sum += *p;
    }
    if (threadIdx.x == 1) a[n - 4] = 7;
    out[threadIdx.x] = sum;
}

int main()
{
    int *a, *out, *first;
    cudaMallocManaged(&a, 64 * N * sizeof *a);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&first, (N + 1) * sizeof *first);
    for (int i = 0; i <= N; i++) {
        first[i] = i * i / 4;
    }
    row<<<1, N>>>(a, out, 50);
    cudaDeviceSynchronize();
    column<<<1, N>>>(a, out, 71);
    cudaDeviceSynchronize();
    down<<<1, N>>>(a, out, 13);
    cudaDeviceSynchronize();
    own_bounds<<<1, N>>>(first, a, out);
    cudaDeviceSynchronize();
    pointers<<<1, N>>>(a, out, 64);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(out);
    cudaFree(first);
}
