// cdpcc: --entry=block -O2
// entries: it tests their code
// One thread of each vector stores the low part of a number: no other bytes are written.
#include "show.h"
template <int EVERY, class T> __global__ void k(const unsigned *from, T *to, unsigned *all)
{
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % EVERY == 0) {
        to[i] = (T)from[i];
    } else {
        all[i] = t;
    }
}
template <int EVERY, class T> static int run()
{
    static unsigned from[512], all[512];
    static T to[512];
    int wrong = 0;
    for (unsigned i = 0; i < 512; i++) {
        from[i] = i * 2654435761u | 0x01010101u;
        to[i] = 0;
    }
    k<EVERY, T><<<2, 256>>>(from, to, all);
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 512; i++) {
        wrong += to[i] != (i % EVERY == 0 ? (T)from[i] : 0);
    }
    printf("%d bytes, every %d: %d wrong\n", (int)sizeof(T), EVERY, wrong);
    return 0;
}
int main()
{
    run<4, unsigned char>();
    run<8, unsigned char>();
    run<16, unsigned char>();
    run<4, unsigned short>();
    run<8, unsigned short>();
    run<16, unsigned short>();
}
