#!/usr/bin/env bash
# CDP_PROFILE and cdp-prof: which kernels, launches, copies and calls a program made.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
prof=$(dirname "$CDPCC")/cdp-prof

cat >"$work/program.cu" <<'CU'
#include <cstdio>
#include <thread>
__global__ void leaf(int *p)
{
    atomicAdd(p, 1);
}
__global__ void parent(int *p, int n)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            leaf<<<i + 1, 4>>>(p);
        }
    }
}
template <class T> __global__ void generic(T *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
    int *p, value = 0;
    float *q, *pinned;
    cudaMalloc(&p, sizeof *p);
    cudaMalloc(&q, 1 << 20);
    cudaMallocHost(&pinned, 1 << 20);
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    cudaMemset(q, 0, 1 << 20);
    for (int i = 0; i < 3; i++) {
        parent<<<2, 32>>>(p, 5);
    }
    generic<<<dim3(16, 1), 64>>>(q);
    std::thread other([&] {
        generic<<<4, 128>>>(q);
        cudaMemcpy(pinned, q, 1 << 20, cudaMemcpyDefault);
    });
    other.join();
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
}
CU
"$CDPCC" "$work/program.cu" -o "$work/program" || exit 1

# Of each line of the csv: section, name, parent, calls, bytes, entry, grid, block.
expected='API calls|cudaHostAlloc||1|0|||
API calls|cudaLaunchKernel||5|0|||
API calls|cudaMalloc||2|0|||
API calls|cudaMemcpy||3|0|||
API calls|cudaMemset||1|0|||
copies and fills|device to host||2|1048580|||
copies and fills|fill||1|1048576|||
copies and fills|host to device||1|4|||
device launches|leaf|parent|30|0|||
kernels|generic<float>||2|0|ENTRY|(4-16,1,1)|(64-128,1,1)
kernels|leaf||30|0|ENTRY|(1-5,1,1)|(4,1,1)
kernels|parent||3|0|ENTRY|(2,1,1)|(32,1,1)'
counts() { # counts ENTRY VARIABLES...
    local entry=$1
    shift
    [ "$(env "$@" "$work/program")" = 360 ] && python3 - "$work/csv" >"$work/out" <<'PY' &&
import csv, sys
for row in sorted(list(csv.reader(open(sys.argv[1])))[1:]):
    print("|".join(row[i] for i in (0, 1, 2, 5, 9, 10, 11, 12)))
PY
        diff <(echo "${expected//ENTRY/$entry}") "$work/out"
}
for workers in 1 8; do
    check "counts with $workers workers" counts block CDP_PROFILE=csv CDP_PROFILE_LOG="$work/csv" CDP_WORKERS=$workers
done
check "with a seed" counts thread CDP_PROFILE=csv CDP_PROFILE_LOG="$work/csv" CDP_SEED=3
check "together with the statistics" counts block CDP_PROFILE=csv CDP_PROFILE_LOG="$work/csv" CDP_STATS=1

