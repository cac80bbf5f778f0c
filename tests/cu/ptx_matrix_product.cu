// A product of matrices as libraries write it: cp.async, ldmatrix and mma.sync, with small
// integers, so that the result is exact.
#include <cstdio>
#include <cuda_fp16.h>
constexpr int N = 64;
__global__ void gemm(const half *A, const half *B, float *C)
{ // B: column-major (n x k)
    __shared__ __align__(16) half a[16][32], b[32][32];
    int t = threadIdx.x, w = t / 32, lane = t % 32, row0 = blockIdx.y * 16, col0 = blockIdx.x * 32;
    float c[4] = {};
    for (int k0 = 0; k0 < N; k0 += 32) {
        if (t < 64) {
            int r = t / 4, q = t % 4 * 8;
            unsigned d = (unsigned)__cvta_generic_to_shared(&a[r][q]);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(d),
                         "l"(A + (row0 + r) * N + k0 + q));
        }
        {
            int r = t / 4, q = t % 4 * 8;
            unsigned d = (unsigned)__cvta_generic_to_shared(&b[r][q]);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(d),
                         "l"(B + (col0 + r) * N + k0 + q));
        }
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        for (int kk = 0; kk < 32; kk += 16) {
            unsigned fa[4], fb[2];
            unsigned pa = (unsigned)__cvta_generic_to_shared(&a[lane % 16][kk + lane / 16 * 8]);
            unsigned pb =
                (unsigned)__cvta_generic_to_shared(&b[w * 8 + lane % 8][kk + lane / 8 % 2 * 8]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                         : "r"(pa));
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                         : "=r"(fb[0]), "=r"(fb[1])
                         : "r"(pb));
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                         "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                         : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        }
        __syncthreads();
    }
    int r = row0 + lane / 4, q = col0 + w * 8 + lane % 4 * 2;
    C[r * N + q] = c[0];
    C[r * N + q + 1] = c[1];
    C[(r + 8) * N + q] = c[2];
    C[(r + 8) * N + q + 1] = c[3];
}
int main()
{
    half *A, *B;
    float *C;
    cudaMallocManaged(&A, N * N * 2);
    cudaMallocManaged(&B, N * N * 2);
    cudaMallocManaged(&C, N * N * 4);
    for (int i = 0; i < N * N; i++)
        A[i] = half(float(i * 7 % 11 - 5)), B[i] = half(float(i * 5 % 7 - 3));
    gemm<<<dim3(N / 32, N / 16), 128>>>(A, B, C);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int bad = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < N; k++)
                s += float(A[i * N + k]) * float(B[j * N + k]);
            bad += s != C[i * N + j];
        }
    printf("%d wrong\n", bad);
}
