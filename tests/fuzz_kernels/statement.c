/* Statements. Threads share memory only with a barrier in between, or by operations of one kind
 * that commute, or each accesses its own part. So the order of threads has no effect. */
#include "fuzz.h"

#include <stddef.h>
#include <stdio.h>

/* The context of a statement. */
struct place {
    unsigned depth;
    bool is_uniform;       /* all live threads execute it: barriers are allowed */
    bool in_loop;          /* break and continue may be */
    bool has_barrier_loop; /* inside a loop with barriers: only uniform breaks are allowed */
    unsigned label;        /* after the outermost loop that some threads may leave; 0 = none */
};

static const struct profile *profile;
static const bool *without;
static unsigned serial, number;

static void statements(struct place place, unsigned count);

unsigned fresh_number(void)
{
    return serial++;
}

static char *varying(unsigned depth)
{
    return expression(UNSIGNED, (int)depth);
}

static void assign(void)
{
    enum type type = any_type();
    unsigned which = below(2);
    if (chance(15)) {
        line("b%u = %s;", which, condition(2));
    } else {
        line("%c%u = %s;", type_letters[type], which, expression(type, 3));
    }
}

static void inner(struct place place, unsigned count)
{
    if (!place.is_uniform && place.has_barrier_loop) {
        place.in_loop = false; /* only some threads would leave the loop */
    }
    indent++;
    place.depth++;
    statements(place, count);
    indent--;
}

/* ---- control ---- */

static void branch(struct place place)
{
    bool is_uniform = chance(35);
    line("if (%s) {",
         is_uniform ? text("(%s & %u) == %u", uniform(2), 1 + below(3), below(2)) : condition(2));
    place.is_uniform &= is_uniform;
    inner(place, 1 + below(2));
    if (chance(50)) {
        line("} else {");
        inner(place, 1 + below(2));
    }
    line("}");
}

static void choice(struct place place)
{
    bool is_uniform = chance(35);
    unsigned cases = 2 + below(4);
    place.is_uniform &= is_uniform;
    place.in_loop = false;
    line("switch (%s & 7) {", is_uniform ? uniform(2) : varying(2));
    for (unsigned i = 0; i < cases; i++) {
        line("case %u:", i == 3 ? 6 : i);
        inner(place, 1 + below(2));
        if (chance(80)) {
            line("    break;");
        }
    }
    if (chance(50)) {
        line("default:");
        inner(place, 1);
    }
    line("}");
}

/* The loop's head; its end is a brace or a condition. */
static const char *loop_head(unsigned k, const char *limit)
{
    switch (below(8)) {
    case 0:
        line("for (unsigned k%u = %s; k%u-- > 0;) {", k, limit, k);
        return "}";
    case 1:
        line("for (unsigned k%u = %s;; k%u >>= 1) {", k, limit, k);
        line("    if (k%u == 0) break;", k);
        return "}";
    case 2:
        line("unsigned k%u = 0, e%u = %s;", k, k, limit);
        line("do {");
        return text("} while (++k%u < e%u);", k, k);
    case 3:
        line("unsigned k%u = 0, e%u = %s;", k, k, limit);
        line("while (true) {");
        line("    if (k%u++ >= e%u) break;", k, k);
        return "}";
    case 4:
        line("for (int k%u = 0, e%u = (int)(%s); k%u < e%u; k%u += %u) {", k, k, limit, k, k, k,
             1 + below(3));
        return "}";
    default:
        line("for (unsigned k%u = 0, e%u = %s; k%u < e%u; ++k%u) {", k, k, limit, k, k, k);
        return "}";
    }
}

static void loop(struct place place)
{
    unsigned k = serial++;
    bool is_uniform = chance(50);
    place.in_loop = true;
    place.is_uniform &= is_uniform;
    place.has_barrier_loop = place.is_uniform;
    unsigned label = place.is_uniform ? 0 : k + 1;
    place.label = place.label == 0 || place.is_uniform ? label : place.label;
    const char *end =
        loop_head(k, is_uniform ? text("(%s & 3) + 1", uniform(1)) : text("(%s & 7)", varying(2)));
    line("    u%u += k%u * %u;", below(2), k, 1 + below(9));
    inner(place, 1 + below(3));
    line("%s", end);
    if (label != 0 && label == place.label) {
        line("leave%u:;", label);
    }
}

/* Each thread walks along a row of its own. */
static void walk_along_row(void)
{
    unsigned k = serial++, u = below(2);
    const char *type = ONE_OF("int", "unsigned", "size_t", "long long", "short", "uchar");
    const char *pitch =
        chance(50) ? text("%u", 1 + below(60)) : text("((%s & 31) + 5)", uniform(1));
    const char *end = chance(80) ? text("(%s)(%s & 63)", type, uniform(1))
                                 : text("(%s)(%s & 15)", type, varying(1));
    const char *at = text("big[(%s)(t & 63) * (%s)%s + k%u]", type, type, pitch, k);
    switch (below(5)) {
    case 3: { /* of 8 or 16 bits */
        const char *small = ONE_OF("uchar", "signed char", "short", "unsigned short");
        line("const %s *w%u = (const %s *)big;", small, k, small);
        line("for (%s k%u = 0, e%u = %s; k%u < e%u; ++k%u) u%u = u%u * 3 + w%u[(t & 31) * %s + "
             "k%u];",
             type, k, k, end, k, k, k, u, u, k, pitch, k);
        break;
    }
    case 0: /* the sum is in memory */
        line("for (%s k%u = 0, e%u = %s; k%u < e%u; ++k%u) own[gid * 4 + 1] += %s ^ big[k%u];",
             type, k, k, end, k, k, k, at, k);
        break;
    case 1: /* two rows, and the counter counts down */
        line(
            "for (%s k%u = 0, e%u = %s; e%u > 0; --e%u, ++k%u) u%u = u%u * 3 + %s + big[(t & 31) * "
            "50 + k%u];",
            type, k, k, end, k, k, k, u, u, at, k);
        break;
    case 2: { /* of 64 bits */
        line("const unsigned long long *w%u = (const unsigned long long *)big;", k);
        line("for (%s k%u = 0, e%u = %s; k%u != e%u; ++k%u) u%u ^= (unsigned)(w%u[(t & 31) * 40 + "
             "k%u] >> %u);",
             type, k, k, end, k, k, k, u, k, k, below(40));
        break;
    }
    default:
        line("for (%s k%u = 0, e%u = %s; k%u < e%u; ++k%u) u%u = u%u * 3 + %s;", type, k, k, end, k,
             k, k, u, u, at);
    }
}

