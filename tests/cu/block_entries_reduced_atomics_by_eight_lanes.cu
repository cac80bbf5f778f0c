// cdpcc: --entry=block -march=haswell -O2
// The same in vectors of eight lanes.
#include "block_entries_reduced_atomics.cu"
