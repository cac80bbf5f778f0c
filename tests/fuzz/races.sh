#!/usr/bin/env bash
# Plants races in random CUDA programs, and checks that --check=race finds them.
#
#   tests/fuzz/races.sh [-n COUNT] [--first NUMBER] [-- FLAGS]
#
#   -n COUNT          number of programs (100)
#   --first NUMBER    the first program's number; random by default, and printed
#   FLAGS             for cdpcc
#
# Each program runs twice: as it is, and without one of its orderings, such as a barrier, a wait, or
# the order of a stream. Which pairs of lines then race is computed from the program alone
# (order.c). The program as it is must have no report. Of the others, at least 99 of 100 must have
# one that names a pair of lines that races for certain. No report may name any other pair of lines.
#
# Environment: CDPCC, CDP_FUZZ_TIMEOUT (seconds for each 25 programs, 120; multiplied by
# CDP_TEST_PATIENCE, 5).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
CDPCC=${CDPCC:-$top/build/bin/cdpcc}
LIMIT=$((${CDP_FUZZ_TIMEOUT:-120} * ${CDP_TEST_PATIENCE:-5}))
count=100 first=$((RANDOM * 32768 + RANDOM + 1)) flags=()
while [ $# -gt 0 ]; do
    case $1 in
    -n) count=$2; shift 2 ;;
    --first) first=$2; shift 2 ;;
    --) shift; flags=("$@"); break ;;
    -h | --help) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "races.sh: $1: no such option (--help)" >&2; exit 2 ;;
    esac
done
command -v "$CDPCC" >/dev/null || { echo "races.sh: no cdpcc at $CDPCC (set CDPCC)" >&2; exit 2; }
tools=$(${MAKE:-make} -C "$top" --no-print-directory -s MODE=release fuzz-tools | tail -n 1) || exit 2
work=$(mktemp -d) || exit 2
keep=
trap '[ -n "$keep" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
echo "programs $first to $((first + count - 1)); again: tests/fuzz/races.sh --first $first -n $count"

# reports NAME: compiles and runs NAME.cu; the pairs of lines that are reported, to NAME.pairs.
reports() {
    local name=$work/$1
    if ! "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} --check=race -Wno-cdp-generation ${flags[@]+"${flags[@]}"} -I"$top/tests/fuzz" \
        "$name.cu" "$tools/program.o" -o "$name" >"$name.log" 2>&1; then
        echo "FAIL $1 does not compile"
        head -n 20 "$name.log"
        return 1
    fi
    CDP_CHECK_LIMIT=1000000 timeout -k 5 "$LIMIT" "$name" >"$name.out" 2>"$name.err"
    local status=$?
    if [ $status -gt 1 ]; then # 1: wrong results, as expected of a race
        echo "FAIL $1 ended with status $status"
        tail -n 5 "$name.err"
        return 1
    fi
    awk '/^cdp: race:/ { if (first != "") print first, second; first = second = "" }
         /^ *--> / { n = split($2, place, ":"); line = place[n - 1] + 0
                     if (first == "") first = line; else if (second == "") second = line }
         END { if (first != "") print first, second }' "$name.err" >"$name.pairs"
}

# lines NAME: the lines of NAME.cu that access memory, to NAME.lines: line, program, kind and number.
lines() {
    sed -n 's|^.* // \([0-9]*\) \([a-z][0-9]*\)$|\1 \2|;t print;b;:print;=;p' "$work/$1.cu" |
        paste -d' ' - - >"$work/$1.lines"
}

# judge NAME: compares NAME.pairs with NAME.races.
judge() {
    awk -v count="$2" '
        FILENAME ~ /lines$/ { program[$1] = $2; what[$1] = $3; next }
        FILENAME ~ /races$/ {
            known[$1, $3, $4] = known[$1, $4, $3] = $2
            removed[$1] = $5; for (i = 6; i <= NF; i++) removed[$1] = removed[$1] " " $i
            next
        }
        {
            p = program[$1]; a = what[$1]; b = what[$2]
            if (p == "" || p != program[$2] || !((p, a, b) in known)) {
                printf "FALSE program %s: lines %s (%s) and %s (%s)\n", p, $1, a, $2, b
                wrong++
            } else if (known[p, a, b] == "certain") found[p] = 1
        }
        END {
            for (p in removed) {
                planted++
                if (p in found) good++
                else printf "MISSED program %s: without %s\n", p, removed[p]
            }
            printf "%d planted, %d found, %d false\n", planted, good, wrong
        }' "$work/$1.lines" "$work/$1.races" "$work/$1.pairs"
}

planted=0 found=0 false=0 failed=0
for ((at = first; at < first + count; at += 25)); do
    left=$((first + count - at)) && ((left <= 25)) || left=25
    "$tools/emit" $at $left >"$work/plain.$at.cu" &&
        "$tools/emit" $at $left "$work/planted.$at.races" >"$work/planted.$at.cu" || exit 2
    if ! reports "plain.$at" || ! reports "planted.$at"; then
        failed=$((failed + 1)) keep=1
        continue
    fi
    if [ -s "$work/plain.$at.pairs" ]; then
        echo "FALSE reports for programs without races, from $at: $(wc -l <"$work/plain.$at.pairs")"
        false=$((false + $(wc -l <"$work/plain.$at.pairs")))
    fi
    lines "planted.$at"
    verdict=$(judge "planted.$at" $left)
    sed '$d' <<<"$verdict"
    read -r p _ f _ w _ <<<"$(tail -n 1 <<<"$verdict")"
    planted=$((planted + p)) found=$((found + f)) false=$((false + w))
done
((false == 0 && found * 100 >= planted * 99)) || keep=1
[ -z "$keep" ] || echo "the programs are kept in $work"
if ((failed > 0 || planted == 0 || false > 0 || found * 100 < planted * 99)); then
    echo "FAIL $planted planted races, $found found, $false false reports"
    exit 1
fi
echo "ok   $planted planted races, $found found, no false report"
