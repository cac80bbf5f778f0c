// Bezier curves of the book: what its three versions share.
#pragma once
#include "../show.h"
#include <cmath>
#include <cstring>
#define MAX_TESS_POINTS 32
#define N_LINES 256
#define BLOCK_DIM 32

struct BezierLine {
    float2 CP[3];
    float2 vertexPos[MAX_TESS_POINTS];
    int nVertices;
};

__host__ __device__ inline float computeCurvature(const float2 *CP)
{
    float x = CP[1].x - 0.5f * (CP[0].x + CP[2].x), y = CP[1].y - 0.5f * (CP[0].y + CP[2].y);
    return sqrtf(x * x + y * y);
}
__host__ __device__ inline int pointsFor(const float2 *CP)
{
    int points = (int)(computeCurvature(CP) * 16.0f);
    return points < 4 ? 4 : points > MAX_TESS_POINTS ? MAX_TESS_POINTS : points;
}
__host__ __device__ inline float2 pointAt(const float2 *CP, int i, int n)
{
    float u = (float)i / (float)(n - 1), v = 1.0f - u;
    float2 p;
    p.x = v * v * CP[0].x + 2.0f * u * v * CP[1].x + u * u * CP[2].x;
    p.y = v * v * CP[0].y + 2.0f * u * v * CP[1].y + u * u * CP[2].y;
    return p;
}
// Curve number i; bent more or less.
static inline void makeControlPoints(float2 *CP, int i)
{
    CP[0] = make_float2(0.01f * i, 0.0f);
    CP[1] = make_float2(0.5f, 0.013f * ((i * 37) % 200));
    CP[2] = make_float2(1.0f, 0.002f * i);
}
// Whether the points of curve i are those of a host that computes them alone.
static inline bool isRight(int i, int n, const float2 *points)
{
    float2 CP[3];
    makeControlPoints(CP, i);
    if (n != pointsFor(CP)) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        float2 p = pointAt(CP, k, n);
        if (!(fabsf(p.x - points[k].x) <= 1e-5f && fabsf(p.y - points[k].y) <= 1e-5f)) {
            return false;
        }
    }
    return true;
}
