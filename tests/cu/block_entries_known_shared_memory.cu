// cdpcc: --entry=block
// The contents of shared memory are known in straight-line code: loads of data that several stores
// wrote, of parts of elements, after masks, and stores that only a later access reads.
#include "show.h"
enum { BLOCKS = 3, THREADS = 128 };

template <class T> __global__ void tree(const T *in, T *out)
{
    __shared__ T s[THREADS];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half >>= 1) {
        if (t < half) {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
    out[blockIdx.x * THREADS + t] = t == 0 ? s[0] : s[t - 1]; /* all results of the tree */
}

template <class T> __global__ void scan(const T *in, T *out)
{
    extern __shared__ char memory[];
    T *s = (T *)memory;
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned apart = 1; apart < THREADS; apart <<= 1) {
        T before = t >= apart ? s[t - apart] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    out[blockIdx.x * THREADS + t] = s[t];
}

/* Bytes of wider elements, and elements of which parts were stored again. */
__global__ void parts(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[THREADS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = in[i];
    __syncthreads();
    unsigned char byte = ((unsigned char *)s)[t + 5];
    __syncthreads();
    if (t < 40) {
        ((unsigned short *)s)[t + 3] = (unsigned short)(byte * 3);
    }
    __syncthreads();
    out[i] = s[t] ^ (t >= 3 ? s[t - 3] : 0) ^ (unsigned)__float_as_int(((float *)s)[t ^ 1]);
}

/* Unknown addresses: they contain the value that was stored last. */
__global__ void anywhere(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[THREADS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = in[i];
    __syncthreads();
    unsigned v = t >= 2 ? s[t - 2] : 5;
    __syncthreads();
    s[(t * 5 + in[0]) % THREADS] = v;
    __syncthreads();
    v += t >= 9 ? s[t - 9] : 1;
    __syncthreads();
    if (t < 50) {
        s[t + 7] = v;
    }
    __syncthreads();
    v += s[in[i] % THREADS];
    __syncthreads();
    s[t] = v;
    __syncthreads();
    for (unsigned k = 0; k < in[1] % 4 + 2; k++) {
        v += t >= 3 ? s[t - 3] : 0;
        __syncthreads();
        s[t] = v;
        __syncthreads();
    }
    out[i] = v + (t >= 9 ? s[t - 9] : 1);
}

/* The result of three stores. */
__global__ void patches(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[THREADS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = in[i];
    __syncthreads();
    if (t >= 18 && t < 23) {
        s[t] = in[i] + 1;
    }
    __syncthreads();
    if (t % 16 == 10) {
        s[t] = in[i] + 2;
    }
    __syncthreads();
    if (t < in[2] % 100) {
        s[t] = in[i] + 3;
    }
    __syncthreads();
    out[i] = t >= 4 ? s[t - 4] : 7;
}

/* Static and dynamic memory are two things. */
__global__ void both(const unsigned *in, unsigned *out)
{
    extern __shared__ char memory[];
    __shared__ unsigned s[THREADS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t, *d = (unsigned *)memory;
    s[t] = in[i];
    d[t] = in[i] * 3;
    __syncthreads();
    unsigned v = t + 3 < THREADS ? s[t + 3] * 7 : 0, w = t + 3 < THREADS ? d[t + 3] : 0;
    __syncthreads();
    d[t] = v + w;
    __syncthreads();
    out[i] = (t >= 1 ? d[t - 1] : 0) * 5 + s[THREADS - 1];
}

static unsigned hash;
template <class T> static int show(const char *name, const T *out)
{
    hash = 2166136261u;
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        hash = (hash ^ (unsigned)out[i]) * 16777619u;
    }
    printf("%s: %08x\n", name, hash);
    return 0;
}
template <class T> static int run(const char *name)
{
    static T in[BLOCKS * THREADS], out[BLOCKS * THREADS];
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        in[i] = (T)(i * 37 % 101);
    }
    tree<T><<<BLOCKS, THREADS>>>(in, out);
    MUST(cudaDeviceSynchronize());
    show(name, out);
    scan<T><<<BLOCKS, THREADS, THREADS * sizeof(T)>>>(in, out);
    MUST(cudaDeviceSynchronize());
    return show(name, out);
}
int main()
{
    run<unsigned char>("unsigned char");
    run<short>("short");
    run<int>("int");
    run<float>("float");
    run<long long>("long long");
    run<double>("double");
    static unsigned in[BLOCKS * THREADS], out[BLOCKS * THREADS];
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        in[i] = (unsigned)i * 2654435761u >> 7;
    }
    parts<<<BLOCKS, THREADS>>>(in, out);
    MUST(cudaDeviceSynchronize());
    show("parts", out);
    anywhere<<<BLOCKS, THREADS>>>(in, out);
    MUST(cudaDeviceSynchronize());
    show("anywhere", out);
    patches<<<BLOCKS, THREADS>>>(in, out);
    MUST(cudaDeviceSynchronize());
    show("patches", out);
    both<<<BLOCKS, THREADS, THREADS * sizeof(unsigned)>>>(in, out);
    MUST(cudaDeviceSynchronize());
    show("both", out);
}
