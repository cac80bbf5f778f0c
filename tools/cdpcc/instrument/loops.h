/* The natural loops of a function: which contains which block. simd/ir has loops, too, but of
 * graphs that are cut at barriers, have at most two edges a node and no cycles with two entries,
 * and no more than SIMD_MOST_NODES nodes. Functions here have switches, any size and any cycles. */
#ifndef CDPCC_INSTRUMENT_LOOPS_H
#define CDPCC_INSTRUMENT_LOOPS_H
#include "ir/value.h"

enum { INSTRUMENT_NO_LOOP = -1 };

/* Blocks have their numbers in reverse postorder; those that cannot be reached have none. A loop is
 * known by the number of its header. Cycles with two entries are no loops. In the arena. */
struct instrument_loops {
    LLVMBasicBlockRef *blocks;
    size_t count;
    struct lower_map numbers; /* of blocks */
    int *dominator;           /* of each block: its immediate dominator; the entry's is 0 */
    int *innermost;           /* of each block: its innermost loop; else INSTRUMENT_NO_LOOP */
    int *parent;              /* of each loop: the loop around it; else INSTRUMENT_NO_LOOP */
};

struct instrument_loops instrument_loops_of(LLVMValueRef function);
/* The number of a block; -1: it cannot be reached. */
int instrument_loops_number(const struct instrument_loops *loops, LLVMBasicBlockRef block);
bool instrument_loops_dominates(const struct instrument_loops *loops, int above, int below);

#endif
