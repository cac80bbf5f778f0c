/* Writes a program of random kernels: generate SEED COUNT >program.cu
 *
 * The kernels have no races and no undefined arithmetic, so their results must not hang
 * on which entry runs them.  What they have instead: branches and loops on uniform and on
 * varying values, nested, with breaks, continues, switches and early returns; barriers
 * at the top, in uniform loops and in uniform branches; static and dynamic shared memory,
 * shared and global atomics; integers of all widths, float and double; indices that wrap
 * around; local arrays, structs, calls.
 *
 * The program launches each kernel with blocks of many shapes and prints a hash of its
 * results for each. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DEPTH = 4, TABLE = 256 };

static uint64_t state;

static unsigned below(unsigned limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

static bool chance(unsigned percent)
{
    return below(100) < percent;
}

/* ---- lines ---- */

static int indent;

static void line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%*s", indent * 4, "");
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

/* ---- expressions: text in a ring of buffers ---- */

enum type { INT, UNSIGNED, LONG, SHORT, BYTE, FLOAT, DOUBLE, TYPES };

static const char *const names[TYPES] = {"int",           "unsigned", "long long", "short",
                                         "unsigned char", "float",    "double"};
static const char letters[] = "iulscfd";

enum { BUFFERS = 512, LENGTH = 4096 };

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text(const char *format, ...)
{
    static char buffers[BUFFERS][LENGTH];
    static unsigned next;
    char *buffer = buffers[next++ % BUFFERS];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, LENGTH, format, arguments);
    va_end(arguments);
    return buffer;
}

static bool is_real(enum type type)
{
    return type == FLOAT || type == DOUBLE;
}

/* Of the same value for all threads. */
static char *uniform(int depth)
{
    switch (below(depth > 0 ? 7 : 4)) {
    case 0:
        return text("%uu", below(9));
    case 1:
        return text("n%u", below(3));
    case 2:
        return text("q%u", below(3));
    case 3:
        return text("blockIdx.x");
    case 4:
        return text("(%s + %s)", uniform(depth - 1), uniform(depth - 1));
    case 5:
        return text("(%s ^ %s)", uniform(depth - 1), uniform(depth - 1));
    default:
        return text("table[%s & %du]", uniform(depth - 1), TABLE - 1);
    }
}

static char *expression(enum type type, int depth);

/* Of unsigned type, in all the ways an index is made. */
static char *index_of(int depth)
{
    switch (below(9)) {
    case 0:
        return text("(t & %du)", TABLE - 1);
    case 1:
        return text("((t + %u) & %du)", below(600), TABLE - 1);
    case 2:
        return text("((t - %u) & %du)", below(600), TABLE - 1);
    case 3:
        return text("((t * %u + %s) & %du)", 1 + below(5), uniform(1), TABLE - 1);
    case 4:
        return text("((unsigned char)(t + %u))", below(300));
    case 5:
        return text("(gid %% %du)", TABLE);
    case 6:
        return text("((%s) & %du)", uniform(1), TABLE - 1);
    case 7:
        return text("((t ^ %u) & %du)", below(64), TABLE - 1);
    default:
        return text("((unsigned)(%s) & %du)", expression(UNSIGNED, depth - 1), TABLE - 1);
    }
}

static char *leaf(enum type type)
{
    switch (below(8)) {
    case 0:
        return text("(%s)%u", names[type], below(100));
    case 1:
        return text("(%s)t", names[type]);
    case 2:
        return text("(%s)(%s)", names[type], uniform(1));
    case 3:
        return text("(%s)(table[%s] & 0xffff)", names[type], index_of(1));
    default:
        return text("%c%u", letters[type], below(3));
    }
}

static char *condition(int depth);

static char *whole(enum type type, int depth)
{
    const char *name = names[type];
    char *a = expression(type, depth - 1), *b = expression(type, depth - 1);
    const char *wide = type == LONG ? "unsigned long long" : "unsigned";
    switch (below(14)) {
    case 0:
        return text("(%s)((%s)%s - (%s)%s)", name, wide, a, wide, b);
    case 1:
        return text("(%s)((%s)%s * (%s)%s)", name, wide, a, wide, b);
    case 2:
        return text("(%s)(%s / ((%s & 15) + 1))", name, a, b);
    case 3:
        return text("(%s)(%s %% ((%s & 7) + 1))", name, a, b);
    case 4:
        return text("(%s)(%s >> ((int)%s & 7))", name, a, b);
    case 5:
        return text("(%s)((%s)%s << ((int)%s & 7))", name, wide, a, b);
    case 6:
        return text("(%s)(%s & %s)", name, a, b);
    case 7:
        return text("(%s)(%s ^ %s)", name, a, b);
    case 8:
        return text("(%s)(%s ? %s : %s)", name, condition(depth - 1), a, b);
    case 9:
        return text("(%s)mix((unsigned)%s, (unsigned)%s)", name, a, b);
    case 10:
        return text("(%s)__popc((unsigned)%s)", name, a);
    case 11:
        return text("(%s)a[%s & 7]", name, expression(UNSIGNED, depth - 1));
    case 12:
        return text("(%s)table[%s]", name, index_of(depth));
    default:
        return text("(%s)((%s)%s + (%s)%s)", name, wide, a, wide, b);
    }
}

