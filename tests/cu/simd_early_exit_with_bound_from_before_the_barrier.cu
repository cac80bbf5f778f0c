// A condition lives across a barrier, and the bound that it compares with does not.
#include <cstdio>

__global__ void sum(const int *in, int *out, int all, int parts)
{
    __shared__ int s[256];
    int count = all / parts;
    int total = 0;
    if (threadIdx.x < count) {
        s[threadIdx.x] = in[threadIdx.x];
    }
    __syncthreads();
    if (threadIdx.x < count) {
        for (int i = 0; i < 20; i++) {
            total += s[i] * i;
        }
        out[threadIdx.x] = total + s[threadIdx.x];
    }
}

int main()
{
    int *data;
    int wrong = 0;
    cudaMallocManaged(&data, 512 * sizeof *data);
    for (int count : {1, 20, 33, 100, 256}) {
        for (int i = 0; i < 256; i++) {
            data[i] = 3 * i + 1;
            data[256 + i] = -1;
        }
        sum<<<1, 256>>>(data, data + 256, 2 * count, 2);
        cudaDeviceSynchronize();
        int expected = 0;
        for (int i = 0; i < 20 && count >= 20; i++) {
            expected += data[i] * i;
        }
        for (int i = 0; i < 256; i++) {
            int value = i < count ? expected + data[i] : -1;
            wrong += count >= 20 && data[256 + i] != value;
            wrong += count < 20 && i >= count && data[256 + i] != -1;
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
