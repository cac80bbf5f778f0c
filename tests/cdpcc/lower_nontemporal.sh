#!/bin/bash
# Contiguous stores of a large grid are nontemporal if they are whole cache lines. This holds only
# for memory that the kernel does not read, that the next block continues, and in kernels that do
# not order accesses themselves. A fence follows them.
. "$(dirname "$0")/support.bash"

cat >stream.cu <<'CU'
#define I (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void copy(const float *in, float *out) { out[I] = in[I]; }
__global__ void fill(unsigned char *out, int n) { if (I < n) out[I] = 7; }
__global__ void two(float *a, double *b, int n) { if (I < n) { a[I] = 1; b[I] = 2; } }
__global__ void either(const float *in, float *out, int n) {
    if (I >= n) return;
    if (I == 0 || I == n - 1) out[I] = in[I];
    else out[I] = in[I - 1] + in[I + 1];
}
__global__ void turned(const float *in, float *out, int side) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * side + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void rows(const float *in, float *out, int side) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y) out[(y + j) * side + x] = in[(y + j) * side + x];
}
__global__ void columns(const float *in, float *out, int n) {
    unsigned i = blockIdx.y * blockDim.x + threadIdx.x;
    out[i * 2 / 2 + blockIdx.x * 4096] = in[I];
}
__global__ void in_place(float *x) { x[I] = x[I] + 1; }
__global__ void one_for_all(const float *in, float *out) { out[threadIdx.x] = in[I]; }
__global__ void apart(const float *in, float *out) { out[2 * I] = in[I]; }
__global__ void fenced(const float *in, float *out, int *flag) {
    out[I] = in[I];
    __threadfence();
    flag[I] = 1;
}
__global__ void counted(const float *in, float *out, int *count) {
    out[I] = in[I];
    atomicAdd(count, 1);
}
__global__ void again(const float *in, float *out, int n) {
    for (int i = 0; i < n; i++) out[I] = in[I] * i;
}
__global__ void strides(const float *in, float *out, int n) {
    for (int i = I; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void local(float *out) {
    __shared__ float s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s[255];
}
CU
goes_past() { # goes_past FILE KERNEL: its contiguous stores, and the fence after them
    local rows choice
    rows=$(sed -n "/^define.*cdp\.\(one_row\|rows\)\._Z[0-9]*$2[A-Z0-9]*P/,/^}/p" "$1")
    choice=$(sed -n "/^define.*cdp\.block\._Z[0-9]*$2[A-Z0-9]*P/,/^}/p" "$1")
    [ -n "$rows" ] && [ -n "$choice" ] || return 2
    grep -q 'store .*!nontemporal' <<<"$rows" && grep -q 'sfence' <<<"$choice"
}
stays() {
    goes_past "$1" "$2"
    [ $? -eq 1 ] && ! sed -n "/^define.*$2/,/^}/p" "$1" | grep -qE 'sfence|nontemporal'
}
for machine in x86-64 x86-64-v3 x86-64-v4; do
    "$CDPCC" -O2 -S -emit-llvm -march=$machine --entry=block stream.cu -o $machine.ll ||
        fail "compile for $machine"
    for kernel in copy two either rows; do
        check "$machine: $kernel uses nontemporal stores" goes_past $machine.ll $kernel
    done
    for kernel in in_place turned columns one_for_all apart fenced counted again strides local; do
        check "$machine: $kernel does not" stays $machine.ll $kernel
    done
done
# A store that is smaller than any register is not nontemporal.
check "x86-64-v4: fill uses nontemporal stores" goes_past x86-64-v4.ll fill
check "x86-64-v3: fill does not" stays x86-64-v3.ll fill
# A contiguous store may begin at any address: without the test, the processor would fault.
is_tested() { grep -B4 'label %past' x86-64-v4.ll | grep -qE 'icmp eq i64 .*, 0|and i64 .*, 63'; }
check "alignment is tested" is_tested
# The kernel reads nothing of the block: the optimizer removes that parameter, for blocks of one
# size.
cat >forgets.cu <<'CU'
__global__ void __launch_bounds__(256) forgets(const float *in, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = in[0];
    __syncthreads();
    out[i] = v + threadIdx.x;
}
CU
for level in -O1 -O2 -O3; do
    CDPCC_VERIFY=1 "$CDPCC" $level -c --entry=block forgets.cu -o forgets.o 2>forgets.txt &&
        ok "forgets $level" || fail "forgets $level" "$(cat forgets.txt)"
done
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block forgets.cu -o forgets.ll || fail forgets
is_past() { sed -n '/^define.*cdp\.fixed1\./,/^}/p' forgets.ll | grep -q 'store .*!nontemporal'; }
check "forgets uses nontemporal stores" is_past
finish
