// cdpcc: --entry=block -march=x86-64-v2 -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 128 blocks ran by block entries, 0 had an unsupported shape
// plain: not all of its kernels have block entries with sanitizers
// races: volatile accesses order nothing in C++
// The same with vectors of SSE2: a warp is more of them.
#include "block_entries_volatile_within_warps.cu"
