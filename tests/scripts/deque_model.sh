#!/usr/bin/env bash
# Spin explores all interleavings of an owner and two thieves of a deque. Without one of its fences
# it must find that an offer is taken twice. The same for the kept task.
#
#   tests/scripts/deque_model.sh [TRIES OPERATIONS PUSHES]     default: 1 4 2, a minute
#
# The sizes are for the deque. The model of the kept task has two operations more, and three tasks.
set -u
models=$(cd "$(dirname "$0")/../models" && pwd)
deque=("$models/deque.pml" "-DTRIES=${1:-1}" "-DOPERATIONS=${2:-4}" "-DPUSHES=${3:-2}")
kept=("$models/kept.pml" "-DTRIES=${1:-1}" "-DOPERATIONS=$((${2:-4} + 2))" "-DTASKS=3")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0

errors() { # errors MODEL FLAGS...: their number, or the failure
    local model=$1
    shift
    spin -a "$@" "$model" >out 2>&1 &&
        ${CC:-cc} -w -O2 -DMEMLIM=8000 -DSAFETY -DCOLLAPSE -o pan pan.c >>out 2>&1 &&
        ./pan -m1000000 >out 2>&1
    if grep -q 'pan: .*out of memory\|max search depth too small' out; then
        echo "incomplete"
    else
        sed -n 's/.*errors: \([0-9]*\).*/\1/p' out | grep . || head -c 300 out
    fi
}
expect() { # expect NAME ERRORS MODEL FLAGS...
    local name=$1 wanted=$2 found
    shift 2
    found=$(errors "$@")
    if [ "$found" = "$wanted" ]; then
        echo "ok   $name"
        passed=$((passed + 1))
    else
        echo "FAIL $name: errors: $found, not $wanted"
        failed=$((failed + 1))
    fi
}
expect every_offer_has_one_taker 0 "${deque[@]}"
expect not_without_the_raiders_membarrier 1 "${deque[@]}" -DWITHOUT_MEMBARRIER
expect not_without_the_owners_fence 1 "${deque[@]}" -DWITHOUT_FENCE
expect what_is_kept_has_one_taker 0 "${kept[@]}"
expect what_is_kept_not_without_the_membarrier 1 "${kept[@]}" -DWITHOUT_MEMBARRIER
expect what_is_kept_not_by_its_number_last 1 "${kept[@]}" -DTASK_FIRST
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
