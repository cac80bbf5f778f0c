#!/usr/bin/env bash
# Runs every example under a checker and demands silence.
#
#   tests/scripts/examples_with.sh address|undefined|thread|valgrind|plain|debug [PATTERN]
#
# With 1, 2 and 8 workers (CDP_TEST_WORKERS).
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
checker=${1:-}
pattern=${2:-.}
workers=${CDP_TEST_WORKERS:-1 2 8}
runner=()
case $checker in
address) flags=(-O1 -g -fsanitize=address) ;;
undefined) flags=(-O1 -g -fsanitize=undefined) ;;
thread) flags=(-O1 -g -fsanitize=thread) ;;
plain) flags=(-O2) ;;
debug) flags=(-g -G -O0) ;;
valgrind)
    # clang's DWARF 5 breaks valgrind's reader of debug information. Block entries exist, and the
    # runtime does not use them.
    flags=(-O1 -gdwarf-4 --entry=block)
    runner=(valgrind -q --error-exitcode=99 --trace-children=no)
    workers=${CDP_TEST_WORKERS:-2}
    ;;
*) sed -n '2,/^# shellcheck/s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

run() { # run PROGRAM WORKERS
    local out=$1.out
    CDP_WORKERS=$2 limit 300 ${runner[@]+"${runner[@]}"} "$1" >"$out" 2>&1
    local status=$?
    if [ $status -ne 0 ] || grep -qE 'Sanitizer|runtime error:|^==[0-9]+==|FAILED' "$out"; then
        echo "exit status $status with CDP_WORKERS=$2"
        cat "$out"
        return 1
    fi
}

for source in "$top"/examples/*.cu; do
    name=$(basename "$source" .cu)
    [[ $name =~ $pattern ]] || continue
    if ! built "$source" "$work/$name" "${flags[@]}"; then
        fail "$checker: $name: does not compile" "$work/$name.log"
        continue
    fi
    for n in $workers; do
        check "$checker: $name, $n workers" run "$work/$name" "$n"
    done
done
finish
