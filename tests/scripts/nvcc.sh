#!/usr/bin/env bash
# PREFIX/bin/nvcc and CUDA_HOME=PREFIX: what build systems other than CMake's CUDA language do.
# rules: S51
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
home=$(dirname "$(dirname "$(readlink -f "$(command -v "$CDPCC")")")")
nvcc=$home/bin/nvcc
export PATH=$home/bin:$PATH CUDA_HOME=$home CUDA_PATH=$home
unset CUDACXX CUDAHOSTCXX LD_LIBRARY_PATH
cd "$work" || exit 2
cat >kernel.cu <<'CU'
#include <cstdio>
#ifndef __NVCC__
#error "nvcc defines __NVCC__"
#endif
#ifdef __CUDA_ARCH__
int device_side;
#endif
__global__ void child(int x) { printf("child %d\n", x); }
__global__ void parent(int x) { child<<<1, 1>>>(x); }
extern "C" int work(int x)
{
    parent<<<1, 1>>>(x);
    return cudaDeviceSynchronize();
}
#ifndef PART
int main() { return work(4); }
#endif
CU
cat >main.c <<'C'
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
int work(int x);
int main(void)
{
    CUdevice device = -1;
    int count = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
        cudaGetDeviceCount(&count) != cudaSuccess || work(5) != 0) {
        return 1;
    }
    printf("device %d of %d\n", device, count);
    return 0;
}
C
prints() { # prints TEXT COMMAND...
    local got
    got=$("${@:2}") || { echo "status $?, prints '$got'"; return 1; }
    [ "$got" = "$1" ] || { echo "prints '$got'"; return 1; }
}

# ---- what nvcc prints ----

version() { "$nvcc" --version >out && says out '^nvcc: NVIDIA \(R\) Cuda compiler driver' ' release [0-9]+\.[0-9]+, V[0-9]+'; }
check "--version has nvcc's lines" version
toolkit() { # also for an input that does not exist
    ! "$nvcc" -v __cmake_determine_cuda >out 2>&1 && says out "^#\\$ TOP=$home$" \
        "^#\\$ NVVMIR_LIBRARY_DIR=$home/nvvm/libdevice$" "^#\\$ INCLUDES=-I$home/include$" '^#\$ PATH=' \
        "'__cmake_determine_cuda'" && [ -d "$home/nvvm/libdevice" ] && [ -e "$home/include/cuda_runtime.h" ]
}
check "-v tells of the toolkit, also when it fails" toolkit
link_line() {
    mkdir -p kept && "$nvcc" -v --keep --keep-dir kept kernel.cu -o kernel 2>out && prints 'child 4' ./kernel &&
        says out "^#\\$ [^ ]*clang.* -L$home/lib64 .*-lcudadevrt -lcudart_static .*-o kernel$" \
            "^#\\$ LIBRARIES=-L$home/lib64$" '-arch compute_80$' && [ -s kept/0-kernel.device.bc ]
}
check "-v shows the linker's command; --keep-dir keeps files" link_line
dry_run() {
    "$nvcc" --dryrun -cudart shared kernel.cu -o never 2>out && says out '^#\$ .*-lcudart .*-o never$' && [ ! -e never ]
}
check "--dryrun only shows the commands" dry_run
preprocessed() { "$nvcc" -E kernel.cu >out && says out 'int device_side'; }
check "-E shows the device's side" preprocessed
one_a_line() {
    "$nvcc" -M -D__CUDACC__ kernel.cu -o depend && says depend '^kernel\.o *: kernel\.cu \\$' &&
        ! grep -E '^ +[^ \\]+ +[^ \\]' depend
}
check "-M names one file a line" one_a_line

# ---- makefiles with CUDA_HOME ----

cat >Makefile <<'MAKE'
NVCC = $(CUDA_HOME)/bin/nvcc
LIBS = -L$(CUDA_HOME)/lib64 -L$(CUDA_HOME)/lib64/stubs
all: shared static
kernel.o: kernel.cu
	$(NVCC) -I$(CUDA_HOME)/include -DPART -dc $< -o $@
link.o: kernel.o
	$(NVCC) -dlink $< -o $@ -lcudadevrt
main.o: main.c
	gcc -I$(CUDA_HOME)/include -c $< -o $@
shared: main.o kernel.o link.o
	gcc $^ -o $@ $(LIBS) -lcudadevrt -lcudart -lcuda -lstdc++
