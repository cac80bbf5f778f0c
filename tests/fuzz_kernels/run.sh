#!/usr/bin/env bash
# Random kernels: block entries and thread entries must give the same results, bit for bit.
#
#   tests/fuzz_kernels/run.sh [-s FIRST] [-n KERNELS] [-k PER_PROGRAM] [-j JOBS] [-t SECONDS]
#                             [-c CDPCC] [-w LANES:VECTORS] [-x FORM]... [-r] [-- FLAGS of cdpcc]
#
# Kernels have numbers: the same number is the same kernel. -k of them form a program. It is
# compiled once, with a width and flags that its first number chooses (unless given). It runs with
# thread entries, with thread entries in another order (which must change nothing; otherwise the
# kernel is not a valid test), and with block entries. Two in five programs contract products and
# sums (-fmad=true). The others are compiled once more with -O0, which must change nothing either. A
# kernel whose results differ, or which finds a wrong number, is tried alone and kept as
# fuzz_NUMBER.cu, with the command that shows the error again; with -r it is reduced first. -t ends
# after that many seconds. -x excludes a form of forms.c: constants (that no integer equals), shifts
# (by too much), divisions (without a quotient), halves, polling, wide (numbers of
# 128 bits, overflows, calls with small structures).
#
# Environment: CDPCC, CC, TMPDIR, CDP_TEST_PATIENCE (5: time limits are multiplied by it, for busy
# machines), CDP_FUZZ_KEEP (directory for the kept kernels), CDP_TEST_RUNNER (words before a
# program: an emulator).
set -u
here=$(cd "$(dirname "$0")" && pwd)
CDPCC=${CDPCC:-$here/../../build/bin/cdpcc}
keep=${CDP_FUZZ_KEEP:-.}
read -ra run <<<"timeout $((${CDP_TEST_TIMEOUT:-60} * ${CDP_TEST_PATIENCE:-5})) ${CDP_TEST_RUNNER:-}"
first=0 kernels=200 per=40 jobs=1 seconds=0 width='' reduce=false forms=()
while getopts s:n:k:j:t:c:w:x:r option; do
    case $option in
    s) first=$OPTARG ;;
    n) kernels=$OPTARG ;;
    k) per=$OPTARG ;;
    j) jobs=$OPTARG ;;
    t) seconds=$OPTARG ;;
    c) CDPCC=$OPTARG ;;
    w) width=$OPTARG ;;
    x) forms+=(-x "$OPTARG") ;;
    r) reduce=true ;;
    *) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
