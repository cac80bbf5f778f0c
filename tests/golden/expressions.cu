// Expressions whose value is decided by the hardware, or by a function's author: 64 lanes compute
// each from numbers that the compiler does not know. A NaN of float or double is "nan": its bits
// depend on the processor.
// flags: -fmad=false
#include "ask.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned long long u64;
enum { LANES = 64 };

// The numbers are computed from a zero that the compiler does not know, in each lane.
struct Zero {
    unsigned zero;
};
struct Ints : Zero {
    __device__ int operator()(int x) const { return x ^ (int)zero; }
};
struct Unsigneds : Zero {
    __device__ unsigned operator()(unsigned x) const { return x ^ zero; }
};
struct Longs : Zero {
    __device__ long long operator()(long long x) const { return x ^ (long long)zero; }
};
struct UnsignedLongs : Zero {
    __device__ u64 operator()(u64 x) const { return x ^ zero; }
};
struct FloatBits : Zero {
    __device__ float operator()(unsigned x) const { return __uint_as_float(x ^ zero); }
};
struct Floats : Zero {
    __device__ float operator()(double x) const { return __uint_as_float(__float_as_uint((float)x) ^ zero); }
};
struct Doubles : Zero {
    __device__ double operator()(double x) const
    {
        return __longlong_as_double(__double_as_longlong(x) ^ (long long)zero);
    }
};
struct Halves : Zero {
    __device__ half operator()(unsigned x) const { return __ushort_as_half((unsigned short)(x ^ zero)); }
};
struct Brains : Zero {
    __device__ __nv_bfloat16 operator()(unsigned x) const
    {
        return __ushort_as_bfloat16((unsigned short)(x ^ zero));
    }
};
struct Pairs : Zero { // the first in the high half
    __device__ half2 operator()(unsigned x) const
    {
        const Halves h{{zero}};
        return __halves2half2(h(x >> 16), h(x));
    }
};
// Not macros, whose names would not be shown.
static constexpr double Inf = __builtin_inf(), NaN = __builtin_nan("");
static constexpr int MinInt = -2147483647 - 1, MaxInt = 2147483647;
static constexpr long long MinLong = -9223372036854775807 - 1;

// The printed form of a value.
static const u64 not_a_number = 0x4e614e4e614e4e61;
static __device__ u64 bits(float x) { return x != x ? not_a_number : __float_as_uint(x); }
static __device__ u64 bits(double x) { return x != x ? not_a_number : (u64)__double_as_longlong(x); }
static __device__ u64 bits(half x) { return __half_as_ushort(x); }
static __device__ u64 bits(half2 x) { return __half_as_ushort(x.x) | (unsigned)__half_as_ushort(x.y) << 16; }
static __device__ u64 bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
static __device__ u64 bits(int x) { return (unsigned)x; }
static __device__ u64 bits(unsigned x) { return x; }
static __device__ u64 bits(short x) { return (unsigned)x; }
static __device__ u64 bits(unsigned short x) { return x; }
static __device__ u64 bits(signed char x) { return (unsigned)x; }
static __device__ u64 bits(unsigned char x) { return x; }
static __device__ u64 bits(bool x) { return x; }
static __device__ u64 bits(long x) { return (u64)x; }
static __device__ u64 bits(long long x) { return (u64)x; }
static __device__ u64 bits(unsigned long x) { return x; }
static __device__ u64 bits(u64 x) { return x; }
// A number whose first digits are shown.
static __device__ u64 digits(double x) { return (u64)__double_as_longlong(x); }

// ---- The questions: E(expression) each, by groups ----

#define TO_WIDE(E, x) E((int)x) E((unsigned)x) E((long long)x) E((u64)x)
#define CONVERSIONS(E)                                                                             \
    TO_WIDE(E, F(1e20)) TO_WIDE(E, F(-1e20)) TO_WIDE(E, F(NaN)) TO_WIDE(E, F(Inf))                 \
    TO_WIDE(E, F(-Inf)) TO_WIDE(E, F(-1.5)) TO_WIDE(E, F(2147483648)) TO_WIDE(E, F(4294967296))    \
    TO_WIDE(E, F(-2147483904)) TO_WIDE(E, D(1e300)) TO_WIDE(E, D(NaN)) TO_WIDE(E, D(-Inf))         \
    TO_WIDE(E, D(-1.5)) TO_WIDE(E, D(9223372036854775808.0))                                       \
    TO_WIDE(E, D(18446744073709551616.0)) TO_WIDE(E, D(2147483648.5))
