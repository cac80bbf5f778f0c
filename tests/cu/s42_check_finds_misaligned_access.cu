// cdpcc: --check=space
// stderr: cudaErrorMisalignedAddress: write of 16 bytes at 0x[0-9a-f]+, which must be aligned to 16 bytes
#include <cstdio>

enum Kind { FLOAT4, WORD, DOUBLE, ATOMIC, LOOP, ODD_BYTES };

__global__ void kernel(char *p, Kind kind, int n)
{
    switch (kind) {
    case FLOAT4:
        *(float4 *)(p + 4) = make_float4(1, 2, 3, 4);
        break;
    case WORD:
        *(int *)(p + 2) = 1;
        break;
    case DOUBLE:
        *(double *)(p + 4) = 1;
        break;
    case ATOMIC:
        atomicAdd((int *)(p + n), 1);
        break;
    case LOOP:
        for (int i = 0; i < n; i++) {
            ((short *)(p + 1))[i] = 1;
        }
        break;
    case ODD_BYTES: /* sufficiently aligned for their types */
        p[n] = 1;
        *(short *)(p + 2) = 1;
        ((float4 *)(p + 4))->x = 1;
        memcpy(p + 1, p + 12, 8);
        break;
    }
}

int main()
{
    for (int kind = FLOAT4; kind <= ODD_BYTES; kind++) {
        char *p;
        cudaMalloc(&p, 64);
        kernel<<<1, 1>>>(p, (Kind)kind, 3);
        printf("%d: %d\n", kind, cudaDeviceSynchronize());
        cudaDeviceReset();
    }
}
