// mma.sp multiplies a matrix of which the metadata says where its elements are. Its products of small whole
// numbers are exact, so they are compared with sums on the host. What the metadata does not select has no
// effect, be it infinite. The positions of the metadata were found by a GPU's results.
#include "show.h"
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned int u32;

// A column of the lists: elements of a type, of `bits`; the metadata's units, of 16 bits or of 8.
struct type {
    char name[8];
    int bits, unit;
};
static const type types[] = {{"f16", 16, 16}, {"bf16", 16, 16}, {"tf32", 32, 16}, {"s8", 8, 8},   {"u8", 8, 8},
                             {"s4", 4, 8},    {"u4", 4, 8},     {"e4m3", 8, 8},   {"e5m2", 8, 8}};
enum { F16, BF16, TF32, S8, U8, S4, U4, E4M3, E5M2 };

static u32 encode(int type, int v)
{
    const float f = (float)v;
    u32 word;
    memcpy(&word, &f, 4);
    static const unsigned char e4m3[] = {0xc0, 0xb8, 0, 0x38, 0x40}, e5m2[] = {0xc0, 0xbc, 0, 0x3c, 0x40};
    switch (type) {
    case F16: {
        const __half h(f);
        unsigned short bits;
        memcpy(&bits, &h, 2);
        return bits;
    }
    case BF16: return word >> 16;
    case TF32: return word;
    case E4M3: return e4m3[v + 2];
    case E5M2: return e5m2[v + 2];
    default: return (u32)v & ((1u << types[type].bits) - 1);
    }
}

// The registers of the 32 lanes.
struct fragments {
    u32 a[32][4], b[32][4], c[32][4], d[32][4], metadata[32];
};

