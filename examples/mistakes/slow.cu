__global__ void transpose(const float *in, float *out, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    out[column * n + row] = in[row * n + column];
}

int main()
{
    const int n = 1024;
    float *data;
    cudaMalloc(&data, 2 * n * n * sizeof(float));
    cudaMemset(data, 0, n * n * sizeof(float));
    transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(data, data + n * n, n);
    cudaDeviceSynchronize();
    cudaFree(data);
}
