/* Prints random programs (program.h) as CUDA source, for errors that only a compiled program shows:
 *
 *   emit FIRST COUNT > programs.cu
 *
 * They are the same programs as those of interpret.cu, with every step written out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "program.h"

static struct fuzz_program program;

static void print_mix(const char *value, int inputs, int count)
{
    for (int i = 0; i < count; i++) {
        printf("    %s = fuzz_mix(%s, cells[%d]);\n", value, value, program.input[inputs + i]);
    }
}

static const char *stream_name(int stream)
{
    static const char *const names[] = {"0", "one", "two", "cudaStreamFireAndForget",
                                        "cudaStreamTailLaunch"};
    return names[stream];
}

static void print_launch(const struct fuzz_step *step, const char *stream)
{
    const struct fuzz_node *node = &program.node[step->node];
    if (node->kind == FUZZ_COPY) {
        printf("cudaMemcpyAsync(&cells[%d], &cells[%d], 8, cudaMemcpyDeviceToDevice, %s);\n",
               node->out, program.input[node->inputs], stream);
    } else if (node->kind == FUZZ_CALL) {
        printf("cudaLaunchHostFunc(%s, p%" PRIu64 "_%d, cells);\n", stream, program.seed,
               step->node);
    } else {
        printf("p%" PRIu64 "_%d<<<%u, %u, %u, %s>>>(cells);\n", program.seed, step->node,
               node->blocks, node->threads, node->dynamic_shared, stream);
    }
}

static void print_single(const struct fuzz_step *step)
{
    printf("    if (b == %u && t == %u) {\n    ", step->block, step->thread);
    switch (step->kind) {
    case FUZZ_LAUNCH:
        print_launch(step, stream_name(step->stream));
        break;
    case FUZZ_WRITE:
        printf("cells[%d] += v;\n", step->cell);
        break;
    case FUZZ_READ:
        printf("\n");
        print_mix("v", step->inputs, step->count);
        break;
    case FUZZ_RECORD:
        printf("cudaEventRecord(e%u, %s);\n", step->event, stream_name(step->stream));
        break;
    case FUZZ_WAIT:
        printf("cudaStreamWaitEvent(%s, e%u, 0);\n", stream_name(step->stream), step->event);
        break;
    default:
        printf("cudaDeviceSynchronize();\n");
        break;
    }
    printf("    }\n");
}

static void print_common(const struct fuzz_step *step)
{
    unsigned c = step->constant;
    switch (step->kind) {
    case FUZZ_MIX:
        printf("    v = fuzz_mix(v, %u);\n", c);
        break;
    case FUZZ_EXCHANGE:
        printf("    shared[t] = v;\n    __syncthreads();\n"
               "    v = fuzz_mix(v, shared[(t + %uu) %% blockDim.x]);\n    __syncthreads();\n",
               c);
        break;
    case FUZZ_VOTE:
        printf("    v = fuzz_mix(v, __syncthreads_count(v & 1));\n");
        break;
    case FUZZ_SHUFFLE:
        printf("    v = fuzz_mix(v, __shfl_sync(mask, v, (t %% 32 + %uu) %% lanes));\n", c);
        break;
    case FUZZ_BALLOT:
        printf("    v = fuzz_mix(v, __ballot_sync(mask, v & 1));\n");
        break;
    default:
        printf("    atomicAdd(&cells[%u], fuzz_mix(v, %u));\n", FUZZ_CELLS - 1 - c % FUZZ_SUMS, c);
        break;
    }
}

/* The streams and events of a block's first thread. */
static void print_own(const struct fuzz_node *node)
{
    int streams = 0, events = 0;
    for (int i = 0; i < node->step_count; i++) {
        const struct fuzz_step *step = &program.step[node->steps + i];
        int is_event = step->kind == FUZZ_RECORD || step->kind == FUZZ_WAIT;
        if (is_event || step->kind == FUZZ_LAUNCH) {
            streams |= step->stream == FUZZ_ONE || step->stream == FUZZ_TWO;
        }
        events |= is_event;
    }
    if (streams) {
        printf("    cudaStream_t one = 0, two = 0;\n    if (t == 0) {\n"
               "        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);\n"
               "        cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);\n    }\n");
    }
    if (events) {
        printf("    cudaEvent_t e0 = 0, e1 = 0;\n    if (t == 0) {\n"
               "        cudaEventCreateWithFlags(&e0, cudaEventDisableTiming);\n"
               "        cudaEventCreateWithFlags(&e1, cudaEventDisableTiming);\n    }\n");
    }
}

static void print_grid(const struct fuzz_node *node, int number)
{
    printf("__global__ void p%" PRIu64 "_%d(u64 *cells)\n{\n", program.seed, number);
    if (node->dynamic_shared >= FUZZ_THREADS * sizeof(uint64_t)) {
        printf("    extern __shared__ u64 shared[];\n");
    } else {
        printf("    __shared__ u64 shared[%d];\n", FUZZ_THREADS);
    }
    printf("    const unsigned t = threadIdx.x, b = blockIdx.x;\n"
           "    const unsigned lanes = fuzz_lanes(t, blockDim.x);\n"
           "    const unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;\n"
           "    (void)shared, (void)mask;\n");
    print_own(node);
    printf("    u64 v = fuzz_mix(%d, (u64)b << 32 | t);\n", node->out);
    print_mix("v", node->inputs, node->input_count);
    for (int i = 0; i < node->step_count; i++) {
        const struct fuzz_step *step = &program.step[node->steps + i];
        if (step->kind < FUZZ_LAUNCH) {
            print_common(step);
        } else {
            print_single(step);
        }
    }
    printf("    cells[%d + b * blockDim.x + t] += v;\n}\n", node->out);
}

