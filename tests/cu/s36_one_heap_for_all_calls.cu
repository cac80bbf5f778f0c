// malloc, new and cudaMalloc allocate from one heap: memory of one of them is not available to the
// others, and any of cudaFree, free and delete frees it.
#include "show.h"
// Eight pieces fill the heap, with or without AddressSanitizer's gaps between them.
enum { PIECE = (1 << 20) - 4096 };
struct Box {
    char cells[PIECE - 4096];
    __device__ Box()
    {
        cells[0] = 1; // not if there is none
    }
};
__device__ Box *kept; // an unused allocation might be removed
__device__ bool take()
{
    return (kept = new Box) != nullptr;
}
__global__ void kernel()
{
    void *pieces[64];
    int count = 0;
    while (count < 64 && (pieces[count] = malloc(PIECE)) != nullptr) {
        count++;
    }
    for (size_t rest = 1 << 19; rest >= 1 << 12; rest /= 2) {
        while (malloc(rest) != nullptr) {
        }
    }
    void *p = (void *)1;
    printf("by malloc all of it: %d\n", count >= 6 && count <= 8);
    SHOW(cudaMalloc(&p, 1 << 20));
    SHOW(cudaGetLastError());
    printf("%d %d\n", p == nullptr, take());
    SHOW(cudaFree(pieces[--count]));
    SHOW(cudaMalloc(&p, 1000000)); // aligned to 256, which a whole piece might not be
    printf("%d\n", take());
    free(p);
    printf("%d %d\n", take(), malloc(1 << 20) == nullptr);
    delete kept;
    SHOW(cudaMalloc(&p, 1000000));
    free(p);
    while (count > 0) {
        free(pieces[--count]);
    }
    kept = (Box *)new long long[1ll << 40];
    printf("%d\n", kept == nullptr);
}
int main()
{
    kernel<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
