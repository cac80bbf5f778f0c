#!/usr/bin/env bash
# cdp-report: the data of its page, and what it does with programs that fail. report_browser.sh opens the page.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
report=$(dirname "$CDPCC")/cdp-report
export TMPDIR=$work/temporary
mkdir "$TMPDIR" && cd "$work" || exit 1

# Two levels of launches, and a kernel whose name would end the script of the page.
cat >program.cu <<'CU'
#include <cstdio>
#include <cstdlib>
__global__ void leaf(int *p) { atomicAdd(p, 1); }
__global__ void parent(int *p, int n)
{
    for (int i = 0; i < n; i++) {
        leaf<<<i + 1, 4>>>(p);
    }
}
__global__ void over(int *p) { p[threadIdx.x + 1] = 1; }
int main(int count, char **arguments)
{
    int *p, value = 0;
    cudaMalloc(&p, sizeof *p);
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    for (int i = 0; i < 3; i++) {
        parent<<<2, 1>>>(p, 5);
    }
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    if (count > 1 && arguments[1][0] == 'a') {
        fprintf(stderr, "</script><!-- <b>\n");
        abort();
    }
    if (count > 1 && arguments[1][0] == 'f') {
        over<<<1, 4>>>(p);
        cudaDeviceSynchronize();
        return 7;
    }
}
CU
"$CDPCC" program.cu -o program && "$CDPCC" --check=memory program.cu -o checked || exit 1

# The data of a page; what the page needs of others.
cat >page.py <<'PY'
import json, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
assert text.count("</script>") == 2 and "<!-- data" not in text and "<!-- script" not in text
data = json.loads(text.split('id="data">')[1].split("</script>")[0])
processes = data["processes"]
data |= processes[0]
assert not re.search(r"""(src|href)\s*=\s*["']?(https?:|//)|@import|fetch\(|XMLHttpRequest""", text), "it needs a network"
program, trace = data["program"], data["trace"]
def tree():
    """The paths as "parent>leaf: 30"."""
    paths = trace["paths"]
    def chain(i):
        path = paths[i]
        return (chain(path["parent"]) + ">" if path["parent"] > 1 else "") + trace["names"][path["name"]]
    return {chain(i): path["count"] for i, path in enumerate(paths) if path["name"] >= 0}
