// Random graphs against the same work in one stream.
//
//   graphs FIRST COUNT
//
// Each program is a list of operations on a few buffers. The list's order defines the results. A graph
// gets the operations as nodes, with an edge wherever two of them use the same buffer and one writes it,
// unless a path orders them already, and with a few edges more. Each program's graph is made in two ways:
// node by node, and by capturing streams that fork and join. It is launched several times, also as a clone,
// by a kernel, after updates of its nodes, some of them by kernels, and with nodes that are switched off.
// Status 1 after a wrong result; it names the program's number.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

enum { SIZE = 96, DEVICE_BUFFERS = 5, HOST_BUFFERS = 3, BUFFERS = DEVICE_BUFFERS + HOST_BUFFERS, STREAMS = 4 };

static unsigned number; // of the program, for messages

#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            printf("program %u: line %d: %s: %s\n", number, __LINE__, #call,                       \
                   cudaGetErrorName(error));                                                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// ---- the operations ----

__global__ void mix(int *to, const int *from, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < SIZE) to[i] = to[i] * 31 + (from[(i + k) % SIZE] ^ k);
}
__global__ void mix_part(int *to, const int *from, int k, int first)
{
    int i = first + threadIdx.x;
    to[i] += from[SIZE - 1 - i] * 7 + k;
}
// The same with child grids: to must not be from.
__global__ void mix_by_children(int *to, const int *from, int k)
{
    if (threadIdx.x % 16 == 0) {
        mix_part<<<1, 16, 0, cudaStreamFireAndForget>>>(to, from, k, blockIdx.x * blockDim.x + threadIdx.x);
    }
}
// The body of a loop: a round for each bit of k, the condition's rest in buffer[0].
__global__ void round_of_loop(int *to, int k, cudaGraphConditionalHandle handle, int *left)
{
    int i = threadIdx.x;
    to[i] = to[i] * 3 + k + *left;
    __syncthreads();
    if (i == 0) cudaGraphSetConditional(handle, --*left > 0);
}
__global__ void begin_loop(int *left, int count, cudaGraphConditionalHandle handle)
{
    *left = count;
    cudaGraphSetConditional(handle, count);
}
// The same without a graph.
__global__ void whole_loop(int *to, int k, int count)
{
    for (int left = count; left > 0; left--) to[threadIdx.x] = to[threadIdx.x] * 3 + k + left;
}

enum kind { MIX, CHILDREN, FILL, COPY, HOST, EMPTY, GROUP, LOOP, SCRATCH, KINDS };

struct op {
    kind what;
    int to, from, k; // buffers; buffers from DEVICE_BUFFERS on are the host's
    bool is_on;      // else it was switched off in the executable graph
    std::vector<op> group;
};

static int *buffers[BUFFERS];
static int *loop_rest; // one for each program's loops, which come one after the other

struct host_work {
    int *buffer, k;
};
static void CUDART_CB work_of_host(void *data)
{
    host_work *work = (host_work *)data;
    for (int i = 0; i < SIZE; i++) work->buffer[i] = work->buffer[i] * 5 + work->k;
}
// Lives as long as the program: executable graphs keep the addresses.
static std::vector<std::unique_ptr<host_work>> host_works;
static host_work *new_host_work(const op &o)
{
    host_works.push_back(std::make_unique<host_work>(host_work{buffers[o.to], o.k}));
    return host_works.back().get();
}

static void run(const op &o, cudaStream_t stream)
{
    int *to = buffers[o.to], *from = buffers[o.from];
    if (!o.is_on) return;
    switch (o.what) {
    case MIX: mix<<<3, 32, 0, stream>>>(to, from, o.k); break;
    case CHILDREN: mix_by_children<<<3, 32, 0, stream>>>(to, from, o.k); break;
    case FILL: MUST(cudaMemsetAsync(to, o.k, SIZE * sizeof(int), stream)); return;
    case COPY: MUST(cudaMemcpyAsync(to, from, SIZE * sizeof(int), cudaMemcpyDefault, stream)); return;
    case HOST: MUST(cudaLaunchHostFunc(stream, work_of_host, new_host_work(o))); return;
    case SCRATCH: {
        int *scratch;
        MUST(cudaMallocAsync(&scratch, SIZE * sizeof(int), stream));
        MUST(cudaMemsetAsync(scratch, o.k, SIZE * sizeof(int), stream));
        mix<<<3, 32, 0, stream>>>(scratch, from, o.k);
        mix<<<3, 32, 0, stream>>>(to, scratch, o.k);
        MUST(cudaFreeAsync(scratch, stream));
        break;
    }
    case LOOP: whole_loop<<<1, SIZE, 0, stream>>>(to, o.k, o.k % 4); break;
    case GROUP:
        for (const op &part : o.group) run(part, stream);
        return;
    default: return;
    }
    MUST(cudaGetLastError());
}

