#!/usr/bin/env bash
# Compiles the programs beside this file and prints every result as "program.question.key: answer".
# For a process that a signal ends, it prints "program.question: dies".
#
#   tests/golden/ask.sh build/bin/cdpcc                                cdpcc's answers
#   tests/golden/ask.sh nvcc -arch=sm_90 -rdc=true >h200.expect        a GPU's
#
# The results of GPUs are in *.expect, separated by GPU, and those of numbers separately: together
# they have every question once. A program's "// flags:" line is for its compiler only.
#
# Environment: CDP_GOLDEN_PROGRAMS (a folder in which the programs are kept, and not compiled
# again), CDP_GOLDEN_ERR (a file for their standard error), CDP_GOLDEN_ONLY (a regular expression
# for the names of the programs to run).
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 2; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
programs=${CDP_GOLDEN_PROGRAMS:-$work}

# prefixed NAME: standard input's "key: answer" lines, and no others, under the name.
prefixed() { sed -n "s/^\([^:]*: .*\)/$1.\1/p"; }

ask() { # ask PROGRAM QUESTION: the question may be empty
    local name=$1${2:+.$2} status
    # shellcheck disable=SC2086
    timeout -k 5 "$((60 * ${CDP_TEST_PATIENCE:-5}))" "$programs/$1" $2 >"$work/out" 2>>"$work/err" </dev/null
    status=$?
    prefixed "$name" <"$work/out"
    [ $status -lt 124 ] || echo "$name: dies"
}

for source in "$here"/*.cu; do
    program=$(basename "$source" .cu)
    [[ $program =~ ${CDP_GOLDEN_ONLY:-.} ]] || continue
    flags=$(sed -n '1,5s|^// flags: ||p' "$source")
    # shellcheck disable=SC2086
    if [ ! -x "$programs/$program" ] && ! "$@" $flags "$source" -o "$programs/$program" >"$work/log" 2>&1; then
        echo "$program: does not compile"
        cat "$work/log" >&2
        continue
    fi
    questions=$(sed -n '1,10s|^// ask: ||p' "$source")
    if [ -z "$questions" ]; then
        ask "$program" ''
    fi
    for question in $questions; do
        ask "$program" "$question"
    done
done
cp "$work/err" "${CDP_GOLDEN_ERR:-/dev/null}"
