// cdpcc: --check=space
// stderr: read of 4 bytes of local variable 'mine' of thread \(1,0,0\) of the parent, block
// stderr: local variable 'row' of thread \(1,0,0\) of the parent, block \(0,0,0\) of kernel parent
// stderr: local variable 'own' of thread \(1,0,0\) of the parent, block \(0,0,0\) of kernel parent
// stderr: local variable 'given' of thread \(1,0,0\) of the parent, block \(0,0,0\) of kernel
// stderr: read of 4 bytes of shared variable 'tile' of the parent, block \(0,0,0\) of kernel parent
// stderr: of shared variable 'filewide' of the parent, block \(0,0,0\) of kernel parent
// stderr: of shared variable 'inside' of the parent, block \(0,0,0\) of kernel parent
// stderr: of dynamic shared memory of the parent, block \(0,0,0\) of kernel parent
// stderr: in kernel child, block \(1,0,0\), thread \(2,0,0\), at child \(.*names_variables.cu:25:
#include <cstdio>

// Memory of the parent that the child gets through a variable: the report has its name.
struct Pair {
    int a, b;
};
__device__ int *place;
__device__ int sink;
__shared__ int filewide[4];
extern __shared__ int dynamic[];

__global__ void child()
{
    if (blockIdx.x == 1 && threadIdx.x == 2) {
        sink = *place;
    }
}

__device__ void launch(int *p)
{
    place = p;
    child<<<2, 3>>>();
    cudaDeviceSynchronize();
}

__device__ __noinline__ int from_within(int n)
{
    int own[2] = {n, n};
    launch(own + 1);
    return own[0] + own[1];
}

// Kernels of other units may call it: its variables are after all kernels' own variables.
__device__ __noinline__ int *for_everybody()
{
    __shared__ int inside[2];
    inside[1] = 0;
    return &inside[1];
}

__global__ void parent(int what, Pair given)
{
    __shared__ int tile[4];
    int mine = what, row[8] = {};
    tile[what & 3] = filewide[what & 3] = 0;
    if (threadIdx.x == 1) {
        switch (what) {
        case 0:
            launch(&mine);
            break;
        case 1:
            launch(&row[what + 3]);
            break;
        case 2:
            sink = from_within(what);
            break;
        case 3:
            launch(&given.b);
            break;
        case 4:
            launch(&tile[1]);
            break;
        case 5:
            launch(filewide + 3);
            break;
        case 6:
            launch(for_everybody());
            break;
        case 7:
            launch(dynamic);
            break;
        }
    }
    sink = mine + row[what];
}

int main()
{
    for (int what = 0; what < 8; what++) {
        parent<<<1, 2, 16>>>(what, Pair{1, 2});
        printf("%d: %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
        cudaDeviceReset();
    }
}
