#!/usr/bin/env bash
# cdpcc --count and cdp-prof --lines: the source with counts, and the file of CDP_COUNT.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
prof=$(dirname "$CDPCC")/cdp-prof

cat >"$work/program.cu" <<'CU'
__global__ void gather(float *out, const float *in)
{
    out[threadIdx.x] = in[threadIdx.x * 32];
}
__global__ void count(unsigned *bin)
{
    atomicAdd(bin, threadIdx.x + 1);
}
__global__ void one(float *out) { if (threadIdx.x == 9) *out += 2; }
int main()
{
    float *p;
    cudaMalloc(&p, 1 << 16);
    gather<<<1, 64>>>(p, p + 4096);
    count<<<1, 64>>>((unsigned *)p);
    one<<<1, 64>>>(p);
    return cudaDeviceSynchronize() == cudaSuccess ? 3 : 1;
}
CU
"$CDPCC" --count "$work/program.cu" -o "$work/program" || exit 1

# Line 3: a load and a store of two warps; 32 and 4 sectors a request.
# Line 7: each warp adds to one address; 31 lanes of each wait.
# Line 9: a request needs a sector, although its only lane accesses 4 bytes.
annotates() {
    "$prof" --lines "$work/program" 2>"$work/lines"
    [ $? -eq 3 ] && # the program's own status
        grep -qE '^ +[0-9]+ +4  32\.00   18\.00 +0 +0 +3      out' "$work/lines" &&
        grep -qE '^ +[0-9]+ +2  32\.00    1\.00 +0 +62 +7      atomicAdd' "$work/lines" &&
        grep -q '^program.cu:3: 18.00 sectors a request; 4.00 would do' "$work/lines" &&
        grep -q '^program.cu:7: 62 atomics wait' "$work/lines" &&
        ! grep -q '^program.cu:9: .*sectors' "$work/lines" &&
        grep -qE '^ +[0-9]+ +1  32\.00 +100\.0% +100\.0%  gather' "$work/lines"
}
writes_json() {
    CDP_COUNT="$work/counts.json" "$work/program" 2>"$work/errors"
    [ ! -s "$work/errors" ] && python3 - "$work/counts.json" <<'PY'
import json, sys
counts = json.load(open(sys.argv[1]))
assert counts["version"] == 1
load, = [s for s in counts["sites"] if s["line"] == 3 and s["operation"] == "ld"]
assert load["function"] == "gather" and load["space"] == "global" and load["bytes"] == 256
assert load["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 2
assert load["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 64
kernel, = [k for k in counts["kernels"] if k["kernel"] == "gather"]
assert kernel["launches"] == 1 and kernel["warps"] == 2 and kernel["threads"] == 64
assert kernel["block"] == 64 and kernel["occupancy"] == 1 and kernel["branches"] == 0
assert kernel["instructions"]["load_store"] == 128 and kernel["instructions"]["fp32"] == 0
line, = [l for l in counts["lines"] if l["line"] == 3]
assert line["instructions"]["load_store"] == 128
assert line["smsp__thread_inst_executed.sum"] == 32 * line["smsp__inst_executed.sum"]
PY
}
# Each file has its own instructions.
one_name() {
    local folder
    for folder in a b; do
        mkdir -p "$work/$folder"
        printf '__global__ void %s(float *p) { p[threadIdx.x] += 1; }\nvoid run_%s(float *p) { %s<<<1, 32>>>(p); }\n' \
            $folder $folder $folder >"$work/$folder/kernel.cu"
        (cd "$work/$folder" && "$CDPCC" --count -c kernel.cu -o kernel.o) || return 1
    done
    cat >"$work/both.cu" <<'CU'
void run_a(float *p);
void run_b(float *p);
int main()
{
    float *p;
    cudaMalloc(&p, 128);
    run_a(p);
    run_b(p);
    return cudaDeviceSynchronize();
}
CU
    "$CDPCC" --count "$work/both.cu" "$work"/[ab]/kernel.o -o "$work/both" &&
        CDP_COUNT="$work/both.json" "$work/both" && python3 - "$work/both.json" <<'PY'
import json, sys
lines = {l["file"].split("/")[-2]: l["instructions"]["load_store"] for l in json.load(open(sys.argv[1]))["lines"]}
assert lines == {"a": 64, "b": 64}, lines
PY
}
says_what_is_missing() {
    "$CDPCC" "$work/program.cu" -o "$work/plain" || return 1
    "$prof" --lines "$work/plain" 2>&1 | grep -q 'build it with cdpcc --count'
}

check "the source with its counts, and sentences on the worst lines" annotates
check "the file of CDP_COUNT" writes_json
check "two files with one name" one_name
check "a program without counts" says_what_is_missing
finish
