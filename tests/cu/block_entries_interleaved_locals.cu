// cdpcc: --entry=block -O2
// Local arrays whose copies the threads of a vector interleave: uniform and divergent indices, elements
// of 1 to 8 bytes, structures, pointers that run through an array, fills, copies, and arrays that stay
// as they are. The host runs the same functions.
#include <stdio.h>
#include <string.h>
#define BOTH __host__ __device__
BOTH inline unsigned next(unsigned &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    return s ^= s << 5;
}
BOTH int recurrence(unsigned seed, int n)
{
    int p[32];
    for (int i = 0; i < n; i++) {
        p[i] = (int)(next(seed) & 255);
    }
    for (int round = 0; round < n; round++) {
        for (int i = 1; i < n; i++) {
            p[i] = (p[i] + 3 * p[i - 1]) & 0xffff;
        }
    }
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i];
    }
    return sum;
}
BOTH int histogram(unsigned seed, int n)
{
    long long count[16] = {0};
    for (int i = 0; i < 5 * n; i++) {
        count[next(seed) & 15]++;
    }
    long long most = 0;
    for (int i = 0; i < 16; i++) {
        most = most * 3 + count[i];
    }
    return (int)most;
}
BOTH int sort(unsigned seed, int n)
{
    short a[24];
    for (int i = 0; i < n; i++) {
        a[i] = (short)(next(seed) & 1023);
    }
    for (int i = 1; i < n; i++) {
        short key = a[i];
        int j = i - 1;
        for (; j >= 0 && a[j] > key; j--) {
            a[j + 1] = a[j];
        }
        a[j + 1] = key;
    }
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum * 31 + a[i];
    }
    return sum;
}
struct Body {
    float x, y;
    int k;
};
BOTH int structures(unsigned seed, int n)
{
    Body v[20], copy[20];
    for (int i = 0; i < n; i++) {
        v[i].x = (float)(next(seed) & 15);
        v[i].y = (float)i;
        v[i].k = (int)(next(seed) % 10);
    }
    memcpy(copy, v, sizeof v);
    Body most = v[0];
    for (int i = 1; i < n; i++) {
        if (copy[i].x > most.x) {
            most = copy[i];
        }
    }
    copy[3] = most;
    return (int)(most.x + most.y + copy[most.k % n].y + copy[3].x);
}
BOTH int pointers(unsigned seed, int n)
{
    int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    unsigned char bytes[32];
    memset(bytes, 7, sizeof bytes);
    for (unsigned char *p = bytes; p != bytes + n; p++) {
        *p = (unsigned char)next(seed);
    }
    int sum = 0;
    for (const unsigned char *p = bytes; p != bytes + 32; p++) {
        sum += *p * table[*p & 7];
        if (sum & 1) {
            memset(table, 0, 4 * sizeof *table);
        }
    }
    table[seed & 7] = sum;
    return table[0] + table[n & 7];
}
BOTH int stays(unsigned seed, int n) /* selects between two arrays, and accesses of two sizes */
{
    int a[8], b[8];
    unsigned char *bytes = (unsigned char *)b;
    for (int i = 0; i < 8; i++) {
        a[i] = (int)(next(seed) & 255);
        b[i] = (int)(next(seed) & 255);
    }
    bytes[seed & 31] = 1;
    int *which = seed & 64 ? a : b;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum * 7 + which[i & 7];
    }
    return sum;
}
BOTH int early(unsigned seed, int n) /* of few elements, which become values; some threads leave early */
{
    int a[4] = {0}, at = (int)(seed & 31);
    for (int i = 0; i < 4 && at < n; i++) {
        a[i] = (int)(next(seed) & 7);
        at += 5;
    }
    return ((a[0] * 9 + a[1]) * 9 + a[2]) * 9 + a[3];
}
typedef int function(unsigned, int);
template <function *F> __global__ void run(int n, int *out)
{
    int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[t] = F(t + 1, n);
}
__global__ void across(int n, int *out)
{
    __shared__ int s[256];
    int a[12], t = threadIdx.y * blockDim.x + threadIdx.x, size = blockDim.x * blockDim.y;
    unsigned seed = blockIdx.x * size + t + 1;
    for (int i = 0; i < n; i++) {
        a[i] = (int)next(seed);
    }
    s[t] = a[n - 1];
    __syncthreads();
    int sum = s[(t + 1) % size];
    for (int i = 0; i < n; i++) {
        sum ^= a[i] + i;
    }
    out[blockIdx.x * size + t] = sum;
}
template <function *F> int wrong(const char *name, int n, dim3 block)
{
    int *out, threads = 3 * block.x * block.y, count = 0;
    cudaMallocManaged(&out, threads * sizeof *out);
    run<F><<<3, block>>>(n, out);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("%s: error\n", name);
    }
    for (int i = 0; i < threads; i++) {
        count += out[i] != F(i + 1, n);
    }
    if (count != 0) {
        printf("%s: %d of %d wrong, blocks of %dx%d\n", name, count, threads, block.x, block.y);
    }
    cudaFree(out);
    return count;
}
static int wrong_across(int n, dim3 block)
{
    int *out, size = block.x * block.y, count = 0;
    cudaMallocManaged(&out, 3 * size * sizeof *out);
    across<<<3, block>>>(n, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3 * size; i++) {
        unsigned seed = i + 1, other = i - i % size + (i % size + 1) % size + 1;
        int sum = 0, last = 0;
        for (int k = 0; k < n; k++) {
            sum ^= (int)next(seed) + k;
            last = (int)next(other);
        }
        count += out[i] != (sum ^ last);
    }
    if (count != 0) {
        printf("across: %d wrong, blocks of %dx%d\n", count, block.x, block.y);
    }
    cudaFree(out);
    return count;
}
int main()
{
    const dim3 blocks[] = {dim3(256), dim3(48), dim3(5), dim3(40, 3), dim3(16, 16)};
    int count = 0;
    for (dim3 block : blocks) {
        count += wrong<recurrence>("recurrence", 20, block) + wrong<histogram>("histogram", 20, block) +
                 wrong<sort>("sort", 20, block) + wrong<structures>("structures", 18, block) +
                 wrong<pointers>("pointers", 30, block) + wrong<stays>("stays", 9, block) + wrong<early>("early", 20, block) +
                 wrong_across(11, block);
    }
    printf("%d wrong\n", count);
}
