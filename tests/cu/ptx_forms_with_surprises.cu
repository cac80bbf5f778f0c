// Inline PTX whose results on an H100 are not those that one would guess from PTX's text: .ftz of halves,
// positions and lengths of 64-bit fields beyond 255, masks of comparisons. The numbers are an H100's.
#include <cstdio>

#include "show.h"

enum { OPERANDS = 20, FORMS = 12 };
__constant__ unsigned operands[OPERANDS][3] = {
    {0xada711fd, 0xd63b809e, 0x3f5a101f},
    {0x9a319aef, 0x9c0aa21a, 0x826571de},
    {0x6ced8137, 0x3498f7f5, 0x78869b5a},
    {0x0cbcbf20, 0x56d20e5e, 0x3f800001},
    {0x78f009ce, 0xbf800000, 0x9c786da9},
    {0x9abcdef0, 0xad45818f, 0xb3d6894c},
    {0x00000003, 0x71c40f0c, 0xb7e1c412},
    {0x00000001, 0x8553843f, 0x3bff3c01},
    {0xde09d554, 0xd09613fe, 0x5e7e0059},
    {0x3f800000, 0xe6ec81aa, 0x40000000},
    {0x00010002, 0xb83a266a, 0x424288a6},
    {0x9abcdef0, 0x235dab82, 0x3f800001},
    {0x7713b205, 0x2d13b421, 0x8332bb09},
    {0x91b5827d, 0xe1cbd639, 0x3390efd5},
    {0x979ce7ef, 0x82b7c5e0, 0x00000001},
    {0xbf800000, 0x3f800001, 0x130c945b},
    {0x00000001, 0x094ffaf6, 0x96fb1883},
    {0xa6e4ae72, 0x1c10bbae, 0x81c1b159},
    {0x9e1e6b06, 0xc0400000, 0xa73132fc},
    {0x80000000, 0x8afb8291, 0x9ef4f1d4},
};
static const unsigned expected[FORMS][OPERANDS] = {
    {0xd63c11fd, 0x9f22a3d6, 0x6cedf7f5, 0x56d2bf20, 0x78f009ce, 0xad7bdef0, 0x71c40f0c, 0x8553843f, 0xde9cd554, 0xe6ea0000, 0xb83a266a, 0x21aedef0, 0x7713b724, 0xe1cbd639, 0x979ce7f5, 0x00000000, 0x094ffaf6, 0xa5e0bc3e, 0xc0436b06, 0x8afb0000},
    {0x000011fd, 0x00000000, 0x3c000000, 0x3c000000, 0x3c0009ce, 0x00000000, 0x3c000f0c, 0x00000000, 0x00000000, 0x00000000, 0x0000266a, 0x21ae0000, 0x3c000000, 0x00000000, 0x00000000, 0x00000000, 0x094f0000, 0x00000000, 0x00003c00, 0x00000000},
    {0x563a11fd, 0x138c205e, 0x6ced77f5, 0xd6d2bf20, 0x78f009ce, 0x2d0fdef0, 0xf1c48f0c, 0x0553043f, 0xdd76d554, 0x66ee0000, 0x383aa66a, 0xa486def0, 0x77132c7a, 0x61cb5639, 0x979ce7e9, 0xc3800000, 0x894f7af6, 0xa7e83ae0, 0x403d6b06, 0x0afb0000},
    {0x48678000, 0x00000000, 0x65a80000, 0x280991ac, 0xfc000000, 0x0c700000, 0x00000000, 0x80008000, 0x72ebad53, 0xea7d8000, 0x80000000, 0x80004e83, 0x687d2a37, 0x38220000, 0x000071d4, 0xc3080000, 0x00008000, 0x87002e30, 0x22800000, 0x00008000},
    {0x3c000000, 0x00000000, 0x3c000000, 0x28090000, 0x00000000, 0x0c700000, 0x00000000, 0x00000000, 0x3c000000, 0x00000000, 0x00000000, 0x00003c00, 0x3c002a37, 0x38220000, 0x00003c00, 0x00000000, 0x00000000, 0x00002e30, 0x22800000, 0x00000000},
    {0x4952101f, 0x000071de, 0x78b39b5a, 0x3fa091ac, 0xfc006da9, 0xb3d4894c, 0xb7e1c412, 0x3bff3c01, 0x731fad53, 0xea7c0000, 0x424288a6, 0x3f804e83, 0x687dbaa6, 0x3a06efd5, 0x000071d4, 0xc308945b, 0x96fb1883, 0x8700ac82, 0xa3e232fc, 0x9ef4f1d4},
    {0x3c00101f, 0x00003c00, 0x3c000000, 0x3c000000, 0x00003c00, 0x00000000, 0x00000000, 0x3bff3c00, 0x3c000000, 0x00000000, 0x3c000000, 0x3c003c00, 0x3c000000, 0x3a060000, 0x00003c00, 0x00000000, 0x00001883, 0x00000000, 0x000032fc, 0x00000000},
    {0x4952101f, 0x000071de, 0x78b30000, 0x3fa00000, 0x00006da9, 0x00000000, 0x00000000, 0x3bff3c01, 0x731f0000, 0x00000000, 0x42420000, 0x3f804e83, 0x687d0000, 0x3a060000, 0x000071d4, 0x00000000, 0x00001883, 0x00000000, 0x000032fc, 0x00000000},
    {0xffffffff, 0xffffffff, 0x00000000, 0x00000000, 0xffffffff, 0xffffffff, 0x00000000, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x00000000, 0x00000000, 0xffffffff, 0x4bce73f7, 0x00000000, 0x00000000, 0x00000000, 0xffffffff, 0xffffffff},
    {0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x4bce73f7, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0xada711fd, 0x9a319aef, 0x6ced8137, 0x0cbcbf20, 0x78f009ce, 0x9abcdef0, 0x00000003, 0x00000001, 0xde09d554, 0x3f800000, 0x00010002, 0x9abcdef0, 0x7713b205, 0x91b5827d, 0x056f8bc1, 0xbf800000, 0x00000001, 0xa6e4ae72, 0x9e1e6b06, 0x80000000},
    {0x00000000, 0x00000000, 0x00000000, 0xffffffff, 0x00000000, 0x0000ffff, 0xffffffff, 0x00000000, 0xffffffff, 0x00000000, 0x0000ffff, 0xffffffff, 0x00000000, 0x00000000, 0xffffffff, 0xffffffff, 0xffff0000, 0xffff0000, 0x00000000, 0x00000000},
};

