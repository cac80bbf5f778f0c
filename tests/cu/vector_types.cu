#include "show.h"
__global__ void kernel(float4 a, int3 b, double2 *out, uchar4 c) {
    float3 d = make_float3(a.x, a.y, a.z);
    out[threadIdx.x] = make_double2(d.x + d.y + d.z + a.w, b.x * b.y * b.z);
    if (threadIdx.x == 0) {
        printf("%d %d %d %d %d %d\n", (int)sizeof(float3), (int)sizeof(float4), (int)alignof(float4),
               (int)sizeof(uchar4), (int)alignof(double2), c.x + c.y + c.z + c.w);
    }
}
int main() {
    double2 *out;
    MUST(cudaMallocManaged(&out, 2 * sizeof(double2)));
    kernel<<<1, 2>>>(make_float4(1, 2, 3, 4), make_int3(2, 3, 5), out, make_uchar4(255, 1, 2, 3));
    MUST(cudaDeviceSynchronize());
    printf("%g %g\n", out[1].x, out[1].y);
}
