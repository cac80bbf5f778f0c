#!/usr/bin/env bash
# All tests: C tests of the runtime, cdpcc's own, headers, whole programs, examples under seeds,
# tools around them.
#
#   tests/run_all.sh [--all] [PATTERN]
#
#   --all     also slow tests that rarely find more than the others: `make check-all`
#   PATTERN   only parts whose name matches (a regular expression)
#
# Parts run in parallel, one more than there are processors. Each prints its CPU seconds. The last line
# is "N passed, N failed"; status 1 if any failed.
#
# Environment: MODE (release, debug, asan, tsan): the build under test. JOBS: number of parallel
# parts.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 2
MODE=${MODE:-release}
export CDPCC=${CDPCC:-$top/build/bin/cdpcc}
if [ "${1:-}" = --all ]; then
    export CDP_TEST_ALL=1
    shift
fi
pattern=${1:-.}
# Some tests wait for most of their time, so there is one part more than processors.
slots=${JOBS:-$(($(nproc) + 1))}
passed=0 failed=0 seconds=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export CDP_TEST_PROGRAMS=$work/programs
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

# A test counts as hanging after this multiple of its time on a quiet machine.
export CDP_TEST_PATIENCE=${CDP_TEST_PATIENCE:-5}
case $MODE in
asan | tsan) export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-$((10 * CDP_TEST_PATIENCE))} ;;
*) export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-$((2 * CDP_TEST_PATIENCE))} ;;
esac
case $MODE in
asan)
    flags=(-fsanitize=address)
    # Otherwise the fake stacks of thousands of waiting threads need more memory than fork may
    # promise again.
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}uar_noreserve=1
    ;;
tsan) flags=(-fsanitize=thread) ;;
debug) flags=(-g -O0) ;;
*) flags=() ;;
esac

# cdpcc links plain programs by lld. With --all, most programs are linked by the default linker.
[ -z "${CDP_TEST_ALL:-}" ] || export CDP_TEST_LINKER=${CDP_TEST_LINKER--fuse-ld=bfd}

# ---- one part ----

# A part's result: "PASSED FAILED", from a Check program's "100%: Checks: 7, Failures: 0, Errors:
# 0", a script's "7 passed, 0 failed", or its lines "ok" and "FAIL".
counts() { # counts LOG STATUS
    local line ok bad
    line=$(grep -E '^([0-9]+%: Checks: [0-9]+, |[0-9]+ passed, [0-9]+ failed)' "$1" | tail -n 1)
    if [[ $line =~ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+) ]]; then
        bad=$((BASH_REMATCH[2] + BASH_REMATCH[3]))
        ok=$((BASH_REMATCH[1] - bad))
    elif [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        ok=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
    else
        ok=$(grep -c '^ok' "$1")
        bad=$(grep -c '^FAIL' "$1")
        [ $((ok + bad)) -gt 0 ] || bad=1
    fi
    [ "$2" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    echo "$ok $bad"
}

# The lines of a log that show why the part failed.
reasons() { # reasons NAME LOG
    case $1 in
    test_*) grep -vE '^(Running|[0-9]+%)' "$2" | tail -n 60 ;;
    *) grep -A 14 '^FAIL' "$2" | grep -v '^ok' || tail -n 20 "$2" ;;
    esac
}

# The CPU seconds of a shell's children, rounded, from the output of `times`.
processor_seconds() {
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } }
        END { printf "%d", s + 0.5 }' "$1"
}

run_part() { # run_part NUMBER COMMAND...
    local at=$work/$1
    shift
    "$@" >"$at.log" 2>&1
    echo $? >"$at.status"
    times >"$at.times"
    : >"$at.done"
}

# ---- all of them ----

parts=() told=0

# Programs that run as root and replace an output file or change its mode may damage devices.
null=$(stat -c '%F %a' /dev/null)
look_at_null() {
    local now
    now=$(stat -c '%F %a' /dev/null)
    [ "$now" = "$null" ] || echo "note: /dev/null was '$null' and is '$now' after $1"
    null=$now
}

