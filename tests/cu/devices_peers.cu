// env: CDP_DEVICES=3
// Peer access: its codes, copies between devices, managed memory, pools.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%-60s %s\n", #call, cudaGetErrorName(call))

__global__ void add(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        to[i] += from[i];
    }
}

static void access()
{
    int can;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            cudaDeviceCanAccessPeer(&can, i, j);
            printf("%d ", can);
        }
    }
    printf("\n");
    cudaSetDevice(1);
    SAY(cudaDeviceCanAccessPeer(&can, 0, 3));
    SAY(cudaDeviceDisablePeerAccess(0));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(2, 1));
    SAY(cudaDeviceEnablePeerAccess(3, 0));
    cudaSetDevice(0);
    SAY(cudaDeviceDisablePeerAccess(1)); // each direction is its own
    cudaSetDevice(1);
    SAY(cudaDeviceDisablePeerAccess(0));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    cudaSetDevice(0);
    cudaDeviceReset(); // ends the access of both directions
    cudaSetDevice(1);
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 1));
    printf("supported: %d\n", can);
    SAY(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 1, 1));
    cudaGetLastError();
}

static void copies()
{
    const int n = 1000;
    int host[n], *a, *b;
    for (int i = 0; i < n; i++) {
        host[i] = i;
    }
    cudaSetDevice(0);
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaSetDevice(1);
    cudaMalloc(&b, sizeof host);
    cudaSetDevice(2); // neither of the two
    SAY(cudaMemcpyPeer(b, 1, a, 0, sizeof host));
    SAY(cudaMemcpyPeer(b, 3, a, 0, sizeof host));
    SAY(cudaMemcpyPeerAsync(b, 1, a, 0, sizeof host, 0));
    cudaMemcpy3DPeerParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = make_cudaPitchedPtr(a, 40, 10, n / 10);
    p.dstPtr = make_cudaPitchedPtr(b, 40, 10, n / 10);
    p.dstDevice = 1;
    p.extent = make_cudaExtent(40, n / 10, 1);
    SAY(cudaMemcpy3DPeer(&p));
    SAY(cudaMemcpy3DPeerAsync(&p, 0));
    p.srcDevice = 3;
    SAY(cudaMemcpy3DPeer(&p));
    cudaGetLastError();
    cudaDeviceSynchronize();
    cudaSetDevice(1); // has access to device 0
    add<<<(n + 127) / 128, 128>>>(b, a, n);
    SAY(cudaMemcpy(host, b, sizeof host, cudaMemcpyDefault));
    int right = 0;
    for (int i = 0; i < n; i++) {
        right += host[i] == 2 * i;
    }
    printf("%d right\n", right);
    SAY(cudaFree(a));
    SAY(cudaFree(b));
}

static void managed()
{
    int *m;
    cudaSetDevice(2);
    cudaMallocManaged(&m, sizeof(int));
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, m);
    printf("managed memory of device %d, type %d\n", a.device, a.type);
    *m = 1;
    SAY(cudaMemAdvise(m, sizeof(int), cudaMemAdviseSetPreferredLocation, 1));
    SAY(cudaMemAdvise(m, sizeof(int), cudaMemAdviseSetAccessedBy, 3));
    SAY(cudaMemPrefetchAsync(m, sizeof(int), 1, 0));
    SAY(cudaMemPrefetchAsync(m, sizeof(int), 3, 0));
    cudaGetLastError();
    for (int i = 0; i < 3; i++) {
        cudaSetDevice(i);
        add<<<1, 1>>>(m, m, 1);
        cudaDeviceSynchronize();
    }
    printf("after three devices: %d\n", *m);
    cudaFree(m);
}

static void pools()
{
    cudaMemPool_t pool[2];
    void *p;
    cudaDeviceGetDefaultMemPool(&pool[0], 0);
    cudaDeviceGetDefaultMemPool(&pool[1], 1);
    printf("pools differ: %d\n", pool[0] != pool[1]);
    cudaSetDevice(0);
    SAY(cudaMallocFromPoolAsync(&p, 100, pool[1], 0));
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, p);
    printf("memory of device %d\n", a.device);
    SAY(cudaFreeAsync(p, 0));
    cudaMemLocation where = {cudaMemLocationTypeDevice, 0};
    cudaMemAccessFlags flags;
    cudaMemPoolGetAccess(&flags, pool[1], &where);
    printf("access %d", flags);
    cudaMemAccessDesc desc = {where, cudaMemAccessFlagsProtReadWrite};
    cudaMemPoolSetAccess(pool[1], &desc, 1);
    cudaMemPoolGetAccess(&flags, pool[1], &where);
    printf(", then %d\n", flags);
    cudaStream_t s1;
    cudaSetDevice(1);
    cudaStreamCreate(&s1);
    cudaSetDevice(0);
    cudaMallocAsync(&p, 100, s1); // the stream decides
    cudaPointerGetAttributes(&a, p);
    printf("memory of device %d\n", a.device);
    cudaFreeAsync(p, s1);
    cudaStreamSynchronize(s1);
    cudaStreamDestroy(s1);
}

int main()
{
    access();
    copies();
    managed();
    pools();
}
