// cdpcc: --check=race
// Indices that are affine only if a test holds: where they wrap around within a vector, the checks
// get the address of each lane.
#include <cstdio>

enum { N = 64 };

__global__ void rotate(int *out, int by, int n)
{
    __shared__ int s[2 * N];
    int t = threadIdx.x;
    s[(t + by) % n] = t; /* some lanes write the start of s */
    s[N + t] = -t;       /* not what these lanes would write without the wrap */
    __syncthreads();
    out[t] = s[t] + s[N + t];
}

__global__ void quotients(int *out, int w)
{
    int t = threadIdx.x;
    out[t / w] = 7; /* several lanes, one value */
    out[N + t] = t;
}

int main()
{
    int *out, sum = 0;
    cudaMallocManaged(&out, 2 * N * sizeof *out);
    for (int by : {0, 1, 13, 63}) {
        rotate<<<1, N>>>(out, by, N);
        cudaDeviceSynchronize();
        sum += out[by];
    }
    for (int w : {1, 3, 16, 64}) {
        quotients<<<1, N>>>(out, w);
        cudaDeviceSynchronize();
        sum += out[(N - 1) / w] + out[N + w - 1];
    }
    printf("%d %s\n", sum, cudaGetErrorString(cudaGetLastError()));
    cudaFree(out);
}
