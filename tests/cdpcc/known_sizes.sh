#!/bin/bash
# What entries for known sizes add to the code of kernels: at most twice what there is without them.
. "$(dirname "$0")/support.bash"

bytes() { # bytes OBJECT KIND... : of the entries of these kinds
    local object=$1
    shift
    nm -S -t d "$object" | awk -v kinds="$*" \
        '$4 ~ "^cdp\\.(" kinds ")[0-9]*\\." { sum += $2 } END { print sum + 0 }'
}
stays_small() {
    local known any
    "$CDPCC" -O3 -march=x86-64-v4 --entry=block -c "$TOP/$1" -o small.o || return
    known=$(bytes small.o fixed) any=$(bytes small.o 'thread|block|line|rows')
    echo "$known bytes for known sizes, $any for all"
    [ "$known" -gt 0 ] && [ "$known" -le $((2 * any)) ]
}
check "with guards in a loop around barriers" stays_small examples/matrix_multiply.cu
check "with sums side by side" stays_small bench/flat/cuda.cu
finish
