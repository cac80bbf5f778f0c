#!/bin/bash
# Inline PTX gives the same results as its C++ equivalent.
. "$(dirname "$0")/support.bash"

cat >ptx.cu <<'CU'
#include <cstdio>
#include <cstdint>
#define SAME(a, b) do { auto a_ = (a); decltype(a_) b_ = (b); \
    if (a_ != b_) printf("line %d, thread %d: %llx, not %llx\n", __LINE__, threadIdx.x, \
                         (unsigned long long)a_, (unsigned long long)b_); } while (0)
typedef unsigned int u32;
typedef unsigned long long u64;
__device__ u32 buffer[8];
__device__ u64 wide[4];
#define OP3(name, instruction)                                                       \
    __device__ u32 name(u32 a, u32 b) {                                              \
        u32 d; asm(instruction " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); return d; }
#define OP4(name, instruction)                                                       \
    __device__ u32 name(u32 a, u32 b, u32 c) {                                       \
        u32 d; asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
OP3(left, "shl.b32") OP3(right, "shr.u32") OP3(sar, "shr.s32") OP3(bmsk, "bmsk.clamp.b32")
OP3(mul_hi, "mul.hi.u32") OP3(mul_hi_signed, "mul.hi.s32") OP3(signed_min, "min.s32") OP3(unsigned_max, "max.u32")
OP4(bfe, "bfe.u32") OP4(bfe_signed, "bfe.s32") OP4(prmt, "prmt.b32") OP4(mad, "mad.lo.u32")
OP4(absdiff, "vabsdiff4.u32.u32.u32.add")

__device__ void arithmetic(u32 x, u32 y) {
    u32 d, e;
    u64 l;
    SAME(left(x, 4), x << 4);
    SAME(left(x, 40), 0u);
    SAME(right(x, 33), 0u);
    SAME(sar(0x80000000u, 99), 0xffffffffu);
    SAME(mul_hi(x, y), u32((u64)x * y >> 32));
    SAME(mul_hi_signed(-5, 7), u32(-1));
    SAME(signed_min(-5, 7), u32(-5));
    SAME(unsigned_max(-5, 7), u32(-5));
    SAME(mad(x, y, 3), x * y + 3);
    SAME(bfe(0xabcd1234u, 8, 12), 0xd12u);
    SAME(bfe(0xabcd1234u, 40, 4), 0u);
    SAME(bfe(0xabcd1234u, 0, 32), 0xabcd1234u);
    SAME(bfe(0xabcd1234u, 16, 0), 0u);
    SAME(bfe_signed(0xabcd1234u, 28, 4), u32(-6));
    SAME(bfe_signed(0xabcd1234u, 28, 8), u32(-6));
    SAME(bfe_signed(0x00000070u, 4, 3), u32(-1));
    SAME(bmsk(4, 3), 0x70u);
    SAME(bmsk(30, 9), 0xc0000000u);
    SAME(bmsk(32, 1), 0u);
    SAME(bmsk(0, 32), 0xffffffffu);
    SAME(prmt(0x33221100u, 0x77665544u, 0x7410), 0x77441100u);
    SAME(prmt(0x33228100u, 0, 0x9991), 0xffffff81u);
    SAME(absdiff(0x01ff0310u, 0x02000305u, 100), 100u + 1 + 255 + 0 + 11);
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(x), "r"(y), "r"(0x1234));
    SAME(d, x ^ y ^ 0x1234);
    asm("lop3.b32 %0, %1, %2, %3, 0xb8;" : "=r"(d) : "r"(x), "r"(y), "r"(0x1234));
    SAME(d, (x & ~y) | (0x1234 & y));
    asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(0x00080001));
    SAME(d, 19u);
    asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(0));
    SAME(d, 0xffffffffu);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(d) : "r"(0xfab), "r"(0x11111111));
    SAME(d, 0x11111b11u);
    asm("brev.b32 %0, %1;" : "=r"(d) : "r"(0x80000001));
    SAME(d, 0x80000001u);
    asm("popc.b32 %0, %1;" : "=r"(d) : "r"(0xf0f0));
    SAME(d, 8u);
    asm("clz.b32 %0, %1;" : "=r"(d) : "r"(0));
    SAME(d, 32u);
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(l) : "r"(x), "r"(y));
    SAME(l, (u64)x * y);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(d), "=r"(e) : "l"(0x123456789abcdef0ull));
    SAME(d, 0x9abcdef0u);
    SAME(e, 0x12345678u);
    asm("mov.b64 %0, {%1, %2};" : "=l"(l) : "r"(d), "r"(e));
    SAME(l, 0x123456789abcdef0ull);
    asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, 7, 9, p; }" : "=r"(d) : "r"(-1), "r"(1));
    SAME(d, 7u);
    asm("{\n\t.reg .pred p, q; // two\n\t setp.gt.u32 p, %1, %2;\n\t@p add.u32 %0, %0, 5;\n\t"
        "@!p add.u32 %0, %0, 50; }" : "+r"(d) : "r"(-1), "r"(1));
    SAME(d, 12u);
    float f;
    asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f) : "f"(2.0f), "f"(3.0f));
    SAME(f, 7.0f);
    asm("{ .reg .f32 t; neg.f32 t, %1; abs.f32 %0, t; }" : "=f"(f) : "f"(2.5f));
    SAME(f, 2.5f);
    double g;
    asm("cvt.f64.s32 %0, %1;" : "=d"(g) : "r"(-3));
    SAME(g, -3.0);
    unsigned short h;
    asm("cvt.u16.u32 %0, %1;" : "=h"(h) : "r"(0x12345));
    SAME(h, (unsigned short)0x2345);
}
__device__ void memory(u32 t) {
    u32 a, b;
    u64 l, m;
    asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(buffer + t), "r"(t * 3) : "memory");
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(a) : "l"(buffer + t));
    SAME(a, t * 3);
    asm volatile("ld.volatile.global.u32 %0, [%1+-4];" : "=r"(a) : "l"(buffer + t + 1));
    SAME(a, t * 3);
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(a) : "l"(buffer + t), "r"(4) : "memory");
    SAME(a, t * 3);
    asm volatile("red.global.max.u32 [%0], %1;" ::"l"(buffer + t), "r"(1000) : "memory");
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(a) : "l"(buffer + t), "r"(1000), "r"(9) : "memory");
    SAME(a, 1000u);
    SAME(buffer[t], 9u);
    if (t != 0) return;
    asm volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};" ::"l"(wide), "l"(5ull), "l"(6ull) : "memory");
    asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(l), "=l"(m) : "l"(wide) : "memory");
    SAME(l, 5ull);
    SAME(m, 6ull);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(wide));
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("" ::: "memory");
    (void)b;
}
__device__ void warp(u32 t) {
    u32 lane, d, mask;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    SAME(lane, t % 32);
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(mask));
    SAME(mask, (1u << lane) - 1);
    asm("mov.u32 %0, %lanemask_ge;" : "=r"(mask));
    SAME(mask, ~((1u << lane) - 1));
    asm("mov.u32 %0, %tid.x;" : "=r"(d));
    SAME(d, t);
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(t), "r"(5), "r"(31), "r"(-1));
    SAME(d, t / 32 * 32 + 5);
    asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(t), "r"(3), "r"(31), "r"(-1));
    SAME(d, lane + 3 < 32 ? t + 3 : t);
    asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(t), "r"(1), "r"(24 << 8), "r"(-1));
    SAME(d, lane % 8 == 0 ? t : t - 1); // segments of 8
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(t), "r"(16), "r"(31), "r"(-1));
    SAME(d, t ^ 16);
    int sum = 1; // a scan's step, as CUB writes it
    asm volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
                 " @p add.s32 r0, r0, %4; mov.s32 %0, r0;}"
                 : "=r"(sum) : "r"(sum), "r"(1), "r"(0), "r"(sum), "r"(-1));
    SAME(sum, lane == 0 ? 1 : 2);
    asm volatile("{ .reg .pred p; and.b32 %0, %1, %2; setp.eq.u32 p, %0, %2;"
                 " vote.ballot.sync.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
                 : "=r"(d) : "r"(lane), "r"(1));
    SAME(d, lane & 1 ? 0xaaaaaaaau : 0x55555555u);
    asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(d) : "r"(-(int)lane), "r"(-1));
    SAME(d, 0u);
    asm volatile("bar.sync 0;" ::: "memory");
}
__global__ void kernel() {
    if (threadIdx.x < 7) arithmetic(0x12345678u + threadIdx.x, 0x9abcdef0u), memory(threadIdx.x);
    warp(threadIdx.x);
}
int main() {
    kernel<<<1, 64>>>();
    cudaError_t error = cudaDeviceSynchronize();
    puts(error == cudaSuccess ? "done" : cudaGetErrorName(error));
}
CU
for flags in -O3 -O0 -G; do
    if "$CDPCC" -w $flags ptx.cu -o ptx 2>err.txt && ./ptx >out.txt 2>>err.txt &&
        [ "$(cat out.txt)" = done ]; then
        ok "ptx_with_$flags"
    else
        fail "ptx_with_$flags" "$(head -n 6 out.txt err.txt 2>/dev/null)"
    fi
