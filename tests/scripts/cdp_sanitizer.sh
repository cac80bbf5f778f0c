#!/usr/bin/env bash
# cdp-sanitizer: compute-sanitizer's options for programs that were compiled with cdpcc --check.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
sanitizer=$(dirname "$(readlink -f "$(command -v "$CDPCC")")")/cdp-sanitizer
cd "$work" || exit 2

# Two mistakes that synccheck finds, one of them twice; an error that nobody reads.
cat >mistakes.cu <<'CU'
#include <cstdio>
__global__ void half() {
    if (threadIdx.x < 8) {
        __syncthreads();
    }
}
__global__ void shuffle(int *a) { *a = __shfl_down_sync(0xffffffff, threadIdx.x, 16); }
int main(int argc, char **) {
    int *a;
    cudaMalloc(&a, 4);
    half<<<1, 16>>>();
    half<<<1, 16>>>();
    shuffle<<<1, 20>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaMemset(a, -1, (size_t)1 << 60);
    printf("done\n");
    return argc > 1 ? 5 : 0;
}
CU
cat >clean.cu <<'CU'
#include <cstdio>
__global__ void kernel() { __syncthreads(); }
int main() {
    kernel<<<1, 64>>>();
    return cudaDeviceSynchronize();
}
CU
"$CDPCC" --check=sync,api mistakes.cu -o mistakes && "$CDPCC" --check=sync clean.cu -o clean &&
    "$CDPCC" clean.cu -o unchecked || exit 2

# run STATUS OPTIONS...: out and err; fails if the status differs.
run() {
    local expected=$1 status
    shift
    "$sanitizer" "$@" >out 2>err </dev/null
    status=$?
    [ $status = "$expected" ] || { echo "exit status $status, not $expected:"; cat err; return 1; }
}
last_is() { # last_is FILE TEXT
    [ "$(tail -n 1 "$1")" = "$2" ] || { echo "the last line of $1 is not '$2':"; cat "$1"; return 1; }
}

finds() {
    run 0 --tool synccheck ./mistakes && last_is err 'cdp-sanitizer: ERROR SUMMARY: 2 errors' && last_is out "done" &&
        says err 'sync: thread \(0,0,0\) waits at __syncthreads' 'mistakes.cu:4:9' 'sync: lane 4 reads from lane 20' &&
        ! grep -q 'cudaMemset' err
}
check "synccheck finds mistakes of synchronization only" finds

says_clean() { run 0 --tool=synccheck ./clean && last_is err 'cdp-sanitizer: ERROR SUMMARY: 0 errors'; }
check "a program without mistakes" says_clean

keeps() { run 5 --tool synccheck ./mistakes 1; }
check "the program's arguments and its exit status" keeps
exits() { run 9 --tool synccheck --error-exitcode 9 ./mistakes && run 9 --tool synccheck --error-exitcode=9 ./mistakes 1; }
check "--error-exitcode if there are errors" exits
does_not() { run 0 --tool synccheck --error-exitcode 9 ./clean; }
check "--error-exitcode if there are none" does_not

reads_errors() {
    run 0 ./mistakes && says err 'api: .*cudaMemset' 'compiled without --check=memory,space' &&
        last_is err 'cdp-sanitizer: ERROR SUMMARY: 1 error' &&
        run 2 --report-api-errors no ./mistakes && says err 'not compiled with --check=memory,space'
}
check "memcheck, the default, reports errors that the program does not read" reads_errors
finds_all() { run 0 --tool all ./mistakes && last_is err 'cdp-sanitizer: ERROR SUMMARY: 3 errors'; }
check "--tool all" finds_all

limits() {
    run 0 --tool synccheck --print-limit 1 ./mistakes && last_is err 'cdp-sanitizer: ERROR SUMMARY: 2 errors' &&
        says err 'waits at' && ! grep -q 'lane 4 reads' err
}
check "--print-limit limits the text, not the number" limits

logs() {
    run 0 --tool synccheck --log-file log.txt ./mistakes && says log.txt 'waits at' 'lane 4 reads' &&
        last_is log.txt 'cdp-sanitizer: ERROR SUMMARY: 2 errors' && ! grep -q 'waits at' err
}
check "--log-file" logs

