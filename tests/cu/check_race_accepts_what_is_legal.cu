// cdpcc: --check=race --cdp=1
// races: ThreadSanitizer does not know that a volatile flag orders
// Every way to order two accesses, by all kinds of launches, waits and flags: no report.
#include <cstdio>
#include <cstring>

__global__ void add(int *cell, int by)
{
    *cell += by;
}

// ---- Within a block ----

__global__ void barriers(int *cells)
{
    __shared__ int values[64];
    __shared__ char bytes[64];
    unsigned t = threadIdx.x;
    values[t] = t;
    bytes[t] = t;
    __syncthreads();
    cells[t] = values[63 - t] + bytes[63 - t];
    __syncthreads();
    values[63 - t] = cells[t];
    int sum = __syncthreads_count(values[63 - t] >= 0);
    cells[t] = values[t] + sum;
}

__global__ void warps(int *cells)
{
    __shared__ int values[32];
    unsigned t = threadIdx.x;
    values[t] = t;
    __syncwarp();
    int other = values[t ^ 1];
    __syncwarp();
    values[t] = other;
    other = __shfl_xor_sync(0xffffffff, other, 2);
    cells[t] = values[31 - t] + other;
    __syncwarp();
    // A part of the warp.
    if (t < 8) {
        __syncwarp(0xff);
        values[t] = cells[t];
        __syncwarp(0xff);
        cells[t] = values[7 - t];
    }
}

// ---- Between blocks ----

__device__ unsigned done;
__device__ int lock;

__global__ void lastBlock(int *parts, int *out)
{
    __shared__ bool last;
    parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        int sum = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) {
            sum += parts[i];
        }
        atomicAdd(out, sum);
    }
}

__global__ void locked(int *counter)
{
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    *counter += 1;
    __threadfence();
    atomicExch(&lock, 0);
}

__global__ void flagged(int *data, volatile int *flag)
{
    if (blockIdx.x == 0) {
        data[0] = 42;
        __threadfence();
        flag[0] = 1;
    } else {
        while (flag[0] == 0) {
        }
        __threadfence();
        data[1] = data[0];
    }
}

// ---- Parents and children ----

__global__ void waits(int *cells)
{
    cells[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        add<<<1, 1>>>(&cells[5], 1);
        add<<<1, 1>>>(&cells[5], 1); // the same stream
        cudaDeviceSynchronize();
    }
    __syncthreads();
    if (threadIdx.x == 40) {
        cells[5] += 1;
    }
}

__global__ void streams(int *cell)
{
    cudaStream_t one, two;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    *cell = 1;
    add<<<1, 1, 0, one>>>(cell, 1);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    add<<<1, 1, 0, two>>>(cell, 1);
    cudaMemcpyAsync(cell + 1, cell, sizeof(int), cudaMemcpyDeviceToDevice, two);
}

// ---- The host ----

static int *buffer(int **cells)
{
    cudaMallocManaged(cells, 64 * sizeof(int));
    memset(*cells, 0, 64 * sizeof(int));
    return *cells;
}

static void onHost(int *cells)
{
    cudaStream_t one, two;
    cudaEvent_t event;
    cudaStreamCreate(&one);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cells[0] = 1;
    add<<<1, 1, 0, one>>>(cells, 1);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    add<<<1, 1, 0, two>>>(cells, 1);
    cudaStreamSynchronize(two);
    cells[0] += 1;
    add<<<1, 1, 0, one>>>(cells, 1);
    add<<<1, 1>>>(cells, 1); // the NULL stream waits for one
    add<<<1, 1, 0, one>>>(cells, 1);
    cudaEventRecord(event, one);
    cudaEventSynchronize(event);
    cells[0] += 1;
    add<<<1, 1, 0, one>>>(cells, 1);
    while (cudaStreamQuery(one) == cudaErrorNotReady) {
    }
    printf("%d\n", cells[0]);
}

static void copies(int *cells)
{
    int *device, local = 3;
    cudaMalloc(&device, sizeof(int));
    cudaMemcpy(device, &local, sizeof(int), cudaMemcpyHostToDevice);
    add<<<1, 1>>>(device, 1);
    cudaMemcpy(cells, device, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", cells[0]);
    // The next allocation has the same address.
    cudaFree(device);
    cudaMalloc(&device, sizeof(int));
    cudaMemset(device, 0, sizeof(int));
    cudaDeviceSynchronize();
    cudaFree(device);
}

int main()
{
    int *cells, *others;
    buffer(&cells);
    buffer(&others);
    barriers<<<1, 64>>>(cells);
    warps<<<1, 32>>>(cells);
    lastBlock<<<4, 8>>>(others, &others[40]);
    locked<<<4, 16>>>(&others[41]);
    flagged<<<2, 1>>>(&others[42], &others[44]);
    waits<<<1, 64>>>(cells);
    streams<<<1, 1>>>(&cells[48]);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", others[40], others[41], others[43], cells[49]);
    onHost(cells);
    copies(cells);
}
