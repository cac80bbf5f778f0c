// cdpcc: --entry=block -march=x86-64-v2 -O2
// The same test, compiled for vectors of four lanes, whose stores of short elements have no masks.
#include "block_entries_branch_by_data.cu"