/* A word of neighbouring bytes, in one of the orders. */
static void read_bytes(void)
{
    unsigned k = serial++, u = below(2);
    const char *type = ONE_OF("uchar", "uchar", "signed char");
    line("const %s *b%u = (const %s *)big + %u + %s * %u;", type, k, type, below(100),
         chance(70) ? "t" : index_of(1), 1 + below(9));
    switch (below(4)) {
    case 0:
        line("u%u ^= b%u[0] | b%u[1] << 8 | b%u[2] << 16 | (unsigned)b%u[3] << 24;", u, k, k, k, k);
        break;
    case 1:
        line("u%u += ((unsigned)b%u[0] << 24) + (b%u[1] << 16) + (b%u[2] << 8) + b%u[3];", u, k, k,
             k, k);
        break;
    case 2:
        line("unsigned long long w%u = 0;", k);
        line("for (%s n = 0; n < %u; ++n) w%u = w%u << 8 | b%u[n];", ONE_OF("int", "unsigned"),
             2 + below(7), k, k, k);
        line("u%u ^= (unsigned)(w%u >> %u);", u, k, below(33));
        break;
    default:
        line("u%u ^= (b%u[%u] << 8 | b%u[%u]) + (b%u[2] << 16);", u, k, below(4), k, below(4), k);
    }
}

/* Rows of different lengths, searches and chains: threads leave the loop at different times. A few
 * rows are much longer than the others. */
static void walk_along_ragged_row(void)
{
    unsigned k = serial++, u = below(2);
    line("unsigned l%u = table[(t * %u + %u) & 255];", k, 1 + below(9), below(99));
    line("l%u = l%u %% %u == 0 ? l%u %% 150 : l%u & %u;", k, k, 5 + below(30), k, k, 3 + below(9));
    switch (below(5)) {
    case 0: /* a row of a sparse matrix */
        line("for (%s k%u = t * %u, e%u = k%u + l%u; k%u < e%u; ++k%u) u%u += big[k%u & %d] ^ "
             "big[(table[k%u & 255] * %u + k%u) & %d];",
             ONE_OF("int", "unsigned", "size_t"), k, below(20), k, k, k, k, k, k, u, k, BIG - 1, k,
             1 + below(9), k, BIG - 1);
        break;
    case 1: /* with conditions, and with two results */
        line("for (unsigned k%u = 0; k%u < l%u; ++k%u) { unsigned v%u = big[(t * 3 + k%u * %u) & "
             "%d]; if (v%u %% %u == 0) break; if (v%u & 4) u%u += v%u; else u%u ^= k%u; }",
             k, k, k, k, k, k, 1 + below(99), BIG - 1, k, 20 + below(90), k, u, k, 1 - u, k);
        break;
    case 2: /* a chain */
        line(
            "for (unsigned p%u = l%u; l%u != 0; --l%u) { p%u = big[(p%u + %u) & %d]; u%u += p%u; }",
            k, k, k, k, k, k, below(99), BIG - 1, u, k);
        break;
    case 3: /* stores to what belongs to the thread */
        line("for (unsigned k%u = 0; k%u < l%u; ++k%u) { unsigned v%u = big[(table[k%u & 255] + t) "
             "& %d]; lattice[gid] += v%u; if (v%u & 1) lattice[gid] ^= k%u; }",
             k, k, k, k, k, k, BIG - 1, k, k, k);
        break;
    default: /* floating point, from the middle of an outer loop */
        line(
            "for (unsigned j%u = 0; j%u < %u; ++j%u) { float f%u = 0; for (unsigned k%u = j%u; k%u "
            "< l%u; ++k%u) { f%u = f%u * 0.5f + (float)(big[(t + k%u * 17) & %d] & 1023); if "
            "(f%u > 1900.f) break; } u%u += (unsigned)f%u; }",
            k, k, 1 + below(3), k, k, k, k, k, k, k, k, k, k, BIG - 1, k, u, k);
    }
}

/* A loop over memory, as in most kernels. */
static void walk(void)
{
    unsigned k = serial++;
    switch (below(15)) {
    case 11:
    case 12:
    case 13:
    case 14:
        walk_along_ragged_row();
        break;
    case 8:
    case 9:
        walk_along_row();
        break;
    case 10:
        read_bytes();
        break;
    case 7: { /* a contiguous or a uniform access that is the same in all iterations */
        const char *by = text("(int)((%s & 255) + 16)", uniform(1));
        line("for (%s k%u = 0, e%u = %s & 15; k%u < e%u; ++k%u) { if (k%u == %u) continue; u%u += "
             "big[(int)gid / %s * (int)e%u + (int)k%u] ^ big[k%u * %u + gid %% %s]; }",
             ONE_OF("int", "unsigned"), k, k, chance(80) ? uniform(1) : varying(1), k, k, k, k,
             below(40), below(2), by, k, k, k, 16 + below(60), by);
        break;
    }
    case 5:               /* each number belongs to one thread */
        if (chance(40)) { /* fields of structures; lattice has a number for each counter */
            line("for (%s k%u = gid; k%u < (%s & 511u); k%u += nt * gridDim.x) lattice[k%u] ^= "
                 "u%u + big[%u * k%u + %u] * 3 + big[%u * (k%u + 1)];",
                 ONE_OF("unsigned", "unsigned", "int"), k, k, uniform(1), k, k, below(2),
                 2 + below(2), k, below(4), 2 + below(2), k);
            break;
        }
        line(
            "for (%s k%u = gid; k%u < %u; k%u += %snt * gridDim.x) lattice[k%u] += u%u + big[k%u & "
            "%d];",
            ONE_OF("int", "unsigned", "size_t", "long long"), k, k, 1000 + below(7000), k,
            ONE_OF("", "(int)"), k, below(2), k, BIG - 1);
        break;
    case 6:
        line("for (long long k%u = %d - (long long)gid; k%u > 0; k%u -= nt * gridDim.x) lattice[%d "
             "- k%u] = "
             "(unsigned)k%u ^ u%u;",
             k, 8000, k, k, 8000, k, k, below(2));
        break;
    case 0:
        line("for (unsigned k%u = t; k%u < %uu; k%u += nt) u%u += table[k%u];", k, k,
             32 + below(200), k, below(2), k);
        break;
    case 1:
        line("for (const unsigned *k%u = big + t, *e%u = big + %u; k%u < e%u; k%u += %u) u%u ^= "
             "*k%u;",
             k, k, 100 + below(400), k, k, k, 16 + below(100), below(2), k);
        break;
    case 2:
        line("for (int k%u = 0; k%u < (int)(%s & 15); ++k%u) u%u += big[(int)t * 16 %% 2048 + "
             "k%u];",
             k, k, chance(50) ? uniform(1) : varying(1), k, below(2), k);
        break;
    case 3:
        line("for (int k%u = %u; k%u >= 0; --k%u) { if (table[(t + k%u) & 255] %% 7 == %u) break; "
             "u%u = u%u * 3 + k%u; }",
             k, below(12), k, k, k, below(7), below(2), below(2), k);
        break;
    default:
        line("for (unsigned k%u = 0, e%u = big[t] & 7; k%u < e%u; ++k%u) a[(k%u + %s) & 7] += "
             "(int)(big[t + k%u] & 1023);",
             k, k, k, k, k, k, uniform(1), k);
    }
}

static void jump(struct place place)
{
    if (place.label != 0 && chance(25)) {
        line("if (%s) goto leave%u;", condition(2), place.label);
        return;
    }
    bool is_uniform = place.has_barrier_loop || chance(20);
    line("if (%s) %s;", is_uniform ? text("(%s & 7) == 3", uniform(2)) : condition(2),
         chance(70) ? "break" : "continue");
}

