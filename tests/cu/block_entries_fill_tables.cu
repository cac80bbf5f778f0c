// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 45 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// A thread searches a hash table for a free slot and takes it.  No thread of the grid frees a slot. If a
// counter ends the search, threads need not yield: fillUp, rows and insertPairs have block entries.
#include "show.h"

enum { BLOCKS = 15, THREADS = 100, KEYS = BLOCKS * THREADS, PLACES = 2048 };

__device__ unsigned hash(unsigned key)
{
    key ^= key >> 7;
    key *= 0x9e3779b9;
    return key >> 9;
}

/* Ends at the table's end. */
__global__ void fillUp(unsigned *table, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (unsigned at = hash(in[i]) % 256; at < PLACES; at++) {
            if (atomicCAS(&table[at], 0u, in[i]) == 0) {
                return;
            }
        }
    }
}

/* Two threads may have the same key. */
__global__ void insert(unsigned *table, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned key = in[i] / 2 + 1, at = hash(key) % PLACES;
        while (true) {
            unsigned found = atomicCAS(&table[at], 0u, key);
            if (found == 0 || found == key) {
                return;
            }
            at = (at + 1) % PLACES;
        }
    }
}

__global__ void insertKnown(unsigned *table, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i % 512;
    if (i < n) {
        while (atomicCAS(&table[at], 0u, i + 1) != 0) {
            at = (at + 5) & (PLACES - 1);
        }
    }
}

/* The first free slot of a row, in 64 bits. */
__global__ void rows(unsigned long long *table, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = in[i] % 16;
    if (i < n) {
        for (unsigned k = 0; k < 128; k++) {
            unsigned long long own = (unsigned long long)in[i] << 20 | 1;
            if (atomicCAS(&table[row * 128 + k], 0ull, own) == 0) {
                break;
            }
        }
    }
}

struct pair {
    unsigned key, value;
};
__global__ void insertPairs(pair *table, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned key = in[i], at = hash(key) % 256;
        for (; at < PLACES; at++) {
            unsigned found = atomicCAS(&table[at].key, 0u, key);
            if (found == 0 || found == key) {
                atomicExch(&table[at].value, 3 * key);
                return;
            }
        }
    }
}

__managed__ unsigned in[KEYS], table[PLACES];
__managed__ unsigned long long wide[PLACES];

static int show(const char *name)
{
    unsigned long long sum = 0;
    unsigned used = 0;
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 0; i < PLACES; i++) {
        used += table[i] != 0 || wide[i] != 0;
        sum += table[i] * 7919ull % 10007 + wide[i] % 1000003;
        table[i] = 0;
        wide[i] = 0;
    }
    printf("%s: %u places, %llu\n", name, used, sum);
    return 0;
}
int main()
{
    for (unsigned i = 0; i < KEYS; i++) {
        in[i] = i + 1;
    }
    fillUp<<<BLOCKS, THREADS>>>(table, in, KEYS - 7);
    show("fillUp");
    insert<<<BLOCKS, THREADS>>>(table, in, KEYS - 7);
    show("insert");
    insertKnown<<<BLOCKS, THREADS>>>(table, KEYS - 7);
    show("insertKnown");
    rows<<<BLOCKS, THREADS>>>(wide, in, KEYS - 7);
    show("rows");
    insertPairs<<<BLOCKS, THREADS>>>((pair *)wide, in, KEYS - 7);
    MUST(cudaDeviceSynchronize());
    unsigned wrong = 0;
    for (unsigned long long place : wide) {
        unsigned key = (unsigned)place;
        wrong += place >> 32 != 3 * key;
    }
    printf("insertPairs: %u wrong\n", wrong);
    for (unsigned long long &place : wide) {
        place = (unsigned)place;
    }
    show("insertPairs");
}
