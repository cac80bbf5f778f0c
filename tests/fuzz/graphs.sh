#!/usr/bin/env bash
# Random graphs against the same work in a stream; see graphs.cu.
#
#   tests/fuzz/graphs.sh [-n COUNT] [--first NUMBER] [-- FLAGS]
#
#   -n COUNT          number of graphs (1000)
#   --first NUMBER    the first graph's number; random by default, and printed
#   FLAGS             for cdpcc
#
# With 1, 2 and 8 workers, and some under schedules by number. With the checks of race, memory and
# initialization, some must run without a report.
#
# Environment: CDPCC, CDP_TEST_PATIENCE (5: multiplies the time limit of 60 seconds a run).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
CDPCC=${CDPCC:-$top/build/bin/cdpcc}
count=1000 first=$((RANDOM * 32768 + RANDOM + 1)) flags=()
while [ $# -gt 0 ]; do
    case $1 in
    -n) count=$2; shift 2 ;;
    --first) first=$2; shift 2 ;;
    --) shift; flags=("$@"); break ;;
    -h | --help) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "graphs.sh: $1: no such option (--help)" >&2; exit 2 ;;
    esac
done
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
echo "graphs $first to $((first + count - 1)); again: tests/fuzz/graphs.sh --first $first -n $count"
passed=0 failed=0

build() { # build NAME FLAGS...
    "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} -std=c++17 "${@:2}" ${flags[@]+"${flags[@]}"} "$top/tests/fuzz/graphs.cu" -o "$work/$1" ||
        { echo "FAIL $1 does not compile"; exit 1; }
}

graphs() { # graphs TITLE PROGRAM COUNT NAME=VALUE...
    if env "${@:4}" timeout -k 5 $((60 * ${CDP_TEST_PATIENCE:-5})) "$work/$2" "$first" "$3" >"$work/out" 2>&1 &&
        ! grep -q '^cdp:' "$work/out"; then
        echo "ok   $3 graphs $1"
        passed=$((passed + 1))
    else
        echo "FAIL graphs $1"
        head -n 20 "$work/out"
        failed=$((failed + 1))
    fi
}

build plain
for workers in 1 2 8; do
    graphs "with $workers workers" plain "$count" CDP_WORKERS=$workers
done
few=$((count / 20 + 1))
for seed in 1 2 3; do
    graphs "in the order of seed $seed" plain $few CDP_SEED=$seed
done
if [[ " ${flags[*]-} " != *-fsanitize* ]]; then
    build checked --check
    graphs "with all checks" checked $few CDP_WORKERS=2
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
