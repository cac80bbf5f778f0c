// Adds up N numbers by recursion: a grid halves its numbers, and launches a grid for each half.
//
//   tree_sum N
//
// The grids are a binary tree. The sum of node i is in sums[i]; its children are 2 * i + 1 and 2 * i + 2.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define FEW 4 // so many numbers are added without children

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void sum(const int *in, int n, int node, int *sums)
{
    if (n <= FEW) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += in[i];
        }
        sums[node] = total;
        return;
    }
    int left = 2 * node + 1, right = 2 * node + 2;
    sum<<<1, 1>>>(in, n / 2, left, sums);
    sum<<<1, 1>>>(in + n / 2, n - n / 2, right, sums);
    sums[node] = sums[left] + sums[right];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    if (n < 1 || n > 10000) {
        printf("usage: tree_sum N, from 1 to 10000\n");
        return 2;
    }
    int nodes = 1; // of a full tree whose leaves have at most FEW numbers
    while ((nodes + 1) / 2 * FEW < n) {
        nodes = 2 * nodes + 1;
    }
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) {
        in[i] = i + 1;
    }

    int *deviceIn, *sums, total;
    CHECK(cudaMalloc(&deviceIn, n * sizeof(int)));
    CHECK(cudaMalloc(&sums, nodes * sizeof(int)));
    CHECK(cudaMemcpy(deviceIn, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    sum<<<1, 1>>>(deviceIn, n, 0, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&total, sums, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceIn));
    CHECK(cudaFree(sums));
    printf("the sum of 1 to %d is %d\n", n, total);
    return 0;
}