given=("$@")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$keep" "$work/results"
"${CC:-$(command -v clang-22 || command -v cc)}" -std=gnu11 -O1 "$here"/*.c -o "$work/generate" || exit 2

# Wide vectors on processors without wide registers take long to compile and find nothing more.
ways=('16:1 -O1' '8:1 -O1 -march=haswell' '4:1 -O1 -march=x86-64' '16:2 -O1' '4:1 -O2' '8:1 -O2'
    '4:2 -O1' '16:1 -O2' '8:2 -O1 -march=haswell' '4:1 -O3 -march=x86-64' '8:1 -O1' '16:4 -O1')
# In every third program one block size has an entry of its own, as if a launch had named it. In half
# of these, lanes go along threadIdx.y if they may. In every fourth program all functions are vectorized
# that can be.
sizes=(64x1x1 16x4x1 18x18x1 33x1x1 64x2x2 20x7x1 256x1x1 16x2x3 5x7x1 100x1x1 8x8x1 12x3x2 128x1x1
    32x3x1 33x9x1 513x1x1 512x1x1)
choose() { # choose NUMBER: the width, size and flags of a program
    local way
    own_size= along_y= calls=
    [ $(($1 / per % 4)) -ne 3 ] || calls=vectors
    [ $(($1 / per % 2)) -ne 0 ] || along_y=1
    [ $(($1 / per % 3)) -ne 0 ] || own_size=${sizes[$1 / per / 3 % ${#sizes[@]}]}
    read -ra way <<<"${ways[$1 / per % ${#ways[@]}]}"
    [ $(($1 / per % 5 % 2)) -ne 0 ] && fused=true || fused=false
    lanes_vectors=${width:-${way[0]}}
    flags=("${given[@]}")
    [ ${#given[@]} -ne 0 ] || flags=("${way[@]:1}")
}

compile() { # compile DIRECTORY: program.cu there
    CDPCC_LANES=${lanes_vectors%:*} CDPCC_VECTORS=${lanes_vectors#*:} CDPCC_SIZES=$own_size \
        CDPCC_ALONG_Y=$along_y CDPCC_CALLS=${CDPCC_CALLS:-$calls} CDPCC_VERIFY=1 timeout 600 "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} -O2 -w -fmad=$fused --entry=block --explain "${flags[@]}" "$1/program.cu" \
        -o "$1/program" >"$1/log" 2>&1
}

# Without optimization, by thread entries: then products and sums are contracted in other places.
unoptimized() { # unoptimized DIRECTORY
    CDPCC_VERIFY=1 timeout 600 "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} "${flags[@]}" -O0 -w -fmad=false --entry=thread "$1/program.cu" \
        -o "$1/unoptimized" >"$1/log.unoptimized" 2>&1 || { echo "does not compile with -O0"; return; }
    "${run[@]}" "$1/unoptimized" >"$1/plain" 2>&1 || { echo "the program fails with -O0"; return; }
    diff "$1/threads" "$1/plain" >"$1/wrong" || echo "differs from -O0"
}

execute() { # execute DIRECTORY: prints the result; kernels with other results are in "wrong"
    local at=$1 what
    CDP_ENTRY=thread "${run[@]}" "$at/program" >"$at/threads" 2>&1 || { echo "thread entries fail"; return; }
    CDP_ENTRY=thread CDP_SEED=7 "${run[@]}" "$at/program" >"$at/order" 2>&1
    cmp -s "$at/threads" "$at/order" || { echo "threads in another order differ"; diff "$at/threads" "$at/order" >"$at/wrong"; return; }
    "${run[@]}" "$at/program" >"$at/blocks" 2>&1 || { echo "block entries fail: $(tail -n 1 "$at/blocks")"; diff "$at/threads" "$at/blocks" >"$at/wrong"; return; }
    diff "$at/threads" "$at/blocks" >"$at/wrong" || { echo "results differ"; return; }
    ! sed -n 's/^k.* not what they must be$/< &/p' "$at/blocks" | tee "$at/wrong" | grep -q . ||
        { echo "wrong numbers"; return; }
    what=
    $fused || what=$(unoptimized "$at")
    echo "${what:-fine}"
}

# attempt DIRECTORY FIRST COUNT [WITHOUT]: the result, in one line.
attempt() {
    mkdir -p "$1"
    : >"$1/wrong"
    "$work/generate" ${forms[@]+"${forms[@]}"} "$2" "$3" ${4:+"$4"} >"$1/program.cu" || { echo "cannot be generated"; return; }
    if ! compile "$1"; then
        echo "does not compile: $(grep -m 1 -i error "$1/log")"
    elif grep -q 'bad code' "$1/log"; then
        echo "bad code"
    else
        execute "$1"
    fi
}

# shrink DIRECTORY NUMBER WHAT: removes statements as long as the result stays the same.
shrink() {
    local at=$1 away='' id
    for id in $(sed -n 's,^ *{ // \([0-9]*\)$,\1,p' "$at/program.cu"); do
        case $(attempt "$at.try" "$2" 1 "$away$id") in
        "${3%%:*}"*) away+=$id, ;;
        esac
    done
    attempt "$at" "$2" 1 "$away" >/dev/null
}

# report DIRECTORY NUMBER WHAT WHERE
report() {
    local again="$0 -s $2 -n 1 -k $per -w $lanes_vectors${forms[*]:+ ${forms[*]}} -- ${flags[*]}"
    ! $reduce || [ "$4" != alone ] || shrink "$1" "$2" "$3"
    cp "$1/program.cu" "$keep/fuzz_$2.cu"
    echo "FAIL kernel $2, lanes:vectors $lanes_vectors, ${flags[*]}: $3 ($4); see $keep/fuzz_$2.cu, again: $again"
    head -n 3 "$1/wrong"
}

# Kernels with wrong results in a program are tried alone, at most three of them.
look_closer() { # look_closer DIRECTORY FIRST COUNT WHAT
    local number what alone=false
    for number in $(sed -n 's/^[<>] k\([0-9]*\) shape.*/\1/p' "$1/wrong" | sort -un | head -n 3); do
        what=$(attempt "$1.alone" "$number" 1)
        if [ "$what" != fine ]; then
            report "$1.alone" "$number" "$what" alone
            alone=true
        fi
    done
    $alone || report "$1" "$2" "$4" "kernels $2 to $(($2 + $3 - 1)) together"
}

one_program() { # one_program FIRST COUNT
    local at=$work/$1 what
    choose "$1"
    what=$(attempt "$at" "$1" "$2")
    if [ "$what" != fine ]; then
        look_closer "$at" "$1" "$2" "$what"
    fi >"$work/results/$1"
    cat "$work/results/$1"
    echo "done $2 $(grep -c 'kernel _Z[0-9]*k[0-9].*block entry' "$at/log")" >>"$work/results/$1"
    [ "$what" != fine ] || echo "ok kernels $1 to $(($1 + $2 - 1)), lanes:vectors $lanes_vectors, ${flags[*]}"
    rm -rf "$at" "$at".*
}

for ((at = first; at < first + kernels; at += per)); do
    [ "$seconds" -eq 0 ] || [ $SECONDS -lt "$seconds" ] || break
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
        wait -n
    done
    one_program $at $((first + kernels - at < per ? first + kernels - at : per)) &
done
wait
cat "$work"/results/* >"$work/all" 2>/dev/null
bad=$(grep -c ^FAIL "$work/all")
awk -v bad="$bad" '$1 == "done" { kernels += $2; blocks += $3 }
    END { print kernels + 0 " kernels, " blocks + 0 " block entries, " bad " failures" }' "$work/all"
[ "$bad" -eq 0 ]
