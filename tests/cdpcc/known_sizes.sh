#!/bin/bash
# The code of kernels with entries for known sizes: at most three times the size of the code without
# these entries.
. "$(dirname "$0")/support.bash"

bytes() { # bytes OBJECT KIND... : of the entries of these kinds
    local object=$1
    shift
    nm -S -t d "$object" | awk -v kinds="$*" \
        '$4 ~ "^cdp\\.(" kinds ")[0-9]*\\." { sum += $2 } END { print sum + 0 }'
}
stays_small() { # stays_small FILE PROCESSOR
    local known any
    "$CDPCC" -O3 -march="$2" --entry=block -c "$TOP/$1" -o known.o || return
    CDPCC_SIZES=none "$CDPCC" -O3 -march="$2" --entry=block -c "$TOP/$1" -o any.o || return
    known=$(bytes known.o 'thread|one_row|rows|any|fixed') any=$(bytes any.o 'thread|one_row|rows|any')
    echo "$known bytes where sizes are known, $any for all"
    [ "$(bytes known.o fixed)" -gt 0 ] && [ "$(bytes any.o fixed)" -eq 0 ] &&
        [ "$known" -le $((3 * any)) ]
}
check "with guards in a loop around barriers" stays_small examples/matrix_multiply.cu x86-64-v4
check "with sums side by side" stays_small bench/flat/cuda.cu x86-64-v4
check "if vectors are two registers" stays_small examples/vector_add.cu cascadelake
finish
