/* Dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm), and loops from them. */
#include "instrument/loops.h"

#include "support/arena.h"

int instrument_loops_number(const struct instrument_loops *loops, LLVMBasicBlockRef block)
{
    unsigned number;
    return lower_map_find(&loops->numbers, block, &number) ? (int)number : -1;
}

/* ---- Reverse postorder ---- */

struct visit {
    LLVMBasicBlockRef block;
    unsigned next; /* its next successor */
};

struct walk {
    struct visit *stack;
    size_t depth;
    LLVMBasicBlockRef *order; /* postorder */
    size_t count;
    struct lower_map seen;
};

static void enter(struct walk *walk, LLVMBasicBlockRef block)
{
    unsigned ignored;
    if (!lower_map_find(&walk->seen, block, &ignored)) {
        lower_map_put(&walk->seen, block, 0);
        LOWER_PUSH(walk->stack, walk->depth, ((struct visit){.block = block}));
    }
}

static void number_blocks(struct instrument_loops *loops, LLVMValueRef function)
{
    struct walk walk = {.stack = NULL};
    enter(&walk, LLVMGetEntryBasicBlock(function));
    while (walk.depth > 0) {
        struct visit *top = &walk.stack[walk.depth - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        if (top->next < LLVMGetNumSuccessors(end)) {
            enter(&walk, LLVMGetSuccessor(end, top->next++));
        } else {
            LOWER_PUSH(walk.order, walk.count, top->block);
            walk.depth--;
        }
    }
    loops->count = walk.count;
    loops->blocks = arena_alloc(walk.count * sizeof *loops->blocks);
    for (size_t i = 0; i < walk.count; i++) {
        loops->blocks[i] = walk.order[walk.count - 1 - i];
        lower_map_put(&loops->numbers, loops->blocks[i], (unsigned)i);
    }
}

/* ---- Predecessors ---- */

/* Those of a block: the terminators that use it. *count: how many. */
static int *predecessors(const struct instrument_loops *loops, int block, size_t *count)
{
    size_t uses;
    struct lower_use *use = lower_uses(LLVMBasicBlockAsValue(loops->blocks[block]), &uses);
    int *list = NULL;
    *count = 0;
    for (size_t i = 0; i < uses; i++) {
        int from = LLVMIsATerminatorInst(use[i].user) == NULL
                       ? -1
                       : instrument_loops_number(loops, LLVMGetInstructionParent(use[i].user));
        if (from >= 0) {
            LOWER_PUSH(list, *count, from);
        }
    }
    return list;
}

/* ---- Dominators ---- */

static int meet(const int *dominator, int a, int b)
{
    while (a != b) {
        while (a > b) {
            a = dominator[a];
        }
        while (b > a) {
            b = dominator[b];
        }
    }
    return a;
}

static bool update(struct instrument_loops *loops, int block)
{
    size_t count;
    int *from = predecessors(loops, block, &count), next = -1;
    for (size_t i = 0; i < count; i++) {
        if (loops->dominator[from[i]] >= 0) {
            next = next < 0 ? from[i] : meet(loops->dominator, next, from[i]);
        }
    }
    bool is_changed = loops->dominator[block] != next;
    loops->dominator[block] = next;
    return is_changed;
}

static void find_dominators(struct instrument_loops *loops)
{
    loops->dominator = arena_alloc(loops->count * sizeof *loops->dominator);
    for (size_t i = 0; i < loops->count; i++) {
        loops->dominator[i] = i == 0 ? 0 : -1;
    }
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t i = 1; i < loops->count; i++) {
            is_changed |= update(loops, (int)i);
        }
    }
}

bool instrument_loops_dominates(const struct instrument_loops *loops, int above, int below)
{
    while (below > above) {
        below = loops->dominator[below];
    }
    return below == above;
}

/* ---- Loops ---- */

static void push_predecessors(const struct instrument_loops *loops, int block, int **work,
                              size_t *count)
{
    size_t more;
    int *from = predecessors(loops, block, &more);
    for (size_t i = 0; i < more; i++) {
        LOWER_PUSH(*work, *count, from[i]);
    }
}

/* The block is in the loop; or a loop that contains it is, whose header is then returned. -1: that
 * was known. */
static int take_block(struct instrument_loops *loops, int header, int block)
{
    int at = loops->innermost[block];
    if (at == INSTRUMENT_NO_LOOP) {
        loops->innermost[block] = header;
        return block == header ? -1 : block;
    }
    while (at != header && loops->parent[at] != INSTRUMENT_NO_LOOP) {
        at = loops->parent[at];
    }
    if (at == header) {
        return -1;
    }
    loops->parent[at] = header;
    return at;
}

/* Inner loops were found before. */
static void find_loop(struct instrument_loops *loops, int header)
{
    size_t count = 0, more;
    int *work = NULL, *from = predecessors(loops, header, &more);
    for (size_t i = 0; i < more; i++) {
        if (instrument_loops_dominates(loops, header, from[i])) {
            LOWER_PUSH(work, count, from[i]);
        }
    }
    if (count > 0) {
        (void)take_block(loops, header, header);
    }
    while (count > 0) {
        int next = take_block(loops, header, work[--count]);
        if (next >= 0) {
            push_predecessors(loops, next, &work, &count);
        }
    }
}

struct instrument_loops instrument_loops_of(LLVMValueRef function)
{
    struct instrument_loops loops = {.blocks = NULL};
    number_blocks(&loops, function);
    find_dominators(&loops);
    loops.innermost = arena_alloc(loops.count * sizeof *loops.innermost);
    loops.parent = arena_alloc(loops.count * sizeof *loops.parent);
    for (size_t i = 0; i < loops.count; i++) {
        loops.innermost[i] = loops.parent[i] = INSTRUMENT_NO_LOOP;
    }
    for (size_t i = loops.count; i-- > 0;) {
        find_loop(&loops, (int)i);
    }
    return loops;
}
