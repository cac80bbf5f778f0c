#include "show.h"
__device__ int wrong;
#define NEAR(expression, expected)                                                                 \
    if (!(fabs((double)(expression) - (expected)) <= 1e-5 * (1 + fabs((double)(expected))))) {     \
        printf("line %d: %g\n", __LINE__, (double)(expression));                                   \
    }
#define SAME(expression, expected)                                                                 \
    if ((expression) != (expected)) {                                                              \
        printf("line %d\n", __LINE__);                                                             \
    }
__global__ void kernel(float two, double three, int seven) {
    NEAR(sqrtf(two), 1.41421356);
    NEAR(rsqrtf(two), 0.70710678);
    NEAR(sin(three), 0.14112001);
    NEAR(cosf(two), -0.41614684);
    NEAR(__sinf(two), 0.90929743);
    NEAR(expf(two), 7.3890561);
    NEAR(__expf(two), 7.3890561);
    NEAR(__logf(two), 0.69314718);
    NEAR(powf(two, 0.5f), 1.41421356);
    NEAR(pow(three, 4.0), 81.0);
    NEAR(__powf(two, 3.0f), 8.0);
    NEAR(atan2(three, 4.0), 0.64350111);
    NEAR(erf(0.5), 0.52049988);
    NEAR(lgamma(three), 0.69314718);
    NEAR(cbrt(27.0), 3.0);
    NEAR(hypot(three, 4.0), 5.0);
    NEAR(fmodf(7.5f, two), 1.5);
    NEAR(exp10f(two), 100.0);
    NEAR(sinpi(0.5), 1.0);
    NEAR(normcdf(0.0), 0.5);
    NEAR(__fdividef(1.0f, two), 0.5);
    NEAR(__saturatef(two), 1.0);
    NEAR(__frcp_rn(two), 0.5);
    NEAR(__fmaf_rn(two, 3.0f, 4.0f), 10.0);
    NEAR(fma(three, 2.0, 1.0), 7.0);
    NEAR(__fsqrt_rn(4.0f), 2.0);
    NEAR(fminf(two, 1.0f) + fmaxf(two, 1.0f), 3.0);
    float s, c;
    sincosf(two, &s, &c);
    NEAR(s * s + c * c, 1.0);
    SAME(floorf(-1.5f), -2.0f);
    SAME(rintf(2.5f), 2.0f);
    SAME(round(2.5), 3.0);
    SAME(truncf(-1.5f), -1.0f);
    SAME(isnan(sqrtf(-two)) != 0, true);
    SAME(isinf(1.0f / (two - 2.0f)) != 0, true);
    SAME(signbit(-two) != 0, true);
    SAME(min(seven, 3) + max(seven, 3), 10);
    SAME(abs(-seven), 7);
    SAME(__popc(seven), 3);
    SAME(__popcll(0xff00ff00ff00ll), 24);
    SAME(__clz(seven), 29);
    SAME(__clz(seven - 7), 32);
    SAME(__clzll(1ll), 63);
    SAME(__ffs(seven + 1), 4);
    SAME(__ffs(seven - 7), 0);
    SAME(__brev(1u), 0x80000000u);
    SAME(__byte_perm(0x33221100, 0x77665544, 0x7531), 0x77553311u);
    SAME(__mul24(seven, -3), -21);
    SAME(__umulhi(0x80000000u, 6u), 3u);
    SAME(__mulhi(-2, 0x40000000), -1);
    SAME(__umul64hi(1ull << 63, 6ull), 3ull);
    SAME(__sad(3, -4, 5u), 12u);
    SAME(__funnelshift_l(0x80000000u, 1u, 4), 0x18u);
    SAME(__float2int_rn(2.5f), 2);
    SAME(__float2int_rz(-2.7f), -2);
    SAME(__float2int_ru(2.1f), 3);
    SAME(__float2int_rd(-2.1f), -3);
    SAME(__float_as_int(1.0f), 0x3f800000);
    SAME(__int_as_float(0x40000000), 2.0f);
    SAME(__double_as_longlong(1.0), 0x3ff0000000000000ll);
    SAME(__hiloint2double(0x3ff00000, 0), 1.0);
    SAME(__double2hiint(1.0), 0x3ff00000);
    SAME(__int2float_rn(seven), 7.0f);
    SAME(__fadd_rd(1.0f, 1e-10f), 1.0f);
    SAME(__fadd_ru(1.0f, 1e-10f) > 1.0f, true);
}
int main() {
    kernel<<<1, 1>>>(2.0f, 3.0, 7);
    SHOW(cudaDeviceSynchronize());
}
