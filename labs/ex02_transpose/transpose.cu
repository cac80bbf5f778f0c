// Transposes a matrix: its rows become columns.
//
//   transpose WIDTH HEIGHT
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SIDE 16

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

// in has height rows of width numbers; out has width rows of height numbers.
__global__ void transpose(const int *in, int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        out[x * width + y] = in[y * width + x];
    }
}

static void print(const char *name, const std::vector<int> &matrix, int width, int height)
{
    printf("%s, %d rows of %d numbers; the corners are %d %d %d %d\n", name, height, width, matrix[0],
           matrix[width - 1], matrix[(height - 1) * width], matrix[height * width - 1]);
}

int main(int argc, char **argv)
{
    int width = argc > 2 ? atoi(argv[1]) : 48;
    int height = argc > 2 ? atoi(argv[2]) : 20;
    if (width < 1 || height < 1) {
        printf("usage: transpose WIDTH HEIGHT, at least 1\n");
        return 2;
    }
    size_t bytes = width * height * sizeof(int);
    std::vector<int> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++) {
        in[i] = i;
    }

    int *deviceIn, *deviceOut;
    CHECK(cudaMalloc(&deviceIn, bytes));
    CHECK(cudaMalloc(&deviceOut, bytes));
    CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));

    dim3 block(SIDE, SIDE);
    dim3 grid((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
    transpose<<<grid, block>>>(deviceIn, deviceOut, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceIn));
    CHECK(cudaFree(deviceOut));

    print("in", in, width, height);
    print("out", out, height, width);
    long long sum = 0;
    for (int i = 0; i < width * height; i++) {
        sum += (long long)i * out[i];
    }
    printf("checksum of out: %lld\n", sum);
    return 0;
}
