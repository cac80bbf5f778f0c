/* Emission of loads that read rows of memory in tiles (plan/row_tiles.c).
 *
 *              br column < count, take, refill
 *     refill:  count = iterations that are left, at most P
 *              br count >= LEAST and the tests hold, fill, gathers
 *     fill:    for each lane, load <P x T> from its address, masked by the count
 *              transpose them, and store P vectors to the stack; column = 0
 *     take:    load the column's vector; column + 1
 *     gathers: a gather
 *
 * P elements are as many bytes as W words. Smaller elements are read and transposed as words, of
 * which a shift takes the iteration's element. Vectors, column and count are on the stack; LLVM
 * makes the numbers phis of the loop. Where masks are expensive, only whole tiles are read.
 *
 * A fill also prefetches the part of the row that the fill after the next one reads: hardware
 * prefetchers follow fewer rows than a chunk has. */
#include "simd/emit/row_tiles.h"

#include "ir/context.h"
#include "simd/analysis/growth.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/prefetch.h"
#include "simd/ir/branch_weights.h"
#include "simd/ir/counts.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/numbers.h"
#include "simd/plan/row_tiles.h"
#include "support/arena.h"

enum { WORD = 4, QUAD = 16, MOST_ROWS = SIMD_MOST_LANES };
/* A tile costs as much as gathers of this part of its columns. And bytes of a row that are
 * prefetched at once. */
enum { SAVES_FROM = 4, PREFETCHED = 128 };
/* Bytes of the tiles of all loops. Loads of later loops are gathers. */
enum { MOST_STACK = 32768 };

/* The memory of a load's tile. column NULL: its loop is not being emitted. */
struct simd_tile {
    const struct simd_row_tiles *loop;
    const struct simd_row_tile *plan;
    /* On the stack: i32, the next column and the number of columns; the columns' vectors. */
    LLVMValueRef column, count, vectors;
};

static struct simd_tile *tile_of(const struct simd_emit *emit, LLVMValueRef load)
{
    return &emit->memory.tiles[simd_number(emit->kernel, load)];
}

static unsigned size_of(const struct simd_emit *emit, LLVMTypeRef type)
{
    return (unsigned)LLVMABISizeOfType(emit->lower->layout, type);
}

/* The iterations that a tile serves. */
static unsigned columns_of(const struct simd_emit *emit, LLVMTypeRef type)
{
    return emit->lanes * WORD / size_of(emit, type);
}

/* The elements of a word; 1 if they are words or larger. */
static unsigned elements_of_word(const struct simd_emit *emit, LLVMTypeRef type)
{
    unsigned size = size_of(emit, type);
    return size < WORD ? WORD / size : 1;
}

/* The type of what is transposed. */
static LLVMTypeRef word_type(const struct simd_emit *emit, LLVMTypeRef type)
{
    return elements_of_word(emit, type) == 1 ? type : emit->lower->types.i32;
}

void simd_start_tiles(struct simd_emit *emit, const struct simd_row_tiles *tiles)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    if (tiles->count != 0 && emit->memory.tiles == NULL) {
        emit->memory.tiles =
            arena_alloc((simd_value_count(emit->kernel) + 1) * sizeof *emit->memory.tiles);
    }
    for (size_t i = 0; i < tiles->count; i++) {
        const struct simd_row_tile *plan = &tiles->items[i];
        LLVMTypeRef type = word_type(emit, LLVMTypeOf(plan->load));
        uint64_t vectors = (uint64_t)columns_of(emit, type) * emit->vectors;
        LLVMTypeRef rows = LLVMArrayType2(simd_vector_type(emit, type), vectors);
        struct simd_tile *tile = tile_of(emit, plan->load);
        uint64_t bytes = vectors * emit->lanes * size_of(emit, type);
        if (emit->memory.tile_bytes + bytes > MOST_STACK) {
            continue;
        }
        emit->memory.tile_bytes += bytes;
        *tile = (struct simd_tile){.loop = tiles, .plan = plan};
        tile->column = simd_alloca(emit, i32, WORD, "column");
        tile->count = simd_alloca(emit, i32, WORD, "columns");
        tile->vectors = simd_alloca(emit, rows, emit->lanes * WORD, "tile");
        LLVMBuildStore(emit->builder, simd_int(i32, 0), tile->column);
        LLVMBuildStore(emit->builder, simd_int(i32, 0), tile->count);
    }
}

