#include "show.h"
struct Three {
    char c[3];
};
struct Mixed {
    char c;
    double d;
    short s;
};
struct alignas(16) Vector {
    float v[4];
};
enum class Small : short { A = 5 };
__global__ void child(char a, double b, short c, Three d, int e, Mixed f, bool g, Vector h,
                      const char *i, float4 j, long long k, Small l, float m, unsigned char n,
                      dim3 o) {
    printf("%d %g %d %d%d%d %d %d %g %d %d %g %g %s %g %g %lld %d %g %d %u%u%u\n", a, b, c, d.c[0],
           d.c[1], d.c[2], e, f.c, f.d, f.s, g, h.v[0], h.v[3], i, j.x, j.w, k, (int)l, m, n, o.x,
           o.y, o.z);
}
__global__ void parent() {
    child<<<1, 1>>>(1, 2.5, 3, Three{{4, 5, 6}}, 7, Mixed{8, 9.5, 10}, true, Vector{{11, 12, 13, 14}},
                    "text", make_float4(15, 16, 17, 18), 1ll << 40, Small::A, 19.25f, 200,
                    dim3(1, 2, 3));
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    char *text;
    MUST(cudaMallocManaged(&text, 8));
    snprintf(text, 8, "host");
    child<<<1, 1>>>(1, 2.5, 3, Three{{4, 5, 6}}, 7, Mixed{8, 9.5, 10}, true, Vector{{11, 12, 13, 14}},
                    text, make_float4(15, 16, 17, 18), 1ll << 40, Small::A, 19.25f, 200,
                    dim3(1, 2, 3));
    MUST(cudaDeviceSynchronize());
}
