// cdpcc: --entry=block -march=haswell -O2
// The same loops in vectors of eight lanes.
#include "block_entries_few_lanes.cu"
