/* Expressions: none is undefined, whatever its operands are. */
#include "fuzz.h"

const char *const type_names[TYPES] = {"int",   "unsigned", "long long",   "unsigned long long",
                                       "short", "uchar",    "signed char", "float",
                                       "double"};
const char type_letters[] = "iulwscgfd";
bool has_type[TYPES];
bool is_line;

bool is_real(enum type type)
{
    return type == FLOAT || type == DOUBLE;
}

enum type any_type(void)
{
    for (;;) {
        enum type type = below(TYPES);
        if (has_type[type]) {
            return type;
        }
    }
}

char *uniform(int depth)
{
    switch (below(depth > 0 ? 8 : 5)) {
    case 0:
        return text("%uu", below(9));
    case 1:
        return text("n%u", below(3));
    case 2:
    case 3:
        return text("q%u", below(3));
    case 4:
        return text("blockIdx.x");
    case 5:
        return text("(%s + %s)", uniform(depth - 1), uniform(depth - 1));
    case 6:
        return text("(%s ^ %s)", uniform(depth - 1), uniform(depth - 1));
    default:
        return text("table[%s & %du]", uniform(depth - 1), TABLE - 1);
    }
}

static char *index_of_thread(void)
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
        return text("((uchar)(t + %u))", below(300));
    case 5:
        return text("(gid %% %du)", TABLE);
    case 6:
        return text("((t ^ %u) & %du)", below(64), TABLE - 1);
    case 7:
        return text("(threadIdx.%c & %du)", is_line ? 'x' : 'x' + (char)below(3), TABLE - 1);
    default:
        return text("((%du - t) & %du)", 2047, TABLE - 1);
    }
}

char *index_of(int depth)
{
    if (chance(70)) {
        return index_of_thread();
    }
    return chance(40) ? text("((%s) & %du)", uniform(1), TABLE - 1)
                      : text("((unsigned)(%s) & %du)", expression(UNSIGNED, depth - 1), TABLE - 1);
}

/* An element of the big table: sums that may or may not wrap around within a vector, with the flags
 * of signed and narrow types. */
static char *divided(unsigned a, unsigned b)
{
    char *by = chance(25) ? text("%u", 1 + below(chance(50) ? 70 : 1500))
                          : text("((%s & %u) + %u)", uniform(1), chance(50) ? 1023 : 63, b + 1);
    switch (below(9)) {
    case 0:
        return text("big[(gid + %u) / (%s + 1)]", a, by);
    case 1:
        return text("big[((int)gid - %u) / (int)%s & %d]", a, by, BIG - 1);
    case 2:
        return text("big[((int)gid + %u) / (int)%s * %u + ((int)gid + %u) %% (int)%s & %d]", a, by,
                    b, a, by, BIG - 1);
    case 3:
        return text("big[((size_t)gid + %u) / %s + ((size_t)gid + %u) %% %s * %u & %d]", a, by, a,
                    by, b, BIG - 1);
    case 4:
        return text("big[((int)(t - %u) >> %u) + 64]", b, below(12));
    case 5:
        return text("big[((gid + %u) >> %u) + (gid & 15)]", a, 1 + below(11));
    case 6:
        return text("big[(gid + %u) / %s / %u %% %u * 64 + gid %% %s & %d]", a, by, 1 + below(4),
                    1 + below(40), by, BIG - 1);
    case 7:
        return text("big[(t + wrap) / %s & %d]", by, BIG - 1);
    default:
        return text("big[(int)(t + high) / (int)%s & %d]", by, BIG - 1);
    }
}

