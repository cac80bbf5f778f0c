// Inline PTX that other tests leave out: carries from one asm to the next, asynchronous copies, the
// spaces of addresses, additions to halves, an elected lane, cache policies, approximate functions.
// workers: 1 2 8
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>

typedef unsigned int u32;
typedef unsigned long long u64;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d, thread %d: %s fails\n", __LINE__, threadIdx.x, #condition);           \
        }                                                                                          \
    } while (0)

// As in libraries for large numbers: one instruction in each function.
__device__ u32 add_cc(u32 a, u32 b)
{
    u32 d;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ u32 addc_cc(u32 a, u32 b)
{
    u32 d;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ u32 addc(u32 a, u32 b)
{
    u32 d;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ u32 mad_lo_cc(u32 a, u32 b, u32 c)
{
    u32 d;
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ u32 madc_hi(u32 a, u32 b, u32 c)
{
    u32 d;
    asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

__global__ void carries(u32 *out, int count)
{
    const u32 t = threadIdx.x;
    u32 a[4] = {0xffffffffu - t % 3, 0xffffffff, t % 5 == 0 ? 0xffffffff : t, 0x12345678};
    const u32 b[4] = {2, 0, 0, t};
    u32 sum[4];
    sum[0] = add_cc(a[0], b[0]);
    sum[1] = addc_cc(a[1], b[1]);
    sum[2] = addc_cc(a[2], b[2]);
    sum[3] = addc(a[3], b[3]);
    u64 low = (u64)a[0] + b[0], carry = low >> 32;
    bool same = sum[0] == (u32)low;
    for (int i = 1; i < 4; i++) {
        low = (u64)a[i] + b[i] + carry;
        carry = low >> 32;
        same &= sum[i] == (u32)low;
    }
    const u32 p = mad_lo_cc(a[2], a[3], a[1]), q = madc_hi(a[2], a[3], t);
    const u64 product = (u64)a[2] * a[3] + a[1] + ((u64)t << 32);
    u32 twice = 0xc0000000 + t, above = 0; // a carry through a loop
    for (int i = 0; i < count; i++) {
        twice = add_cc(twice, twice);
        above = addc_cc(above, above);
    }
    const u64 expected = (u64)(0xc0000000 + t) << count;
    same &= twice == (u32)expected && above == (u32)(expected >> 32);
    out[t] = same && p == (u32)product && q == (u32)(product >> 32);
}

__device__ u32 words[64];
__constant__ int constant_word = 5;

__global__ void memory()
{
    __shared__ __align__(16) u32 to[4 * 64];
    const u32 t = threadIdx.x;
    const u32 target = (u32)__cvta_generic_to_shared(&to[4 * t]);
    if (t < 16) {
        words[4 * t] = t, words[4 * t + 1] = t + 1, words[4 * t + 2] = t + 2, words[4 * t + 3] = ~t;
    }
    __syncthreads();
    const u32 *const from = words + t % 16 * 4;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(from) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    CHECK(to[4 * t] == t % 16 && to[4 * t + 3] == ~(t % 16));
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 8, %2;" ::"r"(target),
                 "l"(from + 1), "r"(4)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    CHECK(to[4 * t] == t % 16 + 1 && to[4 * t + 1] == 0 && to[4 * t + 2] == t % 16 + 2);
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0;"
                 " @p cp.async.ca.shared::cta.global [%0+8], [%1], 4; }" ::"r"(target),
                 "l"(from), "r"(t % 2)
                 : "memory");
    CHECK(to[4 * t + 2] == (t % 2 != 0 ? t % 16 : t % 16 + 2));
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(target), "l"(from), "n"(16),
                 "r"(12) : "memory");
    CHECK(to[4 * t + 2] == t % 16 + 2 && to[4 * t + 3] == 0);
    u32 logic;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(logic) : "r"(t), "r"(12), "r"(0x55), "n"((0xf0 & 0xcc) ^ 0xaa));
    CHECK(logic == ((t & 12) ^ 0x55));
    u64 policy;
    u32 d, e;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
                 : "=r"(d), "=r"(e)
                 : "l"(from), "l"(policy));
    CHECK(d == t % 16 && e == t % 16 + 1);
    asm("{ .reg .u64 a; cvt.u64.u32 a, %1; cvta.shared.u64 a, a; ld.u32 %0, [a]; }"
        : "=r"(d)
        : "r"(target));
    CHECK(d == to[4 * t]);
    int local = 7;
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "l"(&to[t]));
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(e) : "l"(from));
    CHECK(d == 1 && e == 0);
    asm("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "l"(&local));
    CHECK(d == 1 && local == 7);
}

