// Pools that the program makes, and their memory in another process. The driver's handles, too.
// workers: 2
// cdpcc: -lcuda
// stderr: cudaIpcGetMemHandle at .*: it is memory of a pool
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
#define SHOW(call) printf("%s: %d\n", #call, (int)(call))
enum { N = 5000 };
const cudaMemAllocationHandleType DESCRIPTOR = cudaMemHandleTypePosixFileDescriptor;

__global__ void add(int *p, int value)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        p[i] += value;
    }
}

static int first_and_last(const int *device)
{
    int host[N];
    return cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess
               ? host[0] * 100 + host[N - 1]
               : -1;
}

struct message {
    cudaMemPoolPtrExportData data[2];
    CUipcMemHandle memory;
    CUipcEventHandle event;
};

static void send(int socket, const message *m, const int *fds)
{
    char control[CMSG_SPACE(2 * sizeof(int))] = {0};
    iovec part = {(void *)m, sizeof *m};
    msghdr header = {0};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr *rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(rights), fds, 2 * sizeof(int));
    printf("sent: %d\n", sendmsg(socket, &header, 0) == sizeof *m);
}

static void receive(int socket, message *m, int *fds)
{
    char control[CMSG_SPACE(2 * sizeof(int))];
    iovec part = {m, sizeof *m};
    msghdr header = {0};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    printf("received: %d\n", recvmsg(socket, &header, 0) == sizeof *m);
    memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&header)), 2 * sizeof(int));
}

static void other(int socket)
{
    message m;
    int fds[2];
    receive(socket, &m, fds);
    cudaMemPool_t pools[2], wrong;
    int *p[2], *q;
    for (int i = 0; i < 2; i++) {
        SAY(cudaMemPoolImportFromShareableHandle(&pools[i], (void *)(size_t)fds[i], DESCRIPTOR, 0));
        close(fds[i]);
    }
    SAY(cudaMemPoolImportFromShareableHandle(&wrong, (void *)(size_t)socket, DESCRIPTOR, 0));
    SAY(cudaMemPoolImportFromShareableHandle(&wrong, (void *)(size_t)999, DESCRIPTOR, 0));
    SAY(cudaMemPoolImportPointer((void **)&q, pools[0], &m.data[1]));
    for (int i = 0; i < 2; i++) {
        SAY(cudaMemPoolImportPointer((void **)&p[i], pools[i], &m.data[i]));
        printf("%d\n", first_and_last(p[i]));
        add<<<1, 64>>>(p[i], 5);
    }
    SAY(cudaMallocFromPoolAsync((void **)&q, 64, pools[0], 0));
    SAY(cudaMemPoolExportToShareableHandle(fds, pools[0], DESCRIPTOR, 0));
    SAY(cudaMemPoolDestroy(pools[0]));
    SAY(cudaFreeAsync(p[0], 0));
    SAY(cudaFree(p[1]));
    SAY(cudaMemset(p[1], 0, 4));
    CUdeviceptr memory;
    CUevent event;
    SHOW(cuIpcOpenMemHandle(&memory, m.memory, 0));
    SHOW(cuIpcOpenMemHandle(&memory, m.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    SHOW(cuIpcOpenEventHandle(&event, m.event));
    SHOW(cuEventSynchronize(event));
    printf("%d\n", first_and_last((int *)memory));
    SHOW(cuIpcCloseMemHandle(memory));
    SHOW(cuIpcCloseMemHandle(memory));
    SHOW(cuEventDestroy(event));
}

static cudaMemPool_t make(cudaMemAllocationHandleType type, size_t most)
{
    cudaMemPoolProps props = {};
    cudaMemPool_t pool = NULL;
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = type;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = most;
    SAY(cudaMemPoolCreate(&pool, &props));
    return pool;
}

static void use_pools()
{
    cudaMemPool_t plain = make(cudaMemHandleTypeNone, 0), small = make(cudaMemHandleTypeNone, 8192);
    cudaMemPool_t before, now;
    int *p, *q, fd;
    unsigned long long used;
    cudaMemPoolPtrExportData data;
    cudaIpcMemHandle_t handle;
    cudaDeviceGetDefaultMemPool(&before, 0);
    SAY(cudaDeviceSetMemPool(0, plain));
    cudaDeviceGetMemPool(&now, 0);
    SAY(cudaMallocAsync(&p, N * sizeof(int), 0));
    SAY(cudaMemPoolGetAttribute(plain, cudaMemPoolAttrUsedMemCurrent, &used));
    printf("current: %d, used: %llu\n", now == plain, used);
    SAY(cudaIpcGetMemHandle(&handle, p));
    SAY(cudaMemPoolExportPointer(&data, p));
    SAY(cudaMemPoolExportToShareableHandle(&fd, plain, DESCRIPTOR, 0));
    SAY(cudaMemPoolExportToShareableHandle(&fd, before, DESCRIPTOR, 0));
    SAY(cudaMallocFromPoolAsync(&q, 8000, small, 0));
    cudaFreeAsync(q, 0);
    cudaStreamSynchronize(0);
    SAY(cudaMallocFromPoolAsync(&q, 33 << 20, small, 0));
    SAY(cudaMemPoolDestroy(plain));
    cudaDeviceGetMemPool(&now, 0);
    printf("default again: %d\n", now == before);
    SAY(cudaMemset(p, 0, N * sizeof(int)));
    SAY(cudaFree(p));
    SAY(cudaMemPoolTrimTo(plain, 0));
    SAY(cudaMemPoolDestroy(small));
    SAY(cudaMemPoolDestroy(before));
}

int main()
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) != 0) {
        return 1;
    }
    pid_t id = fork();
    if (id == 0) {
        other(sockets[1]);
        fflush(stdout);
        _exit(0);
    }
    use_pools();
    message m;
    int fds[2], *p[2], *q;
    for (int i = 0; i < 2; i++) {
        cudaMemPool_t pool = make(DESCRIPTOR, 0);
        cudaMallocAsync(&p[i], N * sizeof(int), pool, 0);
        cudaMemsetAsync(p[i], 0, N * sizeof(int), 0);
        add<<<1, 64>>>(p[i], i + 1);
        SAY(cudaMemPoolExportToShareableHandle(&fds[i], pool, DESCRIPTOR, 0));
        SAY(cudaMemPoolExportPointer(&m.data[i], p[i] + 64));
        SAY(cudaMemPoolExportPointer(&m.data[i], p[i]));
    }
    CUevent event;
    cudaMalloc(&q, N * sizeof(int));
    cudaMemset(q, 0, N * sizeof(int));
    SHOW(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    SHOW(cuIpcGetMemHandle(&m.memory, (CUdeviceptr)q));
    SHOW(cuIpcGetEventHandle(&m.event, event));
    add<<<1, 64>>>(q, 7);
    cuEventRecord(event, 0);
    send(sockets[0], &m, fds);
    fflush(stdout);
    waitpid(id, NULL, 0);
    printf("%d %d\n", first_and_last(p[0]), first_and_last(p[1]));
    cudaFree(q);
    cuEventDestroy(event);
    for (int i = 0; i < 2; i++) {
        cudaFreeAsync(p[i], 0);
        close(fds[i]);
    }
    SAY(cudaDeviceSynchronize());
}