void simd_end_tiles(struct simd_emit *emit, const struct simd_row_tiles *tiles)
{
    for (size_t i = 0; i < tiles->count; i++) {
        tile_of(emit, tiles->items[i].load)->column = NULL;
    }
}

bool simd_has_tile(const struct simd_emit *emit, LLVMValueRef load)
{
    return emit->mask == NULL && emit->memory.tiles != NULL && tile_of(emit, load)->column != NULL;
}

/* ---- tests ---- */

/* i32: the iterations that are left with this one, at most `columns`. */
static LLVMValueRef count_iterations(struct simd_emit *emit, const struct simd_remaining *remaining,
                                     unsigned columns)
{
    LLVMBuilderRef b = emit->builder;
    struct simd_value counter = simd_get(emit, remaining->counter),
                      last = simd_get(emit, remaining->end);
    LLVMValueRef now = counter.scalar[0], end = last.scalar[0];
    LLVMTypeRef type = LLVMTypeOf(now), i32 = emit->lower->types.i32;
    now = remaining->is_next ? LLVMBuildAdd(b, now, simd_int(type, remaining->step), "") : now;
    LLVMValueRef more =
        remaining->step > 0 ? LLVMBuildSub(b, end, now, "") : LLVMBuildSub(b, now, end, "");
    LLVMValueRef most = simd_int(type, columns - 1);
    more = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, more, most, ""), more, most, "");
    if (remaining->stays != LLVMIntNE) {
        LLVMValueRef stays = LLVMBuildICmp(b, remaining->stays, now, end, "");
        more = LLVMBuildSelect(b, stays, more, simd_int(type, 0), "");
    }
    return LLVMBuildAdd(b, LLVMBuildIntCast2(b, more, i32, 0, ""), simd_int(i32, 1), "");
}

/* i1: the condition holds in all lanes. */
static LLVMValueRef holds_in_all(struct simd_emit *emit, LLVMValueRef lanes)
{
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, simd_bits(emit, lanes),
                         simd_bits(emit, emit->full), "");
}

/* i1: the number does not wrap in the iterations of a tile. */
static LLVMValueRef is_below_wrap(struct simd_emit *emit, const struct simd_narrow *narrow,
                                  unsigned more, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    struct simd_value value = simd_get(emit, narrow->value);
    LLVMTypeRef type = LLVMTypeOf(narrow->value);
    unsigned bits = LLVMGetIntTypeWidth(type) - narrow->is_signed;
    int64_t largest = (int64_t)(UINT64_MAX >> (64 - bits));
    LLVMValueRef most = simd_int(type, largest - narrow->by * more);
    LLVMIntPredicate below = narrow->is_signed ? LLVMIntSLE : LLVMIntULE;
    if (simd_value_is_uniform(&value)) {
        return LLVMBuildICmp(b, below, value.scalar[0], most, "");
    }
    LLVMValueRef lanes = simd_vector(emit, &value, vector);
    return holds_in_all(emit, LLVMBuildICmp(b, below, lanes, simd_splat(emit, most), ""));
}

