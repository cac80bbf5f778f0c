// The video instructions of inline PTX. The hashes of scalar forms and of vadd2 are an H100's; those
// of limits follow the rules that 1077 forms on an H200 gave. The other vector forms are compared
// with CUDA's functions on bytes and halves.
#include "show.h"

__device__ const unsigned operands[][3] = {
    {0x00000000, 0x00000080, 0x00000001}, {0x00000001, 0xffffffff, 0x00008000},
    {0x0000007f, 0x00000001, 0x01ff807f}, {0x00000080, 0x7fffffff, 0x00000000},
    {0x00007fff, 0x00008000, 0xffffffff}, {0x00008000, 0x00000020, 0x00000021},
    {0x7fffffff, 0x01ff807f, 0x80000000}, {0x80000000, 0x0000007f, 0x0000001f},
    {0xffffffff, 0x80000000, 0x00000080}, {0x80017ffe, 0x0000ffff, 0x00000020},
    {0xaa02f263, 0xb3280f47, 0x76976e99}, {0x96711d57, 0xbfea4aad, 0x3ba29578},
};

__device__ unsigned hash;

__device__ void reset()
{
    hash = 2166136261u;
}
__device__ void add(unsigned value)
{
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ (value >> 8 * i & 0xff)) * 16777619u;
    }
}

#define FORM(OPCODE, D, A, B, REST)                                                                \
    reset();                                                                                       \
    for (const auto &o : operands) {                                                               \
        unsigned d;                                                                                \
        asm(OPCODE " %0" D ", %1" A ", %2" B REST ";" : "=r"(d) : "r"(o[0]), "r"(o[1]), "r"(o[2])); \
        add(d);                                                                                    \
    }                                                                                              \
    printf("%s %%0%s, %%1%s, %%2%s%s: %08x\n", OPCODE, D, A, B, REST, hash);

#define ARITHMETIC(OPCODE, TYPES)                                                                  \
    FORM(OPCODE TYPES, "", "", "", "")                                                             \
    FORM(OPCODE TYPES, "", ".b1", ".h1", "")                                                       \
    FORM(OPCODE TYPES, "", ".h0", ".b3", "")                                                       \
    FORM(OPCODE TYPES ".add", "", ".b2", "", ", %3")                                               \
    FORM(OPCODE TYPES, ".b0", "", "", ", %3")                                                      \
    FORM(OPCODE TYPES, ".b3", "", "", ", %3")
#define ALL_TYPES(OPCODE)                                                                          \
    ARITHMETIC(OPCODE, ".u32.u32.u32")                                                             \
    ARITHMETIC(OPCODE, ".s32.s32.s32")                                                             \
    ARITHMETIC(OPCODE, ".s32.u32.s32")                                                             \
    ARITHMETIC(OPCODE, ".u32.s32.u32")

__global__ void arithmetic()
{
    ALL_TYPES("vadd")
    ALL_TYPES("vsub")
    ALL_TYPES("vabsdiff")
    ALL_TYPES("vmin")
    ALL_TYPES("vmax")
    FORM("vadd.s32.s32.s32.sat", "", "", "", "")
    FORM("vabsdiff.s32.s32.s32.max", "", ".b2", "", ", %3")
    FORM("vsub.s32.s32.s32.sat.add", "", "", ".h0", ", %3")
    FORM("vmin.u32.u32.u32", "", "", "", ", %3")
}

__global__ void others()
{
    FORM("vshl.u32.u32.u32.clamp", "", "", "", "")
    FORM("vshl.u32.u32.u32.wrap", "", ".h1", ".b0", "")
    FORM("vshr.s32.s32.u32.clamp", "", "", "", "")
    FORM("vshr.s32.s32.u32.clamp.add", "", "", ".b2", ", %3")
    FORM("vshr.u32.u32.u32.wrap", ".h0", "", ".b3", ", %3")
    FORM("vmad.u32.u32.u32", "", "", "", ", %3")
    FORM("vmad.s32.s32.s32", "", ".h1", ".b2", ", %3")
    FORM("vmad.s32.s32.s32.sat", "", "", "", ", %3")
    FORM("vmad.s32.s32.s32.shr7", "", ".h0", ".h1", ", %3")
    FORM("vmad.s32.s32.s32.sat.shr15", "", "", "", ", %3")
    FORM("vmad.s32.s32.s32.po.sat.shr7", "", "", "", ", %3")
    FORM("vmad.s32.s32.s32", "", "", "", ", -%3")
    FORM("vmad.s32.s32.s32.po", "", ".b1", ".b3", ", %3")
    FORM("vset.u32.u32.lt", "", ".b1", ".h0", "")
    FORM("vset.s32.s32.ge", "", ".b1", ".h0", "")
    FORM("vset.s32.u32.ne", ".b2", "", "", ", %3")
    FORM("vset.s32.s32.lt.add", "", "", "", ", %3")
    FORM("vadd2.u32.u32.u32", "", "", "", ", %3")
    FORM("vadd2.u32.u32.u32", ".h1", ".h21", ".h03", ", %3")
    FORM("vadd2.s32.s32.s32.sat", ".h0", ".h00", ".h33", ", %3")
    FORM("vadd2.s32.s32.s32.add", ".h1", ".h12", "", ", %3")
}

