// Inline PTX's bulk copies and reductions, and mbarriers that count their bytes. An H200 printed the
// same values.
#include <cstdint>
#include <cstdio>

typedef unsigned long long u64;

enum { WORDS = 1024 };

__device__ __align__(128) unsigned source[WORDS], target[2 * WORDS];
__device__ u64 results[64];

__device__ uint32_t narrow(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ void init(const void *b, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(narrow(b)), "r"(count) : "memory");
}
__device__ u64 arrive(const void *b)
{
    u64 state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(narrow(b))
                 : "memory");
    return state;
}
__device__ u64 arrive_and_expect(const void *b, unsigned bytes)
{
    u64 state;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(narrow(b)), "r"(bytes)
                 : "memory");
    return state;
}
__device__ void expect(const void *b, unsigned bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(narrow(b)),
                 "r"(bytes)
                 : "memory");
}
__device__ void complete(const void *b, unsigned bytes)
{
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(
                     narrow(b)),
                 "r"(bytes)
                 : "memory");
}
__device__ unsigned is_over(const void *b, u64 state)
{
    unsigned over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, "
                 "0, p; }"
                 : "=r"(over)
                 : "r"(narrow(b)), "l"(state)
                 : "memory");
    return over;
}
__device__ unsigned is_phase_over(const void *b, unsigned parity)
{
    unsigned over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 "
                 "%0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(narrow(b)), "r"(parity)
                 : "memory");
    return over;
}
__device__ unsigned pending(u64 state)
{
    unsigned count;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    return count;
}

/* One thread: what each test sees of a phase that needs arrivals and bytes. */
__global__ void count_bytes()
{
    __shared__ __align__(8) u64 b[4];
    int n = 0;
    init(&b[0], 2);
    u64 state = arrive_and_expect(&b[0], 64);
    results[n++] = is_over(&b[0], state);
    results[n++] = pending(state);
    results[n++] = pending(arrive(&b[0]));
    results[n++] = is_over(&b[0], state);
    complete(&b[0], 60);
    results[n++] = is_phase_over(&b[0], 0);
    complete(&b[0], 4);
    results[n++] = is_over(&b[0], state);
    results[n++] = is_phase_over(&b[0], 0);
    results[n++] = is_phase_over(&b[0], 1);
    /* Bytes are complete before they are expected. */
    init(&b[1], 1);
    complete(&b[1], 16);
    results[n++] = is_phase_over(&b[1], 0);
    expect(&b[1], 32);
    complete(&b[1], 16);
    results[n++] = is_phase_over(&b[1], 0);
    arrive(&b[1]);
    results[n++] = is_phase_over(&b[1], 0);
    /* Threads that leave. */
    init(&b[2], 3);
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(narrow(&b[2]))
                 : "memory");
    results[n++] = pending(state);
    asm volatile("mbarrier.arrive_drop.expect_tx.shared::cta.b64 %0, [%1], 16;"
                 : "=l"(state)
                 : "r"(narrow(&b[2]))
                 : "memory");
    results[n++] = pending(state);
    state = arrive(&b[2]);
    results[n++] = pending(state);
    results[n++] = is_over(&b[2], state);
    complete(&b[2], 16);
    results[n++] = is_over(&b[2], state);
    state = arrive(&b[2]);
    results[n++] = pending(state);
    results[n++] = is_over(&b[2], state);
    /* Only the parity of the phase counts. */
    init(&b[3], 1);
    state = arrive(&b[3]);
    for (int i = 0; i < 4; i++) {
        results[n++] = is_over(&b[3], state);
        arrive(&b[3]);
    }
}

#define WAIT_FOR_GROUPS                                                                            \
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;\n "               \
                 "cp.async.bulk.wait_group 0;" ::                                                  \
                     : "memory")
#define REDUCE(FORM, AT, BYTES)                                                                    \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." FORM " [%0], [%1], %2;" ::  \
                     "l"(target + (AT)),                                                           \
                 "r"(narrow(cells)), "r"(BYTES)                                                    \
                 : "memory");                                                                      \
    WAIT_FOR_GROUPS;                                                                               \
    results[n++] = target[AT]

__device__ void fill(unsigned *cells, unsigned value, unsigned in_target)
{
    for (int i = 0; i < WORDS; i++) {
        cells[i] = value;
        target[WORDS + i] = in_target;
    }
    asm volatile("fence.proxy.async.shared::cta;\n fence.proxy.async.global;" ::: "memory");
}

