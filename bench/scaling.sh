#!/usr/bin/env bash
# Runs scaling.cu's programs alternately with 1, 2, 4, ... workers, up to the number of processors,
# and prints a Markdown table: seconds; the speedup over one worker, divided by the workers; and the
# speedup divided by that of the same number of separate processes with one worker each, which run
# at the same time on processors of their own. These processes share nothing, so they show the
# machine's own speed: two processors may be one core, several share its clock and its memory, and a
# virtual machine shares the hardware with others. It needs no compiler on the machine where it runs:
#
#   scaling.sh build CDPCC FLAGS...       makes ./scaling, to be copied elsewhere
#   scaling.sh [PROGRAM] [MOST WORKERS]   default: ./scaling beside this, all processors
#
# Environment: SCALING_WORKERS (1 2 4 ... to the most); SCALING_ROUNDS (7) and SCALING_PASSES (3):
# each figure is the best median of this number of passes; SCALING_WHAT ("nbody histogram tree
# forget"), each with its size after a colon.
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
read -ra workers <<<"${SCALING_WORKERS:-}"
if [ ${#workers[@]} -eq 0 ]; then
    for ((w = 1; w < most; w *= 2)); do
        workers+=("$w")
    done
    workers+=("$most")
fi
declare -A seconds apart
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

median() { # median WORKERS WHAT: of a process's rounds, in seconds
    local line
    line=$(CDP_WORKERS=$1 "$program" "${2%:*}" "${2#*:}" "$rounds") ||
        { echo "scaling.sh: $2 with $1 workers: $line" >&2; return 1; }
    echo "${line##* }"
}

# Seconds for one piece of work that is divided among this number of separate processes.
separate() { # separate PROCESSES WHAT
    local i pids=() processors
    mapfile -t processors < <(taskset -cp $$ | sed 's/.*: //; s/,/\n/g' |
        while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done)
    for ((i = 0; i < $1; i++)); do
        CDP_PIN=0 taskset -c "${processors[i % ${#processors[@]}]}" \
            bash -c "$(declare -f median); median 1 $2" >"$work/$i" &
        pids+=($!)
    done
    for i in "${pids[@]}"; do
        wait "$i"
    done
    for ((i = 0; i < $1; i++)); do
        cat "$work/$i"
    done | awk '{ speed += 1 / $1 } END { print 1 / speed }'
}

least() { # least A B
    awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'
}

export program rounds
for ((pass = 0; pass < passes; pass++)); do
    for w in "${workers[@]}"; do
        for one in $what; do
            key=$one/$w
            seconds[$key]=$(least "$(median "$w" "$one")" "${seconds[$key]:-1e9}")
            apart[$key]=$(least "$(separate "$w" "$one")" "${apart[$key]:-1e9}")
        done
    done
done
echo "$(uname -m), $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo
header="| workers |" rule="|---|"
for one in $what; do
    header+=" $one | efficiency | of the machine |"
    rule+="---|---|---|"
done
printf '%s\n%s\n' "$header" "$rule"
for w in "${workers[@]}"; do
    row="| $w |"
    for one in $what; do
        row+=$(awk -v t="${seconds[$one/$w]}" -v t1="${seconds[$one/1]}" -v w="$w" \
            -v apart="${apart[$one/$w]}" 'BEGIN { printf " %.4f s | %.2f | %.2f |", t, t1 / t / w, apart / t }')
    done
    echo "$row"
done
