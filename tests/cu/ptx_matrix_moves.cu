// ldmatrix, stmatrix and movmatrix move the elements that they move on an H100: a hash for each
// form. With an argument the program prints the registers.
#include <cstdio>

typedef unsigned int u32;
typedef unsigned long long u64;

__global__ void moves(u32 *out)
{
    __shared__ __align__(16) unsigned short tile[32 * 8], to[32 * 8];
    const u32 lane = threadIdx.x;
    for (u32 i = lane; i < 256; i += 32) {
        tile[i] = (unsigned short)(i * 257);
        to[i] = 0;
    }
    __syncwarp();
    // The rows in another order.
    const u32 row = (u32)__cvta_generic_to_shared(&tile[(lane * 5 + 3) % 32 * 8]);
    const u32 target = (u32)__cvta_generic_to_shared(&to[(lane * 7 + 1) % 32 * 8]);
    u32 d[4] = {};
#define FORM(...)                                                                                  \
    d[0] = d[1] = d[2] = d[3] = 0;                                                                 \
    __VA_ARGS__;                                                                                   \
    for (int i = 0; i < 4; i++) {                                                                  \
        out[i * 32 + lane] = d[i];                                                                 \
    }                                                                                              \
    out += 128;
    FORM(asm volatile(
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(row)))
    FORM(asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(d[0]),
                      "=r"(d[1]) : "r"(row)))
    FORM(asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(d[0]), "=r"(d[1]),
        "=r"(d[2]), "=r"(d[3]) : "r"(row)))
    FORM(asm volatile(
        "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(row)))
    FORM(asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(d[0]),
                      "=r"(d[1]) : "r"(row)))
    FORM(asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0, %1, %2, %3}, [%4];" : "=r"(d[0]),
        "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(row)))
    FORM(asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d[0]) : "r"(
        lane * 0x20001 + 0x10000)))
#define STORED                                                                                     \
    __syncwarp();                                                                                  \
    for (int i = 0; i < 4; i++) {                                                                  \
        d[i] = ((const u32 *)to)[i * 32 + lane];                                                   \
    }                                                                                              \
    __syncwarp();
    const u32 a = lane * 0x10003, b = a ^ 0x55550000, c = a + 0x3333, e = ~a;
    FORM(asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(target),
                      "r"(a) : "memory");
         STORED)
    FORM(
        asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(target),
                     "r"(b), "r"(c) : "memory");
        STORED)
    FORM(asm volatile(
             "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(target),
             "r"(a), "r"(b), "r"(c), "r"(e) : "memory");
         STORED)
    FORM(asm volatile(
             "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(target),
             "r"(e), "r"(c), "r"(b), "r"(a) : "memory");
         STORED)
}

static u32 results[11 * 128];

int main(int argc, char **argv)
{
#ifdef PROBE
    bool all = true;
#else
    bool all = argc > 1;
#endif
    u32 *out;
    cudaMalloc(&out, sizeof results);
    moves<<<1, 32>>>(out);
    printf("%s\n",
           cudaGetErrorName(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost)));
    for (int i = 0; i < 11; i++) {
        u64 hash = 14695981039346656037ull;
        for (int t = 0; t < 128; t++) {
            hash = (hash ^ results[i * 128 + t]) * 1099511628211ull;
        }
        printf("%d: %08x\n", i, (u32)(hash >> 32));
        for (int t = 0; all && t < 128; t++) {
            printf("%x%c", results[i * 128 + t], t % 32 == 31 ? '\n' : ' ');
        }
    }
}