/* i1: no lane stores within the tile's part of its own row. */
static LLVMValueRef is_apart(struct simd_emit *emit, LLVMValueRef store, LLVMValueRef rows,
                             unsigned bytes, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64, numbers = simd_vector_type(emit, i64);
    struct simd_value address = simd_get(emit, simd_accessed(store));
    LLVMValueRef at = LLVMBuildPtrToInt(b, simd_vector(emit, &address, vector), numbers, "");
    LLVMValueRef size = simd_int(i64, size_of(emit, simd_accessed_type(store)));
    LLVMValueRef at_end = LLVMBuildAdd(b, at, simd_splat(emit, size), "");
    LLVMValueRef first = LLVMBuildPtrToInt(b, rows, numbers, "");
    LLVMValueRef end = LLVMBuildAdd(b, first, simd_splat(emit, simd_int(i64, bytes)), "");
    LLVMValueRef before = LLVMBuildICmp(b, LLVMIntULE, at_end, first, "");
    LLVMValueRef after = LLVMBuildICmp(b, LLVMIntUGE, at, end, "");
    return holds_in_all(emit, LLVMBuildOr(b, before, after, ""));
}

/* Masked loads are expensive on processors that have vectors of four words only. */
static bool has_masks(const struct simd_emit *emit)
{
    return emit->lanes >= SIMD_MOST_LANES / 2;
}

/* i1: a tile of so many columns may be read, and gathers are not cheaper. */
static LLVMValueRef may_be_read(struct simd_emit *emit, const struct simd_tile *tile,
                                const struct simd_value *at, unsigned columns, LLVMValueRef count)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMTypeRef type = LLVMTypeOf(tile->plan->load);
    unsigned bytes = columns * size_of(emit, type);
    unsigned words = columns / elements_of_word(emit, type);
    unsigned least = has_masks(emit) ? words / SAVES_FROM + 1 : columns;
    LLVMValueRef result = LLVMBuildICmp(b, LLVMIntUGE, count, simd_int(i32, least), "");
    for (unsigned u = 0; u < emit->vectors; u++) {
        for (size_t i = 0; i < tile->plan->narrow_count; i++) {
            LLVMValueRef below = is_below_wrap(emit, &tile->plan->narrow[i], columns - 1, u);
            result = LLVMBuildAnd(b, result, below, "");
        }
        for (size_t i = 0; i < tile->loop->store_count; i++) {
            LLVMValueRef apart =
                is_apart(emit, tile->loop->stores[i], simd_vector(emit, at, u), bytes, u);
            result = LLVMBuildAnd(b, result, apart, "");
        }
    }
    return result;
}

/* ---- transposition ---- */

/* A shuffle of two rows of `columns` elements, by the numbers that `index` gives. */
static LLVMValueRef shuffle(struct simd_emit *emit, LLVMValueRef a, LLVMValueRef c,
                            unsigned columns, const unsigned *index)
{
    LLVMValueRef numbers[2 * MOST_ROWS];
    for (unsigned i = 0; i < columns; i++) {
        numbers[i] = simd_int(emit->lower->types.i32, index[i]);
    }
    return LLVMBuildShuffleVector(emit->builder, a, c, LLVMConstVector(numbers, columns), "");
}

/* Interleaves parts of `unit` elements of the two rows' quads: the lower halves of each quad, or
 * the upper ones. A quad is what a register of 128 bits holds. */
static LLVMValueRef unpack(struct simd_emit *emit, LLVMValueRef a, LLVMValueRef c, unsigned columns,
                           unsigned quad, unsigned unit, bool is_upper)
{
    unsigned index[MOST_ROWS];
    for (unsigned i = 0; i < columns; i++) {
        unsigned within = i % quad, part = within / unit;
        unsigned from = i - within + (part / 2) * unit + within % unit + is_upper * quad / 2;
        index[i] = from + (part % 2 != 0 ? columns : 0);
    }
    return shuffle(emit, a, c, columns, index);
}

/* Every other quad of the first row, then of the second one. */
static LLVMValueRef every_other_quad(struct simd_emit *emit, LLVMValueRef a, LLVMValueRef c,
                                     unsigned columns, unsigned quad, bool is_odd)
{
    unsigned index[MOST_ROWS], quads = columns / quad;
    for (unsigned i = 0; i < columns; i++) {
        unsigned number = 2 * (i / quad) + is_odd; /* of both rows */
        index[i] = number < quads ? number * quad + i % quad
                                  : columns + (number - quads) * quad + i % quad;
    }
    return shuffle(emit, a, c, columns, index);
}

