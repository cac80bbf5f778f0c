#!/usr/bin/env bash
# docs/which-tool.md and docs/moving-to-a-gpu.md are correct: their commands print what they show, and those
# in tables and sentences run.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
PATH=$(cd "$(dirname "$CDPCC")" && pwd):$PATH
export PATH HOME=$work
unset CDP_WORKERS CDP_TIMEOUT CDP_CHECK CDP_CHECK_EXIT CDP_ERROR_EXIT CDP_ENTRY CDP_SEED
doc=$top/docs/which-tool.md
gpu=$top/docs/moving-to-a-gpu.md
cp "$top"/examples/mistakes/*.cu "$work" && cd "$work" || exit 2
transcripts "$doc"
transcripts "$gpu"

every_command() { # with a program that is right
    cat >x.cu <<'CU'
#include <cstdio>
__global__ void hello() { printf("hello\n"); }
int main() { hello<<<1, 1>>>(); return cudaDeviceSynchronize(); }
CU
    local commands
    mapfile -t commands < <(grep -ohE -e '(`|^    )((CDP_[A-Z]+=[a-z0-9]+ )?\./x|cdpcc [^`]*\<x\.cu[^`]*|cdp-[a-z]+ (--lines )?\./(x|counted))' \
        "$doc" "$gpu" | sed -E 's/^(`|    )//' | awk '!seen[$0]++')
    "$CDPCC" -g x.cu -o x || return 1
    for command in "${commands[@]}"; do
        case $command in
        cdp-gdb*) command+=' </dev/null' ;;
        cdpcc*--run*) ;;
        cdpcc*) command+=' && ls' ;;
        esac
        runs "$command" || return 1
    done
    [ ${#commands[@]} -ge 15 ] || { echo "only ${#commands[@]} commands: ${commands[*]}"; return 1; }
}
check "every other command of the two" every_command
limits() { # the defaults in the table
    cat >limits.cu <<'CU'
#include <cstdio>
int main()
{
    for (cudaLimit limit : {cudaLimitStackSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
                            cudaLimitDevRuntimePendingLaunchCount}) {
        size_t value = 0;
        cudaDeviceGetLimit(&value, limit);
        printf("%zu\n", value);
    }
}
CU
    "$CDPCC" --run limits.cu | diff - <(printf '%s\n' 1024 $((8 << 20)) 2 2048) &&
        says "$gpu" 'StackSize`, 1024 bytes' 'HeapSize`, 8 MiB' 'SyncDepth`, 2 by' 'LaunchCount`, 2048 by'
}
check "the default limits in docs/moving-to-a-gpu.md" limits
rows() { # each row of the table leads to a section
    local heading bad=0
    while IFS= read -r heading; do
        grep -qiE "^## $(sed 's/-/[ ,-]+/g' <<<"$heading")\$" "$doc" || { echo "no section $heading"; bad=1; }
    done < <(sed -nE 's/^\|.*\(#([a-z-]+)\).*/\1/p' "$doc")
    return $bad
}
check "each row of its table leads to a section" rows
finish
