/* Forms that C++ leaves undefined or the optimizer often removes, and that CUDA or this compiler
 * defines. Each can be excluded from the programs by its name.
 *
 * A form's result is used like any other, so entries and optimization levels are compared. If the
 * expected result can be computed in another way, differ() compares the two: the value that the
 * compiler folds with the value computed from memory, which is right or wrong in all entries. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

bool has_form[FORMS];

static const char *const form_names[FORMS] = {"constants", "shifts",  "divisions",
                                              "halves",    "polling", "wide"};

bool leave_form_out(const char *name)
{
    for (enum form form = 0; form < FORMS; form++) {
        if (strcmp(form_names[form], name) == 0) {
            has_form[form] = false;
            return true;
        }
    }
    return false;
}

/* ---- constants that no integer of the type equals ---- */

/* The same in memory: far_floats and far_doubles. */
static const char *const far_floats[] = {
    "1e10f",         "-1e10f",        "3e9f",           "-3e9f",     "-1.5f",   "300.5f",
    "2147483648.0f", "4294967296.0f", "-2147483904.0f", "1.9e19f",   "65536.f", "-32769.f",
    "1e30f",         "-0.5f",         "INFINITY",       "-INFINITY", "NAN"};
static const char *const far_doubles[] = {"1e10",
                                          "-1e20",
                                          "4294967295.5",
                                          "-2147483649.0",
                                          "2147483647.5",
                                          "-1.0",
                                          "-129.0",
                                          "9223372036854775808.0",
                                          "-9.3e18",
                                          "1.9e19",
                                          "1e300",
                                          "256.75",
                                          "(double)INFINITY",
                                          "(double)NAN",
                                          "-(double)INFINITY",
                                          "4294967296e10",
                                          "-9223372036e9",
                                          "70000.0"};
enum {
    FLOATS = sizeof far_floats / sizeof *far_floats,
    DOUBLES = sizeof far_doubles / sizeof *far_doubles
};

/* A constant, and the variable in memory with the same value. */
struct far {
    const char *constant, *memory;
};

static struct far any_far(void)
{
    if (chance(50)) {
        unsigned k = below(FLOATS);
        return (struct far){far_floats[k], text("far_f[%u]", k)};
    }
    unsigned k = below(DOUBLES);
    return (struct far){far_doubles[k], text("far_d[%u]", k)};
}

static char *converted(const char *name, const char *from)
{
    switch (below(5)) {
    case 0:
        return text("as<%s>(%s)", name, from);
    case 1:
        return text("[](auto x) { return (%s)x; }(%s)", name, from);
    case 2:
        return text("%s(Holder{%s}.number)", "(int)", from);
    default:
        return text("(%s)(%s)", name, from);
    }
}

static void far_constant(enum type type)
{
    const char *name = type_names[type];
    struct far far = any_far();
    unsigned k = fresh_number();
    switch (below(5)) {
    case 0:
        line("%s v%u = %s;", name, k, far.constant);
        line("differ(v%u, as<%s>(%s));", k, name, far.memory);
        break;
    case 1:
        line("const %s v%u = b0 ? %s : 2.5f;", name, k, far.constant);
        line("differ(v%u, as<%s>(b0 ? %s : 2.5f));", k, name, far.memory);
        break;
    case 2:
        line("%s v%u = (%s)table[%u], other%u = v%u;", name, k, name, below(TABLE), k, k);
        line("v%u %c= %s; other%u %c= %s;", k, "+-"[k & 1], far.constant, k, "+-"[k & 1],
             far.memory);
        line("differ(v%u, other%u);", k, k);
        break;
    case 3: {
        unsigned which = below(FLOATS);
        line("%s v%u = far_%c[%u];", name, k, "iul"[k % 3], which);
        line("differ(v%u, (%s)as<%s>(far_f[%u]));", k, name,
             (const char *const[]){"int", "unsigned", "long long"}[k % 3], which);
        break;
    }
    default:
        line("%s v%u = %s;", name, k, converted(name, far.constant));
        break;
    }
    line("u%u ^= (unsigned)v%u;", below(2), k);
}

