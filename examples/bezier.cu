// Quadratic Bezier curves, each tessellated as finely as its bend requires. One thread per curve
// computes the number of points, allocates memory for them from the device heap, and launches a
// grid that computes them in a stream of its own.
//
//   bezier [curves]        default 64
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define THREADS 32
#define MAX_POINTS 256

struct Curve {
    float2 control[3];
    float2 *points; // owned
    int count;
};

__host__ __device__ inline float2 pointAt(const Curve &curve, float t)
{
    float a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
    return make_float2(a * curve.control[0].x + b * curve.control[1].x + c * curve.control[2].x,
                       a * curve.control[0].y + b * curve.control[1].y + c * curve.control[2].y);
}

// The distance of the middle control point from the chord's middle.
__host__ __device__ inline float bendOf(const Curve &curve)
{
    float x = curve.control[1].x - 0.5f * (curve.control[0].x + curve.control[2].x);
    float y = curve.control[1].y - 0.5f * (curve.control[0].y + curve.control[2].y);
    return sqrtf(x * x + y * y);
}

__global__ void tessellate(Curve *curve)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < curve->count) {
        curve->points[i] = pointAt(*curve, (float)i / (curve->count - 1));
    }
}

__global__ void tessellateAll(Curve *curves, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    Curve *curve = &curves[i];
    curve->count = min(max((int)(bendOf(*curve) * 16), 4), MAX_POINTS);
    check(cudaMalloc(&curve->points, curve->count * sizeof(float2)));
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    tessellate<<<(curve->count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(curve);
    check(cudaStreamDestroy(stream));
}

// The host cannot read memory of the device heap, so a kernel copies it out.
__global__ void collect(const Curve *curves, float2 *out)
{
    const Curve &curve = curves[blockIdx.x];
    for (int i = threadIdx.x; i < curve.count; i += THREADS) {
        out[blockIdx.x * MAX_POINTS + i] = curve.points[i];
    }
}

__global__ void freeAll(Curve *curves, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        check(cudaFree(curves[i].points));
    }
}

static bool isRight(const Curve &curve, const Curve &original, const float2 *points)
{
    if (abs(curve.count - bendOf(original) * 16) > MAX_POINTS) {
        return false;
    }
    for (int i = 0; i < curve.count; i++) {
        float2 expected = pointAt(original, (float)i / (curve.count - 1));
        if (!(fabsf(points[i].x - expected.x) < 1e-4f && fabsf(points[i].y - expected.y) < 1e-4f)) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64;
    if (n < 1) {
        fprintf(stderr, "usage: bezier [curves, at least 1]\n");
        return 2;
    }
    std::vector<Curve> host(n);
    unsigned random = 1;
    for (Curve &curve : host) {
        curve = {};
        for (float2 &control : curve.control) {
            random = random * 1664525 + 1013904223;
            control = make_float2((random >> 20) / 256.0f, ((random >> 8) & 4095) / 256.0f);
        }
    }

    Curve *curves = nullptr;
    float2 *out = nullptr;
    check(cudaMalloc(&curves, n * sizeof(Curve)));
    check(cudaMalloc(&out, n * MAX_POINTS * sizeof(float2)));
    check(cudaMemcpy(curves, host.data(), n * sizeof(Curve), cudaMemcpyHostToDevice));
    tessellateAll<<<(n + THREADS - 1) / THREADS, THREADS>>>(curves, n);
    collect<<<n, THREADS>>>(curves, out);
    freeAll<<<(n + THREADS - 1) / THREADS, THREADS>>>(curves, n);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    std::vector<Curve> result(n);
    std::vector<float2> points(n * MAX_POINTS);
    check(cudaMemcpy(result.data(), curves, n * sizeof(Curve), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(points.data(), out, n * MAX_POINTS * sizeof(float2), cudaMemcpyDeviceToHost));
    check(cudaFree(curves));
    check(cudaFree(out));
    int total = 0;
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && isRight(result[i], host[i], &points[i * MAX_POINTS]);
        total += result[i].count;
    }
    if (!right) {
        printf("bezier: FAILED: points are wrong\n");
        return 1;
    }
    printf("bezier: %d curves, %d points\n", n, total);
    return 0;
}