# Prints the results of parts, in the order of their start.
tell() {
    local at name ok bad took
    while [ -e "$work/$told.done" ]; do
        at=$work/$told name=${parts[told]}
        read -r ok bad <<<"$(counts "$at.log" "$(cat "$at.status")")"
        took=$(processor_seconds "$at.times")
        passed=$((passed + ok)) failed=$((failed + bad)) seconds=$((seconds + took))
        echo "$name: $ok passed, $bad failed ($took s)"
        [ "$bad" -eq 0 ] || reasons "$name" "$at.log"
        if [[ $name == test_* ]]; then # tools/gen_semantics.sh reads these results
            mkdir -p build/results
            [ "$bad" -eq 0 ] && echo passes >"build/results/$name.c" || echo FAILS >"build/results/$name.c"
        fi
        rm -f "$at".*
        look_at_null "$name"
        told=$((told + 1))
    done
}

at_most() { # at_most N: waits until so many parts run
    while [ "$(jobs -rp | wc -l)" -gt "$1" ]; do
        wait -n
        tell
    done
    tell
}

part() { # part NAME COMMAND...: starts when a job is free
    [[ $1 =~ $pattern ]] || return 0
    at_most $((slots - 1))
    parts+=("$1")
    JOBS=1 run_part $((${#parts[@]} - 1)) "${@:2}" &
}

whole_programs() { # whole_programs COMMAND...: as many parts as run at the same time
    local share
    for ((share = 1; share <= slots; share++)); do
        part "whole programs, $share of $slots" env CDP_TEST_SHARE=$share/$slots "$@"
    done
}

scripts() { # scripts PATTERN...: each a part, once
    local script
    for script in "$@"; do
        [[ " ${parts[*]} " != *" ${script##*/} "* ]] || continue
        case $(basename "$script") in
        common.sh | examples_with.sh) ;;
        # The model rarely changes, nor do our own tools, which two others test. Chromium and roots are large.
        report_browser.sh | clean_root.sh | deque_model.sh | layers.sh | fuzz_finds_planted_bugs.sh)
            [ -z "${CDP_TEST_ALL:-}" ] || part "$(basename "$script")" bash "$script"
            ;;
        *) part "$(basename "$script")" bash "$script" ;;
        esac
    done
}

if_all() { # if_all A B: A for `make check-all`, else B
    [ -n "${CDP_TEST_ALL:-}" ] && echo "$1" || echo "$2"
}

[[ " ${MAKEFLAGS:-}" == *' -j'* ]] || at_once=-j$slots # else make's own jobs
if ! programs=$(set -o pipefail
    ${MAKE:-make} --no-print-directory ${at_once:-} MODE="$MODE" test-programs | tail -n 1); then
    echo "FAIL the C tests do not build"
    failed=1
    programs=
fi
for program in $programs; do
    part "$(basename "$program")" "$program"
done
if [ ${#flags[@]} -gt 0 ]; then
    whole_programs env CDP_TEST_THREADS=0 bash tests/run_cu.sh . -- "${flags[@]}"
else
    # The longest parts come first, and short ones last: then no processor waits for another at the end.
    whole_programs bash tests/run_cu.sh
    # Some of each kind, because the compilation takes long.
    part "whole programs compiled without block entries" \
        bash tests/run_cu.sh "$(if_all . '^(s1_|barriers_(at|with)|spin|warp_shuffles)')" -- --entry=thread
    part "random kernels" bash tests/fuzz_kernels/run.sh -n "$(if_all 200 10)" -k 20
    part "random graphs" bash tests/fuzz/graphs.sh -n "$(if_all 20000 1000)"
    part "planted races" bash tests/fuzz/races.sh -n "$(if_all 500 8)"
    part "examples under seeds" bash tests/stress/run_seeds.sh \
        -n "${CDP_STRESS_RUNS:-$(if_all 1000 12)}"
    first=$((RANDOM * 32768 + RANDOM + 1))
    part "random programs from number $first" \
        bash tests/fuzz/run.sh --first $first -n "${CDP_FUZZ_PROGRAMS:-$(if_all 5000 500)}"
    for tool in address undefined thread; do
        part "examples with $tool" env CDP_TEST_WORKERS=2 bash tests/scripts/examples_with.sh $tool
    done
    part "examples with valgrind" env CDP_TEST_WORKERS=2 bash tests/scripts/examples_with.sh \
        valgrind "$(if_all . '^(hello|quicksort|bezier|bfs|visibility)')"
fi
scripts tests/compat/*.sh tests/cdpcc/*.sh
[ ${#flags[@]} -gt 0 ] || scripts tests/scripts/{printed_programs,aarch64}.sh tests/scripts/*.sh
at_most 0

echo
echo "$passed passed, $failed failed ($seconds CPU seconds, $SECONDS seconds in total)"
[ "$failed" -eq 0 ]
