#!/bin/bash
# Loops without an end run on at each level of optimization.
# rules: S61
. "$(dirname "$0")/support.bash"

test=$TOP/tests/cu/s61_endless_loops_run_on
runs_on() { # runs_on LEVEL: all levels at once, as each takes as long as CDP_TIMEOUT
    "$CDPCC" "$1" "$test.cu" -o "endless$1" && CDP_WORKERS=1 CDP_TIMEOUT=1 "./endless$1" 2>"err$1" |
        cmp - "$test.expect"
}
for level in -O0 -O1 -O3; do
    runs_on $level >"out$level" 2>&1 &
    running+=($!)
done
for level in -O0 -O1 -O3; do
    check "endless loops with $level" wait "${running[0]}"
    running=("${running[@]:1}")
done
finish
