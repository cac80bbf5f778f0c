#!/usr/bin/env bash
# Random kernels: block entries and thread entries must give the same results, bit for bit.
#
#   tests/fuzz_kernels/run.sh [-s SEED] [-n PROGRAMS] [-k KERNELS] [FLAGS of cdpcc]
#
# Each program is compiled once for every LANES:VECTORS of CDP_FUZZ_SHAPES (default: a
# random one) and run with both entries.  A difference leaves the program behind and says
# how to see it again.  Environment: CDPCC, CDP_FUZZ_SHAPES, CDP_FUZZ_KEEP (directory).
set -u
here=$(cd "$(dirname "$0")" && pwd)
CDPCC=${CDPCC:-$here/../../build/bin/cdpcc}
keep=${CDP_FUZZ_KEEP:-.}
seed=1 programs=20 kernels=10
while getopts s:n:k: option; do
    case $option in
    s) seed=$OPTARG ;;
    n) programs=$OPTARG ;;
    k) kernels=$OPTARG ;;
    *) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
clang-22 -std=c11 -O1 "$here/generate.c" -o "$work/generate" || exit 2

all=(16:4 16:1 16:2 8:2 8:1 4:2 4:1)
blocks=0 bad=0
complain() { # complain SEED SHAPE TEXT
    bad=$((bad + 1))
    cp "$work/program.cu" "$keep/fuzz_$1.cu"
    echo "FAIL seed $1, lanes:vectors $2: $3; see $keep/fuzz_$1.cu"
    [ -s "$work/difference" ] && head -n 5 "$work/difference"
}

for ((s = seed; s < seed + programs; s++)); do
    "$work/generate" "$s" "$kernels" >"$work/program.cu"
    for shape in ${CDP_FUZZ_SHAPES:-${all[s % ${#all[@]}]}}; do
        : >"$work/difference"
        if ! CDPCC_LANES=${shape%:*} CDPCC_VECTORS=${shape#*:} CDPCC_VERIFY=1 "$CDPCC" -O2 -w -fmad=false \
            --entry=block --explain "$@" "$work/program.cu" -o "$work/program" >"$work/log" 2>&1; then
            complain "$s" "$shape" "does not compile: $(tail -n 1 "$work/log")"
            continue
        fi
        blocks=$((blocks + $(grep -c 'block entry' "$work/log")))
        grep 'bad code' "$work/log" && complain "$s" "$shape" "bad code"
        CDP_ENTRY=thread timeout 60 "$work/program" >"$work/threads" 2>&1 ||
            complain "$s" "$shape" "thread entries fail"
        if ! timeout 60 "$work/program" >"$work/blocks" 2>&1; then
            complain "$s" "$shape" "block entries fail: $(tail -n 1 "$work/blocks")"
        elif ! diff "$work/threads" "$work/blocks" >"$work/difference"; then
            complain "$s" "$shape" "results differ"
        else
            echo "ok seed $s, lanes:vectors $shape"
        fi
    done
done
echo "$((programs * kernels)) kernels, $blocks block entries, $bad failures"
[ $bad -eq 0 ]
