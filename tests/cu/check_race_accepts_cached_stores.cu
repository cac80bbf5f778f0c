// cdpcc: --check=race
// races: its flags are volatile, which ThreadSanitizer does not know
// workers: 1 2
// Blocks pass a value and its flag in one word, a pair or a quad, by accesses past the first level of
// the cache: the look-back of scans.
#include "show.h"

struct state {
    unsigned long long words[8];
    ulonglong2 pairs[8];
    float4 quads[8];
};

// A word is its value and, in the lowest bit, whether it is there.
__device__ unsigned long long previous_word(const struct state *state)
{
    unsigned long long word = 0;
    while (blockIdx.x > 0 && word == 0) {
        word = __ldcg(&state->words[blockIdx.x - 1]);
    }
    return word >> 1;
}

__device__ unsigned long long previous_pair(const struct state *state)
{
    unsigned long long value = 0, flag = blockIdx.x == 0;
    while (flag == 0) {
        asm volatile("ld.cg.v2.u64 {%0, %1}, [%2];"
                     : "=l"(value), "=l"(flag)
                     : "l"(&state->pairs[blockIdx.x - 1]));
    }
    return value;
}

// The flag comes first in memory.
__device__ float previous_quad(const struct state *state)
{
    float4 quad = make_float4(blockIdx.x == 0, 0, 0, 0);
    while (quad.x == 0) {
        quad = __ldcg(&state->quads[blockIdx.x - 1]);
    }
    return quad.y + quad.z + quad.w;
}

__global__ void sums(struct state *state, int *out)
{
    if (threadIdx.x == 0) {
        unsigned long long sum = previous_word(state) + blockIdx.x;
        __stcg(&state->words[blockIdx.x], sum << 1 | 1);
        unsigned long long sum2 = previous_pair(state) + sum, flag = 1;
        asm volatile("st.cg.v2.u64 [%0], {%1, %2};" ::"l"(&state->pairs[blockIdx.x]), "l"(sum2),
                     "l"(flag));
        float sum3 = previous_quad(state) + 3 * blockIdx.x;
        __stcg(&state->quads[blockIdx.x], make_float4(1, sum3 / 2, sum3 / 4, sum3 / 4));
        out[blockIdx.x] = (int)(sum + 100 * sum2) + 10000 * (int)sum3;
    }
}

int main()
{
    struct state *state;
    int *out, host[8];
    MUST(cudaMalloc(&state, sizeof *state));
    MUST(cudaMemset(state, 0, sizeof *state));
    MUST(cudaMalloc(&out, sizeof host));
    sums<<<8, 32>>>(state, out);
    MUST(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++) {
        printf("%d\n", host[i]);
    }
    MUST(cudaFree(state));
    MUST(cudaFree(out));
}
