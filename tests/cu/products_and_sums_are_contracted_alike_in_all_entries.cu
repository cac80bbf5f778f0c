// Which of several products are contracted with sums must not depend on the entry: blocks of one
// thread, which run by thread entries, give the same bits as large ones.
#include <cstdio>
#include <cstring>

__global__ void step(float *positions, float *velocities, const float *bests, const float *best,
                     int n, float p, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        velocities[i] = 0.5f * velocities[i] + 1.5f * p * (bests[i] - positions[i]) +
                        1.5f * g * (best[i % 30] - positions[i]);
        positions[i] += velocities[i];
    }
}

__global__ void polynomial(const float *x, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double a = x[i], b = x[(i + 1) % n], sum = 0;
        for (int k = 0; k < 5; k++) {
            sum += a * b - (a - b) * (b + k) + (a + k) * (a - k) * b;
        }
        out[i] = sum * a + b * b;
    }
}

static const int n = 900;

struct Results {
    float positions[n], velocities[n], bests[n], best[30];
    double sums[n];
};

static void run(Results *r, int threads)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < n; i++) {
        r->positions[i] = i * 7919 % 1000 / 100.0f - 5;
        r->velocities[i] = i * 104729 % 1000 / 100.0f - 5;
        r->bests[i] = r->positions[i] * 0.9f;
        r->best[i % 30] = r->bests[i];
    }
    int blocks = (n + threads - 1) / threads;
    for (int i = 0; i < 20; i++) {
        step<<<blocks, threads>>>(r->positions, r->velocities, r->bests, r->best, n,
                                  0.3f + i * 0.01f, 0.7f - i * 0.01f);
    }
    polynomial<<<blocks, threads>>>(r->positions, r->sums, n);
    printf("%d threads: %s\n", threads, cudaGetErrorName(cudaDeviceSynchronize()));
}

int main()
{
    Results *one, *many;
    cudaMallocManaged(&one, sizeof *one);
    cudaMallocManaged(&many, sizeof *many);
    run(one, 1);
    for (int threads : {2, 3, 64, 100, 256}) {
        run(many, threads);
        printf("%s\n", memcmp(one, many, sizeof *one) == 0 ? "the same" : "DIFFERENT");
    }
}