writes_json() {
    run 0 --tool synccheck --json report.json ./mistakes && python3 - <<'PY'
import json
report = json.load(open("report.json"))
assert [one["check"] for one in report] == ["sync", "sync", "summary"], report
assert report[-1]["findings"] == 2 and report[-1]["repeated"] == 1, report
PY
}
check "--json" writes_json

dies() { # its findings count although it has no summary
    printf '%s\n' '#include <cstdlib>' '__global__ void over(int *p) { p[4] = 1; }' \
        'int main() { int *p; cudaMalloc(&p, 16); over<<<1, 1>>>(p); cudaDeviceSynchronize(); abort(); }' >dies.cu
    "$CDPCC" --check dies.cu -o dies && run 134 ./dies && last_is err 'cdp-sanitizer: ERROR SUMMARY: 1 error'
}
check "a program that a signal ends" dies

# A script that starts two checked programs and an unchecked one.
printf '#!/bin/sh\n./mistakes\n./unchecked\n./mistakes 1\nexit 4\n' >script
chmod +x script
runs_scripts() {
    run 4 --tool synccheck --json both.json --log-file both.txt ./script &&
        last_is err 'cdp-sanitizer: ERROR SUMMARY: 4 errors' &&
        python3 -c 'import json; assert len(json.load(open("both.json"))) == 7' &&
        [ "$(grep -c 'waits at' both.txt)" = 2 ]
}
check "a script: the errors of all its processes" runs_scripts

says_how() { run 2 ./unchecked && says err "unchecked was not compiled with --check: compile it with 'cdpcc --check'"; }
check "a program without checks" says_how
printf '#!/bin/sh\n./unchecked\n' >script
says_how_of_a_script() { run 2 ./script && says err 'script was not compiled with --check'; }
check "a script that starts only such a program" says_how_of_a_script
lacks() { run 2 --tool racecheck ./clean && says err 'clean was not compiled with --check=race'; }
check "a program with other checks only" lacks
no_cuda() { run 0 /bin/echo text && says err 'echo used no CUDA' && says out text; }
check "a program that uses no CUDA" no_cuda

cat >library.cu <<'CU'
__global__ void half() {
    if (threadIdx.x < 8) {
        __syncthreads();
    }
}
void call() {
    half<<<1, 16>>>();
    cudaDeviceSynchronize();
}
CU
echo 'void call(); int main() { call(); }' >main.cpp
in_library() {
    "$CDPCC" --check=sync -shared library.cu -o liblibrary.so &&
        "$CDPCC" main.cpp -L. -llibrary -Xlinker -rpath=. -o calls &&
        run 0 --tool synccheck ./calls && says err 'half.*library.cu:3|library.cu:3:9, in kernel half' &&
        last_is err 'cdp-sanitizer: ERROR SUMMARY: 1 error'
}
check "checked code in a library only" in_library

refuses() { # refuses TEXT OPTIONS...
    run 2 "${@:2}" && says err "$1"
}
check "an unknown tool" refuses 'must be one of memcheck racecheck initcheck synccheck all' --tool memchek ./clean
check "an unknown option" refuses "no such option" --bogus 1 ./clean
check "no program" refuses 'which program' --tool all
check "a missing program" refuses 'absent: no such program$' ./absent
check "a program without ./" refuses 'clean: no such program in PATH; did you mean ./clean\?$' clean
check "a status that is none" refuses 'must be a number from 0 to 255' --error-exitcode 300 ./clean
check "a file that cannot be written" refuses 'cannot write' --log-file /none/log ./clean
accepts() { run 0 --target-processes all --show-backtrace no --tool synccheck -- ./clean; }
check "options that are ignored" accepts
# A builtin of the shell and a function of the script have these names, too.
mkdir bin
cp clean bin/test
cp mistakes bin/number
finds_in_path() {
    PATH=$work/bin:$PATH run 0 --tool synccheck test && last_is err 'cdp-sanitizer: ERROR SUMMARY: 0 errors' &&
        ! grep -q 'no CUDA' err && PATH=$work/bin:$PATH run 5 --tool synccheck number 1 &&
        last_is err 'cdp-sanitizer: ERROR SUMMARY: 2 errors'
}
check "programs in PATH, whatever their names are" finds_in_path
helps() { run 0 --help && says out '--error-exitcode N' && run 0 --version && says out cdpcc; }
check "--help and --version" helps
finish
