// What nvcc 13 accepts of __half and __nv_bfloat16, and what it refuses: the lines that end in "no".
// half_conversions.sh compares.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
__device__ void take_f(float);
__device__ void take_i(int);
__device__ void take_d(double);
__device__ void take_h(half);
__device__ void take_both(int);
__device__ void take_both(float);
__device__ void take_fd(float);
__device__ void take_fd(double);
template <class T> __device__ void take_t(T, T);
#define TRY(name, ...) \
    __device__ void name(half h, half g, __nv_bfloat16 q0, float f0, int i0, bool b0, int *a) { __VA_ARGS__ }
TRY(f1, float f = h;)
TRY(f2, double f = h;)
TRY(f3, int i = h;)
TRY(f4, unsigned u = h;)
TRY(f5, long l = h;)
TRY(f6, unsigned long ul = h;)
TRY(f7, long long ll = h;)
TRY(f8, short s = h;)
TRY(f9, unsigned char c = h;)
TRY(f10, signed char c = h;)
TRY(f11, char c = h;)
TRY(f12, bool b = h;)
TRY(f13, long double f = h;) // no
TRY(f14, if (h) f0 = 1;)
TRY(f15, while (!h) break;)
TRY(f16, f0 = h && g;)
TRY(f17, f0 = h ? 1 : 2;)
TRY(f18, f0 = !h;)
TRY(f19, half x = h + g;)
TRY(f20, half x = h * 2.0f;) // no
TRY(f21, half x = h * 2;) // no
TRY(f22, half x = h * 2.0;) // no
TRY(f23, half x = 2.0f * h;) // no
TRY(f24, half x = h + (half)1.0f;)
TRY(f25, half x = h + __float2half(1);)
TRY(f26, float x = f0 + (float)h;)
TRY(f27, float x = f0 * h;) // no
TRY(f28, f0 += h;) // no
TRY(f29, i0 += h;) // no
TRY(f30, h += 1.0f;)
TRY(f31, h += g;)
TRY(f32, h = 1;)
TRY(f33, h = 1.5;)
TRY(f34, h = 2.0f;)
TRY(f35, h = 'a';)
TRY(f36, h = true;)
TRY(f37, h = 3L;) // no
TRY(f38, h = 3UL;) // no
TRY(f39, f0 = h < g;)
TRY(f40, f0 = h < 1.0f;) // no
TRY(f41, f0 = h == 0;) // no
TRY(f42, f0 = h > 0.0f;) // no
TRY(f43, i0 = i0 << h;) // no
TRY(f44, a[h] = 1;)
TRY(f45, f0 = fabsf(h);)
TRY(f46, f0 = fabs(h);) // no
TRY(f47, f0 = sqrtf(h);)
TRY(f48, f0 = sqrt(h);) // no
TRY(f49, f0 = max(h, g);) // no
TRY(f50, f0 = fmaxf(h, g);)
TRY(f51, f0 = fmax(h, g);) // no
TRY(f52, f0 = exp(h);) // no
TRY(f53, f0 = pow(h, 2);) // no
TRY(f54, f0 = static_cast<float>(h);)
TRY(f55, i0 = static_cast<int>(h);)
TRY(f56, i0 = (int)h;)
TRY(f57, i0 = (unsigned char)h;)
TRY(f58, b0 = (bool)h;)
TRY(f59, half x(i0); )
TRY(f60, half x(1.0);)
TRY(f61, half x = {1.0f};)
TRY(f62, half x{1};)
TRY(f63, half2 y = {h, g};)
TRY(f64, half2 y = half2(h, g);)
TRY(f65, half2 y(h, g);)
TRY(f66, half x = -h;)
TRY(f67, half x = h++;)
TRY(f68, half x = f0 > 0 ? h : g;)
TRY(f69, float x = f0 > 0 ? h : 0.0f;) // no
TRY(f70, float x = f0 > 0 ? (float)h : 0.0f;)
TRY(f71, half x = f0 > 0 ? h : __half(0);)
TRY(f72, take_f(h);)
TRY(f73, take_i(h);)
TRY(f74, take_d(h);)
TRY(f75, take_h(1.0f);)
TRY(f76, take_h(1);)
TRY(f77, take_h(1.0);)
TRY(f78, take_both(h);) // no
TRY(f79, take_fd(h);)
TRY(f80, take_t(h, h);)
TRY(f81, const int &r = h; i0 = r;)
TRY(f82, const float &r = h; f0 = r;)
TRY(f83, int &&r = h; i0 = r;)
TRY(f84, switch ((int)h) { default: break; })
TRY(f85, switch (h) { default: break; }) // no
TRY(f86, enum E { A, B }; E e = (E)(int)h; i0 = e;)
TRY(f87, __nv_bfloat16 q = h;) // no
TRY(f88, __nv_bfloat16 q = (__nv_bfloat16)(float)h;)
TRY(f89, __nv_bfloat16 q = __nv_bfloat16(h);)
TRY(f90, half x = (half)q0;)
TRY(f91, half x = q0 + h;) // no
TRY(f92, f0 = q0 * q0;)
TRY(f93, f0 = (float)q0 * h;) // no
TRY(f94, __half_raw r = h; i0 = r.x;)
TRY(f95, half x = (half)(h * g) / (half)2;)
TRY(f96, half x = __hadd(h, g);)
TRY(f97, half x = __hadd(h, 1.0f);) // no
TRY(f98, half x = h / g - h * g;)
TRY(f99, i0 = h - g;)
TRY(f100, volatile half *v = &h; half w; w = *(half*)v;)
TRY(f101, printf("%f", (float)h);)
TRY(f102, half x = atomicAdd(&h, g);)
TRY(f103, wchar_t w = h;) // no
TRY(f104, long double f = fabsl(h);) // no
TRY(f105, __int128 i = h;) // no
TRY(f106, char16_t c = h;) // no
TRY(f107, f0 = h[a];)
TRY(f108, f0 = a[(int)h];)
TRY(f109, h += 1;)
TRY(f110, h -= i0;)
TRY(f111, h *= f0;)
TRY(f112, g = h + i0;) // no
TRY(f113, bool x = h == 1;) // no
TRY(f114, bool x = h && true;)
TRY(f115, half2 y = y + h;) // no
TRY(f116, half2 y; y.x = h; y = y * y; f0 = (float)y.x;)
TRY(f117, half2 y; y += y; y = -y; i0 = y == y;)
TRY(f118, half2 y; y++; --y;)
TRY(f119, half x = h; x /= g; x -= g; --x;)
TRY(f120, int x[(int)3] = {h};)
TRY(f121, int x = {h};)
TRY(f122, float x = {h};)
TRY(f123, double x{h};)
TRY(f124, short x = h + g;)
TRY(f125, unsigned long long x = h * g;)
TRY(f126, return h;) // no
TRY(f127, const volatile half &v = h; float x = v;) // no
TRY(f128, float x = *&h;)
TRY(f129, double x = (double)h;)
TRY(f130, long double x = (float)h;)
TRY(f131, long double x = (long double)h;) // no