/* Transposes the quads' contents: afterwards row g * quad + j has, in its quad q, the elements of
 * column q * quad + j from the rows of group g. */
static void transpose_within_quads(struct simd_emit *emit, LLVMValueRef *rows, unsigned columns,
                                   unsigned quad)
{
    for (unsigned first = 0; first < columns; first += quad) {
        LLVMValueRef *r = &rows[first], t[4];
        if (quad == 2) {
            t[0] = unpack(emit, r[0], r[1], columns, quad, 1, false);
            t[1] = unpack(emit, r[0], r[1], columns, quad, 1, true);
            r[0] = t[0];
            r[1] = t[1];
            continue;
        }
        for (unsigned i = 0; i < 4; i++) {
            t[i] = unpack(emit, r[i / 2 * 2], r[i / 2 * 2 + 1], columns, quad, 1, i % 2 != 0);
        }
        for (unsigned i = 0; i < 4; i++) {
            r[i] = unpack(emit, t[i / 2], t[i / 2 + 2], columns, quad, 2, i % 2 != 0);
        }
    }
}

/* Transposes the quads of rows j, quad + j, 2 * quad + j and so on. */
static void transpose_quads(struct simd_emit *emit, LLVMValueRef *rows, unsigned columns,
                            unsigned quad, unsigned j)
{
    enum { MOST_QUADS = 4 };
    LLVMValueRef groups[MOST_QUADS], next[MOST_QUADS];
    unsigned quads = columns / quad;
    for (unsigned g = 0; g < quads; g++) {
        groups[g] = rows[g * quad + j];
    }
    for (unsigned step = 1; step < quads; step *= 2) {
        for (unsigned g = 0; g < quads; g++) {
            LLVMValueRef a = groups[g % (quads / 2) * 2], c = groups[g % (quads / 2) * 2 + 1];
            next[g] = every_other_quad(emit, a, c, columns, quad, g >= quads / 2);
        }
        for (unsigned g = 0; g < quads; g++) {
            groups[g] = next[g];
        }
    }
    for (unsigned g = 0; g < quads; g++) {
        rows[g * quad + j] = groups[g];
    }
}

/* The number of rows is that of columns. */
static void transpose(struct simd_emit *emit, LLVMValueRef *rows, unsigned columns, unsigned size)
{
    unsigned quad = QUAD / size;
    transpose_within_quads(emit, rows, columns, quad);
    for (unsigned j = 0; j < quad; j++) {
        transpose_quads(emit, rows, columns, quad, j);
    }
}

/* ---- reading a tile ---- */

/* The mask of the first elements; NULL: all of them. */
static LLVMValueRef mask_of(struct simd_emit *emit, unsigned columns, LLVMValueRef count)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef numbers[MOST_ROWS], counts[MOST_ROWS];
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef all = LLVMBuildInsertElement(b, LLVMGetPoison(LLVMVectorType(i32, columns)), count,
                                              simd_int(i32, 0), "");
    for (unsigned i = 0; i < columns; i++) {
        numbers[i] = simd_int(i32, i);
        counts[i] = simd_int(i32, 0);
    }
    all = LLVMBuildShuffleVector(b, all, all, LLVMConstVector(counts, columns), "");
    return LLVMBuildICmp(b, LLVMIntULT, LLVMConstVector(numbers, columns), all, "");
}

/* Part of a row. Elements after the count are not read. */
static LLVMValueRef load_row(struct simd_emit *emit, const struct simd_element *element,
                             LLVMValueRef at, unsigned columns, LLVMValueRef mask)
{
    LLVMTypeRef types[] = {LLVMVectorType(element->type, columns), emit->lower->types.ptr};
    LLVMValueRef result;
    if (mask == NULL) {
        result = LLVMBuildLoad2(emit->builder, types[0], at, "row");
        LLVMSetAlignment(result, element->align);
    } else {
        LLVMValueRef arguments[] = {at, mask, LLVMGetPoison(types[0])};
        result = simd_intrinsic(emit, "llvm.masked.load", types, 2, arguments, 3);
    }
    simd_alias_mark(emit, element->instruction, result);
    return result;
}

