// races: what threads may load while others store is what it is about
// Threads load from one address, to which threads of the block store without a barrier in between. Each
// thread keeps the value that it has loaded: before the next barrier, after it, and for the branches
// that it takes. Each kernel counts contradictions: under every order of the threads there are none.
#include <cstdio>
#include <cstring>

enum { THREADS = 192, ROUNDS = 8 };

// The thread that marks an entry continues with the next one: in the end all are marked.
__global__ void marks(int *list, int *steps)
{
    bool done = false;
    int marked = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (!done) {
            if (list[i] == 7) {
                done = true;
            } else {
                list[i] = 7;
                marked++;
            }
        }
        __syncthreads();
    }
    steps[threadIdx.x] = marked;
}

// How the address is written, and by which threads.
enum { STORES, ADDS, FILLS, COPIES, CALLS, OTHER_POINTER, WAYS };
__device__ __noinline__ void store(int *to, int value)
{
    *to = value;
}
template<int WAY> __device__ void write(int *place, int **other, int value)
{
    if (WAY == STORES) {
        *place = value;
    } else if (WAY == ADDS) {
        atomicAdd(place, value - 1);
    } else if (WAY == FILLS) {
        memset(place, value, sizeof *place);
    } else if (WAY == COPIES) {
        memcpy(place, &value, sizeof value);
    } else if (WAY == CALLS) {
        store(place, value);
    } else {
        **other = value;
    }
}
// The loaded value is added on one side of the barrier and subtracted on the other.
template<int WAY> __global__ void remembers(int *place, int **other, const int *early, long *left)
{
    int thread = threadIdx.x;
    for (int i = 0; i < ROUNDS; i++) {
        if (early[thread] == i) {
            write<WAY>(place, other, i + 2);
        }
        int seen = *place;
        left[thread] += seen;
        if (thread % 61 == i) {
            write<WAY>(place, other, i + 3);
        }
        __syncthreads();
        left[thread] -= seen;
    }
}
__global__ void in_shared_memory(const int *early, long *left)
{
    __shared__ int beside[THREADS], place, list[ROUNDS];
    int thread = threadIdx.x;
    if (thread < ROUNDS) {
        list[thread] = 0;
    }
    if (thread == 0) {
        place = 0;
    }
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++) {
        beside[thread] = i;
        if (early[thread] <= i) {
            place = i + 1;
            list[thread % ROUNDS]++;
        }
        int seen = place, counted = list[i], from = beside[i];
        left[thread] += seen + 100 * counted + 10000 * from;
        __syncthreads();
        left[thread] -= seen + 100 * counted + 10000 * from;
    }
}
// Beside warp operations each warp has a value.
__global__ void in_warps(int *place, const int *early, long *left)
{
    int thread = threadIdx.x;
    for (int i = 0; i < ROUNDS; i++) {
        if (early[thread] == i) {
            *place = i + 2;
        }
        int seen = *place;
        unsigned above = __ballot_sync(~0u, seen > i);
        if (above != 0) {
            left[thread] += seen;
        }
        if (thread % 61 == i) {
            *place = i + 3;
        }
        __syncthreads();
        if (above != 0) {
            left[thread] -= seen;
        }
    }
}
// The thread that loads a zero returns, and other threads reach the barrier.
__global__ void returns(int *place, int *came, int *counted)
{
    if (*place == 0) {
        *place = threadIdx.x >= 100;
        atomicAdd(&came[0], 1);
        return;
    }
    atomicAdd(&came[1], 1);
    int all = __syncthreads_count(1);
    if (threadIdx.x == THREADS - 1) {
        *counted = all;
    }
}
// A loop whose exit depends on a value loaded in it.
__global__ void loops(int *place, const int *early, long *left)
{
    int thread = threadIdx.x, turns = 0, last = 0;
    while (turns < 5 && (last = *place) <= turns) {
        turns++;
        if (early[thread] == turns) {
            *place = turns + 1;
        }
    }
    left[thread] = turns + 10 * last;
    __syncthreads();
    left[thread] -= turns + 10 * last;
}
// All threads take one path to the next barrier, by the value that they load at the start of an
// iteration: though they have stored their sums to memory of the same type before.
__global__ void agrees(int *place, int *sums)
{
    for (int i = 0; i < ROUNDS; i++) {
        int seen = *place;
        if (seen % 2 == 1) {
            __syncthreads();
            seen += 10;
        }
        sums[threadIdx.x] += seen;
        __syncthreads();
        if (threadIdx.x == THREADS - 1) {
            *place = seen % 10 + 1;
        }
        __syncthreads();
    }
}

template<class T> static T *allocate(size_t count)
{
    T *made;
    cudaMallocManaged(&made, count * sizeof *made);
    memset(made, 0, count * sizeof *made);
    return made;
}
static long *left;
static void show(const char *what)
{
    int wrong = 0;
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; i++) {
        wrong += left[i] != 0;
        left[i] = 0;
    }
    printf("%s: %d wrong (%s)\n", what, wrong, cudaGetErrorName(error));
}
template<int WAY> static void remember(const char *how, int *place, int **other, const int *early)
{
    *place = 0;
    remembers<WAY><<<1, THREADS>>>(place, other, early, left);
    show(how);
}

int main()
{
    int *list = allocate<int>(ROUNDS), *threads = allocate<int>(THREADS);
    left = allocate<long>(THREADS);
    marks<<<1, THREADS>>>(list, threads);
    cudaDeviceSynchronize();
    int marked = 0, most = 0;
    for (int i = 0; i < ROUNDS; i++) {
        marked += list[i] == 7;
    }
    for (int i = 0; i < THREADS; i++) {
        most = threads[i] > most ? threads[i] : most;
    }
    printf("%d marked, some thread marked %d\n", marked, most);

    int *place = allocate<int>(1), **other = allocate<int *>(1), *early = allocate<int>(THREADS);
    *other = place;
    for (int i = 0; i < THREADS; i++) {
        early[i] = i * 7 % 64;
    }
    remember<STORES>("stored to", place, other, early);
    remember<ADDS>("added to", place, other, early);
    remember<FILLS>("filled", place, other, early);
    remember<COPIES>("copied to", place, other, early);
    remember<CALLS>("stored to by calls", place, other, early);
    remember<OTHER_POINTER>("stored to elsewhere", place, other, early);
    in_shared_memory<<<1, THREADS>>>(early, left);
    show("in shared memory");
    *place = 0;
    in_warps<<<1, THREADS>>>(place, early, left);
    show("beside warp operations");

    *place = 0;
    int *came = allocate<int>(2), *counted = allocate<int>(1);
    returns<<<1, THREADS>>>(place, came, counted);
    cudaError_t error = cudaDeviceSynchronize();
    printf("returned or went on: %d, at the barrier as many as went on: %d (%s)\n",
           came[0] + came[1], *counted == came[1], cudaGetErrorName(error));

    *place = 0;
    loops<<<1, THREADS>>>(place, early, left);
    show("loops");

    *place = 0;
    memset(threads, 0, THREADS * sizeof *threads);
    agrees<<<1, THREADS>>>(place, threads);
    for (int i = 0; i < THREADS; i++) {
        cudaDeviceSynchronize();
        left[i] = threads[i] - threads[0];
    }
    printf("agree on %d\n", threads[0]);
    show("agree");
}
