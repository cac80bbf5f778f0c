#!/usr/bin/env bash
# The files that a run is reported to: signs in their names, and several processes with one name.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
bin=$(dirname "$CDPCC")
cd "$work" || exit 2

# Forks as often as its argument says, before any call of CUDA. Each process waits until all have
# started, and launches its own kernel, so files tell whose they are. The last child ends first.
cat >family.cu <<'CU'
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
__global__ void counted(int *p)
{
    __syncthreads();
    p[threadIdx.x] = 1;
}
int main(int, char **arguments)
{
    pid_t child = 0;
    for (int left = atoi(arguments[1]); left > 0 && child == 0; left--) {
        child = fork();
    }
    int *p, status = 0;
    cudaMalloc(&p, 32 * sizeof *p);
    counted<<<1, 32>>>(p);
    bool failed = cudaDeviceSynchronize() != cudaSuccess;
    if (child != 0) {
        waitpid(child, &status, 0);
    }
    printf("%d\n", getpid());
    return failed || status != 0;
}
CU
"$CDPCC" --count family.cu -o family && "$CDPCC" --check family.cu -o checked || exit 1

# each_once FOLDER: it has one file for each process of out, named by the number but for the last.
each_once() {
    local process count
    count=$(wc -l <out)
    [ "$(find "$1" -type f | wc -l)" = "$count" ] || { ls "$1"; cat out err; return 1; }
    while read -r process; do
        ls "$1"/*"$process"* >>named 2>/dev/null || true
    done <out
}
variables() { # variables NAME: a setting of each variable that names a file, in a folder of its own
    echo "CDP_TRACE=trace/$1" CDP_PROFILE=json "CDP_PROFILE_LOG=profile/$1" "CDP_COUNT=count/$1" \
        CDP_STEPS=counted "CDP_STEPS_LOG=steps/$1"
}
reset() {
    rm -rf trace profile count steps json log named
    mkdir trace profile count steps json log
}
all_are_json() { # all_are_json FOLDER
    python3 -c 'import json, sys; [json.load(open(f)) for f in sys.argv[1:]]' "$1"/*.json
}
one_name() {
    local folder
    reset
    # shellcheck disable=SC2046
    env $(variables run.json) ./family 2 >out 2>err || { cat err; return 1; }
    for folder in trace profile count steps; do
        : >named
        each_once $folder && all_are_json $folder && [ -e $folder/run.json ] && [ "$(wc -l <named)" = 2 ] || { ls $folder; return 1; }
    done
    says err "^cdp: CDP_TRACE: another process writes 'trace/run.json', so this one writes 'trace/run\.[0-9]+\.json'"
}
check "three processes with one name" one_name
no_ending() { # the number comes last if the name has no ending, and not after a dot of a folder
    rm -rf with.dot && mkdir with.dot && CDP_COUNT=with.dot/name ./family 1 >out 2>err &&
        [ "$(find with.dot -regex 'with.dot/name\(.[0-9]+\)?' | wc -l)" = 2 ]
}
check "names without an ending" no_ending
checks() { # their files are open while the program runs
    reset
    CDP_CHECK_JSON=json/run.json CDP_CHECK_LOG=log/run.json ./checked 2 >out 2>err || { cat err; return 1; }
    each_once json && each_once log && all_are_json json
}
check "the files of the checks" checks
signs() {
    reset
    # shellcheck disable=SC2046
    env RANK=7 $(variables '%q{RANK}-%h-%p-%%-%z.json') ./family 0 >out 2>err || { cat err; return 1; }
    for folder in trace profile count steps; do
        [ -e "$folder/7-$(uname -n)-$(cat out)-%-%z.json" ] || { ls $folder; return 1; }
    done
    [ ! -s err ]
}
check "%p, %h, %q{NAME} and %%" signs
no_variable() {
    CDP_TRACE='a%q{NO_SUCH}b' ./family 0 >out 2>err && [ -s ab ] && says err '^cdp: the environment has no variable NO_SUCH'
}
check "a variable that the environment does not have" no_variable
again() { # a later run replaces the file of an earlier one
    CDP_TRACE=again ./family 0 >out 2>err && printf x >>again && CDP_TRACE=again ./family 0 >out 2>>err &&
        [ "$(tail -c 2 again)" = '}' ] && [ "$(find . -name 'again*' | wc -l)" = 1 ] && without err 'another process'
}
check "a later run replaces the file" again
special() { # what is no regular file is for all processes
    CDP_PROFILE=csv CDP_PROFILE_LOG=/dev/fd/3 ./family 1 2>err 3>&1 >out | cat >piped && [ "$(grep -c '"counted"' piped)" = 2 ]
}
check "a pipe is for all processes" special
lines() { # cdp-prof --lines adds up the counts of all processes
    TMPDIR=$work/tmp && export TMPDIR && mkdir -p tmp && "$bin/cdp-prof" --lines ./family 2 >out 2>err &&
        says err '^ +6 +3 +32\.00 .* 8 +p\[threadIdx.x\] = 1;' &&
        [ "$(grep -cE '^ +[0-9]+ +3 +32\.00 .*  counted$' err)" = 1 ] && [ -z "$(ls tmp)" ]
}
check "cdp-prof --lines counts all processes" lines
report() { # the page is that of the process that cdp-report has started
    TMPDIR=$work/tmp && export TMPDIR && mkdir -p tmp && "$bin/cdp-report" -o page.html ./family 2 >out 2>err &&
        says page.html counted && [ -z "$(ls tmp)" ] && "$bin/cdp-report" -o page.html sh -c './family 1' >out 2>err &&
        says page.html counted && [ -z "$(ls tmp)" ]
}
check "cdp-report and several processes" report
finish