/* ---- shifts by the width and more ---- */

/* The amount counts as unsigned: a negative amount is large, and all bits are shifted out. */
static void far_shift(enum type type)
{
    bool is_wide = type == LONG || type == ULONG;
    const char *name = is_wide ? type_names[type] : type == UNSIGNED ? "unsigned" : "int";
    unsigned width = is_wide ? 64 : 32, k = fresh_number();
    line("%s v%u = (%s)(%s);", name, k, name, expression(UNSIGNED, 1));
    if (is_wide) {
        line("v%u = (%s)((unsigned long long)v%u * 0x100000001ull);", k, name, k);
    }
    bool is_constant = chance(30);
    const char *by = is_constant ? text("%u", width + below(40))
                                 : text("((int)(%s & %u) - %u)", expression(UNSIGNED, 1),
                                        2 * width - 1, chance(30) ? below(9) : 0);
    if (chance(50)) {
        line("%s other%u = v%u << %s;", name, k, k, by);
        line("differ(other%u, (%s)(%s >= %uu ? 0 : (unsigned long long)v%u << (%s & %u)));", k,
             name, text("(unsigned)%s", by), width, k, by, width - 1);
    } else {
        line("%s other%u = v%u >> %s;", name, k, k, by);
        line("differ(other%u, (%s)(%s >= %uu ? (v%u < 0 ? -1 : 0) : v%u >> (%s & %u)));", k, name,
             text("(unsigned)%s", by), width, k, k, by, width - 1);
    }
    line("u%u += (unsigned)other%u;", below(2), k);
}

/* ---- divisions without a quotient ---- */

static void far_division(enum type type)
{
    bool is_wide = type == LONG || type == ULONG, is_signed = type != UNSIGNED && type != ULONG;
    const char *name = is_wide ? type_names[type] : is_signed ? "int" : "unsigned";
    const char *least = is_wide ? "(-9223372036854775807ll - 1)" : "(-2147483647 - 1)";
    unsigned k = fresh_number();
    if (is_signed && chance(50)) { /* the least number by -1 is itself, and the remainder is 0 */
        line("%s v%u = (%s & 1) ? %s : -7, other%u = (%s & 3) ? -1 : 3;", name, k,
             expression(UNSIGNED, 1), least, k, expression(UNSIGNED, 1));
        line("differ(v%u / other%u, (%s)(other%u == -1 ? 0 - (%s)v%u : v%u == -7 ? -2 : v%u / 3));",
             k, k, name, k, is_wide ? "unsigned long long" : "unsigned", k, k, k);
        line("if (other%u == -1) differ(v%u %% other%u, (%s)0);", k, k, k, name);
        line("u%u ^= (unsigned)(v%u / other%u) + (unsigned)(v%u %% other%u);", below(2), k, k, k,
             k);
        return;
    }
    line("%s v%u = (%s)(%s), other%u = (%s)(%s & 1);", name, k, name, expression(UNSIGNED, 1), k,
         name, expression(UNSIGNED, 1));
    if (!is_wide) {
        line("if (other%u == 0) differ(v%u / other%u, (%s)-1), differ(v%u %% other%u, (%s)-1);", k,
             k, k, name, k, k, name);
    }
    line("u%u ^= (unsigned)(v%u / other%u) + (unsigned)(v%u %% other%u);", below(2), k, k, k, k);
}

void undefined_in_cpp(void)
{
    enum form form = below(3);
    enum type type = any_type();
    if (!has_form[form]) {
        return;
    }
    if (is_real(type)) {
        type = chance(50) ? INT : UNSIGNED;
    }
    line("{");
    indent++;
    if (form == CONSTANTS) {
        far_constant(type);
    } else if (form == SHIFTS) {
        far_shift(type);
    } else {
        far_division(type);
    }
    indent--;
    line("}");
}

/* For any number: it may be too large for the type, or a NaN. */
char *converted_anyhow(enum type type, int depth)
{
    enum type from = chance(50) ? FLOAT : DOUBLE;
    return text("as<%s>(%s * %s)", type_names[type], expression(from, depth),
                ONE_OF("1e5f", "1e9f", "1e15", "-1e18", "NAN"));
}