static void early_return(void)
{
    line("if (%s) {", chance(20) ? text("(%s & 7) == 2", uniform(2)) : condition(2));
    line("    out[gid * 4 + 1] = u0 + %u; return;", below(1000));
    line("}");
}

/* ---- between threads ---- */

static void exchange_by_atomics(void)
{
    const char *ways[][2] = {
        {"atomicAdd", "h"}, {"atomicMax", "hmax"}, {"atomicXor", "hxor"}, {"atomicMin", "hmin"}};
    unsigned way = below(4);
    const char *operation = ways[way][0], *array = ways[way][1];
    line("%s(&%s[%s & 15], %s);", operation, array, varying(2), varying(2));
    line("__syncthreads();");
    if (chance(30)) {
        line("q%u = %s[%s & 15];", below(3), array, uniform(1));
    } else {
        line("u%u ^= %s[%s & 15];", below(2), array, varying(1));
    }
    line("__syncthreads();");
}

static void read_of_others(const char *array)
{
    unsigned to = below(2), apart = below(40);
    switch (below(10)) {
    case 8: /* at borders */
        line("u%u ^= %s[t == 0 ? t : t - 1] + %s[t + 1 == nt ? t : t + 1];", to, array, array);
        break;
    case 9:
        line("u%u += %s[b%u && t > 0 ? t - 1 : t];", to, array, below(2));
        break;
    case 0:
        line("u%u = %s[(t + %u) %% nt];", to, array, below(70));
        break;
    case 1:
        line("u%u = %s[nt - 1 - t];", to, array);
        break;
    case 2:
        line("if (t >= %uu) u%u += %s[t - %uu];", apart, to, array, apart);
        break;
    case 3:
        line("if (t + %u < nt) u%u ^= %s[t + %u];", apart, to, array, apart);
        break;
    case 4:
        line("q%u = %s[%s %% nt];", below(3), array, uniform(1));
        break;
    case 5:
        line("u%u += %s[t / 4] + %s[t & ~3u];", to, array, array);
        break;
    case 6:
        line("for (unsigned k = nt / 2; k > t; k /= 2) u%u += %s[k];", to, array);
        break;
    default:
        line("u%u ^= %s[%s %% nt];", to, array, varying(2));
    }
}

/* The same memory is used for values of many types. */
static void exchange_of_type(void)
{
    static const enum type types[] = {FLOAT, DOUBLE, BYTE, SHORT, LONG, INT};
    enum type type = types[below(6)], to = any_type();
    const char *name = type_names[type];
    line("((%s *)dyn)[t] = %s;", name, expression(type, 2));
    line("__syncthreads();");
    line("{");
    line("    %s v = ((%s *)dyn)[%s];", name, name,
         ONE_OF("nt - 1 - t", "(t + 1) % nt", "t / 2", "0"));
    line("    %c%u %s (%s)%s;", type_letters[to], below(2),
         is_real(to) ? "=" : "+=", type_names[to],
         is_real(type) && !is_real(to) ? "clip(v)"
         : type == FLOAT               ? "foldf(v)"
         : type == DOUBLE              ? "fold(v)"
                                       : "v");
    line("}");
    line("__syncthreads();");
}

static void exchange_in_tile(void)
{
    line("tile[t / 32][t %% 32] = %s;", varying(2));
    line("__syncthreads();");
    switch (below(3)) {
    case 0:
        line("u%u ^= tile[t %% 16][t / 32];", below(2));
        break;
    case 1:
        line("for (unsigned k = 0; k <= t / 32; ++k) u%u += tile[k][t %% 32];", below(2));
        break;
    default:
        line("u%u = tile[%s %% (nt / 32 + 1)][0];", below(2), uniform(1));
    }
    line("__syncthreads();");
}

/* Stores by few threads: one of each row, or one row of them. */
static void exchange_at_borders(void)
{
    line("if (threadIdx.x == %u && threadIdx.y < 33 && threadIdx.z == 0) tile[threadIdx.y][32] = "
         "%s;",
         below(3) * 7, varying(2));
    if (chance(50)) {
        line("__syncthreads();");
        line("u%u += tile[t %% 33][32];", below(2));
        line("__syncthreads();");
    }
    line("if (threadIdx.y == %u && threadIdx.x < 33 && threadIdx.z == 0) tile[32][threadIdx.x] = "
         "%s;",
         below(3), varying(2));
    line("__syncthreads();");
    line("u%u ^= tile[32][t %% 33] + tile[t / 33 %% 33][%u];", below(2), 30 + below(3));
    line("__syncthreads();");
}

/* Threads exchange values by bits of their numbers. */
static void exchange_by_bits(void)
{
    static const enum type types[] = {FLOAT, DOUBLE, BYTE, SHORT, LONG, INT, UNSIGNED};
    const char *name = type_names[types[below(7)]];
    unsigned k = serial++, to = below(2);
    line("%s *by%u = (%s *)dyn;", name, k, name);
    line("unsigned bits%u = %s, there%u = t ^ bits%u;", k,
         chance(50) ? text("%u", below(64)) : text("%s & 127", uniform(1)), k, k);
    line("by%u[t] = (%s)((%s) & 1023);", k, name, varying(1));
    line("__syncthreads();");
    if (chance(50)) {
        line("if (there%u < nt && there%u > t) {", k, k);
        line("    %s a = by%u[t], b = by%u[there%u];", name, k, k, k);
        line("    if (a %s b) { by%u[t] = b; by%u[there%u] = a; }", ONE_OF(">", "<", "!="), k, k,
             k);
        line("}");
    } else {
        line("%s v%u = there%u < nt ? by%u[there%u] : 0;", name, k, k, k, k);
        line("__syncthreads();");
        line("if (there%u < nt%s) by%u[there%u] = v%u + 1;", k,
             chance(50) ? text(" && (%s)", condition(1)) : "", k, k, k);
    }
    line("__syncthreads();");
    line("u%u ^= (unsigned)by%u[t] + big[(t ^ (%s & 127)) + %u];", to, k, uniform(1), below(2000));
    line("__syncthreads();");
}

static void sort(void)
{
    unsigned k = serial++;
    line("s[t] = %s;", varying(1));
    line("__syncthreads();");
    line("for (unsigned k%u = 2; k%u <= nt; k%u <<= 1) {", k, k, k);
    line("    for (unsigned j%u = k%u >> 1; j%u > 0; j%u >>= 1) {", k, k, k, k);
    line("        unsigned x%u = t ^ j%u;", k, k);
    line("        if (x%u > t && x%u < nt) {", k, k);
    line("            if ((t & k%u) == 0 ? s[t] > s[x%u] : s[t] < s[x%u]) {", k, k, k);
    line("                unsigned v%u = s[t]; s[t] = s[x%u]; s[x%u] = v%u;", k, k, k, k);
    line("            }");
    line("        }");
    line("        __syncthreads();");
    line("    }");
    line("}");
    line("u%u += s[t] ^ s[nt - 1 - t];", below(2));
    line("__syncthreads();");
}

