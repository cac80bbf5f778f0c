#!/usr/bin/env bash
# cdpcc for a user who owns nothing: a path with spaces, a home that nobody can write to, caches and
# temporary folders of other users. As root, the user is nobody; otherwise, who runs the test.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
unset CDPCC CUDA_CACHE_DISABLE CUDA_CACHE_PATH XDG_CACHE_HOME
home=$work/home prefix="$work/a lab/cdpcc 1" temporary=$work/temporary
mkdir -p "$home" "$temporary" "$work/desk" "$work/a lab"
chmod 755 "$work" "$work/a lab"
chmod 555 "$home"
chmod 1777 "$temporary"
chmod 777 "$work/desk"
cp "$top/examples/quicksort.cu" "$top/examples/hello_cdp1.cu" "$top/examples/check.h" "$top/tests/driver/nvrtc_once.cpp" "$work/desk"
echo '#define VALUE 5' >"$work/desk/value.h"
echo 'int main() { return 0; }' >"$work/desk/empty.cu"
chmod 644 "$work"/desk/*
as_user() {
    local other=()
    [ "$(id -u)" != 0 ] || other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    (cd "$work/desk" && HOME=$home TMPDIR=$temporary "${other[@]}" "$@")
}
# Some machines let only root write there. Shell scripts then do not work for others.
as_user sh -c ': >/dev/null' || { echo "skip: another user cannot write /dev/null"; echo "0 passed, 0 failed"; exit 0; }
bin() { as_user "$prefix/bin/$1" "${@:2}"; }

check "make install PREFIX='a path with spaces'" make -C "$top" install PREFIX="$prefix"
compiles() {
    bin cdpcc quicksort.cu -o sorted && as_user ./sorted >"$work/out" && says "$work/out" 'in order' &&
        bin cdpcc --run quicksort.cu >"$work/out" && says "$work/out" 'in order'
}
check "a user with a read-only home compiles and runs" compiles
as_toolkit() {
    bin nvcc hello_cdp1.cu -o by_nvcc && as_user ./by_nvcc >"$work/out" && says "$work/out" 'Hello World!' &&
        bin nvcc -cudart shared hello_cdp1.cu -o shared && as_user ./shared >"$work/out" && says "$work/out" 'Hello World!' &&
        bin nvcc -dc hello_cdp1.cu -o part.o && as_user g++ part.o -o linked "-L$prefix/lib64" -lcudart_static &&
        as_user ./linked >"$work/out" && says "$work/out" 'Hello World!'
}
check "also as nvcc, with the shared runtime, and linked by g++" as_toolkit
makefile() {
    # shellcheck disable=SC2016
    printf 'hello_by_make: hello_cdp1.cu\n\t"$(CUDA_HOME)/bin/nvcc" -I"$(CUDA_HOME)/include" $< -o $@\n' >"$work/desk/Makefile"
    as_user env -u MAKEFLAGS make CUDA_HOME="$prefix" && as_user ./hello_by_make >"$work/out" && says "$work/out" 'Hello World!'
}
check "and in a makefile with CUDA_HOME" makefile
tools() {
    bin cdp-fuzz -n 3 ./sorted >"$work/out" && says "$work/out" '3 schedules' &&
        bin cdp-report -o page.html ./sorted >"$work/out" && says "$work/desk/page.html" '<title>sorted' &&
        bin cdp-prof ./sorted >"$work/out" 2>&1 && says "$work/out" 'quicksort' &&
        bin cdpcc --check quicksort.cu -o checked && bin cdp-sanitizer ./checked >"$work/out" 2>&1 &&
        says "$work/out" 'ERROR SUMMARY: 0 errors' && bin nvidia-smi -L >"$work/out" && says "$work/out" '^GPU 0'
}
check "the tools work" tools
debugs() {
    command -v gdb >/dev/null || return 0
    bin cdpcc -g -G quicksort.cu -o debugged &&
        bin cdp-gdb -batch -ex 'break quicksort' -ex run -ex 'info cuda kernels' ./debugged >"$work/out" 2>&1 && says "$work/out" 'quicksort'
}
check "so does cdp-gdb" debugs
at_run_time() {
    bin cdpcc nvrtc_once.cpp -o once -lnvrtc -lcuda && [ "$(as_user ./once)" = 5 ]
}
check "NVRTC does without its cache" at_run_time
other_caches() { # the directory of another user, closed or open to all
    local mode
    for mode in 700 755 1777; do
        mkdir "$work/cache" && chmod $mode "$work/cache" || return 1
        export CUDA_CACHE_PATH=$work/cache
        "$prefix/bin/cdpcc" "$work/desk/empty.cu" -o "$work/empty" && (cd "$work/desk" && [ "$(./once)" = 5 ]) &&
            bin cdpcc empty.cu -o empty && bin cdpcc hello_cdp1.cu -o cached && [ "$(as_user ./once)" = 5 ] || return 1
        unset CUDA_CACHE_PATH
        rm -rf "$work/cache"
    done
}
check "with the cache of another user, too" other_caches
beside_others() { # programs of two users at the same time, with the same folder for temporary files
    local pids=() pid bad=0 i
    for i in 1 2; do
        (cd "$work" && TMPDIR=$temporary "$prefix/bin/cdpcc" --run "$top/examples/hello_cdp1.cu" >"$work/root.$i") &
        pids+=($!)
        bin cdpcc --run hello_cdp1.cu >"$work/user.$i" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || bad=1; done
    [ $bad = 0 ] && [ "$(cat "$work"/root.? "$work"/user.? | grep -c 'Hello World!')" = 4 ]
}
check "programs of two users run at the same time" beside_others
leaves_nothing() {
    local left
    left=$(find "$home" "$temporary" -mindepth 1)
    [ -z "$left" ] || { echo "left: $left"; return 1; }
}
check "nothing is left in the home and the folder for temporary files" leaves_nothing
cannot_write() { # a folder that cannot be written to is named
    chmod 555 "$temporary"
    bin cdpcc empty.cu -o empty2 2>"$work/out"
    local status=$?
    chmod 1777 "$temporary"
    [ $status -ne 0 ] && says "$work/out" "$temporary"
}
check "a temporary folder without permission is named" cannot_write
chmod 755 "$home"
finish
