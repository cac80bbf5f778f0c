// Bezier curves: one thread for each curve computes how many points it needs, and launches a grid that
// computes the points. Afterwards the lengths of all curves are added up.
//
//   bezier CURVES        CURVES: from 1 to 64
#include <cstdio>
#include <cstdlib>

#define MOST 64 // points of a curve

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

struct Point {
    int x, y;
};

struct Curve {
    Point control[3];
    int count;
    Point points[MOST];
};

// One thread for each point. The arithmetic is exact, so that all machines print the same.
__global__ void tessellate(Curve *curve)
{
    int i = threadIdx.x, last = curve->count - 1;
    int a = (last - i) * (last - i), b = 2 * i * (last - i), c = i * i;
    const Point *control = curve->control;
    curve->points[i] = {(a * control[0].x + b * control[1].x + c * control[2].x) / (last * last),
                        (a * control[0].y + b * control[1].y + c * control[2].y) / (last * last)};
}

// Adds up the lengths of the curves, from point to point along the axes.
__global__ void measure(const Curve *curves, int n, int *length)
{
    int sum = 0;
    for (const Curve *curve = curves; curve < curves + n; curve++) {
        for (int i = 1; i < curve->count; i++) {
            sum += abs(curve->points[i].x - curve->points[i - 1].x);
            sum += abs(curve->points[i].y - curve->points[i - 1].y);
        }
    }
    *length = sum;
}

// One block. The curves do not depend on each other, so each gets a stream of its own.
__global__ void draw(Curve *curves, int n, int *length)
{
    Curve *curve = &curves[threadIdx.x];
    Point first = curve->control[0], middle = curve->control[1], last = curve->control[2];
    int bend = abs(2 * middle.x - first.x - last.x) + abs(2 * middle.y - first.y - last.y);
    curve->count = min(max(bend / 64, 4), MOST);

    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    tessellate<<<1, curve->count, 0, stream>>>(curve);
    cudaStreamDestroy(stream);

    __syncthreads();
    if (threadIdx.x == 0) {
        measure<<<1, 1>>>(curves, n, length);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    if (n < 1 || n > 64) {
        printf("usage: bezier CURVES, from 1 to 64\n");
        return 2;
    }
    Curve *curves;
    int *length;
    CHECK(cudaMallocManaged(&curves, n * sizeof(Curve)));
    CHECK(cudaMallocManaged(&length, sizeof(int)));
    unsigned random = 1;
    for (int i = 0; i < n; i++) {
        for (Point &point : curves[i].control) {
            random = random * 1664525 + 1013904223;
            point = {(int)(random >> 22), (int)(random >> 8 & 1023)};
        }
    }
    draw<<<1, n>>>(curves, n, length);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    int points = 0;
    for (int i = 0; i < n; i++) {
        points += curves[i].count;
    }
    printf("%d curves, %d points, length %d\n", n, points, *length);
    CHECK(cudaFree(curves));
    CHECK(cudaFree(length));
    return 0;
}
