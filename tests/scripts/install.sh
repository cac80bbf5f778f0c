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
fuzzes() { "$work/elsewhere/bin/cdp-fuzz" -n 3 "$work/sorted" >"$work/out" && says "$work/out" '3 schedules'; }
check "the installed cdp-fuzz runs a program" fuzzes
sanitizes() {
    "$work/elsewhere/bin/cdpcc" --check=sync "$top/examples/quicksort.cu" -o "$work/checked" &&
        "$work/elsewhere/bin/cdp-sanitizer" --tool synccheck "$work/checked" 2>"$work/out" >/dev/null &&
        says "$work/out" 'ERROR SUMMARY: 0 errors'
}
check "the installed cdp-sanitizer checks a program" sanitizes
pkg_config() {
    local file
    file=$(find "$work/elsewhere" -name 'cdpcc.pc' | head -n 1)
    [ -n "$file" ] || { echo "no cdpcc.pc"; find "$work/elsewhere"; return 1; }
    PKG_CONFIG_PATH=$(dirname "$file") pkg-config --libs cdpcc >"$work/out" && says "$work/out" '-lcdprt'
}
check "pkg-config file" pkg_config
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
finish
