// cdpcc: --check=init,race
// Copies of what nobody wrote are no uses, also if the race check looks at the values that are stored.
// Neither are the other bits of a word in which a bit-field is set.
#include <cstdio>

enum { N = 64 };

template <typename T> __global__ void fill(T *a)
{
    if (threadIdx.x < N / 2) {
        a[threadIdx.x] = T();
    }
}

template <typename T> __global__ void copy(T *to, const T *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

template <typename T> static void copyHalf()
{
    T *from, *to, out[N];
    cudaMalloc(&from, sizeof out);
    cudaMalloc(&to, sizeof out);
    fill<<<1, N>>>(from);
    copy<<<1, N>>>(to, from);
    cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
}

struct Fields {
    unsigned a : 3, b : 5, c : 24;
    unsigned char isSet : 1, isZero : 1, d : 4;
};

__device__ void set(Fields *f, unsigned a)
{
    f->a = a;
    f->isSet = 1;
    f->isZero = 0;
    f->d = a * 2;
    f->b = 2;
    f->c = a * 3;
}

__device__ int sumOf(const Fields *f)
{
    return f->a + f->b + f->c + f->isSet + f->isZero + f->d;
}

__global__ void set(Fields *fields)
{
    __shared__ Fields own[N];
    set(&fields[threadIdx.x], threadIdx.x);
    set(&own[threadIdx.x], threadIdx.x);
    __syncthreads();
    fields[threadIdx.x].c += sumOf(&own[N - 1 - threadIdx.x]);
}

__global__ void use(const Fields *fields, int *sum)
{
    atomicAdd(sum, sumOf(&fields[threadIdx.x]));
}

int main()
{
    copyHalf<char>();
    copyHalf<short>();
    copyHalf<int>();
    copyHalf<long long>();
    copyHalf<float>();
    copyHalf<double>();
    copyHalf<int *>();
    Fields *fields;
    int *sum;
    cudaMalloc(&fields, N * sizeof *fields);
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    set<<<1, N>>>(fields);
    use<<<1, N>>>(fields, sum);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%d\n", *sum);
    cudaFree(fields);
    cudaFree(sum);
}