static: main.o kernel.o link.o
	gcc $^ -o $@ $(LIBS) -lcudart_static -lcudadevrt -lnvToolsExt -lpthread -ldl -lrt -lstdc++
MAKE
builds() { make -s all; }
check "make: nvcc compiles, gcc links" builds
check "a program with libcudart.so" prints $'child 5\ndevice 0 of 1' env LD_LIBRARY_PATH="$home/lib64" ./shared
check "a program with libcudart_static.a" prints $'child 5\ndevice 0 of 1' ./static
one_runtime() { # a library for the linker that has a runtime of its own would bring another
    ldd ./shared | grep -q libcdprt && ! ldd ./static | grep -q libcdprt && ! nm ./shared | grep -q ' T cudaMalloc'
}
check "each has one runtime" one_runtime
names_at_run_time() {
    local name
    for name in libcudart.so.12 libcuda.so.1; do
        python3 -c "import ctypes; n = ctypes.c_int(); l = ctypes.CDLL('$home/lib64/$name')
assert l.cudaGetDeviceCount(ctypes.byref(n)) == 0 and n.value == 1 and l.cuInit(0) == 0" || return 1
    done
}
check "libcuda.so.1 and libcudart.so.12 can be loaded by name" names_at_run_time
version_file() { python3 -c "import json; v = json.load(open('$home/version.json')); assert v['cuda']['version'].startswith('12.')"; }
check "version.json" version_file
targets() { # meson's layout
    [ -e "$home/targets/$(uname -m)-linux/include/cuda.h" ] && [ -e "$home/targets/$(uname -m)-linux/lib/libcudart_static.a" ]
}
check "targets/MACHINE-linux" targets
pkg_config() {
    local flags
    flags=$(PKG_CONFIG_PATH=$home/lib64/pkgconfig pkg-config --cflags --libs cudart-12.9 cuda) || return 1
    # shellcheck disable=SC2086
    gcc main.c kernel.o $flags -lstdc++ -o configured &&
        prints $'child 5\ndevice 0 of 1' env LD_LIBRARY_PATH="$home/lib64" ./configured
}
check "pkg-config: cudart and cuda" pkg_config
own_headers() { # -I of the toolkit neither hides the user's headers nor reads ours twice
    mkdir -p mine && echo '#define MINE 1' >mine/math_constants.h &&
        echo $'#include <math_constants.h>\n#ifndef MINE\n#error "not mine"\n#endif\n#include <cmath>' >mine.cu &&
        "$nvcc" -I"$home/include" -isystem mine -c mine.cu -o mine.o
}
check "-I \$CUDA_HOME/include keeps the order of headers" own_headers

# ---- ccache ----

finds_again() { # once as it reads the files, once by what the preprocessor makes of them
    local mode
    for mode in direct nodirect; do
        export CCACHE_DIR=$PWD/cache.$mode
        unset CCACHE_NODIRECT
        [ $mode = direct ] || export CCACHE_NODIRECT=1
        ccache "$nvcc" -rdc=true -c kernel.cu -o first.o && ccache "$nvcc" -rdc=true -c kernel.cu -o again.o &&
            cmp first.o again.o && ccache --print-stats | grep -q "^${mode/nodirect/preprocessed}_cache_hit.1$" &&
            ccache "$nvcc" -DPART -rdc=true -c kernel.cu -o other.o && ! cmp -s first.o other.o || return 1
    done
    unset CCACHE_DIR CCACHE_NODIRECT
}
if command -v ccache >/dev/null; then check "ccache" finds_again; else check "ccache: run make setup" false; fi

# ---- CMake's old module ----

cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.10)
project(old LANGUAGES CXX)
find_package(CUDA 12 REQUIRED)
set(CUDA_NVCC_FLAGS "-arch=sm_70")
set(CUDA_SEPARABLE_COMPILATION ON)
cuda_add_executable(program kernel.cu)
CMAKE
old_module() {
    if ! command -v cmake >/dev/null; then echo "no cmake: run make setup"; return 1; fi
    cmake -S . -B old -DCUDA_TOOLKIT_ROOT_DIR="$home" -DCUDA_USE_STATIC_CUDA_RUNTIME=ON >out 2>&1 &&
        { ! cmake --help-policy CMP0146 >/dev/null 2>&1 || return 0; } && # removed from CMake
        cmake --build old && prints 'child 4' old/program
}
check "find_package(CUDA)" old_module
finish
