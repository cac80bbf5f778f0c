// with: units/shapes.cu
// The unit of the kernel launches it with one size only, and has entries for few other sizes.
#include "show.h"
__global__ void index(int *out);
void launch_all(int *out);
int wrong(const int *out, int width, int height)
{
    int count = 0;
    for (int i = 0; i < width * height; i++) {
        count += out[i] != i / width * 100 + i % width;
    }
    return count;
}
int main()
{
    const dim3 shapes[] = {dim3(10, 10), dim3(32, 8), dim3(7, 3), dim3(200), dim3(3, 5, 1)};
    int *out;
    MUST(cudaMallocManaged(&out, 256 * sizeof(int)));
    launch_all(out);
    MUST(cudaDeviceSynchronize());
    printf("16x16: %d wrong\n", wrong(out, 16, 16));
    for (dim3 shape : shapes) {
        index<<<1, shape>>>(out);
        MUST(cudaDeviceSynchronize());
        printf("%ux%u: %d wrong\n", shape.x, shape.y, wrong(out, (int)shape.x, (int)shape.y));
    }
}
