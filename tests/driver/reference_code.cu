// Device code that tests/driver/references.cu loads.
texture<float, 2, cudaReadModeElementType> image;
texture<int, 1, cudaReadModeElementType> numbers;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
surface<void, 2> target;
__device__ int plain;

extern "C" __global__ void sample(float *out, float x, float y)
{
    out[0] = tex2D(image, x, y);
}

extern "C" __global__ void fetch(int *out, int at)
{
    out[0] = tex1Dfetch(numbers, at);
}

extern "C" __global__ void fraction(float *out, float x, float y)
{
    out[0] = tex2D(bytes, x, y);
}

extern "C" __global__ void draw(float value)
{
    surf2Dwrite(value, target, (int)(threadIdx.x * sizeof(float)), (int)threadIdx.y);
}
