#!/usr/bin/env bash
# Compiles and runs the whole-path tests tests/cu/*.cu and compares their output.
#
#   tests/run_cu.sh [PATTERN] [-- FLAGS]    only tests whose name matches PATTERN (a
#                                           regular expression); FLAGS for every cdpcc
#
# The first lines of a test may contain:
#   // cdpcc: FLAGS          flags for this test
#   // with: FILE FLAGS      another unit, relative to tests/cu, compiled separately
#   // env: NAME=VALUE ...   environment of the run
#   // exit: N               expected exit status (0)
#   // stderr: REGEX         a line of standard error must match, for each of several such;
#                            without it, standard error must be empty
#   // block stderr: REGEX   the same, but only with block entries; all kernels that have one use it
#   // error: REGEX          the compilation must fail with this message, for each of several such
#   // warning: REGEX        the compilation must succeed with this message
#   // args: WORD ...        the program's arguments
#   // workers: N ...        instead of CDP_TEST_WORKERS
#   // races: WHY            skipped with -fsanitize=thread, which would rightly complain
#   // overruns: WHY         skipped with -fsanitize=address, for the same reason
#   // plain: WHY            skipped with all sanitizers: it needs what they leave out
#   // entries: WHY          skipped with -fsanitize=thread or undefined: code for them has no block entries
#   // optimized: WHY        skipped with -G and -O0
#   // slow: WHY             skipped in a run without PATTERN, except with CDP_TEST_ALL
# With CDP_TEST_ALL, the macro CDP_TEST_ALL is defined: for variants of what a test compiles.
#
# The expected standard output is in NAME.expect, byte for byte; without it, there must be none.
#
# Each program runs once and, if it has block entries, once more by thread entries.
#
# Environment: CDPCC, CDP_TEST_WORKERS ("1 2 8"), JOBS (2), CDP_TEST_TIMEOUT (60 seconds a run),
# CDP_TEST_PATIENCE (5: time limits are multiplied by it, for busy machines), CDP_TEST_RUNNER (words
# before the program: an emulator), CDP_TEST_LINKER (a word for cdpcc: -fuse-ld=lld), CDP_TEST_THREADS
# (0: not by thread entries), CDP_TEST_SEEDS (0; N: once more under each CDP_SEED of 1 to N),
# CDP_TEST_DIR (tests/cu), CDP_TEST_SHARE (1/1; 2/3: only the second of three parts of the tests).
set -u
here=$(cd "$(dirname "$0")" && pwd)
CDPCC=${CDPCC:-$here/../build/bin/cdpcc}
export CDPCC_VERIFY=${CDPCC_VERIFY:-1} # plans are checked
WORKERS=${CDP_TEST_WORKERS:-1 2 8}
JOBS=${JOBS:-2}
TIMEOUT=$((${CDP_TEST_TIMEOUT:-60} * ${CDP_TEST_PATIENCE:-5}))
SEEDS=${CDP_TEST_SEEDS:-0}
SHARE=${CDP_TEST_SHARE:-1/1}
tests=${CDP_TEST_DIR:-$here/cu}
read -ra runner <<<"${CDP_TEST_RUNNER:-}"

pattern=.
flags=()
while [ $# -gt 0 ]; do
    case $1 in
    --) shift; flags=("$@"); break ;;
    -h | --help) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) pattern=$1; shift ;;
    esac
done
command -v "$CDPCC" >/dev/null || { echo "run_cu.sh: no cdpcc at $CDPCC (set CDPCC)" >&2; exit 2; }

