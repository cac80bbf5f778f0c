// cdpcc: --count
// optimized: the number of branches is that of optimized code
// plain: sanitizers add branches and accesses
// stderr: ^ +4 +32\.00 +ld +global +16 +0 +0 .* coalesced$
// stderr: ^ +1 +32\.00 +ld +global +8 +0 +0 .* stride_2$
// stderr: ^ +1 +32\.00 +ld +global +32 +0 +0 .* stride_32$
// stderr: ^ +1 +32\.00 +ld +global +5 +0 +0 .* misaligned$
// stderr: ^ +32 +32\.00 +ld +shared +1024 +992 +0 .* transpose$
// stderr: ^ +32 +32\.00 +ld +shared +32 +0 +0 .* padded$
// stderr: ^ +2 +32\.00 +atom +global +2 +0 +62 .* histogram$
// stderr: ^ +2 +8\.00 +atom +global +2 +0 +14 .* divergent$
// stderr: ^ +2 +24\.00 +st +global +6 +0 +0 .* divergent$
// stderr: ^ +31 +16\.00 +ld +global +31 +0 +0 .* trips$
// stderr: ^ +32 +16\.50 +branch +31 +0 +0 .* trips$
// stderr: ^ +24 +16\.00 +ld +global +192 +0 +0 .* nested$
// stderr: ^ +5 +6\.20 +ld +shared +5 +0 +0 .* reduction$
// stderr: ^ +1 +32\.00 +ld +shared +2 +0 +0 .* doubles$
// stderr: ^ +1 +32\.00 +ld +shared +4 +2 +0 .* doubles_stride_2$
// stderr: ^ +6 +32\.00 +st +global +24 +0 +0 .* child$
// stderr: ^ +1000 +16\.00 +ld +global +1000 +0 +0 .* far_apart$
// Each kernel has one access whose requests, lanes, sectors or wavefronts, and conflicts follow
// from the source. The columns are requests, lanes, parts, conflicts, same address. Nsight Compute
// counted the same on an H200 for coalesced to histogram, trips, doubles and doubles_stride_2. Without
// the pragma trips has 31 requests, but 60 sectors there: nvcc unrolls the loop.
#include <cstdio>

__global__ void coalesced(float *out, const float *in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

__global__ void stride_2(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x * 2]; }

__global__ void stride_32(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x * 32]; }

__global__ void misaligned(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x + 1]; }

__global__ void transpose(float *out, const float *in)
{
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void padded(float *out, const float *in)
{
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void histogram(unsigned *bin) { atomicAdd(bin, threadIdx.x + 1); }

/* 8 lanes of each warp take one side, 24 the other. */
__global__ void divergent(float *out)
{
    if (threadIdx.x % 32 < 8) {
        atomicAdd(out + 64, 1);
    } else {
        out[threadIdx.x] = 2;
    }
}

/* Lane t makes t turns: 31 requests with 31, 30, ..., 1 lanes. */
__global__ void trips(float *out, const volatile float *in)
{
    float sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < threadIdx.x; i++) {
        sum += in[i];
    }
    out[threadIdx.x] = sum;
}

/* Lanes meet in the same iteration of both loops. In iteration j of the inner one these are the
 * lanes with t % 4 > j: 24, 16 and 8 of them, in each of 8 iterations of the outer loop. Each four lanes access a
 * sector of their own. */
__global__ void nested(float *out, const volatile float *in)
{
    float sum = 0;
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned j = 0; j < threadIdx.x % 4; j++) {
            sum += in[threadIdx.x / 4 * 8 + i + j];
        }
    }
    out[threadIdx.x] = sum;
}

__global__ void reduction(float *out)
{
    volatile __shared__ float part[64];
    part[threadIdx.x] = 1;
    for (unsigned half = 16; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            part[threadIdx.x + 32] = part[threadIdx.x + half];
        }
    }
    *out = 1;
}

__global__ void doubles(double *out)
{
    volatile __shared__ double values[32];
    values[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x];
}

__global__ void doubles_stride_2(double *out)
{
    volatile __shared__ double values[64];
    values[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x * 2];
}

__global__ void child(float *out) { out[threadIdx.x] = 1; }

__global__ void parent(float *out)
{
    child<<<1, 64>>>(out + 64 * threadIdx.x);
}

/* Every second lane is 1,000 loads ahead of the last one if nobody waits. */
__global__ void far_apart(float *out, const volatile float *in)
{
    float sum = 0;
    for (unsigned i = 0; i < 2000; i++) {
        if ((i + threadIdx.x) % 2 == 0 && i < 1000) {
            sum += in[0];
        }
    }
    out[threadIdx.x] = sum;
}

int main()
{
    float *a, *b;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    coalesced<<<2, 64>>>(a, b);
    stride_2<<<1, 32>>>(a, b);
    stride_32<<<1, 32>>>(a, b);
    misaligned<<<1, 32>>>(a, b);
    transpose<<<1, dim3(32, 32)>>>(a, b);
    padded<<<1, dim3(32, 32)>>>(a, b);
    histogram<<<1, 64>>>((unsigned *)a);
    divergent<<<1, 64>>>(a);
    trips<<<1, 32>>>(a, b);
    nested<<<1, 32>>>(a, b);
    reduction<<<1, 32>>>(a);
    doubles<<<1, 32>>>((double *)a);
    doubles_stride_2<<<1, 32>>>((double *)a);
    parent<<<1, 3>>>(a);
    far_apart<<<1, 32>>>(a, b);
    printf("%d\n", cudaDeviceSynchronize());
}
