#!/usr/bin/env bash
# cdpcc --count: block entries, which count whole warps at once, and thread entries, which collect the
# lanes of each request, count the same. The order of atomic operations changes nothing in these
# programs.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

counts_alike() {
    "$CDPCC" -O2 -w --count --explain "$1" -o "$work/program" 2>"$work/explain" &&
        grep -q 'block entry:' "$work/explain" || return 1
    CDP_COUNT="$work/blocks.json" "$work/program" >"$work/out" 2>&1 || return 1
    CDP_COUNT="$work/threads.json" CDP_ENTRY=thread "$work/program" >"$work/out" 2>&1 || return 1
    [ -s "$work/blocks.json" ] && cmp "$work/blocks.json" "$work/threads.json"
}

for name in examples/bezier examples/histogram examples/matrix_multiply examples/block_reduction \
    tests/cu/block_entries_exchange_by_eight_lanes tests/cu/block_entries_known_shared_memory \
    tests/cu/block_entries_index_below_zero; do
    check "$(basename "$name")" counts_alike "$root/$name.cu"
done
finish
