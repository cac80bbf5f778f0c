// A __grid_constant__ parameter is one object for all threads of the grid, with the right value for
// any type and place; other parameters are each thread's own.
#include "show.h"
struct Numbers {
    int at[20];
};
struct Pair {
    float x, y;
};
struct Counted {
    int copies;
    __host__ __device__ Counted() : copies(0)
    {
    }
    __host__ __device__ Counted(const Counted &other) : copies(other.copies)
    {
    }
    __host__ __device__ ~Counted()
    {
    }
};
__device__ const void *seen[5];
__device__ int elsewhere;
template <class T> __device__ void look(int which, const T *parameter)
{
    if (atomicCAS((unsigned long long *)&seen[which], 0ull, (unsigned long long)parameter) != 0 &&
        seen[which] != parameter) {
        atomicAdd(&elsewhere, 1);
    }
}
__global__ void child(const __grid_constant__ char c, Numbers own,
                      const __grid_constant__ Numbers n, const __grid_constant__ double d,
                      const __grid_constant__ Pair p, const __grid_constant__ Counted counted,
                      const __grid_constant__ bool b)
{
    look(0, &c), look(1, &n), look(2, &d), look(3, &p), look(4, &counted);
    unsigned constant = __isGridConstant(&c) + __isGridConstant(&n.at[threadIdx.x]) +
                        __isGridConstant(&d) + __isGridConstant(&p.y) + __isGridConstant(&counted) +
                        __isGridConstant(&b);
    own.at[0] = threadIdx.x; // a copy: no other thread sees it
    const int *volatile first = own.at;
    unsigned local = __isLocal(first) + 2 * __isGridConstant(first);
    __syncthreads();
    if (threadIdx.x == 7) {
        printf("%u %u: %d %d %d %g %g %d %d\n", constant, local, c, *first, n.at[threadIdx.x], d,
               p.x + p.y, counted.copies, b);
    }
}
__global__ void parent()
{
    Numbers n;
    for (int i = 0; i < 20; i++) {
        n.at[i] = 10 * i;
    }
    child<<<1, 8>>>(3, n, n, 2.5, Pair{1, 2}, Counted(), true);
    cudaDeviceSynchronize();
    printf("%d elsewhere\n", elsewhere);
    for (const void *&place : seen) {
        place = nullptr;
    }
}
int main()
{
    parent<<<1, 1>>>();
    Numbers n = {};
    n.at[7] = 77;
    child<<<1, 8>>>(4, n, n, 3.5, Pair{2, 3}, Counted(), false);
    SHOW(cudaDeviceSynchronize());
    int count;
    MUST(cudaMemcpyFromSymbol(&count, elsewhere, sizeof count));
    printf("%d elsewhere\n", count);
}