#define A2 "{%4, %5}, {%6, %7}, "
#define A4 "{%4, %5, %6, %7}, {%8, %9, %10, %11}, "
#define FORM(NUMBER, AB, REST, OPCODE, ...)                                                                 \
    case NUMBER:                                                                                            \
        asm volatile("mma.sp::ordered_metadata.sync.aligned." OPCODE " {%0, %1, %2, %3}, " AB REST          \
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                       \
                     : __VA_ARGS__, "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(m));                    \
        break;
#define SHORT(NUMBER, SELECTOR, OPCODE)                                                                     \
    FORM(NUMBER, A2, "{%8, %9, %10, %11}, %12, " #SELECTOR ";", OPCODE, "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]))
#define LONG(NUMBER, SELECTOR, OPCODE)                                                                      \
    FORM(NUMBER, A4, "{%12, %13, %14, %15}, %16, " #SELECTOR ";", OPCODE, "r"(a[0]), "r"(a[1]), "r"(a[2]),  \
         "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]))

__global__ void product(int form, fragments *f)
{
    const u32 lane = threadIdx.x;
    const u32 *a = f->a[lane], *b = f->b[lane], *c = f->c[lane], m = f->metadata[lane];
    u32 *d = f->d[lane];
    switch (form) {
        SHORT(0, 3, "m16n8k16.row.col.f32.f16.f16.f32")
        LONG(1, 1, "m16n8k32.row.col.f32.f16.f16.f32")
        SHORT(2, 0, "m16n8k16.row.col.f32.bf16.bf16.f32")
        LONG(3, 0, "m16n8k32.row.col.f32.bf16.bf16.f32")
        SHORT(4, 2, "m16n8k8.row.col.f32.tf32.tf32.f32")
        LONG(5, 1, "m16n8k16.row.col.f32.tf32.tf32.f32")
        SHORT(6, 1, "m16n8k32.row.col.s32.s8.u8.s32")
        LONG(7, 0, "m16n8k64.row.col.s32.u8.s8.s32")
        SHORT(8, 1, "m16n8k64.row.col.s32.s4.u4.s32")
        LONG(9, 0, "m16n8k128.row.col.s32.u4.s4.s32")
        LONG(10, 0, "m16n8k64.row.col.f32.e4m3.e5m2.f32")
    }
}

// a, b: the types; k: columns of A, with those that are not there.
struct form {
    int a, b, k, selector;
};
static const form forms[] = {{F16, F16, 16, 3}, {F16, F16, 32, 1},   {BF16, BF16, 16, 0}, {BF16, BF16, 32, 0},
                             {TF32, TF32, 8, 2}, {TF32, TF32, 16, 1}, {S8, U8, 32, 1},     {U8, S8, 64, 0},
                             {S4, U4, 64, 1},   {U4, S4, 128, 0},    {E4M3, E5M2, 64, 0}};

static u32 state = 1;
static int below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 8) % n;
}
static int element_of(int type)
{
    const bool is_unsigned = type == U8 || type == U4;
    return below(5) - (is_unsigned ? 0 : 2);
}
static void put(u32 &word, u32 bits, int at)
{
    word |= bits << at;
}

// Fills the registers for a form; sums: what is to come out.
static void fill(const form &form, fragments *f, int (&sums)[16][8])
{
    const type &type = types[form.a];
    const int k = form.k, bits = type.bits, is_tf32 = form.a == TF32;
    const int units = k * bits / type.unit, groups = units / 4; // of a row with all columns
    const int lanes = groups / 4;                               // of a group of four, with metadata
    static int a[16][128], b[128][8];
    memset(f, 0, sizeof *f);
    memset(a, 0, sizeof a);
    for (int i = 0; i < k * 8; i++) b[i / 8][i % 8] = element_of(form.b);
    for (int row = 0; row < 16; row++) {
        for (int group = 0; group < groups; group++) {
            static const int halves[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe}, words[] = {0x4, 0xe};
            const u32 pattern = (u32)(is_tf32 ? words[below(2)] : halves[below(6)]);
            // The metadata: 16 bits of each lane for a row, or 32 bits of every second lane.
            const int first = row % 8 * 4 + form.selector * lanes % 4;
            if (type.unit == 16) {
                put(f->metadata[first + group / 4], pattern, row / 8 * 16 + group % 4 * 4);
            } else {
                put(f->metadata[first + group / 8 * 2 + row / 8], pattern, group % 8 * 4);
            }
            for (int there = 0; there < 2; there++) {
                const int unit = group * 4 + (int)(pattern >> 2 * there & 3);  // among all
                const int packed = (group * 2 + there) * type.unit;            // bits in what is there
                for (int i = 0; i < type.unit; i += bits) {
                    const int column = is_tf32 ? unit / 2 : unit * type.unit / bits + i / bits;
                    int &value = a[row][column];
                    value = is_tf32 && there == 1 ? value : element_of(form.a);
                    const u32 code = encode(form.a, value) >> (is_tf32 ? there * 16 : 0);
                    const int at = packed + i, word = at / 32;
                    u32 &to = f->a[row % 8 * 4 + word % 4][word / 4 * 2 + row / 8];
                    put(to, is_tf32 ? code & 0xffff : code, at % 32);
                }
            }
        }
    }
    for (int i = 0; i < k * 8; i++) {
        const int at = i / 8 * bits, word = at / 32;
        put(f->b[i % 8 * 4 + word % 4][word / 4], encode(form.b, b[i / 8][i % 8]), at % 32);
    }
    for (int i = 0; i < 128; i++) {
        const int row = i / 8, column = i % 8, c = below(100) - 50;
        const float real = (float)c;
        u32 &to = f->c[row % 8 * 4 + column / 2][row / 8 * 2 + column % 2];
        memcpy(&to, form.a <= TF32 || form.a >= E4M3 ? (const void *)&real : &c, 4);
        sums[row][column] = c;
        for (int j = 0; j < k; j++) sums[row][column] += a[row][j] * b[j][column];
    }
}

int main()
{
    fragments *f;
    MUST(cudaMallocManaged(&f, sizeof *f));
    for (int i = 0; i < (int)(sizeof forms / sizeof *forms); i++) {
        int sums[16][8], wrong = 0;
        fill(forms[i], f, sums);
        product<<<1, 32>>>(i, f);
        MUST(cudaDeviceSynchronize());
        for (int j = 0; j < 128; j++) {
            const int row = j / 8, column = j % 8;
            const u32 got = f->d[row % 8 * 4 + column / 2][row / 8 * 2 + column % 2];
            float real;
            memcpy(&real, &got, 4);
            const bool is_float = forms[i].a <= TF32 || forms[i].a >= E4M3;
            wrong += is_float ? real != (float)sums[row][column] : (int)got != sums[row][column];
        }
        printf("%s %s k%d: %d wrong\n", types[forms[i].a].name, types[forms[i].b].name, forms[i].k, wrong);
    }
    // Elements 0 and 1 of each group are there: elements 2 and 3 of B do not count.
    memset(f, 0, sizeof *f);
    for (int lane = 0; lane < 32; lane++) {
        f->metadata[lane] = 0x44444444;
        f->a[lane][0] = f->a[lane][1] = 0x3c003c00;
        f->b[lane][0] = f->b[lane][1] = lane % 2 == 0 ? 0x3c003c00 : 0x7c007c00;
    }
    product<<<1, 32>>>(0, f);
    MUST(cudaDeviceSynchronize());
    float first;
    memcpy(&first, &f->d[0][0], 4);
    printf("beside infinities: %g\n", first);
    return 0;
}