static void exchange(void)
{
    unsigned what = below(16);
    if (what >= 10) {
        what < 12 ? exchange_at_borders() : what < 15 ? exchange_by_bits() : sort();
        return;
    }
    if (what < 5) {
        what < 2 ? exchange_by_atomics() : what < 4 ? exchange_of_type() : exchange_in_tile();
        return;
    }
    const char *array = chance(30) ? "dyn" : "s";
    line("%s[t] = %s;", array, varying(2));
    if (chance(30)) {
        assign();
    }
    line("__syncthreads();");
    read_of_others(array);
    if (chance(30)) {
        assign();
    }
    line("__syncthreads();");
}

/* A tree: half of the threads, then a quarter, add the values of the others. */
static void reduce(void)
{
    unsigned k = serial++;
    line("s[t] = %s;", varying(2));
    line("__syncthreads();");
    if (chance(50)) {
        line("for (unsigned k%u = 1; k%u < nt; k%u *= 2) {", k, k, k);
        line("    if (t %% (2 * k%u) == 0 && t + k%u < nt) s[t] += s[t + k%u];", k, k, k);
    } else {
        line("for (unsigned k%u = 512; k%u > 0; k%u >>= 1) {", k, k, k);
        line("    if (t < k%u && t + k%u < nt) s[t] += s[t + k%u];", k, k, k);
    }
    line("    __syncthreads();");
    line("}");
    line("%s = s[0];", chance(50) ? "q1" : "u1");
    line("__syncthreads();");
}

/* Two buffers that change roles. */
static void alternate(void)
{
    unsigned k = serial++;
    line("unsigned *from%u = s, *to%u = dyn;", k, k);
    line("from%u[t] = %s;", k, varying(1));
    line("__syncthreads();");
    line("for (unsigned k%u = 0; k%u <= (%s & 3); ++k%u) {", k, k, uniform(1), k);
    line("    to%u[t] = from%u[(t + %u) %% nt] * 3 + from%u[t];", k, k, 1 + below(40), k);
    line("    __syncthreads();");
    line("    unsigned *other%u = from%u;", k, k);
    line("    from%u = to%u, to%u = other%u;", k, k, k, k);
    line("}");
    line("u%u ^= from%u[nt - 1 - t];", below(2), k);
    line("__syncthreads();");
}

static void scan(void)
{
    unsigned k = serial++;
    line("s[t] = %s;", varying(1));
    line("__syncthreads();");
    line("for (unsigned k%u = 1; k%u < nt; k%u <<= 1) {", k, k, k);
    line("    unsigned v%u = t >= k%u ? s[t - k%u] : 0;", k, k, k);
    line("    __syncthreads();");
    line("    s[t] += v%u;", k);
    line("    __syncthreads();");
    line("}");
    line("u%u += s[t];", below(2));
    line("__syncthreads();"); /* the following code may access the array by bytes */
}

/* The lanes of a warp exchange values through volatile memory, in step.  All lanes make the same
 * accesses, since by thread entries those that diverge would not stay in step. */
static void exchange_in_warp(void)
{
    static const enum type types[] = {UNSIGNED, UNSIGNED, BYTE, SHORT, LONG, INT};
    const char *name = type_names[types[below(6)]];
    line("{");
    line("    unsigned lane = t %% 32, first = t - lane, n = nt - first < 32 ? nt - first : 32;");
    line("    volatile %s *w = (volatile %s *)dyn + first;", name, name);
    line("    %s v = (%s)(%s);", name, name, varying(2));
    line("    w[lane] = 0;");
    line("    __syncthreads();");
    line("    w[lane] = v;");
    for (unsigned i = 1 + below(5); i > 0; i--) {
        unsigned apart = 1u << below(5);
        switch (below(6)) {
        case 0:
            line("    w[lane] = w[n - 1 - lane] + %u;", below(9));
            break;
        case 1:
            line("    v ^= w[(lane ^ %u) < n ? lane ^ %u : lane]; w[lane] = v;", apart, apart);
            break;
        case 2:
            line("    v += w[w[lane] %% n]; w[lane] = v;");
            break;
        case 3:
            line("    v = v * 3 + w[%u %% n]; w[lane] = v;", apart);
            break;
        case 4:
            line("    w[lane] += w[lane >= %u ? lane - %u : lane];", apart, apart);
            break;
        default:
            line("    w[lane] += w[(lane + %u) %% n];", apart);
        }
    }
    line("    u%u += (unsigned)(v + w[lane]);", below(2));
    line("}");
    line("__syncthreads();");
}

/* Each iteration begins with the barrier, and is for the first threads. Parameters or memory decide
 * whether it is the last one. */
static void turns(void)
{
    unsigned k = serial++;
    line("s[t] = %s;", varying(1));
    line("for (unsigned k%u = %s; k%u > 0; k%u /= 2) {", k, ONE_OF("64", "16", "nt / 2", "256"), k,
         k);
    line("    __syncthreads();");
    bool some_go_on = chance(40);
    if (some_go_on) {
        line("    if (%s) { if (%s) continue; }", ONE_OF("p0 & 1", "table[p1 & 7] & 1"),
             chance(50) ? condition(1) : ONE_OF("t / 16 % 3 == 0", "t < 48", "t & 32"));
    }
    line("    unsigned b%u = %s;", k,
         text(ONE_OF("k%u", "table[k%u & 15] %% 60", "k%u - (p1 & 3)"), k));
    line("    if (b%u > k%u) b%u = k%u;", k, k, k, k);
    line("    if (t < b%u) { if (t + k%u < nt) s[t] += s[t + k%u] + b%u; }", k, k, k, k);
    if (chance(40) && !some_go_on) { /* all threads must reach it */
        line("    if (%s) break;", text(ONE_OF("(k%u ^ p1) %% 5 == 0", "table[k%u & 31] & 1"), k));
    }
    line("}");
    line("__syncthreads();");
    line("u%u += s[%s];", below(2), ONE_OF("0", "t", "t / 2"));
    line("__syncthreads();");
}

/* A number of the type, as an unsigned one: the values of threads that have ended may be
 * anything. */
static const char *as_unsigned(enum type type)
{
    return is_real(type) ? "(unsigned)clip" : "(unsigned)";
}

/* Trees and scans, unrolled: for a known block size the threads and addresses of each step are
 * constants. Numbers stay small, so that sums of floats are exact. */
