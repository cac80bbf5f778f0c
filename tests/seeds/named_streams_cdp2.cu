// Second guide: the order of the fire-and-forget stream and the tail launch stream. The five
// sketches, with their gaps filled: each kernel takes the next number at its end, and main prints
// whether the orders that the text promises were kept.
// cdpcc: -arch=sm_90
#include <stdio.h>

__device__ int last_number;
__device__ void end_of(int *number)
{
    __nanosleep(20000); // long enough to be late if nothing waits
    *number = 1 + atomicAdd(&last_number, 1);
}

__global__ void C(int *number)
{
    end_of(number);
}
__global__ void C1(int *number)
{
    end_of(number);
}
__global__ void C2(int *number)
{
    end_of(number);
}
__global__ void X(int *number)
{
    end_of(number);
}
__global__ void F(int *number)
{
    end_of(number);
}

namespace fire_and_forget
{
__global__ void P(int *n)
{
    C1<<<1, 1, 0, cudaStreamFireAndForget>>>(&n[0]);
    C2<<<1, 1, 0, cudaStreamFireAndForget>>>(&n[1]);
}
} // namespace fire_and_forget

namespace tails_in_order
{
__global__ void P(int *n)
{
    C1<<<1, 1, 0, cudaStreamTailLaunch>>>(&n[0]);
    C2<<<1, 1, 0, cudaStreamTailLaunch>>>(&n[1]);
}
} // namespace tails_in_order

namespace tail_after_all
{
__global__ void P(int *n)
{
    C<<<1, 1, 0, cudaStreamTailLaunch>>>(&n[0]);
    X<<<1, 1, 0, cudaStreamPerThread>>>(&n[1]);
    F<<<1, 1, 0, cudaStreamFireAndForget>>>(&n[2]);
    end_of(&n[3]);
}
} // namespace tail_after_all

namespace tail_before_next
{
__global__ void P1(int *n)
{
    C<<<1, 1, 0, cudaStreamTailLaunch>>>(&n[0]);
}

__global__ void P2(int *n)
{
    end_of(&n[1]);
}
} // namespace tail_before_next

namespace concurrent_tails
{
__global__ void T(int *n)
{
    C1<<<1, 1, 0, cudaStreamFireAndForget>>>(&n[0]);
    C2<<<1, 1, 0, cudaStreamFireAndForget>>>(&n[1]);
}

__global__ void P(int *n)
{
    T<<<1, 1, 0, cudaStreamTailLaunch>>>(n);
    end_of(&n[2]);
}
} // namespace concurrent_tails

// Whether all kernels ran, and in the promised order.
static void tell(const char *what, int *n, int kernels, bool kept)
{
    for (int i = 0; i < kernels; i++) {
        kept = kept && n[i] != 0;
        n[i] = 0;
    }
    printf("%s: %s\n", what, kept ? "kept" : "broken");
}

int main()
{
    int *n;
    cudaMallocManaged(&n, 4 * sizeof(int));
    cudaMemset(n, 0, 4 * sizeof(int));

    fire_and_forget::P<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    tell("both run", n, 2, true);

    tails_in_order::P<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    tell("C2 after C1", n, 2, n[0] < n[1]);

    tail_after_all::P<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    tell("C after X, F and P", n, 4, n[1] < n[0] && n[2] < n[0] && n[3] < n[0]);

    tail_before_next::P1<<<1, 1>>>(n);
    tail_before_next::P2<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    tell("P2 after C", n, 2, n[0] < n[1]);

    concurrent_tails::P<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    tell("C1 and C2 after P", n, 3, n[2] < n[0] && n[2] < n[1]);
}
