/* Joins loads of neighbouring bytes into loads of words.
 *
 *     p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24         a load of 32 bits
 *     p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]         the same, and its bytes reversed
 *     for (n = 0; n < 8; n++) v = v << 8 | p[n];         unrolled, then a load of 64 bits
 *
 * Hashes, ciphers and parsers read words like this. In scalar code the backend joins such loads.
 * In vectors each of them would be a gather.
 *
 * A tree of or, xor, add, shifts and extensions is joined if its leaves are loads of neighbouring
 * bytes, each byte has a place of its own in the result, and no write is between the loads. The
 * loads have no other use. Three bytes, such as colours, stay: an interleave group is better than a
 * gather of two of them. */
#include "simd/prepare/join_bytes.h"

#include "ir/context.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "simd/prepare/address_parts.h"
#include "simd/prepare/byte_loops.h"
#include "simd/prepare/counted_loops.h"

#include <llvm-c/Core.h>
#include <string.h>

enum { BITS_OF_BYTE = 8, MOST_PIECES = 8, MOST_DEPTH = 24, MOST_STEPS = 2000 };
enum { BYTES_OF_COLOUR = 3 };

/* A load of a word, and where its lowest bit is in the result. */
struct piece {
    LLVMValueRef load;
    struct simd_address_parts at;
    unsigned bytes, position;
};

/* Life: one call of join(). */
struct word {
    const struct lower_context *lower;
    struct piece pieces[MOST_PIECES];
    unsigned count;
    LLVMValueRef inner[MOST_DEPTH]; /* parts of the tree that are roots of smaller trees */
    unsigned inner_count;
};

static bool has_one_use(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use != NULL && LLVMGetNextUse(use) == NULL;
}

static unsigned width_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool add_piece(struct word *word, LLVMValueRef load, unsigned position, unsigned end)
{
    unsigned bits = width_of(load);
    bool is_plain = simd_member_of(load).size != 0 && bits != 0 && bits <= 4 * BITS_OF_BYTE;
    if (!is_plain || position + bits > end || word->count == MOST_PIECES) {
        return false;
    }
    word->pieces[word->count++] =
        (struct piece){.load = load,
                       .at = simd_address_parts_of(word->lower, LLVMGetOperand(load, 0)),
                       .bytes = bits / BITS_OF_BYTE,
                       .position = position};
    return true;
}

/* Adds the loads that the value consists of. Its lowest bit is at the position; bits from the end
 * on are cut off. */
static bool collect(struct word *word, LLVMValueRef value, unsigned position, unsigned end,
                    unsigned depth)
{
    if (LLVMIsAInstruction(value) == NULL || depth == 0 || width_of(value) == 0 ||
        (depth != MOST_DEPTH && !has_one_use(value))) {
        return false;
    }
    LLVMValueRef first = LLVMGetOperand(value, 0);
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMLoad:
        return add_piece(word, value, position, end);
    case LLVMZExt: {
        unsigned inner = position + width_of(first);
        return collect(word, first, position, inner < end ? inner : end, depth - 1);
    }
    case LLVMShl: {
        LLVMValueRef by = LLVMGetOperand(value, 1);
        return LLVMIsAConstantInt(by) != NULL && LLVMConstIntGetZExtValue(by) < width_of(value) &&
               collect(word, first, position + (unsigned)LLVMConstIntGetZExtValue(by), end,
                       depth - 1);
    }
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
        if (word->inner_count < MOST_DEPTH) {
            word->inner[word->inner_count++] = value;
        }
        return collect(word, first, position, end, depth - 1) &&
               collect(word, LLVMGetOperand(value, 1), position, end, depth - 1);
    default:
        return false;
    }
}

static void sort(struct word *word)
{
    for (unsigned i = 1; i < word->count; i++) {
        struct piece piece = word->pieces[i];
        unsigned at = i;
        for (; at > 0 && word->pieces[at - 1].at.offset > piece.at.offset; at--) {
            word->pieces[at] = word->pieces[at - 1];
        }
        word->pieces[at] = piece;
    }
}

/* Bytes of the sorted pieces, if each starts where the one before ends, and in the result too: in
 * ascending order, or in descending order, which only bytes can have. 0: there is another order. */
static unsigned bytes_of(const struct word *word, bool *is_reversed)
{
    unsigned bytes = word->pieces[0].bytes;
    bool ascends = true, descends = word->pieces[0].bytes == 1;
    for (unsigned i = 1; i < word->count; i++) {
        const struct piece *before = &word->pieces[i - 1], *piece = &word->pieces[i];
        if (!simd_same_but_offset(&before->at, &piece->at) ||
            piece->at.offset != before->at.offset + before->bytes) {
            return 0;
        }
        ascends &= piece->position == before->position + before->bytes * BITS_OF_BYTE;
        descends &= piece->bytes == 1 && piece->position + BITS_OF_BYTE == before->position;
        bytes += piece->bytes;
    }
    *is_reversed = descends;
    return word->count > 1 && (ascends || descends) ? bytes : 0;
}

/* It may write memory, or order accesses. */
static bool is_write(LLVMValueRef at)
{
    return LLVMIsAStoreInst(at) != NULL || simd_is_order(at) || simd_is_volatile(at) ||
           (LLVMIsACallInst(at) != NULL && simd_has_effects(at));
}

static bool is_piece(const struct word *word, LLVMValueRef at)
{
    for (unsigned i = 0; i < word->count; i++) {
        if (word->pieces[i].load == at) {
            return true;
        }
    }
    return false;
}

