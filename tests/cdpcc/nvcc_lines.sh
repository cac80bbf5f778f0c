#!/bin/bash
# The command lines in NVIDIA's documents work if nvcc is replaced by cdpcc.
. "$(dirname "$0")/support.bash"

# runs NAME PROGRAM TEXT
runs() {
    local got
    got=$("./$2" 2>&1)
    [ "$got" = "$3" ] && ok "$1" || fail "$1" "prints '$got'"
}

check one_step "$CDPCC" -arch=sm_35 -rdc=true hello.cu -o hello -lcudadevrt
runs one_step_runs hello "child 7"

check compile_step "$CDPCC" -arch=sm_35 -dc hello.cu -o hello.o
check link_step "$CDPCC" -arch=sm_35 -rdc=true hello.o -o hello2 -lcudadevrt
runs two_steps_run hello2 "child 7"

cat >main.cu <<'EOF'
__global__ void parent(int);
int main() { parent<<<1, 1>>>(3); return cudaDeviceSynchronize() != cudaSuccess; }
EOF
cat >parent.cu <<'EOF'
__global__ void child(int);
__global__ void parent(int x) { child<<<1, 1>>>(x); }
EOF
cat >child.cu <<'EOF'
#include <stdio.h>
__global__ void child(int x) { printf("child %d\n", x); }
EOF
check separate_units "$CDPCC" -rdc=true -dc main.cu parent.cu child.cu
check device_link_step "$CDPCC" -arch=sm_35 -dlink main.o parent.o child.o -o link.o -lcudadevrt
check final_link_by_gxx g++ main.o parent.o child.o link.o -o three -L"$ROOT/lib64" -lcudadevrt \
    -lcudart_static
runs three_steps_run three "child 3"
check final_link_by_cdpcc "$CDPCC" main.o parent.o child.o -o four
runs units_run four "child 3"

check archive_step "$CDPCC" -lib parent.o child.o -o libkernels.a
check archive_link "$CDPCC" main.o -L. -lkernels -o five
runs archive_runs five "child 3"
check shared_step "$CDPCC" -shared -Xcompiler -fPIC parent.cu child.cu -o libkernels.so
cat >launch.cu <<'EOF'
#include <stdio.h>
__global__ void parent(int);
void launch(int x) { parent<<<1, 1>>>(x); cudaDeviceSynchronize(); }
EOF
check shared_with_launch "$CDPCC" --shared --compiler-options -fPIC launch.cu parent.cu child.cu -o liblaunch.so
echo 'void launch(int); int main() { launch(5); }' >caller.cpp
check shared_link "$CDPCC" caller.cpp -L. -llaunch -Xlinker -rpath="$work" -o six
runs shared_runs six "child 5"
check shared_link_by_gxx g++ caller.cpp -L. -llaunch -Wl,-rpath,"$work" -o seven
runs shared_by_gxx_runs seven "child 5"

# C and C++ files use the host API.
cat >api.c <<'EOF'
#include <cuda_runtime_api.h>
int count(void) { int n = 0; return cudaGetDeviceCount(&n) == cudaSuccess ? n : -1; }
EOF
cat >use.cpp <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
extern "C" int count(void);
int main() { void *p; printf("%d %d\n", count(), cudaMalloc(&p, 4) == cudaSuccess); }
EOF
check c_and_cxx "$CDPCC" api.c use.cpp -o api -lcudart
runs c_and_cxx_run api "1 1"

# Options that have no meaning here give no messages.
check silent_options "$CDPCC" -c hello.cu -o silent.o -m64 -maxrregcount=32 --maxrregcount 32 \
    -Xptxas -v,-dlcm=ca --ptxas-options=-v -ccbin g++ --expt-extended-lambda --extended-lambda \
    --expt-relaxed-constexpr -lineinfo -use_fast_math -gencode arch=compute_70,code=sm_70 \
    --generate-code=arch=compute_80,code=[compute_80,sm_80] --default-stream per-thread -restrict \
    -Wno-deprecated-gpu-targets -Xcompiler -Wall,-Wextra,-O3 -Xcompiler "-fno-strict-aliasing -g" \
    --std=c++17 -O 2 --threads 4 -diag-suppress 177 -Xcudafe --diag_suppress=177 -ftz=true \
    -prec-div=false -fmad=true -res-usage --relocatable-device-code true
[ -s err.txt ] && fail silent_options_say_nothing "$(cat err.txt)" || ok silent_options_say_nothing

"$CDPCC" --version | grep -q 'release [0-9.]*, V' && ok version || fail version "no release"
"$CDPCC" --help | grep -q -- '--run FILE' && ok help || fail help "no --run"