PY
of_page() { # of_page PAGE EXPRESSION...: asserts them
    local page=$1
    shift
    { echo 'from page import *' && printf 'assert %s\n' "$@"; } >ask.py && python3 ask.py "$page"
}
whole() {
    [ "$("$report" -o page.html ./program 2>err)" = 360 ] && says err 'the page is page.html' &&
        [ -z "$(ls "$TMPDIR")" ] && of_page page.html \
        'tree() == {"parent": 3, "parent>leaf": 30}, tree()' \
        'trace["grids"]["count"] == 33 and trace["grids"]["left_out"] == 0 and trace["dropped"] == 0' \
        'all(trace["names"][trace["grids"]["name"][p]] == "parent" for p in trace["grids"]["parent"] if p >= 0)' \
        'sum(p >= 0 for p in trace["grids"]["parent"]) == 30' \
        'sorted(map(tuple, trace["grids"]["size"]))[0] == (1, 1, 1, 4, 1, 1)' \
        'trace["paths"][3]["low"][0] == 1 and trace["paths"][3]["high"][0] == 5, trace["paths"]' \
        '{"host", "device 0", "workers"} == {t["process"] for t in trace["tracks"]}' \
        'sum(trace["slices"]["bytes"]) == 8' \
        '{k["name"]: k["calls"] for k in data["profile"]["kernels"]} == {"leaf": 30, "parent": 3}' \
        'program["status"] == 0 and program["signal"] is None and program["command"] == ["./program"]' \
        'data["sources"] == {}'
}
check "the launches, the timeline and the profile are in the page" whole
cat >ranges.cpp <<'CPP'
#include <cuda_runtime.h>
#include <nvToolsExt.h>
int main()
{
    nvtxRangePushA("outer");
    nvtxRangeId_t first = nvtxRangeStartA("first");
    nvtxRangeId_t second = nvtxRangeStartA("second");
    cudaFree(nullptr);
    nvtxRangeEnd(first);
    nvtxRangeEnd(second);
    nvtxMarkA("mark");
    nvtxRangePop();
}
CPP
ranges() {
    "$CDPCC" ranges.cpp -o ranges && "$report" -o ranges.html ./ranges && of_page ranges.html \
        'sorted(trace["names"][n] for n in trace["slices"]["name"]) == ["cudaFree", "first", "mark", "outer", "second"]' \
        'all(l > 0 for n, l in zip(trace["slices"]["name"], trace["slices"]["lasted"]) if trace["names"][n] != "mark")'
}
check "ranges and marks of NVTX" ranges
injects() { # NVIDIA's own NVTX finds the runtime, as with cdp-prof
    [ -r "$("$report" -o env.html sh -c 'echo "$NVTX_INJECTION64_PATH"')" ] &&
        [ "$(NVTX_INJECTION64_PATH=mine "$report" -o env.html sh -c 'echo "$NVTX_INJECTION64_PATH"')" = mine ]
}
check "the library for NVIDIA's NVTX" injects
default_name() { "$report" ./program >/dev/null && [ -s program.report.html ]; }
check "the page has the program's name" default_name
longest() { # of 33 grids the 10 longest: all parents are among them
    "$report" --slices 10 -o few.html ./program >/dev/null && of_page few.html \
        'tree() == {"parent": 3, "parent>leaf": 30}, tree()' \
        'trace["grids"]["count"] == 10 and trace["grids"]["left_out"] == 23' \
        'all(-1 <= p < 10 for p in trace["grids"]["parent"])' \
        'sum(trace["names"][n] == "parent" for n in trace["grids"]["name"]) == 3' \
        'all(len(trace["grids"][k]) == 10 for k in ("track", "began", "lasted", "path", "depth", "waited", "size"))' \
        'trace["slices"]["count"] == 10 and trace["slices"]["left_out"] > 0'
}
check "--slices keeps the longest, and the tree counts all" longest
aborts() {
    "$report" -o abort.html ./program abort >out 2>err
    [ $? = 134 ] && says err '^</script><!-- <b>$' && of_page abort.html 'trace is None' 'program["status"] == 134' \
        'program["signal"] == "Aborted"' 'program["errors"] == "</script><!-- <b>\n", program' 'data["findings"] == [{"check": "unfinished", "compiled": ""}]' || return
    "$report" -o abort.html ./checked abort >out 2>err
    [ $? = 134 ] && of_page abort.html 'data["findings"] == [{"check": "unfinished", "compiled": "memory,space"}]'
}
check "a program that a signal ends" aborts
faults() {
    "$report" -o fault.html ./checked f >out 2>err
    [ $? = 7 ] && says err '^cdp: memory: write' && of_page fault.html 'program["status"] == 7' \
        '[f["check"] for f in data["findings"]][0] == "memory"' \
        'data["findings"][0]["places"][0]["line"] == 10' \
        'list(data["sources"])[0].endswith("/program.cu") and list(data["sources"].values())[0] == open("program.cu").read()' \
        '{trace["names"][p["name"]]: trace["sites"][p["site"]]["line"] for p in trace["paths"][2:]} == {"parent": 17, "leaf": 7, "over": 26}' \
        'all(trace["sites"][s]["file"].endswith("/program.cu") for s in trace["grids"]["site"])' \
        'program["errors"].startswith("cdp: memory: write")' 'tree()["parent"] == 3'
}
check "a program with a mistake: its finding, its source, its exit status" faults
waits() { # the report ends with the program, although another process has its standard error
    limit 4 "$report" -o waits.html sh -c 'sleep 60 & exit 5' >out 2>err
    [ $? = 5 ] && of_page waits.html 'trace is None' 'program["status"] == 5'
}
check "a process in the background does not delay the page" waits
terminates() {
    "$report" -o term.html sh -c 'touch started; exec sleep 60' 2>err &
    local child=$!
    until [ -e started ]; do sleep 0.05; done
    kill "$child"
    wait "$child"
    [ $? = 143 ] && of_page term.html 'program["signal"] == "Terminated"' && [ -z "$(ls "$TMPDIR")" ]
}
check "SIGTERM goes to the program" terminates
ended_while_written() { # the trace is a pipe without a writer, so the page never gets ready
    cat >pipes <<'SH'
#!/bin/bash
mkfifo "${CDP_TRACE/\%p/$$}"
touch "$1"
SH
    chmod +x pipes
    for signal in TERM HUP; do
        env --default-signal="$signal" "$report" -o ended.html ./pipes "has-$signal" & # nohup ignores HUP
        local child=$!
        until [ -e "has-$signal" ]; do sleep 0.05; done
        for _ in {1..100}; do kill "-$signal" "$child" 2>/dev/null && sleep 0.1 || break; done
        kill -9 "$child" 2>/dev/null && return 1
        wait "$child"
        [ $? = $((128 + $(kill -l "$signal"))) ] && [ -z "$(ls "$TMPDIR")" ] && [ -z "$(ls ended.html*)" ] || return 1
    done
}
check "a signal while the page is written ends it, and leaves nothing behind" ended_while_written
names() { # a name that is HTML and JSON
    cp program '<b>"\&.x' && "$report" -o names.html './<b>"\&.x' '</script>' >/dev/null && of_page names.html \
        'program["command"] == ["./<b>\"\\&.x", "</script>"]' '"<title>&lt;b&gt;\"\\&amp;.x" in text'
}
check "names with <, & and quotes" names
cat >steps.cu <<'CU'
template <class T> __global__ void reduce(T *out)
{
    __shared__ T sums[2];
    T value = 1;
    for (int d = 16; d > 0; d /= 2) {
        value += __shfl_down_sync(0xffffffff, value, d);
    }
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sums[0] + sums[1];
    }
}
__global__ void plain(int *out) { out[threadIdx.x] = 1; }
int main()
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    for (int i = 0; i < 20; i++) {
        reduce<<<4, 64>>>(out);
        plain<<<1, 8>>>(out + 4);
    }
    cudaDeviceSynchronize();
    return out[0] + out[3] != 128;
}
CU
"$CDPCC" -lineinfo steps.cu -o steps || exit 1
steps() { # steps BLOCK WORKERS: two warps with five shuffles each, and one barrier
    CDP_WORKERS=$2 "$report" --block "$1" -o steps.html ./steps && of_page steps.html \
        'data["steps"]["kernel"] == "reduce<int>" and data["steps"]["block"] == ['"${1##*:}"', 0, 0]' \
        'data["steps"]["block_dim"] == [64, 1, 1] and data["steps"]["grid_dim"] == [4, 1, 1]' \
        '[[s[1] for s in data["steps"]["steps"]].count(k) for k in range(5)] == [64, 1, 320, 10, 64]' \
        'all(data["steps"]["sites"][s[3]]["operation"] == ("__syncthreads" if s[1] == 0 else "__shfl_down_sync") for s in data["steps"]["steps"] if s[3] >= 0)' \
        '{s["line"] for s in data["steps"]["sites"]} == {6, 11}' \
        'all(s[4] == 0xffffffff for s in data["steps"]["steps"] if s[1] in (2, 3))' \
        'len({s[2] for s in data["steps"]["steps"] if s[1] == 4}) == 64' \
        'list(data["sources"].values()) == [open("steps.cu").read()]'
}
check "the steps of block 0, one worker" steps reduce:0 1
check "the steps of block 3, four workers" steps reduce:3 4
check "the kernel with its template arguments" steps 'reduce<int>:2' 2
no_waits() {
    "$report" --block plain -o steps.html ./steps && of_page steps.html \
        'sorted(s[1:3] for s in data["steps"]["steps"]) == [[4, i] for i in range(8)]' 'data["steps"]["sites"] == []'
}
check "a block without barriers" no_waits
no_block() {
    "$report" --block reduce:4,0,0 -o steps.html ./steps 2>err && says err 'CDP_STEPS: block \(4,0,0\) of a kernel .reduce. has not run' &&
        of_page steps.html 'data["steps"] is None' '"has not run" in program["errors"]'
}
check "a block that does not exist" no_block
cat >fault.cu <<'CU'
__global__ void bad(int *p)
{
    __syncthreads();
    if (threadIdx.x == 2) {
        *p = 1;
    }
}
int main()
{
    bad<<<2, 4>>>(nullptr);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
CU
fault_steps() { # the block of the fault; with one worker the next block is skipped
    "$CDPCC" fault.cu -o fault && CDP_WORKERS=1 "$report" --block bad -o steps.html ./fault && of_page steps.html \
        'sorted(s[2] for s in data["steps"]["steps"] if s[1] == 0) == [0, 1, 2, 3]' \
        '2 not in [s[2] for s in data["steps"]["steps"] if s[1] == 4]' &&
        CDP_WORKERS=1 "$report" --block bad:1 -o steps.html ./fault 2>err && says err 'block \(1,0,0\) of a kernel .bad. has not run'
}
check "the steps of a block with a fault" fault_steps
sanitized_steps() {
    "$CDPCC" -lineinfo -fsanitize=address steps.cu -o sanitized && mv sanitized steps && steps reduce:1 2
}
check "the steps with AddressSanitizer" sanitized_steps
cat >count.cu <<'CU'
__global__ void scatter(float *out)
{
    out[threadIdx.x * 8] = 1;
}
int main()
{
    float *out;
    cudaMalloc(&out, 2048);
    scatter<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}
CU
counts() {
    "$CDPCC" --count count.cu -o count && "$report" -o count.html ./count 2>err && of_page count.html \
        'data["counts"]["version"] == 1' \
        '[(s["line"], s["operation"]) for s in data["counts"]["sites"]] == [(3, "st")]' \
        'data["counts"]["sites"][0]["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] == 64' \
        'list(data["sources"].values()) == [open("count.cu").read()]' &&
        ! grep -q requests err # no table on standard error
}
check "the counts of a build with --count" counts
processes() { # two ranks, and a process of no rank; each has its own files
    cat >several <<'SH'
#!/bin/sh
OMPI_COMM_WORLD_RANK=1 ./checked f
OMPI_COMM_WORLD_RANK=0 ./program >/dev/null
./ranges & wait
SH
    chmod +x several && "$report" -o several.html ./several && [ -z "$(ls "$TMPDIR")" ] && of_page several.html \
        'len(processes) == 3 and len({p["number"] for p in processes}) == 3 and data["processes_left_out"] == 0' \
        'sorted((p["trace"]["program"], p["trace"]["rank"] or "") for p in processes) == [("./checked f", "1"), ("./program", "0"), ("./ranges", "")]' \
        '{p["trace"]["program"]: len(p["findings"]) > 1 for p in processes} == {"./checked f": True, "./program": False, "./ranges": False}' \
        'all(p["profile"] for p in processes)'
}
check "a program of several processes" processes
main_first() { # the process that cdp-report started comes first, whatever its number
    cat >outer.cu <<'CU'
#include <cstdlib>
int main()
{
    cudaFree(nullptr);
    return system("./program >/dev/null && ./program >/dev/null");
}
CU
    "$CDPCC" outer.cu -o outer && "$report" -o outer.html ./outer && of_page outer.html \
        '[p["trace"]["program"] for p in processes] == ["./outer", "./program", "./program"]' \
        'processes[1]["number"] < processes[2]["number"] or processes[2]["number"] < 1000'
}
check "the process that was started comes first" main_first
forks() { # processes of one program; each starts the runtime by itself
    cat >forks.cu <<'CU'
#include <sys/wait.h>
#include <unistd.h>
__global__ void leaf() {}
int main()
{
    for (int i = 1; i <= 3; i++) {
        if (fork() == 0) {
            for (int k = 0; k < i; k++) {
                leaf<<<1, 1>>>();
            }
            return cudaDeviceSynchronize();
        }
    }
    while (wait(nullptr) > 0) {
    }
    leaf<<<9, 1>>>();
    return cudaDeviceSynchronize();
}
CU
    "$CDPCC" forks.cu -o forks && "$report" -o forks.html ./forks && of_page forks.html \
        'sorted(p["trace"]["grids"]["count"] for p in processes) == [1, 1, 2, 3]' \
        'processes[0]["trace"]["grids"]["size"] == [[9, 1, 1, 1, 1, 1]]'
}
check "a program that forks" forks
late() { # the process in the background writes while the page is written, and after it
    printf '%s\n' '#!/bin/bash' 'mkfifo "${CDP_TRACE/\%p/$$}"' \
        '(until [ -e late-now ]; do sleep 0.05; done; echo >"${CDP_COUNT/\%p/7}"; echo "]" >"${CDP_TRACE/\%p/$$}") 2>/dev/null &' >background
    chmod +x background && rm -f late-now && "$report" -o late.html ./background &
    local child=$!
    until [ -e late.html.part ]; do sleep 0.05; done
    sleep 0.3
    touch late-now
    wait $child && of_page late.html 'trace["is_whole"]' && [ -z "$(ls "$TMPDIR")" ]
}
check "a file that comes late is removed, too" late
no_cuda() { "$report" -o none.html true && of_page none.html 'len(processes) == 1 and trace is None and data["counts"] is None' && rm none.html; }
check "a program without CUDA" no_cuda
refuses() { # refuses STATUS TEXT ARGUMENTS...
    local status=$1 text=$2
    shift 2
    "$report" "$@" >out 2>err
    [ $? = "$status" ] && says err "$text"
}
check "an option that does not exist" refuses 2 'unknown option --bogus' --bogus ./program
check "no program" refuses 2 '^cdp-report \[OPTIONS\] PROGRAM'
check "an option without its value" refuses 2 '^cdp-report: -o needs a value' -o
check "a wrong number" refuses 2 '^cdp-report: --slices 0: must be a number' --slices=0 ./program
not_run() { # the program does not run, and nothing is left in the folder of temporary files
    rm -f ran
    refuses 2 "^cdp-report: 'no/page.html' cannot be written: No such file" -o no/page.html touch ran &&
        [ ! -e ran ] && [ -z "$(ls "$TMPDIR")" ] || return 1
    TMPDIR=/nowhere refuses 2 '^cdp-report: no folder for temporary files' -o new.html touch ran && [ ! -e ran ] &&
        [ ! -e new.html ] && [ ! -e new.html.part ]
}
check "a page that cannot be written, before the program runs" not_run
check "a program that does not exist" refuses 127 "^cdp-report: the program './none' cannot be started: No such" -o none.html ./none
check "a program without ./" refuses 127 "cannot be started: no such program in PATH; did you mean ./program\?$" -o none.html program
check "a file that is no program" refuses 126 "^cdp-report: the program './page.py' cannot be started: Permission" -o none.html ./page.py
no_page() { [ ! -e none.html ]; }
check "neither of them leaves a page" no_page
full() { refuses 2 "^cdp-report: '/dev/full' cannot be written: No space left" -o /dev/full ./program; }
check "a page that does not fit" full
damaged() { # what a killed program left
    cat >half <<'SH'
#!/bin/bash
printf '[{"check": "race", "ti' >"${CDP_CHECK_JSON/\%p/$$}"
head -c 3000 trace.json >"${CDP_TRACE/\%p/$$}"
exit 3
SH
    chmod +x half && CDP_TRACE=trace.json ./program >/dev/null && "$report" -o half.html ./half
    [ $? = 3 ] && of_page half.html 'data["findings"] is None' 'trace["is_whole"] is False and trace["slices"]["count"] > 0'
}
check "files that are cut off" damaged
finish