static char *from_big(void)
{
    unsigned a = below(3000), b = below(64);
    switch (below(33)) {
    case 31: /* in descending order */
        return text("big[~t + %uu]", BIG - b);
    case 32:
        return text("big[(int)(%s & 1023) + 3071 - (int)gid]", uniform(1));
    case 28: /* contiguous, and one address for many lanes, if a runtime test says so */
    case 29:
    case 30:
        return divided(a, b);
    case 25: /* in such contiguous accesses, bits into which sums carry */
        return text("big[((size_t)(t ^ (%s & 127)) + %u) & %u]", uniform(1), b,
                    chance(50) ? 255 : 63);
    case 26:
        return text("big[((size_t)(t ^ %u) + (%s & 31)) | %u]", b, uniform(1), 1u << below(9));
    case 27:
        return text("big[(size_t)((t ^ %u) + %u) & %u]", b, a, chance(50) ? 255 : 15);
    case 22: /* a select of two contiguous accesses */
        return text("big[(int)t == (int)(%s & 63) ? (int)t + %u : (int)t + %u]", uniform(1), a,
                    a + 1);
    case 23:
        return text("big[t - (%s ? %uu : 0u) + %uu]", condition(1), 1 + below(3), b + 3);
    case 24:
        return text("big[(int)t - (t > %uu) + (t + 1 < nt)]", b);
    case 20: /* permuted contiguous accesses */
        return text("big[(gid ^ (%s & 255)) & %d]", uniform(1), BIG - 1);
    case 21:
        return text("big[((int)t ^ %u) + %d]", b, (int)a - 64 < 0 ? 0 : (int)a - 64);
    case 15: /* limits, and indices that restart */
        return text("big[min((int)gid + %u, (int)(%s & 1023) + %u)]", a, uniform(1), b);
    case 16:
        return text("big[max((int)gid - %u, (int)(%s & 255)) & %d]", a, uniform(1), BIG - 1);
    case 17:
        return text("big[(gid + %u) %% (%uu + (%s & 1023))]", a, b + 1, uniform(1));
    case 18:
        return text("big[((int)gid + %u) %% ((int)(%s & 511) + %u)]", a, uniform(1), b + 1);
    case 19:
        return text("big[max(min((int)t - %u, (int)(%s & 511)), 0)]", b, uniform(1));
    case 0:
        return text("big[(int)t + %u]", a);
    case 1:
        return text("big[(int)t * 2 + (int)(%s & 1023)]", uniform(1));
    case 2:
        return text("big[(unsigned)(t + wrap) - wrap]");
    case 3:
        return text("((unsigned)(t + wrap) < %uu ? big[(unsigned)(t + wrap)] : %uu)", a, b);
    case 4:
        return text("((int)(t + high) < 0 ? big[(long long)(int)(t + high) + 2147483648ll] : %uu)",
                    b);
    case 5:
        return text("((int)(t + high) > 0 ? big[(long long)(int)(t + high) - 2147482000ll] : %uu)",
                    b);
    case 6:
        return text("big[(int)(short)(t * %u + %u) + 32768 >> 4]", 1 + below(200), below(32768));
    case 7:
        return text("big[(uchar)(t * %u + %u)]", 1 + below(3), below(300));
    case 8:
        return text("big[(signed char)(t + %u) + 128]", below(256));
    case 9:
        return text("big[%d - (int)t]", 1024 + (int)a);
    case 10:
        return text("(t >= %uu ? big[t - %uu] : %uu)", b, b, b);
    case 11:
        return text("big[(t + %s) & %du]", uniform(1), BIG - 1);
    case 12:
        return is_line ? text("big[threadIdx.x * 2ull + %uu]", a)
                       : text("big[(size_t)threadIdx.y * blockDim.x + threadIdx.x + %uu]", a);
    case 13:
        return text("(tail - (t + 1))[-%d]", (int)b);
    default:
        return text("big[((unsigned short)(t + %u)) & %du]", 65500 + below(40), BIG - 1);
    }
}