/* Parts of the lanes' rows, from their addresses on. */
static void load_rows(struct simd_emit *emit, const struct simd_element *element,
                      LLVMValueRef addresses, unsigned columns, LLVMValueRef mask,
                      LLVMValueRef *rows)
{
    for (unsigned lane = 0; lane < emit->lanes; lane++) {
        LLVMValueRef number = simd_int(emit->lower->types.i32, lane);
        LLVMValueRef at = LLVMBuildExtractElement(emit->builder, addresses, number, "");
        rows[lane] = load_row(emit, element, at, columns, mask);
        simd_prefetch_line(emit, at, PREFETCHED);
    }
}

/* The vector of an iteration: one column of all lanes' rows. There are one or two groups of
 * `columns` lanes. */
static LLVMValueRef column_of(struct simd_emit *emit, LLVMValueRef *rows, unsigned columns,
                              unsigned column)
{
    unsigned index[MOST_ROWS];
    if (columns == emit->lanes) {
        return rows[column];
    }
    for (unsigned i = 0; i < emit->lanes; i++) {
        index[i] = i;
    }
    return shuffle(emit, rows[column], rows[columns + column], emit->lanes, index);
}

static LLVMValueRef place_of(struct simd_emit *emit, const struct simd_tile *tile,
                             LLVMValueRef column, unsigned vector)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMTypeRef type = simd_vector_type(emit, word_type(emit, LLVMTypeOf(tile->plan->load)));
    LLVMValueRef number = LLVMBuildMul(emit->builder, column, simd_int(i32, emit->vectors), "");
    number = LLVMBuildAdd(emit->builder, number, simd_int(i32, vector), "");
    return LLVMBuildInBoundsGEP2(emit->builder, type, tile->vectors, &number, 1, "");
}

/* Columns of words, of which `count` are read. */
static void read_tile(struct simd_emit *emit, const struct simd_tile *tile,
                      const struct simd_element *element, const struct simd_value *at,
                      unsigned columns, LLVMValueRef count)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    unsigned size = size_of(emit, element->type);
    LLVMValueRef mask = has_masks(emit) ? mask_of(emit, columns, count) : NULL;
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef rows[MOST_ROWS];
        load_rows(emit, element, simd_vector(emit, at, u), columns, mask, rows);
        for (unsigned first = 0; first < emit->lanes; first += columns) {
            transpose(emit, &rows[first], columns, size);
        }
        for (unsigned c = 0; c < columns; c++) {
            LLVMBuildStore(emit->builder, column_of(emit, rows, columns, c),
                           place_of(emit, tile, simd_int(i32, c), u));
        }
    }
}

/* The element that the column is in each lane's word. */
static LLVMValueRef element_in_word(struct simd_emit *emit, LLVMTypeRef type, LLVMValueRef words,
                                    LLVMValueRef column)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    unsigned bits = size_of(emit, type) * 8;
    LLVMTypeRef number = LLVMIntTypeInContext(emit->lower->llvm, bits);
    column = LLVMBuildAnd(b, column, simd_int(i32, elements_of_word(emit, type) - 1), "");
    LLVMValueRef by = LLVMBuildMul(b, column, simd_int(i32, bits), "");
    words = LLVMBuildLShr(b, words, simd_splat(emit, by), "");
    words = LLVMBuildTrunc(b, words, simd_vector_type(emit, number), "");
    return LLVMBuildBitCast(b, words, simd_vector_type(emit, type), "");
}

