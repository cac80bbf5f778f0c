// Runs random programs (program.h) and compares every cell with the result of a sequential
// execution. The device interprets the programs, so none is compiled by itself.
//
//   interpret [first [count]]        programs by number; default 1 100
#include <cstdio>
#include <cstdlib>

extern "C" {
#include "program.h"
}

#define MUST(call) must(call, #call)

static void must(cudaError_t error, const char *call)
{
    if (error != cudaSuccess) {
        printf("%s: %s\n", call, cudaGetErrorString(error));
        exit(2);
    }
}

__device__ int device_errors;

__device__ void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        atomicAdd(&device_errors, 1);
    }
}

FUZZ_BOTH static uint64_t readCells(const fuzz_program *program, const uint64_t *cells,
                                    uint64_t value, int inputs, int count)
{
    for (int i = 0; i < count; i++) {
        value = fuzz_mix(value, cells[program->input[inputs + i]]);
    }
    return value;
}

// The objects of a block's first thread, created at first use.
struct Own {
    cudaStream_t streams[3];
    cudaEvent_t events[FUZZ_EVENTS];
};

__device__ cudaStream_t streamOf(Own &own, int stream)
{
    if (stream == FUZZ_FREE) {
        return cudaStreamFireAndForget;
    }
    if (stream == FUZZ_TAIL) {
        return cudaStreamTailLaunch;
    }
    if (stream != FUZZ_NULL && own.streams[stream] == nullptr) {
        check(cudaStreamCreateWithFlags(&own.streams[stream], cudaStreamNonBlocking));
    }
    return own.streams[stream];
}

__device__ cudaEvent_t eventOf(Own &own, int event)
{
    if (own.events[event] == nullptr) {
        check(cudaEventCreateWithFlags(&own.events[event], cudaEventDisableTiming));
    }
    return own.events[event];
}

__global__ void grid(const fuzz_program *program, uint64_t *cells, int number);

__device__ void launch(const fuzz_program *program, uint64_t *cells, const fuzz_step &step,
                       cudaStream_t stream)
{
    const fuzz_node &node = program->node[step.node];
    if (node.kind == FUZZ_COPY) {
        check(cudaMemcpyAsync(&cells[node.out], &cells[program->input[node.inputs]], sizeof(*cells),
                              cudaMemcpyDeviceToDevice, stream));
    } else {
        grid<<<node.blocks, node.threads, node.dynamic_shared, stream>>>(program, cells, step.node);
    }
    check(cudaGetLastError());
}

__device__ uint64_t common(const fuzz_step &step, uint64_t value, uint64_t *cells, uint64_t *shared)
{
    unsigned t = threadIdx.x, lanes = fuzz_lanes(t, blockDim.x);
    unsigned mask = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
    switch (step.kind) {
    case FUZZ_MIX:
        return fuzz_mix(value, step.constant);
    case FUZZ_EXCHANGE:
        shared[t] = value;
        __syncthreads();
        value = fuzz_mix(value, shared[(t + step.constant) % blockDim.x]);
        __syncthreads();
        return value;
    case FUZZ_VOTE:
        return fuzz_mix(value, __syncthreads_count(value & 1));
    case FUZZ_SHUFFLE:
        return fuzz_mix(
            value, __shfl_sync(mask, (unsigned long long)value, (t % 32 + step.constant) % lanes));
    case FUZZ_BALLOT:
        return fuzz_mix(value, __ballot_sync(mask, value & 1));
    case FUZZ_ADD:
        atomicAdd((unsigned long long *)&cells[FUZZ_CELLS - 1 - step.constant % FUZZ_SUMS],
                  (unsigned long long)fuzz_mix(value, step.constant));
        return value;
    }
    return 0;
}

__device__ uint64_t single(const fuzz_program *program, const fuzz_step &step, uint64_t value,
                           uint64_t *cells, Own &own)
{
    switch (step.kind) {
    case FUZZ_LAUNCH:
        launch(program, cells, step, streamOf(own, step.stream));
        break;
    case FUZZ_WRITE:
        cells[step.cell] += value;
        break;
    case FUZZ_READ:
        return readCells(program, cells, value, step.inputs, step.count);
    case FUZZ_RECORD:
        check(cudaEventRecord(eventOf(own, step.event), streamOf(own, step.stream)));
        break;
    case FUZZ_WAIT:
        check(cudaStreamWaitEvent(streamOf(own, step.stream), eventOf(own, step.event), 0));
        break;
    case FUZZ_JOIN:
        check(cudaDeviceSynchronize());
        break;
    }
    return value;
}

__global__ void grid(const fuzz_program *program, uint64_t *cells, int number)
{
    extern __shared__ uint64_t dynamic[];
    __shared__ uint64_t fixed[FUZZ_THREADS];
    const fuzz_node &node = program->node[number];
    uint64_t *shared = node.dynamic_shared >= sizeof(fixed) ? dynamic : fixed;
    Own own = {};
    uint64_t value = fuzz_mix(node.out, (uint64_t)blockIdx.x << 32 | threadIdx.x);
    value = readCells(program, cells, value, node.inputs, node.input_count);
    for (int i = 0; i < node.step_count; i++) {
        const fuzz_step &step = program->step[node.steps + i];
        if (step.kind < FUZZ_LAUNCH) {
            value = common(step, value, cells, shared);
        } else if (step.block == blockIdx.x && step.thread == threadIdx.x) {
            value = single(program, step, value, cells, own);
        }
    }
    cells[node.out + blockIdx.x * blockDim.x + threadIdx.x] += value;
}

