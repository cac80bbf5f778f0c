#!/usr/bin/env bash
# CDP_TRACE: the file's events, tracks and arrows.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"

cat >"$work/program.cu" <<'CU'
#include <cstdio>
#include <thread>
__global__ void leaf(int *p)
{
    atomicAdd(p, 1);
}
__global__ void parent(int *p, int n)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) {
        leaf<<<2, 4, 0, s>>>(p);
    }
    leaf<<<1, 4, 0, cudaStreamTailLaunch>>>(p);
    cudaStreamDestroy(s);
}
int main()
{
    int *p, value = 0;
    cudaStream_t a, b;
    cudaMalloc(&p, sizeof *p);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    for (int i = 0; i < 10; i++) {
        parent<<<4, 1, 0, i % 2 ? a : b>>>(p, 5);
    }
    leaf<<<1, 1>>>(p);
    std::thread other([&] { cudaStreamSynchronize(a); });
    other.join();
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
}
CU
"$CDPCC" "$work/program.cu" -o "$work/program" || exit 1

# What the format demands, and what the program did.
cat >"$work/check.py" <<'PY'
import collections, json, sys
trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
slices = [e for e in events if e["ph"] == "X"]
for e in slices:
    assert e["ts"] >= 0 and e["dur"] >= 0 and e["name"] and isinstance(e["pid"], int) and isinstance(e["tid"], int), e
# The slices of a track contain each other, or do not overlap.
tracks = collections.defaultdict(list)
for e in slices:
    tracks[e["pid"], e["tid"]].append((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)))
