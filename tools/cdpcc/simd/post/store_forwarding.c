/* Store-to-load forwarding in shared memory.
 *
 * The walk goes through straight code.  For each byte it records which lane of which value was
 * stored there.  A vector load whose lanes come from a few vectors becomes a shuffle of them.
 * Nothing is done in entries where one store serves each load, at the same address: the processor
 * forwards these itself, and registers are scarce.
 *
 * One step of a sum over 32 elements, with two vectors of 16:
 *
 *     store <16 x float> %a, s + 0             store ...
 *     store <16 x float> %b, s + 64     ->     store ...
 *     %c = load <16 x float>, s + 32           %c = shufflevector %a, %b, <8, 9, ... 23>
 *
 * The load would take bytes of two stores, which a processor cannot forward: it waits until both
 * have left the store queue.
 *
 * The state is one cell for each byte of shared memory. A store fills its cells, a store at an
 * unknown address clears all, and so does a block that has other predecessors than the one before
 * it. The first walk only tests whether a shuffle would be needed anywhere; the second walk
 * replaces.
 *
 * Cost: linear in the instructions times the bytes that they access, plus the area's size for each
 * time that all is cleared. */
#include "simd/post/shared_memory.h"
#include "support/arena.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Shuffles are cheap, but a load of bytes from more stores than that is not replaced. */
enum { MOST_SOURCES = 3 };

/* The value that was stored to one byte. */
struct cell {
    LLVMValueRef value; /* NULL: unknown */
    unsigned lane, byte;
};

/* The walk through one entry's straight code, and what each byte holds at the current
 * instruction. */
struct walk {
    const struct shared_area *area;
    LLVMBuilderRef builder;
    struct cell *cells; /* by byte */
    bool replaces;      /* false: only analyses */
    bool has_partial;   /* some load is not served by a single store */
    bool has_replaced;
};

/* The values that a load's lanes come from.
 * Life: one load. */
struct recipe {
    LLVMValueRef sources[MOST_SOURCES];
    unsigned count;
    int source[SHARED_MOST_LANES]; /* by lane; -1: any value will do */
    unsigned lane[SHARED_MOST_LANES];
};

static void forget_all(struct walk *walk)
{
    memset(walk->cells, 0, (size_t)(walk->area->size + 1) * sizeof *walk->cells);
}

/* ---- what is stored ---- */

/* A store that may not happen leaves its bytes unknown. */
static void fill(struct walk *walk, const struct shared_access *access, LLVMValueRef value)
{
    for (unsigned i = 0; i < access->lanes; i++) {
        for (unsigned byte = 0; access->on[i] && byte < access->size; byte++) {
            walk->cells[access->at[i] + byte] =
                (struct cell){.value = value, .lane = i, .byte = byte};
        }
    }
}

/* ---- what is loaded ---- */

static LLVMTypeRef element_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static unsigned lanes_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
}

/* The bits of one element type can be used as the other type. */
static bool is_alike(const struct walk *walk, LLVMTypeRef a, LLVMTypeRef b)
{
    bool is_pointer =
        LLVMGetTypeKind(a) == LLVMPointerTypeKind || LLVMGetTypeKind(b) == LLVMPointerTypeKind;
    return a == b || (!is_pointer && LLVMABISizeOfType(walk->area->layout, a) ==
                                         LLVMABISizeOfType(walk->area->layout, b));
}

/* The bytes hold a whole element of one value. */
static bool is_element(const struct walk *walk, const struct shared_access *access,
                       const struct cell *cell)
{
    for (unsigned byte = 0; byte < access->size; byte++) {
        if (cell[byte].value == NULL || cell[byte].value != cell->value ||
            cell[byte].lane != cell->lane || cell[byte].byte != byte) {
            return false;
        }
    }
    return is_alike(walk, element_of(cell->value), access->element);
}

/* False if the load would have more sources than are worth it. */
static bool add_lane(struct recipe *recipe, unsigned to, LLVMValueRef value, unsigned lane)
{
    unsigned i = 0;
    while (i < recipe->count && recipe->sources[i] != value) {
        i++;
    }
    if (i == MOST_SOURCES) {
        return false;
    }
    recipe->sources[i] = value;
    recipe->count = i == recipe->count ? i + 1 : recipe->count;
    recipe->source[to] = (int)i;
    recipe->lane[to] = lane;
    return true;
}

