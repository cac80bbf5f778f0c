#!/usr/bin/env bash
# Runs random CUDA programs (tests/fuzz/program.h) and compares their results with those of a
# sequential execution. One kernel interprets most of them; some are printed as source and compiled.
# It uses 1, 2 and 8 workers, with and without seeds.
#
#   tests/fuzz/run.sh [-n COUNT] [-s COMPILED] [--first NUMBER] [-- FLAGS]
#
#   -n COUNT          number of programs (500)
#   -s COMPILED       number of these that are compiled from source (20)
#   --first NUMBER    the first program's number, which is also the first seed; random by
#                     default, and printed
#   FLAGS             for cdpcc, e.g. -fsanitize=thread
#
# Environment: CDPCC, JOBS (2 at the same time), CDP_FUZZ_TIMEOUT (seconds for each 25 programs,
# 120; multiplied by CDP_TEST_PATIENCE, 5, for busy machines).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
CDPCC=${CDPCC:-$top/build/bin/cdpcc}
JOBS=${JOBS:-2}
LIMIT=$((${CDP_FUZZ_TIMEOUT:-120} * ${CDP_TEST_PATIENCE:-5}))
count=500 compiled=20 first=$((RANDOM * 32768 + RANDOM + 1)) flags=()
while [ $# -gt 0 ]; do
    case $1 in
    -n) count=$2; shift 2 ;;
    -s) compiled=$2; shift 2 ;;
    --first) first=$2; shift 2 ;;
    --) shift; flags=("$@"); break ;;
    -h | --help) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "run.sh: $1: no such option (--help)" >&2; exit 2 ;;
    esac
done
command -v "$CDPCC" >/dev/null || { echo "run.sh: no cdpcc at $CDPCC (set CDPCC)" >&2; exit 2; }
((compiled <= count)) || compiled=$count
tools=$(${MAKE:-make} -C "$top" --no-print-directory -s MODE=release fuzz-tools | tail -n 1) || exit 2

work=$(mktemp -d) || exit 2
keep=
trap '[ -n "$keep" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
echo "programs $first to $((first + count - 1)); again: tests/fuzz/run.sh --first $first -n $count -s $compiled"

build() { # build SOURCE PROGRAM FLAGS...
    local source=$1 program=$2
    shift 2
    # Programs of both generations, by design.
    "$CDPCC" -Wno-cdp-generation "$@" ${flags[@]+"${flags[@]}"} -I"$top/tests/fuzz" -c "$source" -o "$program.o" &&
        "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} ${flags[@]+"${flags[@]}"} "$program.o" "$tools/program.o" -o "$program"
}

# way NUMBER: how the NUMBER-th portion runs.
way() {
    local seed=$(((first + $1) % 4294967295 + 1))
    case $(($1 % 6)) in
    0) echo "CDP_WORKERS=1" ;;
    1) echo "CDP_WORKERS=2" ;;
    2) echo "CDP_WORKERS=8" ;;
    3) echo "CDP_SEED=$seed" ;;
    4) echo "CDP_SEED=$seed CDP_SCHEDULE=free CDP_WORKERS=2" ;;
    5) echo "CDP_SEED=$seed CDP_SCHEDULE=free CDP_WORKERS=8" ;;
    esac
}

# run NUMBER NAME COMMAND...: one portion; errors are written to NAME.report.
run() {
    local setting output=$work/$2.out report=$work/$2.report status
    read -ra setting <<<"$(way "$1")"
    shift 2
    env "${setting[@]}" timeout -k 5 "$LIMIT" "$@" >"$output" 2>&1
    status=$?
    if [ $status -ne 0 ] || grep -qE 'Sanitizer|runtime error' "$output"; then
        {
            [ $status -eq 124 ] && echo "FAIL hangs (over $LIMIT s)" || echo "FAIL exit status $status"
            head -n 20 "$output" | sed 's/^/    /'
            echo "    replay: ${setting[*]} $*"
        } >"$report"
    fi
}

in_turn() {
    while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do
        wait -n
    done
}

portion=25 number=0
build "$top/tests/fuzz/interpret.cu" "$work/interpret" -O2 -g || { echo "FAIL the interpreter does not compile"; exit 1; }
for ((at = first; at < first + count - compiled; at += portion)); do
    left=$((first + count - compiled - at))
    in_turn
    run $number "interpret.$at" "$work/interpret" "$at" $((left < portion ? left : portion)) &
    number=$((number + 1))
done
# As source: ten programs in a unit, in each way, and also without the optimizer.
unit() { # unit FIRST COUNT LEVEL
    local name=$work/unit.$1 way
    "$tools/emit" "$1" "$2" >"$name.cu"
    if ! build "$name.cu" "$name" "$3" -g >"$name.log" 2>&1; then
        { echo "FAIL programs from $1 do not compile"; head -n 20 "$name.log"; } >"$name.report"
        return
    fi
    for way in 0 1 2 3 4 5; do
        run $way "unit.$1.$way" "$name"
    done
}
level=-O2
for ((at = first + count - compiled; at < first + count; at += 10)); do
    left=$((first + count - at))
    in_turn
    unit $at $((left < 10 ? left : 10)) $level &
    [ $level = -O2 ] && level=-O0 || level=-O2
done
wait

bad=0
for report in "$work"/*.report; do
    [ -f "$report" ] || continue
    cat "$report"
    bad=$((bad + 1))
    keep=1
done
[ -z "$keep" ] || echo "FAIL $bad portions; the programs are kept in $work; all again: tests/fuzz/run.sh --first $first -n $count -s $compiled"
[ $bad -eq 0 ] && echo "ok   $count random programs, $compiled of them as source"
[ $bad -eq 0 ]
