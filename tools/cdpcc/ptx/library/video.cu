/* The video instructions: arithmetic on bytes and halves that the operands select.
 *
 *     vadd.s32.u32.u32.sat.max %0, %1.b3, %2.h0, %3;       one sum, and the greater of it and %3
 *     vadd4.u32.u32.u32.sat %0.b20, %1.b7250, %2, %3;      two sums of bytes, two bytes of %3
 *
 * A selector is a number: its digits in the lowest 16 bits, their count in the next four, then 1 for
 * bytes or 2 for halves; 0 if there is none. Bit 24 says that the operand is
 * negated. All values are exact in 64 bits
 * until they are limited or cut off. */
#include "library.h"

enum { IS_SIGNED = 2, BYTES = 1, NEGATED = 1 << 24 };

INTERNAL u32 kind_of(u32 selector)
{
    return selector >> 20 & 3;
}
INTERNAL u32 count_of(u32 selector)
{
    return selector >> 16 & 15;
}
INTERNAL u32 digit_of(u32 selector, u32 number)
{
    return selector >> 4 * number & 15;
}
INTERNAL u32 width_of(u32 selector)
{
    return selector == 0 ? 32 : kind_of(selector) == BYTES ? 8 : 16;
}

/* The element of so many bits at a position, extended. */
INTERNAL s64 element(u64 x, u32 position, u32 width, u32 type)
{
    const u32 up = 64 - width;
    const u64 shifted = x >> position * width << up;
    return type == IS_SIGNED ? (s64)shifted >> up : (s64)(shifted >> up);
}
INTERNAL s64 selected(u32 x, u32 selector, u32 type)
{
    return element(x, digit_of(selector, 0), width_of(selector & ~(u32)NEGATED), type);
}
INTERNAL u64 inserted(u64 into, u64 x, u32 position, u32 width)
{
    const u64 mask = ((1ull << width) - 1) << position * width;
    return (into & ~mask) | (x << position * width & mask);
}
/* To the range of a type of so many bits. */
INTERNAL s64 saturated(s64 x, u32 width, u32 type)
{
    const s64 high = (s64)(1ull << (width - (type == IS_SIGNED))) - 1;
    const s64 low = type == IS_SIGNED ? -high - 1 : 0;
    return x < low ? low : x > high ? high : x;
}

enum { ADD = 1, SUBTRACT = 2, DISTANCE = 3, LEAST = 4, GREATEST = 5, AVERAGE = 6 };

INTERNAL s64 calculated(s64 x, s64 y, u32 operation)
{
    return operation == ADD         ? x + y
           : operation == SUBTRACT  ? x - y
           : operation == DISTANCE  ? (x < y ? y - x : x - y)
           : operation == LEAST     ? (x < y ? x : y)
           : operation == GREATEST  ? (x > y ? x : y)
                                    : (x + y + (x + y >= 0)) >> 1;
}
/* eq, ne, lt, le, gt, ge */
INTERNAL s64 compared(s64 x, s64 y, u32 relation)
{
    return relation == 1   ? x == y
           : relation == 2 ? x != y
           : relation == 3 ? x < y
           : relation == 4 ? x <= y
           : relation == 5 ? x > y
                           : x >= y;
}
/* What a GPU does instead of limiting a value to the range of its type: only the whole value of a
 * signed type has both limits. That of an unsigned one has only the lower limit, and a part of c has
 * only the upper one, without a sign. */
INTERNAL s64 limited(s64 x, u32 place, u32 type)
{
    const u64 high = (1ull << (width_of(place) - (type == IS_SIGNED))) - 1;
    return place != 0          ? (s64)((u64)x < high ? (u64)x : high)
           : type == IS_SIGNED ? saturated(x, 32, type)
           : x < 0             ? 0
                               : x;
}
/* The lesser one, or the greater one, compared in 64 bits. A negative x is greater than all unsigned
 * numbers. */
INTERNAL u32 extreme(s64 x, u32 c, u32 type, u32 second)
{
    const bool less = type == IS_SIGNED ? x < (s32)c : (u64)x < c;
    return less == (second == 2) ? (u32)x : c;
}
/* What follows one result: it is put into c if the result has a selector, or combined with c by add,
 * min or max. The upper half of c gets the upper half of the value. */
INTERNAL u32 finished(s64 x, u32 c, u32 place, u32 type, u32 second)
{
    const u32 width = width_of(place), digit = digit_of(place, 0);
    return width == 16 && digit == 1 ? (c & 0xffff) | ((u32)x & 0xffff0000)
           : place != 0              ? (u32)inserted(c, (u64)x, digit, width)
           : second == 1             ? (u32)x + c
           : second != 0             ? extreme(x, c, type, second)
                                     : (u32)x;
}