/* Never infinite, never NaN: what is too large is folded back. */
static char *real(enum type type, int depth)
{
    const char *suffix = type == FLOAT ? "f" : "";
    const char *name = names[type];
    char *a = expression(type, depth - 1), *b = expression(type, depth - 1);
    switch (below(9)) {
    case 0:
        return text("fold%s(%s * %s)", suffix, a, b);
    case 1:
        return text("(%s - %s)", a, b);
    case 2:
        return text("fold%s(%s / (fabs%s(%s) + 1))", suffix, a, suffix, b);
    case 3:
        return text("sqrt%s(fabs%s(%s))", suffix, suffix, a);
    case 4:
        return text("fmin%s(%s, %s)", suffix, a, b);
    case 5:
        return text("floor%s(%s)", suffix, a);
    case 6:
        return text("(%s ? %s : %s)", condition(depth - 1), a, b);
    case 7:
        return text("(%s)(%s)", name, expression(INT, depth - 1));
    default:
        return text("fold%s(%s + %s)", suffix, a, b);
    }
}

static char *expression(enum type type, int depth)
{
    if (depth <= 0 || chance(20)) {
        return leaf(type);
    }
    if (!is_real(type) && chance(12)) {
        enum type other = below(TYPES);
        return is_real(other) ? text("(%s)clip(%s)", names[type], expression(other, depth - 1))
                              : text("(%s)%s", names[type], expression(other, depth - 1));
    }
    return is_real(type) ? real(type, depth) : whole(type, depth);
}

static char *condition(int depth)
{
    static const char *const ways[] = {"<", ">", "<=", ">=", "==", "!="};
    if (depth > 1 && chance(15)) {
        return text("(%s %s %s)", condition(depth - 1), chance(50) ? "&&" : "||",
                    condition(depth - 1));
    }
    if (chance(25)) {
        return text("(t %s %u)", ways[below(6)], below(130));
    }
    if (chance(25)) {
        return text("((%s & %u) %s %u)", expression(UNSIGNED, depth - 1), 1 + below(7),
                    ways[below(6)], below(4));
    }
    enum type type = below(TYPES);
    return text("(%s %s %s)", expression(type, depth - 1), ways[below(6)],
                expression(type, depth - 1));
}

/* ---- statements ---- */

/* Where a statement stands. */
struct place {
    int depth;
    bool is_uniform; /* all threads that live are here: barriers may be */
    int loops;       /* around it, for break and continue; 0 in switches */
    bool may_return;
    bool has_barrier_loop; /* around it is a loop with barriers: no break but uniform ones */
};

static unsigned serial;

static void statements(struct place place, unsigned count);

static void assign(void)
{
    enum type type = below(TYPES);
    line("%c%u = %s;", letters[type], below(3), expression(type, 3));
}

static void block_of(struct place place, unsigned count)
{
    if (!place.is_uniform && place.has_barrier_loop) {
        place.loops = 0; /* only some threads would leave it */
    }
    indent++;
    place.depth++;
    statements(place, count);
    indent--;
}

static void branch(struct place place)
{
    bool is_uniform = chance(35);
    line("if (%s) {",
         is_uniform ? text("(%s & %u) == %u", uniform(2), 1 + below(3), below(2)) : condition(2));
    place.is_uniform &= is_uniform;
    block_of(place, 1 + below(3));
    if (chance(50)) {
        line("} else {");
        block_of(place, 1 + below(3));
    }
    line("}");
}

static void choice(struct place place)
{
    bool is_uniform = chance(35);
    unsigned cases = 2 + below(4);
    place.is_uniform &= is_uniform;
    place.loops = 0;
    line("switch (%s & 7) {", is_uniform ? uniform(2) : expression(UNSIGNED, 2));
    for (unsigned i = 0; i < cases; i++) {
        line("case %u:", i == 3 ? 6 : i);
        block_of(place, 1 + below(2));
        if (chance(80)) {
            line("    break;");
        }
    }
    if (chance(50)) {
        line("default:");
        block_of(place, 1);
    }
    line("}");
}

