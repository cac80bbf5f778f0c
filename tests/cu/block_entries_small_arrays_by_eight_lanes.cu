// cdpcc: --entry=block -march=haswell -O2
// The same arrays in vectors of eight lanes.
#include "block_entries_small_arrays.cu"
