#!/usr/bin/env bash
# The programs of tests/golden give the results of an H200 and an H100 under CUDA 13, line for line,
# except for the differences listed with their reasons; with 1, 2 and 8 workers, and those of
# numbers also by thread entries and without optimization.
# rules: S8 S9 S10 S11 S14 S18 S19 S21 S24 S34 S35 S36 S37 S40 S41 S42 S44 S45 S46 S48
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
golden=$top/tests/golden

# The hardware's results, with the listed differences in their places. A listed difference that no
# longer exists is an error: the list must stay correct.
expected() {
    awk -F': ' '
        function answer() { return substr($0, length($1) + 3) }
        FNR == NR { if ($0 != "" && $0 !~ /^#/) { here[$1] = answer() }; next }
        !($1 in here) { print; next }
        {
            if (here[$1] == answer()) { print "listed as a difference, but the same: " $1 }
            if (here[$1] != "-") { print $1 ": " here[$1] }
            delete here[$1]
        }
        END { for (key in here) { print key ": " here[key] } }' "$golden/differences" <(cat "$golden"/*.expect) | sort
}
answers_as_the_hardware() { # answers_as_the_hardware WORKERS
    CDP_WORKERS=$1 CDP_GOLDEN_PROGRAMS=$work CDP_GOLDEN_ERR=$work/err \
        "$golden/ask.sh" "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} | sort >"$work/answers"
    diff -u "$work/expected" "$work/answers" || { cat "$work/err"; return 1; }
}
numbers='^(expressions|printing)'
numbers_as_the_hardware() { # numbers_as_the_hardware PROGRAMS FLAGS...
    local programs=$1
    shift
    CDP_ENTRY=thread CDP_GOLDEN_ONLY=$numbers CDP_GOLDEN_PROGRAMS=$programs CDP_GOLDEN_ERR=$work/err \
        "$golden/ask.sh" "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} "$@" | sort >"$work/answers"
    grep -E "$numbers" "$work/expected" | diff -u - "$work/answers" || { cat "$work/err"; return 1; }
}
expected >"$work/expected"
for workers in ${CDP_TEST_WORKERS:-1 2 8}; do
    check "the hardware's answers with $workers workers" answers_as_the_hardware "$workers"
done
check "its numbers by thread entries" numbers_as_the_hardware "$work"
mkdir "$work/unoptimized"
check "its numbers without optimization" numbers_as_the_hardware "$work/unoptimized" -O0
finish
