// Training that is divided among devices: each has a part of the samples and a copy of the weights. In each step each
// device computes the gradient of its samples, the gradients are added up by an all-reduce, and each device moves its
// weights. Kernels and the all-reduce of a device are in one stream, so the host only queues them.
//
//   cdpcc -O2 descent.cu -lnccl -o descent && CDP_DEVICES=4 ./descent [samples]
//
// The weights of a linear model are known, and must be found. All copies must be the same, bit for bit.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <nccl.h>

#include "../check.h"

constexpr int weights = 8, threads = 128, blocks = 8, steps = 200;
constexpr float rate = 1.0f;

static void check(ncclResult_t result, int line = __builtin_LINE())
{
    if (result != ncclSuccess) {
        printf("descent.cu:%d: %s\n", line, ncclGetErrorString(result));
        exit(1);
    }
}

// The sums of the blocks, one row for each. The last block adds them up in their order.
__global__ void addGradient(const float *x, const float *y, int n, const float *w, float *sums, unsigned *ended,
                            float *gradient)
{
    __shared__ float row[threads][weights];
    __shared__ bool isLast;
    float own[weights] = {};
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads) {
        float error = -y[i];
        for (int k = 0; k < weights; k++) {
            error += w[k] * x[i * weights + k];
        }
        for (int k = 0; k < weights; k++) {
            own[k] += error * x[i * weights + k];
        }
    }
    for (int k = 0; k < weights; k++) {
        row[threadIdx.x][k] = own[k];
    }
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            for (int k = 0; k < weights; k++) {
                row[threadIdx.x][k] += row[threadIdx.x + half][k];
            }
        }
        __syncthreads();
    }
    if (threadIdx.x < weights) {
        sums[blockIdx.x * weights + threadIdx.x] = row[0][threadIdx.x];
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        isLast = atomicInc(ended, blocks - 1) == blocks - 1;
    }
    __syncthreads();
    if (isLast && threadIdx.x < weights) {
        float sum = 0;
        for (int block = 0; block < blocks; block++) {
            sum += __ldcg(&sums[block * weights + threadIdx.x]);
        }
        gradient[threadIdx.x] = sum;
    }
}

__global__ void move(float *w, const float *gradient, float scale)
{
    w[threadIdx.x] -= scale * gradient[threadIdx.x];
}

struct Device {
    cudaStream_t stream;
    ncclComm_t comm;
    int n;
    float *x, *y, *w, *sums, *gradient;
    unsigned *ended;
};

static float known(int k)
{
    return 0.25f * (k - 3);
}

// Samples first to first + n - 1 of all.
static void fill(Device *device, int first, int n)
{
    std::vector<float> x(n * weights), y(n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < weights; k++) {
            unsigned random = ((first + i) * weights + k) * 2654435761u;
            x[i * weights + k] = (float)(random >> 16) / 32768 - 1;
            y[i] += known(k) * x[i * weights + k];
        }
    }
    device->n = n;
    check(cudaMalloc(&device->x, x.size() * sizeof(float)));
    check(cudaMalloc(&device->y, y.size() * sizeof(float)));
    check(cudaMalloc(&device->w, weights * sizeof(float)));
    check(cudaMalloc(&device->sums, blocks * weights * sizeof(float)));
    check(cudaMalloc(&device->gradient, weights * sizeof(float)));
    check(cudaMalloc(&device->ended, sizeof(unsigned)));
    check(cudaMemcpy(device->x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemcpy(device->y, y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemset(device->w, 0, weights * sizeof(float)));
    check(cudaMemset(device->ended, 0, sizeof(unsigned)));
}

static void step(std::vector<Device> &devices, int samples)
{
    for (size_t i = 0; i < devices.size(); i++) {
        Device &d = devices[i];
        check(cudaSetDevice((int)i));
        addGradient<<<blocks, threads, 0, d.stream>>>(d.x, d.y, d.n, d.w, d.sums, d.ended, d.gradient);
    }
    check(ncclGroupStart());
    for (Device &d : devices) {
        check(ncclAllReduce(d.gradient, d.gradient, weights, ncclFloat, ncclSum, d.comm, d.stream));
    }
    check(ncclGroupEnd());
    for (size_t i = 0; i < devices.size(); i++) {
        Device &d = devices[i];
        check(cudaSetDevice((int)i));
        move<<<1, weights, 0, d.stream>>>(d.w, d.gradient, rate / samples);
        check(cudaGetLastError());
    }
}

int main(int argc, char **argv)
{
    int samples = argc > 1 ? atoi(argv[1]) : 20000, count;
    check(cudaGetDeviceCount(&count));
    if (samples < count) {
        fprintf(stderr, "usage: descent [samples, at least one for each device]\n");
        return 2;
    }
    std::vector<Device> devices(count);
    std::vector<ncclComm_t> comms(count);
    check(ncclCommInitAll(comms.data(), count, nullptr));
    for (int i = 0; i < count; i++) {
        int first = (int)((long)samples * i / count), end = (int)((long)samples * (i + 1) / count);
        check(cudaSetDevice(i));
        check(cudaStreamCreate(&devices[i].stream));
        devices[i].comm = comms[i];
        fill(&devices[i], first, end - first);
    }
    for (int i = 0; i < steps; i++) {
        step(devices, samples);
    }
    float w[weights], other[weights];
    for (int i = 0; i < count; i++) {
        check(cudaSetDevice(i));
        check(cudaStreamSynchronize(devices[i].stream));
        check(cudaMemcpy(i == 0 ? w : other, devices[i].w, sizeof w, cudaMemcpyDeviceToHost));
        if (i > 0 && memcmp(w, other, sizeof w) != 0) {
            printf("descent: FAILED: devices 0 and %d have different weights\n", i);
            return 1;
        }
    }
    for (int k = 0; k < weights; k++) {
        if (!(fabsf(w[k] - known(k)) < 1e-3f)) {
            printf("descent: FAILED: weight %d is %g instead of %g\n", k, w[k], known(k));
            return 1;
        }
    }
    for (Device &d : devices) {
        check(ncclCommDestroy(d.comm));
        check(cudaStreamDestroy(d.stream));
        for (void *memory : {(void *)d.x, (void *)d.y, (void *)d.w, (void *)d.sums, (void *)d.gradient, (void *)d.ended}) {
            check(cudaFree(memory));
        }
    }
    printf("descent: %d devices, %d samples, %d steps: the weights were found\n", count, samples, steps);
}
