#!/usr/bin/env bash
# Faults that the processor finds, in programs with the check of memory: they are findings, too. The
# entry in cdp_checks turns the check on without any tests in the code.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/support/checks.bash
. "$top/tests/support/checks.bash"
kinds=api
# Thread entries: of a block entry only the block is known.
entry='__attribute__((section("cdp_checks"), used)) static const unsigned entry = 1;'

cat >"$work/null.cu" <<CU
$entry
__global__ void child(int *p)
{
    if (threadIdx.x == 2) p[threadIdx.x] = 1;
}
__global__ void parent(int *p) { child<<<1, 4>>>(p); }
int main()
{
    parent<<<1, 1>>>(nullptr);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
CU
null() {
    compile null --entry=thread && run null && findings 1 && [ ! -s "$work/err" ] &&
        has "$work/text" "cdp: memory: illegal access to address 0x8" "(cudaErrorIllegalAddress)" \
            "null.cu:4:42, in kernel child, block (0,0,0), thread (2,0,0)" \
            "    4 |     if (threadIdx.x == 2) p[threadIdx.x] = 1;" \
            "launched: child by kernel parent, block (0,0,0) at null.cu:6:34" "parent by the host at null.cu:9:11" &&
        CDP_CHECK_EXIT=9 run null 9
}
check "a null pointer, with the chain of launches" null

# The line is known by the symbolizer only, which adds remarks in parentheses to it.
mkdir "$work/a (b)"
cp "$work/null.cu" "$work/a (b)/null.cu"
parentheses() { compile "a (b)/null" && run "a (b)/null" && findings 1 && has "$work/text" "null.cu:4:42, in kernel child"; }
check "a folder with parentheses in its name" parentheses

# shellcheck disable=SC2016
quotes() {
    local words=("it's" "it's "'$HOME `date` "\' '"$x"' '' plain)
    run null 0 "${words[@]}" &&
        sh -c "printf '<%s>' $(sed -n 's/^  gdb: .* --args [^ ]* //p' "$work/text")" >"$work/words" &&
        printf '<%s>' "${words[@]}" | cmp - "$work/words"
}
check "the command for a debugger quotes the program's arguments" quotes

cat >"$work/stack.cu" <<CU
$entry
__device__ int down(int n)
{
    volatile int a[64];
    a[n & 63] = n;
    return n * down(n - 1) + a[n & 63];
}
__global__ void k(int *p) { *p = down(5); }
int main()
{
    int *p;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    return cudaDeviceSynchronize() == cudaSuccess;
}
CU
stack() {
    compile stack && run stack && findings 1 &&
        has "$work/text" "cdp: memory: stack overflow" ", in down, kernel k, block (0,0,0)"
}
check "an endless recursion" stack
# A deadlock and a timeout: the states of all threads are printed, and then a finding.
kinds=sync
cat >"$work/deadlock.cu" <<'CU'
__global__ void k(volatile int *p, bool waits_in_a_warp)
{
    if (waits_in_a_warp)
        __shfl_sync(threadIdx.x == 0 ? 0xf : 0x3, 1, 0);
    else
        while (*p == 0) {}
}
int main(int argc, char **)
{
    int *p;
    cudaMallocManaged(&p, 4);
    k<<<1, 2>>>(p, argc > 1);
    return cudaDeviceSynchronize() == cudaSuccess;
}
CU
once() { # once TITLE ARGUMENTS...: the launches are in the finding only, or else in the report only
    local title=$1
    shift
    CDP_TIMEOUT=1 run deadlock 0 "$@" && has "$work/text" "sync: $title" "launched: k by the host" "  help: " &&
        has "$work/err" "in kernel k, block (0,0,0), of 2 threads" && ! grep -E "launched by|let masks" "$work/err" &&
        CDP_CHECK=none CDP_TIMEOUT=1 run deadlock 0 "$@" && findings 0 &&
        has "$work/err" "k was launched by the host at main (deadlock.cu:12:6)"
}
compile deadlock || fail "the program that waits compiles"
check "a timeout names its launches once" once "the launch does not complete"
check "a deadlock names its launches once" once "the block's threads wait for each other" x
check "the usual report with CDP_CHECK=api" eval \
    'CDP_CHECK=api run null && findings 0 && has "$work/err" "cdp: cudaErrorIllegalAddress: illegal access"'
finish
