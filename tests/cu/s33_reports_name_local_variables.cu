// stderr: parameter 1 \('p'\) of kernel child points to local variable 'plain' of thread \(1,0,0\)
// stderr: local variable 'row' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which it
// stderr: parameter 1 \('l.next'\), 8 bytes into it, of kernel chain points to .* variable 'link'
// stderr: local variable 'inner' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'own' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'wide' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'given' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'typed' of thread \(1,0,0\) of block \(0,0,0\) of kernel typed<int>, which
// stderr: local variable 'deep' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'lost' of thread \(0,0,0\) of block \(0,0,0\) of kernel parent, which
#include "hide.h"
#include "show.h"

// A launch gets pointers to local variables in all ways: the report has their names, whatever the
// optimizer did, with debug information or without.
struct Link {
    long value;
    Link *next;
};
__device__ int *kept;

__global__ void child(int *p)
{
}
__global__ void chain(Link l)
{
}

__device__ __forceinline__ void hand_on(int *p)
{
    int inner = *p;
    child<<<1, 1>>>(hide(&inner));
}

__device__ __noinline__ void hand_on_own(int n)
{
    int own[3] = {n, n, n};
    child<<<1, 1>>>(hide(own + n));
}

__device__ __noinline__ void hand_on_wide(int n)
{
    alignas(64) int wide[32];
    wide[n] = 1;
    child<<<1, 1>>>(hide(&wide[n + 8]));
}

// The innermost of several variables with one name is in another frame than the one in question.
__device__ __noinline__ int hand_on_deep(int n, int *up)
{
    int deep = n;
    if (n == 0) {
        child<<<1, 1>>>(hide(up));
        return 1;
    }
    return hand_on_deep(n - 1, &deep) + *hide(&deep);
}

template <class T> __global__ void typed()
{
    T typed = 0;
    if (threadIdx.x == 1) {
        child<<<1, 1>>>(hide(&typed));
    }
}

__global__ void parent(int what, Link given)
{
    int plain = what, row[8] = {}, lost = 0;
    if (threadIdx.x == 0) {
        kept = &lost;
    }
    __syncthreads();
    if (threadIdx.x == 1) {
        switch (what) {
        case 0:
            child<<<1, 1>>>(hide(&plain));
            break;
        case 1:
            child<<<1, 1>>>(hide(row) + what + 2);
            break;
        case 2: {
            Link link = {what, nullptr};
            chain<<<1, 1>>>(Link{1, hide(&link)});
            break;
        }
        case 3:
            hand_on(&what);
            break;
        case 4:
            hand_on_own(what - 3);
            break;
        case 5:
            hand_on_wide(what);
            break;
        case 6:
            child<<<1, 1>>>((int *)hide(&given.next));
            break;
        case 7:
            hand_on_deep(3, &plain);
            break;
        case 8:
            child<<<1, 1>>>(kept);
            break;
        }
    }
    __syncthreads();
}

int main()
{
    for (int what = 0; what <= 8; what++) {
        parent<<<1, 2>>>(what, Link{1, nullptr});
        SHOW(cudaDeviceSynchronize());
        MUST(cudaDeviceReset());
    }
    typed<int><<<1, 2>>>();
    SHOW(cudaDeviceSynchronize());
}
