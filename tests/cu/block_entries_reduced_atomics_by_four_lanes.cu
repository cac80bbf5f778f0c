// cdpcc: --entry=block -march=x86-64-v2 -O2
// The same in vectors of four lanes.
#include "block_entries_reduced_atomics.cu"