static char *leaf(enum type type)
{
    switch (below(12)) {
    case 0:
        return text("(%s)%u", type_names[type], below(100));
    case 1:
        return text("(%s)t", type_names[type]);
    case 2:
        return text("(%s)(%s)", type_names[type], uniform(1));
    case 3:
        return text("(%s)(table[%s] & 0xffff)", type_names[type], index_of_thread());
    case 4:
        return text("(%s)(%s & 0xffff)", type_names[type], from_big());
    case 5:
        return text("(%s)b%u", type_names[type], below(2));
    default:
        if (!has_type[type]) {
            enum type other = any_type();
            return is_real(other) && !is_real(type)
                       ? text("(%s)clip(%c%u)", type_names[type], type_letters[other], below(2))
                       : text("(%s)%c%u", type_names[type], type_letters[other], below(2));
        }
        return text("%c%u", type_letters[type], below(2));
    }
}

static char *call_of(const char *name, const char *a, const char *b)
{
    switch (below(12)) {
    case 0:
        return text("(%s)mix((unsigned)%s, (unsigned)%s)", name, a, b);
    case 1:
        return text("(%s)__popc((unsigned)%s)", name, a);
    case 2:
        return text("(%s)__clz((int)%s)", name, a);
    case 3:
        return text("(%s)__ffs((int)%s)", name, a);
    case 4:
        return text("(%s)__brev((unsigned)%s)", name, a);
    case 5:
        return text("(%s)__umulhi((unsigned)%s, (unsigned)%s)", name, a, b);
    case 6:
        return text("(%s)__byte_perm((unsigned)%s, (unsigned)%s, 0x%xu)", name, a, b,
                    below(0x8000));
    case 7:
        return text("(%s)__funnelshift_l((unsigned)%s, (unsigned)%s, (unsigned)%s)", name, a, b, a);
    case 8:
        return text("(%s)min((int)%s, (int)%s)", name, a, b);
    case 9:
        return text("(%s)max((unsigned)%s, (unsigned)%s)", name, a, b);
    case 10:
        return text("(%s)__mul24((int)%s & 0x7fff, (int)%s & 0xff)", name, a, b);
    default:
        return text("(%s)(%s < 0 ? 0 : abs((int)%s & 0xffff))", name, a, b);
    }
}

static char *whole(enum type type, int depth)
{
    const char *name = type_names[type];
    char *a = expression(type, depth - 1), *b = expression(type, depth - 1);
    const char *wide = type == LONG || type == ULONG ? "unsigned long long" : "unsigned";
    switch (below(19)) {
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
        return text("(%s)(%s %c %s)", name, a, "&|"[below(2)], b);
    case 7:
        return text("(%s)(%s ^ %s)", name, a, b);
    case 8:
        return text("(%s)(%s ? %s : %s)", name, condition(depth - 1), a, b);
    case 9:
    case 10:
        return call_of(name, a, b);
    case 11:
        return text("(%s)a[%s & 7]", name, expression(UNSIGNED, depth - 1));
    case 12:
        return chance(30) ? text("(%s)__nv_atomic_load_n(&table[%s], __ATOMIC_RELAXED)", name,
                                 index_of(depth))
                          : text("(%s)table[%s]", name, index_of(depth));
    case 13:
        return text("(%s)(%s)", name, from_big());
    case 14: /* signed sums that cannot overflow */
        return text("(%s)(((int)%s & 0xffff) * %u - ((int)%s & 255))", name, a, 1 + below(9), b);
    case 15:
        return text("(%s)(%s != 0 ? (unsigned)%s %c (unsigned)%s : %uu)", name,
                    text("(unsigned)%s", b), a, "/%"[below(2)], b, below(9));
    case 16:
        return text("(%s)((%s)%s >> ((unsigned)%s & %u))", name, wide, a, b,
                    type == LONG || type == ULONG ? 63 : 31);
    default:
        return text("(%s)((%s)%s + (%s)%s)", name, wide, a, wide, b);
    }
}

