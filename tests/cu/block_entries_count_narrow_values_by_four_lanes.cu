// cdpcc: --entry=block -march=x86-64-v2 -O2
// entries: it tests their code
// The same with vectors of SSE2, which move fewer lanes at once.
#include "block_entries_count_narrow_values.cu"
