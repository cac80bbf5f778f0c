// error: error: no template named 'texture'
texture<float, 2, cudaReadModeElementType> image;
__global__ void read(float *out)
{
    *out = tex2D(image, 0, 0);
}
int main()
{
}
