#!/bin/bash
# --explain=plan says what each loop and each access of memory becomes, with the user's line, and why
# it is not better; --explain=json says the same, one object per line.
. "$(dirname "$0")/support.bash"

cat >plan.cu <<'CU'
#include <cooperative_groups.h>
__global__ void kinds(const float *in, const int *at, float *out, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
        out[i] += in[at[i]];
        out[i] += in[i * pitch];
        out[i] += in[3 * i];
        out[i] += in[n];
        out[threadIdx.x ^ 8] = 1;
    }
}
__global__ void loops(const float *in, float *out, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += in[k];
    }
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        sum += in[k];
    }
    for (float x = in[threadIdx.x]; x > 1; x /= 2) {
        sum += 1;
    }
    out[threadIdx.x] = sum;
}
__global__ void calls(int *out)
{
    if (threadIdx.x < 4) {
        printf("%d\n", out[threadIdx.x]);
    }
    atomicAdd(&out[out[threadIdx.x]], 1);
}
__global__ void parts(float *out)
{
    __shared__ float s[256];
    float mine = out[threadIdx.x];
    s[threadIdx.x] = mine;
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x] + mine;
}
__global__ void waits(volatile int *flag) { while (*flag == 0) { } }
CU
"$CDPCC" --explain=plan -march=x86-64-v4 -c plan.cu -o plan.o 2>said.txt ||
    fail compile "$(head -c 300 said.txt)"

says() { # says NAME TEXT: some line has the text
    if grep -qF -- "$2" said.txt; then
        ok "explain_plan_$1"
    else
        fail "explain_plan_$1" "no '$2' in '$(grep -F "${2%%: *}" said.txt | head -n 5)'"
    fi
}
says version ': kernel _Z5kindsPKfPKiPfii: plan for blocks of one row: 16 lanes, 4 vectors at a time'
says contiguous 'plan.cu:6: load of 4 bytes: contiguous'
says gather 'plan.cu:7: load of 4 bytes: gather: the index comes from memory'
says distance 'plan.cu:8: load of 4 bytes: gather: the addresses of neighbouring threads are a distance apart that is known at run time only; let consecutive values of threadIdx.x access consecutive elements'
says strided 'plan.cu:9: load of 4 bytes: strided: the addresses of neighbouring threads are 12 bytes apart; let'
says uniform 'plan.cu:10: load of 4 bytes: uniform'
says permuted 'plan.cu:11: store of 4 bytes: permuted contiguous if its first index is a multiple of the lanes'
says uniform_loop 'plan.cu:17: loop: uniform'
says grid_stride 'plan.cu:20: loop: all-active iterations, then a masked remainder'
says divergent_loop 'plan.cu:23: loop: divergent, masked: threads leave it at different times'
says call 'plan.cu:31: call of printf: one lane after the other'
# The user's line, not that of the header that defines atomicAdd.
says header 'plan.cu:33: atomic operation in atomicAdd: one lane after the other'
says first_region 'region 1: chunk loop without masks, then a masked one'
says across 'region 2: chunk loop without masks, then a masked one; 1 values from earlier regions'
says threads 'kernel _Z5waitsPVi: thread entries: a loop in it waits for what other threads do (plan.cu:43)'
grep -q '/include/cdpcc/' said.txt && fail explain_plan_own_headers "$(grep -m 1 /include/cdpcc/ said.txt)" ||
    ok explain_plan_own_headers

"$CDPCC" --explain=json -march=x86-64-v4 -c plan.cu -o plan.o 2>said.txt ||
    fail compile_json "$(head -c 300 said.txt)"
says json '{"region":1,"count":1,"file":"plan.cu","line":7,"subject":"load of 4 bytes","kind":"gather","reason":"the index comes from memory","cause_file":"plan.cu","cause_line":7}'
says json_threads '{"kernel":"_Z5waitsPVi","file":"plan.cu","line":43,"threads":"a loop in it waits for what other threads do","cause_file":"plan.cu","cause_line":43,'
if [ "$(grep -c '^{"kernel":.*}$' said.txt)" = "$(wc -l <said.txt)" ]; then
    ok explain_json_lines
else
    fail explain_json_lines "$(grep -vm 1 '^{' said.txt)"
fi
finish
