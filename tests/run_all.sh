#!/usr/bin/env bash
# All tests, in the order in which a failure says most: C tests of the runtime, cdpcc's
# own, headers, whole programs, examples under seeds, tools around them.  Ends with one
# line "N passed, N failed"; status 1 if any failed.  `make check` calls it.
#
# Environment: MODE (release, debug, asan, tsan): the build under test.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 2
MODE=${MODE:-release}
export CDPCC=${CDPCC:-$top/build/bin/cdpcc}
passed=0 failed=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

case $MODE in
asan | tsan) export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-20} ;;
*) export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-4} ;;
esac
case $MODE in
asan)
    flags=(-fsanitize=address)
    # Else thousands of waiting threads' fake stacks are more than fork may promise again.
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}uar_noreserve=1
    ;;
tsan) flags=(-fsanitize=thread) ;;
debug) flags=(-g -O0) ;;
*) flags=() ;;
esac

count() { # count PASSED FAILED
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# A Check program: "100%: Checks: 7, Failures: 0, Errors: 0".
run_check() {
    local line
    "$1" >"$log" 2>"$log.err"
    local status=$?
    line=$(grep -E '^[0-9]+%: Checks: ' "$log" | tail -n 1)
    if [[ $line =~ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+) ]]; then
        local bad=$((BASH_REMATCH[2] + BASH_REMATCH[3]))
        count $((BASH_REMATCH[1] - bad)) "$bad"
        # What tools/gen_semantics.sh reads.
        mkdir -p build/results
        [ "$bad" -eq 0 ] && echo passes >"build/results/$(basename "$1").c" ||
            echo FAILS >"build/results/$(basename "$1").c"
        echo "$(basename "$1"): $line"
        [ "$bad" -eq 0 ] || { grep -vE '^(Running|[0-9]+%)' "$log"; tail -n 30 "$log.err"; }
    else
        count 0 1
        echo "FAIL $(basename "$1"): no result, status $status"
        tail -n 30 "$log.err"
    fi
    rm -f "$log.err"
}

# A script that ends with "N passed, N failed"; its failures are shown.
run_script() {
    local name=$1 line
    shift
    "$@" >"$log" 2>&1
    local status=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    else
        local ok bad
        ok=$(grep -c '^ok' "$log")
        bad=$(grep -c '^FAIL' "$log")
        [ $((ok + bad)) -gt 0 ] && { [ "$status" -eq 0 ] || [ "$bad" -gt 0 ]; } || bad=$((bad + 1))
        count "$ok" "$bad"
        line="$ok passed, $bad failed"
    fi
    echo "$name: $line"
    grep -A 14 '^FAIL' "$log" | grep -v '^ok'
    [[ $line == *" 0 failed"* ]] || [ "$status" -eq 0 ] || tail -n 5 "$log"
}

if ! programs=$(set -o pipefail
    ${MAKE:-make} --no-print-directory MODE="$MODE" test-programs | tail -n 1); then
    echo "FAIL the C tests do not build"
    count 0 1
    programs=
fi
for program in $programs; do
    run_check "$program"
done
for script in tests/cdpcc/*.sh tests/compat/*.sh; do
    [ -e "$script" ] && run_script "$(basename "$script")" bash "$script"
done
if [ ${#flags[@]} -gt 0 ]; then
    run_script "whole programs" env CDP_TEST_THREADS=0 bash tests/run_cu.sh . -- "${flags[@]}"
else
    run_script "whole programs" bash tests/run_cu.sh
    # Of each kind some, as compiling is what takes long.
    run_script "whole programs compiled without block entries" \
        bash tests/run_cu.sh '^(s1|barriers|spin|warp)' -- --entry=thread
    run_script "random kernels" bash tests/fuzz_kernels/run.sh -n 20 -k 20
    run_script "examples under seeds" bash tests/stress/run_seeds.sh -n "${CDP_STRESS_RUNS:-12}"
    first=$((RANDOM * 32768 + RANDOM + 1))
    run_script "random programs from number $first" \
        bash tests/fuzz/run.sh --first $first -n "${CDP_FUZZ_PROGRAMS:-500}"
    for script in tests/scripts/*.sh; do
        case $(basename "$script") in
        common.sh | examples_with.sh) ;;
        *) run_script "$(basename "$script")" bash "$script" ;;
        esac
    done
    for tool in address undefined thread valgrind; do
        run_script "examples with $tool" env CDP_TEST_WORKERS=2 bash tests/scripts/examples_with.sh $tool
    done
fi

echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
