// Book, Bezier curves without dynamic parallelism: one block per curve.
#include "bezier.h"

#define MAX_TESS_POINTS 32

struct BezierLine {
    float2 CP[3];
    float2 vertexPos[MAX_TESS_POINTS];
    int nVertices;
};

// The text does not define this.
__device__ float computeCurvature(BezierLine *bLines)
{
    return curvatureOf(bLines[blockIdx.x]);
}

__global__ void computeBezierLines(BezierLine *bLines, int nLines)
{
    int bidx = blockIdx.x;
    if (bidx < nLines) {
        float curvature = computeCurvature(bLines);

        int nTessPoints = min(max((int)(curvature * 16.0f), 4), 32);
        bLines[bidx].nVertices = nTessPoints;

        for (int inc = 0; inc < nTessPoints; inc += blockDim.x) {
            int idx = inc + threadIdx.x;
            if (idx < nTessPoints) {
                float u = (float)idx / (float)(nTessPoints - 1);
                float omu = 1.0f - u;
                float B3u[3];
                B3u[0] = omu * omu;
                B3u[1] = 2.0f * u * omu;
                B3u[2] = u * u;
                float2 position = {0, 0};
                for (int i = 0; i < 3; i++) {
                    position = position + B3u[i] * bLines[bidx].CP[i];
                }
                bLines[bidx].vertexPos[idx] = position;
            }
        }
    }
}

#define N_LINES 256
#define BLOCK_DIM 32

int main(int argc, char **argv)
{
    BezierLine *bLines_h = new BezierLine[N_LINES];
    initializeBLines(bLines_h, N_LINES);

    BezierLine *bLines_d;
    cudaMalloc((void **)&bLines_d, N_LINES * sizeof(BezierLine));
    cudaMemcpy(bLines_d, bLines_h, N_LINES * sizeof(BezierLine), cudaMemcpyHostToDevice);

    computeBezierLines<<<N_LINES, BLOCK_DIM>>>(bLines_d, N_LINES);

    // Added: the text does not check results.
    cudaMemcpy(bLines_h, bLines_d, N_LINES * sizeof(BezierLine), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < N_LINES; i++) {
        right += isTessellated(bLines_h[i], bLines_h[i].vertexPos);
    }
    printf("%d of %d right\n", right, N_LINES);

    cudaFree(bLines_d);
    delete[] bLines_h;
}
