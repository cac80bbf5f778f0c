/* Words that a GPU accesses at once become one access.
 *
 * A vector of 16 bytes past the first level of the cache is one access on a GPU. Programs rely on
 * that: a scan publishes a value and its flag by one st.cg.v2.u64 and polls by ld.cg.v2.u64. LLVM
 * has no atomic access of that size for all processors. So the front end's headers and ptx make
 * relaxed accesses of the words, which block entries turn into vectors over the lanes. In other
 * code a poller could see the flag without the value. Here a volatile vector replaces the words:
 * the optimizer does not divide it, and processors access 16 aligned bytes at once.
 *
 * Before and after:
 *
 *     %q = getelementptr i64, ptr %p, i32 1
 *     %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached
 *     %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached
 *
 *     %v = load volatile <2 x i64>, ptr %p, align 16, !cdp.cached
 *     %a = extractelement <2 x i64> %v, i32 0
 *     %b = extractelement <2 x i64> %v, i32 1
 *
 * The words are in one basic block, the one that is aligned first. Between loads nothing is written
 * or ordered, and between stores memory is not accessed at all. The words of kernels that have
 * block entries may be plain already (simd/pass.c).
 *
 * The pass comes after blocks, which cannot make vectors of volatile accesses. With --check it
 * comes before checks, which then test and record one access. */
#include "ir/options.h"
#include "ir/value.h"
#include "lower/passes.h"

enum { WHOLE = 16, MOST_WORDS = WHOLE / 4 };

/* Accesses of all words of 16 bytes by one type. */
struct words {
    LLVMValueRef items[MOST_WORDS]; /* by their addresses; the first comes first in the block */
    LLVMValueRef last;              /* in the block */
    unsigned count;
};

static bool is_store(LLVMValueRef at)
{
    return LLVMIsAStoreInst(at) != NULL;
}

static LLVMValueRef address_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, is_store(access) ? 1 : 0);
}

static LLVMTypeRef type_of(LLVMValueRef access)
{
    return LLVMTypeOf(is_store(access) ? LLVMGetOperand(access, 0) : access);
}

/* A relaxed or plain access with a cache hint. */
static bool is_word(LLVMValueRef at)
{
    return lower_is_cached(at) && !LLVMGetVolatile(at) &&
           LLVMGetOrdering(at) <= LLVMAtomicOrderingMonotonic;
}

/* The address without constant offsets, which are added to *offset. */
static LLVMValueRef base_of(const struct lower_context *lower, LLVMValueRef address,
                            int64_t *offset)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL && LLVMGetNumOperands(address) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(address, 1)) != NULL) {
        uint64_t size = LLVMABISizeOfType(lower->layout, LLVMGetGEPSourceElementType(address));
        *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1)) * (int64_t)size;
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

/* Whether the words before and after it cannot become one access. */
static bool separates(LLVMValueRef at, bool is_of_stores)
{
    if (LLVMIsALoadInst(at) != NULL) {
        return is_of_stores || LLVMGetVolatile(at) ||
               LLVMGetOrdering(at) > LLVMAtomicOrderingMonotonic;
    }
    if (LLVMIsACallInst(at) != NULL) {
        LLVMValueRef callee = lower_callee(at);
        return callee == NULL || !lower_accesses_no_memory(callee);
    }
    return is_store(at) || LLVMIsAFenceInst(at) != NULL || LLVMIsAAtomicRMWInst(at) != NULL ||
           LLVMIsAAtomicCmpXchgInst(at) != NULL;
}

/* The number of the word that an access is, if the whole begins with the first one's; 0: none. */
static unsigned number_of(const struct lower_context *lower, LLVMValueRef at, LLVMValueRef first)
{
    if (!is_word(at) || is_store(at) != is_store(first) || type_of(at) != type_of(first)) {
        return 0;
    }
    int64_t here = 0, start = 0;
    int64_t size = (int64_t)LLVMABISizeOfType(lower->layout, type_of(first));
    bool is_same =
        base_of(lower, address_of(at), &here) == base_of(lower, address_of(first), &start);
    int64_t distance = here - start;
    bool is_inside = is_same && distance > 0 && distance < WHOLE && distance % size == 0;
    return is_inside ? (unsigned)(distance / size) : 0;
}

/* Finds the other words behind the first one. */
static bool find_words(const struct lower_context *lower, LLVMValueRef first, struct words *words)
{
    if (!is_word(first) || LLVMGetAlignment(first) < WHOLE) {
        return false;
    }
    uint64_t size = LLVMABISizeOfType(lower->layout, type_of(first));
    if (size != 4 && size != 8) {
        return false;
    }
    *words = (struct words){.items = {first}, .count = WHOLE / (unsigned)size};
    unsigned missing = words->count - 1;
    for (LLVMValueRef at = LLVMGetNextInstruction(first); at != NULL && missing > 0;
         at = LLVMGetNextInstruction(at)) {
        unsigned number = number_of(lower, at, first);
        if (number != 0 && words->items[number] == NULL) {
            words->items[number] = words->last = at;
            missing--;
        } else if (separates(at, is_store(first))) {
            return false;
        }
    }
    return missing == 0;
}

static void make_one(struct lower_context *lower, LLVMValueRef access)
{
    LLVMSetAlignment(access, WHOLE);
    LLVMSetVolatile(access, 1);
    lower_mark_cached(lower->llvm, access);
}

static LLVMValueRef merge_loads(struct lower_context *lower, const struct words *words)
{
    LLVMValueRef first = words->items[0];
    LLVMBuilderRef builder = lower_builder_before(lower, first);
    LLVMTypeRef type = LLVMVectorType(type_of(first), words->count);
    LLVMValueRef whole = LLVMBuildLoad2(builder, type, address_of(first), "words");
    make_one(lower, whole);
    for (unsigned i = 0; i < words->count; i++) {
        LLVMValueRef number = LLVMConstInt(lower->types.i32, i, 0);
        LLVMReplaceAllUsesWith(words->items[i],
                               LLVMBuildExtractElement(builder, whole, number, ""));
    }
    LLVMDisposeBuilder(builder);
    return whole;
}

static LLVMValueRef merge_stores(struct lower_context *lower, const struct words *words)
{
    LLVMValueRef first = words->items[0];
    LLVMBuilderRef builder = lower_builder_before(lower, words->last);
    LLVMValueRef value = LLVMGetPoison(LLVMVectorType(type_of(first), words->count));
    for (unsigned i = 0; i < words->count; i++) {
        LLVMValueRef number = LLVMConstInt(lower->types.i32, i, 0);
        value = LLVMBuildInsertElement(builder, value, LLVMGetOperand(words->items[i], 0), number,
                                       "words");
    }
    LLVMValueRef whole = LLVMBuildStore(builder, value, address_of(first));
    make_one(lower, whole);
    LLVMDisposeBuilder(builder);
    return whole;
}

/* The access that replaces the words. */
static LLVMValueRef merge(struct lower_context *lower, const struct words *words)
{
    LLVMValueRef whole =
        is_store(words->items[0]) ? merge_stores(lower, words) : merge_loads(lower, words);
    for (unsigned i = 0; i < words->count; i++) {
        LLVMInstructionEraseFromParent(words->items[i]);
    }
    return whole;
}

static void merge_in(struct lower_context *lower, LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        struct words words;
        if (find_words(lower, at, &words)) {
            at = merge(lower, &words);
        }
    }
}

void lower_words(struct lower_context *lower)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            merge_in(lower, block);
        }
    }
}

void lower_checked_words(struct lower_context *lower)
{
    if (check_any(&lower->options->checks)) {
        lower_words(lower);
    }
}
