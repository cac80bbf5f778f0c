// env: CDP_SEED=0
// Gathers and scatters of elements for which the processor has no instruction: under masks that
// depend on data, of all lanes, at known distances, and up to the end of what is mapped.
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

constexpr int THREADS = 256, BLOCKS = 8, COUNT = THREADS * BLOCKS;

template <class T> __global__ void gather(const T *from, const int *at, T *to, int least)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T value = (T)5;
    if (at[i] >= least) value = from[at[i]];
    to[i] = value;
}

template <class T> __global__ void scatter(const T *from, const int *at, T *to, int least)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (at[i] >= least) to[at[i]] = from[i];
}

// Lanes of one vector store to one place: the last of them counts.
template <class T> __global__ void last(const T *from, const int *at, T *to, int least)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (at[i] >= least) to[i / 4] = from[i];
}

// Every other element, and pairs whose halves change places.
template <class T> __global__ void apart(const T *from, T *even, T *odd)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    even[i] = from[2 * i];
    odd[2 * (i ^ 1)] = from[2 * i + 1];
}

template <class T> __global__ void turned(const T *from, T *to)
{
    __shared__ T s[3 * THREADS];
    int t = threadIdx.x;
    for (int k = 0; k < 3; k++) s[k * THREADS + t] = from[3 * (blockIdx.x * THREADS) + k * THREADS + t];
    __syncthreads();
    T sum = s[3 * t];
    for (int k = 1; k < 3; k++) sum = (T)(sum + s[3 * t + k]);
    to[blockIdx.x * THREADS + t] = sum;
}

// Memory whose end is the end of a page, behind which nothing is mapped.
template <class T> static T *at_end(size_t count)
{
    size_t page = sysconf(_SC_PAGESIZE), bytes = (count * sizeof(T) + page - 1) / page * page;
    char *all = (char *)mmap(nullptr, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + page, bytes, PROT_READ | PROT_WRITE);
    return (T *)(all + page + bytes) - count;
}

template <class T> static T number(unsigned i) { return (T)(i * 2654435761u >> 11); }

template <class T> static int differences(const T *a, const T *b, size_t count)
{
    int found = 0;
    for (size_t i = 0; i < count; i++) found += memcmp(a + i, b + i, sizeof(T)) != 0;
    return found;
}

template <class T> static int try_masks(T *from, int *at, int least)
{
    static T got[COUNT], expected[COUNT];
    T *to = at_end<T>(COUNT);
    int wrong = 0;
    gather<<<BLOCKS, THREADS>>>(from, at, to, least);
    cudaDeviceSynchronize();
    for (int i = 0; i < COUNT; i++) expected[i] = at[i] >= least ? from[at[i]] : (T)5;
    wrong += differences(to, expected, COUNT);
    memset((void *)to, 1, sizeof got), memset((void *)expected, 1, sizeof expected);
    scatter<<<BLOCKS, THREADS>>>(from, at, to, least);
    cudaDeviceSynchronize();
    for (int i = 0; i < COUNT; i++) {
        if (at[i] >= least) expected[at[i]] = from[i];
    }
    wrong += differences(to, expected, COUNT);
    memset((void *)to, 1, sizeof got), memset((void *)expected, 1, sizeof expected);
    last<<<BLOCKS, THREADS>>>(from, at, to, least);
    cudaDeviceSynchronize();
    for (int i = 0; i < COUNT; i++) {
        if (at[i] >= least) expected[i / 4] = from[i];
    }
    return wrong + differences(to, expected, COUNT);
}

template <class T> static int try_distances(T *from)
{
    static T expected[2 * COUNT];
    T *even = at_end<T>(COUNT), *odd = at_end<T>(2 * COUNT), *to = at_end<T>(COUNT);
    apart<<<BLOCKS, THREADS>>>(from, even, odd);
    turned<<<BLOCKS, THREADS>>>(from, to);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        expected[i] = from[2 * i];
        wrong += memcmp(&odd[2 * (i ^ 1)], &from[2 * i + 1], sizeof(T)) != 0;
    }
    wrong += differences(even, expected, COUNT);
    for (int i = 0; i < COUNT; i++) {
        expected[i] = from[3 * i];
        for (int k = 1; k < 3; k++) expected[i] = (T)(expected[i] + from[3 * i + k]);
    }
    return wrong + differences(to, expected, COUNT);
}

template <class T> static void try_type(const char *name)
{
    T *from = at_end<T>(COUNT), *more = at_end<T>(3 * COUNT);
    int *at = at_end<int>(COUNT), wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        from[i] = number<T>(i);
        at[i] = i * 1237 % COUNT; // a permutation, since 1237 is odd
    }
    for (int i = 0; i < 3 * COUNT; i++) more[i] = number<T>(i);
    for (int least : {0, 1, COUNT / 2, COUNT - 3, COUNT}) wrong += try_masks(from, at, least);
    wrong += try_distances(more);
    printf("%s: %d wrong\n", name, wrong);
}

int main()
{
    try_type<signed char>("signed char");
    try_type<unsigned short>("unsigned short");
    try_type<int>("int");
    try_type<float>("float");
    try_type<double>("double");
    try_type<long long>("long long");
    try_type<bool>("bool");
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
