#!/usr/bin/env bash
# Makes each allocation of the runtime fail, one after the other (CDP_FAIL_ALLOC), in each example.
#
#   tests/scripts/every_allocation_may_fail.sh [-a] [PATTERN]
#
# A run must end by itself and not by a signal: with its usual output if the runtime could do
# without the memory, else with status 1 and the example's own "out of memory". This is tested with
# one failing allocation, with all from the n-th on, and with AddressSanitizer builds, which also
# find leaks. With -a each n is tried. Otherwise n starts at random (CDP_TEST_FIRST) and grows by a
# fraction of itself, because most special cases happen early.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
all=
[ "${1:-}" != -a ] || { all=1; shift; }
pattern=${1:-.}
first=${CDP_TEST_FIRST:-$((1 + RANDOM % 12))}
export CDP_WORKERS=2

# step PROGRAM N TIMES: 0 if the run is correct, 1 if not, 2 if no allocation failed.
step() {
    local out=$1.out err=$1.err status
    CDP_FAIL_ALLOC=$2 CDP_FAIL_ALLOC_TIMES=$3 limit 60 "$1" >"$out" 2>"$err" </dev/null
    status=$?
    if grep -q Sanitizer "$err"; then
        echo "allocation $2 (times: $3): a sanitizer's report"
    elif [ $status -eq 0 ] && cmp -s "$out" "$1.right"; then
        grep -q '^cdp: CDP_FAIL_ALLOC: ' "$err" || return 2
        return 0
    elif [ $status -eq 1 ] && grep -q 'out of memory' "$out" && grep -q '^cdp: CDP_FAIL' "$err"; then
        return 0
    else
        echo "allocation $2 (times: $3): status $status, stdout:"
        cat "$out"
        echo "stderr:"
    fi
    cat "$err"
    return 1
}

# steps PROGRAM PERCENT TIMES: n grows by this percentage, at least by 1.
steps() {
    local n=$first count=0
    "$1" >"$1.right" || return 1
    while :; do
        step "$1" $n "$3"
        case $? in
        1) return 1 ;;
        2) break ;;
        esac
        n=$((n + 1 + n * $2 / 100))
        count=$((count + 1))
    done
    echo "$count" >"$1.count"
    [ $count -gt 0 ]
}

echo "first: $first"
for source in "$top"/examples/*.cu; do
    name=$(basename "$source" .cu)
    [[ $name =~ $pattern ]] || continue
    for kind in plain asan; do
        flags=(-Wno-cdp-generation -O2 -g) percent=50
        [ $kind = plain ] || { flags=(-O1 -g -fsanitize=address) percent=150; }
        [ -z "$all" ] || { percent=0 first=1; }
        built "$source" "$work/$name" "${flags[@]}" ||
            { fail "$kind: $name does not compile" "$work/$name.log"; continue; }
        for times in 1 0; do
            check "$kind: $name, failing $([ $times = 1 ] && echo once || echo from there on)" \
                steps "$work/$name" "$percent" $times
            [ -z "$all" ] || echo "     $(cat "$work/$name.count") runs"
        done
    done
done
finish
