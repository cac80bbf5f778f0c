// An index of the form row * size + threadIdx.x is used on both sides of a barrier in a loop over rows. Where it is
// needed again it is computed from the row, which is uniform, and not stored for each thread.
#include <cstdio>
#include <cstdlib>

enum { SIZE = 128, ROWS = 37, BLOCKS = 5 };

__global__ void reverse(float *out, const float *in, int rows)
{
    __shared__ float s[SIZE];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        s[threadIdx.x] = in[row * SIZE + threadIdx.x] + 1;
        __syncthreads();
        out[row * SIZE + threadIdx.x] = s[SIZE - 1 - threadIdx.x];
        __syncthreads();
    }
}

// The same by a signed index, with a row that is loaded, and rows that are left out.
__global__ void listed(float *__restrict__ out, const float *__restrict__ in, const int *__restrict__ list, int count)
{
    __shared__ float s[SIZE];
    int t = threadIdx.x;
    for (int i = blockIdx.x; i < count; i += gridDim.x) {
        int row = list[i];
        if (row < 0) {
            continue;
        }
        s[t] = in[row * SIZE + t] * 2;
        __syncthreads();
        float sum = s[t] + s[t ^ 1];
        __syncthreads();
        out[row * SIZE + t] = sum + row;
    }
}

// Threads leave the inner loop at different times, and the index is of the iteration in which each left.
__global__ void apart(int *out, const int *steps, int rounds)
{
    __shared__ int s[SIZE];
    unsigned at = 0;
    int k = 0;
    for (int round = 0; round < rounds; round++) {
        do {
            at = (k * 3 + round) * SIZE + threadIdx.x;
            k++;
        } while (k % 8 < steps[threadIdx.x]);
        s[threadIdx.x] = at;
        __syncthreads();
        out[round * SIZE + threadIdx.x] = s[threadIdx.x ^ 3] + at;
        __syncthreads();
    }
}

// The index wraps around within a vector: the sum of 32 bits is what counts.
__global__ void wraps(unsigned *sums, const unsigned *in, unsigned first)
{
    __shared__ unsigned s[SIZE];
    for (unsigned row = 0; row < 3; row++) {
        unsigned i = first + row * SIZE + threadIdx.x;
        s[threadIdx.x] = i < 2 * SIZE ? in[i] : 1000;
        __syncthreads();
        unsigned other = s[(threadIdx.x + 1) % SIZE];
        if (i < 2 * SIZE) {
            sums[i] = other + in[i];
        }
        __syncthreads();
    }
}

template <typename T> static T *filled(int count, int mod)
{
    T *array;
    cudaMallocManaged(&array, count * sizeof(T));
    for (int i = 0; i < count; i++) {
        array[i] = (T)(i * 7 % mod);
    }
    return array;
}

static int wrong;
template <typename T> static void expect(T is, T wanted) { wrong += is != wanted; }

static void show(const char *name)
{
    printf("%s: %d wrong\n", name, wrong);
    wrong = 0;
}

int main()
{
    float *in = filled<float>(ROWS * SIZE, 1009), *out = filled<float>(ROWS * SIZE, 3);
    reverse<<<BLOCKS, SIZE>>>(out, in, ROWS);
    cudaDeviceSynchronize();
    for (int i = 0; i < ROWS * SIZE; i++) {
        expect(out[i], in[i / SIZE * SIZE + SIZE - 1 - i % SIZE] + 1);
    }
    show("reverse");

    int *list = filled<int>(ROWS, ROWS);
    for (int i = 0; i < ROWS; i++) {
        list[i] = i % 4 == 1 ? -1 : list[i];
    }
    for (int i = 0; i < ROWS * SIZE; i++) {
        out[i] = -5;
    }
    listed<<<BLOCKS, SIZE>>>(out, in, list, ROWS);
    cudaDeviceSynchronize();
    for (int i = 0; i < ROWS; i++) {
        for (int t = 0; t < SIZE; t++) {
            int row = i * 7 % ROWS, at = row * SIZE;
            expect(out[at + t], list[i] < 0 ? -5 : 2 * in[at + t] + 2 * in[at + (t ^ 1)] + row);
        }
    }
    show("listed");

    int *steps = filled<int>(SIZE, 8), *places = filled<int>(ROWS * SIZE, 2);
    apart<<<1, SIZE>>>(places, steps, ROWS);
    cudaDeviceSynchronize();
    int k[SIZE] = {0}, at[SIZE];
    for (int round = 0; round < ROWS; round++) {
        for (int t = 0; t < SIZE; t++) {
            do {
                at[t] = (k[t]++ * 3 + round) * SIZE + t;
            } while (k[t] % 8 < steps[t]);
        }
        for (int t = 0; t < SIZE; t++) {
            expect(places[round * SIZE + t], at[t ^ 3] + at[t]);
        }
    }
    show("apart");

    unsigned *numbers = filled<unsigned>(2 * SIZE, 97), *sums = filled<unsigned>(2 * SIZE, 5);
    for (unsigned first = -3u * SIZE - 20; first != 40; first++) {
        wraps<<<1, SIZE>>>(sums, numbers, first);
        cudaDeviceSynchronize();
        for (unsigned row = 0; row < 3; row++) {
            for (unsigned t = 0; t < SIZE; t++) {
                unsigned i = first + row * SIZE + t, j = first + row * SIZE + (t + 1) % SIZE;
                if (i < 2 * SIZE) {
                    expect(sums[i], (j < 2 * SIZE ? numbers[j] : 1000) + numbers[i]);
                }
            }
        }
    }
    show("wraps");
}
