#!/bin/bash
# A debugger shows shared variables and threadIdx by their names.
. "$(dirname "$0")/support.bash"
command -v gdb >/dev/null || { echo "ok skipped: gdb is not installed"; exit 0; }

cat >shown.cu <<'CU'
__shared__ float table[3];
__device__ int helper(int x) {
    return x + threadIdx.x + 1; // line 3
}
__global__ void kernel(int *p) {
    __shared__ int cells[4];
    cells[threadIdx.x] = 10 + threadIdx.x;
    table[threadIdx.x % 3] = 2.5f;
    __syncthreads();
    p[threadIdx.x] = helper(cells[3 - threadIdx.x]); // line 10
}
int main() {
    int *p;
    cudaMallocManaged(&p, 4 * sizeof *p);
    kernel<<<dim3(2, 1, 1), 4>>>(p);
    return cudaDeviceSynchronize();
}
CU
"$CDPCC" -g -G shown.cu -o shown || exit 1
CDP_WORKERS=1 limit 120 gdb -q -nx -batch -iex 'set debuginfod enabled off' \
    -ex 'break shown.cu:10' -ex run -ex 'print cells' -ex 'print table' -ex 'print gridDim' \
    -ex 'delete' -ex 'break helper' -ex continue -ex 'print threadIdx.x < 4' -ex 'print blockDim.x' \
    -ex kill ./shown >out.txt 2>&1
shows() {
    grep -qF -- "$2" out.txt && ok "$1" || fail "$1" "$(tail -n 12 out.txt)"
}
shows shared_array_of_the_kernel '$1 = {10, 11, 12, 13}'
shows shared_array_of_the_file '$2 = {2.5, 2.5, 2.5}'
shows grid_dimensions '$3 = {x = 2, y = 1, z = 1}'
shows thread_index_in_a_device_function '$4 = true'
shows block_dimensions_in_a_device_function '$5 = 4'
finish