static void one_step(const char *array, enum type of)
{
    const char *type = type_names[of];
    unsigned apart = 1 + below(40), half = 1u << below(7);
    switch (below(7)) {
    case 0:
        line("if (t < %uu && t + %u < nt) %s[t] += %s[t + %u];", half, half, array, array, half);
        break;
    case 1:
        line("%s v%u = t >= %uu ? %s[t - %u] : 0;", type, serial, apart, array, apart);
        line("__syncthreads();");
        line("%s[t] += v%u;", array, serial++);
        break;
    case 2:
        line("%s v%u = (t ^ %u) < nt ? %s[t ^ %u] : 3;", type, serial, half, array, half);
        line("__syncthreads();");
        line("%s[t] = v%u;", array, serial++);
        break;
    case 3:
        line("if (t < %u) %s[t + %u] = (%s)(table[t] & 63);", below(100), array, apart, type);
        break;
    case 4:
        line("if (t %% %u == 0 && t + %u < nt) %s[t] += %s[t + %u];", 2 * half, half, array, array,
             half);
        break;
    case 5:
        line("%s[t] += (%s)(u%u & 31);", array, type, below(2));
        break;
    default:
        line("u%u += %s(%s[%s]);", below(2), as_unsigned(of), array,
             ONE_OF("t", "t / 2", "0", "nt - 1"));
    }
    line("__syncthreads();");
}

static void steps(void)
{
    static const enum type types[] = {FLOAT, DOUBLE, BYTE, SHORT, LONG, INT};
    enum type type = types[below(6)];
    const char *name = type_names[type];
    char array[32];
    snprintf(array, sizeof array, "((%s *)%s)", name,
             type == DOUBLE || type == LONG || chance(50) ? "dyn" : "s");
    line("%s[t] = (%s)(%s & 63);", array, name, ONE_OF("u0", "u1", "(t * 5)", "table[t & 255]"));
    line("__syncthreads();");
    for (unsigned i = 2 + below(6); i > 0; i--) {
        one_step(array, type);
    }
    line("u%u += %s(%s[t]);", below(2), as_unsigned(type), array);
    if (chance(30)) {
        line("u%u += (unsigned)((%s *)%s)[t];", below(2), ONE_OF("uchar", "unsigned short"),
             type == DOUBLE || type == LONG ? "dyn" : "s");
    }
    line("__syncthreads();");
}

static void own_atomic(void)
{
    unsigned to = below(2);
    const char *slot = text("&own[gid * 4 + %u]", below(2));
    switch (below(7)) {
    case 6:
        line("l%u += (long long)atomicAdd((unsigned long long *)&own[gid * 4 + 2], %s);", to,
             expression(ULONG, 1));
        break;
    case 0:
        line("u%u += atomicAdd(%s, %s);", to, slot, varying(1));
        break;
    case 1:
        line("u%u ^= atomicExch(%s, %s);", to, slot, varying(1));
        break;
    case 2:
        line("u%u = atomicCAS(%s, u%u, %s);", to, slot, below(2), varying(1));
        break;
    case 3:
        line("u%u += atomicInc(%s, %uu);", to, slot, below(9));
        break;
    case 4:
        line("u%u -= atomicMin(%s, %s);", to, slot, varying(1));
        break;
    default:
        line("if (%s) u%u += atomicOr(%s, 1u << (t & 31));", condition(1), to, slot);
    }
}

static void common_atomic(void)
{
    switch (below(5)) {
    case 0:
        line("atomicMax(&tally[16 + (%s & 15)], %s);", varying(1), varying(1));
        break;
    case 1:
        line("atomicXor(&tally[32 + (%s & 15)], %s);", varying(1), varying(1));
        break;
    case 2:
        line("atomicAdd((float *)&tally[48 + (%s & 15)], (float)(%s & 15));", varying(1),
             varying(1));
        break;
    case 3:
        line("if (%s) atomicAdd(&tally[%s & 15], 1u);", condition(2), uniform(1));
        break;
    default:
        line("atomicAdd(&tally[%s & 15], %s);", varying(1), varying(1));
    }
}

/* Operations of groups of lanes with the same value, in a branch that divides no group. */
static void group(void)
{
    unsigned to = below(2), of = below(2), most = 1 + below(5), k = serial++;
    line("unsigned g%u = u%u %% %u, m%u = __match_any_sync(0xffffffffu, g%u);", k, of, most, k, k);
    line("if (g%u %s %u) {", k, ONE_OF("==", "!=", "<"), below(most + 1));
    line("    u%u += __shfl_sync(m%u, u%u, __ffs(m%u) - 1);", to, k, below(2), k);
    line("    u%u ^= __reduce_%s_sync(m%u, u%u) + __ballot_sync(m%u, b%u);", to,
         ONE_OF("add", "min", "max", "or"), k, below(2), k, below(2));
    line("}");
}

/* An operation of tiles, in a branch that divides no tile. */
static void tile(void)
{
    unsigned to = below(2), log = 1 + below(4), size = 1u << log;
    line("if ((t >> %u) %% 3 != %u) u%u += __shfl_xor_sync(%#xu << (t & %u), u%u, %u);", log,
         below(4), to, (1u << size) - 1, 32 - size, below(2), 1u << below(log));
}

/* Whole warps take the branch: t is the number of the thread in its block, in all shapes of blocks.
 */
static void warps(void)
{
    unsigned to = below(2), of = below(2);
    line("if ((t >> 5) %s %u) u%u += __shfl_%s_sync(0xffffffffu, u%u, %u) ^ "
         "__ballot_sync(0xffffffffu, "
         "b%u);",
         ONE_OF("==", "!=", "<"), below(4), to, ONE_OF("down", "xor", "up"), of, 1u << below(5),
         below(2));
}

/* The mask names all lanes, which is known at run time only: p1 is small. */
static void unknown_mask(void)
{
    unsigned to = below(2), k = serial++;
    line("unsigned m%u = ~(p1 >> 30);", k);
    line("u%u ^= __shfl_xor_sync(m%u, u%u, %u) + __ballot_sync(m%u, b%u) + __reduce_%s_sync(m%u, "
         "u%u);",
         to, k, below(2), 1u << below(5), k, below(2), ONE_OF("add", "min", "max", "or"), k,
         below(2));
}

/* All lanes get the value of the first or last lane that has not ended, and branch on it. */
static void broadcast(void)
{
    unsigned to = below(2), k = serial++;
    line("unsigned m%u = __ballot_sync(0xffffffffu, 1);", k);
    line("unsigned w%u = (unsigned)__shfl_sync(0xffffffffu, (%s)u%u, %s(m%u)%s);", k,
         ONE_OF("unsigned", "double", "unsigned long long"), below(2),
         ONE_OF("31 - __clz", "-1 + __ffs"), k, ONE_OF("", ", 32"));
    line("if (w%u & %u) u%u ^= __shfl_xor_sync(0xffffffffu, u%u, %u) + w%u;", k, 1u << below(4), to,
         below(2), 1u << below(5), k);
}

/* One lane adds for all that are active with it; how many these are does not matter. */
static void aggregate(void)
{
    unsigned k = serial++;
    line("for (unsigned o = 0; o < (u%u & %u); o++) {", below(2), 1 + below(7));
    line("    unsigned m%u = __activemask();", k);
    line("    if (%s) continue;", condition(1));
    line("    m%u &= __activemask();", k);
    line("    if (__ffs(m%u) - 1 == (int)(t & 31)) atomicAdd(&tally[%s & 15], __popc(m%u));", k,
         uniform(1), k);
    line("}");
}

