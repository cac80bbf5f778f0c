/* Prints random programs (program.h) as CUDA source, for errors that only a compiled program shows:
 *
 *   emit FIRST COUNT > programs.cu
 *   emit FIRST COUNT RACES > programs.cu
 *
 * They are the same programs as those of interpret.cu, with every step written out. With RACES, one
 * ordering is removed from each of them, and the file RACES gets the races that follow (order.h), a
 * line each: the program's number, "certain" or "possible", two lines, and what was removed. Each
 * line of the source that accesses a cell or shared memory ends with a comment that identifies it:
 * the program's number, and enum fuzz_line_kind with its number. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "order.h"
#include "program.h"

static struct fuzz_program program;

/* The end of a line that accesses memory: the comment that identifies it. */
static void end_line(enum fuzz_line_kind kind, int number)
{
    printf(" // %" PRIu64 " %c%d\n", program.seed, kind, number);
}

static void print_mix(const char *value, int inputs, int count)
{
    for (int i = 0; i < count; i++) {
        printf("    %s = fuzz_mix(%s, cells[%d]);", value, value, program.input[inputs + i]);
        end_line(FUZZ_LINE_INPUT, inputs + i);
    }
}

static const char *stream_name(int stream)
{
    static const char *const names[] = {"0", "one", "two", "cudaStreamFireAndForget",
                                        "cudaStreamTailLaunch"};
    return names[stream];
}

/* Some blocks have two or four rows of threads. The source's t is the thread's number in its block.
 */
static unsigned rows_of(int number)
{
    static const unsigned rows[] = {1, 2, 4};
    unsigned wanted = rows[fuzz_mix(program.seed, (uint64_t)number) % 3];
    return program.node[number].threads % wanted == 0 ? wanted : 1;
}

static void print_launch(const struct fuzz_step *step, const char *stream)
{
    const struct fuzz_node *node = &program.node[step->node];
    if (node->kind == FUZZ_COPY) {
        printf("cudaMemcpyAsync(&cells[%d], &cells[%d], 8, cudaMemcpyDeviceToDevice, %s);",
               node->out, program.input[node->inputs], stream);
        end_line(FUZZ_LINE_COPY, step->node);
    } else if (node->kind == FUZZ_CALL) {
        printf("cudaLaunchHostFunc(%s, p%" PRIu64 "_%d, cells);\n", stream, program.seed,
               step->node);
    } else {
        unsigned rows = rows_of(step->node);
        printf("p%" PRIu64 "_%d<<<%u, dim3(%u, %u), %u, %s>>>(cells);\n", program.seed, step->node,
               node->blocks, node->threads / rows, rows, node->dynamic_shared, stream);
    }
}

static void print_single(int number)
{
    const struct fuzz_step *step = &program.step[number];
    if (step->kind == FUZZ_NOTHING) {
        return;
    }
    printf("    if (b == %u && t == %u) {\n    ", step->block, step->thread);
    switch (step->kind) {
    case FUZZ_LAUNCH:
        print_launch(step, stream_name(step->stream));
        break;
    case FUZZ_WRITE:
        printf("cells[%d] += v;", step->cell);
        end_line(FUZZ_LINE_WRITE, number);
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

static void print_exchange(int number)
{
    const struct fuzz_step *step = &program.step[number];
    printf("    shared[t] = v;");
    end_line(FUZZ_LINE_SHARE, number);
    if ((step->missing & FUZZ_FIRST_BARRIER) == 0) {
        printf("    __syncthreads();\n");
    }
    printf("    v = fuzz_mix(v, shared[(t + %uu) %% threads]);", step->constant);
    end_line(FUZZ_LINE_TAKE, number);
    if ((step->missing & FUZZ_SECOND_BARRIER) == 0) {
        printf("    __syncthreads();\n");
    }
}

static void print_common(int number)
{
    const struct fuzz_step *step = &program.step[number];
    unsigned c = step->constant;
    switch (step->kind) {
    case FUZZ_MIX:
        printf("    v = fuzz_mix(v, %u);\n", c);
        break;
    case FUZZ_EXCHANGE:
        print_exchange(number);
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
    bool has_rows = rows_of(number) > 1;
    printf("    const unsigned threads = blockDim.x%s;\n"
           "    const unsigned t = %sthreadIdx.x, b = blockIdx.x;\n"
           "    const unsigned lanes = fuzz_lanes(t, threads);\n"
           "    const unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;\n"
           "    (void)shared, (void)mask;\n",
           has_rows ? " * blockDim.y" : "", has_rows ? "threadIdx.y * blockDim.x + " : "");
    print_own(node);
    printf("    u64 v = fuzz_mix(%d, (u64)b << 32 | t);\n", node->out);
    print_mix("v", node->inputs, node->input_count);
    for (int i = 0; i < node->step_count; i++) {
        int step = node->steps + i;
        if (program.step[step].kind < FUZZ_LAUNCH) {
            print_common(step);
        } else {
            print_single(step);
        }
    }
    printf("    cells[%d + b * threads + t] += v;", node->out);
    end_line(FUZZ_LINE_OUT, number);
    printf("}\n");
}

static void print_call(const struct fuzz_node *node, int number)
{
    printf("static void CUDART_CB p%" PRIu64 "_%d(void *data)\n{\n    u64 *cells = (u64 *)data;\n"
           "    u64 v = %d;\n",
           program.seed, number, node->out);
    print_mix("v", node->inputs, node->input_count);
    printf("    cells[%d] += v;", node->out);
    end_line(FUZZ_LINE_OUT, number);
    printf("}\n");
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
    case FUZZ_QUERY:
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

static void print_races(FILE *file, const char *removed, const struct fuzz_race *races, int count)
{
    for (int i = 0; i < count; i++) {
        fprintf(file, "%" PRIu64 " %s %c%d %c%d %s\n", program.seed,
                races[i].is_certain ? "certain" : "possible", races[i].a.kind, races[i].a.number,
                races[i].b.kind, races[i].b.number, removed);
    }
}

/* The generator makes programs without races, and order.c agrees. A program from which no ordering
 * can be removed stays as it is. */
static void plant(FILE *file)
{
    enum { MOST_RACES = 4096 };
    static struct fuzz_race races[MOST_RACES];
    int count = fuzz_races(&program, races, MOST_RACES);
    if (count > 0) {
        fprintf(stderr, "emit: program %" PRIu64 " has races before one is planted\n",
                program.seed);
        exit(1);
    }
    const char *removed = fuzz_plant(&program, program.seed, races, MOST_RACES, &count);
    if (removed != NULL) {
        print_races(file, removed, races, count);
    }
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 10;
    FILE *file = argc > 3 ? fopen(argv[3], "w") : NULL;
    if (argc > 3 && file == NULL) {
        perror(argv[3]);
        return 1;
    }
    fputs(head, stdout);
    for (uint64_t i = first; i < first + count; i++) {
        fuzz_make(&program, i);
        if (file != NULL) {
            plant(file);
        }
        print_program();
    }
    print_main(first, count);
    return ferror(stdout) != 0 || fflush(stdout) != 0 || (file != NULL && fclose(file) != 0);
}