static bool has_no_value(LLVMValueRef value)
{
    return value == NULL || LLVMIsUndef(value) || LLVMIsPoison(value);
}

/* False if some demanded lane is unknown, or if more shuffles are needed than are worth it.
 * Inactive lanes of a masked load take the values that the load itself names for them. */
static bool find_recipe(const struct walk *walk, const struct shared_access *access,
                        struct recipe *recipe)
{
    bool needed[SHARED_MOST_LANES];
    *recipe = (struct recipe){.count = 0};
    shared_needed(walk->area, access, needed);
    for (unsigned i = 0; i < access->lanes; i++) {
        recipe->source[i] = -1;
        if (!needed[i] || (!access->on[i] && has_no_value(access->value))) {
            continue;
        }
        const struct cell *cell = access->on[i] ? walk->cells + access->at[i] : NULL;
        bool found = cell == NULL ? add_lane(recipe, i, access->value, i)
                                  : is_element(walk, access, cell) &&
                                        add_lane(recipe, i, cell->value, cell->lane);
        if (!found) {
            return false;
        }
    }
    return recipe->count != 0 && !access->is_maybe;
}

/* The load's value is the stored value itself. */
static bool is_whole(const struct shared_access *access, const struct recipe *recipe)
{
    if (recipe->count != 1 ||
        (access->lanes > 1 && lanes_of(recipe->sources[0]) != access->lanes)) {
        return false;
    }
    for (unsigned i = 0; i < access->lanes; i++) {
        if (recipe->source[i] >= 0 && recipe->lane[i] != i) {
            return false;
        }
    }
    return true;
}

/* Forwarding gains something.  It does not for a single element inside of a stored vector:
 * processors forward it as fast as other loads. */
static bool is_worth_it(const struct shared_access *access, const struct recipe *recipe)
{
    return access->lanes > 1 || recipe->lane[0] == 0;
}

/* ---- shuffles ---- */

static LLVMValueRef as_elements(struct walk *walk, LLVMValueRef value, LLVMTypeRef element)
{
    unsigned lanes = lanes_of(value);
    LLVMTypeRef type = lanes == 0 ? element : LLVMVectorType(element, lanes);
    return LLVMBuildBitCast(walk->builder, value, type, "");
}

static LLVMValueRef index_of(const struct shared_access *access, unsigned index)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(access->type));
    return LLVMConstInt(i32, index, 0);
}

static LLVMValueRef shuffle(struct walk *walk, const struct shared_access *access, LLVMValueRef a,
                            LLVMValueRef b, const int *lanes)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(access->type));
    LLVMValueRef mask[SHARED_MOST_LANES];
    for (unsigned i = 0; i < access->lanes; i++) {
        mask[i] = lanes[i] < 0 ? LLVMGetPoison(i32) : index_of(access, (unsigned)lanes[i]);
    }
    return LLVMBuildShuffleVector(walk->builder, a, b, LLVMConstVector(mask, access->lanes), "");
}

/* A vector of the load's type with the lanes that come from one source. */
static LLVMValueRef lanes_from(struct walk *walk, const struct shared_access *access,
                               const struct recipe *recipe, unsigned source)
{
    int lanes[SHARED_MOST_LANES];
    LLVMValueRef value = as_elements(walk, recipe->sources[source], access->element);
    LLVMValueRef result = LLVMGetPoison(access->type);
    if (lanes_of(value) == 0) {
        for (unsigned i = 0; i < access->lanes; i++) {
            if (recipe->source[i] == (int)source) {
                result =
                    LLVMBuildInsertElement(walk->builder, result, value, index_of(access, i), "");
            }
        }
        return result;
    }
    for (unsigned i = 0; i < access->lanes; i++) {
        lanes[i] = recipe->source[i] == (int)source ? (int)recipe->lane[i] : -1;
    }
    return shuffle(walk, access, value, LLVMGetPoison(LLVMTypeOf(value)), lanes);
}