/* Never infinite, never NaN: values that are too large are reduced. */
static char *real(enum type type, int depth)
{
    const char *suffix = type == FLOAT ? "f" : "";
    const char *name = type_names[type];
    char *a = expression(type, depth - 1), *b = expression(type, depth - 1);
    switch (below(22)) {
    case 0:
        return text("fold%s(%s * %s)", suffix, a, b);
    case 1:
        return text("(%s - %s)", a, b);
    case 2:
        return text("fold%s(%s / (fabs%s(%s) + 1))", suffix, a, suffix, b);
    case 3:
        return text("sqrt%s(fabs%s(%s))", suffix, suffix, a);
    case 4:
        return text("f%s%s(%s, %s)", ONE_OF("min", "max"), suffix, a, b);
    case 5:
        return text("%s%s(%s)", ONE_OF("floor", "ceil", "trunc", "rint", "fabs"), suffix, a);
    case 6:
        return text("(%s ? %s : %s)", condition(depth - 1), a, b);
    case 7:
        return text("(%s)(%s)", name, expression(INT, depth - 1));
    case 8:
        return text("fold%s(fma%s(%s, %s, %s))", suffix, suffix, a, b, leaf(type));
    case 9:
        return text("copysign%s(%s, %s)", suffix, a, b);
    case 10:
        return text("%s%s(fold%s(%s))", ONE_OF("sin", "cos", "tanh", "atan"), suffix, suffix, a);
    case 11:
        return text("log%s(fabs%s(%s) + 1)", suffix, suffix, a);
    case 12:
        return text("exp%s(-fabs%s(%s))", suffix, suffix, a);
    case 13:
        return text("(%s)(%s)", name, expression(chance(50) ? UNSIGNED : LONG, depth - 1));
    case 14:
        return text("(%s)(%s)", type == FLOAT ? "float" : "double",
                    text("fold%s(%s)", type == FLOAT ? "" : "f",
                         expression(type == FLOAT ? DOUBLE : FLOAT, depth - 1)));
    case 15:
        return text("fold%s(pow%s(fabs%s(%s), %s))", suffix, suffix, suffix, a, b);
    case 16: /* one, two or three roundings */
        return text(ONE_OF("(%s)foldf((float)(half)(float)%s)", "(%s)foldf((float)(half)%s)",
                           "(%s)foldf((float)(__nv_bfloat16)(float)%s)"),
                    name, a);
    case 17:
        return text("(%s)%s%s(%s)", name, ONE_OF("lrint", "lround", "llrint", "llround"), suffix,
                    a);
    case 18:
        return text("cbrt%s(%s)", suffix, a);
    default:
        return text("fold%s(%s + %s)", suffix, a, b);
    }
}

char *expression(enum type type, int depth)
{
    if (depth <= 0 || chance(20)) {
        return leaf(type);
    }
    if (!is_real(type) && has_form[CONSTANTS] && chance(2)) {
        return converted_anyhow(type, depth - 1);
    }
    if (is_real(type) && has_form[HALVES] && chance(6)) {
        return half_as_real(type, depth - 1);
    }
    if (!is_real(type) && has_form[WIDE] && chance(4)) {
        return wide_as_whole(type, depth - 1);
    }
    if (!is_real(type) && chance(12)) {
        enum type other = any_type();
        return is_real(other) ? text("(%s)clip(%s)", type_names[type], expression(other, depth - 1))
                              : text("(%s)%s", type_names[type], expression(other, depth - 1));
    }
    return is_real(type) ? real(type, depth) : whole(type, depth);
}

char *condition(int depth)
{
    static const char *const ways[] = {"<", ">", "<=", ">=", "==", "!="};
    if (depth > 1 && chance(15)) {
        return text("(%s %s %s)", condition(depth - 1), ONE_OF("&&", "||", "^"),
                    condition(depth - 1));
    }
    switch (below(8)) {
    case 0:
    case 1:
        return text("(t %s %u)", ways[below(6)], below(130));
    case 2:
    case 3:
        return text("((%s & %u) %s %u)", expression(UNSIGNED, depth - 1), 1 + below(7),
                    ways[below(6)], below(4));
    case 4:
        return text("%sb%u", chance(50) ? "!" : "", below(2));
    default:
        break;
    }
    enum type type = any_type();
    return text("(%s %s %s)", expression(type, depth - 1), ways[below(6)],
                expression(type, depth - 1));
}
