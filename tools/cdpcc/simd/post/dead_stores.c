/* Removes stores to shared memory that no load reads: a block's shared memory ends with the
 * block.
 *
 * A backward liveness analysis of bytes, as for registers: a load makes its bytes live, and a store
 * that certainly happens makes them dead. At the function's end all bytes are dead. Iterates over
 * the basic blocks until nothing changes, and then erases the stores none of whose bytes are live.
 *
 * For trees that store forwarding has handled, most stores are dead: their values have gone to
 * shuffles. */
#include "ir/value.h"
#include "simd/post/shared_memory.h"
#include "support/arena.h"

#include <string.h>

/* for all basic blocks of a function, in bytes */
enum { MOST_KNOWN = 8 << 20 };

/* Liveness of the bytes of shared memory.  Lives as long as shared_drop_dead(). */
struct liveness {
    const struct shared_area *area;
    struct lower_map numbers; /* of basic blocks */
    bool **live;              /* by basic block: the bytes that are read from its start on */
    bool *now;                /* at the current instruction */
    bool erases;              /* false: only analyses */
    bool has_erased;
};

static size_t bytes_of(const struct liveness *liveness)
{
    return (size_t)liveness->area->size + 1;
}

static bool *byte_at(const struct liveness *liveness, const struct shared_access *access,
                     unsigned lane)
{
    return liveness->now + access->at[lane];
}

static bool is_read(const struct liveness *liveness, const struct shared_access *access)
{
    for (unsigned i = 0; i < access->lanes; i++) {
        if (access->on[i] && memchr(byte_at(liveness, access, i), true, access->size) != NULL) {
            return true;
        }
    }
    return false;
}

static void set_bytes(struct liveness *liveness, const struct shared_access *access, bool live)
{
    for (unsigned i = 0; i < access->lanes; i++) {
        if (access->on[i]) {
            memset(byte_at(liveness, access, i), live, access->size);
        }
    }
}

/* Updates `now` from after the instruction to before it.
 * A store that is masked at run time leaves bytes live, because the old value may remain. */
static void step(struct liveness *liveness, LLVMValueRef instruction)
{
    struct shared_access access = shared_access_of(liveness->area, instruction);
    if (access.kind == SHARED_READS || access.kind == SHARED_BOTH) {
        memset(liveness->now, true, bytes_of(liveness));
    } else if (access.kind == SHARED_LOAD) {
        set_bytes(liveness, &access, true);
    } else if (access.kind == SHARED_STORE && liveness->erases && !is_read(liveness, &access)) {
        LLVMInstructionEraseFromParent(instruction);
        liveness->has_erased = true;
    } else if (access.kind == SHARED_STORE && !access.is_maybe) {
        set_bytes(liveness, &access, false);
    }
}

/* True if more bytes are read from the basic block's start on than were known. */
static bool visit(struct liveness *liveness, LLVMBasicBlockRef block)
{
    unsigned number = 0;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    memset(liveness->now, false, bytes_of(liveness));
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        lower_map_find(&liveness->numbers, LLVMGetSuccessor(end, i), &number);
        for (size_t j = 0; j < bytes_of(liveness); j++) {
            liveness->now[j] |= liveness->live[number][j];
        }
    }
    for (LLVMValueRef before, at = LLVMGetLastInstruction(block); at != NULL; at = before) {
        before = LLVMGetPreviousInstruction(at);
        step(liveness, at);
    }
    lower_map_find(&liveness->numbers, block, &number);
    bool changed = memcmp(liveness->live[number], liveness->now, bytes_of(liveness)) != 0;
    memcpy(liveness->live[number], liveness->now, bytes_of(liveness));
    return changed;
}

static bool visit_all(struct liveness *liveness)
{
    bool changed = false;
    for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(liveness->area->function); block != NULL;
         block = LLVMGetPreviousBasicBlock(block)) {
        changed |= visit(liveness, block);
    }
    return changed;
}

bool shared_drop_dead(const struct shared_area *area)
{
    struct liveness liveness = {.area = area};
    unsigned count = LLVMCountBasicBlocks(area->function), number = 0;
    if (count * bytes_of(&liveness) > MOST_KNOWN) {
        return false;
    }
    liveness.live = arena_alloc((count + 1) * sizeof *liveness.live);
    liveness.now = arena_alloc(bytes_of(&liveness));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(area->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        liveness.live[number] = arena_alloc(bytes_of(&liveness));
        lower_map_put(&liveness.numbers, block, number++);
    }
    while (visit_all(&liveness)) {
    }
    liveness.erases = true;
    visit_all(&liveness);
    return liveness.has_erased;
}