/* Warp operations by all threads of the warp; the lanes that do not exist have no effect. */
static void warp(void)
{
    unsigned to = below(2), k = serial;
    switch (below(18)) {
    case 16:
    case 17:
        broadcast();
        break;
    case 14:
        warps();
        break;
    case 15:
        unknown_mask();
        break;
    case 11:
        group();
        break;
    case 12:
        tile();
        break;
    case 13:
        aggregate();
        break;
    case 7:
        line("unsigned m%u = __ballot_sync(0xffffffffu, b%u);", k, to);
        line("if (b%u) u%u = __shfl_sync(m%u, u%u, __ffs(m%u) - 1);", to, below(2), k, below(2), k);
        serial++;
        break;
    case 8:
        line("u%u += __reduce_%s_sync(0xffffffffu, u%u);", to,
             ONE_OF("add", "min", "max", "xor", "and"), below(2));
        break;
    case 9:
        line("u%u ^= __match_any_sync(0xffffffffu, u%u & %u);", to, below(2), 1 + below(7));
        break;
    case 10: /* a warp's sum */
        line("for (int o = 16; o > 0; o >>= 1) u%u += __shfl_%s_sync(0xffffffffu, u%u, o);", to,
             ONE_OF("down", "xor"), to);
        break;
    case 0:
        /* a broadcast from a lane that has ended is undefined */
        line("u%u = __shfl_sync(0xffffffffu, u%u, (%s + t) & 31);", to, below(2), varying(1));
        break;
    case 1:
        line("u%u += __shfl_down_sync(0xffffffffu, u%u, %u);", to, below(2), 1u << below(5));
        break;
    case 2:
        line("u%u ^= __shfl_xor_sync(0xffffffffu, u%u, %u);", to, below(2), 1u << below(5));
        break;
    case 3:
        line("u%u ^= __ballot_sync(0xffffffffu, %s);", to, condition(2));
        break;
    case 4:
        line("b%u = __any_sync(0xffffffffu, %s);", to, condition(2));
        break;
    case 5:
        line("u%u += __shfl_up_sync(0xffffffffu, u%u, %u, %u);", to, below(2), below(8),
             8u << below(3));
        break;
    default:
        line("__syncwarp();");
    }
}

static void count(void)
{
    switch (below(3)) {
    case 0:
        line("q%u = __syncthreads_count(%s);", below(3), condition(2));
        break;
    case 1:
        line("u%u += __syncthreads_or(%s);", below(2), condition(2));
        break;
    default:
        line("q%u += __syncthreads_and(%s);", below(3), condition(2));
    }
}

/* ---- private memory ---- */

/* Copies of a local structure: by a function that is not inlined, of some lanes, and of elements
 * whose addresses are selected. */
static void copies(void)
{
    static const unsigned counts[] = {4, 8, 12, 16, 32};
    unsigned k = serial++, count = counts[below(5)], u = below(2);
    line("{ Shorts<%u> to%u, from%u; ushort least%u = 7;", count, k, k, k);
    line("for (int k = 0; k < %u; ++k) to%u.h[k] = (ushort)(u%u + k * 77);", count, k, u);
    line("from%u = to%u;", k, k);
    for (unsigned i = 0, steps = 1 + below(4); i < steps; i++) {
        const char *when = chance(70) ? text("if (%s) ", condition(1)) : "";
        switch (below(4)) {
        case 0:
            line("%sto%u = folded(from%u, (int)(%s));", when, k, k, varying(1));
            break;
        case 1:
            line("%s%s;", when,
                 chance(50) ? text("from%u = to%u", k, k) : text("to%u = from%u", k, k));
            break;
        case 2:
            line("%sfor (int k = 0; k < %u; ++k) { const ushort &c = u%u + k < %uu ? from%u.h[k] : "
                 "least%u; from%u.h[k] = c; }",
                 when, count, below(2), below(3000000000u), k, k, k);
            break;
        default:
            line("%sto%u.h[%u] += from%u.h[%s & %u];", when, k, below(count), k, varying(1),
                 count == 12 ? 7 : count - 1);
        }
    }
    line("for (int k = 0; k < %u; ++k) u%u = u%u * 31 + to%u.h[k] + 3u * from%u.h[k]; }", count, u,
         u, k, k);
}

/* A small array by indices that differ between threads, and references to one of several
 * variables. */
static void small_array(void)
{
    static const char *const types[] = {"int", "uint", "ushort", "uchar", "unsigned long long"};
    const char *type = types[below(5)];
    unsigned k = serial++, count = 2 + below(7), u = below(2);
    line("{ %s small%u[%u]%s, one%u = 3, two%u = 5;", type, k, count, chance(50) ? " = {1}" : "", k,
         k);
    line("for (int k = 0; k < %u; ++k) small%u[k] = (%s)(u%u + k);", count, k, type, u);
    for (unsigned i = 0, steps = 2 + below(4); i < steps; i++) {
        const char *when = chance(50) ? text("if (%s) ", condition(1)) : "";
        switch (below(4)) {
        case 0:
            line("%ssmall%u[(uint)(%s) %% %u] += (%s)(%s);", when, k, varying(1), count, type,
                 expression(INT, 1));
            break;
        case 1:
            line(
                "%s{ %s &r = %s ? small%u[(uint)(%s) %% %u] : %s ? one%u : two%u; r = (%s)(r * 3 + "
                "1); }",
                when, type, condition(1), k, varying(1), count, condition(1), k, k, type);
            break;
        case 2:
            line("%s{ int j = %u; while (j > 0 && small%u[j - 1] > (%s)u%u) { small%u[j] = "
                 "small%u[j - 1]; "
                 "j--; } "
                 "small%u[j] = (%s)u%u; }",
                 when, count - 1, k, type, below(2), k, k, k, type, below(2));
            break;
        default:
            line("%su%u += (uint)small%u[(uint)(%s) %% %u];", when, below(2), k, varying(1), count);
        }
    }
    line("for (int k = 0; k < %u; ++k) u%u = u%u * 31 + (uint)small%u[k];", count, u, u, k);
    line("u%u += (uint)(one%u + 3 * two%u); }", u, k, k);
}

static void local(void)
{
    switch (below(12)) {
    case 0:
        line("a[%s & 7] = %s;", varying(1), expression(INT, 2));
        break;
    case 1:
        line("a[t & 7] += a[(%s) & 7];", uniform(1));
        break;
    case 2:
        line("{ Node copy = nodes[%s & 63]; copy.key += (int)t; mine[gid] = copy; u%u += "
             "(unsigned)copy.link; }",
             chance(50) ? varying(1) : "t", below(2));
        break;
    case 3:
        line("memcpy(&mine[gid], &nodes[%s], sizeof(Node));", chance(50) ? "t & 63" : "q0 & 63");
        break;
    case 4:
        line("local[%s & 1].half = (short)(%s);", varying(1), expression(INT, 1));
        line("u%u += local[%s & 1].half + local[0].key;", below(2), uniform(1));
        break;
    case 5:
        line("u%u += sum_of(a, %s & 7);", below(2), chance(50) ? uniform(1) : varying(1));
        break;
    case 6:
        line("shift(a, u%u & 3);", below(2));
        break;
    case 7:
    case 8:
        copies();
        break;
    default:
        small_array();
    }
}