static void loop(struct place place)
{
    unsigned k = serial++;
    bool is_uniform = chance(50);
    place.loops = 1;
    place.is_uniform &= is_uniform;
    place.has_barrier_loop = place.is_uniform;
    char *limit =
        is_uniform ? text("(%s & 3) + 1", uniform(1)) : text("(%s & 7)", expression(UNSIGNED, 2));
    if (chance(30)) {
        line("for (unsigned k%u = %s; k%u-- > 0;) {", k, limit, k);
    } else if (chance(70)) {
        line("for (unsigned k%u = 0, e%u = %s; k%u < e%u; ++k%u) {", k, k, limit, k, k, k);
    } else {
        line("for (unsigned k%u = %s;; k%u >>= 1) {", k, limit, k);
        line("    if (k%u == 0) break;", k);
    }
    line("    u%u += k%u * %u;", below(3), k, 1 + below(9));
    block_of(place, 1 + below(4));
    line("}");
}

static void exchange(void)
{
    const char *array = chance(30) ? "dyn" : "s";
    if (chance(30)) {
        line("atomicAdd(&h[%s & 15], %s);", expression(UNSIGNED, 2), expression(UNSIGNED, 2));
        line("__syncthreads();");
        line("u%u ^= h[%s & 15];", below(3), expression(UNSIGNED, 1));
        line("__syncthreads();");
        return;
    }
    line("%s[t] = %s;", array, expression(UNSIGNED, 2));
    if (chance(30)) {
        assign();
    }
    line("__syncthreads();");
    switch (below(4)) {
    case 0:
        line("u%u = %s[(t + %u) %% nt];", below(3), array, below(70));
        break;
    case 1:
        line("u%u = %s[nt - 1 - t];", below(3), array);
        break;
    case 2:
        line("if (t >= %uu) u%u += %s[t - %uu];", serial % 40, below(3), array, serial % 40);
        break;
    default:
        line("u%u ^= %s[%s %% nt];", below(3), array, expression(UNSIGNED, 2));
        break;
    }
    if (chance(30)) {
        assign();
    }
    line("__syncthreads();");
}

static void early_return(void)
{
    line("if (%s) {", condition(2));
    line("    out[gid * 4 + 1] = u0 + %u; return;", below(1000));
    line("}");
}

static void jump(struct place place)
{
    bool is_uniform = place.has_barrier_loop || chance(20);
    line("if (%s) %s;", is_uniform ? text("(%s & 7) == 3", uniform(2)) : condition(2),
         chance(70) ? "break" : "continue");
}

static void statement(struct place place)
{
    unsigned what = below(100);
    if (place.depth >= MOST_DEPTH || what < 34) {
        assign();
    } else if (what < 52) {
        branch(place);
    } else if (what < 58) {
        choice(place);
    } else if (what < 72) {
        loop(place);
    } else if (what < 80 && place.loops > 0) {
        jump(place);
    } else if (what < 83 && place.may_return) {
        early_return();
    } else if (what < 86) {
        line("a[%s & 7] = %s;", expression(UNSIGNED, 1), expression(INT, 2));
    } else if (what < 88) {
        line("atomicAdd(&tally[%s & 15], %s);", expression(UNSIGNED, 1), expression(UNSIGNED, 1));
    } else if (what < 90 && place.is_uniform) {
        line("q%u = %s;", below(3), uniform(3));
    } else if (what < 92) {
        line("u%u += call(u%u, i%u);", below(3), below(3), below(3));
    } else if (what < 94) {
        line("i%u ^= pair.a + (int)pair.b[%s & 3];", below(3), expression(UNSIGNED, 1));
    } else if (place.is_uniform) {
        exchange();
    } else {
        assign();
    }
}

static void statements(struct place place, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        statement(place);
    }
}

/* ---- kernels and program ---- */

static void variables(void)
{
    line("unsigned n0 = p0, n1 = p1, n2 = table[p2 & 255] & 15;");
    line("unsigned q0 = p0 + 1, q1 = p1 * 3, q2 = 5;");
    for (enum type type = 0; type < TYPES; type++) {
        for (unsigned i = 0; i < 3; i++) {
            line("%s %c%u = (%s)(table[(gid * %u + %u) & 255] & 0x%xu);", names[type],
                 letters[type], i, names[type], 1 + below(7), below(200),
                 is_real(type) ? 0xffu : 0xffffffffu);
        }
    }
    line("int a[8];");
    line("for (int k = 0; k < 8; ++k) a[k] = k * (int)t;");
}

