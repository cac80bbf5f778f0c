#!/usr/bin/env bash
# cdp-fuzz finds each planted bug of tests/fuzz/planted within 100 schedules, and its command
# repeats the failure. For the corrected versions it reports no error.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
fuzz=$(dirname "$CDPCC")/cdp-fuzz

finds() { # finds PROGRAM
    "$fuzz" -n 100 -j 2 --timeout 150 "$1" >"$work/report" 2>&1
    [ $? -eq 1 ] && says "$work/report" '^cdp-fuzz: seed [0-9]+: the output differs' "repeat: CDP_SEED=[0-9]+ $1" || return 1
    # The command gives the same output as the report.
    local line
    sh -c "$(sed -n 's/^  repeat: //p' "$work/report")" >"$work/again"
    line=$(sed -n '/^    [+]\{3\}/d; s/^    [+]//p' "$work/report")
    [ -n "$line" ] && [ "$line" = "$(cat "$work/again")" ] || { cat "$work/report" "$work/again"; return 1; }
}
passes() { "$fuzz" -n 100 -j 2 --timeout 150 "$1" >"$work/report" 2>&1 || { cat "$work/report"; return 1; }; }

for source in "$top"/tests/fuzz/planted/*.cu; do
    name=$(basename "$source" .cu)
    "$CDPCC" -O2 "$source" -o "$work/planted" && "$CDPCC" -O2 -DMENDED "$source" -o "$work/mended" ||
        { fail "$name compiles"; continue; }
    check "planted: $name: found" finds "$work/planted"
    check "corrected: $name: 100 schedules agree" passes "$work/mended"
done

# Other ways to fail.
cat >"$work/other.cu" <<'END'
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = getenv("CDP_SEED") ? atoi(getenv("CDP_SEED")) : 0;
    if (argv[1][0] == 'h' && n == 5) sleep(100);
    if (argv[1][0] == 'a' && n == 4) abort();
    if (argv[1][0] == 'e' && n == 3) return 3;
    printf("%d\n", argv[1][0] == 't' ? (int)getpid() : 1);
    return 0;
}
END
"$CDPCC" "$work/other.cu" -o "$work/other" || fail "a program that fails compiles"
reports() { # reports ARGUMENT TEXT...
    local argument=$1
    shift
    "$fuzz" -n 6 -j 2 --timeout 10 -- "$work/other" "$argument" >"$work/report" 2>&1
    [ $? -eq 1 ] && says "$work/report" "$@"
}
check "a hang is found" reports "h x" 'seed 5: the program does not end within 10 s' "repeat: CDP_SEED=5 .* h\\\\ x"
check "a signal is found" reports abort 'seed 4: the program is killed by signal 6, but without a seed it exits with status 0'
check "an exit status is found" reports exit 'seed 3: the program exits with status 3'
check "output that never repeats is reported" reports time 'two runs differ, although the schedule is the same'
ignores() { "$fuzz" -n 3 -q --ignore '^[0-9]+$' "$work/other" time >"$work/out" && [ ! -s "$work/out" ]; }
check "--ignore leaves lines out" ignores
# A program that checks itself. The mistake does not change its output.
cat >"$work/checked.cu" <<'END'
#include <cstdio>
__global__ void half() { if (threadIdx.x < 8) __syncthreads(); }
int main() {
    half<<<1, 16>>>();
    printf("%d\n", cudaDeviceSynchronize());
    return 0;
}
END
names() {
    "$CDPCC" --check=sync "$work/checked.cu" -o "$work/checked" || return
    "$fuzz" -n 3 "$work/checked" >"$work/report" 2>&1
    [ $? -eq 1 ] && says "$work/report" '^cdp-fuzz: without a seed: the checks of the program have found mistakes' \
        'sync: .* waits at __syncthreads' 'checked.cu:2:' "repeat: $work/checked" &&
        CDP_CHECK=none "$fuzz" -n 3 -q "$work/checked" >"$work/report" 2>&1 && [ ! -s "$work/report" ]
}
sed 's/return 0;/for (;;) {}/' "$work/checked.cu" >"$work/hanging.cu"
names_before_a_hang() {
    "$CDPCC" --check=sync "$work/hanging.cu" -o "$work/hanging" || return
    "$fuzz" -n 3 --timeout 3 "$work/hanging" >"$work/report" 2>&1
    [ $? -eq 1 ] && says "$work/report" '^cdp-fuzz: without a seed: the checks of the program have found mistakes' \
        'sync: .* waits at __syncthreads'
}
check "what checks find is reported if the program does not end, too" names_before_a_hang
check "what checks find is reported, unless CDP_CHECK leaves them out" names
refuses() { "$fuzz" "$@" >"$work/out" 2>&1; [ $? -eq 2 ] && says "$work/out" '^cdp-fuzz: '; }
check "a wrong number is refused" refuses -n 0 "$work/other" x
check "a missing program is refused" refuses "$work/none"
without_folder() { cd "$work" && refuses other && says "$work/out" 'other: no such program in PATH; did you mean ./other'; }
check "a program without ./ is refused with a hint" without_folder
check "an unknown option is refused" refuses --none "$work/other"
help() { "$fuzz" --help >"$work/out" && says "$work/out" '--timeout S' '^Runs a CUDA program'; }
check "--help explains the options" help
finish
