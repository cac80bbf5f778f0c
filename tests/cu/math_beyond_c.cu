/* The functions that CUDA adds to C's, in double and in float, on the device and on
 * the host, against values computed with 60 digits. */
#include <cmath>
#include <cstdio>

struct Result {
    double in_double, in_float;
};

static const struct {
    const char *function;
    double x, value;
} points[] = {
#define POINT(function, x, value) {#function, x, value},
#include "math_beyond_c.inc"
#undef POINT
};
enum { point_count = sizeof points / sizeof points[0] };

__host__ __device__ void compute(Result *result)
{
    int n = 0;
#define POINT(function, x, value)               \
    result[n].in_double = function((double)(x)); \
    result[n++].in_float = function((float)(x));
#include "math_beyond_c.inc"
#undef POINT
}

__global__ void kernel(Result *result)
{
    compute(result);
}

/* Relative error; the argument itself is off by half an ulp in float. */
static bool near(double got, double want, double tolerance)
{
    return got == want || std::fabs(got - want) <= tolerance * std::fabs(want);
}

static int check(const char *side, const Result *result)
{
    int wrong = 0;
    for (int i = 0; i < point_count; i++) {
        const double value = points[i].value;
        if (!near(result[i].in_double, value, 2e-15)) {
            printf("%s: %s(%g) = %.17g, not %.17g\n", side, points[i].function, points[i].x,
                   result[i].in_double, value);
            wrong++;
        }
        /* Only if the float argument equals the double one and float can represent the value. */
        const bool holds = std::fabs(value) < 3e38 && (value == 0 || std::fabs(value) > 1e-37);
        if ((double)(float)points[i].x == points[i].x && holds &&
            !near(result[i].in_float, value, 4e-7)) {
            printf("%s: %s(%gf) = %.9g, not %.9g\n", side, points[i].function, points[i].x,
                   result[i].in_float, value);
            wrong++;
        }
    }
    return wrong;
}

__global__ void several(double *out)
{
    double s, c;
    sincospi(0.25, &s, &c);
    out[0] = s - c;
    out[1] = norm3d(2.0, 3.0, 6.0) - 7.0;
    out[2] = norm4d(1e200, 1e200, 1e200, 1e200) / 2e200 - 1.0;
    const double v[] = {1.0, 2.0, 2.0, 4.0};
    out[3] = norm(4, v) - 5.0;
    out[4] = rnorm3d(2.0, 3.0, 6.0) * 7.0 - 1.0;
    out[5] = rhypot(3.0, 4.0) * 5.0 - 1.0;
    const float w[] = {1e30f, 1e30f, 1e30f, 1e30f};
    out[6] = normf(4, w) / 2e30f - 1.0f;
    out[7] = rnorm4df(1.0f, 2.0f, 2.0f, 4.0f) * 5.0f - 1.0f;
    out[8] = __frsqrt_rn(0.25f) - 2.0f;
    out[9] = isinf(erfcinv(0.0)) && isnan(erfinv(1.5)) && isinf(normcdfinv(1.0)) ? 0.0 : 1.0;
    float fs, fc;
    __sincosf(0.0f, &fs, &fc);
    out[10] = fs + fc - 1.0f;
    out[11] = __fdividef(1.0f, 4.0f) + __expf(0.0f) + __logf(1.0f) + __powf(2.0f, 3.0f) - 9.25f;
}

int main()
{
    static Result on_host[point_count], on_device[point_count];
    Result *result;
    double *out, values[12];
    cudaMalloc(&result, sizeof on_device);
    cudaMalloc(&out, sizeof values);
    kernel<<<1, 1>>>(result);
    several<<<1, 1>>>(out);
    cudaMemcpy(on_device, result, sizeof on_device, cudaMemcpyDeviceToHost);
    const cudaError_t error = cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        printf("FAIL: %s\n", cudaGetErrorString(error));
        return 1;
    }
    compute(on_host);
    int wrong = check("host", on_host) + check("device", on_device);
    for (int i = 0; i < 12; i++) {
        if (!(std::fabs(values[i]) <= 1e-6)) {
            printf("several[%d] = %g\n", i, values[i]);
            wrong++;
        }
    }
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