work=$(mktemp -d) && mkdir "$work/results" || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The values of "// KEY: value" lines among the first twelve of the test, in lines. Each test has a
# process of its own: starting one to read each value would take as long as short tests run.
declare -A directive
read_directives() { # read_directives FILE
    local lines line key words
    mapfile -t -n 12 lines <"$1"
    for line in "${lines[@]}"; do
        if [[ $line =~ ^//\ ([^:]+):\ (.*) ]]; then
            key=${BASH_REMATCH[1]}
            directive[$key]+=${directive[$key]:+$'\n'}${BASH_REMATCH[2]}
        fi
    done
    # On other machines the processors that tests name for their vector widths are unknown.
    if [[ "${flags[*]-} $machine" == *--target=aarch64* || $machine = aarch64 ]]; then
        read -ra words -d '' <<<"${directive[cdpcc]-}"
        directive[cdpcc]=${words[*]/-march=*/}
    fi
}
machine=$(uname -m)

fail() { # fail NAME TEXT [FILE]
    echo "FAIL $1: $2"
    if [ $# -gt 2 ] && [ -s "$3" ]; then
        head -n "${CDP_TEST_LINES:-12}" "$3" | sed 's/^/    /'
    fi
}

# compile FILE OUT FLAGS...: messages go to OUT.log; the units of `with` are linked in.
compile() {
    local source=$1 out=$2 objects=() unit unit_flags n=0
    shift 2
    set -- "$@" ${CDP_TEST_ALL:+-DCDP_TEST_ALL}
    while read -r unit unit_flags; do
        [ -n "$unit" ] || continue
        n=$((n + 1))
        # shellcheck disable=SC2086
        "$CDPCC" "$@" $unit_flags -dc "$tests/$unit" -o "$out.$n.o" >>"$out.log" 2>&1 || return 1
        objects+=("$out.$n.o")
    done <<<"${directive[with]-}"
    # shellcheck disable=SC2086
    if [ $n -gt 0 ]; then
        "$CDPCC" "$@" ${directive[cdpcc]-} -dc "$source" -o "$out.0.o" >>"$out.log" 2>&1 &&
            "$CDPCC" "$@" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} "$out.0.o" "${objects[@]}" -o "$out" >>"$out.log" 2>&1
    else
        "$CDPCC" "$@" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} ${directive[cdpcc]-} "$source" -o "$out" >>"$out.log" 2>&1
    fi
}

run_once() { # run_once NAME SOURCE PROGRAM WORKERS [VARIABLE=VALUE]
    local name=$1 source=$2 program=$3 workers=$4 expected status want entry=
    local how="with CDP_WORKERS=$workers${5:+ $5}"
    expected=${source%.cu}.expect
    [ -f "$expected" ] || expected=/dev/null
    want=${directive[exit]:-0}
    # By default the runtime may try thread entries, too.
    [ -n "${directive[block stderr]-}" ] && entry=CDP_ENTRY=block
    # shellcheck disable=SC2086
    env CDP_WORKERS="$workers" ${entry:+"$entry"} ${directive[env]-} ${5:+"$5"} timeout -k 5 "$TIMEOUT" \
        ${runner[@]+"${runner[@]}"} "$program" ${directive[args]-} \
        >"$program.out" 2>"$program.err" </dev/null
    status=$?
    if [ $status -eq 124 ]; then
        fail "$name" "hangs $how" "$program.err"
    elif [ $status -ne "$want" ]; then
        cat "$program.out" >>"$program.err"
        fail "$name" "exit status $status instead of $want $how" "$program.err"
    elif ! diff -u "$expected" "$program.out" >"$program.diff"; then
        fail "$name" "output differs $how" "$program.diff"
    else
        local regex block line
        regex=${directive[stderr]-}
        block=${directive[block stderr]-}
        if [ -z "$regex$block" ] && [ -s "$program.err" ]; then
            fail "$name" "writes to standard error $how" "$program.err"
            return 1
        fi
        if [ $# -lt 5 ] && [ -n "$block" ]; then
            regex=${regex:+$regex$'\n'}$block
        fi
        while [ -n "$regex" ] && read -r line; do
            if ! grep -Eq -- "$line" "$program.err"; then
                fail "$name" "standard error lacks '$line' $how" "$program.err"
                return 1
            fi
        done <<<"$regex"
        return 0
    fi
    return 1
}

# has_choice PROGRAM: whether CDP_ENTRY=thread may change what runs.
has_choice() {
    [[ ${directive[env]-} != *CDP_ENTRY=* ]] && nm "$1" 2>/dev/null | grep -q ' cdp\.block\.'
}

test_one() {
    local source=$1 name program error warning workers
    name=${source##*/} name=${name%.cu}
    program=$work/$name
    read_directives "$source"
    if [[ " ${flags[*]-} " == *-fsanitize=thread* ]] && [ -n "${directive[races]-}" ]; then
        echo "skip $name: races by design"
        return
    fi
    if [[ " ${flags[*]-} " == *-fsanitize=address* ]] && [ -n "${directive[overruns]-}" ]; then
        echo "skip $name: overruns by design"
        return
    fi
    if [[ " ${flags[*]-} " == *' -G '* || " ${flags[*]-} " == *' -O0 '* ]] &&
        [ -n "${directive[optimized]-}" ]; then
        echo "skip $name: needs the optimizer"
        return
    fi
    if [[ " ${flags[*]-} " == *-fsanitize=* ]] && [ -n "${directive[plain]-}" ]; then
        echo "skip $name: not for sanitizers"
        return
    fi
    if [[ " ${flags[*]-} " == *-fsanitize=thread* || " ${flags[*]-} " == *-fsanitize=undefined* ]] &&
        [ -n "${directive[entries]-}" ]; then
        echo "skip $name: it needs block entries"
        return
    fi
    if [ "$pattern" = . ] && [ -z "${CDP_TEST_ALL:-}" ] && [ -n "${directive[slow]-}" ]; then
        echo "skip $name: slow"
        return
    fi
    error=${directive[error]-}
    warning=${directive[warning]-}
    compile "$source" "$program" ${flags[@]+"${flags[@]}"}
    local compiled=$?
    if [ -n "$error" ]; then
        if [ $compiled -eq 0 ]; then
            fail "$name" "compiles, but must not"
            return
        fi
        while read -r error; do
            if [ $compiled -gt 1 ] || ! grep -Eq -- "$error" "$program.log"; then
                fail "$name" "no message like '$error'" "$program.log"
                return
            fi
        done <<<"${directive[error]}"
        echo "ok   $name"
        return
    fi
    if [ $compiled -ne 0 ]; then
        fail "$name" "does not compile" "$program.log"
        return
    fi
    if [ -n "$warning" ] && ! grep -Eq -- "$warning" "$program.log"; then
        fail "$name" "no message like '$warning'" "$program.log"
        return
    elif [ -z "$warning" ] && [ -s "$program.log" ]; then
        fail "$name" "the compiler says something" "$program.log"
        return
    fi
    workers=${directive[workers]-}
    for w in ${workers:-$WORKERS}; do
        run_once "$name" "$source" "$program" "$w" || return
    done
    for ((seed = 1; seed <= SEEDS; seed++)); do
        run_once "$name" "$source" "$program" 2 CDP_SEED=$seed || return
    done
    local ended="ok   $name" # written once all is over
    if [ "${CDP_TEST_THREADS:-1}" != 0 ] && has_choice "$program"; then
        for w in ${workers:-$WORKERS}; do
            run_once "$name" "$source" "$program" "$w" CDP_ENTRY=thread || return
        done
        ended+=$'\n'"ok   $name by thread entries"
    fi
    echo "$ended"
    rm -f "$program" "$program".*
}

# tools/gen_semantics.sh reads this: the result of a test, in a whole run without FLAGS.
kept=$here/../build/results
if [ -d "$here/../build" ] && [ ${#flags[@]} -eq 0 ] && [ -z "${CDP_TEST_DIR:-}" ] && [ "$WORKERS" = "1 2 8" ]; then
    mkdir -p "$kept"
else
    kept=
fi
record() { # record NAME RESULT
    [ -z "$kept" ] || echo "$2" >"$kept/$1"
}

one_test() { # one_test SOURCE: its messages go to results/NAME
    local name=${1##*/} lines
    name=${name%.cu}
    test_one "$1" >"$work/results/$name" 2>&1
    mapfile -t lines <"$work/results/$name"
    case ${lines[-1]-} in
    'ok  '*)
        [ -z "${directive[error]-}" ] || directive[workers]=compiler
        record "$name" "${directive[workers]:-$WORKERS}"
        ;;
    skip*) ;;
    *) record "$name" FAILS ;;
    esac
}

number=0
for source in "$tests"/*.cu; do
    name=${source##*/} name=${name%.cu}
    [[ $name =~ $pattern ]] || continue
    [ $((number++ % ${SHARE#*/})) -eq $((${SHARE%/*} - 1)) ] || continue
    while read -ra running -d '' <<<"$(jobs -rp)"; [ ${#running[@]} -ge "$JOBS" ]; do
        wait -n
    done
    one_test "$source" &
done
wait

passed=0 failed=0
for result in "$work"/results/*; do
    [ -f "$result" ] || continue
    mapfile -t lines <"$result"
    [ ${#lines[@]} -eq 0 ] || printf '%s\n' "${lines[@]}"
    for line in "${lines[@]}"; do
        [[ $line != 'ok  '* ]] || passed=$((passed + 1))
    done
    case ${lines[-1]-} in
    'ok  '* | skip*) ;;
    *) failed=$((failed + 1)) ;;
    esac
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
