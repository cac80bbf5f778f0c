// cdpcc: --check=memory --entry=block
// optimized: an atomic function that is not inlined has no line of the user
// stderr: check_memory_in_block_entries.cu:28:22, in kernel kinds<0>, block .1,0,0., thread .36,0,0.
// stderr: check_memory_in_block_entries.cu:32:16, in kernel kinds<1>, block .0,0,0., thread .77,0,0.
// stderr: check_memory_in_block_entries.cu:36:31, in kernel kinds<2>, block .0,0,0., thread .5,0,0.
// stderr: check_memory_in_block_entries.cu:41:33, in kernel kinds<3>, block .0,0,0., thread .100,0,0.
// stderr: check_memory_in_block_entries.cu:47:46, in kernel kinds<4>, block .0,0,0., thread .17,0,0.
// stderr: check_memory_in_block_entries.cu:53:9, in kernel kinds<5>, block .0,0,0., thread .64,0,0.
// stderr: check_memory_in_block_entries.cu:57:32, in kernel kinds<6>, block .0,0,0., thread .3,0,0.
#include <cstdio>

enum { CONTIGUOUS, GATHER, UNIFORM, SHARED, LOCAL, ATOMIC, STRIDED, KINDS };

__device__ int unused;

/* Each kind has one thread whose access is outside: the lanes beside it are right. */
template <int Kind> __global__ void kinds(int *p, const int *index, int n)
{
    __shared__ int s[100];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 100) {
        s[t] = t;
    }
    __syncthreads();
    switch (Kind) {
    case CONTIGUOUS:
        if (i < n) {
            p[i + 1] = i; /* the last one is one too far */
        }
        break;
    case GATHER:
        p[i] = p[index[i]];
        break;
    case UNIFORM:
        if (t == 5) { /* the others do not come here */
            p[blockIdx.x + n] = 1;
        }
        break;
    case SHARED:
        if (t <= 100) {
            p[t] = t == 0 ? 0 : s[t];
        }
        break;
    case LOCAL: {
        int a[4] = {t, n, i, 1};
        for (int k = 0; k < 4; k++) {
            a[index[t] == -1000 ? 4 + k : k] += k;
        }
        p[i] = a[0] + a[3];
        break;
    }
    case ATOMIC:
        atomicAdd(&p[t == 64 ? n : 0], 1);
        break;
    case STRIDED:
        if (t < 4) {
            p[t * (n / 3 + 1)] = p[t];
        }
        break;
    }
}

template <int Kind> static void run(int bad)
{
    const int n = 293; /* of two blocks of 256 threads, some have nothing to do */
    int *p, *index;
    cudaMalloc(&p, n * sizeof *p);
    cudaMallocManaged(&index, 512 * sizeof *index);
    for (int i = 0; i < 512; i++) {
        index[i] = i == 77 ? bad : i % 100;
    }
    if (Kind == LOCAL) {
        index[17] = -1000;
    }
    int threads = Kind == CONTIGUOUS ? 256 : 128;
    kinds<Kind><<<Kind == CONTIGUOUS ? 2 : 1, threads>>>(p, index, n);
    printf("%d: %d\n", Kind, cudaDeviceSynchronize());
    cudaDeviceReset();
}

int main()
{
    run<CONTIGUOUS>(0);
    run<GATHER>(-3);
    run<UNIFORM>(0);
    run<SHARED>(0);
    run<LOCAL>(0);
    run<ATOMIC>(0);
    run<STRIDED>(0);
}
