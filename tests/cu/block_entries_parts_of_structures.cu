// cdpcc: --entry=block -O2
// Structures of which kernels load and store some fields: runs of neighbours, single ones, with
// gaps; of 4 and 8 bytes; in ascending and descending order; larger than a vector. Fields that a
// kernel does not store keep their values. The last structure ends at a page that is not mapped.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 300, BLOCK = 64, GRID = (N + BLOCK - 1) / BLOCK, BYTES = 1 << 17 };
#define I (blockIdx.x * blockDim.x + threadIdx.x)

/* The number of the step is an argument, so that the host's compiler runs the same code. */
#define KERNEL(name, type, ...)                                                                    \
    __host__ __device__ static inline void step_##name(type &b, int i)                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    __global__ void up_##name(type *b, int n)                                                      \
    {                                                                                              \
        if (I < n) {                                                                               \
            step_##name(b[I], I);                                                                  \
        }                                                                                          \
    }                                                                                              \
    __global__ void down_##name(type *b, int n)                                                    \
    {                                                                                              \
        int i = n - 1 - (int)I;                                                                    \
        if (i >= 0) {                                                                              \
            step_##name(b[i], i);                                                                  \
        }                                                                                          \
    }                                                                                              \
    __global__ void twice_##name(type *b, int n)                                                   \
    {                                                                                              \
        for (int k = 0; k < 2; k++) {                                                              \
            if (I < n) {                                                                           \
                step_##name(b[I], k * 5);                                                          \
            }                                                                                      \
            __syncthreads();                                                                       \
        }                                                                                          \
    }

template <int FIELDS> struct Ints {
    int f[FIELDS];
};
template <int FIELDS> struct Doubles {
    double f[FIELDS];
};
struct Mixed {
    int x, y;
    float mass;
    unsigned hits;
    long long sum;
};
struct alignas(16) Aligned {
    int x, y, z, w, a, b, c, d;
};

KERNEL(run, Ints<7>, b.f[0] += b.f[3] * i; b.f[1] += b.f[4] * i; b.f[2] += b.f[5] * i;)
KERNEL(end, Ints<7>, b.f[6] = b.f[6] * 3 + i; b.f[5] = b.f[4] ^ b.f[6]; b.f[4] += b.f[3];
       b.f[3] -= i;)
KERNEL(gaps, Ints<10>, b.f[0] += b.f[1]; b.f[2] += b.f[3] + i; b.f[5] ^= b.f[6]; b.f[9] += b.f[8];
       b.f[6] = i;)
KERNEL(pairs, Ints<12>, b.f[1] += b.f[4]; b.f[2] += b.f[5]; b.f[9] += b.f[6] + i; b.f[8] ^= b.f[7];)
KERNEL(all, Ints<16>, for (int k = 0; k < 16; k++) b.f[k] = b.f[k] * 3 + k + i;)
KERNEL(turn, Ints<9>, int first = b.f[0]; for (int k = 0; k < 8; k++) b.f[k] = b.f[k + 1];
       b.f[8] = first;)
KERNEL(copied, Ints<12>, Ints<12> t = b; for (int k = 0; k < 12; k++) t.f[k] = t.f[k] * 3 + k + i;
       b = t;)
KERNEL(large, Ints<40>, b.f[20] += b.f[23]; b.f[21] += b.f[22] + i; b.f[38] = b.f[39];
       b.f[37] += i;)
KERNEL(huge, Ints<90>, b.f[20] += b.f[23]; b.f[21] += b.f[22] + i; b.f[89] = b.f[88] + b.f[87];)
KERNEL(set, Ints<6>, b.f[1] = b.f[2] = b.f[3] = 7 + i;)
KERNEL(one, Ints<5>, b.f[4] += i;)
KERNEL(doubles, Doubles<7>, b.f[0] += b.f[3] * i; b.f[1] += b.f[4] * i; b.f[2] += b.f[5];)
KERNEL(halves, Doubles<3>, b.f[0] += b.f[2]; b.f[2] = i;)
KERNEL(mixed, Mixed, b.x += b.y; b.mass = b.mass * 2 + i; b.hits++; b.sum += b.x;)
KERNEL(aligned, Aligned, b.x += b.y * b.z; b.y -= i; b.z ^= b.x; b.a += b.c; b.b += b.d;)

template <class T>
static int check(void (*kernel)(T *, int), void (*step)(T &, int), bool is_twice, char *end)
{
    static char expected[BYTES];
    int wrong = 0;
    for (int n = N - 64; n <= N; n += 9) {
        T *all = (T *)(end - n * sizeof(T)), *same = (T *)expected;
        memset(all, 0, n * sizeof(T));
        for (size_t i = 0; i < n * sizeof(T) / sizeof(int); i++) {
            ((int *)all)[i] = sizeof(T) % 8 == 0 && i % 2 == 0 ? 0 : (int)(i % 13) << 20;
        }
        memcpy(same, all, n * sizeof(T));
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 1 + is_twice; k++) {
                step(same[i], is_twice ? k * 5 : i);
            }
        }
        kernel<<<GRID, BLOCK>>>(all, n);
        wrong += cudaDeviceSynchronize() != cudaSuccess || memcmp(same, all, n * sizeof(T)) != 0;
    }
    return wrong;
}
#define CHECK(name)                                                                                \
    printf("%s: %d %d %d\n", #name, check(up_##name, step_##name, false, end),                     \
           check(down_##name, step_##name, false, end),                                            \
           check(twice_##name, step_##name, true, end))

int main(void)
{
    long page = sysconf(_SC_PAGESIZE);
    char *memory = (char *)mmap(NULL, BYTES + page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + BYTES, page, PROT_NONE) != 0 ||
        cudaHostRegister(memory, BYTES, cudaHostRegisterDefault) != cudaSuccess) {
        printf("no memory\n");
        return 1;
    }
    char *end = memory + BYTES;
    CHECK(run);
    CHECK(end);
    CHECK(gaps);
    CHECK(pairs);
    CHECK(all);
    CHECK(turn);
    CHECK(copied);
    CHECK(large);
    CHECK(huge);
    CHECK(set);
    CHECK(one);
    CHECK(doubles);
    CHECK(halves);
    CHECK(mixed);
    CHECK(aligned);
    return 0;
}
