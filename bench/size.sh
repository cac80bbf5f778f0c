#!/usr/bin/env bash
# Measures what block entries cost the compiler. Prints a Markdown table: compile times with
# --entry=block divided by those without, medians of 3 alternating compilations; and the bytes of
# the kernels' code, with entries for the block sizes that launches name divided by those without
# them.
#
#   size.sh FILE.cu...
#
# Environment: CDPCC, BENCH_BUILD (a folder for the objects).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CDPCC=${CDPCC:-$here/../build/bin/cdpcc}
work=${BENCH_BUILD:-$(mktemp -d)}
rounds=3

# seconds COMMAND... : the time of the command
seconds() {
    local start=$EPOCHREALTIME
    "$@"
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}
middle() {
    tr ' ' '\n' | grep . | sort -g | sed -n "$((rounds / 2 + 1))p"
}
# kernel_bytes OBJECT KIND... : the bytes of the kernels' entries of these kinds.
kernel_bytes() {
    local object=$1
    shift
    nm -S -t d "$object" | awk -v kinds="$*" '
        $4 ~ "^cdp\\.(" kinds ")[0-9]*\\." { sum += $2 }
        END { print sum + 0 }'
}
over() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b }'
}

echo "| compiled | without | with block entries | ratio | bar | bytes: thread entries |" \
    "and block entries for any size | all, where sizes are known | last over middle | bar |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for file; do
    plain='' block=''
    for ((i = 0; i < rounds; i++)); do
        plain+=" $(seconds "$CDPCC" -O3 --entry=thread -c "$file" -o "$work/plain.o")"
        block+=" $(seconds "$CDPCC" -O3 --entry=block -c "$file" -o "$work/block.o")"
    done
    a=$(middle <<<"$plain") b=$(middle <<<"$block")
    CDPCC_SIZES=none "$CDPCC" -O3 --entry=block -c "$file" -o "$work/general.o"
    thread=$(kernel_bytes "$work/block.o" thread)
    general=$(kernel_bytes "$work/general.o" 'thread|block|one_row|rows|any')
    all=$(kernel_bytes "$work/block.o" 'thread|block|one_row|rows|any|fixed')
    printf '| %s | %.2f s | %.2f s | %s | 2 | %s | %s | %s | %s | 3 |\n' "$(basename "$file")" \
        "$a" "$b" "$(over "$b" "$a")" "$thread" "$general" "$all" "$(over "$all" "$general")"
done