#define SAME(OPCODE, FUNCTION)                                                                     \
    for (const auto &o : operands) {                                                               \
        unsigned d;                                                                                \
        asm(OPCODE " %0, %1, %2, %3;" : "=r"(d) : "r"(o[0]), "r"(o[1]), "r"(0));                   \
        if (d != FUNCTION(o[0], o[1])) {                                                           \
            printf("%s of %08x and %08x: %08x\n", OPCODE, o[0], o[1], d);                          \
        }                                                                                          \
    }

__global__ void vectors()
{
    SAME("vadd2.u32.u32.u32.sat", __vaddus2)
    SAME("vadd4.u32.u32.u32", __vadd4)
    SAME("vadd4.s32.s32.s32.sat", __vaddss4)
    SAME("vsub2.s32.s32.s32.sat", __vsubss2)
    SAME("vsub4.u32.u32.u32.sat", __vsubus4)
    SAME("vavrg2.u32.u32.u32", __vavgu2)
    SAME("vavrg4.u32.u32.u32", __vavgu4)
    SAME("vabsdiff2.s32.s32.s32", __vabsdiffs2)
    SAME("vabsdiff4.u32.u32.u32", __vabsdiffu4)
    SAME("vabsdiff4.u32.u32.u32.add", __vsadu4)
    SAME("vmin2.s32.s32.s32", __vmins2)
    SAME("vmin4.u32.u32.u32", __vminu4)
    SAME("vmax2.u32.u32.u32", __vmaxu2)
    SAME("vmax4.s32.s32.s32", __vmaxs4)
    SAME("vset2.u32.u32.lt", __vsetltu2)
    SAME("vset4.s32.s32.ge", __vsetges4)
    SAME("vset4.u32.u32.eq", __vseteq4)
}

// bytes 0 and 2 of the result: bytes 0, 2 of {byte 0 of a, .., byte 7 of b} and so on
__global__ void selectors()
{
    unsigned d[4];
    asm("vadd4.u32.u32.u32 %0.b20, %1.b7250, %2.b0123, %3;"
        : "=r"(d[0])
        : "r"(0x04030201), "r"(0x40302010), "r"(0xaabbccdd));
    asm("vset4.u32.u32.lt.add %0.b320, %1, %2.b5432, %3;"
        : "=r"(d[1])
        : "r"(0x04030201), "r"(0x40302010), "r"(100));
    asm("{ .reg .u32 t, r; mov.u32 t, %1; vadd.u32.u32.u32 r, t.b1, t.h1; mov.u32 %0, r; }"
        : "=r"(d[2])
        : "r"(0x04030201));
    asm("vadd.u32.u32.u32 %0, 300, -1;" : "=r"(d[3]));
    printf("%08x %u %x %u\n", d[0], d[1], d[2], d[3]);
}

// Limits, comparisons and upper halves where a GPU does not do what PTX says.
#define LIMITS(OPCODE, TYPES)                                                                      \
    FORM(OPCODE TYPES ".sat", "", "", "", "")                                                      \
    FORM(OPCODE TYPES ".sat", ".b1", "", "", ", %3")                                               \
    FORM(OPCODE TYPES ".sat", ".h0", "", "", ", %3")                                               \
    FORM(OPCODE TYPES, ".h1", "", "", ", %3")                                                      \
    FORM(OPCODE TYPES ".min", "", "", "", ", %3")                                                  \
    FORM(OPCODE TYPES ".max", "", ".b2", "", ", %3")
#define LIMITS_OF_TYPES(OPCODE)                                                                    \
    LIMITS(OPCODE, ".u32.u32.u32")                                                                 \
    LIMITS(OPCODE, ".s32.s32.s32")                                                                 \
    LIMITS(OPCODE, ".s32.u32.u32")                                                                 \
    LIMITS(OPCODE, ".u32.s32.u32")
__global__ void limits()
{
    LIMITS_OF_TYPES("vadd")
    LIMITS_OF_TYPES("vsub")
    LIMITS_OF_TYPES("vabsdiff")
    LIMITS_OF_TYPES("vmin")
    LIMITS_OF_TYPES("vmax")
}
__global__ void limits_of_others()
{
    FORM("vshl.u32.u32.u32.sat.clamp", "", "", ".b1", "")
    FORM("vshl.s32.u32.u32.sat.clamp", "", "", ".b1", "")
    FORM("vshl.s32.s32.u32.sat.wrap", ".b0", "", "", ", %3")
    FORM("vshr.u32.s32.u32.sat.clamp", ".b0", "", "", ", %3")
    FORM("vshl.u32.s32.u32.clamp.min", "", "", ".b0", ", %3")
    FORM("vmad.u32.u32.u32.sat", "", "", "", ", %3")
    FORM("vmad.u32.u32.u32.shr7", "", ".h0", ".h1", ", %3")
    FORM("vmad.u32.u32.u32.sat.shr15", "", "", "", ", %3")
    FORM("vmad.s32.u32.s32.sat", "", "", "", ", %3")
    FORM("vmad.s32.s32.u32.po.sat.shr7", "", "", "", ", %3")
    FORM("vset.s32.u32.ge.max", "", "", "", ", %3")
    FORM("vset.u32.s32.lt.min", "", "", "", ", %3")
}

int main()
{
    arithmetic<<<1, 1>>>();
    others<<<1, 1>>>();
    vectors<<<1, 1>>>();
    selectors<<<1, 1>>>();
    limits<<<1, 1>>>();
    limits_of_others<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
