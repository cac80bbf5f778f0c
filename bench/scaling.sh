#!/usr/bin/env bash
# Runs scaling.cu's programs with 1, 2, 4, ... workers up to the processors, in turn, and
# prints a Markdown table: seconds, and how many times faster each is than with one worker,
# divided by the workers. Needs no compiler where it runs:
#
#   scaling.sh build CDPCC FLAGS...       makes ./scaling, to be carried elsewhere
#   scaling.sh [PROGRAM] [MOST WORKERS]   default: ./scaling beside this, all processors
#
# Environment: SCALING_ROUNDS (7), SCALING_PASSES (3): each figure is the best median of so
# many passes; SCALING_WHAT ("nbody histogram tree forget"), each with its size after a colon.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" = build ]; then
    compiler=$2
    shift 2
    exec "$compiler" -O3 "$@" "$here/scaling.cu" -o scaling
fi
program=${1:-$here/scaling}
most=${2:-$(nproc)}
rounds=${SCALING_ROUNDS:-7} passes=${SCALING_PASSES:-3}
what=${SCALING_WHAT:-nbody:65536 histogram:268435456 tree:20 forget:20}
workers=()
for ((w = 1; w < most; w *= 2)); do
    workers+=("$w")
done
workers+=("$most")
declare -A seconds
for ((pass = 0; pass < passes; pass++)); do
    for w in "${workers[@]}"; do
        for one in $what; do
            line=$(CDP_WORKERS=$w "$program" "${one%:*}" "${one#*:}" "$rounds") ||
                { echo "scaling.sh: $one with $w workers: $line" >&2; exit 1; }
            read -r _ _ _ _ _ median <<<"$line"
            key=$one/$w
            seconds[$key]=$(awk -v a="$median" -v b="${seconds[$key]:-1e9}" 'BEGIN { print a < b ? a : b }')
        done
    done
done
echo "$(uname -m), $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo
header="| workers |" rule="|---|"
for one in $what; do
    header+=" $one | efficiency |"
    rule+="---|---|"
done
printf '%s\n%s\n' "$header" "$rule"
for w in "${workers[@]}"; do
    row="| $w |"
    for one in $what; do
        row+=$(awk -v t="${seconds[$one/$w]}" -v t1="${seconds[$one/1]}" -v w="$w" \
            'BEGIN { printf " %.4f s | %.2f |", t, t1 / t / w }')
    done
    echo "$row"
done
