// sured.b changes elements of a surface atomically. x counts bytes.
#include "show.h"

#define REDUCE(OPCODE, X, ...) asm volatile("sured.b." OPCODE " [%0, {%1, %2}], %3;" ::"l"(s), "r"(X), "r"(1), __VA_ARGS__)

__global__ void reduce(cudaSurfaceObject_t s)
{
    const int i = (int)threadIdx.x - 40; // -40 to 55
    REDUCE("add.2d.u32.trap", 0, "r"(i));
    REDUCE("min.2d.u32.trap", 4, "r"(i));
    REDUCE("min.2d.s32.trap", 8, "r"(i));
    REDUCE("max.2d.u32.clamp", 12, "r"(i));
    REDUCE("max.2d.s32.zero", 16, "r"(i));
    REDUCE("and.2d.b32.trap", 20, "r"(i | 8));
    REDUCE("or.2d.b32.trap", 24, "r"(i & 0x70));
    REDUCE("add.2d.s32.zero", -4, "r"(1)); // outside
    REDUCE("add.2d.s32.clamp", 64, "r"(2)); // the last element
    REDUCE("add.2d.u64.trap", 32, "l"(i * 0x100000000ll));
    REDUCE("min.2d.s64.trap", 40, "l"(i * 0x100000000ll));
    REDUCE("max.2d.u64.trap", 48, "l"(i * 0x100000000ll));
}

int main()
{
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    cudaArray_t &array = resource.res.array.array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
    MUST(cudaMallocArray(&array, &format, 16, 2, cudaArraySurfaceLoadStore));
    unsigned elements[2][16];
    for (auto &row : elements) {
        for (int i = 0; i < 16; i++) row[i] = i == 5 ? 0xffff : 100;
    }
    MUST(cudaMemcpy2DToArray(array, 0, 0, elements, 64, 64, 2, cudaMemcpyHostToDevice));
    cudaSurfaceObject_t surface;
    MUST(cudaCreateSurfaceObject(&surface, &resource));
    reduce<<<1, 96>>>(surface);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMemcpy2DFromArray(elements, 64, array, 0, 0, 64, 2, cudaMemcpyDeviceToHost));
    for (auto &row : elements) {
        for (unsigned element : row) printf("%x ", element);
        puts("");
    }
    return 0;
}
