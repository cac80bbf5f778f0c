#!/usr/bin/env bash
# What block entries cost the compiler: a Markdown table of compile times and of the sizes of
# kernels' code, with --entry=block over without. Medians of 5 compilations in turn.
#
#   size.sh FILE.cu...
#
# Environment: CDPCC, BENCH_BUILD (a folder for the objects).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CDPCC=${CDPCC:-$here/../build/bin/cdpcc}
work=${BENCH_BUILD:-$(mktemp -d)}
rounds=5

# seconds COMMAND... : how long it took
seconds() {
    local start=$EPOCHREALTIME
    "$@"
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}
middle() {
    tr ' ' '\n' | grep . | sort -g | sed -n "$((rounds / 2 + 1))p"
}
# Bytes of all entries of an object's kernels.
kernel_bytes() {
    nm -S "$1" | awk '$4 ~ /^cdp\.(thread|block|line|rows)\./ { sum += strtonum("0x" $2) }
        END { print sum }'
}
over() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

echo "| compile time and code size | without | with block entries | ratio | bar | kernels' code without | with | ratio | bar |"
echo "|---|---|---|---|---|---|---|---|---|"
for file; do
    plain='' block=''
    for ((i = 0; i < rounds; i++)); do
        plain+=" $(seconds "$CDPCC" -O3 --entry=thread -c "$file" -o "$work/plain.o")"
        block+=" $(seconds "$CDPCC" -O3 --entry=block -c "$file" -o "$work/block.o")"
    done
    a=$(middle <<<"$plain") b=$(middle <<<"$block")
    c=$(kernel_bytes "$work/plain.o") d=$(kernel_bytes "$work/block.o")
    printf '| %s | %.2f s | %.2f s | %s | 2 | %s | %s | %s | 3 |\n' \
        "$(basename "$file")" "$a" "$b" "$(over "$b" "$a")" "$c" "$d" "$(over "$d" "$c")"
done
