#!/usr/bin/env bash
# CMake projects for nvcc build with cdpcc's toolchain file: separable compilation, cudadevrt,
# libraries with kernels, the toolkit's targets.
# rules: S51
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
command -v cmake >/dev/null || { echo "FAIL no cmake: run make setup"; exit 1; }
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "$CDPCC")")")")/share/cdpcc/cmake/cdpcc.cmake
cd "$work" || exit 2
mkdir project
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
if(DEFINED CDPCC_FILE)
  include(${CDPCC_FILE})
endif()
project(nested LANGUAGES CXX CUDA)

# Parent and child in two units of one program.
add_executable(hello main.cu child.cu)
set_target_properties(hello PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(hello PRIVATE cudadevrt)

# A library of device code, used by kernels of a program; the first generation's code.
add_library(children STATIC child.cu)
set_target_properties(children PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES 35)
add_executable(waits waits.cu)
set_target_properties(waits PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES 35)
target_compile_features(waits PRIVATE cuda_std_14)
target_link_libraries(waits PRIVATE children cudadevrt)

# C++ that calls a library of kernels and the toolkit's runtime.
find_package(CUDAToolkit REQUIRED)
add_library(work SHARED work.cu child.cu)
set_target_properties(work PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RUNTIME_LIBRARY Shared)
add_executable(calls calls.cpp)
target_link_libraries(calls PRIVATE work CUDA::cudart)
CMAKE
cat >project/child.cu <<'CU'
#include <cstdio>
__global__ void child(int x) { printf("child %d\n", x); }
CU
cat >project/main.cu <<'CU'
__global__ void child(int x);
__global__ void parent() { child<<<1, 1>>>(1); }
int main() {
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
CU
cat >project/waits.cu <<'CU'
#include <cstdio>
__global__ void child(int x);
__global__ void parent() {
    child<<<1, 1>>>(2);
    cudaDeviceSynchronize();
    printf("parent\n");
}
int main() {
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
CU
sed 's/int main/int work/; s/(1)/(3)/' project/main.cu >project/work.cu
cat >project/calls.cpp <<'CPP'
#include <cuda_runtime.h>
int work();
int main() {
    int count = 0;
    return work() != 0 || cudaGetDeviceCount(&count) != cudaSuccess || count != 1;
}
CPP
configures() { cmake -S project -B "$1" "${@:2}" && cmake --build "$1"; }
prints() { # prints PROGRAM TEXT
    [ "$("$1")" = "$2" ] || { "$1"; return 1; }
}
check "a project builds with the toolchain file" configures build -DCMAKE_TOOLCHAIN_FILE="$toolchain"
check "kernels of two units" prints build/hello 'child 1'
check "a static library of device code, sm_35" prints build/waits $'child 2\nparent'
check "C++, a shared library of kernels and CUDA::cudart" prints build/calls 'child 3'
check "release, the file included by the project" configures release -DCDPCC_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release
check "its program runs" prints release/waits $'child 2\nparent'
check "all checks, by CMAKE_CUDA_FLAGS" configures checked -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_CUDA_FLAGS=--check
check "a checked program of two units" prints checked/hello 'child 1'
check "a checked library of kernels" prints checked/calls 'child 3'
finish
