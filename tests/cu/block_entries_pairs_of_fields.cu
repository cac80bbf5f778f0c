// cdpcc: --entry=block -O2
// Adjacent fields are loaded and stored together: contiguous, gathered and scattered, in either
// order; not across accesses that may touch them in between, and nothing outside of them.
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

template <typename A, typename B> struct Two {
    A a;
    B b;
};
template <typename T> struct Four {
    T a, b, c, d;
};
struct Three {
    float a, b, c;
};

__device__ bool isOn(int i)
{
    return i % 5 != 2;
}

// Contiguous accesses to whole structures.
template <typename A, typename B>
__global__ void swapRows(Two<B, A> *out, const Two<A, B> *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && isOn(i)) {
        Two<A, B> was = in[i];
        out[i].b = was.a; // the upper field first
        out[i].a = was.b;
    }
}

// From place[i] to place[n - 1 - i]; the last two of four fields are treated like the first two.
template <typename T>
__global__ void permute(Four<T> *out, const Four<T> *in, const int *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Four<T> was = in[place[i]];
        Four<T> *to = &out[place[n - 1 - i]];
        to->a = was.a + T(1);
        to->b = was.c;
        to->c = was.b;
        to->d = was.d + T(2);
    }
}

__global__ void thirds(Three *out, const Three *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Three was = in[i];
        out[i].a = was.b;
        out[i].b = was.c;
        out[i].c = was.a;
    }
}

// The load between the two stores reads what the first one has written; the load after both, too.
__global__ void aliased(Two<int, int> *x, const int *same, const int *place, int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int at = place[i];
        x[at].a = i;
        int now = same[2 * at];
        x[at].b = now * 3;
        int before = x[at].a, behind = x[at].b;
        x[at].a = behind;
        sums[i] = before + x[at].a + x[at].b;
    }
}

// Neighbours of an index: the ends of rows.
__global__ void lengths(const int *first, const int *place, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = first[place[i] + 1] - first[place[i]];
    }
}

static const size_t bytes = 1 << 16;
enum { N = 1003, THREADS = 96, BLOCKS = (N + THREADS - 1) / THREADS };

// Memory for this number of elements, with an unmapped page directly after or before it.
static void *fenced(size_t size, bool atEnd)
{
    size_t page = sysconf(_SC_PAGESIZE);
    char *all =
        (char *)mmap(nullptr, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + page, bytes, PROT_READ | PROT_WRITE);
    return all + page + (atEnd ? bytes - size : 0);
}

static void say(const char *what, bool right)
{
    right = cudaDeviceSynchronize() == cudaSuccess && right;
    printf("%s: %s\n", what, right ? "right" : "wrong");
}

template <typename A, typename B> static bool rowsSwap(bool atEnd)
{
    auto *in = (Two<A, B> *)fenced(N * sizeof(Two<A, B>), atEnd);
    auto *out = (Two<B, A> *)fenced(N * sizeof(Two<B, A>), atEnd);
    for (int i = 0; i < N; i++) {
        in[i] = {A(i % 100), B(i % 90 + 7)};
        out[i] = {B(1), A(2)};
    }
    swapRows<<<BLOCKS, THREADS>>>(out, in, N);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < N; i++) {
        bool on = i % 5 != 2;
        right = right && out[i].a == (on ? B(i % 90 + 7) : B(1)) &&
                out[i].b == (on ? A(i % 100) : A(2));
    }
    return right;
}

template <typename T> static bool permutes(const int *place, bool atEnd)
{
    auto *in = (Four<T> *)fenced(N * sizeof(Four<T>), atEnd);
    auto *out = (Four<T> *)fenced(N * sizeof(Four<T>), atEnd);
    for (int i = 0; i < N; i++) {
        in[i] = {T(i % 100), T(i % 31), T(i % 77), T(i % 13)};
    }
    permute<<<BLOCKS, THREADS>>>(out, in, place, N);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < N; i++) {
        Four<T> was = in[place[i]], now = out[place[N - 1 - i]];
        right = right && now.a == T(was.a + T(1)) && now.b == was.c && now.c == was.b &&
                now.d == T(was.d + T(2));
    }
    return right;
}

static bool thirdsTurn(bool atEnd)
{
    Three *in = (Three *)fenced(N * sizeof(Three), atEnd);
    Three *out = (Three *)fenced(N * sizeof(Three), atEnd);
    for (int i = 0; i < N; i++) {
        in[i] = {float(i), i + 0.25f, i + 0.5f};
    }
    thirds<<<2, THREADS>>>(out, in, N);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < N; i++) {
        right = right && out[i].a == i + 0.25f && out[i].b == i + 0.5f && out[i].c == float(i);
    }
    return right;
}

int main()
{
    int *place, *sums, *first;
    Two<int, int> *x;
    cudaMallocManaged(&place, N * sizeof(int));
    cudaMallocManaged(&sums, N * sizeof(int));
    cudaMallocManaged(&x, N * sizeof(*x));
    for (int i = 0; i < N; i++) {
        place[i] = i * 389 % N;
    }
    for (int atEnd = 0; atEnd < 2; atEnd++) {
        say("rows of floats", rowsSwap<float, float>(atEnd));
        say("rows of an integer and a float", rowsSwap<int, float>(atEnd));
        say("rows of halves of a word", rowsSwap<short, unsigned short>(atEnd));
        say("rows of bytes", rowsSwap<signed char, unsigned char>(atEnd));
        say("rows with a gap", rowsSwap<char, int>(atEnd));
        say("rows of doubles", rowsSwap<double, double>(atEnd));
        say("four floats anywhere", permutes<float>(place, atEnd));
        say("four short ones anywhere", permutes<short>(place, atEnd));
        say("four bytes anywhere", permutes<unsigned char>(place, atEnd));
        say("three in a row", thirdsTurn(atEnd));
    }
    aliased<<<BLOCKS, THREADS>>>(x, &x[0].a, place, sums, N);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < N; i++) {
        right = right && x[place[i]].a == 3 * i && x[place[i]].b == 3 * i && sums[i] == 7 * i;
    }
    say("what lies between", right);
    first = (int *)fenced((N + 1) * sizeof(int), true);
    for (int i = 0; i <= N; i++) {
        first[i] = i * i;
    }
    lengths<<<BLOCKS, THREADS>>>(first, place, sums, N);
    right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < N; i++) {
        right = right && sums[i] == 2 * place[i] + 1;
    }
    say("lengths of rows", right);
    return 0;
}