// ---- random programs ----

static uint64_t state;
static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static op random_op(bool may_nest)
{
    op o = {};
    o.what = (kind)below(may_nest ? KINDS : EMPTY);
    o.k = 1 + below(100);
    o.is_on = true;
    bool is_of_host = o.what == HOST || (o.what == COPY && below(2) == 0);
    o.to = is_of_host ? DEVICE_BUFFERS + below(HOST_BUFFERS) : below(DEVICE_BUFFERS);
    do {
        o.from = o.what == COPY ? below(BUFFERS) : below(DEVICE_BUFFERS);
    } while (o.from == o.to);
    if (o.what == GROUP) {
        for (int n = 1 + below(3); n > 0; n--) o.group.push_back(random_op(false));
    }
    return o;
}

static unsigned reads(const op &o)
{
    unsigned set = 0;
    for (const op &part : o.group) set |= reads(part);
    return set | (o.what == MIX || o.what == CHILDREN || o.what == COPY || o.what == SCRATCH ? 1u << o.from : 0);
}
static unsigned writes(const op &o)
{
    unsigned set = 0;
    for (const op &part : o.group) set |= writes(part);
    if (o.what == LOOP) set |= 1u << BUFFERS; // loop_rest
    return set | (o.what != EMPTY && o.what != GROUP ? 1u << o.to : 0);
}

struct program {
    bool is_plain, is_for_kernels; // see random_program; kernels may launch it
    std::vector<op> ops;
    std::vector<std::vector<int>> after; // the operations that each directly comes after
};

// Only nodes that a graph may have which kernels launch.
static void simplify(op &o)
{
    if (o.what == HOST || o.what == EMPTY || o.what == CHILDREN) o.what = MIX;
    for (op &part : o.group) simplify(part);
}

// is_plain: without loops and graph memory, so that the graph can be cloned and updated.
static program random_program(bool is_plain, bool is_for_kernels)
{
    program p;
    p.is_plain = is_plain;
    p.is_for_kernels = is_for_kernels;
    int count = 3 + below(20);
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
    for (int i = 0; i < count; i++) {
        op o = random_op(true);
        if (is_plain && (o.what == LOOP || o.what == SCRATCH)) o.what = MIX;
        if (is_for_kernels) simplify(o);
        p.ops.push_back(o);
        p.after.emplace_back();
        for (int j = i - 1; j >= 0; j--) {
            unsigned wi = writes(o), wj = writes(p.ops[j]);
            bool conflicts = (wi & (wj | reads(p.ops[j]))) != 0 || (wj & reads(o)) != 0;
            if ((!conflicts || reaches[j][i]) && below(12) != 0) continue;
            p.after[i].push_back(j);
            for (int k = 0; k <= j; k++)
                if (k == j || reaches[k][j]) reaches[k][i] = true;
        }
    }
    return p;
}

// ---- as graphs ----

static cudaGraphNode_t add(cudaGraph_t graph, const op &o, const std::vector<cudaGraphNode_t> &after);

static cudaKernelNodeParams kernel_params(const op &o, void **args)
{
    cudaKernelNodeParams params = {};
    params.func = o.what == MIX ? (void *)mix : (void *)mix_by_children;
    params.gridDim = dim3(3);
    params.blockDim = dim3(32);
    params.kernelParams = args;
    return params;
}
static cudaMemsetParams fill_params(const op &o)
{
    cudaMemsetParams params = {};
    params.dst = buffers[o.to];
    params.elementSize = 1;
    params.value = o.k;
    params.width = SIZE * sizeof(int);
    params.height = 1;
    return params;
}

static cudaGraphNode_t add_loop(cudaGraph_t graph, const op &o, const std::vector<cudaGraphNode_t> &after)
{
    cudaGraphConditionalHandle handle;
    MUST(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    int count = o.k % 4, k = o.k, *to = buffers[o.to];
    void *begin_args[] = {&loop_rest, &count, &handle}, *round_args[] = {&to, &k, &handle, &loop_rest};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)begin_loop;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = begin_args;
    cudaGraphNode_t begin, loop, round;
    MUST(cudaGraphAddKernelNode(&begin, graph, after.data(), after.size(), &kernel));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    MUST(cudaGraphAddNode(&loop, graph, &begin, 1, &params));
    kernel.func = (void *)round_of_loop;
    kernel.blockDim = dim3(SIZE);
    kernel.kernelParams = round_args;
    MUST(cudaGraphAddKernelNode(&round, params.conditional.phGraph_out[0], NULL, 0, &kernel));
    return loop;
}

