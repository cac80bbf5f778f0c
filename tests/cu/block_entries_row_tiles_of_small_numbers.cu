// cdpcc: -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: 0 had an unsupported shape
// Rows of bytes and halfwords: their tiles consist of words.
#define SMALL_NUMBERS
#include "block_entries_row_tiles.cu"