/* A structure of each thread.  They are in descending order in an array of their own. */
struct own_structure {
    unsigned fields;
    const char *number;
    bool is_row, descends;
};

/* In some forms a test must show that the number does not wrap around. */
static struct own_structure own_structure(void)
{
    static const char *const forms[] = {"gid", "gid", "(unsigned short)gid", "(gid & 4095)",
                                        "(gid % 3072)"};
    struct own_structure own = {.fields = 3 + below(2), .is_row = chance(50)};
    own.descends = own.fields == 4 && chance(25);
    own.number = own.descends ? chance(50) ? "(3071 - gid)" : "(3071 - (int)gid)"
                              : forms[below(sizeof forms / sizeof *forms)];
    return own;
}

static const char *field_of(const struct own_structure *own, unsigned k)
{
    return own->fields == 3 ? text("row[%u + %s * 3 + %u]", 5 * 3072, own->number, k)
           : own->is_row
               ? text("row[%u + %s * 4 + %u]", own->descends ? 8 * 3072 : 3072, own->number, k)
               : text("own[%u + %s * 4 + %u]", own->descends ? 4 * 3072 : 0, own->number, k);
}

static void descending(void)
{
    line("own[%u - gid] += (unsigned)(%s);", 9 * 3072 - 1, varying(1));
    line("row[%u - (int)gid] ^= (uchar)u%u;", 13 * 3072 - 1, below(2));
}

/* Loads of two fields, or stores of all fields in some order. */
static void structures(void)
{
    struct own_structure own = own_structure();
    unsigned first = below(4), step = own.fields == 3 ? 1 : 1 + 2 * below(2);
    if (chance(40)) {
        line("u%u ^= %s;", below(2), field_of(&own, below(own.fields)));
        line("i0 += (int)%s;", field_of(&own, below(own.fields)));
        return;
    }
    if (chance(40)) { /* with loads between the stores, also of an array that may overlap */
        unsigned other = below(4);
        for (unsigned i = 0; i < 4; i++) {
            line("own[(int)gid * 4 + %u] %s out[(int)gid * 4 + %u] ^ (unsigned)(%s);",
                 (first + i * step) % 4, chance(50) ? "+=" : "=", chance(80) ? other : below(4),
                 chance(60) ? "u0" : varying(1));
        }
        return;
    }
    for (unsigned i = 0; i < own.fields; i++) {
        line("%s = (uchar)(u%u + %u);", field_of(&own, (first + i * step) % own.fields), below(2),
             below(99));
    }
}

/* Some fields of large structures, loaded and stored in any order. */
static void large_structures(void)
{
    static const unsigned sizes[] = {6, 7, 12}, starts[] = {9, 15, 22};
    struct own_structure own = own_structure();
    unsigned which = below(3), size = sizes[which], start = starts[which] * 3072;
    for (unsigned i = 0, count = 2 + below(6); i < count; i++) {
        line("own[%u + %s * %u + %u] %s own[%u + %s * %u + %u] + (unsigned)(%s);", start,
             own.number, size, below(size), chance(50) ? "+=" : "=", start, own.number, size,
             below(size), chance(60) ? "u0" : varying(1));
    }
}

/* Each thread handles neighbouring elements up to a limit. */
static void guarded_elements(void)
{
    unsigned k = serial++, count = 2 + below(7), less = below(3 * count), u = below(2);
    const char *type = ONE_OF("int", "unsigned", "long long");
    const char *first = text("(%s)gid * %u", type, count);
    const char *limit = chance(70) ? text("(%s)(limit * %u - %u)", type, count, less)
                                   : text("(%s)(%s)", type, uniform(1));
    unsigned start = 34 + (count - 2) * (count + 1) / 2; /* behind those of smaller counts */
    const char *own = text("own[%u + i%u]", start * 3072, k);
    line("{ const %s e%u = %s;", type, k, limit);
    if (chance(50)) {
        line("for (int k%u = 0; k%u < %u; ++k%u) { %s i%u = %s + k%u;", k, k, count, k, type, k,
             first, k);
        line("if (i%u < e%u) {", k, k);
    } else {
        const char *last = text("%s + %u", first, count);
        line("for (%s i%u = %s; i%u < (%s < e%u ? %s : e%u); ++i%u) {{", type, k, first, k, last, k,
             last, k, k);
    }
    if (chance(50)) {
        line("%s = %s * 3 + u%u;", own, own, u);
    } else {
        line("u%u = u%u * 5 + %s;", u, u, own);
    }
    line("}}}");
}

/* Loads of which several neighbouring threads read one element, distances that are parameters, and
 * structures at places that differ. p0 is below 8, p1 below 50, and p2 below 21. */
static void distances(void)
{
    unsigned k = below(2);
    switch (below(11)) {
    case 0:
        line("u%u += big[gid / %u + %u];", k, 2u << below(3), below(64));
        break;
    case 7:
        line("u%u += big[(gid & (p1 - 1)) + %u];", k, below(64));
        break;
    case 8:
        line("u%u ^= big[((int)gid & -(int)p1) + (int)(gid & (p1 - 1)) + %u];", k, below(64));
        break;
    case 9:
        line("u%u += big[2 * t - (t & (p1 - 1)) + p1];", k);
        break;
    case 1:
        line("u%u ^= big[((int)(gid + %u) >> %u) + p0];", k, below(40), 1 + below(3));
        break;
    case 2:
        line("if (t < 512) u%u += big[t * p0 + %u];", k, below(64));
        break;
    case 3:
        line("if (t < 200) u%u ^= big[(int)t * (int)p2 + (int)p0];", k);
        break;
    case 4:
        line("if (t < 512) u%u += big[3 * t + p0] ^ big[3 * t + 2 * p0] * 5 + big[3 * t];", k);
        break;
    case 5:
        line("{ const Four f = ((const Four *)big)[%s & 1023]; u%u += f.a * 3 + f.b - (f.c ^ f.d); "
             "}",
             varying(1), k);
        break;
    case 6:
        line("{ const Twin f = ((const Twin *)big)[%s & 1023]; if (%s) u%u ^= (unsigned)(f.a * 3 + "
             "f.b); }",
             varying(1), condition(1), k);
        break;
    default:
        line("{ Four f = ((const Four *)big)[%s & 1023]; f.b += t; *(Four *)&out[gid * 4] = f; }",
             chance(50) ? varying(1) : "(t / 2)");
    }
}

