// cdpcc: --entry=block -O2
// entries: it tests their code
// Threads that leave a loop after its barrier have the value of the previous iteration, while the
// rest of their vector has that of the next one.
#include "show.h"
typedef unsigned char uchar;
struct Pair {
    int a;
    float b[4];
};
struct Node {
    int key;
};
__global__ void k(unsigned p0, unsigned p1, unsigned p2, Pair pair,
                  const unsigned *__restrict__ table, const unsigned *big, const unsigned *tail,
                  unsigned wrap, unsigned high, const Node *nodes, Node *mine, uchar *row,
                  unsigned *out, unsigned *own, unsigned *tally, unsigned *lattice, unsigned limit)
{
    unsigned nt = blockDim.x * blockDim.y * blockDim.z;
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    size_t gid = (size_t)blockIdx.x * nt + t;
    unsigned q0 = p0 + 1;
    bool b0 = t & 1;
    int i0 = (int)(table[(gid * 6 + 183) & 255] & 0xffffffffu);
    int i1 = (int)(table[(gid * 6 + 190) & 255] & 0xffffffffu);
    unsigned u0 = (unsigned)(table[(gid * 6 + 90) & 255] & 0xffffffffu);
    unsigned u1 = (unsigned)(table[(gid * 2 + 71) & 255] & 0xffffffffu);
    {
        unsigned k0 = 0, e0 = (q0 & 3) + 1;
        while (true) {
            if (k0++ >= e0)
                break;
            {
                __syncthreads();
            }
            {
                if ((t != 56)) {
                    out[gid * 4 + 1] = u0 + 628;
                    return;
                }
            }
        }
    }
    out[gid * 4] = u0 ^ (u1 * 3) ^ (unsigned)i0 ^ (unsigned)(i1 * 5u) ^ (b0 ? 64 : 0);
}
int main()
{
    static unsigned table[256], out[4 * 2 * 256];
    const dim3 shapes[] = {64, 100, 256, dim3(16, 4), dim3(64, 2, 2)};
    for (unsigned i = 0; i < 256; i++) {
        table[i] = i * 2654435761u >> 5;
    }
    for (dim3 shape : shapes) {
        int finished = 0, left = 0;
        memset(out, 0, sizeof out);
        k<<<2, shape>>>(7, 0, 0, Pair(), table, table, table, 0, 0, nullptr, nullptr, nullptr, out,
                        out, out, out, 0);
        MUST(cudaDeviceSynchronize());
        for (size_t i = 0; i < sizeof out / sizeof *out; i += 4) {
            finished += out[i] != 0;
            left += out[i + 1] != 0;
        }
        printf("%u x %u x %u: %d finished, %d left\n", shape.x, shape.y, shape.z, finished, left);
    }
}