__global__ void warps(__half2 *sum)
{
    const u32 t = threadIdx.x, lane = t % 32;
    u32 leader, elected, d;
    asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
                 : "=r"(leader), "=r"(elected)
                 : "r"(0xffffffff));
    CHECK(leader == 0 && elected == (lane == 0));
    const __half2 one = __half2(__half(1.0f), __half(2.0f));
    asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(sum),
                 "r"(*(const u32 *)&one)
                 : "memory");
    asm("mov.u32 %0, %nctaid.x;" : "=r"(d));
    CHECK(d == 1);
    asm("mov.u32 %0, %cluster_nctarank;" : "=r"(d));
    CHECK(d == 1);
    asm volatile("{ .reg .pred p0; vote.sync.uni.pred p0, 1, 0xffffffff; selp.u32 %0, 1, 0, p0; }"
                 : "=r"(d));
    CHECK(d == 1);
}

__global__ void functions(float *worst)
{
    const float x = ldexpf(1.0f + (float)threadIdx.x / 64, (int)threadIdx.x % 9 - 4);
    float y;
#define BOUND(TEXT, EXACT, BOUND)                                                                  \
    asm(TEXT " %0, %1;" : "=f"(y) : "f"(x));                                                       \
    CHECK(fabsf(y - (float)(EXACT)) <= (BOUND));
    // The bounds that the PTX manual gives.
    BOUND("rcp.approx.ftz.f32", 1.0 / x, 0x1p-23f / x)
    BOUND("sqrt.approx.f32", sqrt((double)x), 0x1p-22f * sqrtf(x))
    BOUND("rsqrt.approx.f32", 1 / sqrt((double)x), 0x1.8p-22f / sqrtf(x))
    BOUND("ex2.approx.ftz.f32", exp2((double)x), 0x1p-22f * exp2f(x))
    BOUND("lg2.approx.f32", log2((double)x), 0x1p-22f * fmaxf(1, fabsf(log2f(x))))
    BOUND("tanh.approx.f32", tanh((double)x), 0x1p-11f)
    if (x < 3) {
        BOUND("sin.approx.f32", sin((double)x), 0x1p-20f)
        BOUND("cos.approx.f32", cos((double)x), 0x1p-20f)
    }
    u32 half;
    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; ex2.approx.f16 h, h; cvt.u32.u16 %0, h; }"
        : "=r"(half)
        : "f"(x / 8));
    const float z = __half2float(__ushort_as_half((unsigned short)half));
    CHECK(fabsf(z - exp2f(__half2float(__float2half(x / 8)))) <= 0x1p-9f * z);
    *worst = 0;
}

int main()
{
    u32 *data;
    cudaMallocManaged(&data, 256 * sizeof *data);
    carries<<<1, 64>>>(data, 7);
    cudaDeviceSynchronize();
    int right = 0;
    for (int i = 0; i < 64; i++) {
        right += (int)data[i];
    }
    printf("%d of 64 carries\n", right);
    memory<<<1, 64>>>();
    cudaDeviceSynchronize();
    data[0] = 0;
    warps<<<1, 64>>>((__half2 *)data);
    functions<<<1, 64>>>((float *)(data + 1));
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%x\n", data[0]);
}