#define TO_NARROW(E, v)                                                                            \
    E((short)F(v)) E((signed char)F(v)) E((unsigned char)F(v)) E((unsigned short)F(v))             \
    E((unsigned char)D(v)) E((bool)F(v))
#define NARROW_CONVERSIONS(E)                                                                      \
    TO_NARROW(E, 70000) TO_NARROW(E, -70000) TO_NARROW(E, 300) TO_NARROW(E, -1)                    \
    TO_NARROW(E, NaN) TO_NARROW(E, 1e20) TO_NARROW(E, -1e20)
#define ROUND(E, v)                                                                                \
    E(__float2int_rn(F(v))) E(__float2int_ru(F(v))) E(__double2int_rn(D(v)))                       \
    E((int)lroundf(F(v))) E((int)lrintf(F(v))) E(__float2uint_rn(F(v))) E(__float2ll_rn(F(v)))     \
    E(llrintf(F(v))) E(llround(D(v))) E(__double2ull_rz(D(v))) E(roundf(F(v))) E(rintf(F(v)))
#define ROUNDINGS(E)                                                                               \
    ROUND(E, 2.5) ROUND(E, 3.5) ROUND(E, -0.5) ROUND(E, -2.5) ROUND(E, NaN) ROUND(E, Inf)          \
    ROUND(E, 1e20) ROUND(E, -1e20)

#define DIVIDE(E, a, b) E(a / b) E(a % b)
#define DIVIDE_INT(E, a)                                                                           \
    DIVIDE(E, I(a), I(0)) DIVIDE(E, I(a), I(-1)) DIVIDE(E, I(a), I(-2)) DIVIDE(E, I(a), I(4))
#define DIVISIONS(E)                                                                               \
    DIVIDE_INT(E, 7) DIVIDE_INT(E, -7) DIVIDE_INT(E, 0) DIVIDE_INT(E, MinInt)                     \
    DIVIDE(E, U(7), U(0)) E(U(0) / U(0)) DIVIDE(E, L(7), L(0)) DIVIDE(E, L(-7), L(0))              \
    DIVIDE(E, L(5000000000), L(0)) DIVIDE(E, L(MinLong), L(-1)) DIVIDE(E, L(-5000000000), L(0))  \
    E(UL(7) / UL(0)) E(UL(5000000000) % UL(0)) E(UL(5000000000) / UL(0))                           \
    E((short)I(7) / (short)I(0)) E((short)I(-32768) / (short)I(-1)) E(abs(I(MinInt)))             \
    E(I(MaxInt) + I(1))
#define SHIFT(E, n)                                                                                \
    E(U(1) << I(n)) E(U(0x80000000) >> I(n)) E(I(-8) >> I(n)) E(I(-8) << I(n)) E(UL(1) << I(n))    \
    E(UL(0x8000000000000000) >> I(n)) E(L(-8) >> I(n))                                             \
    E((unsigned char)((unsigned char)I(255) << I(n)))                                              \
    E((unsigned short)((unsigned short)I(65535) >> I(n)))
#define SHIFTS(E)                                                                                  \
    SHIFT(E, 31) SHIFT(E, 32) SHIFT(E, 33) SHIFT(E, 40) SHIFT(E, 64) SHIFT(E, 255) SHIFT(E, -1)    \
    SHIFT(E, 256)
#define FUNNEL(E, n)                                                                               \
    E(__funnelshift_l(U(0x12345678), U(0x9abcdef0), I(n)))                                         \
    E(__funnelshift_lc(U(0x12345678), U(0x9abcdef0), I(n)))                                        \
    E(__funnelshift_r(U(0x12345678), U(0x9abcdef0), I(n)))                                         \
    E(__funnelshift_rc(U(0x12345678), U(0x9abcdef0), I(n)))
