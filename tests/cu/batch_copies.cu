// cdpcc: -O0
// Batches of copies: checked before one is made, in the order of their stream.
#include <cstdio>
#include <cstdlib>

static char host[64] = "hello, batches", back[64];
static char *device;
static cudaStream_t stream;

__global__ void slow(char *p)
{
    for (volatile int i = 0; i < 300000; i++) {
    }
    p[0] = 'J';
}

static void try_it(const char *what, void **to, void **from, size_t *sizes, size_t count, cudaMemcpyAttributes *attrs,
                   size_t *starts, size_t attrCount, cudaStream_t where)
{
    size_t failed = 77;
    cudaError_t error = cudaMemcpyBatchAsync(to, from, sizes, count, attrs, starts, attrCount, &failed, where);
    printf("%s: %s, %zd\n", what, cudaGetErrorName(error), (ssize_t)failed);
    cudaGetLastError();
}

static void flat()
{
    cudaMemcpyAttributes attrs[2] = {};
    attrs[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attrs[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    void *to[] = {device, device + 32}, *from[] = {host, host + 7};
    size_t sizes[] = {6, 7}, starts[] = {0, 1};
    try_it("good", to, from, sizes, 2, attrs, starts, 2, stream);
    host[0] = host[7] = '?'; // has been read
    slow<<<1, 1, 0, stream>>>(device);
    void *out[] = {back, back + 6}, *in[] = {device, device + 32};
    cudaMemcpyAttributes any = {};
    any.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    size_t failed;
    printf("one set of attributes: %s\n", cudaGetErrorName(cudaMemcpyBatchAsync(out, in, sizes, 2, any, &failed, stream)));
    cudaStreamSynchronize(stream);
    printf("%s\n", back);

    try_it("no copies", to, from, sizes, 0, attrs, starts, 1, stream);
    try_it("no attributes", to, from, sizes, 2, attrs, starts, 0, stream);
    try_it("legacy stream", to, from, sizes, 2, attrs, starts, 2, 0);
    try_it("more attributes than copies", to, from, sizes, 1, attrs, starts, 2, stream);
    starts[0] = 1;
    try_it("a copy without attributes", to, from, sizes, 2, attrs, starts, 1, stream);
    starts[0] = 0;
    attrs[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    try_it("no order", to, from, sizes, 2, attrs, starts, 2, stream);
    attrs[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    sizes[1] = 4096;
    try_it("beyond the end", to, from, sizes, 2, attrs, starts, 2, stream);
    sizes[1] = 7;
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    try_it("captured", to, from, sizes, 2, attrs, starts, 2, stream);
    printf("the capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    cudaGraphDestroy(graph);
    to[0] = nullptr;
    try_it("to nothing", to, from, sizes, 2, attrs, starts, 2, stream);
}

static void boxes()
{
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    int source[4][6], copy[4][5] = {};
    size_t failed = 77;
    for (int i = 0; i < 24; i++) {
        source[i / 6][i % 6] = i;
    }
    cudaMallocArray(&array, &desc, 8, 8);
    cudaMemcpy3DBatchOp ops[1] = {};
    ops[0].src.type = cudaMemcpyOperandTypePointer;
    ops[0].src.op.ptr.ptr = source;
    ops[0].src.op.ptr.rowLength = 6;
    ops[0].dst.type = cudaMemcpyOperandTypeArray;
    ops[0].dst.op.array.array = array;
    ops[0].dst.op.array.offset = {2, 1, 0};
    ops[0].extent = make_cudaExtent(5, 4, 1);
    ops[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    printf("to an array: %s\n", cudaGetErrorName(cudaMemcpy3DBatchAsync(1, ops, &failed, 0, stream)));
    cudaMemcpy3DBatchOp reads = ops[0];
    reads.src = ops[0].dst;
    reads.dst = ops[0].src;
    reads.dst.op.ptr.ptr = copy;
    reads.dst.op.ptr.rowLength = 0;
    printf("from an array: %s\n", cudaGetErrorName(cudaMemcpy3DBatchAsync(1, &reads, 0, stream)));
    cudaStreamSynchronize(stream);
    int wrong = 0;
    for (int i = 0; i < 20; i++) {
        wrong += copy[i / 5][i % 5] != source[i / 5][i % 5];
    }
    printf("wrong: %d\n", wrong);
    ops[0].dst.op.array.offset.x = 4;
    printf("beyond the array: %s", cudaGetErrorName(cudaMemcpy3DBatchAsync(1, ops, &failed, 0, stream)));
    printf(", %zu\n", failed);
    cudaFreeArray(array);
}

int main()
{
    cudaMalloc(&device, 64);
    cudaStreamCreate(&stream);
    flat();
    boxes();
}
