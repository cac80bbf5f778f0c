// cdpcc: --check=init
// stderr: ^cdp: init: copy of 256 bytes of memory that nobody wrote
// stderr: check_init_copy_to_the_host.cu:24:5, in main$
// stderr: memory: 0 bytes into 256 bytes of device memory, allocated at main \(check_init_copy_to_the_host.cu:18:5\)
// stderr: check_init_copy_to_the_host.cu:26:5, in main$
// stderr: cdp: 2 findings
// A copy of the copy tells it, too. A copy of which a part was written is no finding.
__global__ void write(int *out, int n)
{
    if (threadIdx.x < n) {
        out[threadIdx.x] = 1;
    }
}

int main()
{
    int *from, *to, host[64];
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    write<<<1, 64>>>(to, 3);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    write<<<1, 64>>>(from, 0);
    cudaMemcpy(to, from, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, from, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy2DAsync(from, 32, to, 32, 16, 8, cudaMemcpyDeviceToDevice, 0);
    cudaMemcpy2DAsync(host, 32, to, 32, 16, 8, cudaMemcpyDeviceToHost, 0);
    cudaMemset(to, 0, 4);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
}