static void fields(void)
{
    switch (below(18)) {
    case 15:
    case 16:
    case 17:
        distances();
        break;
    case 13:
    case 14:
        guarded_elements();
        break;
    case 10:
        descending();
        break;
    case 11:
    case 12:
        large_structures();
        break;
    case 7:
    case 8:
    case 9:
        structures();
        break;
    case 0:
        line("mine[gid].half = (short)(%s);", expression(INT, 2));
        break;
    case 1:
        line("mine[gid].weight += (double)(t + %u);", below(9));
        break;
    case 2:
        line("if (%s) mine[gid].tag = (uchar)(%s);", condition(2), varying(1));
        break;
    case 3:
        line("u%u += nodes[t & 63].tag + (unsigned)nodes[%s & 63].half;", below(2), varying(1));
        break;
    case 4:
        line("i0 += pair.a + (int)pair.b[%s & 3];", varying(1));
        break;
    case 5:
        line("out[gid * 4 + %u] = %s;", 2 + below(2), varying(2));
        break;
    default:
        line("row[blockIdx.x * nt + t] = (%s)(%s);", "uchar", varying(1));
    }
}

static void pointers(void)
{
    unsigned k = serial++;
    switch (below(6)) {
    case 4: /* by a divisor that may be zero, and then for no thread */
        line("unsigned by%u = %s & 3;", k, uniform(1));
        line("if (by%u != 0 && %s) u%u ^= big[%s %% by%u];", k, condition(1), below(2),
             ONE_OF("gid", "t", "(unsigned)(gid + 77)"), k);
        break;
    case 5: /* sums that only some threads may compute */
        line("int far%u = 2147483647 - (int)(%s & 511);", k, uniform(1));
        line("for (unsigned k%u = 0; k%u < (%s & 3); ++k%u) {", k, k, uniform(1), k);
        line("    if ((long long)t + far%u <= 2147483647ll) u%u += big[min((int)t + far%u, "
             "(int)(%s & "
             "255))] + u0;",
             k, below(2), k, uniform(1));
        line("}");
        break;
    case 0:
        line("const unsigned *r%u = %s ? table : big + %u;", k, condition(1), below(99));
        line("u%u += r%u[%s];", below(2), k, index_of(1));
        break;
    case 1:
        line("const unsigned *r%u = (%s & 1) ? table : big;", k, uniform(1));
        line("u%u ^= r%u[(int)t %% 200];", below(2), k);
        break;
    case 2:
        line("const unsigned *r%u = %s ? nullptr : table + (t & 127);", k, condition(1));
        line("if (r%u) u%u += *r%u + r%u[%u];", k, below(2), k, k, below(64));
        break;
    default:
        line("for (const Node *r%u = &nodes[%s & 63]; r%u; r%u = r%u->next) { u%u += r%u->key; if "
             "(%s) break; }",
             k, chance(60) ? varying(1) : uniform(1), k, k, k, below(2), k, condition(1));
    }
}

/* Functions that call themselves, and that end in several places. */
static void recursive_calls(void)
{
    switch (below(6)) {
    case 0:
        line("u%u += power(u%u, %s & 15);", below(2), below(2),
             chance(50) ? uniform(1) : varying(1));
        break;
    case 1:
        line("u%u ^= halves(t, t + (%s & 31), %s);", below(2), varying(1), uniform(1));
        break;
    case 2:
        line("i%u += find(nodes, (int)(%s & 63), i%u);", below(2),
             chance(50) ? uniform(1) : varying(1), below(2));
        break;
    case 3:
        line("if (%s) u%u += early(u%u, %s, b0);", condition(1), below(2), below(2),
             chance(50) ? uniform(1) : varying(1));
        break;
    case 4:
        line("store(&u%u, a, %s & 7);", below(2), chance(50) ? uniform(1) : varying(1));
        break;
    default:
        line("i%u ^= spread(Spread{(int)t, i%u, {1, 2, 3, 4, 5}}, %s & 3).b;", below(2), below(2),
             chance(50) ? uniform(1) : varying(1));
    }
}

static void calls(void)
{
    if (chance(50)) {
        recursive_calls();
        return;
    }
    switch (below(5)) {
    case 0:
        line("u%u += call(u%u, i%u);", below(2), below(2), below(2));
        break;
    case 1:
        line("u%u += call(%s, %u);", below(2), uniform(1), below(9));
        break;
    case 2:
        line("i%u ^= inlined((int)t, (int)(%s & 255));", below(2), varying(1));
        break;
    case 3:
        line("l0 += wide((unsigned long long)%s, t);", chance(50) ? uniform(1) : varying(1));
        break;
    default:
        line("assert(t < 2048 && %s);", text("(%s | 1) != 0", varying(1)));
    }
}

static void rare(struct place place)
{
    if (profile->prints && chance(60)) {
        line("if (gid == 1) printf(\"k %%u %%d\\n\", u%u, i%u);", below(2), below(2));
    } else if (profile->launches) {
        line("if (%s) child<<<1, 2>>>(tally + 64, %s);", condition(1), varying(1));
    } else if (profile->warps && place.is_uniform && (!profile->counts || chance(50))) {
        warp();
    } else if (profile->counts && place.is_uniform) {
        count();
    } else {
        calls();
    }
}

/* ---- all ---- */

static void shared_statement(struct place place)
{
    unsigned what = below(12);
    if (!place.is_uniform) {
        assign();
    } else if (what == 11) {
        exchange_in_warp();
    } else if (what == 10) {
        steps();
    } else if (what == 5 || what == 6) {
        turns();
    } else if (what < 5) {
        exchange();
    } else if (what < 8) {
        chance(50) ? scan() : alternate();
    } else {
        chance(50) ? reduce() : turns();
    }
}

static void simple_statement(struct place place)
{
    unsigned what = below(30);
    if (what < 5) {
        local();
    } else if (what < 9) {
        fields();
    } else if (what < 12) {
        pointers();
    } else if (what < 15) {
        calls();
    } else if (what < 17) {
        common_atomic();
    } else if (what < 19) {
        own_atomic();
    } else if (what < 22) {
        walk();
    } else if (what < 24 && place.is_uniform) {
        line("q%u = %s;", below(3), uniform(3));
    } else if (what < (profile->warps || profile->counts ? 30 : 25)) {
        rare(place);
    } else {
        assign();
    }
}

static void any_statement(struct place place)
{
    unsigned what = below(100);
    if (place.depth >= profile->most_depth || what < 25) {
        assign();
    } else if (what < 42) {
        branch(place);
    } else if (what < 47) {
        choice(place);
    } else if (what < 60) {
        loop(place);
    } else if (what < 68 && place.in_loop) {
        jump(place);
    } else if (what < 71) {
        early_return();
    } else if (what < 80) {
        undefined_in_cpp();
    } else if (what < 92) {
        simple_statement(place);
    } else {
        shared_statement(place);
    }
}

static void statement(struct place place)
{
    unsigned own = number++ % MOST_STATEMENTS;
    bool is_away = without[own];
    bool has_label = muted == 0 && !is_away;
    muted += is_away;
    if (has_label) {
        line("{ // %u", own);
    }
    if (profile->is_straight) {
        steps();
    } else {
        any_statement(place);
    }
    if (has_label) {
        line("}");
    }
    muted -= is_away;
}

static void statements(struct place place, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        statement(place);
    }
}

void body(const struct profile *given, unsigned count, const bool *away)
{
    struct place place = {.is_uniform = !given->is_flat};
    profile = given;
    without = away;
    serial = number = 0;
    statements(place, count);
}
