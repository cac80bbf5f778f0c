// cdpcc: --entry=block -O2
// Structures that are updated field by field, with loads of other arrays between the stores: arrays
// that are known to differ, that may overlap and do not, that are the same, and that overlap by some
// fields, where each thread must see what it has stored.
#include <stdio.h>
#include <string.h>

enum { N = 300, BLOCK = 64, GRID = (N + BLOCK - 1) / BLOCK, WORDS = 12 * (GRID * BLOCK + 8) };

struct Four {
    float a, b, c, d;
};
struct Three {
    int x, y, z;
};
#define I (blockIdx.x * blockDim.x + threadIdx.x)

__device__ void step(Four *p, const Four *v, int i)
{
    p[i].a += v[i].b;
    p[i].b += v[i].c * 2;
    p[i].c += v[i].b * 3;
    p[i].d += v[i].c + v[i].b;
}
/* The same, where a host's compiler cannot assume that different fields do not overlap. */
static void step_of_floats(float *p, const float *v)
{
    p[0] += v[1];
    p[1] += v[2] * 2;
    p[2] += v[1] * 3;
    p[3] += v[2] + v[1];
}
__host__ __device__ void move(Three *p, Three *v, const Three *f, int i)
{
    v[i].x += f[i].x * 3;
    v[i].y += f[i].y * 3;
    v[i].z += f[i].z * 3;
    p[i].x += v[i].x * 5;
    p[i].y += v[i].y * 5;
    p[i].z += v[i].z * 5;
}
__global__ void steps(Four *p, const Four *v, int n)
{
    if (I < n) {
        step(p, v, I);
    }
}
__global__ void restricted(Four *__restrict__ p, const Four *__restrict__ v, int n)
{
    if (I < n) {
        step(p, v, I);
    }
}
/* All threads run it, and again in a loop. */
__global__ void whole(Four *p, const Four *v, int times)
{
    for (int k = 0; k < times; k++) {
        step(p, v, I);
    }
}
/* Between barriers. */
__global__ void parts(Four *p, const Four *v, int *shared_sum, int n)
{
    __shared__ int count;
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    if (I < n) {
        step(p, v, I);
    }
    atomicAdd(&count, 1);
    __syncthreads();
    if (I < n) {
        step(p, v, I);
    }
    if (threadIdx.x == 0) {
        shared_sum[blockIdx.x] = count;
    }
}
__global__ void moves(Three *p, Three *v, const Three *f, int n)
{
    if (I < n) {
        move(p, v, f, I);
    }
}

__managed__ Four memory[WORDS / 4];
static Four expected[WORDS / 4];
__managed__ int counts[GRID];

static void fill(void)
{
    for (int i = 0; i < WORDS; i++) {
        ((float *)memory)[i] = i % 13;
    }
    memcpy(expected, memory, sizeof memory);
}
static int differs(void)
{
    cudaError_t result = cudaDeviceSynchronize();
    return result != cudaSuccess || memcmp(memory, expected, sizeof memory) != 0;
}
/* The pointers are that many floats apart: in one structure's size, the fields b and c of the one
 * array are other fields of the same structure in the other one. */
static int check(int distance)
{
    float *start = (float *)memory + 8, *same = (float *)expected + 8;
    int wrong = 0;
    for (int n = N - 70; n <= N; n += 7) {
        for (int kernel = 0; kernel < 4; kernel++) {
            bool is_apart = distance >= 4 * N || distance <= -4 * N;
            if (kernel == 1 && !is_apart) {
                continue;
            }
            Four *p = (Four *)(distance < 0 ? start - distance : start);
            const Four *v = (const Four *)((float *)p + distance);
            fill();
            float *q = same + ((float *)p - start);
            int threads = kernel == 2 ? GRID * BLOCK : n;
            int times = kernel == 2 ? 3 : kernel == 3 ? 2 : 1;
            for (int i = 0; i < threads; i++) {
                for (int k = 0; k < times; k++) {
                    step_of_floats(q + 4 * i, q + 4 * i + distance);
                }
            }
            if (kernel == 0) {
                steps<<<GRID, BLOCK>>>(p, v, n);
            } else if (kernel == 1) {
                restricted<<<GRID, BLOCK>>>(p, v, n);
            } else if (kernel == 2) {
                whole<<<GRID, BLOCK>>>(p, v, times);
            } else {
                parts<<<GRID, BLOCK>>>(p, v, counts, n);
            }
            wrong += differs();
        }
    }
    return wrong;
}
static int check_moves(int first, int second)
{
    int *start = (int *)memory, *same = (int *)expected, wrong = 0;
    for (int n = N - 70; n <= N; n += 7) {
        for (int i = 0; i < WORDS; i++) {
            start[i] = same[i] = i % 13;
        }
        Three *p = (Three *)start, *v = (Three *)(start + first), *f = (Three *)(start + second);
        for (int i = 0; i < n; i++) {
            move((Three *)same, (Three *)(same + first), (Three *)(same + second), i);
        }
        moves<<<GRID, BLOCK>>>(p, v, f, n);
        wrong += differs();
    }
    return wrong;
}
int main(void)
{
    for (int distance : {4 * N + 80, -4 * N - 80, 0, 1, -1}) {
        printf("%d floats apart: %d wrong\n", distance, check(distance));
    }
    printf("moves: %d %d %d wrong\n", check_moves(3 * N, 6 * N), check_moves(3 * N, 3 * N),
           check_moves(3 * N, 0));
    return 0;
}