#define INTEGERS(E)                                                                                \
    E(__clz(I(0))) E(__ffs(I(0))) E(__clzll(L(0))) E(__ffsll(L(0))) E(__popc(U(0xffffffff)))       \
    E(__popcll(UL(0xffffffffffffffff))) E(__clz(I(-1))) E(__brev(U(1)))                            \
    E(__byte_perm(U(0x11223384), U(0x55667788), U(0x89ab)))                                        \
    E(__byte_perm(U(0x11223384), U(0x55667788), U(0xffff7654)))                                    \
    FUNNEL(E, 0) FUNNEL(E, 31) FUNNEL(E, 32) FUNNEL(E, 33) FUNNEL(E, 64) FUNNEL(E, -1)             \
    E(__mul24(I(0x7fffffff), I(0x1234567))) E(__umul24(U(0xffffffff), U(0xffffffff)))              \
    E(__mulhi(I(MinInt), I(MinInt))) E(__sad(I(-5), I(7), I(3))) E(__hadd(I(MinInt), I(MaxInt)))\
    E(__rhadd(I(-3), I(2))) E(__sad(I(MinInt), I(MaxInt), I(0)))                                 \
    E(__dp4a(U(0x80ff7f00), U(0x7f01ff80), U(5))) E(__dp4a(I(-8323328), I(2130837376), I(5)))      \
    E(__dp2a_lo(I(-8323328), I(2130837376), I(5))) E(__vimax3_s32(I(1), I(-2), I(3)))              \
    E(__viaddmax_s32_relu(I(-5), I(2), I(1)))
#define OF_TWO(E, f)                                                                               \
    E(f(U(0x80ff7f00), U(0x7f01ff80))) E(f(U(0x12fe8001), U(0xfedc7fff)))
#define OF_ONE(E, f) E(f(U(0x80ff7f00))) E(f(U(0x80007fff)))
#define PACKED(E)                                                                                  \
    OF_TWO(E, __vadd4) OF_TWO(E, __vsub2) OF_TWO(E, __vaddss4) OF_TWO(E, __vsubus2)                \
    OF_ONE(E, __vabs4) OF_ONE(E, __vneg4) OF_ONE(E, __vabsss2) OF_TWO(E, __vabsdiffs4)             \
    OF_TWO(E, __vavgs4) OF_TWO(E, __vavgu4) OF_TWO(E, __vcmpgts4) OF_TWO(E, __vseteq2)             \
    OF_TWO(E, __vsads4) OF_TWO(E, __vsadu2) OF_TWO(E, __vmaxs2) OF_TWO(E, __vhaddu4)               \
    OF_TWO(E, __vcmpleu2) OF_TWO(E, __vabsdiffu2) OF_ONE(E, __vnegss2) OF_TWO(E, __vaddus4)        \
    OF_TWO(E, __vsetltu4) OF_TWO(E, __vmins4)

#define FLOATS(E)                                                                                  \
    E(fminf(F(NaN), F(1))) E(fmaxf(F(1), F(NaN))) E(fminf(F(NaN), F(NaN)))                         \
    E(fmaxf(Fb(0x7f800001), F(1))) E(fminf(F(-0.0), F(0.0))) E(fminf(F(0.0), F(-0.0)))             \
    E(fmaxf(F(-0.0), F(0.0))) E(fmaxf(F(0.0), F(-0.0))) E(F(0.0) / F(0.0)) E(-(F(0.0) / F(0.0)))   \
    E(F(Inf) - F(Inf)) E(sqrtf(F(-1))) E(Fb(0x7f800001) + F(1)) E(Fb(0x7fc12345) + F(1))           \
    E(Fb(0x7fc12345) * F(NaN)) E(fmaf(F(Inf), F(0.0), Fb(0x7fc12345)))                             \
    E(fmaf(F(Inf), F(0.0), F(1))) E(F(1e-30) * F(1e-10)) E(F(1e-40) + F(1e-41))                    \
    E(F(1e-38) / F(4)) E(sqrtf(F(1e-41))) E(F(1) / F(0.0)) E(F(-1) / F(0.0)) E(F(1) / F(1e-41))    \
    E(fabsf(F(-NaN))) E(__float_as_uint(Fb(0x7fc12345))) E(__int_as_float(I(0x7f800001)))          \
    E(__frcp_rn(F(0.0))) E(__frcp_rn(F(1e-41))) E(__saturatef(F(NaN))) E(__saturatef(F(-0.0)))     \
    E(__saturatef(F(2))) E(__fsqrt_rz(F(2))) E(__fadd_ru(F(1), F(1e-20)))                          \
    E(__fadd_rd(F(1), F(-1e-20))) E(__fmul_rz(F(1.1), F(1.1))) E(__fdiv_ru(F(1), F(3)))            \
    E(__fmaf_rd(F(1.1), F(1.1), F(-1.21))) E((float)L(9007199791611905)) E((float)U(0xffffff80))   \
    E((float)I(16777217)) E(__int2float_rz(I(16777219)))                                           \
    E(__ull2float_rn(UL(0x8000008000000000))) E((float)D(1e-46)) E((float)D(1.0000000596046448))   \
    E(__double2float_rz(D(1e300))) E(__double2float_ru(D(1e-300))) E((float)D(NaN))