done

# PTX that cannot be translated is an error that names the statement and, if known, the reason.
# refused NAME STATEMENTS REASON: the asm of these statements, whose error's text is REASON.
refused() {
    {
        echo '__global__ void k(unsigned *p) {'
        echo '    unsigned d = 0;'
        printf '    asm volatile("%s" : "+r"(d) : "l"(p));\n' "$2"
        echo '    *p = d;'
        echo '}'
    } >unknown.cu
    if "$CDPCC" "${@:4}" -c unknown.cu 2>err.txt; then
        fail "$1" "accepted"
    elif grep -qF "unknown.cu:3:5: error: $3" err.txt; then
        ok "$1"
    else
        fail "$1" "$(cat err.txt)"
    fi
}
param='.param .b64 f, p, s; .param .align 4 .b8 g[12], b[12]; .param .b32 m, r, n;'
refused unknown_instruction 'frobnicate.u32 %0, 1;' \
    "inline PTX 'frobnicate.u32 %0, 1' is not supported"
# A modifier that the instruction does not have here: an error is better than another result.
for operation in add.cc.sat.s32 mul.cc.u32 add.rz.s32 min.rn.f32 fns.b64 prmt.b32.f8; do
    refused "$operation" ".reg .b32 t; $operation t, t, t; mov.b32 %0, t;" \
        "inline PTX '$operation t, t, t' is not supported"
