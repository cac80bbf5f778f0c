#!/usr/bin/env bash
# CMake takes PREFIX/bin/nvcc for NVIDIA's compiler, and projects build with it and nothing else:
# separable compilation, cudadevrt, libraries with kernels, architectures, the toolkit's targets. The
# toolchain file does the same.
# rules: S51
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
command -v cmake >/dev/null || { echo "FAIL no cmake: run make setup"; exit 1; }
home=$(dirname "$(dirname "$(readlink -f "$(command -v "$CDPCC")")")")
toolchain=$home/share/cdpcc/cmake/cdpcc.cmake
export PATH=$home/bin:$PATH # before any other nvcc
unset CUDACXX CUDAHOSTCXX CUDA_PATH CUDAToolkit_ROOT CUDAARCHS LD_LIBRARY_PATH
cd "$work" || exit 2
mkdir project
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
if(DEFINED CDPCC_FILE)
  include(${CDPCC_FILE})
endif()
project(nested LANGUAGES C CXX CUDA)

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

if(BRIEF)
  return()
endif()

# A library and a program, both with kernels and with the default runtime, which is static.
add_library(adds SHARED adds.cu)
add_executable(both both.cu)
target_link_libraries(both PRIVATE adds)
set_target_properties(adds both PROPERTIES CUDA_ARCHITECTURES "70-real;75-virtual")

# C that calls the driver, and a module for it.
add_executable(driver driver.c)
target_link_libraries(driver PRIVATE CUDA::cuda_driver CUDA::nvtx3 CUDA::toolkit)
add_library(module OBJECT module.cu)
set_target_properties(module PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES native)
target_compile_definitions(driver PRIVATE MODULE="$<TARGET_OBJECTS:module>")
add_dependencies(driver module)

foreach(name cudart cudart_static cuda_driver toolkit nvtx3 nvToolsExt nvml)
  if(NOT TARGET CUDA::${name})
    message(FATAL_ERROR "no CUDA::${name}")
  endif()
endforeach()
add_executable(links calls.c)
target_link_libraries(links PRIVATE CUDA::cudart_static)
CMAKE
cat >project/adds.cu <<'CU'
__global__ void add(int *value, int by) { *value += by; }
int *adds(cudaStream_t stream) {
    int *value;
    cudaMallocManaged(&value, sizeof *value);
    *value = 1;
    add<<<1, 1, 0, stream>>>(value, 2);
    return value;
}
CU
cat >project/both.cu <<'CU'
#include <cstdio>
int *adds(cudaStream_t stream);
__global__ void twice(int *value) { *value *= 2; }
int main() { // memory and streams of one are good in the other
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *value = adds(stream);
    twice<<<1, 1, 0, stream>>>(value);
    cudaError_t error = cudaStreamSynchronize(stream);
    printf("%d\n", *value);
    return error;
}
CU
echo 'extern "C" __global__ void set(int *value) { *value = 9; }' >project/module.cu
cat >project/driver.c <<'C'
#include <cuda.h>
#include <stdio.h>
int main(void) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction set;
    CUdeviceptr memory;
    int value = 0;
    void *arguments[] = {&memory};
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device) || cuModuleLoad(&module, MODULE) ||
        cuModuleGetFunction(&set, module, "set") || cuMemAlloc(&memory, sizeof value) ||
        cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL) ||
        cuMemcpyDtoH(&value, memory, sizeof value)) {
        return 1;
    }
    printf("%d\n", value);
    return 0;
}
C
cat >project/calls.c <<'C'
#include <cuda_runtime_api.h>
int main(void) {
    int count = 0;
    return cudaGetDeviceCount(&count) != cudaSuccess || count != 1;
}
C
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
# CMake asks the compiler for its directories, for its default architecture, and for that of the device.
found() {
    local file
    file=$(ls build/CMakeFiles/*/CMakeCUDACompiler.cmake) &&
        says "$file" "CUDA_COMPILER_ID \"NVIDIA\"" "COMPILER_TOOLKIT_ROOT \"$home\"" \
            "HOST_LINK_LAUNCHER \".*clang" "RUNTIME_LIBRARY_DEFAULT \"STATIC\"" &&
        says build/CMakeCache.txt '^CMAKE_CUDA_ARCHITECTURES:STRING=80$'
}
check "a project builds with PREFIX/bin/nvcc and nothing else" configures build -DCMAKE_CUDA_COMPILER="$home/bin/nvcc"
check "CMake finds NVIDIA's compiler and its toolkit" found
check "kernels of two units" prints build/hello 'child 1'
check "a static library of device code, sm_35" prints build/waits $'child 2\nparent'
check "C++, a shared library of kernels and CUDA::cudart" prints build/calls 'child 3'
check "a shared library and a program with kernels, one runtime" prints build/both 6
check "C and CUDA::cuda_driver, a module by CUDA_PTX_COMPILATION" prints build/driver 9
check "C and CUDA::cudart_static" build/links
changed() { # a header of the device code
    echo '#define FACTOR 5' >project/factor.h && sed -i '1i #include "factor.h"' project/both.cu &&
        sed -i 's/\*= 2/*= FACTOR/' project/both.cu && cmake --build build --target both && prints build/both 15 &&
        sleep 1 && echo '#define FACTOR 7' >project/factor.h && cmake --build build --target both && prints build/both 21
}
check "a header that changed is seen" changed
generator=(-G "Unix Makefiles")
if command -v ninja >/dev/null; then generator=(-G Ninja); fi
check "release, the toolchain file, ${generator[1]}" configures release "${generator[@]}" -DCDPCC_FILE="$toolchain" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_ARCHITECTURES=all-major -DBRIEF=ON
check "its program runs" prints release/waits $'child 2\nparent'
check "its program with a shared library runs" prints release/calls 'child 3'
check "all checks, by CMAKE_CUDA_FLAGS" configures checked -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_CUDA_FLAGS=--check -DBRIEF=ON
check "a checked program of two units" prints checked/hello 'child 1'
check "a checked library of kernels" prints checked/calls 'child 3'
finish
