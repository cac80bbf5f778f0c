// cdpcc: --entry=block -O2
// Threads whose partner's number differs from theirs by some bits; and stores by some threads of a
// row to one address.
#include <stdio.h>
#include <vector>
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
template <class T> __global__ void swap(T *d, int by, int n)
{
    int i = I, x = i ^ by;
    if (x > i && x < n) {
        T kept = d[i];
        d[i] = d[x];
        d[x] = kept;
    }
}
template <class T> __global__ void copy(const T *from, T *to, unsigned by)
{
    unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    to[first + (t ^ by)] = from[first + (t ^ by ^ 1)] + from[(first + t) ^ 3];
}
template <class T> __global__ void some(const T *from, T *to, int by, int n)
{
    int i = I;
    if (i < n && (i & 5) != 0) {
        to[(i ^ by) & 1023] = from[((i ^ by) | 1024) ^ by] + from[(i ^ 6) & 511];
    }
}
/* Sums carry into bits that are then cleared, or set. */
template <class T> __global__ void carried(const T *from, T *to, unsigned by, size_t more, size_t bits)
{
    unsigned t = threadIdx.x;
    to[t] = from[((size_t)(t ^ by) + more) & 255] + from[((size_t)(t ^ by) + more) | bits] * 3 +
            from[(size_t)((t ^ by) + (unsigned)more) & 127] * 5;
}
__global__ void sorted(int *d)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = d[I];
    __syncthreads();
    for (int k = 2; k <= (int)blockDim.x; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            int x = t ^ j;
            if (x > t && ((t & k) == 0 ? s[t] > s[x] : s[t] < s[x])) {
                int kept = s[t];
                s[t] = s[x];
                s[x] = kept;
            }
            __syncthreads();
        }
    }
    d[I] = s[t];
}
__global__ void borders(const int *in, int *out, int w)
{
    __shared__ int tile[34][34];
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, tx = threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = in[y * w + x];
    if (tx == 1) {
        tile[ty][0] = in[y * w + x - 1];
    }
    if (tx == blockDim.x) {
        tile[ty][tx + 1] = in[y * w + x + 1];
    }
    if (ty == 1) {
        tile[0][tx] = in[(y - 1) * w + x];
    } else if (ty == blockDim.y) {
        tile[ty + 1][tx] = in[(y + 1) * w + x];
    }
    __syncthreads();
    out[y * w + x] = tile[ty - 1][tx] * 2 + tile[ty + 1][tx] * 3 + tile[ty][tx - 1] * 5 + tile[ty][tx + 1];
}
__global__ void last(const int *in, int *out, int n)
{
    if (I < n && in[I] % 4 == 0) { /* the same thread stores both */
        out[2 * blockIdx.x] = I;
        out[2 * blockIdx.x + 1] = in[I];
    }
}
enum { N = 1024 };
static const int widths[] = {256, 128, 96, 100, 64, 33, 16, 7};
template <class T> static int places(const char *name)
{
    T *a, *b;
    cudaMallocManaged(&a, 2 * N * sizeof *a);
    cudaMallocManaged(&b, 2 * N * sizeof *b);
    int wrong[3] = {0};
    std::vector<T> e(2 * N);
    for (int width : widths) {
        for (int by : {1, 2, 3, 5, 8, 15, 16, 17, 32, 40, 63, 64, 127}) {
            int n = N - by % 3 * 37;
            for (int i = 0; i < 2 * N; i++) {
                e[i] = a[i] = (T)(i * 37 % 113);
                b[i] = 0;
            }
            for (int i = 0; i < n; i++) {
                e[i] = (i ^ by) < n ? a[i ^ by] : a[i];
            }
            swap<<<(N + width - 1) / width, width>>>(a, by, n);
            cudaDeviceSynchronize();
            for (int i = 0; i < N; i++) {
                wrong[0] += a[i] != e[i];
            }
            int blocks = N / width;
            if ((width & (width - 1)) == 0 && by < width && width > 1) {
                copy<<<blocks, width>>>(a, b, by);
                cudaDeviceSynchronize();
                for (int i = 0; i < blocks * width; i++) {
                    wrong[1] += b[i] != (T)(a[i ^ 1] + a[i ^ by ^ 3]);
                }
            }
            for (int i = 0; i < N; i++) {
                b[i] = e[i] = 1;
            }
            for (int i = 0; i < n; i++) {
                if ((i & 5) != 0) {
                    e[(i ^ by) & 1023] = a[((i ^ by) | 1024) ^ by] + a[(i ^ 6) & 511];
                }
            }
            some<<<(N + width - 1) / width, width>>>(a, b, by, n);
            cudaDeviceSynchronize();
            for (int i = 0; i < N; i++) {
                wrong[2] += b[i] != e[i];
            }
        }
    }
    printf("%s: %d %d %d wrong\n", name, wrong[0], wrong[1], wrong[2]);
    return 0;
}
template <class T> static int carries()
{
    T *a, *b;
    cudaMallocManaged(&a, 2 * N * sizeof *a);
    cudaMallocManaged(&b, 2 * N * sizeof *b);
    int wrong = 0;
    for (int i = 0; i < 2 * N; i++) {
        a[i] = (T)(i * 77);
    }
    for (int by : {0, 1, 5, 16, 40}) {
        for (int more : {0, 5, 16, 250}) {
            for (int bits : {0, 3, 16, 64}) {
                carried<<<1, 256>>>(a, b, by, more, bits);
                cudaDeviceSynchronize();
                for (int t = 0; t < 256; t++) {
                    int at = (t ^ by) + more;
                    wrong += b[t] != (T)(a[at & 255] + a[at | bits] * 3 + a[at & 127] * 5);
                }
            }
        }
    }
    return wrong;
}
static void sorts()
{
    int *d, wrong = 0;
    cudaMallocManaged(&d, N * sizeof *d);
    for (int width = 1; width <= N; width *= 2) {
        for (int i = 0; i < N; i++) {
            d[i] = i * 2654435761u >> 12;
        }
        sorted<<<N / width, width, width * sizeof *d>>>(d);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++) {
            wrong += i % width != 0 && d[i - 1] > d[i];
        }
    }
    printf("sorts: %d wrong\n", wrong);
}
static void edges()
{
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, 70 * 70 * sizeof *in);
    cudaMallocManaged(&out, 70 * 70 * sizeof *out);
    for (int i = 0; i < 70 * 70; i++) {
        in[i] = i * 2654435761u >> 20;
    }
    for (dim3 block : {dim3(32, 32), dim3(16, 16), dim3(8, 8), dim3(32, 4), dim3(4, 32), dim3(2, 2)}) {
        borders<<<dim3(64 / block.x, 64 / block.y), block>>>(in, out, 70);
        cudaDeviceSynchronize();
        for (int y = 1; y <= 64; y++) {
            for (int x = 1; x <= 64; x++) {
                const int *at = in + y * 70 + x;
                wrong += out[y * 70 + x] != at[-70] * 2 + at[70] * 3 + at[-1] * 5 + at[1];
            }
        }
    }
    for (int width : widths) {
        int n = 70 * 70 - 11, blocks = (n + width - 1) / width;
        for (int i = 0; i < 2 * blocks; i++) {
            out[i] = -1;
        }
        last<<<blocks, width>>>(in, out, n);
        cudaDeviceSynchronize();
        for (int b = 0; b < blocks; b++) {
            int any = -1;
            for (int i = b * width; i < n && i < (b + 1) * width; i++) {
                any = in[i] % 4 == 0 ? i : any;
            }
            wrong += any < 0 ? out[2 * b] != -1
                             : out[2 * b] / width != b || out[2 * b + 1] != in[out[2 * b]];
        }
    }
    printf("edges: %d wrong\n", wrong);
}
int main()
{
    places<unsigned char>("bytes");
    places<short>("16 bits");
    places<int>("32 bits");
    places<float>("floats");
    places<long long>("64 bits");
    places<double>("doubles");
    printf("carries: %d %d wrong\n", carries<int>(), carries<long long>());
    sorts();
    edges();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
