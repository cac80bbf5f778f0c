#!/bin/bash
# At each level of optimization, threads that poll let others proceed, and endless loops are not
# removed.
# rules: S60 S61
. "$(dirname "$0")/support.bash"

polls=$TOP/tests/cu/s60_polling_loads_make_progress
endless=$TOP/tests/cu/s61_endless_loops_are_not_removed
runs() { # runs LEVEL TEST: with one worker, and by both kinds of entries
    local program=./$(basename "$2")$1 entry
    "$CDPCC" "$1" "$2.cu" -o "$program" || return
    for entry in block thread; do
        CDP_ENTRY=$entry CDP_WORKERS=1 timeout -k 5 60 "$program" 2>"$program.err" |
            cmp - "$2.expect" || return
    done
}
levels=(-O0 -O1 -O3)
for level in "${levels[@]}"; do # in parallel, because each takes as long as CDP_TIMEOUT
    CDP_TIMEOUT=1 runs "$level" "$endless" >"out$level" 2>&1 &
    running+=($!)
done
for level in "${levels[@]}"; do
    check "polling with $level" runs "$level" "$polls"
    check "endless loops with $level" wait "${running[0]}"
    running=("${running[@]:1}")
done
finish
