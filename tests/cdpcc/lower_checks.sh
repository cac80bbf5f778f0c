#!/bin/bash
# Code that clang accepts and CUDA does not: an error with the file and the line.
# rules: S4 S32
. "$(dirname "$0")/support.bash"

# says NAME TEXT FLAGS...: compiling the source on standard input fails with TEXT.
says() {
    local name=$1 text=$2
    shift 2
    cat >"$name.cu"
    if "$CDPCC" -c "$@" "$name.cu" -o "$name.o" 2>err.txt; then
        fail "$name" "accepted"
    elif grep -qF -- "$name.cu:$text" err.txt; then
        ok "$name"
    else
        fail "$name" "$(cat err.txt)"
    fi
}

says store_to_constant "3:7: error: device code writes to the __constant__ variable 'c'" <<'CU'
__constant__ int c;
__global__ void k() {
    c = 1;
}
CU
says store_to_element "2:35: error: device code writes to the __constant__ variable 'a'" <<'CU'
__constant__ struct { int x[4]; } a;
__device__ void f(int i) { a.x[i] = 1; }
CU
says memcpy_to_constant "2:29: error: device code writes to the __constant__ variable 'a'" <<'CU'
__constant__ int a[4];
__device__ void f(int *p) { __builtin_memcpy(a, p, sizeof a); }
CU
says reference_parameter "2: error: parameter 2 of kernel 'k' is a reference" <<'CU'

__global__ void k(int a, int &b) { b = a; }
CU
says rvalue_reference "1: error: parameter 1 of kernel" <<'CU'
__global__ void k(int &&b) { b = 1; }
CU
says variadic_kernel "1: error: kernel 'k' has '...'" <<'CU'
__global__ void k(int a, ...) {}
CU
says too_many_bytes "2: error: the parameters of kernel 'k' take 32768 bytes; at most 32764" <<'CU'
struct Large { char c[32768]; };
__global__ void k(Large l) {}
CU
says too_many_bytes_cdp1 "2: error: the parameters of kernel 'k' take 4097 bytes; at most 4096" --cdp=1 <<'CU'
struct Large { char c[4097]; };
__global__ void k(Large l) {}
CU
says launch_without_rdc "3:5: error: a kernel launch from device code needs separate compilation (-rdc=true)" -rdc=false <<'CU'
__global__ void child() {}
__global__ void parent() {
    child<<<1, 1>>>();
}
CU

# Several errors are reported together.
printf '__constant__ int c;\n__global__ void k(int &r) { c = 1; }\n' >both.cu
"$CDPCC" -c both.cu 2>err.txt
[ "$(grep -c ' error: ' err.txt)" = 2 ] && ok errors_together || fail errors_together "$(cat err.txt)"

# Similar code that is correct is accepted.
cat >fine.cu <<'CU'
__constant__ int c[4];
__device__ int d;
__global__ void k(int *p, const int *q) { const int &r = c[1]; *p = r + *q; d = c[2]; }
CU
check reads_of_constants "$CDPCC" -c fine.cu
# Messages name a file by the given path, wherever it is.
mkdir -p here there
cat >there/far.cu <<'CU'
__global__ void child(int *p) { *p = 1; }
__global__ void k() {
    int x = 0;
    child<<<1, 1>>>(&x);
}
CU
cat >there/wrong.cu <<'CU'
__constant__ int c;
__global__ void k() { *(int *)&c = 1; }
CU
named() { # named FOLDER: warnings, notes and errors have this path, and the right lines
    (cd here && for unit in far wrong; do "$CDPCC" -c "$1/$unit.cu" -o $unit.o; done) >out.txt 2>err.txt
    grep -qF "$1/wrong.cu:2:34: error: device code writes" err.txt &&
        grep -qF "$1/far.cu:4:5: warning: pointer to local" err.txt &&
        grep -qF "$1/far.cu:3:9: note: 'x' declared here" err.txt &&
        grep -qF '4 |     child<<<1, 1>>>(&x);' err.txt
}
for folder in "$work/there" ../there; do
    [ "$folder" = ../there ] && name=relative || name=absolute
    named "$folder" && ok "files_by_${name}_paths_are_named_so" ||
        fail "files_by_${name}_paths_are_named_so" "$(cat err.txt)"
done
finish
