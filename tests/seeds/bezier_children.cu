// Book, Bezier curves with dynamic parallelism: one thread per curve allocates memory from the
// device's heap and launches a grid that fills it; a last kernel frees the memory.
#include "bezier.h"

#define MAX_TESS_POINTS 32

struct BezierLine {
    float2 CP[3];
    float2 *vertexPos;
    int nVertices;
};

// The text does not define this.
__device__ float computeCurvature(BezierLine *bLines)
{
    return curvatureOf(bLines[threadIdx.x + blockDim.x * blockIdx.x]);
}

__global__ void computeBezierLine_child(int lidx, BezierLine *bLines, int nTessPoints)
{
    int idx = threadIdx.x + blockDim.x * blockIdx.x;
    if (idx < nTessPoints) {
        float u = (float)idx / (float)(nTessPoints - 1);
        float omu = 1.0f - u;
        float B3u[3];
        B3u[0] = omu * omu;
        B3u[1] = 2.0f * u * omu;
        B3u[2] = u * u;
        float2 position = {0, 0};
        for (int i = 0; i < 3; i++) {
            position = position + B3u[i] * bLines[lidx].CP[i];
        }
        bLines[lidx].vertexPos[idx] = position;
    }
}

__global__ void computeBezierLines_parent(BezierLine *bLines, int nLines)
{
    int lidx = threadIdx.x + blockDim.x * blockIdx.x;
    if (lidx < nLines) {
        float curvature = computeCurvature(bLines);

        bLines[lidx].nVertices = min(max((int)(curvature * 16.0f), 4), MAX_TESS_POINTS);
        cudaMalloc((void **)&bLines[lidx].vertexPos, bLines[lidx].nVertices * sizeof(float2));

        computeBezierLine_child<<<ceil((float)bLines[lidx].nVertices / 32.0f), 32>>>(
            lidx, bLines, bLines[lidx].nVertices);
    }
}

__global__ void freeVertexMem(BezierLine *bLines, int nLines)
{
    int lidx = threadIdx.x + blockDim.x * blockIdx.x;
    if (lidx < nLines)
        cudaFree(bLines[lidx].vertexPos);
}

// Added: the host cannot copy from the device's heap.
__global__ void gather(BezierLine *bLines, int nLines, float2 *points)
{
    int lidx = threadIdx.x + blockDim.x * blockIdx.x;
    for (int i = 0; lidx < nLines && i < bLines[lidx].nVertices; i++) {
        points[lidx * MAX_TESS_POINTS + i] = bLines[lidx].vertexPos[i];
    }
}

#define N_LINES 256
#define BLOCK_DIM 64

int main(int argc, char **argv)
{
    BezierLine *bLines_h = new BezierLine[N_LINES];
    initializeBLines(bLines_h, N_LINES);

    BezierLine *bLines_d;
    cudaMalloc((void **)&bLines_d, N_LINES * sizeof(BezierLine));
    cudaMemcpy(bLines_d, bLines_h, N_LINES * sizeof(BezierLine), cudaMemcpyHostToDevice);

    computeBezierLines_parent<<<ceil((float)N_LINES / (float)BLOCK_DIM), BLOCK_DIM>>>(bLines_d,
                                                                                      N_LINES);

    // Added: the text does not check results.
    float2 *points;
    int right = 0;
    cudaMallocManaged(&points, N_LINES * MAX_TESS_POINTS * sizeof(float2));
    gather<<<N_LINES / BLOCK_DIM, BLOCK_DIM>>>(bLines_d, N_LINES, points);
    cudaMemcpy(bLines_h, bLines_d, N_LINES * sizeof(BezierLine), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N_LINES; i++) {
        right += isTessellated(bLines_h[i], points + i * MAX_TESS_POINTS);
    }
    printf("%d of %d right\n", right, N_LINES);

    freeVertexMem<<<ceil((float)N_LINES / (float)BLOCK_DIM), BLOCK_DIM>>>(bLines_d, N_LINES);
    cudaFree(bLines_d);
    delete[] bLines_h;
}