/* Combines the lanes of the first two sources in one shuffle, if both have the same length. */
static LLVMValueRef lanes_from_first_two(struct walk *walk, const struct shared_access *access,
                                         const struct recipe *recipe)
{
    int lanes[SHARED_MOST_LANES];
    LLVMValueRef a = as_elements(walk, recipe->sources[0], access->element);
    LLVMValueRef b = as_elements(walk, recipe->sources[1], access->element);
    unsigned length = lanes_of(a);
    for (unsigned i = 0; i < access->lanes; i++) {
        int source = recipe->source[i], lane = (int)recipe->lane[i];
        lanes[i] = source == 0 ? lane : source == 1 ? (int)length + lane : -1;
    }
    return shuffle(walk, access, a, b, lanes);
}

/* The first two sources join in one shuffle; each further one takes another. */
static LLVMValueRef make(struct walk *walk, const struct shared_access *access,
                         const struct recipe *recipe)
{
    LLVMPositionBuilderBefore(walk->builder, access->instruction);
    LLVMSetCurrentDebugLocation2(walk->builder, LLVMInstructionGetDebugLoc(access->instruction));
    if (is_whole(access, recipe)) {
        LLVMValueRef value = as_elements(walk, recipe->sources[0], access->element);
        bool is_lane = access->lanes == 1 && lanes_of(value) != 0;
        return is_lane ? LLVMBuildExtractElement(walk->builder, value, index_of(access, 0), "")
                       : value;
    }
    bool is_pair = recipe->count > 1 && lanes_of(recipe->sources[0]) != 0 &&
                   lanes_of(recipe->sources[0]) == lanes_of(recipe->sources[1]);
    LLVMValueRef result =
        is_pair ? lanes_from_first_two(walk, access, recipe) : lanes_from(walk, access, recipe, 0);
    for (unsigned s = is_pair ? 2 : 1; s < recipe->count; s++) {
        int lanes[SHARED_MOST_LANES];
        for (unsigned i = 0; i < access->lanes; i++) {
            lanes[i] = (int)(recipe->source[i] == (int)s ? access->lanes + i : i);
        }
        result = shuffle(walk, access, result, lanes_from(walk, access, recipe, s), lanes);
    }
    return result;
}

/* ---- the walk ---- */

static void visit_load(struct walk *walk, const struct shared_access *access)
{
    struct recipe recipe;
    bool found = find_recipe(walk, access, &recipe) && is_worth_it(access, &recipe);
    walk->has_partial |= found && !is_whole(access, &recipe);
    if (found && walk->replaces) {
        LLVMValueRef result = make(walk, access, &recipe);
        LLVMReplaceAllUsesWith(access->instruction, result);
        LLVMInstructionEraseFromParent(access->instruction);
        walk->has_replaced = true;
    }
}

static void visit(struct walk *walk, LLVMValueRef instruction)
{
    struct shared_access access = shared_access_of(walk->area, instruction);
    if (access.kind == SHARED_LOAD) {
        visit_load(walk, &access);
    } else if (access.kind == SHARED_STORE) {
        fill(walk, &access, access.is_maybe ? NULL : access.value);
    } else if (access.kind == SHARED_WRITES || access.kind == SHARED_BOTH) {
        forget_all(walk);
    }
}

/* The block's only predecessor is the block before it. */
static bool has_only_previous(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef before = LLVMGetPreviousBasicBlock(block);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return before != NULL && use != NULL && LLVMGetNextUse(use) == NULL &&
           LLVMGetUser(use) == LLVMGetBasicBlockTerminator(before);
}

static void visit_all(struct walk *walk)
{
    forget_all(walk);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(walk->area->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        if (!has_only_previous(block)) {
            forget_all(walk);
        }
        for (LLVMValueRef next, at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            visit(walk, at);
        }
    }
}

bool shared_forward(const struct shared_area *area)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(area->function));
    struct walk walk = {.area = area, .builder = LLVMCreateBuilderInContext(llvm)};
    walk.cells = arena_alloc((size_t)(area->size + 1) * sizeof *walk.cells);
    visit_all(&walk);
    walk.replaces = walk.has_partial;
    if (walk.replaces) {
        visit_all(&walk);
    }
    LLVMDisposeBuilder(walk.builder);
    return walk.has_replaced;
}