#define EXACT(E)                                                                                   \
    E(fmodf(F(1), F(0.0))) E(fmodf(F(Inf), F(1))) E(fmodf(F(-5.5), F(2))) E(fmodf(F(1e30), F(3)))  \
    E(remainderf(F(5), F(2))) E(remainderf(F(-7.5), F(2))) E(ldexpf(F(1), I(2000)))                \
    E(ldexpf(F(1), I(-149))) E(ldexpf(F(1.5), I(-149))) E(scalbnf(F(1), I(MinInt)))                \
    E(logbf(F(0.0))) E(logbf(F(1e-41))) E(nextafterf(F(0.0), F(-1)))                               \
    E(nextafterf(F(3.4028235e38), F(Inf))) E(fdimf(F(NaN), F(1))) E(fdimf(F(1), F(Inf)))           \
    E(copysignf(F(NaN), F(-1))) E(truncf(F(-0.5))) E(ceilf(F(-0.5))) E(floorf(F(-0.0)))            \
    E(nanf("")) E(nearbyintf(F(-2.5))) E(frexpf(F(Inf), &ex)) E(frexpf(F(1e-41), &ex))             \
    E(modff(F(-Inf), &tf)) E(modff(F(-2.5), &tf)) E(remquof(F(29), F(3), &ex))                     \
    E((frexpf(F(0.0), &ex), ex)) E((frexpf(F(1e-41), &ex), ex))                                    \
    E((remquof(F(29), F(3), &ex), ex)) E((remquof(F(-29), F(3), &ex), ex))                         \
    E((remquof(F(1e30), F(3), &ex), ex)) E((remquo(D(1e15), D(3), &ex), ex))                       \
    E((remquof(F(Inf), F(3), &ex), ex)) E(ilogbf(F(0.0))) E((frexpf(F(Inf), &ex), ex))             \
    E((frexpf(F(NaN), &ex), ex)) E((frexp(D(-Inf), &ex), ex)) E(ilogbf(F(Inf))) E(ilogbf(F(NaN)))  \
    E(ilogbf(F(1e-41))) E(ilogb(D(0.0))) E(ilogb(D(NaN))) E((bool)signbit(F(-NaN)))                \
    E((bool)isnan(F(NaN))) E((bool)isinf(F(-Inf))) E((bool)isfinite(F(1e-41)))                     \
    E((bool)isnormal(F(1e-41))) E(F(NaN) == F(NaN)) E(F(NaN) != F(1)) E(F(NaN) < F(1))             \
    E(!(F(NaN) >= F(1))) E((bool)isunordered(F(NaN), F(1))) E((int)fpclassify(F(0.0)))             \
    E(fmin(D(NaN), D(1))) E(fmin(D(0.0), D(-0.0))) E(fmax(D(-0.0), D(0.0))) E(D(0.0) / D(0.0))     \
    E(sqrt(D(-1))) E(D(1e-310) * D(0.5)) E(fmod(D(1e300), D(3))) E(ldexp(D(1), I(-1074)))          \
    E(nextafter(D(0.0), D(1))) E(nan("5")) E(__dadd_ru(D(1), D(1e-30))) E(__ddiv_rd(D(1), D(3)))   \
    E(__dsqrt_ru(D(2))) E(__fma_rz(D(1.1), D(1.1), D(-1.21)))                                      \
    E(__hiloint2double(I(0x3ff00000), I(1))) E(scalbln(D(1), L(99999)))                            \
    E((double)UL(0xfffffffffffffc00)) E(__ll2double_rz(L(9007199254740993)))                       \
    E(remquo(D(10), D(3), &ex)) E(round(D(-0.5))) E(round(D(0.49999999999999994)))                 \
    E(nearbyint(D(2.5))) E(fdim(D(3), D(NaN)))