__global__ void forms(unsigned *out)
{
    unsigned i = threadIdx.x, a = operands[i][0], b = operands[i][1], c = operands[i][2];
    asm("add.ftz.f16x2 %0, %1, %2;" : "=r"(out[0 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("add.ftz.sat.f16x2 %0, %1, %2;" : "=r"(out[1 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("sub.ftz.f16x2 %0, %1, %2;" : "=r"(out[2 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("mul.ftz.f16x2 %0, %1, %2;" : "=r"(out[3 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("mul.ftz.sat.f16x2 %0, %1, %2;" : "=r"(out[4 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("fma.rn.ftz.f16x2 %0, %1, %2, %3;" : "=r"(out[5 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("fma.rn.ftz.sat.f16x2 %0, %1, %2, %3;" : "=r"(out[6 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("fma.rn.ftz.relu.f16x2 %0, %1, %2, %3;" : "=r"(out[7 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("{ .reg .s64 x; mov.b64 x, {%1, %2}; bfe.s64 x, x, %3, %1; mov.b64 {%0, _}, x; }" : "=r"(out[8 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("{ .reg .u64 x; mov.b64 x, {%1, %2}; bfe.u64 x, x, %3, %1; mov.b64 {%0, _}, x; }" : "=r"(out[9 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("{ .reg .b64 x, y; mov.b64 x, {%1, %2}; mov.b64 y, {%3, %1}; bfi.b64 x, x, y, %3, %2; mov.b64 {_, %0}, x; }" : "=r"(out[10 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
    asm("set.lt.u32.f16x2 %0, %1, %2;" : "=r"(out[11 * OPERANDS + i]) : "r"(a), "r"(b), "r"(c));
}

int main()
{
    unsigned *out;
    MUST(cudaMallocManaged(&out, FORMS * OPERANDS * sizeof *out));
    forms<<<1, OPERANDS>>>(out);
    MUST(cudaDeviceSynchronize());
    for (int form = 0; form < FORMS; form++) {
        for (int i = 0; i < OPERANDS; i++) {
            if (out[form * OPERANDS + i] != expected[form][i]) {
                printf("form %d, operands %d: %08x, an H100 gives %08x\n", form, i, out[form * OPERANDS + i],
                       expected[form][i]);
            }
        }
    }
    puts("compared");
    return 0;
}