for track, spans in tracks.items():
    stack = []
    for begin, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        while stack and stack[-1] <= begin:
            stack.pop()
        assert not stack or end <= stack[-1], (track, begin, end, stack)
        stack.append(end)
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
assert set(tracks) <= set(names), set(tracks) - set(names)
processes = {e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
assert processes == {"host", "device 0", "workers"}, processes
workers = [e for e in slices if e["pid"] == 257]
assert workers and all(names[257, e["tid"]] == f"worker {e['tid']}" for e in workers), workers[:3]
# Each arrow has both ends, the first within a slice of its track, in this order.
begins = {e["id"]: e for e in events if e["ph"] == "s"}
ends = {e["id"]: e for e in events if e["ph"] == "f"}
assert set(begins) == set(ends)
for number, begin in begins.items():
    end = ends[number]
    assert begin["ts"] <= end["ts"]
    at = round(begin["ts"] * 1000)
    assert any(b <= at <= e for b, e in tracks[begin["pid"], begin["tid"]]), begin
dropped = trace["otherData"]["dropped_events"]
if len(sys.argv) > 2:
    assert dropped > 0 and len(slices) < 1000000, (dropped, len(slices))
    sys.exit()
assert dropped == 0
count = collections.Counter(e["name"] for e in slices if e["pid"] != 257)
assert {"parent", "leaf"} == {e["name"] for e in workers}, workers[:3]
assert count["parent"] == 10 and count["leaf"] == 10 * 4 * 6 + 1, count
assert count["host to device"] == 1 and count["device to host"] == 1 and count["cudaMemcpy"] == 2, count
assert count["cudaStreamSynchronize"] == 1 and count["cudaLaunchKernel"] == 11, count
assert len(begins) == 10 * 4 * 6, len(begins)
grids = {e["args"]["id"]: e for e in slices if "waited_ns" in e.get("args", {})}
launched = [e["args"]["parent"] for e in grids.values() if e["args"]["parent"] != 0]
assert len(grids) == 251 and len(launched) == 240 and {grids[p]["name"] for p in launched} == {"parent"}, launched
streams = {names[e["pid"], e["tid"]] for e in slices if e["pid"] == 1}
assert {"default stream", "stream 1", "stream 2", "copies and fills", "launched by device code, depth 1"} == streams, streams
threads = {e["tid"] for e in slices if e["pid"] == 0}
assert len(threads) == 2, threads
PY
traced() { # traced PROGRAM VARIABLES...
    local program=$1
    shift
    [ "$(env "$@" CDP_TRACE="$work/trace" "$program")" = 1761 ] && python3 "$work/check.py" "$work/trace"
}
for workers in 1 8; do
    check "with $workers workers" traced "$work/program" CDP_WORKERS=$workers
done
check "with a seed" traced "$work/program" CDP_SEED=5
check "with a profile" traced "$work/program" CDP_PROFILE=json CDP_PROFILE_LOG="$work/json"
sanitized() {
    "$CDPCC" -fsanitize="$1" "$work/program.cu" -o "$work/sanitized" && traced "$work/sanitized"
}
check "with AddressSanitizer" sanitized address
[ -z "${CDP_TEST_ALL:-}" ] || check "with ThreadSanitizer" sanitized thread
# A stream waits for an event of another one, then runs a function and a callback of the host.
cat >"$work/host.cu" <<'CU'
__global__ void slow(int *p)
{
    for (int i = 0; i < 200000; i++) {
        atomicAdd(p, 1);
    }
}
static void tell(void *data) { ++*static_cast<int *>(data); }
static void called(cudaStream_t, cudaError_t, void *data) { ++*static_cast<int *>(data); }
int main()
{
    int *p, n = 0;
    cudaStream_t a, b;
    cudaEvent_t event;
    cudaMalloc(&p, sizeof *p);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&event);
    slow<<<1, 1, 0, a>>>(p);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    cudaLaunchHostFunc(b, tell, &n);
    cudaStreamAddCallback(b, called, &n, 0);
    slow<<<1, 1, 0, b>>>(p);
    cudaDeviceSynchronize();
    return n != 2;
}
CU
"$CDPCC" "$work/host.cu" -o "$work/host" || exit 1
host_functions() {
    CDP_WORKERS=$1 CDP_TRACE="$work/host.json" "$work/host" && python3 - "$work/host.json" <<'PY'
import json, sys
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X" and e["pid"] == 1]
first, second = [e for e in events if e["name"] == "slow"]
order = sorted((e for e in events if e["tid"] == second["tid"]), key=lambda e: e["ts"])
names = [e["name"] for e in order]
# Where the first stream's grid has ended early, there is no wait.
assert names[-3:] == ["host function tell", "host function called", "slow"], names
assert names[:-3] in ([], ["waits for an event"]), names
for before, after in zip(order, order[1:]):
    assert before["ts"] + before["dur"] <= after["ts"] + 0.002, (before, after)
assert order[0]["ts"] + order[0]["dur"] + 0.002 >= first["ts"] + first["dur"], (order[0], first)
PY
}
check "functions of the host and waits of streams, one worker" host_functions 1
check "functions of the host and waits of streams, two workers" host_functions 2
lines() { # of launches, as far as they are known
    "$CDPCC" "$@" "$work/program.cu" -o "$work/lines" && traced "$work/lines" && python3 - "$work/trace" <<'PY'
import json, sys
grids = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if "waited_ns" in e.get("args", {})]
lines = {(e["name"], e["args"]["parent"] != 0, e["args"]["file"].split("/")[-1], e["args"]["line"]) for e in grids}
assert lines == {("parent", False, "program.cu", 26), ("leaf", True, "program.cu", 12), ("leaf", True, "program.cu", 14),
                 ("leaf", False, "program.cu", 28)}, lines