// Functions for which CUDA only states an error bound: their first digits.
#define FAST(E)                                                                                    \
    E(__fdividef(F(1), F(1.7e38))) E(__fdividef(F(4e37), F(3e38))) E(__expf(F(-100)))              \
    E(__expf(F(100))) E(__logf(F(0.0))) E(__logf(F(-1))) E(__logf(F(1e-40))) E(__sinf(F(1000000))) \
    E(__cosf(F(1e30))) E(__powf(F(-2), F(2))) E(__powf(F(0.0), F(0.0))) E(__powf(F(2), F(0.5)))    \
    E(__tanf(F(1.57079632))) E(__log2f(F(8))) E(__log10f(F(1000))) E(__exp10f(F(2)))               \
    E(__tanhf(F(0.5)))
#define FUNCTIONS(E)                                                                               \
    E(rsqrtf(F(0.0))) E(rsqrtf(F(-0.0))) E(rsqrtf(F(-1))) E(rsqrtf(F(1e-41))) E(rsqrtf(F(Inf)))    \
    E(__frsqrt_rn(F(1e-41))) E(powf(F(1), F(NaN))) E(powf(F(-8), F(0.33333334)))                   \
    E(powf(F(0.0), F(-1))) E(powf(F(-0.0), F(-3))) E(powf(F(-1), F(Inf))) E(powf(F(NaN), F(0.0)))  \
    E(powf(F(0.5), F(1e30))) E(powf(F(-2), F(3))) E(powf(F(-2), F(1e10)))                          \
    E(atan2f(F(0.0), F(-0.0))) E(atan2f(F(-0.0), F(-1))) E(atan2f(F(Inf), F(-Inf)))                \
    E(tgammaf(F(-1))) E(tgammaf(F(0.0))) E(tgammaf(F(-0.0))) E(tgammaf(F(36)))                     \
    E(tgammaf(F(-Inf))) E(lgammaf(F(-1))) E(lgammaf(F(-Inf))) E(lgammaf(F(0.0))) E(j0f(F(Inf)))    \
    E(j1f(F(-Inf))) E(jnf(I(2), F(-1))) E(jnf(I(-2), F(1))) E(ynf(I(1), F(0.0))) E(y0f(F(-1)))     \
    E(y1f(F(0.0))) E(erfinvf(F(1))) E(erfinvf(F(2))) E(erfcinvf(F(0.0))) E(erfcinvf(F(2)))         \
    E(normcdff(F(-40))) E(normcdfinvf(F(0.0))) E(erfcxf(F(-10))) E(erfcxf(F(1e30)))                \
    E(cbrtf(F(-8))) E(cbrtf(F(1e-41))) E(hypotf(F(Inf), F(NaN))) E(hypotf(F(3e38), F(3e38)))       \
    E(rhypotf(F(0.0), F(0.0))) E(norm3df(F(3e38), F(3e38), F(1)))                                  \
    E(norm4df(F(1), F(2), F(Inf), F(NaN))) E(rnorm3df(F(0.0), F(0.0), F(0.0))) E(exp10f(F(-45)))   \
    E(exp2f(F(-149))) E(exp2f(F(-150))) E(expf(F(-103))) E(expf(F(88.8))) E(expm1f(F(-0.0)))       \
    E(log1pf(F(-1))) E(log1pf(F(-2))) E(logf(F(-0.0))) E(logf(F(-1))) E(sinpif(F(1e10)))           \
    E(sinpif(F(-1))) E(cospif(F(0.5))) E(cospif(F(Inf))) E(sinf(F(1e30))) E(sinf(F(Inf)))          \
    E(cosf(F(3e38))) E(tanf(F(1e10))) E(sinf(F(-0.0))) E(sinf(F(1e-41))) E(asinf(F(2)))            \
    E(acosf(F(-1))) E(acosf(F(1.0000001))) E(acoshf(F(0.5))) E(atanhf(F(1))) E(atanhf(F(2)))       \
    E(sinhf(F(89))) E(coshf(F(-Inf))) E(tanhf(F(-Inf))) E(asinhf(F(-3e38))) E(erff(F(-0.0)))       \
    E(erfcf(F(10))) E(erfcf(F(-Inf))) E(cyl_bessel_i0f(F(100))) E(cyl_bessel_i1f(F(-3)))
