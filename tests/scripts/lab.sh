#!/usr/bin/env bash
# cdpcc --lab: the build for exercises. It finds mistakes, ends launches that hang, and its exit status
# tells of both. All kinds of checks work in projects: make, separate compilation, libraries.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 2
unset CDP_TIMEOUT CDP_CHECK_EXIT CDP_ERROR_EXIT CDP_CHECK

cat >right.cu <<'CU'
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void twice(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000, sum = 0, *a;
    std::vector<int> host(n, 1);
    if (cudaMalloc(&a, n * sizeof(int)) != cudaSuccess) return 2;
    if (cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess) return 2;
    twice<<<(n + 63) / 64, 64>>>(a, n);
    if (cudaMemcpy(host.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    for (int x : host) sum += x;
    printf("%d\n", sum);
    return cudaFree(a) != cudaSuccess;
}
CU
cat >wrong.cu <<'CU'
__global__ void half() {
    if (threadIdx.x < 8) {
        __syncthreads();
    }
}
int main() {
    half<<<1, 16>>>();
    return cudaDeviceSynchronize();
}
CU
cat >hangs.cu <<'CU'
#include <cstdio>
__device__ volatile int flag;
__global__ void wait() {
    while (flag == 0) {
    }
}
int main() {
    wait<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CU

# ends STATUS COMMAND...: out and err.
ends() {
    local expected=$1 status
    shift
    limit 100 "$@" >out 2>err
    status=$?
    [ $status = "$expected" ] || { echo "exit status $status, not $expected:"; cat out err; return 1; }
}

runs() { ends 0 "$CDPCC" --lab --run right.cu 2000 && says out '^4000$' && [ ! -s err ]; }
check "--lab --run compiles and runs, with arguments" runs
finds() { ends 1 "$CDPCC" --lab --run wrong.cu && says err 'sync: .* waits at __syncthreads' 'wrong.cu:3:9' 'cdp: 1 finding'; }
check "a mistake is the exit status" finds
builds_again() {
    local command
    "$CDPCC" --check -g -run -DX='a b' wrong.cu 'one two' 2>err &&
        says err "^  gdb: cdpcc -g -G --check '-DX=a b' wrong.cu -o wrong && cdp-gdb .* --args ./wrong 'one two'\$" &&
        command=$(sed -n 's/^  gdb: cdpcc \(.*\) && cdp-gdb .*/\1/p' err) && eval "\"$CDPCC\" $command" && ./wrong 2>err &&
        says err '^  gdb: cdp-gdb .* --args ./wrong$' && "$CDPCC" --check -run -o kept wrong.cu 2>err &&
        says err '^  gdb: cdpcc -g -G --check -o kept wrong.cu && cdp-gdb .* --args ./kept$'
}
check "a finding's debugger line builds the program of --run again" builds_again
overrides() { "$CDPCC" --lab wrong.cu -o wrong && ends 7 env CDP_CHECK_EXIT=7 ./wrong && ends 0 env CDP_CHECK_EXIT=0 ./wrong; }
check "the environment overrides the program's defaults" overrides
ends_hanging() {
    "$CDPCC" --lab hangs.cu -o hangs && ends 1 env CDP_TIMEOUT=1 ./hangs && says out cudaErrorLaunchTimeout &&
        says err 'sync: the launch does not complete' 'hangs.cu:4'
}
check "a launch that hangs ends" ends_hanging
limits_time() {
    local before=$SECONDS
    ends 1 ./hangs && says out cudaErrorLaunchTimeout && [ $((SECONDS - before)) -ge 29 ]
}
[ -z "${CDP_TEST_ALL:-}" ] || check "without CDP_TIMEOUT after 30 seconds" limits_time
knows_lines() { says err 'wrong.cu:3:9' 'launched: half by the host at wrong.cu:7'; }
has_lines() { ends 1 ./wrong && knows_lines && ends 1 "$CDPCC" --lab -O2 --run wrong.cu && knows_lines; }
check "the lines of device and host code" has_lines
elsewhere() { (cd / && ! "$work/wrong" 2>"$work/err") && says err '3 \|         __syncthreads\(\);$'; }
check "the line of a barrier, in another folder" elsewhere
keeps_objects() { "$CDPCC" --lab -c wrong.cu -o wrong.o && "$CDPCC" --lab wrong.o -o joined && ends 1 ./joined && knows_lines; }
check "an object, linked with --lab" keeps_objects

# Projects with all checks.
cat >Makefile <<'MAKE'
NVCC = nvcc
all: program
%.o: %.cu
	$(NVCC) -dc $< -o $@
program: main.o child.o
	$(NVCC) -dlink $^ -o link.o -lcudadevrt
	$(NVCC) $^ link.o -o $@ -lcudadevrt
MAKE
cat >main.cu <<'CU'
#include <cstdio>
__global__ void child(int *a);
__global__ void parent(int *a) { child<<<1, 32>>>(a); }
int main() {
    int *a, sum = 0;
    if (cudaMallocManaged(&a, 128) != cudaSuccess) return 2;
    parent<<<1, 1>>>(a);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    for (int i = 0; i < 32; i++) sum += a[i];
    printf("%d\n", sum);
    return cudaFree(a) != cudaSuccess;
}
CU
echo '__global__ void child(int *a) { a[threadIdx.x] = threadIdx.x; }' >child.cu
makes() { make NVCC="$CDPCC --check" && ends 0 ./program && says out '^496$' && [ ! -s err ]; }
check 'make NVCC="cdpcc --check", in three steps' makes
builds() { # builds WORDS...: compiles main.cu so, and links it with child.o
    "$CDPCC" "$@" main.cu child.o -o other && ends 0 ./other && says out '^496$' && [ ! -s err ]
}
for words in -O0 -O1 -O3 -g -G -fsanitize=address -fsanitize=undefined -cudart=shared '-O3 -march=native' -no-pie -std=c++11; do
    # shellcheck disable=SC2086
    check "--check $words" builds --check $words
done
libraries() {
    "$CDPCC" --check -lib child.cu -o libchild.a && "$CDPCC" --check main.cu -L. -lchild -o static &&
        ends 0 ./static && says out '^496$' &&
        sed 's/int main/int work/' main.cu >work.cu && "$CDPCC" --check -shared work.cu child.cu -o libwork.so &&
        echo 'int work(); int main() { return work(); }' >calls.cpp &&
        "$CDPCC" --check calls.cpp -L. -lwork -Xlinker -rpath=. -o calls && ends 0 ./calls && says out '^496$' &&
        "$CDPCC" calls.cpp -L. -lwork -Xlinker -rpath=. -o calls && ends 0 ./calls && says out '^496$'
}
check "static and shared libraries of checked code" libraries
blind() {
    "$CDPCC" -c child.cu -o unchecked.o && "$CDPCC" --check main.cu unchecked.o -o mixed &&
        ends 0 ./mixed && says out '^496$' && says err '1 of 2 object files of mixed were compiled without --check' &&
        [ "$(grep -c 'without --check' err)" = 1 ]
}
check "objects without checks are named once" blind
other_linker() {
    local lib
    lib=$(dirname "$(dirname "$(readlink -f "$(command -v "$CDPCC")")")")/lib
    "$CDPCC" --check -c main.cu -o main.o && "$CDPCC" --check -c child.cu -o child.o &&
        g++ main.o child.o -L"$lib" -lcudart_static -o plain && ends 0 ./plain && says out '^496$' &&
        g++ main.o child.o -L"$lib" -Wl,-rpath,"$lib" -lcudart -o plain &&
        ends 0 ./plain && says out '^496$'
}
check "checked objects, linked by g++" other_linker
# Host accesses to device memory, also if the loop could become a memset, and beside a sanitizer, whose
# runtime has functions of the same names.
cat >host.cu <<'CU'
#include <cstdio>
#include <cstring>
int main() {
    int *a;
    if (cudaMalloc(&a, 1024) != cudaSuccess) return 2;
    for (int i = 0; i < 256; i++) a[i] = 0;
    printf("%d\n", a[5]);
    int b[256] = {1};
    memcpy(a, b, sizeof b);
    memmove(b, a, sizeof b);
    memset(a, b[0], 8);
    return cudaFree(a) != cudaSuccess;
}
CU
host_accesses() {
    "$CDPCC" --check=memory "$@" host.cu -o host && ends 3 env CDP_CHECK_EXIT=3 ./host &&
        says err 'memory: host code writes device memory' 'memory: host code reads device memory' \
            'host.cu:6:' 'host.cu:7:' 'host.cu:9:' 'host.cu:10:' 'host.cu:11:' '^cdp: 5 findings'
}
for words in -O0 -O2 '-O3 -march=native' -fsanitize=address -fsanitize=thread -fsanitize=undefined -cudart=shared; do
    # shellcheck disable=SC2086
    check "host accesses to device memory, $words" host_accesses $words
done
finish
