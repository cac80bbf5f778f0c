// cdpcc: --entry=block -march=native -O2
// entries: it tests their code
// Loops that stride by the grid and whose counter wraps around, between two vectors or two chunks
// or within one, for some threads or for all: each thread executes its own iterations.
#include "show.h"

enum { LINE = 256, GRID = 3, ALL = LINE * GRID, MOST_TURNS = 2000 };

struct Seen {
    unsigned turns;
    long long sum, places;
};

__host__ __device__ static long long mixed(long long place)
{
    return place ^ (place >> 7);
}

template <typename T>
__global__ void __launch_bounds__(LINE)
    stride(T limit, unsigned step, const unsigned char *in, Seen *seen)
{
    Seen mine = {};
    for (T i = blockIdx.x * blockDim.x + threadIdx.x; i < limit; i = (T)((unsigned)i + step)) {
        mine.turns++;
        mine.sum += in[i & 1023];
        mine.places += mixed(i);
    }
    seen[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

// The kernel's own step: the grid's threads times a factor.
template <typename T>
__global__ void __launch_bounds__(LINE)
    grid(T limit, unsigned factor, const unsigned char *in, Seen *seen)
{
    Seen mine = {};
    for (T i = blockIdx.x * blockDim.x + threadIdx.x; i < limit;
         i = (T)((unsigned)i + gridDim.x * blockDim.x * factor)) {
        mine.turns++;
        mine.sum += in[i & 1023];
        mine.places += mixed(i);
    }
    seen[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

// False: some thread continues for too long.
template <typename T> static bool walk(T limit, unsigned step, const unsigned char *in, Seen *seen)
{
    for (int thread = 0; thread < ALL; thread++) {
        Seen mine = {};
        for (T i = thread; i < limit; i = (T)((unsigned)i + step)) {
            mine.turns++;
            mine.sum += in[i & 1023];
            mine.places += mixed(i);
            if (mine.turns > MOST_TURNS) {
                return false;
            }
        }
        seen[thread] = mine;
    }
    return true;
}

static int compare(const Seen *seen, Seen *wanted)
{
    int wrong = 0;
    cudaDeviceSynchronize();
    for (int i = 0; i < ALL; i++) {
        wrong += seen[i].turns != wanted[i].turns || seen[i].sum != wanted[i].sum ||
                 seen[i].places != wanted[i].places;
    }
    return wrong;
}

// Some number of steps leads the first thread nearly to the end and the last threads past it. Those
// wrap around until they, too, are where the loop ends.
template <typename T> static void show(const char *name, T end, unsigned char *in, Seen *seen)
{
    static Seen wanted[ALL];
    int tried = 0, wrong = 0;
    for (unsigned far = 11; far < ALL; far += 83) {
        for (unsigned parts = 1; parts < 7; parts++) {
            unsigned step = ((unsigned)end - far) / parts;
            T limit = (T)(end - (T)(2 * far + 2 * parts));
            if (walk(limit, step, in, wanted)) {
                stride<T><<<GRID, LINE>>>(limit, step, in, seen);
                wrong += compare(seen, wanted);
                tried++;
            }
            unsigned factor = step / ALL, rest = (unsigned)end - factor * ALL * parts;
            limit = (T)(end - (T)(2 * rest + 2));
            if (walk(limit, factor * ALL, in, wanted)) {
                grid<T><<<GRID, LINE>>>(limit, factor, in, seen);
                wrong += compare(seen, wanted);
                tried++;
            }
        }
    }
    printf("%s: %s, %d wrong\n", name, tried > 60 ? "many" : "too few", wrong);
}

int main()
{
    unsigned char *in;
    Seen *seen;
    MUST(cudaMallocManaged(&in, 1024));
    MUST(cudaMallocManaged(&seen, ALL * sizeof *seen));
    for (int i = 0; i < 1024; i++) {
        in[i] = (unsigned char)(i * 7 + i / 5);
    }
    show<int>("signed", 0x7fffffff, in, seen);
    show<unsigned>("unsigned", 0xffffffffu, in, seen);
    return 0;
}