// Memory of the graph: allocated, used and freed by nodes.
static cudaGraphNode_t add_scratch(cudaGraph_t graph, const op &o, const std::vector<cudaGraphNode_t> &after)
{
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = SIZE * sizeof(int);
    cudaGraphNode_t allocate, fill, nodes[2], end;
    MUST(cudaGraphAddMemAllocNode(&allocate, graph, after.data(), after.size(), &memory));
    int *scratch = (int *)memory.dptr, *to = buffers[o.to], *from = buffers[o.from], k = o.k;
    cudaMemsetParams filling = fill_params(o);
    filling.dst = scratch;
    MUST(cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &filling));
    op kernel = o;
    kernel.what = MIX;
    void *args[2][3] = {{&scratch, &from, &k}, {&to, &scratch, &k}};
    for (int i = 0; i < 2; i++) {
        cudaKernelNodeParams params = kernel_params(kernel, args[i]);
        MUST(cudaGraphAddKernelNode(&nodes[i], graph, i == 0 ? &fill : &nodes[0], 1, &params));
    }
    MUST(cudaGraphAddMemFreeNode(&end, graph, &nodes[1], 1, scratch));
    return end;
}

static cudaGraphNode_t add_group(cudaGraph_t graph, const op &o, const std::vector<cudaGraphNode_t> &after)
{
    cudaGraph_t child;
    MUST(cudaGraphCreate(&child, 0));
    std::vector<cudaGraphNode_t> last;
    for (const op &part : o.group) last = {add(child, part, last)};
    cudaGraphNode_t node;
    MUST(cudaGraphAddChildGraphNode(&node, graph, after.data(), after.size(), child));
    MUST(cudaGraphDestroy(child));
    return node;
}

static cudaGraphNode_t add(cudaGraph_t graph, const op &o, const std::vector<cudaGraphNode_t> &after)
{
    cudaGraphNode_t node = NULL;
    int *to = buffers[o.to], *from = buffers[o.from], k = o.k;
    void *args[] = {&to, &from, &k};
    switch (o.what) {
    case MIX:
    case CHILDREN: {
        cudaKernelNodeParams params = kernel_params(o, args);
        MUST(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
        break;
    }
    case FILL: {
        cudaMemsetParams params = fill_params(o);
        MUST(cudaGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params));
        break;
    }
    case COPY:
        MUST(cudaGraphAddMemcpyNode1D(&node, graph, after.data(), after.size(), to, from, SIZE * sizeof(int),
                                      cudaMemcpyDefault));
        break;
    case HOST: {
        cudaHostNodeParams params = {work_of_host, new_host_work(o)};
        MUST(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &params));
        break;
    }
    case SCRATCH: return add_scratch(graph, o, after);
    case GROUP: return add_group(graph, o, after);
    case LOOP: return add_loop(graph, o, after);
    default: MUST(cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()));
    }
    return node;
}

struct built {
    cudaGraph_t graph;
    std::vector<cudaGraphNode_t> nodes; // of each operation; none for captured ones
    std::vector<cudaGraphDeviceNode_t> handles; // NULL: kernels do not change the node
};