/* ---- half precision ---- */

static char *half_of(int depth)
{
    if (depth <= 0) {
        return text("__float2half((float)(%s))", expression(FLOAT, 0));
    }
    char *a = half_of(depth - 1);
    switch (below(10)) {
    case 0:
        return text("__double2half(%s)", expression(DOUBLE, 1));
    case 1:
        return text("__float2half((float)(%s))", expression(DOUBLE, 1));
    case 2:
        return text("__int2half_rn((int)(%s & 0xffffu))", expression(UNSIGNED, 1));
    case 3:
        return text("__ushort_as_half((unsigned short)(%s))", expression(UNSIGNED, 1));
    case 4:
        return text("__hneg(%s)", a);
    case 5:
        return text("__hfma(%s, %s, %s)", a, half_of(depth - 1), half_of(0));
    case 6:
        return text("hsqrt(__habs(%s))", a);
    case 7:
        return text("__hmul(%s, %s)", a, half_of(depth - 1));
    case 8:
        return text("__hsub(%s, %s)", a, half_of(depth - 1));
    default:
        return text("__hadd(%s, %s)", a, half_of(depth - 1));
    }
}

/* Infinite values and NaNs are replaced, as in real(). */
char *half_as_real(enum type type, int depth)
{
    return text("(%s)foldf(__half2float(%s))", type_names[type], half_of(depth > 2 ? 2 : depth));
}

/* ---- numbers of 128 bits ---- */

static char *wide_of(int depth)
{
    if (depth <= 0 || chance(20)) {
        return text("(%s)%s", ONE_OF("unsigned __int128", "__int128"),
                    expression(chance(50) ? ULONG : LONG, 0));
    }
    char *a = wide_of(depth - 1), *b = wide_of(depth - 1);
    switch (below(10)) {
    case 0:
        return text("(%s + (unsigned __int128)%s)", a, b);
    case 1:
        return text("(%s - (unsigned __int128)%s)", a, b);
    case 2:
    case 3:
        return text("(%s * (unsigned __int128)%s)", a, b);
    case 4:
        return text("((__int128)%s >> (int)(%s & 127))", a, b);
    case 5:
        return text("((unsigned __int128)%s << (int)(%s & 127))", a, b);
    case 6:
        return text("((unsigned __int128)%s >> %u)", a, below(128));
    case 7:
        return text("(%s %c %s)", a, "&|^"[below(3)], b);
    case 8:
        return text("((unsigned __int128)%s %c ((unsigned __int128)%s | 1))", a, "/%"[below(2)], b);
    default:
        return text("(%s < %s ? %s : %s)", a, b, a, b);
    }
}

char *wide_as_whole(enum type type, int depth)
{
    const char *name = type_names[type];
    char *a = expression(ULONG, depth > 1 ? 1 : depth), *b = expression(ULONG, 0);
    switch (below(6)) {
    case 0:
        return text("(%s)__umul64hi(%s, %s)", name, a, b);
    case 1:
        return text("(%s)__mul64hi(%s, %s)", name, a, b);
    case 2:
        return text("(%s)checked<%s>(%s, %s)", name,
                    ONE_OF("int", "unsigned", "long long", "unsigned long long", "short"), a, b);
    case 3:
        return text("(%s)turned(make_int2((int)%s, (int)%s)).%c", name, a, b, "xy"[below(2)]);
    default:
        return text("(%s)(unsigned long long)((unsigned __int128)%s >> %u)", name,
                    wide_of(depth > 2 ? 2 : depth), below(2) * 64);
    }
}

/* ---- polling ---- */

/* One thread sets a flag, and others wait for it, in the same block or the next one. This comes
 * before any thread may have ended, because the loop would not end then. The result is in
 * "polled". */
