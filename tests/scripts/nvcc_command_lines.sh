#!/usr/bin/env bash
# The documents' command lines of nvcc work with cdpcc in place of nvcc.
# rules: S50
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cp "$top/examples/hello_cdp1.cu" "$work/hello.cu"
cd "$work" || exit 2
cat >other.cu <<'CU'
#include <cstdio>
__global__ void child() { printf("child in another unit\n"); }
CU
cat >main.cu <<'CU'
__global__ void child();
__global__ void parent() { child<<<1, 1>>>(); }
int work() {
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
CU
cat >main.cpp <<'CPP'
int work();
int main() { return work(); }
CPP
libraries=$(dirname "$(dirname "$(readlink -f "$(command -v "$CDPCC")")")")/lib

prints_hello() { [ "$(./hello)" = "Hello World!" ]; }
one_step() { "$CDPCC" -arch=sm_35 -rdc=true hello.cu -o hello -lcudadevrt && prints_hello; }
two_steps() {
    "$CDPCC" -arch=sm_35 -dc hello.cu -o hello.o && "$CDPCC" -arch=sm_35 hello.o -o hello -lcudadevrt &&
        prints_hello
}
device_link_with_gxx() {
    "$CDPCC" -rdc=true -dc main.cu other.cu && "$CDPCC" -rdc=true -dlink main.o other.o -o link.o -lcudadevrt &&
        g++ main.cpp main.o other.o link.o -L"$libraries" -lcudart -lcudadevrt -o program &&
        LD_LIBRARY_PATH=$libraries ./program >out && says out 'child in another unit'
}
gencode() {
    "$CDPCC" -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_80,code=sm_80 -rdc=true -m64 \
        -Xcompiler -Wall,-O2 -Xptxas -v -O3 --expt-extended-lambda -use_fast_math -maxrregcount=32 \
        -lineinfo hello.cu -o hello -lcudart -lcudadevrt && prints_hello
}
archive() {
    "$CDPCC" -dc other.cu -o other.o && rm -f libother.a && ar rcs libother.a other.o &&
        "$CDPCC" -x cu main.cu main.cpp -L. -lother -o program && ./program >out && says out 'another unit'
}
shared_library() {
    "$CDPCC" -shared -Xcompiler -fPIC main.cu other.cu -o libwork.so && "$CDPCC" main.cpp -L. -lwork \
        -Xlinker -rpath=. -o program && ./program >out && says out 'another unit'
}
run_at_once() { [ "$("$CDPCC" --run hello.cu)" = "Hello World!" ]; }
from_elsewhere() {
    mkdir -p sub && (cd sub && "$CDPCC" ../hello.cu && ./a.out) >out && says out 'Hello World'
}
dependencies() {
    echo '__device__ int x;' >part.h && echo '#include "part.h"' | cat - hello.cu >with.cu &&
        "$CDPCC" -MD -MF with.d -dc with.cu -o with.o && says with.d 'with\.o' 'part\.h'
}
leaves_nothing_behind() {
    mkdir -p tmp && TMPDIR=$work/tmp "$CDPCC" hello.cu -o hello && TMPDIR=$work/tmp "$CDPCC" --run hello.cu &&
        [ -z "$(ls -A tmp)" ] && (echo 'int main() { return x; }' >bad.cu
        ! TMPDIR=$work/tmp "$CDPCC" bad.cu -o bad) && [ -z "$(ls -A tmp)" ]
}
check "one step: -arch=sm_35 -rdc=true -lcudadevrt" one_step
check "two steps: -dc, link" two_steps
check "-dc, -dlink, g++" device_link_with_gxx
check "-gencode and the flags of real makefiles" gencode
check "archive" archive
check "shared library" shared_library
check "--run" run_at_once
run_program() { # nvcc gives its words to a shell, and meson 1.0 adds quotation marks
    local nvcc
    nvcc=$(dirname "$CDPCC")/nvcc
    "$nvcc" hello.cu -cudart shared -o greet && [ "$("$nvcc" --run ./greet)" = "Hello World!" ] &&
        [ "$("$nvcc" --run "\"$PWD/greet\"")" = "Hello World!" ] && ! "$nvcc" --run ./nothing 2>err &&
        says err "nothing"
}
check "--run of a program" run_program
check "from another directory, to a.out" from_elsewhere
check "-MD -MF" dependencies
check "no temporaries left" leaves_nothing_behind
driver_alone() { # the driver API without the runtime API
    printf '#include <cuda.h>\n#include <cstdio>\nint main() { int n = -1, r = cuInit(0); cuDeviceGetCount(&n); printf("%%d %%d\\n", r, n); }\n' >driver.cpp &&
        "$(dirname "$CDPCC")/nvcc" -cudart none driver.cpp -o driver -lcuda && [ "$(./driver)" = "0 1" ]
}
check "-cudart none with -lcuda" driver_alone
finish
