// cdpcc: --check=space -Wno-cdp-constant-write
// stderr: cudaErrorInvalidAddressSpace: atomic access of 16 bytes of shared variable 's' of the parent, block \(0,0,0\) of kernel parent
#include <cstdio>

// A child gets the address of its parent's shared array through memory, where no launch sees it.
struct Quad {
    int a, b, c, d;
};
struct Node {
    int *data;
    Node *next;
};
__device__ Node nodes[2];
__device__ int sink;
__device__ __noinline__ int add(const int *p, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i];
    }
    return sum;
}

enum Kind {
    NOTHING,
    READ,
    WRITE,
    VOLATILE,
    ADD,
    SWAP,
    WIDE,
    CLASS_OUT,
    CLASS_IN,
    FILL,
    BYTES,
    LOOP,
    CALL,
    LIST,
    KINDS
};

__global__ void child(Kind kind, int zero)
{
    int *p = nodes[0].data;
    switch (kind) {
    case READ:
        sink = p[zero];
        break;
    case WRITE:
        p[zero + 1] = 1;
        break;
    case VOLATILE:
        *(volatile int *)p = 1;
        break;
    case ADD:
        atomicAdd(p, 1);
        break;
    case SWAP:
        atomicCAS((unsigned short *)p, (unsigned short)0, (unsigned short)1);
        break;
    case WIDE: {
        struct alignas(16) Wide {
            long long x, y;
        };
        atomicExch((Wide *)p, Wide{1, 2});
        break;
    }
    case CLASS_OUT:
        *(Quad *)p = Quad{1, 2, 3, zero};
        break;
    case CLASS_IN: {
        Quad q = *(Quad *)p;
        sink = q.a + q.b + q.c + q.d;
        break;
    }
    case FILL:
        memset(p, zero, 16);
        break;
    case BYTES:
        memcpy(&sink, p, 4);
        break;
    case LOOP:
        for (int i = zero; i < 4; i++) {
            p[i] = 2 * i;
        }
        break;
    case CALL:
        sink = add(p, 4);
        break;
    case LIST:
        for (Node *n = &nodes[1]; n != nullptr; n = n->next) {
            sink = *n->data;
        }
        break;
    default:
        break;
    }
}

__global__ void parent(Kind kind)
{
    __shared__ __align__(16) int s[4];
    s[threadIdx.x] = 0;
    nodes[0] = {s, nullptr};
    nodes[1] = {&sink, &nodes[0]};
    child<<<1, 1>>>(kind, 0);
    cudaDeviceSynchronize();
}

int main()
{
    static const Kind order[] = {WIDE,      NOTHING,  READ, WRITE, VOLATILE, ADD,  SWAP,
                                 CLASS_OUT, CLASS_IN, FILL, BYTES, LOOP,     CALL, LIST};
    for (Kind kind : order) {
        parent<<<1, 1>>>(kind);
        cudaError_t first = cudaDeviceSynchronize(), again = cudaGetLastError();
        void *p;
        printf("%d: %d, sticky: %d %d\n", kind, first, again != 0, cudaMalloc(&p, 4) == first);
        cudaDeviceReset();
    }
}
