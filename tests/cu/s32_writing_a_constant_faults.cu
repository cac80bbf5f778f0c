// cdpcc: -g
// stderr: illegal access to address 0x.*, which is 8 bytes into the 20 bytes of constant variab
// stderr: of constant variable 'table', which only the host may write, by cudaMemcpyToSymbol
// stderr: in kernel store, block \(0,0,0\), thread \(0,0,0\), at store \(s32_writing_.*cu:13:
// stderr: constant variable 'common<int>'
#include "hide.h"
#include "show.h"
__constant__ int table[5] = {1, 2, 3, 4, 5};
template <class T> __constant__ T common = 6;
__device__ int plain;
__global__ void store(int *where)
{
    *where = 9;
}
__global__ void parent(int what)
{
    store<<<1, 1>>>(what == 0 ? hide((int *)&table[2]) : hide((int *)&common<int>));
}
__global__ void show()
{
    printf("%d %d %d\n", table[2], common<int>, plain);
}
int main()
{
    for (int what = 0; what < 2; what++) {
        parent<<<1, 1>>>(what);
        SHOW(cudaDeviceSynchronize());
        MUST(cudaDeviceReset());
    }
    show<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