/* The last of the loads, if all are in the root's basic block, without a write between them. */
static LLVMValueRef last_load(const struct word *word, LLVMValueRef root)
{
    LLVMValueRef last = NULL;
    unsigned found = 0, steps = 0;
    for (LLVMValueRef at = root; at != NULL && steps < MOST_STEPS; steps++) {
        bool is_one = is_piece(word, at);
        last = is_one && last == NULL ? at : last;
        found += is_one;
        if (found == word->count) {
            return last;
        }
        if (found > 0 && is_write(at)) {
            return NULL;
        }
        at = LLVMGetPreviousInstruction(at);
    }
    return NULL;
}

/* Metadata about aliases, if all loads have the same. */
static void copy_metadata(const struct word *word, LLVMValueRef load)
{
    static const char *const kinds[] = {"alias.scope", "noalias", "invariant.load"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsigned kind =
            LLVMGetMDKindIDInContext(word->lower->llvm, kinds[i], (unsigned)strlen(kinds[i]));
        LLVMValueRef node = LLVMGetMetadata(word->pieces[0].load, kind);
        for (unsigned j = 1; j < word->count; j++) {
            LLVMValueRef other = LLVMGetMetadata(word->pieces[j].load, kind);
            bool is_same = node != NULL && other != NULL &&
                           LLVMValueAsMetadata(node) == LLVMValueAsMetadata(other);
            node = is_same ? node : NULL;
        }
        if (node != NULL) {
            LLVMSetMetadata(load, kind, node);
        }
    }
}

/* The loads' addresses are computed before the last of them. */
static LLVMValueRef load_word(struct lower_context *lower, const struct word *word, unsigned bytes,
                              LLVMValueRef last)
{
    LLVMBuilderRef builder = lower_builder_before(lower, last);
    LLVMTypeRef type = LLVMIntTypeInContext(lower->llvm, bytes * BITS_OF_BYTE);
    LLVMValueRef lowest = word->pieces[0].load;
    LLVMValueRef load = LLVMBuildLoad2(builder, type, LLVMGetOperand(lowest, 0), "word");
    LLVMSetAlignment(load, LLVMGetAlignment(lowest));
    copy_metadata(word, load);
    LLVMDisposeBuilder(builder);
    return load;
}

static unsigned lowest_position(const struct word *word)
{
    unsigned first = word->pieces[0].position, last = word->pieces[word->count - 1].position;
    return first < last ? first : last;
}

/* Lets an instruction that has no use no longer use others. So its operands are not looked at. */
static void drop_operands(LLVMValueRef at)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        LLVMSetOperand(at, i, LLVMGetPoison(LLVMTypeOf(operand)));
        if (LLVMIsAInstruction(operand) != NULL && LLVMGetFirstUse(operand) == NULL) {
            drop_operands(operand);
        }
    }
}

/* Replaces the tree. True: it was a word. Adds trees that must stay to the others. */
static bool join(struct lower_context *lower, LLVMValueRef root, struct lower_map *others)
{
    struct word word = {.lower = lower};
    bool is_reversed;
    if (!collect(&word, root, 0, width_of(root), MOST_DEPTH)) {
        return false;
    }
    sort(&word);
    unsigned bytes = bytes_of(&word, &is_reversed);
    for (unsigned i = 0; bytes == BYTES_OF_COLOUR && i < word.inner_count; i++) {
        lower_map_put(others, word.inner[i], 1);
    }
    bool is_word = bytes == 2 || bytes == 4 || bytes == 8;
    LLVMValueRef last = is_word ? last_load(&word, root) : NULL;
    if (last == NULL) {
        return false;
    }
    LLVMValueRef value = load_word(lower, &word, bytes, last);
    LLVMBuilderRef builder = lower_builder_before(lower, root);
    if (is_reversed) {
        LLVMTypeRef type = LLVMTypeOf(value);
        value = lower_intrinsic(lower, builder, "llvm.bswap", &type, 1, &value, 1);
    }
    value = LLVMBuildZExt(builder, value, LLVMTypeOf(root), "");
    value =
        LLVMBuildShl(builder, value, LLVMConstInt(LLVMTypeOf(root), lowest_position(&word), 0), "");
    LLVMReplaceAllUsesWith(root, value);
    drop_operands(root);
    LLVMDisposeBuilder(builder);
    return true;
}

static bool is_root(LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    return (opcode == LLVMOr || opcode == LLVMXor || opcode == LLVMAdd) && width_of(at) != 0;
}

static void clean_up(struct lower_context *lower, LLVMValueRef function)
{
    static const char passes[] =
        "instcombine<no-verify-fixpoint>,early-cse,adce,loop-simplify,lcssa";
    module_run_passes_on(function, passes, lower->machine);
}

/* The last roots are the largest trees. Their parts have no use when it is their turn. */
void simd_join_bytes(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_counters counters = simd_byte_loops(function);
    simd_unroll_counted(lower, function, &counters);
    struct lower_list roots = lower_instructions(function, is_root);
    struct lower_map others = {.count = 0};
    bool changes = false;
    for (size_t i = roots.count; i-- > 0;) {
        unsigned number;
        bool is_wanted = LLVMGetFirstUse(roots.items[i]) != NULL &&
                         !lower_map_find(&others, roots.items[i], &number);
        changes |= is_wanted && join(lower, roots.items[i], &others);
    }
    if (changes) {
        clean_up(lower, function);
    }
}
