// The parts that the book's three programs on Bezier curves omit: the arithmetic of float2, the
// curvature, the curves, and a check of the points against a computation by the host.
#pragma once
#include <math.h>
#include <stdio.h>

__host__ __device__ inline float2 operator+(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}
__host__ __device__ inline float2 operator*(float a, float2 b)
{
    return make_float2(a * b.x, a * b.y);
}

// The distance of the middle control point from the midpoint of the others.
template <class Line> __host__ __device__ float curvatureOf(const Line &line)
{
    float2 off = line.CP[1] + -0.5f * (line.CP[0] + line.CP[2]);
    return sqrtf(off.x * off.x + off.y * off.y);
}

template <class Line> void initializeBLines(Line *bLines, int nLines)
{
    for (int i = 0; i < nLines; i++) {
        bLines[i].CP[0] = make_float2(0.01f * i, 0.0f);
        bLines[i].CP[1] = make_float2(0.5f, 0.013f * (i * 37 % 200));
        bLines[i].CP[2] = make_float2(1.0f, 0.002f * i);
    }
}

// Whether vertexPos has the points of a curve of 4 to 32 points; a stronger bend gives more points.
template <class Line> bool isTessellated(const Line &line, const float2 *vertexPos)
{
    int n = (int)(curvatureOf(line) * 16.0f);
    n = n < 4 ? 4 : n > 32 ? 32 : n;
    bool is_right = line.nVertices == n;
    for (int k = 0; is_right && k < n; k++) {
        float u = (float)k / (float)(n - 1), omu = 1.0f - u;
        float2 p = omu * omu * line.CP[0] + 2.0f * u * omu * line.CP[1] + u * u * line.CP[2];
        is_right = fabsf(p.x - vertexPos[k].x) <= 1e-5f && fabsf(p.y - vertexPos[k].y) <= 1e-5f;
    }
    return is_right;
}