#define DOUBLE_FUNCTIONS(E)                                                                        \
    E(rsqrt(D(0.0))) E(rsqrt(D(1e-310))) E(rcbrt(D(-8))) E(pow(D(1), D(NaN)))                      \
    E(pow(D(-8), D(0.333))) E(pow(D(2), D(-1075))) E(pow(D(0.99999), D(1e9))) E(tgamma(D(171.7)))  \
    E(tgamma(D(-1))) E(tgamma(D(-170.5))) E(lgamma(D(-0.5))) E(jn(I(3), D(0.0)))                   \
    E(yn(I(2), D(0.0))) E(j0(D(1e10))) E(y1(D(-1))) E(erfcinv(D(1e-300))) E(erfinv(D(-1)))         \
    E(erfcx(D(-30))) E(normcdf(D(-38))) E(normcdfinv(D(1))) E(cbrt(D(-27)))                        \
    E(hypot(D(1e300), D(1e300))) E(norm(I(3), dv)) E(rnorm(I(3), dv))                              \
    E(norm4d(D(1), D(1), D(1), D(1))) E(sinpi(D(0.5))) E(sin(D(1e22))) E(tan(D(1e300)))            \
    E(exp(D(-745))) E(exp(D(710))) E(log(D(0.0))) E(cyl_bessel_i0(D(700)))                         \
    E(atan2(D(-0.0), D(-0.0)))
#define LAYOUT(E)                                                                                  \
    E((int)(char)I(200)) E(sizeof(long)) E(sizeof(long double)) E(sizeof(wchar_t))                 \
    E(alignof(float3)) E(alignof(float4)) E(alignof(double2)) E(alignof(long long))                \
    E(sizeof(bool)) E(sizeof(dim3)) E(alignof(uchar4)) E(alignof(ushort3)) E(sizeof(cudaEvent_t))  \
    E(alignof(double4)) E(warpSize) E(CUDART_VERSION)
#define TO_HALF(E, v)                                                                              \
    E(__float2half(F(v))) E(__float2half_rz(F(v))) E(__float2half_ru(F(v))) E(__float2bfloat16(F(v)))
#define HALF_CONVERSIONS(E)                                                                        \
    TO_HALF(E, 65519) TO_HALF(E, 65520) TO_HALF(E, 1e-8) TO_HALF(E, 2.98e-8) TO_HALF(E, 6e-5)      \
    TO_HALF(E, 1.00048828125) TO_HALF(E, 1.00146484375) TO_HALF(E, NaN) TO_HALF(E, -Inf)           \
    E(__double2half(D(1.000488281251))) E(__double2half(D(2049.0000001)))                          \
    E(__float2half((float)D(2049.0000001))) E(__int2half_rn(I(70000))) E(__int2half_rn(I(2049)))   \
    E(__ll2half_rn(L(-70000))) E(__half2int_rz(H(0x7c00))) E(__half2int_rz(H(0x7e00)))             \
    E(__half2int_rz(H(0xfc00))) E(__half2int_rn(H(0x3e00))) E(__half2uint_rz(H(0xbc00)))           \
    E(__half2short_rz(H(0x7800))) E(__half2short_rz(H(0x7e00))) E(__half2ushort_rz(H(0xfc00)))     \
    E(__half2char_rz(H(0x5c00))) E(__bfloat162int_rz(B(0x7f80))) E(__bfloat162int_rz(B(0x7fc0)))   \
    E(__int2bfloat16_rn(I(257))) E(__int2bfloat16_rn(I(MaxInt)))                                  \
    E(__double2bfloat16(D(1.00390625000001)))
