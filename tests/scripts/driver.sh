#!/usr/bin/env bash
# The driver API, with modules that cdpcc writes.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
from=$top/tests/driver
runs() { # runs KIND FLAGS...: all calls, with a module of that kind
    local kind=$1
    shift
    "$CDPCC" "-$kind" "$@" "$from/module.cu" -o "$work/module.$kind" &&
        "$CDPCC" "$@" "$from/calls.cu" -o "$work/calls" -lcuda &&
        "$work/calls" "$work/module.$kind" >"$work/out" 2>"$work/err" && diff "$from/calls.expect" "$work/out"
}
check "calls and codes, with a .cubin" runs cubin
check "with a .fatbin, by thread entries" runs fatbin --entry=thread
check "with a .ptx, not optimized" runs ptx -O0 -g
check "with AddressSanitizer" runs cubin -fsanitize=address
check "with ThreadSanitizer" runs cubin -fsanitize=thread
check "code for a GPU is refused with a sentence" says "$work/err" 'the image is code for a GPU'
maps() { # maps FLAGS...: virtual memory management
    "$CDPCC" "$@" "$from/mapping.cu" -o "$work/mapping" -lcuda &&
        "$work/mapping" >"$work/out" 2>"$work/err" && diff "$from/mapping.expect" "$work/out"
}
check "virtual memory management" maps
check "a fault there names the memory" says "$work/err" '0 bytes into the 2097152 bytes of memory of cuMemMap'
check "the same, with AddressSanitizer" maps -fsanitize=address
arrays() { # arrays, textures, surfaces, copies of them
    "$CDPCC" "$@" "$from/arrays.cu" -o "$work/arrays" -lcuda &&
        "$work/arrays" >"$work/out" 2>"$work/err" && diff "$from/arrays.expect" "$work/out"
}
calls_of() { # calls_of NAME
    "$CDPCC" "$from/$1.cu" -o "$work/$1" -lcuda &&
        "$work/$1" >"$work/out" 2>"$work/err" && diff "$from/$1.expect" "$work/out"
}
check "contexts' flags, affinity and limits, handles of memory" calls_of contexts
check "memory of the host, fills of rows, sizes of blocks" calls_of memory_calls
check "memory pools, managed memory, attributes, nodes of any kind" calls_of pools
check "stream memory operations" calls_of memory_ops
check "multicast objects and imports of other interfaces are refused" calls_of unsupported
libraries() { # libraries KIND FLAGS...
    local kind=$1
    shift
    "$CDPCC" "-$kind" "$@" "$from/library.cu" -o "$work/library.$kind" &&
        "$CDPCC" "$@" "$from/libraries.cu" -o "$work/libraries" -lcuda &&
        "$work/libraries" "$work/library.$kind" >"$work/out" 2>"$work/err" && diff "$from/libraries.expect" "$work/out"
}
check "libraries, in both APIs" libraries cubin
[ -z "${CDP_TEST_ALL:-}" ] || check "the same from a .ptx, with AddressSanitizer" libraries ptx -fsanitize=address
runtime_library() { # the runtime API needs no -lcuda, from a source or from an object
    cat >"$work/load.cu" <<'CU'
#include <cstdio>
int main(int, char **argv)
{
    cudaLibrary_t library;
    cudaKernel_t add;
    int *p, n = 4;
    void *args[] = {&p, &n};
    cudaMallocManaged(&p, sizeof *p);
    *p = 0;
    cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0);
    cudaLibraryGetKernel(&add, library, "add");
    cudaLaunchKernel((const void *)add, 1, 1, args, 0, 0);
    cudaDeviceSynchronize();
    printf("%d\n", *p);
}
CU
    "$CDPCC" -cubin "$from/library.cu" -o "$work/library.cubin" && "$CDPCC" "$work/load.cu" -o "$work/load" &&
        [ "$("$work/load" "$work/library.cubin")" = 7 ] && "$CDPCC" -c "$work/load.cu" -o "$work/load.o" &&
        "$CDPCC" "$work/load.o" -o "$work/load" && [ "$("$work/load" "$work/library.cubin")" = 7 ]
}
check "libraries of the runtime API" runtime_library
references() { # references FLAGS...: the declarations of CUDA 11 bring warnings
    "$CDPCC" -cubin -w "$@" "$from/reference_code.cu" -o "$work/reference_code.cubin" &&
        "$CDPCC" "$@" "$from/references.cu" -o "$work/references" -lcuda &&
        "$work/references" "$work/reference_code.cubin" >"$work/out" 2>"$work/err" &&
        diff "$from/references.expect" "$work/out"
}
check "texture and surface references" references
check "arrays, textures, surfaces" arrays
check "the same, with AddressSanitizer" arrays -fsanitize=address
graphs() { # graphs FLAGS...: with a kernel of the program, then with one of a module
    "$CDPCC" -cubin "$@" "$from/module.cu" -o "$work/module.cubin" &&
        "$CDPCC" "$@" "$from/graphs.cu" -o "$work/graphs" -lcuda &&
        "$work/graphs" >"$work/out" 2>"$work/err" && diff "$from/graphs.expect" "$work/out" &&
        "$work/graphs" "$work/module.cubin" >"$work/out" 2>"$work/err" && diff "$from/graphs.expect" "$work/out"
}
check "graphs and stream capture" graphs
check "the same, with AddressSanitizer" graphs -fsanitize=address
text() { # a .ptx file is a text with the names of kernels
    "$CDPCC" -ptx "$from/module.cu" -o "$work/text.ptx" && [ "$(tr -d '\0' <"$work/text.ptx" | wc -c)" = "$(stat -c %s "$work/text.ptx")" ] &&
        says "$work/text.ptx" '^\.version' '^\.target sm_90$' '^\.visible \.entry [a-z_A-Z0-9]+\('
}
check "a .ptx file is text" text
default_names() {
    (cd "$work" && "$CDPCC" -ptx "$from/module.cu" && "$CDPCC" -fatbin "$from/module.cu") &&
        [ -s "$work/module.ptx" ] && [ -s "$work/module.fatbin" ]
}
check "the names of modules" default_names
not_cuda() {
    echo 'int x;' >"$work/plain.c"
    ! "$CDPCC" -cubin "$work/plain.c" 2>"$work/out" && says "$work/out" "has no device code for a cubin file"
}
check "a source that is not CUDA makes no module" not_cuda
checked() {
    cat >"$work/over.cu" <<'CU'
extern "C" __global__ void over(int *p) { p[threadIdx.x] = 1; }
CU
    cat >"$work/load.cu" <<'CU'
#include <cuda.h>
int main(int, char **argv)
{
    CUcontext context;
    CUmodule module;
    CUfunction over;
    CUdeviceptr p;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    cuModuleLoad(&module, argv[1]);
    cuModuleGetFunction(&over, module, "over");
    cuMemAlloc(&p, 64);
    void *args[] = {&p};
    cuLaunchKernel(over, 1, 1, 1, 32, 1, 1, 0, 0, args, 0);
    return cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS ? 0 : 1;
}
CU
    "$CDPCC" -cubin --check=memory "$work/over.cu" -o "$work/over.cubin" &&
        "$CDPCC" --check=memory "$work/load.cu" -o "$work/load" -lcuda &&
        "$work/load" "$work/over.cubin" 2>"$work/out"
    says "$work/out" 'write of 4 bytes beyond the end of an allocation' &&
        says "$work/out" 'over.cu:1' && says "$work/out" 'load.cu:12' && says "$work/out" 'load.cu:14'
}
check "a checked module: the line, the allocation and the launch are named" checked
leaks() { # objects that are never destroyed: the lines of the program are named
    cat >"$work/leak.cu" <<'CU'
#include <cuda.h>
int main()
{
    CUcontext context;
    CUarray array;
    CUgraph graph;
    CUDA_ARRAY_DESCRIPTOR flat = {8, 4, CU_AD_FORMAT_FLOAT, 1};
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    cuArrayCreate(&array, &flat);
    cuGraphCreate(&graph, 0);
}
CU
    "$CDPCC" --check=leak "$work/leak.cu" -o "$work/leak" -lcuda && "$work/leak" 2>"$work/out"
    says "$work/out" '1 CUDA array is never' 'leak.cu:10' '1 graph is never' 'leak.cu:11'
}
check "leaked arrays and graphs: the program's lines are named" leaks
without_runtime() { # a program without -lcuda has the runtime for itself
    "$CDPCC" -cudart static "$work/load.cu" -o "$work/load" && ! "$work/load" "$work/over.cubin" 2>"$work/out"
    says "$work/out" 'link the program with cdpcc and -lcuda'
}
check "a program that was linked without -lcuda is told" without_runtime
finish