check compile_wins_over_shared "$CDPCC" -c -shared hello.cu -o wins.o
file wins.o 2>/dev/null | grep -q shared && fail compile_wins_over_shared "is a library"
check object_to_null "$CDPCC" -c hello.cu -o /dev/null
[ -c /dev/null ] && ok null_survives || fail null_survives "/dev/null is gone"
mkdir "a b" && cp hello.cu "a b/c d.cu"
check names_with_blanks "$CDPCC" "a b/c d.cu" -o "a b/e f"
runs names_with_blanks_run "a b/e f" "child 7"
check no_pie "$CDPCC" -no-pie hello.cu -o nopie
runs no_pie_runs nopie "child 7"
check unused_sections "$CDPCC" -Xcompiler -ffunction-sections -Xlinker --gc-sections hello.cu -o gc
runs unused_sections_run gc "child 7"
if command -v ld.lld-22 >/dev/null; then
    check unused_sections_lld "$CDPCC" -fuse-ld=lld -Xlinker --gc-sections hello.cu -o gclld
    runs unused_sections_lld_run gclld "child 7"
    # Options for the linker may be meant for the default one.
    linked_by_lld() { readelf -p .comment "$1" | grep -q 'Linker: .*LLD'; }
    check plain_link "$CDPCC" hello.cu -L. -lm -o plain
    linked_by_lld plain && ok plain_link_by_lld || fail plain_link_by_lld "$(readelf -p .comment plain)"
    linked_by_lld gc && fail options_keep_the_default_linker "by LLD" || ok options_keep_the_default_linker
    # LLD refuses this object, which needs an executable stack. The other linker takes it.
    echo 'int f(int x) { int in(int a) { return a + x; } int (*volatile p)(int) = in; return p(1); }' >nested.c
    gcc -O0 -c nested.c && cat >nested.cu <<'EOF'
extern "C" int f(int);
int main() { return f(2) != 3; }
EOF
    check default_linker_after_lld "$CDPCC" nested.cu nested.o -o nested
    grep -q lld err.txt && fail lld_says_nothing "$(cat err.txt)" || ok lld_says_nothing
    LD_RUN_PATH=$PWD "$CDPCC" hello.cu -o run_path 2>err.txt
    readelf -d run_path | grep -q "PATH.*$PWD" && ok run_path || fail run_path "$(readelf -d run_path)"
fi
cat >assembly.cu <<'EOF'
#include <cstdio>
__global__ void lane()
{
    unsigned number;
    float below, own = threadIdx.x;
    asm("mov.u32 %0, %laneid;" : "=r"(number));
    asm volatile("{ .reg .f32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
                 " @p add.f32 r0, r0, %4; mov.f32 %0, r0;}"
                 : "=f"(below) : "f"(own), "r"(1), "r"(0), "f"(own), "r"(0xffffffff));
    if (number == 5) printf("lane %u: %g\n", number, below);
}
int main() { lane<<<1, 32>>>(); return cudaDeviceSynchronize(); }
EOF
check ptx_assembly "$CDPCC" assembly.cu -o assembly
runs ptx_assembly_runs assembly "lane 5: 9"
cat >managed.cu <<'EOF'
#include <cstdio>
__managed__ int shared_by_both = 1;
static __managed__ int private_to_unit[2] = {5, 6};
__global__ void add() { shared_by_both += private_to_unit[1]; private_to_unit[0]++; }
int main()
{
    shared_by_both = 2;
    add<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d %d\n", shared_by_both, private_to_unit[0]);
}
EOF
check managed "$CDPCC" managed.cu -o managed
runs managed_runs managed "8 6"

printf -- '-DVALUE=3 "-DTEXT=two words" -c\n' >options.rsp
echo 'static_assert(VALUE == 3, ""); int main() {}' >options.cu
check options_file "$CDPCC" @options.rsp options.cu
check options_file_long "$CDPCC" --options-file options.rsp options.cu

# Dependencies name the user's object, not a temporary.
echo '#define VALUE 1' >header.h
echo '#include "header.h"
int value = VALUE;' >depends.cu
check depend_beside "$CDPCC" -MMD -c depends.cu -o sub.o
grep -q '^sub.o: depends.cu' sub.d && grep -q header.h sub.d && ok depend_rule || fail depend_rule "$(cat sub.d)"
check depend_named "$CDPCC" -MD -MP -MF named.dep -MT target -c depends.cu
grep -q '^target: ' named.dep && grep -q '^header.h:' named.dep && ok depend_names || fail depend_names "wrong"
"$CDPCC" -MM depends.cu | grep -q '^depends.o: depends.cu' && ok depend_only || fail depend_only "wrong"

"$CDPCC" -E hello.cu | grep -q 'void parent' && ok preprocess || fail preprocess "no text"
check assembly "$CDPCC" -S hello.cu
grep -q parent hello.s && ok assembly_of_the_device || fail assembly_of_the_device "no parent"
check ir "$CDPCC" -S -emit-llvm hello.cu -o text.ll
grep -q '^define' text.ll && ok ir_is_text || fail ir_is_text "no define"
check bitcode "$CDPCC" -c -emit-llvm hello.cu
[ "$(head -c 2 hello.bc)" = BC ] && ok bitcode_is_bitcode || fail bitcode_is_bitcode "$(head -c 4 hello.bc)"
finish
