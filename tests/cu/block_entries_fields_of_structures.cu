// cdpcc: --entry=block -O2
// One field of neighbouring structures: the memory between the fields of active lanes is not
// accessed if it is not mapped, before the first field and after the last.
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

template <typename T, int Fields> struct Record {
    T field[Fields];
};

template <typename T, int Fields, int Which>
__global__ void gatherFields(const Record<T, Fields> *in, int first, int n, T *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n + first;
         i += gridDim.x * blockDim.x) {
        if (i >= first && i % 7 != 3) {
            out[i - first] = in[i - first].field[Which] + T(1);
        }
    }
}

static const size_t bytes = 1 << 16;

// Memory with unmapped pages before and after it.
static char *fenced()
{
    size_t page = sysconf(_SC_PAGESIZE);
    char *all =
        (char *)mmap(nullptr, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + page, bytes, PROT_READ | PROT_WRITE);
    return all + page;
}

template <typename T, int Fields, int Which>
static bool holds(char *memory, bool atEnd, int first, int threads)
{
    typedef Record<T, Fields> R;
    int n = 1000;
    R *in = (R *)(atEnd ? memory + bytes - n * sizeof(R) : memory);
    T *out;
    cudaMallocManaged(&out, n * sizeof(T));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < Fields; k++) {
            in[i].field[k] = T(i * 10 + k);
        }
        out[i] = T(-1);
    }
    gatherFields<T, Fields, Which><<<2, threads>>>(in, first, n, out);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        right = right && out[i] == ((i + first) % 7 != 3 ? T(i * 10 + Which + 1) : T(-1));
    }
    cudaFree(out);
    return right;
}

template <typename T, int Fields, int Which> static bool holdsAnywhere(char *memory)
{
    bool right = true;
    for (int first : {0, 1, 5, 100}) {
        for (int threads : {64, 77, 256}) {
            right = holds<T, Fields, Which>(memory, false, first, threads) && right;
            right = holds<T, Fields, Which>(memory, true, first, threads) && right;
        }
    }
    return right;
}

template <typename T> static void test(const char *type)
{
    char *memory = fenced();
    printf("%s: pairs %d %d\n", type, holdsAnywhere<T, 2, 0>(memory),
           holdsAnywhere<T, 2, 1>(memory));
    printf("%s: threes %d %d\n", type, holdsAnywhere<T, 3, 0>(memory),
           holdsAnywhere<T, 3, 2>(memory));
    printf("%s: fours %d %d\n", type, holdsAnywhere<T, 4, 1>(memory),
           holdsAnywhere<T, 4, 3>(memory));
    printf("%s: fives %d\n", type, holdsAnywhere<T, 5, 4>(memory));
}

int main()
{
    test<float>("float");
    test<int>("int");
    test<double>("double");
    test<short>("short");
}