static void print_call(const struct fuzz_node *node, int number)
{
    printf("static void CUDART_CB p%" PRIu64 "_%d(void *data)\n{\n    u64 *cells = (u64 *)data;\n"
           "    u64 v = %d;\n",
           program.seed, number, node->out);
    print_mix("v", node->inputs, node->input_count);
    printf("    cells[%d] += v;\n}\n", node->out);
}

static void print_host_step(const struct fuzz_step *step)
{
    char stream[16];
    snprintf(stream, sizeof stream, "s[%u]", step->stream);
    switch (step->kind) {
    case FUZZ_LAUNCH:
        printf("    ");
        print_launch(step, stream);
        break;
    case FUZZ_READ:
        print_mix("host", step->inputs, step->count);
        break;
    case FUZZ_RECORD:
        printf("    cudaEventRecord(e[%u], %s);\n", step->event, stream);
        break;
    case FUZZ_WAIT:
        printf("    cudaStreamWaitEvent(%s, e[%u], 0);\n", stream, step->event);
        break;
    case FUZZ_JOIN:
        printf("    cudaDeviceSynchronize();\n");
        break;
    case FUZZ_SYNC:
        printf("    cudaStreamSynchronize(%s);\n", stream);
        break;
    default:
        printf("    cudaStreamQuery(%s);\n", stream);
        break;
    }
}

static uint64_t hash_of(const uint64_t cells[FUZZ_CELLS], uint64_t host)
{
    for (int i = 0; i < FUZZ_CELLS; i++) {
        host = fuzz_mix(host, cells[i]);
    }
    return host;
}

static void print_program(void)
{
    static uint64_t cells[FUZZ_CELLS];
    uint64_t host = fuzz_expect(&program, cells);
    for (int i = program.nodes - 1; i >= 0; i--) { /* children first */
        const struct fuzz_node *node = &program.node[i];
        if (node->kind == FUZZ_GRID) {
            print_grid(node, i);
        } else if (node->kind == FUZZ_CALL) {
            print_call(node, i);
        }
    }
    printf("static void program%" PRIu64 "(u64 *cells, cudaStream_t *s, cudaEvent_t *e)\n{\n"
           "    u64 host = %" PRIu64 "u;\n    (void)e;\n",
           program.seed, program.seed);
    for (int i = 0; i < program.host_step_count; i++) {
        print_host_step(&program.step[program.host_steps + i]);
    }
    printf("    finish(%" PRIu64 "u, cells, host, %" PRIu64 "u);\n}\n", program.seed,
           hash_of(cells, host));
}

static const char head[] =
    "#include <cstdio>\n"
    "#include <cstdlib>\n"
    "#include <cstring>\n"
    "extern \"C\" {\n"
    "#include \"program.h\"\n"
    "}\n"
    "typedef unsigned long long u64;\n"
    "static int wrong;\n"
    "static void finish(u64 number, u64 *cells, u64 host, u64 expected)\n"
    "{\n"
    "    cudaError_t error = cudaDeviceSynchronize();\n"
    "    for (int i = 0; i < FUZZ_CELLS; i++) host = fuzz_mix(host, cells[i]);\n"
    "    if (error != cudaSuccess || host != expected) {\n"
    "        printf(\"program %llu: WRONG: %s\\n\", number, cudaGetErrorString(error));\n"
    "        wrong++;\n"
    "    }\n"
    "    memset(cells, 0, FUZZ_CELLS * sizeof(*cells));\n"
    "}\n";

static void print_main(uint64_t first, uint64_t count)
{
    printf("int main()\n{\n    u64 *cells;\n    cudaStream_t s[FUZZ_STREAMS] = {};\n"
           "    cudaEvent_t e[FUZZ_EVENTS];\n"
           "    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, FUZZ_DEPTH + 1);\n"
           "    cudaMallocManaged(&cells, FUZZ_CELLS * sizeof(*cells));\n"
           "    memset(cells, 0, FUZZ_CELLS * sizeof(*cells));\n"
           "    cudaStreamCreate(&s[1]);\n    cudaStreamCreate(&s[2]);\n"
           "    cudaStreamCreateWithFlags(&s[3], cudaStreamNonBlocking);\n");
    for (uint64_t i = first; i < first + count; i++) {
        printf("    for (int i = 0; i < FUZZ_EVENTS; i++) cudaEventCreate(&e[i]);\n"
               "    program%" PRIu64 "(cells, s, e);\n",
               i);
    }
    printf("    if (wrong == 0) printf(\"%" PRIu64 " programs from %" PRIu64
           ": all as expected\\n\");\n    return wrong != 0;\n}\n",
           count, first);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 10;
    fputs(head, stdout);
    for (uint64_t i = first; i < first + count; i++) {
        fuzz_make(&program, i);
        print_program();
    }
    print_main(first, count);
    return ferror(stdout) != 0 || fflush(stdout) != 0;
}