shares() { # the shares of each section are 100 in all
    python3 - "$work/csv" <<'PY'
import csv, sys
sums = {}
for row in csv.DictReader(open(sys.argv[1])):
    sums[row["section"]] = sums.get(row["section"], 0) + float(row["share"])
    least, average, most, total = (float(row[k]) for k in ("min_ns", "average_ns", "max_ns", "total_ns"))
    assert least <= average + 0.1 and average <= most + 0.1 and most <= total, row
assert len(sums) == 4 and all(99.9 < s < 100.1 for s in sums.values()), sums
PY
}
check "shares and times agree" shares
json() {
    "$prof" --json --log-file "$work/json" "$work/program" >"$work/out" && python3 - "$work/json" <<'PY'
import json, sys
profile = json.load(open(sys.argv[1]))
assert list(profile) == ["kernels", "device launches", "copies and fills", "API calls", "NVTX ranges"], list(profile)
child = profile["device launches"][0]
assert child["name"] == "leaf" and child["parent"] == "parent" and child["calls"] == 30, child
assert {k["name"]: k["calls"] for k in profile["kernels"]} == {"leaf": 30, "parent": 3, "generic<float>": 2}
PY
}
check "JSON" json
table() {
    "$prof" "$work/program" >"$work/out" 2>"$work/err" &&
        says "$work/err" '^cdp: kernels$' '^cdp: device launches$' '^cdp: copies and fills$' '^cdp: API calls$' \
            ' 30 .* block +\(1-5,1,1\) +\(4,1,1\) +leaf$' ' 30 .*  parent -> leaf$' \
            ' [0-9.]+ [KMG]iB/s  device to host$'
}
check "the table" table
own_file() {
    "$prof" --csv --log-file "$work/of.%p" "$work/program" >"$work/out" && [ "$(find "$work" -name 'of.*' | wc -l)" = 1 ]
}
check "a file with the number of the process" own_file
unwritable() {
    "$prof" --log-file "$work/no/file" "$work/program" >"$work/out" 2>"$work/err" && [ "$(cat "$work/out")" = 360 ] &&
        says "$work/err" "the file '$work/no/file' of CDP_PROFILE_LOG cannot be written: No such file" '^cdp: kernels$'
}
check "a file that cannot be written" unwritable
quiet() {
    "$work/program" >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ] && CDP_PROFILE=0 "$work/program" 2>"$work/err" && [ ! -s "$work/err" ]
}
check "without CDP_PROFILE there is none" quiet
options() {
    ! "$prof" --bogus "$work/program" 2>"$work/err" && says "$work/err" 'unknown option --bogus' &&
        ! "$prof" 2>"$work/err" && says "$work/err" '^cdp-prof \[OPTIONS\]' && "$prof" --help >"$work/out"
}
check "cdp-prof's options" options
missing() {
    cd "$work" && ! "$prof" program 2>err && says err '^cdp-prof: no such program in PATH: program; did you mean ./program\?$' &&
        ! "$prof" absent 2>err && says err '^cdp-prof: no such program in PATH: absent$'
}
check "cdp-prof of a program without ./" missing
fault() { # the profile of a program whose kernel faults
    cat >"$work/fault.cu" <<'CU'
#include <cstdio>
__global__ void bad(int *p) { *p = 1; }
int main()
{
    bad<<<1, 1>>>(nullptr);
    printf("%d\n", cudaDeviceSynchronize());
    bad<<<1, 1>>>(nullptr);
}
CU
    "$CDPCC" "$work/fault.cu" -o "$work/fault" && [ "$("$prof" "$work/fault" 2>"$work/err")" = 700 ] &&
        says "$work/err" ' 1 .*  bad$' '  cudaDeviceSynchronize$'
}
check "a program with a fault" fault
unloaded() { # names of kernels of a library that dlclose has unmapped
    cat >"$work/lib.cu" <<'CU'
__global__ void small() {}
__global__ void of_library() { small<<<1, 1>>>(); }
extern "C" int call()
{
    of_library<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
CU
    cat >"$work/main.cu" <<'CU'
#include <cstdio>
#include <dlfcn.h>
int main(int, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW);
    int (*call)() = (int (*)())dlsym(library, "call");
    printf("%d", call());
    dlclose(library);
    printf("%d\n", dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == nullptr);
}
CU
    "$CDPCC" -cudart shared -shared -Xcompiler -fPIC "$work/lib.cu" -o "$work/lib.so" &&
        "$CDPCC" -cudart shared "$work/main.cu" -o "$work/main" -ldl || return 1
    [ "$(CDP_TRACE="$work/trace" "$prof" "$work/main" "$work/lib.so" 2>"$work/err")" = 01 ] &&
        says "$work/err" '  of_library$' '  of_library -> small$' && python3 - "$work/trace" <<'PY'
import json, sys
names = {e["name"] for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X"}
assert {"of_library", "small"} <= names, names
PY
}
check "a library that is unloaded before the end" unloaded
sanitized() {
    "$CDPCC" -fsanitize="$1" "$work/program.cu" -o "$work/sanitized" && [ "$("$prof" "$work/sanitized" 2>"$work/err")" = 360 ] &&
        says "$work/err" '^cdp: device launches$'
}
check "with AddressSanitizer" sanitized address
[ -z "${CDP_TEST_ALL:-}" ] || check "with ThreadSanitizer" sanitized thread
finish
