// Pascal's triangle: one thread for each row, which launches a grid that computes the row.
//
//   triangle ROWS        ROWS: from 1 to 12
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

// Where a row is in memory.
struct Row {
    int number;
    int start;
    int length;
};

// One thread for each number of a row.
__global__ void compute(Row row, int *out)
{
    int value = 1;
    for (int i = 0; i < (int)threadIdx.x; i++) {
        value = value * (row.number - i) / (i + 1);
    }
    out[row.start + threadIdx.x] = value;
}

__global__ void triangle(int *out)
{
    int number = threadIdx.x;
    Row row = {number, number * (number + 1) / 2, number + 1};
    compute<<<1, row.length>>>(row, out);
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 6;
    if (rows < 1 || rows > 12) {
        printf("usage: triangle ROWS, from 1 to 12\n");
        return 2;
    }
    int count = rows * (rows + 1) / 2;
    std::vector<int> out(count);
    int *deviceOut;
    CHECK(cudaMalloc(&deviceOut, count * sizeof(int)));
    triangle<<<1, rows>>>(deviceOut);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), deviceOut, count * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceOut));
    for (int number = 0, i = 0; number < rows; number++) {
        for (int column = 0; column <= number; column++) {
            printf("%s%d", column > 0 ? " " : "", out[i++]);
        }
        printf("\n");
    }
    return 0;
}
