#!/usr/bin/env bash
# An installed cdpcc works at its place, and after it was moved.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
unset CDPCC
prefix=$work/prefix
installs() { make -C "$top" install PREFIX="$prefix"; }
check "make install PREFIX=..." installs
compiles_and_runs() { # compiles_and_runs CDPCC
    (cd "$work" && "$1" "$top/examples/quicksort.cu" -o sorted && ./sorted) >"$work/out" && says "$work/out" 'in order'
}
check "the installed cdpcc compiles and its program runs" compiles_and_runs "$prefix/bin/cdpcc"
moved() { mv "$prefix" "$work/elsewhere" && compiles_and_runs "$work/elsewhere/bin/cdpcc"; }
check "also after the tree was moved" moved
through_a_link() {
    mkdir -p "$work/bin" && ln -s "$work/elsewhere/bin/cdpcc" "$work/bin/cdpcc" && compiles_and_runs "$work/bin/cdpcc"
}
check "and through a symbolic link" through_a_link
at_run_time() { # its libnvrtc finds its cdpcc
    (cd "$work" && echo '#define VALUE 5' >value.h && elsewhere/bin/cdpcc "$top/tests/driver/nvrtc_once.cpp" -o once -lnvrtc -lcuda &&
        [ "$(CUDA_CACHE_DISABLE=1 ./once)" = 5 ])
}
check "and its libnvrtc" at_run_time
manages() {
    "$work/elsewhere/bin/nvidia-smi" -L >"$work/out" && says "$work/out" '^GPU 0: ' &&
        "$work/elsewhere/bin/cdpcc" "$top/tests/driver/nvml.cpp" -o "$work/nvml" -lnvidia-ml &&
        CDP_MEMORY_MB=500 "$work/nvml" 1 CPU 500 &&
        echo $'#include <nvml.h>\nint main(void) { return nvmlInit(); }' >"$work/init.c" &&
        gcc -I"$work/elsewhere/include" "$work/init.c" -o "$work/init" -L"$work/elsewhere/lib64/stubs" -lnvidia-ml &&
        LD_LIBRARY_PATH=$work/elsewhere/lib64 "$work/init"
}
check "and its NVML and nvidia-smi" manages
fuzzes() { "$work/elsewhere/bin/cdp-fuzz" -n 3 "$work/sorted" >"$work/out" && says "$work/out" '3 schedules'; }
check "the installed cdp-fuzz runs a program" fuzzes
sanitizes() {
    "$work/elsewhere/bin/cdpcc" --check=sync "$top/examples/quicksort.cu" -o "$work/checked" &&
        "$work/elsewhere/bin/cdp-sanitizer" --tool synccheck "$work/checked" 2>"$work/out" >/dev/null &&
        says "$work/out" 'ERROR SUMMARY: 0 errors'
}
check "the installed cdp-sanitizer checks a program" sanitizes
labs() {
    (cd "$work" && elsewhere/bin/cdp-lab start ex01 && sed -i '/sum\[i\] =/s/^/    if (i < n)/' vector_add.cu &&
        elsewhere/bin/cdp-lab check ex01) >"$work/out" && says "$work/out" '^score: 3 of 3$' &&
        [ ! -e "$work/elsewhere/share/cdpcc/labs/solutions" ]
}
check "the installed cdp-lab hands out and checks an exercise, without its solution" labs
reports() { (cd "$work" && elsewhere/bin/cdp-report -o page.html ./sorted) >"$work/out" && says "$work/page.html" '<title>sorted' 'function show_page' '"quicksort"'; }
check "the installed cdp-report writes a page" reports
pkg_config() {
    local file
    file=$(find "$work/elsewhere" -name 'cdpcc.pc' | head -n 1)
    [ -n "$file" ] || { echo "no cdpcc.pc"; find "$work/elsewhere"; return 1; }
    PKG_CONFIG_PATH=$(dirname "$file") pkg-config --libs cdpcc >"$work/out" &&
        says "$work/out" '-lcdprt' "-L$work/elsewhere/"
}
check "pkg-config file" pkg_config
# The tree is a CUDA toolkit as it is: all links are relative.
as_toolkit() {
    local link
    link=$(find "$work/elsewhere" -xtype l)
    [ -z "$link" ] || { echo "links to nothing: $link"; return 1; }
    compiles_and_runs "$work/elsewhere/bin/nvcc" && [ -e "$work/elsewhere/version.json" ] &&
        echo $'#include <cuda_runtime_api.h>\nint main() { int n; return cudaGetDeviceCount(&n); }' >"$work/count.c" &&
        gcc -I"$work/elsewhere/include" "$work/count.c" -o "$work/count" -L"$work/elsewhere/lib64" -lcudart &&
        LD_LIBRARY_PATH=$work/elsewhere/lib64 "$work/count"
}
check "the moved tree is a CUDA_HOME" as_toolkit
# Where others install, too, nothing gets a name of NVIDIA's, but for the files of lib/cdpcc.
shared_prefix() {
    local root=$work/system/usr/local names
    make -C "$top" install DESTDIR="$work/system" PREFIX=/usr/local &&
        names=$(cd "$root" && ls -d bin/nvcc bin/nvidia-smi include/cuda* lib/libcud* lib/libnvidia* lib64 version.json version.txt nvvm targets 2>/dev/null)
    [ -z "$names" ] || { echo "installed $names"; return 1; }
    compiles_and_runs "$root/bin/cdpcc" && compiles_and_runs "$root/lib/cdpcc/bin/nvcc" &&
        ! "$root/lib/cdpcc/bin/nvcc" -v nothing.x >"$work/out" 2>&1 &&
        says "$work/out" "TOP=$root/lib/cdpcc$" "LIBRARIES=-L$root/lib/cdpcc/lib64$" &&
        gcc -I"$root/lib/cdpcc/include" "$work/count.c" -o "$work/count" "$root/lib/cdpcc/lib64/libcudart_static.a" &&
        "$work/count"
}
check "make install PREFIX=/usr/local" shared_prefix
cmake_file() {
    cat >"$work/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(sorted LANGUAGES CXX CUDA)
add_executable(sorted ${SOURCE})
CMAKE
    cmake -S "$work" -B "$work/cmake" -DSOURCE="$top/examples/quicksort.cu" \
        -DCMAKE_TOOLCHAIN_FILE="$work/elsewhere/share/cdpcc/cmake/cdpcc.cmake" &&
        cmake --build "$work/cmake" && "$work/cmake/sorted"
}
check "CMake's toolchain file" cmake_file
for_notebooks() {
    local found
    found=$(env -u CDPCC PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$work/elsewhere/share/cdpcc/python" \
        python3 -c 'from cdpcc import tools; print(tools.compiler())') && [ "$found" = "$work/elsewhere/bin/cdpcc" ]
}
check "the package for notebooks finds its cdpcc" for_notebooks
finish
