/* The level of detail of a fetch with derivatives, in the arithmetic of an H200: docs/textures.md
 * has the rules. */
#include <math.h>

#include "texture/image.h"

/* Significant bits of a derivative. */
#define BITS 10

/* The logarithm of 1 + i / 256, in 256ths. */
static const uint8_t logarithm[256] = {
    0,   2,   4,   5,   6,   8,   9,   11,  12,  13,  15,  16,  18,  19,  20,  22,  23,  24,  26,
    27,  28,  30,  31,  32,  34,  35,  36,  38,  39,  40,  42,  43,  44,  45,  47,  48,  49,  50,
    52,  53,  54,  55,  57,  58,  59,  60,  62,  63,  64,  65,  66,  68,  69,  70,  71,  72,  74,
    75,  76,  77,  78,  79,  81,  82,  83,  84,  85,  86,  88,  89,  90,  91,  92,  93,  94,  95,
    97,  98,  99,  100, 101, 102, 103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116,
    117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 135, 136,
    137, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154,
    155, 156, 157, 158, 159, 160, 161, 162, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172,
    173, 173, 174, 175, 176, 177, 178, 179, 180, 181, 181, 182, 183, 184, 185, 186, 187, 188, 188,
    189, 190, 191, 192, 193, 194, 195, 195, 196, 197, 198, 199, 200, 200, 201, 202, 203, 204, 205,
    205, 206, 207, 208, 209, 210, 210, 211, 212, 213, 214, 214, 215, 216, 217, 218, 218, 219, 220,
    221, 222, 222, 223, 224, 225, 226, 226, 227, 228, 229, 229, 230, 231, 232, 233, 233, 234, 235,
    236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244, 245, 245, 246, 247, 248, 248, 249,
    250, 251, 251, 252, 253, 253, 254, 255, 255,
};

/* The whole number of BITS bits at the start of a number, and where its last bit is. */
static double leading_bits(double value, int *last)
{
    double significand = frexp(value, last);
    *last -= BITS;
    return trunc(ldexp(significand, BITS));
}

static double cut(double value)
{
    int last;
    double bits = leading_bits(value, &last);
    return isfinite(value) ? ldexp(bits, last) : value;
}

/* 11/8 of a number, rounded half up where its last bit was. */
static double eleven_eighths(double value)
{
    int last;
    double bits = leading_bits(fabs(value), &last);
    return isfinite(value) ? ldexp(floor(bits * 11.0 / 8.0 + 0.5), last) : fabs(value);
}

/* The sum of two derivatives; the smaller one has one bit more than the larger one. */
static double add(double a, double b)
{
    int last;
    double large = fabs(a) >= fabs(b) ? a : b, small = fabs(a) >= fabs(b) ? b : a;
    (void)leading_bits(large, &last);
    return isfinite(large) ? cut(large + ldexp(trunc(ldexp(small, 1 - last)), last - 1))
                           : large + small;
}

/* The largest component, 11/32 of the middle one, and a quarter of the smallest. */
static double length_of(const double along[3])
{
    double a = fabs(along[0]), b = fabs(along[1]), c = fabs(along[2]);
    double large = fmax(fmax(a, b), c), small = fmin(fmin(a, b), c);
    double middle = fmax(fmin(a, b), fmin(fmax(a, b), c));
    return large + eleven_eighths(middle) / 4 + small / 4;
}

/* 11/16 of the length of a diagonal. */
static double diagonal(const double x[3], const double y[3], double sign)
{
    double along[3];
    for (int i = 0; i < 3; i++) {
        along[i] = cut(eleven_eighths(add(x[i], sign * y[i])) / 2);
    }
    return length_of(along);
}

float cdp_texture_level(const struct cdp_texture *texture, const float along_x[3],
                        const float along_y[3])
{
    if (texture->levels == 1) {
        return 0.0f;
    }
    const struct cdp_image *image = &texture->image[0];
    const double size[3] = {image->width, image->height, image->depth};
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = cut((double)along_x[i] * size[i]);
        y[i] = cut((double)along_y[i] * size[i]);
    }
    double length =
        fmax(fmax(length_of(x), length_of(y)), fmax(diagonal(x, y, 1.0), diagonal(x, y, -1.0)));
    if (!(length > 0.0) || isinf(length)) {
        return length > 0.0 ? INFINITY : -INFINITY;
    }
    int exponent;
    double significand = frexp(length, &exponent);
    int index = (int)((significand * 2.0 - 1.0) * 256.0);
    return (float)(exponent - 1) + (float)logarithm[index] / 256.0f;
}
