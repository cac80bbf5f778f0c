#!/usr/bin/env bash
# Compiling and linking while a program runs: NVRTC, nvJitLink, cuLink, and the cache on disk.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
from=$top/tests/driver
unset CUDA_CACHE_DISABLE CUDA_CACHE_PATH CUDA_CACHE_MAXSIZE
export XDG_CACHE_HOME=$work/cache
real=$CDPCC
export CDPCC # for programs in which the runtime or libnvrtc is static
cat >"$work/counting" <<SH
#!/bin/sh
echo call >>"$work/calls"
exec "$real" "\$@"
SH
chmod +x "$work/counting"
runs() { # runs FLAGS...: all calls
    "$real" "$@" "$from/nvrtc.cu" -o "$work/nvrtc" -lnvrtc -lnvJitLink -lcuda &&
        "$work/nvrtc" >"$work/out" 2>"$work/err" && diff "$from/nvrtc.expect" "$work/out"
}
check "calls, codes, logs, names, links" runs
check "incomplete images are refused with a sentence" says "$work/err" 'a part of the image is missing' \
    'the image needs more, which another source defines'
check "the same with results from the cache, and AddressSanitizer" runs -fsanitize=address

# ---- The cache ----
cd "$work" || exit 2
echo '#define VALUE 7' >value.h
builds() { "$real" "$from/nvrtc_once.cpp" -o once -lnvrtc -lcuda; }
check "a program of the host compiles with nvrtc.h" builds
gives() { # gives VALUE CALLS OPTIONS...: the program prints VALUE after CALLS calls of cdpcc
    local value=$1 calls=$2
    shift 2
    rm -f calls
    touch calls
    [ "$(CDPCC=$work/counting ./once "$@")" = "$value" ] && [ "$(wc -l <calls)" = "$calls" ] || { cat calls; return 1; }
}
check "the first compilation calls cdpcc" gives 7 1
check "the second one does not" gives 7 0
check "other options do" gives 7 1 -arch=compute_80
check "--no-cache does" gives 7 1 --no-cache
disabled() { CUDA_CACHE_DISABLE=1 gives 7 1; }
check "CUDA_CACHE_DISABLE=1 does" disabled
changed() { echo '#define VALUE 8' >value.h && gives 8 1 && gives 8 0; }
check "a header that has changed does" changed
broken() {
    local entry
    for entry in "$XDG_CACHE_HOME"/cdpcc/*.jit; do truncate -s -100 "$entry" || return 1; done
    gives 8 1 && gives 8 0
}
check "an entry that is cut off does" broken
unwritable() { touch file && CUDA_CACHE_PATH=$work/file/x gives 8 1 && CUDA_CACHE_PATH=/proc/x gives 8 1; }
check "a directory that cannot be written does no harm" unwritable
limited() {
    export CUDA_CACHE_PATH=$work/small CUDA_CACHE_MAXSIZE
    gives 8 1 -arch=compute_80 && CUDA_CACHE_MAXSIZE=$(($(stat -c %s small/*.jit) + 1000)) || return 1
    gives 8 1 -arch=compute_86 && gives 8 0 -arch=compute_86 && gives 8 1 -arch=compute_80 &&
        [ "$(find small -type f | wc -l)" = 1 ]
    local status=$?
    unset CUDA_CACHE_PATH CUDA_CACHE_MAXSIZE
    return $status
}
check "CUDA_CACHE_MAXSIZE removes what is old" limited

# ---- The headers ----
macros() { # the program may define any name before the headers that it cannot see
    local word words=()
    for word in A B N T a b e n x y from to last type value size list count name begin end; do
        words+=("-D$word=256")
    done
    CUDA_CACHE_DISABLE=1 gives 8 1 "${words[@]}"
}
check "macros of the program do not reach the headers" macros
headers() {
    local header
    for header in cuda_fp16 cuda_bf16 cooperative_groups cooperative_groups/reduce mma cuComplex math_constants; do
        echo "#include <$header.h>"
    done >value.h
    echo '#define VALUE __half2int_rn(__float2half(9.0f))' >>value.h
    gives 9 1 -arch=sm_90
}
check "the headers that device code uses" headers

# ---- The installation ----
echo '#define VALUE 8' >value.h
missing() {
    CDPCC=$work/nothing ./once >out
    says out 'cdpcc is missing, which compiles; set CDPCC' NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
}
check "without cdpcc the log says so" missing
beside() { (unset CDPCC && [ "$(./once)" = 8 ]); }
check "cdpcc is found beside the library" beside
is_static() {
    "$real" "$from/nvrtc_once.cpp" -o static -lnvrtc_static -lnvrtc-builtins_static -lnvptxcompiler_static -lcuda &&
        [ "$(./static)" = 8 ] && ! readelf -d static | grep -q libnvrtc
}
check "libnvrtc_static" is_static
in_c() {
    local root
    root=$(dirname "$(dirname "$real")")
    echo '#include <nvrtc.h>
#include <nvJitLink.h>
int main(void) { int a, b; unsigned c, d; return nvrtcVersion(&a, &b) != 0 || nvJitLinkVersion(&c, &d) != 0 || a != 12 || c != 12; }' >c.c
    gcc -std=c11 -Wall -Werror c.c -I"$root/include/cdpcc" -L"$root/lib" -lnvrtc -lnvJitLink -Wl,-rpath,"$root/lib" -o c && ./c &&
        readelf -d c >out && says out 'libnvrtc\.so\.12' 'libnvJitLink\.so\.12'
}
check "C, and the linker of another driver" in_c
finish