// Lets kernels change some nodes of graphs that are not copied.
static cudaGraphDeviceNode_t make_changeable(const program &p, const op &o, cudaGraphNode_t node)
{
    cudaKernelNodeAttrValue value = {};
    if (p.is_plain || o.what != MIX || below(2) == 0) return NULL;
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    MUST(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
    return value.deviceUpdatableKernelNode.devNode;
}

static built build(const program &p)
{
    built b;
    MUST(cudaGraphCreate(&b.graph, 0));
    for (size_t i = 0; i < p.ops.size(); i++) {
        std::vector<cudaGraphNode_t> after;
        for (int j : p.after[i]) after.push_back(b.nodes[j]);
        b.nodes.push_back(add(b.graph, p.ops[i], after));
        b.handles.push_back(make_changeable(p, p.ops[i], b.nodes[i]));
    }
    return b;
}

// Each operation goes to some stream, behind the ends of those that it comes after.
static cudaGraph_t capture(const program &p)
{
    cudaStream_t streams[STREAMS];
    std::vector<cudaEvent_t> ends(p.ops.size());
    cudaEvent_t fork;
    MUST(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (cudaStream_t &stream : streams) MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
    MUST(cudaEventRecord(fork, streams[0]));
    for (int s = 1; s < STREAMS; s++) MUST(cudaStreamWaitEvent(streams[s], fork, 0));
    for (size_t i = 0; i < p.ops.size(); i++) {
        cudaStream_t stream = streams[below(STREAMS)];
        for (int j : p.after[i]) MUST(cudaStreamWaitEvent(stream, ends[j], 0));
        run(p.ops[i], stream);
        MUST(cudaEventCreateWithFlags(&ends[i], cudaEventDisableTiming));
        MUST(cudaEventRecord(ends[i], stream));
    }
    for (int s = 1; s < STREAMS; s++) {
        MUST(cudaEventRecord(fork, streams[s]));
        MUST(cudaStreamWaitEvent(streams[0], fork, 0));
    }
    cudaGraph_t graph;
    MUST(cudaStreamEndCapture(streams[0], &graph));
    for (cudaEvent_t end : ends) MUST(cudaEventDestroy(end));
    MUST(cudaEventDestroy(fork));
    for (cudaStream_t stream : streams) MUST(cudaStreamDestroy(stream));
    return graph;
}

// ---- comparison ----

struct contents {
    int words[BUFFERS][SIZE];
};

static void start()
{
    std::vector<int> words(SIZE);
    for (int b = 0; b < BUFFERS; b++) {
        for (int i = 0; i < SIZE; i++) words[i] = b * 1000 + i;
        MUST(cudaMemcpy(buffers[b], words.data(), SIZE * sizeof(int), cudaMemcpyDefault));
    }
}
static contents get()
{
    contents c;
    MUST(cudaDeviceSynchronize());
    for (int b = 0; b < BUFFERS; b++)
        MUST(cudaMemcpy(c.words[b], buffers[b], SIZE * sizeof(int), cudaMemcpyDefault));
    return c;
}
static contents expected(const program &p, int times, cudaStream_t stream)
{
    start();
    while (times-- > 0)
        for (const op &o : p.ops) run(o, stream);
    return get();
}

// ---- launches by a kernel ----

__device__ cudaGraphExec_t to_launch;
__device__ unsigned launches, refused;

// Each time in another way.
__global__ void launch_it()
{
    const cudaStream_t ways[] = {cudaStreamGraphFireAndForget, cudaStreamGraphTailLaunch,
                                 cudaStreamGraphFireAndForgetAsSibling};
    if (cudaGraphLaunch(to_launch, ways[launches++ % 3]) != cudaSuccess) refused++;
}
static cudaGraphExec_t launcher; // of the graph with that kernel

static void make_launcher()
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {};
    params.func = (void *)launch_it;
    params.gridDim = params.blockDim = dim3(1);
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
    MUST(cudaGraphInstantiate(&launcher, graph, cudaGraphInstantiateFlagDeviceLaunch));
    MUST(cudaGraphDestroy(graph));
}

static cudaGraphExec_t instantiate(const program &p, cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    MUST(cudaGraphInstantiate(&exec, graph, p.is_for_kernels ? cudaGraphInstantiateFlagDeviceLaunch : 0));
    return exec;
}

static void launch(const program &p, cudaGraphExec_t exec, cudaStream_t stream)
{
    bool by_kernel = p.is_for_kernels && below(2) == 0;
    MUST(cudaGraphLaunch(by_kernel ? launcher : exec, stream));
}

static void compare(const program &p, const char *what, cudaGraphExec_t exec, int times, cudaStream_t stream)
{
    unsigned wrong;
    contents right = expected(p, times, stream);
    start();
    if (p.is_for_kernels) {
        MUST(cudaMemcpyToSymbol(to_launch, &exec, sizeof exec));
        MUST(cudaGraphUpload(exec, stream));
    }
    for (int i = 0; i < times; i++) launch(p, exec, stream);
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaMemcpyFromSymbol(&wrong, refused, sizeof wrong));
    if (wrong != 0) {
        printf("program %u: launches by a kernel are refused: %s\n", number, what);
        exit(1);
    }
    contents now = get();
    if (memcmp(&now, &right, sizeof now) != 0) {
        printf("program %u: wrong result: %s, launched %d times\n", number, what, times);
        exit(1);
    }
}