#define OF_HALVES(E, f)                                                                            \
    E(f(H(0x3c01), H(0x1001))) E(f(H(0x7bff), H(0x7bff))) E(f(H(0x0001), H(0x0001)))               \
    E(f(H(0x7e00), H(0x3c00))) E(f(H(0x8000), H(0x0000))) E(f(H(0x0000), H(0x8000)))               \
    E(f(H(0xfe00), H(0x7c00))) E(f(H(0x0400), H(0x3800))) E(f(H(0x3555), H(0x4248)))
#define HALF_ARITHMETIC(E)                                                                         \
    OF_HALVES(E, __hadd) OF_HALVES(E, __hsub) OF_HALVES(E, __hmul) OF_HALVES(E, __hdiv)            \
    OF_HALVES(E, __hmin) OF_HALVES(E, __hmax) OF_HALVES(E, __hadd_sat) OF_HALVES(E, __hmul_sat)    \
    OF_HALVES(E, __hmin_nan) OF_HALVES(E, __hmax_nan)
#define HALVES(E)                                                                                  \
    E(__hfma(H(0x3c01), H(0x3c01), H(0x8001))) E(__hfma(H(0x7bff), H(0x4000), H(0xfbff)))          \
    E(__hfma(H(0x3c01), H(0x3c01), H(0x1000))) E(__hfma_relu(H(0xbc00), H(0x3c00), H(0x0000)))     \
    E(__hfma_sat(H(0x4000), H(0x3c00), H(0x0000))) E(__hneg(H(0x7e00))) E(__habs(H(0xfe00)))       \
    E(hexp(H(0x4900))) E(hlog(H(0x0001))) E(hsin(H(0x7bff))) E(hcos(H(0x4248)))                    \
    E(hrcp(H(0x0001))) E(hrcp(H(0x4200))) E(hsqrt(H(0x0003))) E(hrsqrt(H(0x0001)))                 \
    E(hexp2(H(0xc800))) E(hexp10(H(0x4200))) E(hlog2(H(0x4200))) E(hlog10(H(0x63d0)))              \
    E(hrint(H(0x4100))) E(hfloor(H(0xb800))) E(hceil(H(0x8001))) E(htrunc(H(0xb800)))              \
    E(htanh(H(0x3800))) E(__heq(H(0x7e00), H(0x7e00))) E(__hne(H(0x7e00), H(0x7e00)))              \
    E(__hltu(H(0x7e00), H(0x3c00))) E(__hlt(H(0x7e00), H(0x3c00))) E(__hisnan(H(0x7c01)))          \
    E(__hisinf(H(0xfc00))) E(H(0x3c00) + H(0x0c01) > H(0x3c00))                                    \
    E(__hadd2(H2(0x3c010001), H2(0x10017bff)))                                                     \
    E(__hfma2(H2(0x3c010001), H2(0x3c017bff), H2(0x80010001)))                                     \
    E(__hmin2(H2(0x7e008000), H2(0x3c000000))) E(__heq2(H2(0x3c007e00), H2(0x3c007e00)))           \
    E(__lowhigh2highlow(H2(0x12345678)))
#define OF_BRAINS(E, a, b)                                                                         \
    E(__hadd(B(a), B(b))) E(__hmul(B(a), B(b))) E(__hdiv(B(a), B(b))) E(__hmin(B(a), B(b)))        \
    E(__hmax(B(a), B(b))) E(__hsub(B(a), B(b)))
#define BRAINS(E)                                                                                  \
    OF_BRAINS(E, 0x3f80, 0x3b80) OF_BRAINS(E, 0x7f7f, 0x7f7f) OF_BRAINS(E, 0x0001, 0x0001)         \
    OF_BRAINS(E, 0x7fc0, 0x3f80) OF_BRAINS(E, 0x8000, 0x0000) OF_BRAINS(E, 0xffc0, 0x7f80)         \
    OF_BRAINS(E, 0x3eab, 0x4049) E(__hfma(B(0x3f81), B(0x3f81), B(0x8001))) E(hexp(B(0x42b1)))     \
    E(hsqrt(B(0x4000))) E(hrcp(B(0x0001)))