PTX(u32, video, u32 place, u32 a, u32 from_a, u32 b, u32 from_b, u32 c, u32 operation, u32 type,
    u32 type_a, u32 type_b, u32 saturates, u32 second)
{
    const s64 x = selected(a, from_a, type_a), y = selected(b, from_b, type_b);
    const s64 exact = calculated(x, y, operation);
    const s64 z = saturates != 0 ? limited(exact, place, type) : exact;
    const bool is_cut = operation == ADD || operation == SUBTRACT;
    return finished(is_cut ? (s32)z : z, c, place, type, second);
}
/* As many bits, the topmost of which is a sign. */
INTERNAL s64 lowest(s64 x, u32 bits)
{
    return (s64)((u64)x << (64 - bits)) >> (64 - bits);
}
/* left, right; clamp, wrap. A GPU limits 34 bits to the type, and then takes the part of c. */
PTX(u32, video_shift, u32 place, u32 a, u32 from_a, u32 b, u32 from_b, u32 c, u32 direction,
    u32 type, u32 type_a, u32 type_b, u32 saturates, u32 mode, u32 second)
{
    const s64 x = selected(a, from_a, type_a), by = selected(b, from_b, type_b);
    const u32 n = mode == 2 ? (u32)by & 31 : by > 32 ? 32 : (u32)by;
    const s64 z = direction == 1 ? (s64)((u64)x << n) : x >> n;
    return finished(saturates != 0 ? saturated(direction == 1 ? lowest(z, 34) : z, 32, type) : z, c,
                    place, type, second);
}
PTX(u32, video_compare, u32 place, u32 a, u32 from_a, u32 b, u32 from_b, u32 c, u32 type_a,
    u32 type_b, u32 relation, u32 second)
{
    const s64 x = selected(a, from_a, type_a), y = selected(b, from_b, type_b);
    return finished(compared(x, y, relation), c, place, type_a, second);
}
/* A product and a sum, scaled, in 64 bits. A negated operand negates the product, or c. An operand
 * is signed here, but what a selector takes of it has its type. */
PTX(u32, video_mad, u32 place, u32 a, u32 from_a, u32 b, u32 from_b, u32 c, u32 from_c, u32 type,
    u32 type_a, u32 type_b, u32 plus_one, u32 saturates, u32 scale)
{
    const bool negates = ((from_a ^ from_b) & NEGATED) != 0, negates_c = (from_c & NEGATED) != 0;
    const bool is_signed =
        type_a == IS_SIGNED || type_b == IS_SIGNED || negates || negates_c;
    const s64 product =
        (s64)(s32)selected(a, from_a, type_a) * (s32)selected(b, from_b, type_b);
    const s64 sum = (negates ? -product : product) + (negates_c ? -(s64)(s32)c : (s32)c) +
                    (plus_one != 0);
    const u32 by = scale == 1 ? 7 : scale == 2 ? 15 : 0;
    const s64 scaled = is_signed ? sum >> by : (s64)((u64)sum >> by);
    (void)place, (void)type;
    return (u32)(saturates == 0 ? scaled : saturated(scaled, 32, is_signed ? IS_SIGNED : 1));
}

/* A vector of two or four elements: which elements of b:a each element is made of, and which
 * elements of the result are written. */
struct lanes {
    u64 both;
    u32 count, width, mask, from_a, from_b;
};

INTERNAL u32 mask_of(u32 place, u32 count)
{
    u32 mask = place == 0 ? (1u << count) - 1 : 0;
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        mask |= i < count_of(place) ? 1u << digit_of(place, i) : 0;
    }
    return mask;
}
INTERNAL struct lanes lanes_of(u32 count, u32 place, u32 a, u32 from_a, u32 b, u32 from_b)
{
    struct lanes lanes = {};
    lanes.both = (u64)b << 32 | a;
    lanes.count = count;
    lanes.width = 32 / count;
    lanes.mask = mask_of(place, count);
    lanes.from_a = from_a != 0 ? from_a : count == 2 ? 0x10 : 0x3210;
    lanes.from_b = from_b != 0 ? from_b : count == 2 ? 0x32 : 0x7654;
    return lanes;
}
/* Puts the value of one lane into the result, or adds it. */
INTERNAL u32 accepted(const struct lanes *lanes, u32 number, s64 value, u32 result, u32 adds)
{
    return (lanes->mask >> number & 1) == 0 ? result
           : adds != 0                      ? result + (u32)value
                                            : (u32)inserted(result, (u64)value, number,
                                                            lanes->width);
}
/* The opcodes of two elements, then those of four. */
PTX(u32, video_lanes, u32 place, u32 a, u32 from_a, u32 b, u32 from_b, u32 c, u32 opcode, u32 type,
    u32 type_a, u32 type_b, u32 saturates, u32 adds)
{
    const u32 operation = (opcode - 1) % 6 + 1;
    const struct lanes lanes = lanes_of(opcode > 6 ? 4 : 2, place, a, from_a, b, from_b);
    u32 result = c;
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        const s64 x = element(lanes.both, digit_of(lanes.from_a, i), lanes.width, type_a);
        const s64 y = element(lanes.both, digit_of(lanes.from_b, i), lanes.width, type_b);
        const s64 z = calculated(x, y, operation);
        result = i < lanes.count
                     ? accepted(&lanes, i, saturates != 0 ? saturated(z, lanes.width, type) : z,
                                result, adds)
                     : result;
    }
    return result;
}
PTX(u32, video_compare_lanes, u32 place, u32 a, u32 from_a, u32 b, u32 from_b, u32 c, u32 opcode,
    u32 type_a, u32 type_b, u32 relation, u32 adds)
{
    const struct lanes lanes = lanes_of(opcode == 2 ? 4 : 2, place, a, from_a, b, from_b);
    u32 result = c;
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        const s64 x = element(lanes.both, digit_of(lanes.from_a, i), lanes.width, type_a);
        const s64 y = element(lanes.both, digit_of(lanes.from_b, i), lanes.width, type_b);
        result =
            i < lanes.count ? accepted(&lanes, i, compared(x, y, relation), result, adds) : result;
    }
    return result;
}