__global__ void change_k(cudaGraphDeviceNode_t node, int k)
{
    if (cudaGraphKernelNodeSetParam(node, 2 * sizeof(int *), k) != cudaSuccess) refused++;
}

// Changes numbers and switches in the executable graph.
static void change_nodes(program &p, const built &b, cudaGraphExec_t exec)
{
    for (size_t i = 0; i < p.ops.size(); i++) {
        op &o = p.ops[i];
        bool is_simple = o.what == MIX || o.what == CHILDREN || o.what == FILL;
        if (is_simple && below(2) == 0) {
            o.k = 1 + below(100);
            int *to = buffers[o.to], *from = buffers[o.from];
            void *args[] = {&to, &from, &o.k};
            cudaKernelNodeParams kernel = kernel_params(o, args);
            cudaMemsetParams fill = fill_params(o);
            if (o.what == FILL)
                MUST(cudaGraphExecMemsetNodeSetParams(exec, b.nodes[i], &fill));
            else if (b.handles[i] != NULL && below(2) == 0)
                change_k<<<1, 1>>>(b.handles[i], o.k);
            else
                MUST(cudaGraphExecKernelNodeSetParams(exec, b.nodes[i], &kernel));
        }
        if (o.what == HOST && below(2) == 0) {
            o.k = 1 + below(100);
            cudaHostNodeParams params = {work_of_host, new_host_work(o)};
            MUST(cudaGraphExecHostNodeSetParams(exec, b.nodes[i], &params));
        }
        if ((is_simple || o.what == COPY) && below(4) == 0) {
            o.is_on = !o.is_on;
            MUST(cudaGraphNodeSetEnabled(exec, b.nodes[i], o.is_on));
        }
    }
    MUST(cudaDeviceSynchronize());
}

// The same graph with other numbers, for cudaGraphExecUpdate. What is switched off stays so.
static void change_all(program &p, cudaGraphExec_t exec)
{
    for (op &o : p.ops) {
        if (o.what != LOOP) o.k = 1 + below(100);
    }
    built b = build(p);
    cudaGraphExecUpdateResultInfo info;
    MUST(cudaGraphExecUpdate(exec, b.graph, &info));
    MUST(cudaGraphDestroy(b.graph));
}

static void test(cudaStream_t stream)
{
    bool is_plain = below(3) != 0;
    program p = random_program(is_plain, is_plain && below(2) == 0);
    cudaGraph_t captured = capture(p);
    cudaGraphExec_t exec = instantiate(p, captured);
    MUST(cudaGraphDestroy(captured));
    compare(p, "captured", exec, 1 + below(3), stream);
    MUST(cudaGraphExecDestroy(exec));

    built b = build(p);
    exec = instantiate(p, b.graph);
    compare(p, "node by node", exec, 1 + below(3), stream);
    if (is_plain) {
        cudaGraph_t clone;
        MUST(cudaGraphClone(&clone, b.graph));
        cudaGraphExec_t other = instantiate(p, clone);
        MUST(cudaGraphDestroy(clone));
        compare(p, "a clone", other, 1, stream);
        MUST(cudaGraphExecDestroy(other));
    }
    change_nodes(p, b, exec);
    compare(p, "after changes of nodes", exec, 2, stream);
    if (is_plain) {
        change_all(p, exec);
        compare(p, "after an update", exec, 1 + below(2), stream);
    }
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(b.graph));
    host_works.clear();
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: graphs FIRST COUNT\n");
        return 2;
    }
    unsigned first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
    for (int b = 0; b < BUFFERS; b++) {
        if (b < DEVICE_BUFFERS)
            MUST(cudaMalloc(&buffers[b], SIZE * sizeof(int)));
        else
            MUST(cudaMallocHost(&buffers[b], SIZE * sizeof(int)));
    }
    MUST(cudaMalloc(&loop_rest, sizeof(int)));
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    make_launcher();
    number = first;
    for (; number != first + count; number++) {
        state = number * 0x9E3779B97F4A7C15u + 1;
        test(stream);
    }
    for (int b = 0; b < BUFFERS; b++) MUST(b < DEVICE_BUFFERS ? cudaFree(buffers[b]) : cudaFreeHost(buffers[b]));
    MUST(cudaFree(loop_rest));
    MUST(cudaGraphExecDestroy(launcher));
    MUST(cudaStreamDestroy(stream));
    printf("%u graphs from %u: ok\n", count, first);
    return 0;
}
