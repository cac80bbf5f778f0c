// The book's Bezier curves, first version: a block for each curve, no child grids.
#include "units/bezier.h"
__global__ void computeBezierLines(BezierLine *bLines, int nLines) {
    int b = blockIdx.x;
    if (b >= nLines) {
        return;
    }
    int n = pointsFor(bLines[b].CP);
    if (threadIdx.x == 0) {
        bLines[b].nVertices = n;
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        bLines[b].vertexPos[i] = pointAt(bLines[b].CP, i, n);
    }
}
int main() {
    BezierLine *bLines;
    MUST(cudaMallocManaged(&bLines, N_LINES * sizeof(BezierLine)));
    for (int i = 0; i < N_LINES; i++) {
        makeControlPoints(bLines[i].CP, i);
    }
    computeBezierLines<<<N_LINES, BLOCK_DIM>>>(bLines, N_LINES);
    MUST(cudaDeviceSynchronize());
    int right = 0;
    for (int i = 0; i < N_LINES; i++) {
        right += isRight(i, bLines[i].nVertices, bLines[i].vertexPos);
    }
    printf("%d of %d right\n", right, N_LINES);
}