__global__ void copy()
{
    __shared__ __align__(128) unsigned cells[WORDS];
    __shared__ __align__(8) u64 b;
    int n = 0;
    init(&b, 1);
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(source), "r"(64));
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(narrow(cells)),
        "l"(source), "r"(4096), "r"(narrow(&b))
        : "memory");
    const u64 state = arrive_and_expect(&b, 4096);
    while (!is_over(&b, state)) {
    }
    for (int i = 0; i < 8; i++) {
        results[n++] = cells[i * 128 + i];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 2048;" ::"l"(target),
                 "r"(narrow(cells))
                 : "memory");
    WAIT_FOR_GROUPS;
    results[n++] = target[511];
    results[n++] = target[512];
    fill(cells, 7, __float_as_uint(2.25f));
    REDUCE("add.u32", 0, 64);
    results[n++] = target[16];
    REDUCE("max.s32", 32, 64);
    REDUCE("min.u64", 48, 64);
    REDUCE("inc.u32", 64, 64);
    REDUCE("dec.u32", 64, 64);
    REDUCE("xor.b64", 128, 64);
    REDUCE("and.b32", 192, 64);
    fill(cells, __float_as_uint(1.5f), __float_as_uint(2.25f));
    REDUCE("add.f32", WORDS, 64);
    fill(cells, 0x3c003c00, 0x40004000);
    REDUCE("add.noftz.f16", WORDS, 64);
    REDUCE("min.f16", WORDS, 64);
    fill(cells, 0x3f803f80, 0x40004000);
    REDUCE("add.noftz.bf16", WORDS, 64);
    REDUCE("max.bf16", WORDS, 64);
}

template <class T> __device__ void set(T *from, T *to, T value, T old)
{
    for (unsigned i = 0; i < 16 / sizeof(T); i++) {
        from[i] = value;
        to[i] = old;
    }
    asm volatile("fence.proxy.async.shared::cta;\n fence.proxy.async.global;" ::: "memory");
}
/* The bits of the last element of 16 bytes. */
template <class T> __device__ u64 last(const T *of)
{
    u64 bits = 0;
    memcpy(&bits, of + 16 / sizeof(T) - 1, sizeof(T));
    return bits;
}
#define TO_GLOBAL(FORM, T, OLD, VALUE)                                                             \
    set((T *)from, (T *)target, (T)(VALUE), (T)(OLD));                                             \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." FORM " [%0], [%1], 16;" ::  \
                     "l"(target),                                                                  \
                 "r"(narrow(from))                                                                 \
                 : "memory");                                                                      \
    WAIT_FOR_GROUPS;                                                                               \
    results[n++] = last((const T *)target)
#define TO_SHARED(FORM, T, OLD, VALUE)                                                             \
    set((T *)from, (T *)to, (T)(VALUE), (T)(OLD));                                                 \
    state = arrive_and_expect(&b, 16);                                                             \
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"        \
                 "bytes." FORM " [%0], [%1], 16, [%2];" ::"r"(narrow(to)),                         \
                 "r"(narrow(from)), "r"(narrow(&b))                                                \
                 : "memory");                                                                      \
    while (!is_over(&b, state)) {                                                                  \
    }                                                                                              \
    results[n++] = last((const T *)to)

/* Each operation for each type that the assembler takes, except those of copy(). */
__global__ void __cluster_dims__(1) reduce()
{
    __shared__ __align__(128) unsigned from[4], to[4];
    __shared__ __align__(8) u64 b;
    u64 state;
    int n = 0;
    init(&b, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    TO_GLOBAL("add.s32", int, -5, 3);
    TO_GLOBAL("add.u64", u64, 1ull << 32, 1);
    TO_GLOBAL("add.f64", double, 1.5, 2.25);
    TO_GLOBAL("min.u32", unsigned, -5, 3);
    TO_GLOBAL("max.u32", unsigned, -5, 3);
    TO_GLOBAL("min.s32", int, -5, 3);
    TO_GLOBAL("max.u64", u64, -5, 3);
    TO_GLOBAL("min.s64", long long, -5, 3);
    TO_GLOBAL("max.s64", long long, -5, 3);
    TO_GLOBAL("max.f16", unsigned short, 0xbc00, 0x3c00);
    TO_GLOBAL("min.bf16", unsigned short, 0xbf80, 0x3f80);
    TO_GLOBAL("or.b32", unsigned, 12, 10);
    TO_GLOBAL("xor.b32", unsigned, 12, 10);
    TO_GLOBAL("and.b64", u64, 12ull << 32, 10ull << 32);
    TO_GLOBAL("or.b64", u64, 12ull << 32, 10);
    TO_SHARED("add.u32", unsigned, 5, -3);
    TO_SHARED("add.s32", int, -5, 3);
    TO_SHARED("add.u64", u64, 1ull << 32, 1);
    TO_SHARED("min.u32", unsigned, -5, 3);
    TO_SHARED("max.u32", unsigned, -5, 3);
    TO_SHARED("min.s32", int, -5, 3);
    TO_SHARED("max.s32", int, -5, 3);
    TO_SHARED("inc.u32", unsigned, 3, 3);
    TO_SHARED("dec.u32", unsigned, 0, 3);
    TO_SHARED("and.b32", unsigned, 12, 10);
    TO_SHARED("or.b32", unsigned, 12, 10);
    TO_SHARED("xor.b32", unsigned, 12, 10);
}

static void show(const char *name, int count)
{
    u64 host[64];
    printf("%s: %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpyFromSymbol(host, results, sizeof host);
    for (int i = 0; i < count; i++) {
        printf(" %llx", host[i]);
    }
    printf("\n");
}

int main()
{
    unsigned words[WORDS];
    for (unsigned i = 0; i < WORDS; i++) {
        words[i] = i * 3 + 1;
    }
    cudaMemcpyToSymbol(source, words, sizeof words);
    count_bytes<<<1, 1>>>();
    show("bytes", 22);
    copy<<<1, 1>>>();
    show("copies", 23);
    reduce<<<1, 1>>>();
    show("reductions", 27);
}
