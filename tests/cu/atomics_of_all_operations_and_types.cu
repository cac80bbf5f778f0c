// races: the compare-and-swap loop begins with a plain read, as is usual
#include "show.h"
struct Cells {
    int add, sub, exch, min, max, land, lor, lxor;
    unsigned uadd, inc, dec, umin, umax, cas;
    unsigned long long ladd, lmax, lor64, lcas;
    long long smin, smax;
    float fadd, fexch;
    double dadd;
};
__device__ Cells cells;
__device__ void addByCompareAndSwap(unsigned *address, unsigned value) {
    unsigned old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, assumed + value);
    } while (old != assumed);
}
__global__ void kernel(Cells *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&c->add, i);
    atomicSub(&c->sub, i);
    atomicExch(&c->exch, 5);
    atomicMin(&c->min, -i);
    atomicMax(&c->max, i);
    atomicAnd(&c->land, ~(1 << (i % 31)));
    atomicOr(&c->lor, 1 << (i % 31));
    atomicXor(&c->lxor, i);
    atomicAdd(&c->uadd, 3u);
    atomicInc(&c->inc, 9u);
    atomicDec(&c->dec, 9u);
    atomicMin(&c->umin, 1000u - i);
    atomicMax(&c->umax, 4000000000u + i);
    addByCompareAndSwap(&c->cas, 2);
    atomicAdd(&c->ladd, 1ull << 32);
    atomicMax(&c->lmax, (unsigned long long)i << 33);
    atomicOr(&c->lor64, 1ull << (i % 64));
    atomicCAS(&c->lcas, (unsigned long long)i, i + 1ull);
    atomicMin(&c->smin, -(long long)i << 34);
    atomicMax(&c->smax, (long long)i << 34);
    atomicAdd(&c->fadd, 0.5f);
    atomicExch(&c->fexch, 2.5f);
    atomicAdd(&c->dadd, 0.25);
    atomicAdd_block(&c->add, 0);
    atomicAdd_system(&c->add, 0);
}
int main() {
    Cells *c;
    MUST(cudaMallocManaged(&c, sizeof(Cells)));
    memset(c, 0, sizeof(Cells));
    c->land = -1;
    c->umin = 5000;
    kernel<<<4, 64>>>(c);
    MUST(cudaDeviceSynchronize());
    printf("%d %d %d %d %d %x %x %x\n", c->add, c->sub, c->exch, c->min, c->max, c->land, c->lor,
           c->lxor);
    printf("%u %u %u %u %u %u\n", c->uadd, c->inc, c->dec, c->umin, c->umax, c->cas);
    printf("%llx %llx %llx %d %llx %llx\n", c->ladd, c->lmax, c->lor64, c->lcas >= 1, c->smin, c->smax);
    printf("%g %g %g\n", c->fadd, c->fexch, c->dadd);
}
