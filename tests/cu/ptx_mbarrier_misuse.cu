// cdpcc: -g
// stderr: more arrivals than the phase still needs at the mbarrier
// stderr: more expected bytes than 1,048,575 at the mbarrier
// stderr: mbarrier at
// stderr: bulk copy of 8 bytes
// stderr: bulk copy of 16 bytes
// stderr: at copy \(ptx_mbarrier_misuse.cu:
// stderr: from shared to shared memory in a kernel that was launched without clusters
// stderr: a multicast to the blocks of the mask 0x3, in a cluster of 1 block
// Misuse of mbarriers and bulk copies, with an H100's codes; it only hangs for the size of 8 bytes.
// A fault within the C library's memcpy names the kernel's line.
#include "show.h"
#include <cstdint>

typedef unsigned long long u64;

__device__ __align__(16) unsigned source[64];

__device__ uint32_t narrow(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ void init(const void *b, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(narrow(b)), "r"(count) : "memory");
}
__device__ void copy(const void *to, const void *from, unsigned bytes, const void *b)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(narrow(to)),
        "l"(from), "r"(bytes), "r"(narrow(b))
        : "memory");
}

enum { ARRIVALS, NOT_INITIALIZED, BYTES, ALIGNMENT, SIZE, ADDRESS, NULL_POINTER, STORE, COPY, REDUCTION, MULTICAST };

__global__ void misuse(int what)
{
    __shared__ __align__(16) unsigned cells[64];
    __shared__ __align__(8) u64 b[2];
    const bool is_wrong = what == ALIGNMENT;
    if (what != NOT_INITIALIZED) {
        init((const char *)&b[0] + (is_wrong ? 4 : 0), 2);
    }
    switch (what) {
    case ARRIVALS:
    case NOT_INITIALIZED:
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], 3;" ::"r"(narrow(b)) : "memory");
        break;
    case BYTES:
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(narrow(b)),
                     "r"((1 << 20) - 1)
                     : "memory");
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 1;" ::"r"(narrow(b))
                     : "memory");
        break;
    case SIZE:
        copy(cells, source, 8, b);
        break;
    case ADDRESS:
        copy(cells, source + 2, 16, b);
        break;
    case NULL_POINTER:
        copy(cells, (const void *)16, 16, b);
        break;
    case STORE:
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], 1, [%1];" ::
                         "r"(narrow(cells)),
                     "r"(narrow(b))
                     : "memory");
        break;
    case COPY:
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "
                     "[%0], 16, [%1];" ::"r"(narrow(cells)),
                     "r"(narrow(b))
                     : "memory");
        break;
    case REDUCTION:
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes."
                     "add.u32 [%0], [%0], 16, [%1];" ::"r"(narrow(cells)),
                     "r"(narrow(b))
                     : "memory");
        break;
    case MULTICAST:
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0], [%1], 16, [%2], %3;" ::"r"(narrow(cells)),
                     "l"(source), "r"(narrow(b)), "h"((short)3)
                     : "memory");
        break;
    }
}

int main()
{
    for (int what = ARRIVALS; what <= MULTICAST; what++) {
        misuse<<<1, 1>>>(what);
        SHOW(cudaDeviceSynchronize());
        MUST(cudaDeviceReset());
    }
}