// ---- The host's part ----

struct Host {
    fuzz_program *program;
    uint64_t *cells;
    cudaStream_t streams[FUZZ_STREAMS];
    cudaEvent_t events[FUZZ_EVENTS];
};

struct Call {
    const Host *host;
    const fuzz_node *node;
};

static void CUDART_CB call(void *data)
{
    const Call *call = (const Call *)data;
    const fuzz_node *node = call->node;
    call->host->cells[node->out] += readCells(call->host->program, call->host->cells, node->out,
                                              node->inputs, node->input_count);
}

static void launchFromHost(const Host &host, const fuzz_step &step, Call *call_data)
{
    const fuzz_node &node = host.program->node[step.node];
    cudaStream_t stream = host.streams[step.stream];
    if (node.kind == FUZZ_GRID) {
        grid<<<node.blocks, node.threads, node.dynamic_shared, stream>>>(host.program, host.cells,
                                                                         step.node);
        MUST(cudaGetLastError());
    } else if (node.kind == FUZZ_COPY) {
        MUST(cudaMemcpyAsync(&host.cells[node.out], &host.cells[host.program->input[node.inputs]],
                             sizeof(uint64_t), cudaMemcpyDeviceToDevice, stream));
    } else {
        *call_data = {&host, &node};
        MUST(cudaLaunchHostFunc(stream, call, call_data));
    }
}

static uint64_t hostStep(const Host &host, const fuzz_step &step, uint64_t value, Call *call_data)
{
    cudaStream_t stream = host.streams[step.stream];
    switch (step.kind) {
    case FUZZ_LAUNCH:
        launchFromHost(host, step, call_data);
        break;
    case FUZZ_READ:
        return readCells(host.program, host.cells, value, step.inputs, step.count);
    case FUZZ_RECORD:
        MUST(cudaEventRecord(host.events[step.event], stream));
        break;
    case FUZZ_WAIT:
        MUST(cudaStreamWaitEvent(stream, host.events[step.event], 0));
        break;
    case FUZZ_JOIN:
        MUST(cudaDeviceSynchronize());
        break;
    case FUZZ_SYNC:
        MUST(cudaStreamSynchronize(stream));
        break;
    case FUZZ_QUERY:
        (void)cudaStreamQuery(stream);
        break;
    }
    return value;
}

static uint64_t run(Host &host)
{
    static Call calls[FUZZ_STEPS];
    const fuzz_program &program = *host.program;
    uint64_t value = program.seed;
    memset(host.cells, 0, FUZZ_CELLS * sizeof(uint64_t));
    for (int i = 1; i < FUZZ_STREAMS; i++) {
        unsigned flags = i == FUZZ_THREE ? cudaStreamNonBlocking : cudaStreamDefault;
        MUST(cudaStreamCreateWithFlags(&host.streams[i], flags));
    }
    for (int i = 0; i < FUZZ_EVENTS; i++) {
        MUST(cudaEventCreateWithFlags(&host.events[i], cudaEventDisableTiming));
    }
    for (int i = 0; i < program.host_step_count; i++) {
        value = hostStep(host, program.step[program.host_steps + i], value, &calls[i]);
    }
    for (int i = 1; i < FUZZ_STREAMS; i++) {
        MUST(cudaStreamDestroy(host.streams[i]));
    }
    for (int i = 0; i < FUZZ_EVENTS; i++) {
        MUST(cudaEventDestroy(host.events[i]));
    }
    MUST(cudaDeviceSynchronize());
    return value;
}

static bool isRight(Host &host)
{
    static uint64_t expected[FUZZ_CELLS];
    uint64_t wanted = fuzz_expect(host.program, expected), value = run(host);
    int errors = 0, wrong = 0;
    MUST(cudaMemcpyFromSymbol(&errors, device_errors, sizeof(errors)));
    for (int i = 0; i < FUZZ_CELLS; i++) {
        wrong += host.cells[i] != expected[i];
    }
    if (wrong == 0 && errors == 0 && value == wanted) {
        return true;
    }
    printf("program %llu: WRONG: %d cells differ, %d errors in device code%s\n",
           (unsigned long long)host.program->seed, wrong, errors,
           value == wanted ? "" : ", the host read something else");
    return false;
}

int main(int argc, char **argv)
{
    unsigned long long first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
    unsigned long long count = argc > 2 ? strtoull(argv[2], nullptr, 0) : 100, grids = 0;
    Host host = {};
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, FUZZ_DEPTH + 1));
    MUST(cudaMallocManaged(&host.program, sizeof(fuzz_program)));
    MUST(cudaMallocManaged(&host.cells, FUZZ_CELLS * sizeof(uint64_t)));
    for (unsigned long long i = 0; i < count; i++) {
        fuzz_make(host.program, first + i);
        grids += host.program->nodes;
        if (!isRight(host)) {
            printf("after %llu programs from %llu\n", i, first);
            return 1;
        }
    }
    printf("%llu programs from %llu, %llu launches: all as expected\n", count, first, grids);
    return 0;
}