/* The column's vectors. The next iteration takes the next column. */
static void take_column(struct simd_emit *emit, const struct simd_tile *tile, LLVMValueRef column,
                        LLVMValueRef count, LLVMValueRef *result)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMTypeRef type = LLVMTypeOf(tile->plan->load);
    LLVMTypeRef words = simd_vector_type(emit, word_type(emit, type));
    unsigned elements = elements_of_word(emit, type);
    LLVMValueRef word = LLVMBuildUDiv(b, column, simd_int(i32, elements), "");
    for (unsigned u = 0; u < emit->vectors; u++) {
        result[u] = LLVMBuildLoad2(b, words, place_of(emit, tile, word, u), "");
        if (elements > 1) {
            result[u] = element_in_word(emit, type, result[u], column);
        }
    }
    LLVMBuildStore(b, LLVMBuildAdd(b, column, simd_int(i32, 1), ""), tile->column);
    LLVMBuildStore(b, count, tile->count);
}

static LLVMValueRef join(struct simd_emit *emit, LLVMValueRef a, LLVMBasicBlockRef from_a,
                         LLVMValueRef c, LLVMBasicBlockRef from_c)
{
    LLVMValueRef phi = LLVMBuildPhi(emit->builder, LLVMTypeOf(a), ""), values[] = {a, c};
    LLVMBasicBlockRef from[] = {from_a, from_c};
    LLVMAddIncoming(phi, values, from, 2);
    return phi;
}

/* The builder goes from the current block to `take` or `gathers`. The result is the number of
 * columns after a refill, which comes from *filled. */
static LLVMValueRef refill(struct simd_emit *emit, const struct simd_tile *tile,
                           const struct simd_element *element, const struct simd_value *at,
                           LLVMBasicBlockRef take, LLVMBasicBlockRef gathers)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    struct simd_element word = *element;
    unsigned columns = columns_of(emit, element->type);
    unsigned elements = elements_of_word(emit, element->type);
    LLVMBasicBlockRef fill = simd_new(emit, "fill");
    LLVMValueRef count = count_iterations(emit, &tile->loop->remaining, columns);
    if (elements > 1) { /* of whole words */
        count = LLVMBuildAnd(b, count, simd_int(i32, -(int64_t)elements), "");
    }
    LLVMBuildCondBr(b, may_be_read(emit, tile, at, columns, count), fill, gathers);
    simd_at(emit, fill);
    word.type = word_type(emit, element->type);
    read_tile(emit, tile, &word, at, columns / elements,
              LLVMBuildUDiv(b, count, simd_int(i32, elements), ""));
    LLVMBuildBr(emit->builder, take);
    return count;
}

struct simd_value simd_load_from_tile(struct simd_emit *emit, const struct simd_element *element,
                                      const struct simd_value *at)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    const struct simd_tile *tile = tile_of(emit, element->instruction);
    LLVMBasicBlockRef start = simd_here(emit), empty = simd_new(emit, "refill"),
                      take = simd_new(emit, "take"), gathers = simd_new(emit, "gathers"),
                      end = simd_new(emit, "loaded");
    LLVMValueRef column = LLVMBuildLoad2(b, i32, tile->column, "column");
    LLVMValueRef count = LLVMBuildLoad2(b, i32, tile->count, "columns");
    LLVMValueRef has_next = LLVMBuildICmp(b, LLVMIntULT, column, count, "");
    simd_mark_likely(emit->lower, LLVMBuildCondBr(b, has_next, take, empty));
    simd_at(emit, empty);
    LLVMValueRef filled = refill(emit, tile, element, at, take, gathers);
    LLVMBasicBlockRef after_fill = simd_here(emit);

    LLVMValueRef taken[SIMD_MOST_VECTORS];
    simd_at(emit, take);
    column = join(emit, column, start, simd_int(i32, 0), after_fill);
    count = join(emit, count, start, filled, after_fill);
    take_column(emit, tile, column, count, taken);
    LLVMBasicBlockRef took = simd_here(emit);
    LLVMBuildBr(b, end);

    simd_at(emit, gathers);
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = simd_gather(emit, element, at, u);
    }
    LLVMBasicBlockRef gathered = simd_here(emit);
    LLVMBuildBr(b, end);

    simd_at(emit, end);
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = join(emit, taken[u], took, result.vector[u], gathered);
    }
    return result;
}
