// cdpcc: --entry=block -O2
// Both sides of a branch store to one address: one store follows the branch. Stores of one side keep
// their order, also where both arrays are the same one. Elements that no side stores do not change.
#include "show.h"

enum { COUNT = 1000, KINDS = 5 };

template <typename T> __device__ T slow(T x)
{
    T sum = 0;
    for (int k = 0; k < int(x) % 5; k++) {
        sum += x * k;
    }
    return sum;
}

template <typename T> __global__ void store(const int *kind, const T *in, T *a, T *b, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (kind[i] == 1 || (kind[i] == 2 && in[i] > 3)) {
        a[i] = 1;
        b[i] = slow(in[i]);
    } else if (kind[i] < 4) {
        a[i] = in[i] + 2;
        b[i] = 3;
    }
}
// Three sides, one of which stores elsewhere, too; the address follows from a loaded index.
template <typename T>
__global__ void storeOfThree(const int *kind, const T *in, T *a, T *b, const unsigned *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        switch (kind[i]) {
        case 0: a[to[i]] = in[i]; break;
        case 1: b[i] = 9; a[to[i]] = 7; break;
        case 2: a[to[i]] = 5; b[i] = 8; break;
        default: a[to[i]] = slow(in[i]); break;
        }
    }
}
// One address of all threads, and a uniform branch.
__global__ void storeOne(int *flag, int *a, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (which > 0) {
        a[i] = i;
    } else {
        a[i] = -i;
    }
    if (i == 0 && which < 2) {
        flag[which] = 1;
    } else if (i == 0) {
        flag[which] = 2;
    }
}

template <typename T> static void expect(int kind, T in, T *a, T *b, bool is_one)
{
    T slow = 0, x, y;
    for (int k = 0; k < int(in) % 5; k++) {
        slow += in * k;
    }
    if (kind == 1 || (kind == 2 && in > 3)) {
        x = 1, y = slow;
    } else if (kind < 4) {
        x = in + 2, y = 3;
    } else {
        return;
    }
    *a = x;
    *(is_one ? a : b) = y;
}

template <typename T> static int check(bool is_one)
{
    static T in[COUNT], a[COUNT], b[COUNT], right[2][COUNT];
    static int kind[COUNT];
    T *d_in, *d_a, *d_b;
    int *d_kind, wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        kind[i] = (i * 2654435761u >> 20) % KINDS;
        in[i] = T((i * 40503u >> 5) % 20);
        right[0][i] = a[i] = right[1][i] = b[i] = T(i % 100);
        expect(kind[i], in[i], &right[0][i], &right[1][i], is_one);
    }
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_a, sizeof a);
    cudaMalloc(&d_b, sizeof b);
    cudaMalloc(&d_kind, sizeof kind);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyDefault);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyDefault);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyDefault);
    cudaMemcpy(d_kind, kind, sizeof kind, cudaMemcpyDefault);
    store<T><<<(COUNT + 127) / 128, 128>>>(d_kind, d_in, d_a, is_one ? d_a : d_b, COUNT);
    cudaMemcpy(a, d_a, sizeof a, cudaMemcpyDefault);
    cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDefault);
    for (int i = 0; i < COUNT; i++) {
        wrong += a[i] != right[0][i] || b[i] != right[1][i];
    }
    return wrong;
}

template <typename T> static int checkThree()
{
    static T in[COUNT], a[COUNT], b[COUNT];
    static int kind[COUNT];
    static unsigned to[COUNT];
    T *d_in, *d_a, *d_b;
    int *d_kind, wrong = 0;
    unsigned *d_to;
    for (int i = 0; i < COUNT; i++) {
        kind[i] = (i * 2654435761u >> 20) % KINDS;
        in[i] = T(i % 20);
        to[i] = COUNT - 1 - i;
    }
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_a, sizeof a);
    cudaMalloc(&d_b, sizeof b);
    cudaMalloc(&d_kind, sizeof kind);
    cudaMalloc(&d_to, sizeof to);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyDefault);
    cudaMemset(d_b, 0, sizeof b);
    cudaMemcpy(d_kind, kind, sizeof kind, cudaMemcpyDefault);
    cudaMemcpy(d_to, to, sizeof to, cudaMemcpyDefault);
    storeOfThree<T><<<(COUNT + 127) / 128, 128>>>(d_kind, d_in, d_a, d_b, d_to, COUNT);
    cudaMemcpy(a, d_a, sizeof a, cudaMemcpyDefault);
    cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDefault);
    for (int i = 0; i < COUNT; i++) {
        T sum = 0;
        for (int k = 0; k < int(in[i]) % 5; k++) {
            sum += in[i] * k;
        }
        T x = kind[i] == 0 ? in[i] : kind[i] == 1 ? T(7) : kind[i] == 2 ? T(5) : sum;
        T y = kind[i] == 1 ? T(9) : kind[i] == 2 ? T(8) : T(0);
        wrong += a[to[i]] != x || b[i] != y;
    }
    return wrong;
}

int main()
{
    printf("bytes: %d wrong, %d if both arrays are one, %d of three sides\n",
           check<unsigned char>(false), check<unsigned char>(true), checkThree<unsigned char>());
    printf("floats: %d wrong, %d if both arrays are one, %d of three sides\n", check<float>(false),
           check<float>(true), checkThree<float>());
    printf("doubles: %d wrong, %d if both arrays are one, %d of three sides\n",
           check<double>(false), check<double>(true), checkThree<double>());
    int *flag, *a, wrong = 0;
    cudaMallocManaged(&flag, 4 * sizeof *flag);
    cudaMallocManaged(&a, 256 * sizeof *a);
    for (int which = 0; which < 4; which++) {
        storeOne<<<2, 128>>>(flag, a, which);
        cudaDeviceSynchronize();
        for (int i = 0; i < 256; i++) {
            wrong += a[i] != (which > 0 ? i : -i);
        }
    }
    printf("one address: %d %d %d %d, uniform branch: %d wrong\n", flag[0], flag[1], flag[2],
           flag[3], wrong);
    return 0;
}
