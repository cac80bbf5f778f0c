#!/usr/bin/env bash
# Runs each example, and the random launch trees, many times with random seeds: with the seed's own
# schedule, and with 2 and 8 workers that run at the same time in an order that the seed shuffles.
# Any hang, wrong result or sanitizer report is printed with its command.
#
#   tests/stress/run_seeds.sh [-n RUNS] [PATTERN] [-- FLAGS]
#
#   -n RUNS   runs of each example, divided among the three ways (1000)
#   PATTERN   only examples whose name matches
#   FLAGS     for cdpcc, e.g. -fsanitize=address -O1
#
# Environment: CDPCC, JOBS (2 at the same time), CDP_STRESS_SEED (first seed; random by default),
# CDP_STRESS_TIMEOUT (seconds per run, 60; multiplied by CDP_TEST_PATIENCE, 5, for busy machines).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
CDPCC=${CDPCC:-$top/build/bin/cdpcc}
JOBS=${JOBS:-2}
TIMEOUT=$((${CDP_STRESS_TIMEOUT:-60} * ${CDP_TEST_PATIENCE:-5}))
FIRST_SEED=${CDP_STRESS_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
ways=("CDP_SCHEDULE=repeat CDP_WORKERS=1" "CDP_SCHEDULE=free CDP_WORKERS=2" "CDP_SCHEDULE=free CDP_WORKERS=8")

runs=1000 pattern=. flags=()
while [ $# -gt 0 ]; do
    case $1 in
    -n) runs=$2; shift 2 ;;
    --) shift; flags=("$@"); break ;;
    -h | --help) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) pattern=$1; shift ;;
    esac
done
command -v "$CDPCC" >/dev/null || { echo "run_seeds.sh: no cdpcc at $CDPCC (set CDPCC)" >&2; exit 2; }
[ "$runs" -gt 0 ] 2>/dev/null || { echo "run_seeds.sh: -n $runs: must be a number above 0" >&2; exit 2; }

work=$(mktemp -d) || exit 2
# shellcheck source=tests/support/built.bash
. "$top/tests/support/built.bash"
keep=
trap '[ -n "$keep" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Runs numbers $2, $2 + JOBS, ... of program $1.
run_share() {
    local program=$1 i seed way status output
    output=$program.$2.out
    for ((i = $2; i < runs; i += JOBS)); do
        seed=$(((FIRST_SEED + i * 2654435761) % 4294967295 + 1))
        read -ra way <<<"CDP_SEED=$seed ${ways[i % 3]}"
        env "${way[@]}" timeout -k 5 "$TIMEOUT" "$program" >"$output" 2>&1
        status=$?
        if [ $status -ne 0 ] || grep -qE 'Sanitizer|runtime error|FAILED' "$output"; then
            [ $status -eq 124 ] && echo "HANG (over $TIMEOUT s)" || echo "WRONG (exit status $status)"
            echo "  replay: ${way[*]} $program"
            head -n 20 "$output" | sed 's/^/    /'
        fi
    done >"$program.$2.report"
}

bad=0
for source in "$top"/examples/*.cu "$top"/tests/stress/*.cu; do
    name=$(basename "$source" .cu)
    [[ $name =~ $pattern ]] || continue
    program=$work/$name
    if ! built "$source" "$program" -Wno-cdp-generation -O2 -g ${flags[@]+"${flags[@]}"}; then
        echo "FAIL $name: does not compile"
        cat "$program.log"
        bad=$((bad + 1))
        continue
    fi
    for ((share = 0; share < JOBS; share++)); do
        run_share "$program" "$share" &
    done
    wait
    cat "$program".*.report >"$program.report"
    if [ -s "$program.report" ]; then
        wrong=$(grep -c replay: "$program.report")
        echo "FAIL $name: $wrong of $runs runs"
        head -n 60 "$program.report"
        bad=$((bad + 1))
        keep=1
    else
        echo "ok   $name: $runs runs"
    fi
done
[ -z "$keep" ] || echo "the programs are kept in $work"
[ $bad -eq 0 ]
