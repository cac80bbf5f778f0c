#!/usr/bin/env bash
# A debugger shows kernels as in the source: breakpoints, backtraces, variables, threadIdx and the
# like. The commands of cuda-gdb: cuda_gdb.sh.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
command -v gdb >/dev/null || { echo "gdb is not installed" >&2; exit 2; }
cd "$work" || exit 2

cat >debug.cu <<'CU'
#include <cstdio>
struct Pair {
    int a, b;
};
__device__ int device(int x) {
    int doubled = 2 * x;
    return doubled + 1; // line 7
}
__global__ void child(int *out, Pair pair) {
    int mine = pair.a + threadIdx.x;
    out[threadIdx.x] = device(mine);
    __syncthreads(); // line 12
    out[threadIdx.x] += pair.b;
}
__global__ void parent(int *out) {
    child<<<2, dim3(4, 2)>>>(out, Pair{10, 20});
    cudaDeviceSynchronize();
    out[0] = 1; // line 18
}
int main() {
    int *out;
    cudaMallocManaged(&out, 100 * sizeof(int));
    parent<<<1, 1>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s\n", out[0], cudaGetErrorName(error));
}
CU
"$CDPCC" -g -G debug.cu -o debug || exit 1
# shellcheck disable=SC2016
sed -n 7p debug.cu | grep -q 'line 7' || exit 2

debug() { # debug COMMANDS... : output of gdb with these commands, in out
    local arguments=() command
    for command in "$@"; do
        arguments+=(-ex "$command")
    done
    # CDP_FAULTS keeps its default: gdb sees signals first anyway.
    CDP_WORKERS=${CDP_WORKERS:-2} limit 120 gdb -q -nx -batch -iex 'set debuginfod enabled off' \
        -x "$top/tools/debug/cdp_gdb.py" "${arguments[@]}" --args ./debug >out 2>&1
}

stops_on_a_line() {
    debug 'break debug.cu:7' run bt 'print x' 'print doubled' up 'print mine' 'print pair' \
        'info args' kill
    says out 'Breakpoint 1, device ' 'at .*debug\.cu:7' '#0 +device \(x=1[0-9]\)' '#1 .*child \(' \
        '\$1 = 1[0-9]' '\$2 = 2[0-9]|\$2 = 3[0-9]' '\$3 = 1[0-9]' '\$4 = \{a = 10, b = 20\}'
}
ends_the_backtrace_at_the_kernel_and_runtime() {
    debug 'break debug.cu:7' run bt kill
    if grep -qE 'corrupt|previous frame|Cannot access' out; then
        cat out
        return 1
    fi
    # The start of a fiber, or the call of the loop on a resting fiber.
    debug 'break debug.cu:7' run 'bt -full-runtime' kill
    grep -E '^#[0-9]+ ' out | tail -n 1 >last
    says last '#[0-9]+ .*(cdp_fiber_entry|cdp_switch_call)'
}
prints_built_ins() {
    debug 'break debug.cu:11 if threadIdx.x == 3 && threadIdx.y == 1 && blockIdx.x == 1' run \
        'print threadIdx' 'print threadIdx.x' 'print blockIdx.x' 'print blockDim' 'print gridDim.x' \
        'print mine' kill
    says out '\$1 = \{x = 3, y = 1, z = 0\}' '\$2 = 3' '\$3 = 1' '\$4 = \{x = 4, y = 2, z = 1\}' \
        '\$5 = 2' '\$6 = 13'
}
breaks_on_a_kernels_name_once() {
    debug 'break child' 'info breakpoints' run 'print pair.b' 'delete' continue
    says out 'Breakpoint 1, child ' '\$1 = 20' '^1 cudaSuccess'
    # One location in the kernel, none in code that cdpcc added.
    [ "$(grep -cE '^1\.[0-9]+ ' out)" -le 2 ] || { cat out; return 1; }
}
steps_line_by_line() {
    debug 'break debug.cu:10 if threadIdx.x == 0 && threadIdx.y == 0' run 'delete' next 'print mine' \
        step 'print x' finish kill
    says out '\$1 = 10' 'device \(x=10\)' '\$2 = 10' 'Value returned is \$3 = 21'
}
sees_a_fault_first() {
    cat >fault.cu <<'CU'
__global__ void bad(int *p) {
    *p = 1; // line 2
}
int main() {
    bad<<<1, 1>>>((int *)16);
    return cudaDeviceSynchronize() == cudaSuccess;
}
CU
    "$CDPCC" -g -G fault.cu -o debug || return 1
    debug run bt 'print p'
    says out 'SIGSEGV' 'fault\.cu:2' '\$1 = .*0x10'
}
# Addresses of local variables that escape, inlined functions, templates: each line with "// code"
# has an address in the device's code.
cat >lines.cu <<'CU'
#include <cstdio>
__device__ int sum(const int *v) { return v[0] + v[1]; }
__device__ int keep(int *v) { printf("%p\n", (void *)v); return v[0]; } // code
__device__ __forceinline__ void arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); // code
}
__device__ __forceinline__ int twice(int x) { return 2 * x; } // code
template <class T> __global__ void both(T *out)
{
    __shared__ T s[64];
    int local[2], t = threadIdx.x; // code
    cudaStream_t stream;
    local[0] = t; // code
    local[1] = 1; // code
    s[t] = sum(local); // code
    s[t] += keep(local); // code
    out[t] = 1; // code
    keep(local); // code
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); // code
    if (t > 64) // code
        arrive(2, 96); // code
    arrive(3, 96); // code
    for (int i = 0; i < 2; i++) { // code
        keep(&local[1]); // code
    }
    __syncthreads(); // code
    __threadfence(); // code
    out[t] = s[63 - t] + twice(3); // code
}
__global__ void plain(int *out)
{
    int local[2] = {1, 2}; // code
    keep(local); // code
    int other = keep(local + 1); // code
    out[0] = // code
        keep(&other); // code
    twice(4); // code
} // code
int main() { both<<<1, 64>>>((int *)0); plain<<<1, 1>>>(0); return 0; }
CU
lines_have_addresses() { # lines_have_addresses FLAGS...
    local line lacking=
    "$CDPCC" "$@" lines.cu -o lines || return 1
    for line in $(grep -n '// code$' lines.cu | cut -d: -f1); do
        echo "info line lines.cu:$line"
    done >lines.gdb
    gdb -q -nx -batch -iex 'set debuginfod enabled off' -x lines.gdb lines >out 2>&1
    for line in $(grep -n '// code$' lines.cu | cut -d: -f1); do
        grep -q "^Line $line of \"lines.cu\" starts at address" out || lacking+=" $line"
    done
    [ -z "$lacking" ] || { echo "without address:$lacking"; cat out; return 1; }
}
for standard in c++14 c++17; do
    check "every line with code has an address, $standard" lines_have_addresses -g -G -std=$standard
done

check "break on a kernel line: stops, bt, variables" stops_on_a_line
check "backtraces end" ends_the_backtrace_at_the_kernel_and_runtime
check "threadIdx, blockIdx, blockDim, gridDim" prints_built_ins
check "break on a kernel's name" breaks_on_a_kernels_name_once
check "next, step, finish" steps_line_by_line
check "the debugger sees a bad access first" sees_a_fault_first
finish