#define GROUPS(G)                                                                                  \
    G(CONVERSIONS, bits) G(NARROW_CONVERSIONS, bits) G(ROUNDINGS, bits) G(DIVISIONS, bits)         \
    G(SHIFTS, bits) G(INTEGERS, bits) G(PACKED, bits) G(FLOATS, bits) G(EXACT, bits)               \
    G(FAST, digits) G(FUNCTIONS, digits) G(DOUBLE_FUNCTIONS, digits) G(LAYOUT, bits)               \
    G(HALF_CONVERSIONS, bits) G(HALF_ARITHMETIC, bits) G(HALVES, bits) G(BRAINS, bits)

// ---- Output ----

static void print_bits(u64 x) { printf(x == not_a_number ? "nan" : "%llx", x); }
static void print_digits(u64 x)
{
    double value;
    memcpy(&value, &x, sizeof value);
    if (value != value) {
        printf("nan");
    } else {
        printf("%.5g", value);
    }
}

// The number of expressions in a kernel: the compile time grows faster than a kernel's size.
enum { AT_ONCE = 16 };
#define TEXT(expression) #expression,
#define COMPUTE(expression)                                                                        \
    if constexpr ((__COUNTER__ - FIRST) / AT_ONCE == Chunk) {                                      \
        *out = show(expression);                                                                   \
        out += LANES;                                                                              \
    }
#define GROUP(name, shown)                                                                         \
    struct Group_##name {                                                                          \
        static constexpr const char *texts[] = {name(TEXT)};                                       \
        static constexpr int COUNT = sizeof texts / sizeof *texts, FIRST = __COUNTER__ + 1;        \
        static void print(u64 x) { print_##shown(x); }                                             \
        template <class T> static __device__ u64 show(T x) { return shown(x); }                    \
        template <int Chunk> static __device__ void compute(Zero z, u64 *__restrict__ out)         \
        {                                                                                          \
            NUMBERS                                                                                \
            name(COMPUTE)                                                                          \
        }                                                                                          \
    };
#define NUMBERS                                                                                    \
    [[maybe_unused]] const Ints I{z};                                                              \
    [[maybe_unused]] const Unsigneds U{z};                                                         \
    [[maybe_unused]] const Longs L{z};                                                             \
    [[maybe_unused]] const UnsignedLongs UL{z};                                                    \
    [[maybe_unused]] const FloatBits Fb{z};                                                        \
    [[maybe_unused]] const Floats F{z};                                                            \
    [[maybe_unused]] const Doubles D{z};                                                           \
    [[maybe_unused]] const Halves H{z};                                                            \
    [[maybe_unused]] const Brains B{z};                                                            \
    [[maybe_unused]] const Pairs H2{z};                                                            \
    [[maybe_unused]] int ex = 7;                                                                   \
    [[maybe_unused]] float tf;                                                                     \
    [[maybe_unused]] const double dv[] = {D(3e300), D(4e300), D(0)};
GROUPS(GROUP)

template <class Group, int Chunk> __global__ void kernel(const unsigned *zeros, u64 *out)
{
    Group::template compute<Chunk>(Zero{zeros[threadIdx.x]}, out + threadIdx.x);
}
template <class Group, int Chunk = 0> static void launch(const unsigned *zeros, u64 *out)
{
    if constexpr (Chunk * AT_ONCE < Group::COUNT) {
        kernel<Group, Chunk><<<1, LANES>>>(zeros, out + Chunk * AT_ONCE * LANES);
        launch<Group, Chunk + 1>(zeros, out);
    }
}
template <class Group> static void ask(const unsigned *zeros)
{
    u64 *out;
    cudaMallocManaged(&out, LANES * Group::COUNT * sizeof *out);
    launch<Group>(zeros, out);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
        TELL("status", status);
    }
    for (int i = 0; i < Group::COUNT; i++) {
        const u64 *lanes = out + i * LANES;
        bool is_same = true;
        for (int lane = 1; lane < LANES; lane++) {
            is_same &= lanes[lane] == lanes[0];
        }
        printf("%s: ", Group::texts[i]);
        Group::print(lanes[0]);
        printf("%s\n", is_same ? "" : " in one lane alone");
    }
    cudaFree(out);
}

int main()
{
    begin();
    unsigned *zeros;
    cudaMallocManaged(&zeros, LANES * sizeof *zeros);
    memset(zeros, 0, LANES * sizeof *zeros);
#define ASK(name, shown) ask<Group_##name>(zeros);
    GROUPS(ASK)
}