void poll(void)
{
    if (!has_form[POLLING] || !chance(12)) {
        line("unsigned polled = 0;");
        return;
    }
    static const char *const loads[] = {
        "__ldcg(%s)",        "__ldca(%s)",
        "__ldcs(%s)",        "__ldlu(%s)",
        "__ldcv(%s)",        "*(volatile unsigned *)%s",
        "atomicAdd(%s, 0u)", "__nv_atomic_load_n(%s, __ATOMIC_RELAXED)",
        "relaxed(%s)"};
    bool is_next = chance(50);
    const char *load =
        text(loads[below(sizeof loads / sizeof *loads)],
             is_next ? "&flags[(blockIdx.x + 1) % gridDim.x]" : "&flags[blockIdx.x]");
    line("unsigned polled;");
    line("if (t == %s) {", ONE_OF("0", "nt - 1", "nt / 2"));
    line("    cells[blockIdx.x] = blockIdx.x * 5 + p0;");
    line("    __threadfence();");
    line("    %s;",
         ONE_OF("flags[blockIdx.x] = 1", "atomicExch(&flags[blockIdx.x], 3u)",
                "*(volatile unsigned *)&flags[blockIdx.x] = 2", "__stcg(&flags[blockIdx.x], 1u)"));
    line("}");
    if (chance(50)) {
        line("while (%s == 0) {}", load);
    } else {
        line("do polled = %s; while (polled == 0);", load);
    }
    line("__threadfence();");
    line("polled = ((volatile unsigned *)cells)[%s];",
         is_next ? "(blockIdx.x + 1) % gridDim.x" : "blockIdx.x");
}

/* ---- the program's declarations for these forms ---- */

static void list(const char *declaration, const char *const *numbers, unsigned count,
                 const char *cast, const char *last)
{
    printf("%s[] = {", declaration);
    for (unsigned i = 0; i < count; i++) {
        printf("%s%s(%s)", i > 0 ? ", " : "", cast, numbers[i]);
    }
    printf("%s};\n", last);
}

void forms_prologue(void)
{
    printf("#include <cuda_fp16.h>\n");
    list("__device__ float far_f", far_floats, FLOATS, "", "");
    list("__device__ double far_d", far_doubles, DOUBLES, "", "");
    if (has_form[CONSTANTS]) { /* constant initializers */
        list("__device__ int far_i", far_floats, FLOATS, "(int)", "");
        list("__device__ unsigned far_u", far_floats, FLOATS, "(unsigned)", "");
        /* NAN is the last one. Clang's constant of it is 0, but a GPU's conversion gives this. */
        list("__device__ long long far_l", far_floats, FLOATS - 1, "(long long)",
             ", -9223372036854775807LL - 1");
    }
    printf(
        "__device__ unsigned differences, flags[64], cells[64];\n"
        "template <class T> __device__ void differ(T a, T b) { if (a != b) "
        "atomicAdd(&differences, 1u); }\n"
        "template <class T, class F> __device__ inline T as(F x) { return (T)x; }\n"
        "struct Holder { double number; };\n"
        "template <int N> struct Shorts { ushort h[N]; };\n"
        "template <int N> __device__ __noinline__ Shorts<N> folded(const Shorts<N> &a, int by) "
        "{ Shorts<N> r; for (int k = 0; k < N; ++k) r.h[k] = (ushort)(a.h[(k + 1) %% N] * 5 + by + "
        "k); return r; }\n"
        "template <class T> __device__ T checked(T a, T b) { T r[3]; unsigned bits = "
        "__builtin_add_overflow(a, b, &r[0]) | 2 * __builtin_sub_overflow(a, b, &r[1]) | "
        "4 * __builtin_mul_overflow(a, b, &r[2]); return r[bits %% 3] ^ (T)bits; }\n"
        "__device__ __noinline__ int2 turned(int2 a) { return make_int2(a.y ^ 5, (a.x >> 1) - "
        "(a.y >> 1)); }\n"
        "__device__ inline unsigned relaxed(const unsigned *p) { unsigned x; asm "
        "volatile(\"ld.relaxed.gpu.u32 %%0, [%%1];\" : \"=r\"(x) : \"l\"(p) : \"memory\"); "
        "return x; }\n");
}
