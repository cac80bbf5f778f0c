// The book's Bezier curves, second version: a thread for each curve takes memory of the
// device's heap and launches a grid that fills it; a last kernel frees it.
#include "units/bezier.h"
struct NestedLine {
    float2 CP[3];
    float2 *vertexPos; // of the device's heap
    int nVertices;
};
__global__ void computeBezierLine_child(int lidx, NestedLine *bLines, int nTessPoints) {
    int idx = threadIdx.x + blockDim.x * blockIdx.x;
    if (idx < nTessPoints) {
        bLines[lidx].vertexPos[idx] = pointAt(bLines[lidx].CP, idx, nTessPoints);
    }
}
__global__ void computeBezierLines_parent(NestedLine *bLines, int nLines) {
    int lidx = threadIdx.x + blockDim.x * blockIdx.x;
    if (lidx >= nLines) {
        return;
    }
    int n = pointsFor(bLines[lidx].CP);
    bLines[lidx].nVertices = n;
    cudaMalloc((void **)&bLines[lidx].vertexPos, n * sizeof(float2));
    computeBezierLine_child<<<(n + 31) / 32, 32>>>(lidx, bLines, n);
}
// The host may not read the device's heap by cudaMemcpy: a kernel copies the points out.
__global__ void gather(const NestedLine *bLines, int nLines, float2 *out) {
    int lidx = threadIdx.x + blockDim.x * blockIdx.x;
    for (int i = 0; lidx < nLines && i < bLines[lidx].nVertices; i++) {
        out[lidx * MAX_TESS_POINTS + i] = bLines[lidx].vertexPos[i];
    }
}
__global__ void freeVertexMem(NestedLine *bLines, int nLines) {
    int lidx = threadIdx.x + blockDim.x * blockIdx.x;
    if (lidx < nLines && cudaFree(bLines[lidx].vertexPos) != cudaSuccess) {
        printf("curve %d was not freed\n", lidx);
    }
}
int main() {
    NestedLine *bLines;
    float2 *points;
    MUST(cudaMallocManaged(&bLines, N_LINES * sizeof(NestedLine)));
    MUST(cudaMallocManaged(&points, N_LINES * MAX_TESS_POINTS * sizeof(float2)));
    for (int i = 0; i < N_LINES; i++) {
        makeControlPoints(bLines[i].CP, i);
    }
    const int blocks = (N_LINES + BLOCK_DIM - 1) / BLOCK_DIM;
    computeBezierLines_parent<<<blocks, BLOCK_DIM>>>(bLines, N_LINES);
    gather<<<blocks, BLOCK_DIM>>>(bLines, N_LINES, points);
    freeVertexMem<<<blocks, BLOCK_DIM>>>(bLines, N_LINES);
    MUST(cudaDeviceSynchronize());
    int right = 0;
    for (int i = 0; i < N_LINES; i++) {
        right += isRight(i, bLines[i].nVertices, points + i * MAX_TESS_POINTS);
    }
    printf("%d of %d right\n", right, N_LINES);
}
