// Both guides: recursion with shared memory of the size that each launch requests.
//
// As printed (-DAS_PRINTED) each level starts 256 threads for half as many numbers as the level
// before, so from the second level on threads overrun the shared memory and the halves. The text
// does not define permute_data: here even places come first, odd ones after them. It has no main
// either.
#include <stdio.h>

__device__ void permute_data(int *smem, int n)
{
    int i = threadIdx.x, mine = smem[i];
    __syncthreads();
    smem[i % 2 == 0 ? i / 2 : n / 2 + i / 2] = mine;
}

__global__ void permute(int n, int *data)
{
    extern __shared__ int smem[];
    if (n <= 1)
        return;

    smem[threadIdx.x] = data[threadIdx.x];
    __syncthreads();

    permute_data(smem, n);
    __syncthreads();

    // Shared memory cannot be passed to children.
    data[threadIdx.x] = smem[threadIdx.x];
    __syncthreads();

    if (threadIdx.x == 0) {
#ifdef AS_PRINTED
        permute<<<1, 256, n / 2 * sizeof(int)>>>(n / 2, data);
        permute<<<1, 256, n / 2 * sizeof(int)>>>(n / 2, data + n / 2);
#else
        permute<<<1, n / 2, n / 2 * sizeof(int)>>>(n / 2, data); // mended: n/2 threads
        permute<<<1, n / 2, n / 2 * sizeof(int)>>>(n / 2, data + n / 2); // mended: the same
#endif
    }
}

void host_launch(int *data)
{
    permute<<<1, 256, 256 * sizeof(int)>>>(256, data);
}

// All levels together reverse the eight bits of a number's place.
static int reversed(int place)
{
    int result = 0;
    for (int bit = 0; bit < 8; bit++) {
        result |= ((place >> bit) & 1) << (7 - bit);
    }
    return result;
}

int main()
{
    int *data, right = 0;
    cudaMallocManaged(&data, 256 * sizeof(int));
    for (int i = 0; i < 256; i++) {
        data[i] = i;
    }
    host_launch(data);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) {
        right += data[i] == reversed(i);
    }
    printf("%d of 256 right (%s)\n", right, cudaGetErrorString(error));
}