static void kernel(unsigned number)
{
    serial = below(40);
    printf("__global__ void k%u(unsigned p0, unsigned p1, unsigned p2, Pair pair, const unsigned "
           "*table,\n                   unsigned *out, unsigned *tally)\n{\n",
           number);
    indent = 1;
    bool is_flat = chance(30);
    line("__shared__ unsigned s[1024], h[16];");
    line("extern __shared__ unsigned dyn[];");
    line("unsigned nt = blockDim.x * blockDim.y * blockDim.z;");
    line(chance(60) ? "unsigned t = threadIdx.x; if (blockDim.y > 1) t += blockDim.x * "
                      "(threadIdx.y + blockDim.y * threadIdx.z);"
                    : "unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * "
                      "threadIdx.z);");
    line("unsigned gid = blockIdx.x * nt + t;");
    variables();
    if (!is_flat) {
        line("s[t] = t; dyn[t] = t * 3; if (t < 16) h[t] = t; if (nt < 16 && t == 0) for (int k = "
             "0; k < 16; ++k) h[k] = k;");
        line("__syncthreads();");
    }
    struct place place = {.is_uniform = !is_flat, .may_return = true};
    statements(place, 5 + below(8));
    line("out[gid * 4] = u0 ^ (u1 * 3) ^ u2 ^ (unsigned)i0 ^ (unsigned)i1 ^ (unsigned)(i2 * 5u);");
    line("out[gid * 4 + 1] = (unsigned)(l0 ^ (l1 >> 7) ^ l2) ^ s0 ^ s1 ^ s2 ^ c0 ^ c1 ^ c2;");
    line("out[gid * 4 + 2] = __float_as_uint(f0) ^ (__float_as_uint(f1) * 3) ^ "
         "__float_as_uint(f2);");
    line("out[gid * 4 + 3] = bits(d0) ^ (bits(d1) * 3) ^ bits(d2) ^ (unsigned)a[t & 7] ^ q0;");
    printf("}\n");
}

static const char prologue[] =
    "#include <cstdio>\n"
    "#include <cmath>\n"
    "struct Pair { int a; float b[4]; };\n"
    "__device__ inline unsigned mix(unsigned x, unsigned y) { return (x ^ y * 2654435761u) + (y >> "
    "3); }\n"
    "__device__ __noinline__ unsigned call(unsigned x, int y) { return (x & 1 ? x * 3 : x / 3) + y "
    "+ threadIdx.x; }\n"
    "__device__ inline float foldf(float x) { return fabsf(x) < 1e6f ? x : 1.25f; }\n"
    "__device__ inline double fold(double x) { return fabs(x) < 1e6 ? x : 1.25; }\n"
    "__device__ inline int clip(double x) { return fabs(x) < 1e6 ? (int)x : 7; }\n"
    "__device__ inline unsigned bits(double x) { long long b = __double_as_longlong(x); return "
    "(unsigned)(b ^ (b >> 32)); }\n";

static void program(unsigned count)
{
    printf("static unsigned table[256], out[3 * 1024 * 4], tally[16];\n"
           "static void show(const char *name, unsigned shape)\n{\n"
           "    cudaError_t error = cudaDeviceSynchronize();\n"
           "    unsigned hash = 2166136261u;\n"
           "    for (unsigned x : out) hash = (hash ^ x) * 16777619u;\n"
           "    for (unsigned x : tally) hash = (hash ^ x) * 16777619u;\n"
           "    printf(\"%%s %%u %%08x %%d\\n\", name, shape, hash, (int)error);\n"
           "    for (unsigned &x : out) x = 0;\n"
           "    for (unsigned &x : tally) x = 0;\n}\n"
           "int main()\n{\n"
           "    const dim3 shapes[] = {1, 7, 32, 33, 64, 100, 128, 256, dim3(16, 4), dim3(8, 8), "
           "dim3(32, 3), dim3(5, 7), dim3(16, 2, 3)};\n"
           "    for (unsigned i = 0; i < 256; ++i) table[i] = i * 2654435761u >> 5;\n"
           "    Pair pair = {3, {1, 2, 3, 4}};\n"
           "    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; ++i) {\n");
    for (unsigned i = 0; i < count; i++) {
        printf("        k%u<<<3, shapes[i], 4096>>>(%u, %u, i, pair, table, out, tally); "
               "show(\"k%u\", i);\n",
               i, below(8), below(50), i);
    }
    printf("    }\n}\n");
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: generate SEED COUNT\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    fputs(prologue, stdout);
    for (unsigned i = 0; i < count; i++) {
        kernel(i);
    }
    program(count);
    return 0;
}