PY
}
check "the lines of launches" lines -g -lineinfo
quiet() {
    CDP_TRACE="$work/trace" "$work/program" 2>"$work/err" && [ ! -s "$work/err" ]
}
check "nothing is printed" quiet
unwritable() {
    CDP_TRACE="$work/no/file" "$work/program" >"$work/out" 2>"$work/err" && [ "$(cat "$work/out")" = 1761 ] &&
        says "$work/err" "the file '$work/no/file' of CDP_TRACE cannot be written: No such file"
}
check "a file that cannot be written" unwritable
# main ends while kernels launch others, which still record.
of_process() { # each file is that of its process
    (cd "$work" && CDP_TRACE=trace.%p CDP_PROFILE=json CDP_PROFILE_LOG=profile.%p PMI_RANK=7 sh -c 'echo $$ >number; exec ./program' >out) &&
        python3 - "$work" <<'PY'
import json, os, sys
os.chdir(sys.argv[1])
number = open("number").read().strip()
end = json.load(open("trace." + number))["otherData"]
assert end["process"] == int(number) and end["program"] == "./program" and end["rank"] == "7", end
assert json.load(open("profile." + number))["kernels"]
PY
}
check "%p in the name of a file is the number of the process" of_process
many_sites() { # each line of the middle launches once
    {
        echo '__global__ void leaf() {}' && echo '__global__ void all() {'
        for _ in {1..200}; do echo 'leaf<<<1, 1>>>();'; done
        echo '}' && echo 'int main() { all<<<1, 1>>>(); return cudaDeviceSynchronize(); }'
    } >"$work/sites.cu"
    "$CDPCC" -O1 -lineinfo "$work/sites.cu" -o "$work/sites" && CDP_TRACE="$work/trace" "$work/sites" && python3 - "$work/trace" <<'PY'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
lines = [e["args"].get("line") for e in events if e.get("name") == "leaf" and "waited_ns" in e.get("args", {})]
assert sorted(lines, key=str) == sorted(range(3, 203), key=str), lines
PY
}
check "the lines of 200 launches" many_sites
cat >"$work/ends.cu" <<'CU'
#include <unistd.h>
__global__ void leaf(int *p)
{
    atomicAdd(p, 1);
}
template <int N> __global__ void other(int *p)
{
    atomicAdd(p, N);
}
__global__ void tree(int *p, int n)
{
    for (int i = 0; i < n; i++) {
        leaf<<<1, 1>>>(p);
        other<1><<<1, 1>>>(p);
        other<2><<<1, 1>>>(p);
        other<3><<<1, 1>>>(p);
    }
}
int main(int, char **argv)
{
    int *p;
    cudaMalloc(&p, sizeof *p);
    tree<<<400, 1>>>(p, 25);
    usleep(atoi(argv[1]));
}
CU
ends() { # ends FLAGS...
    "$CDPCC" "$@" "$work/ends.cu" -o "$work/ends" || return 1
    for delay in 500 2000 10000; do
        for workers in 2 8; do
            CDP_WORKERS=$workers CDP_PROFILE=json CDP_PROFILE_LOG="$work/json" CDP_TRACE="$work/trace" \
                "$work/ends" "$delay" &&
                python3 -c 'import json, sys; [json.load(open(f)) for f in sys.argv[1:]]' "$work/json" "$work/trace" ||
                return 1
        done
    done
}
check "main ends while kernels run" ends
[ -z "${CDP_TEST_ALL:-}" ] || check "the same with AddressSanitizer" ends -fsanitize=address
[ -z "${CDP_TEST_ALL:-}" ] || check "the same with ThreadSanitizer" ends -fsanitize=thread
many() { # more grids than a file shall have
    cat >"$work/many.cu" <<'CU'
__global__ void nothing() {}
__global__ void many(int n)
{
    for (int i = 0; i < n; i++) {
        nothing<<<1, 1>>>();
    }
}
int main()
{
    for (int i = 0; i < 12; i++) {
        many<<<1, 1>>>(100000);
        cudaDeviceSynchronize();
    }
}
CU
    "$CDPCC" "$work/many.cu" -o "$work/many" && CDP_WORKERS=1 CDP_TRACE="$work/trace" "$work/many" 2>"$work/err" &&
        says "$work/err" 'CDP_TRACE left out [0-9]+ events' && python3 "$work/check.py" "$work/trace" many
}
[ -z "${CDP_TEST_ALL:-}" ] || check "more grids than the file shall have" many
finish
