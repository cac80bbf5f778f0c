// cdpcc: --check=init
// optimized: member functions are not inlined
// stderr: cdp: init: an element of local variable 'bins' is used, but nothing wrote it
// stderr: check_init_parts_of_variables.cu:20:23, in kernel array, block \(0,0,0\), thread \(0,0,0\)
// stderr: cdp: init: a member of local variable 'mean' is used, but nothing wrote it
// stderr: check_init_parts_of_variables.cu:12:40, in add, kernel object, block \(0,0,0\), thread \(0,0,0\)
// stderr: check_init_parts_of_variables.cu:36:18, in kernel passed, block \(0,0,0\), thread \(0,0,0\)
// stderr: cdp: 3 findings
struct Mean {
    float sum;
    int count;
    __device__ void add(float x) { sum += x; count++; }
    __device__ Mean() : count(0) {}
    __device__ float result() const { return count == 0 ? 0 : sum / count; }
};
__global__ void array(const int *a, int *out, int n)
{
    int bins[8];
    for (int i = 0; i < n; i++) {
        bins[a[i] & 7]++;
    }
    *out = bins[0];
}
__global__ void object(int *out)
{
    Mean mean;
    mean.add(3);
    *out = (int)mean.result();
}
// An element of an array counts as used if it is stored somewhere.
__global__ void passed(int *out, int n)
{
    int last[4];
    for (int i = 1; i < n; i++) last[i % 4] = i;
    if (threadIdx.x == 0)
        out[0] = last[0];
}

int main()
{
    int *a, *out;
    cudaMallocManaged(&a, 32 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 32; i++) a[i] = 0;
    array<<<1, 1>>>(a, out, 32);
    object<<<1, 1>>>(out);
    passed<<<1, 32>>>(out, 4);
    cudaDeviceSynchronize();
}