done
refused no_such_label '.reg .pred p; @p bra NOWHERE;' \
    "inline PTX '@p bra NOWHERE': there is no such label in this asm"
refused too_few_operands '.reg .f32 t; fma.rz.f32 t, t, t;' \
    "inline PTX 'fma.rz.f32 t, t, t' is not supported"
refused wrong_vector 'mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%0}, {%0,%0}, {%0}, {%0,%0,%0,%0};' \
    "inline PTX 'mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%0}, {%0,%0}, {%0}, {%0,%0,%0,%0}' is not supported"
refused undeclared_name 'add.u32 %0, here, 1;' "inline PTX 'add.u32 %0, here, 1': 'here' is not declared"
refused undeclared_product '.reg .f32 t; mul.f32 q, t, t;' "inline PTX 'mul.f32 q, t, t': 'q' is not declared"
refused name_out_of_scope '{ .reg .u32 t; } mov.u32 %0, t;' "inline PTX 'mov.u32 %0, t': 't' is not declared"
refused name_declared_twice '.reg .u32 t, u; .reg .f32 t;' "inline PTX '.reg .f32 t': 't' is declared twice"
refused unknown_function "$param call.uni (r),  nobody,  (m);" \
    "inline PTX 'call.uni (r), nobody, (m)': 'nobody' is no function of this unit with scalar parameters and result"
refused kernel_called "$param call.uni _Z1kPj, (p);" "inline PTX 'call.uni _Z1kPj, (p)': '_Z1kPj' is no function"
refused too_few_arguments "$param call.uni (r), cudaLaunchDevice, (f, p, g, b, m);" \
    "inline PTX 'call.uni (r), cudaLaunchDevice, (f, p, g, b, m)': 'cudaLaunchDevice' takes 6 arguments, not 5"
refused argument_of_another_size "$param call.uni (r), cudaLaunchDevice, (f, p, m, b, m, s);" \
    "inline PTX 'call.uni (r), cudaLaunchDevice, (f, p, m, b, m, s)': argument 3 of 'cudaLaunchDevice' has 12 bytes, not 4"
refused addresses_of_32_bits "$param call.uni (r), cudaGetParameterBuffer, (m, n);" \
    "inline PTX 'call.uni (r), cudaGetParameterBuffer, (m, n)': argument 1 of 'cudaGetParameterBuffer' has 8 bytes, not 4: addresses and sizes have 64 bits here (.address_size 64)"
refused form_of_32_bits '.extern .func (.param .b32 r) cudaGetParameterBuffer (.param .b32 a, .param .b32 s);' \
    "inline PTX '.extern .func (.param .b32 r) cudaGetParameterBuffer (.param .b32 a, .param .b32 s)': the result of 'cudaGetParameterBuffer' has 8 bytes, not 4: addresses and sizes have 64 bits here (.address_size 64)"
refused result_of_another_size "$param call.uni (r), cudaGetParameterBuffer, (f, p);" \
    "inline PTX 'call.uni (r), cudaGetParameterBuffer, (f, p)': the result of 'cudaGetParameterBuffer' has 8 bytes, not 4"
refused argument_not_declared "$param call.uni (r), cudaLaunchDeviceV2, (f, stream);" \
    "inline PTX 'call.uni (r), cudaLaunchDeviceV2, (f, stream)': no .param 'stream' is declared here"
refused argument_in_a_register ".reg .b64 t; $param call.uni (r), cudaLaunchDeviceV2, (f, t);" \
    "inline PTX 'call.uni (r), cudaLaunchDeviceV2, (f, t)': no .param 't' is declared here"
refused store_beyond_a_param "$param st.param.b32 [g+12], 1;" \
    "inline PTX 'st.param.b32 [g+12], 1': the access goes beyond the 12 bytes of the .param"
refused store_across_words "$param st.param.b32 [g+2], 1;" \
    "inline PTX 'st.param.b32 [g+2], 1': the offset is no multiple of the access's 4 bytes"
refused param_as_a_register "$param add.u32 %0, m, 1;" \
    "inline PTX 'add.u32 %0, m, 1': 'm' is a .param: ld.param and st.param access it"
refused launch_without_rdc "$param call.uni (r), cudaLaunchDeviceV2, (p, s);" \
    "a kernel launch from device code needs separate compilation (-rdc=true); -rdc=false was given" -rdc=false
finish
