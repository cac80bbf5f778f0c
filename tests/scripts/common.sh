# shellcheck shell=bash
# Sourced by the test scripts: paths, and functions that report results.
#
#   check NAME COMMAND...   runs COMMAND; "ok   NAME", or "FAIL NAME" and its output
#   limit SECONDS COMMAND... ends COMMAND if it takes longer than on a quiet machine; the time is
#                           multiplied by CDP_TEST_PATIENCE (5), for busy machines
#   built SOURCE TO FLAGS... compiles once what several scripts use, see tests/support/built.bash
#   block NAME DOCUMENT     what a document has between "<!-- begin NAME -->" and "<!-- end NAME -->"
#   all_run FEWEST COMMAND...  commands of a document, at least so many: each succeeds and has an effect
#   transcripts DOCUMENT    a check for each section whose commands and output are compared,
#                           see tests/support/transcript.py
#   finish                  "N passed, N failed"; status 1 if any failed
#
# CDP_TEST_ALL=1: also slow tests that rarely find more than the others (`make check-all`).
set -u
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034
CDPCC=${CDPCC:-$top/build/bin/cdpcc}
command -v "$CDPCC" >/dev/null || { echo "no cdpcc at $CDPCC (set CDPCC)" >&2; exit 2; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
# shellcheck source=tests/support/built.bash
. "$top/tests/support/built.bash"

pass() {
    echo "ok   $1"
    passed=$((passed + 1))
}

fail() { # fail NAME [FILE]
    echo "FAIL $1"
    [ $# -lt 2 ] || head -n "${CDP_TEST_LINES:-25}" "$2" | sed 's/^/    /'
    failed=$((failed + 1))
}

check() {
    local name=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then pass "$name"; else fail "$name" "$work/check.log"; fi
}

limit() {
    timeout -k 5 "$(($1 * ${CDP_TEST_PATIENCE:-5}))" "${@:2}"
}

# says FILE REGEX...: every REGEX occurs in FILE.
says() {
    local file=$1 regex
    shift
    for regex in "$@"; do
        if ! grep -Eq -- "$regex" "$file"; then
            echo "nothing like '$regex' in:"
            cat "$file"
            return 1
        fi
    done
}

# order FILE REGEX...: lines that match, one after the other.
order() {
    local file=$1 regex at=0 found
    shift
    for regex in "$@"; do
        found=$(tail -n +$((at + 1)) "$file" | grep -nE -m1 -- "$regex" | cut -d: -f1)
        if [ -z "$found" ]; then
            echo "after line $at: no $regex"
            tail -60 "$file"
            return 1
        fi
        at=$((at + found))
    done
}

# without FILE REGEX: no line matches.
without() {
    ! grep -qE -- "$2" "$1" || { echo "unexpected: $2"; cat "$1"; return 1; }
}

block() {
    sed -n "/<!-- begin $1 -->/,/<!-- end $1 -->/p" "$2" | grep -v -e '^<!--' -e '^```'
}

# runs COMMAND: without an error, and it prints something, or writes a file.
runs() {
    : >stamp
    limit 60 bash -c "$1" >out 2>err || { echo "failed: $1"; cat out err; return 1; }
    [ -s out ] || [ -s err ] || [ -n "$(find . -newer stamp -name '*.*')" ] || { echo "without effect: $1"; return 1; }
}

all_run() {
    local fewest=$1 command
    shift
    [ $# -ge "$fewest" ] || { echo "only $# commands"; return 1; }
    for command in "$@"; do
        runs "$command" || return 1
    done
}

transcripts() {
    local name section sections
    name=$(basename "$1")
    mapfile -t sections < <(awk '/^## / { section = substr($0, 4) } /^```console/ && section != last { print last = section }' "$1")
    for section in "${sections[@]}"; do
        check "$name: $section" limit 300 python3 "$top/tests/support/transcript.py" "$1" "$section"
    done
}

finish() {
    local ended=FAILS
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ] && ended=passes
    # tools/gen_semantics.sh reads this.
    [ ! -d "$top/build" ] || { mkdir -p "$top/build/results" && echo $ended >"$top/build/results/$(basename "$0")"; }
    [ $ended = passes ]
}
