#!/usr/bin/env bash
# NVTX: ranges, marks and names in CDP_TRACE and CDP_PROFILE; by C, C++ and without the runtime.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 2
include=$(dirname "$CDPCC")/../include

cat >ranges.cu <<'CU'
#include <cstdio>
#include <thread>
#include <unistd.h>
#include <sys/syscall.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
struct mine {
    static constexpr const char *name = "my domain";
};
struct fixed {
    static constexpr const char *message = "registered once";
};
__global__ void kernel(int *p)
{
    *p = 1;
}
static void function()
{
    NVTX3_FUNC_RANGE();
    nvtx3::scoped_range_in<mine> inner("in a \"domain\"", nvtx3::rgb{1, 2, 3}, nvtx3::payload{5});
    nvtx3::named_category_in<mine> reads(7, "reads \"files\"");
    nvtx3::mark_in<mine>("a mark", reads, nvtx3::payload{-2.5});
}
static int conditional(bool is_wanted)
{
    NVTX3_FUNC_RANGE_IF_IN(mine, is_wanted);
    return 0;
}
int main()
{
    int *p;
    cudaStream_t stream;
    cudaMalloc(&p, 4);
    cudaStreamCreate(&stream);
    nvtxNameCudaStream(stream, "the stream");
    nvtxNameOsThread(syscall(SYS_gettid), "the main thread");
    int depth = nvtxRangePush("outer");
    int inner = nvtxRangePush("inner");
    kernel<<<1, 1, 0, stream>>>(p);
    cudaStreamSynchronize(stream);
    int after = nvtxRangePop();
    function();
    conditional(false), conditional(true);
    nvtxRangeId_t id = nvtxRangeStart("across threads");
    std::thread other([&] {
        nvtxNameOsThread(syscall(SYS_gettid), "another thread");
        nvtxRangePushW(L"wide \u00e4");
        nvtxRangePop();
        nvtxRangeEnd(id);
        nvtxRangeEnd(id);
        nvtxRangeEnd(77);
    });
    other.join();
    nvtx3::unique_range unique(nvtx3::registered_string::get<fixed>());
    nvtx3::unique_range moved(std::move(unique));
    nvtxDomainHandle_t a = nvtxDomainCreateA("a"), b = nvtxDomainCreateA("b");
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.category = 3;
    event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    event.payload.ullValue = -1;
    event.message.ascii = "crossed";
    int first = nvtxDomainRangePushEx(a, &event);
    int second = nvtxDomainRangePushEx(b, &event);
    nvtxDomainRangePop(a);
    nvtxDomainRangePop(b);
    nvtxMarkEx(NULL);
    for (int i = 0; i < 1000; i++) {
        nvtxRangePush("deep");
    }
    for (int i = 0; i < 1000; i++) {
        nvtxRangePop();
    }
    nvtxRangePop();
    printf("%d %d %d %d %d %d\n", depth, inner, after, first, second, nvtxRangePop());
}
CU
"$CDPCC" ranges.cu -o ranges || exit 1
trace() { # trace PROGRAM
    [ "$(CDP_TRACE=trace "./$1")" = "0 1 1 0 0 -2" ] && python3 - <<'PY'
import json
events = json.load(open("trace"))["traceEvents"]
slices = {e["name"]: e for e in events if e["ph"] == "X" and e["pid"] == 0}
names = {e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
assert {"the stream", "the main thread", "another thread"} <= names, names
def within(a, b):
    a, b = slices[a], slices[b]
    return a["tid"] == b["tid"] and b["ts"] <= a["ts"] and a["ts"] + a["dur"] <= b["ts"] + b["dur"] + 0.001
assert within("inner", "outer") and within("cudaStreamSynchronize", "inner") and within("function", "outer")
assert within('in a "domain"', "function") and slices['in a "domain"']["cat"] == "my domain"
assert slices["conditional"]["cat"] == "my domain" and "wide \u00e4" in slices
assert len([e for e in events if e["name"] == "conditional"]) == 1
marks = {e["name"]: e for e in events if e["ph"] == "i"}
assert set(marks) == {"a mark", "(no name)"}
assert marks["a mark"]["cat"] == "my domain" and marks["(no name)"]["cat"] == "nvtx", marks
assert marks["a mark"]["args"] == {"category": 'reads "files"', "payload": "-2.5"}, marks
assert slices['in a "domain"']["args"] == {"color": "#010203", "payload": 5} and "args" not in slices["outer"]
crossed = [e for e in events if e["name"] == "crossed"]
assert all(e["args"] == {"category": 3, "payload": 2 ** 64 - 1} for e in crossed), crossed
for name in "across threads", "registered once", "crossed":
    begin, = [e for e in events if e["ph"] == "b" and e["name"] == name]
    end, = [e for e in events if e["ph"] == "e" and e["name"] == name]
    assert begin["id"] == end["id"] and begin["ts"] <= end["ts"]
PY
}
check "ranges, marks and names in the trace" trace ranges
profile() {
    CDP_PROFILE=1 ./ranges >out 2>err && says err '^cdp: NVTX ranges$' ' 2 .*  crossed$' ' 1 .*  across threads$' ' 255 .*  deep$'
}
check "ranges in the profile" profile
untraced() {
    [ "$(./ranges)" = "-2 -2 -2 -2 -2 -2" ]
}
check "without a trace nothing is recorded" untraced
sanitized() {
    "$CDPCC" -fsanitize="$1" ranges.cu -o sanitized && trace sanitized
}
[ -z "${CDP_TEST_ALL:-}" ] || check "with AddressSanitizer" sanitized address
[ -z "${CDP_TEST_ALL:-}" ] || check "with ThreadSanitizer" sanitized thread
# No call of CUDA, and no kernel: a process that is forked has a file of its own.
cat >only.cu <<'CU'
#include <atomic>
#include <nvToolsExt.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
int main(int count, char **)
{
    nvtxRangePush("before");
    nvtxRangePop();
    std::atomic<pid_t> number = 0;
    std::atomic<bool> is_named = false;
    std::thread other([&] {
        number = gettid();
        while (!is_named) {
        }
        nvtxRangePush("by another thread");
        nvtxRangePop();
    });
    while (number == 0) {
    }
    nvtxNameOsThread(number, "the other thread");
    is_named = true;
    other.join();
    int child = count > 1 ? fork() : 0;
    nvtxRangePush(child == 0 ? "last" : "of the parent");
    nvtxRangePop();
    if (child != 0) {
        waitpid(child, nullptr, 0);
    }
}
CU
only() { # only FLAGS...
    "$CDPCC" "$@" only.cu -o only && rm -f trace* && CDP_TRACE=trace ./only &&
        says trace '"before"' '"by another thread"' '"the other thread"' '"last"' &&
        CDP_PROFILE=1 ./only 2>err && says err '^cdp: NVTX ranges$' ' 1 .*  before$' && without err 'API calls'
}
check "a program that has ranges only" only
check "the same with the shared runtime" only -cudart shared
forked() {
    rm -f trace* && CDP_TRACE=trace ./only fork 2>err && [ "$(echo trace*)" != trace ] &&
        says trace '"last"' && without trace '"before"' && says trace.* '"before"' '"of the parent"' && without trace.* '"last"'
}
check "ranges of a process that is forked" forked
alone() { # a C program that has no CUDA in it
    cat >alone.c <<'C'
#include <nvToolsExt.h>
#include <stdio.h>
int main(void)
{
    int depth = nvtxRangePushA("alone");
    nvtxMarkA("mark");
    nvtxRangeEnd(nvtxRangeStartA("range"));
    printf("%d %d\n", depth, nvtxRangePop());
}
C
    gcc -Wall -Werror -I"$include" alone.c -o alone && [ "$(./alone)" = "-2 -2" ]
}
check "a program without the runtime" alone
# What NVIDIA's headers do: they look for a tool, and call the functions that it puts into their tables.
cat >client.h <<'H'
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
typedef void (*function)();
typedef const void *(*get_table)(uint32_t);
extern "C" __attribute__((weak)) int (*InitializeInjectionNvtx2_fnptr)(get_table);
static int (*push)(const char *), (*pop)();
static void (*mark)(const char *);
static uint64_t (*start)(const char *);
static void (*end)(uint64_t);
static function *core[16], *core2[16], *cuda[9], *cudart[7], unused;
static int get_module(int module, function ***places, unsigned *count)
{
    function **const tables[] = {NULL, core, cuda, NULL, cudart, core2};
    const unsigned counts[] = {0, 16, 9, 0, 7, 16};
    if (module < 1 || module > 5 || tables[module] == NULL) {
        return 0;
    }
    for (unsigned i = 0; i < counts[module]; i++) {
        tables[module][i] = &unused;
    }
    core[2] = (function *)&mark, core[5] = (function *)&start, core[7] = (function *)&end;
    core[9] = (function *)&push, core[11] = (function *)&pop;
    *places = tables[module];
    *count = counts[module];
    return 1;
}
static const void *get_export(uint32_t id)
{
    static const struct {
        size_t size;
        int (*get)(int, function ***, unsigned *);
    } callbacks = {sizeof callbacks, get_module};
    return id == 1 ? &callbacks : NULL;
}
static int initialize()
{
    int (*tool)(get_table) = NULL;
    const char *path = getenv("NVTX_INJECTION64_PATH");
    if (path != NULL && path[0] != '\0') {
        tool = (int (*)(get_table))dlsym(dlopen(path, RTLD_LAZY), "InitializeInjectionNvtx2");
    }
    tool = tool != NULL ? tool : InitializeInjectionNvtx2_fnptr;
    return tool != NULL ? tool(get_export) : 0;
}
H
cat >client.cu <<'CU'
#include "client.h"
#include <cstdio>
__global__ void kernel() {}
int main()
{
    if (initialize() == 0) {
        return 7;
    }
    int depth = push("theirs");
    mark("their mark");
    kernel<<<1, 1>>>();
    cudaDeviceSynchronize();
    end(start("their range"));
    printf("%d %d\n", depth, pop());
}
CU
their_headers() {
    "$CDPCC" client.cu -o client && [ "$(CDP_TRACE=trace ./client)" = "0 0" ] &&
        says trace '"theirs"' '"their mark"' '"their range"' && { ./client || [ $? = 7 ]; }
}
check "NVIDIA's headers find the runtime" their_headers
their_headers_shared() {
    "$CDPCC" -cudart shared client.cu -o client && [ "$("$(dirname "$CDPCC")/cdp-prof" ./client 2>err)" = "0 0" ] &&
        says err ' 1 .*  theirs$' ' 1 .*  their range$'
}
check "NVIDIA's headers and the shared runtime" their_headers_shared
overlapping() { # Perfetto joins the events of one domain and one id
    cat >overlapping.cu <<'CU'
#include <nvToolsExt.h>
#include <thread>
static void ranges()
{
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.category = 3;
    event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    event.payload.ullValue = -1;
    event.message.ascii = "crossed";
    nvtxDomainHandle_t domain = nvtxDomainCreateA("domain");
    for (int i = 0; i < 5; i++) {
        nvtxDomainRangePushEx(domain, &event);
        nvtxRangePush("nested");
        nvtxDomainRangePop(domain);
        nvtxRangePop();
    }
}
int main()
{
    cudaFree(0);
    std::thread one(ranges), other(ranges);
    one.join(), other.join();
}
CU
    "$CDPCC" overlapping.cu -o overlapping && CDP_TRACE=trace ./overlapping && python3 - <<'PY'
import json
ids = [e["id"] for e in json.load(open("trace"))["traceEvents"] if e["ph"] == "b"]
assert len(ids) == len(set(ids)) == 10, ids
PY
}
check "ranges of two threads that overlap others" overlapping
mixed() { # the ranges are in an object that g++ compiles
    cat >host.cpp <<'CPP'
#include <nvToolsExt.h>
extern void host_range();
void host_range()
{
    nvtxRangePushA("by g++");
    nvtxRangePop();
}
CPP
    cat >mixed.cu <<'CU'
extern void host_range();
int main()
{
    cudaFree(0);
    host_range();
}
CU
    g++ -Wall -Wextra -Werror -I"$include" -c host.cpp -o host.o && "$CDPCC" "$@" mixed.cu host.o -o mixed &&
        CDP_TRACE=trace ./mixed && grep -q '"name":"by g++"' trace
}
check "an object by g++, linked statically" mixed
check "an object by g++, with the shared runtime" mixed -cudart shared
finish
