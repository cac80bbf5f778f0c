/* Inline PTX that reads, writes and orders memory, or ends a thread.
 *
 * There is one address space, and the processor controls its caches: .global, .shared, .nc, .cg and
 * the like have no effect. Accesses that PTX calls volatile or relaxed must not be torn or removed.
 * A vector of such words is read by one instruction. A load in a volatile asm reads memory each
 * time it is executed, because programs poll with it. They publish by stores past the first level
 * of the cache. Such accesses are relaxed ones of words; lower/words.c makes vectors of them. */
#include "ir/options.h"
#include "ir/value.h"
#include "ptx/forms.h"
#include "support/check.h"

#include <stdint.h>
#include <string.h>

/* Programs store the addresses of shared memory in 32 bits, as in PTX. These are the lower half of
 * our addresses. The address of the block's shared memory gives the upper half. The memory of
 * another block of the cluster may begin before it. */
LLVMValueRef ptx_shared_address(struct ptx_code *code, const struct ptx_statement *statement,
                                LLVMValueRef address)
{
    LLVMTypeRef i64 = code->lower->types.i64;
    LLVMValueRef base = ptx_call(code, "__cdp_shared_base", i64, NULL, 0);
    LLVMValueRef offset = LLVMBuildSub(code->builder, address, base, "");
    if (statement->is_of_cluster) {
        offset = LLVMBuildTrunc(code->builder, offset, code->lower->types.i32, "");
        offset = LLVMBuildSExt(code->builder, offset, i64, "");
        return LLVMBuildAdd(code->builder, base, offset, "");
    }
    LLVMValueRef low = LLVMConstInt(i64, UINT32_MAX, 0);
    return LLVMBuildAdd(code->builder, base, LLVMBuildAnd(code->builder, offset, low, ""), "");
}

LLVMValueRef ptx_address(struct ptx_code *code, const struct ptx_statement *statement,
                         const struct ptx_operand *operand)
{
    LLVMTypeRef i64 = code->lower->types.i64;
    if (operand->kind != PTX_ADDRESS && operand->kind != PTX_TENSOR) {
        code->failed = true;
        return LLVMGetPoison(code->lower->types.ptr);
    }
    LLVMValueRef number = LLVMConstInt(i64, operand->number, 0), address = number;
    if (operand->name != NULL) {
        address = ptx_read_name(code, operand->name, 64);
        if (ptx_has(statement, "shared") && ptx_width(code, operand->name) == 32) {
            address = ptx_shared_address(code, statement, address);
        }
        address = LLVMBuildAdd(code->builder, address, number, "");
    }
    return LLVMBuildIntToPtr(code->builder, address, code->lower->types.ptr, "");
}

/* Whether PTX promises that the access is single, and not removed or merged. */
static bool is_ordered(const struct ptx_statement *statement)
{
    return ptx_has(statement, "volatile") || ptx_has(statement, "relaxed") ||
           ptx_has(statement, "acquire") || ptx_has(statement, "release") ||
           ptx_has(statement, "mmio");
}

/* LLVM has no atomic access of a vector, so a vector is only volatile. */
static void set_order(const struct ptx_statement *statement, LLVMValueRef access, unsigned bits,
                      unsigned count)
{
    LLVMSetAlignment(access, bits / 8 * count);
    if (!is_ordered(statement)) {
        return;
    }
    LLVMSetVolatile(access, 1);
    if (count == 1) {
        LLVMSetOrdering(access, ptx_has(statement, "acquire")   ? LLVMAtomicOrderingAcquire
                                : ptx_has(statement, "release") ? LLVMAtomicOrderingRelease
                                                                : LLVMAtomicOrderingMonotonic);
    }
}

/* Elements of .v2, .v4 or .v8, or 1. */
static unsigned vector_length(const struct ptx_statement *statement)
{
    return ptx_has(statement, "v2")   ? 2
           : ptx_has(statement, "v4") ? 4
           : ptx_has(statement, "v8") ? 8
                                      : 1;
}

static LLVMTypeRef access_type(struct ptx_code *code, unsigned bits, unsigned count)
{
    LLVMTypeRef word = ptx_int(code, bits);
    return count == 1 ? word : LLVMVectorType(word, count);
}

/* Whether the operand has as many elements as the opcode says. */
static bool fits(const struct ptx_operand *operand, unsigned count)
{
    return count == 1 ? operand->kind != PTX_VECTOR
                      : operand->kind == PTX_VECTOR && operand->element_count == count;
}

/* The address of a load or store of this many bytes. */
static LLVMValueRef accessed(struct ptx_code *code, const struct ptx_statement *statement,
                             const struct ptx_operand *operand, unsigned bytes)
{
    bool is_param = ptx_has(statement, "param") && operand->kind == PTX_ADDRESS;
    return is_param ? ptx_param_address(code, operand, bytes)
                    : ptx_address(code, statement, operand);
}

/* Whether it loads from memory that others may write, in an asm that must not be removed. */
static bool may_poll(const struct ptx_code *code, const struct ptx_statement *statement)
{
    return code->is_volatile && !ptx_has(statement, "nc") && !ptx_has(statement, "const") &&
           !ptx_has(statement, "param") && !ptx_has(statement, "local");
}

/* One of the words of a vector in memory. */
struct word {
    LLVMValueRef address, index;
    unsigned alignment;
};

static struct word word_of(struct ptx_code *code, LLVMValueRef address, unsigned bits,
                           unsigned count, unsigned number)
{
    struct word word = {.index = LLVMConstInt(code->lower->types.i32, number, 0)};
    word.address =
        LLVMBuildInBoundsGEP2(code->builder, ptx_int(code, bits), address, &word.index, 1, "");
    unsigned offset = bits / 8 * number, lowest = offset & -offset;
    word.alignment = number == 0 ? bits / 8 * count : lowest;
    return word;
}

/* Such an access may still become a plain one, if no loop polls by it. */
static void relax(struct ptx_code *code, LLVMValueRef access, const struct word *word)
{
    LLVMSetAlignment(access, word->alignment);
    LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
    lower_mark_cached(code->lower->llvm, access);
}

/* Loads each word by a relaxed load; several words that have 64 bits together by one. */
static LLVMValueRef load_words(struct ptx_code *code, LLVMValueRef address, unsigned bits,
                               unsigned count)
{
    LLVMTypeRef type = access_type(code, bits, count);
    if (count > 1 && bits * count <= 64) {
        LLVMValueRef all = load_words(code, address, bits * count, 1);
        return LLVMBuildBitCast(code->builder, all, type, "");
    }
    LLVMValueRef value = LLVMGetPoison(type);
    for (unsigned i = 0; i < count; i++) {
        struct word word = word_of(code, address, bits, count, i);
        LLVMValueRef element = LLVMBuildLoad2(code->builder, ptx_int(code, bits), word.address, "");
        relax(code, element, &word);
        value = count == 1 ? element
                           : LLVMBuildInsertElement(code->builder, value, element, word.index, "");
    }
    return value;
}

/* The words of a vector in one integer, the first in its low bits. Block entries cannot have a cast
 * of the vector. */
static LLVMValueRef join_words(struct ptx_code *code, LLVMValueRef vector, unsigned bits,
                               unsigned count)
{
    LLVMTypeRef type = ptx_int(code, bits * count);
    LLVMValueRef all = LLVMConstNull(type);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef index = LLVMConstInt(code->lower->types.i32, i, 0);
        LLVMValueRef word = LLVMBuildExtractElement(code->builder, vector, index, "");
        word = LLVMBuildZExt(code->builder, word, type, "");
        word = LLVMBuildShl(code->builder, word, LLVMConstInt(type, i * bits, 0), "");
        all = LLVMBuildOr(code->builder, all, word, "");
    }
    return all;
}

/* Stores each word by a relaxed store; several words that have 64 bits together by one. */
static void store_words(struct ptx_code *code, LLVMValueRef value, LLVMValueRef address,
                        unsigned bits, unsigned count)
{
    if (count > 1 && bits * count <= 64) {
        store_words(code, join_words(code, value, bits, count), address, bits * count, 1);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        struct word word = word_of(code, address, bits, count, i);
        LLVMValueRef element =
            count == 1 ? value : LLVMBuildExtractElement(code->builder, value, word.index, "");
        relax(code, LLVMBuildStore(code->builder, element, word.address), &word);
    }
}

static LLVMValueRef load_value(struct ptx_code *code, const struct ptx_statement *statement,
                               unsigned bits, unsigned count)
{
    LLVMValueRef address = accessed(code, statement, &statement->operands[1], bits / 8 * count);
    if (!is_ordered(statement) && may_poll(code, statement)) {
        return load_words(code, address, bits, count);
    }
    LLVMValueRef value = LLVMBuildLoad2(code->builder, access_type(code, bits, count), address, "");
    set_order(statement, value, bits, count);
    return value;
}

/* A signed value that is narrower than a register is sign-extended to 32 bits. */
bool ptx_do_load(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    unsigned count = vector_length(statement);
    const struct ptx_operand *to = &statement->operands[0];
    if (type.bits < 8 || !fits(to, count)) {
        return false;
    }
    LLVMValueRef value = load_value(code, statement, type.bits, count);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef index = LLVMConstInt(code->lower->types.i32, i, 0);
        LLVMValueRef element =
            count == 1 ? value : LLVMBuildExtractElement(code->builder, value, index, "");
        if (type.kind == 's' && type.bits < 32) {
            element = LLVMBuildSExt(code->builder, element, code->lower->types.i32, "");
        }
        ptx_write(code, count == 1 ? to->name : to->elements[i], element);
    }
    return true;
}

/* Whether others may poll for the stored value: a store past the first level of the cache, in an
 * asm that must not be removed. CUB publishes a value and its flag so. */
static bool may_publish(const struct ptx_code *code, const struct ptx_statement *statement)
{
    return code->is_volatile && (ptx_has(statement, "cg") || ptx_has(statement, "wt"));
}

/* "st.volatile.global.v2.u32 [a], {x, y}": one store of a vector. */
bool ptx_do_store(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    unsigned count = vector_length(statement);
    const struct ptx_operand *from = &statement->operands[1];
    if (type.bits < 8 || !fits(from, count)) {
        return false;
    }
    LLVMValueRef value = LLVMGetPoison(access_type(code, type.bits, count));
    for (unsigned i = 0; i < count; i++) {
        if (count == 1) {
            value = ptx_read(code, from, type.bits);
            break;
        }
        LLVMValueRef element = ptx_read_name(code, from->elements[i], type.bits);
        LLVMValueRef index = LLVMConstInt(code->lower->types.i32, i, 0);
        value = LLVMBuildInsertElement(code->builder, value, element, index, "");
    }
    LLVMValueRef to = accessed(code, statement, &statement->operands[0], type.bits / 8 * count);
    if (!is_ordered(statement) && may_publish(code, statement)) {
        store_words(code, value, to, type.bits, count);
    } else {
        set_order(statement, LLVMBuildStore(code->builder, value, to), type.bits, count);
    }
    return true;
}

/* "inc" and "dec" wrap at the operand, as atomicInc and atomicDec do. */
static bool find_operation(const struct ptx_statement *statement, struct ptx_type type,
                           LLVMAtomicRMWBinOp *operation)
{
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp on_unsigned, on_signed;
    } operations[] = {
        {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd},
        {"min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin},
        {"max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax},
        {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
        {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
        {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
        {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
        {"inc", LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUIncWrap},
        {"dec", LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUDecWrap},
    };
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (ptx_has(statement, operations[i].name)) {
            *operation = type.kind == 's' ? operations[i].on_signed : operations[i].on_unsigned;
            bool add = *operation == LLVMAtomicRMWBinOpAdd;
            if (type.kind == 'f' && add) {
                *operation = LLVMAtomicRMWBinOpFAdd;
            }
            return type.kind != 'f' || add;
        }
    }
    return false;
}

static LLVMAtomicOrdering ordering(const struct ptx_statement *statement)
{
    bool acquires = ptx_has(statement, "acquire"), releases = ptx_has(statement, "release");
    return ptx_has(statement, "acq_rel") ? LLVMAtomicOrderingAcquireRelease
           : acquires                    ? LLVMAtomicOrderingAcquire
           : releases                    ? LLVMAtomicOrderingRelease
                                         : LLVMAtomicOrderingMonotonic;
}

/* atom d, [a], b; atom.cas d, [a], b, c; red [a], b. A cache policy may follow. */
bool ptx_do_atomic(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    bool returns = strcmp(statement->parts[0], "atom") == 0;
    unsigned at = returns ? 1 : 0;
    bool swaps = ptx_has(statement, "cas");
    unsigned needed = at + (swaps ? 3 : 2), count = statement->operand_count;
    if (count != needed && !(count == needed + 1 && ptx_has(statement, "L2"))) {
        return false;
    }
    LLVMAtomicOrdering order = ordering(statement);
    LLVMValueRef address = ptx_address(code, statement, &statement->operands[at]), old;
    LLVMValueRef value = ptx_read_as(code, &statement->operands[at + 1], type);
    LLVMAtomicRMWBinOp operation;
    if (swaps) {
        LLVMValueRef with = ptx_read(code, &statement->operands[at + 2], type.bits);
        LLVMAtomicOrdering strong = LLVMAtomicOrderingSequentiallyConsistent;
        old = LLVMBuildAtomicCmpXchg(code->builder, address, value, with, strong, strong, 0);
        old = LLVMBuildExtractValue(code->builder, old, 0, "");
    } else if (find_operation(statement, type, &operation)) {
        old = LLVMBuildAtomicRMW(code->builder, operation, address, value, order, 0);
    } else {
        return false;
    }
    if (returns) {
        ptx_write(code, statement->operands[0].name, old);
    }
    return true;
}

/* The library changes halves; type counts as in the rows of forms.def. */
static LLVMValueRef change_halves(struct ptx_code *code, const struct ptx_statement *statement,
                                  LLVMValueRef address, LLVMValueRef value)
{
    LLVMTypeRef i32 = code->lower->types.i32;
    bool is_pair = ptx_has(statement, "f16x2") || ptx_has(statement, "bf16x2");
    bool is_half = ptx_has(statement, "f16x2") || ptx_has(statement, "f16");
    unsigned operation = ptx_has(statement, "add") ? 1 : ptx_has(statement, "min") ? 2 : 3;
    LLVMValueRef arguments[] = {address, value, LLVMConstInt(i32, operation, 0),
                                LLVMConstInt(i32, is_half ? 1 : 2, 0)};
    return ptx_call(code, is_pair ? "cdp.ptx.change_halves" : "cdp.ptx.change_half",
                    LLVMTypeOf(value), arguments, 4);
}

enum { MOST_ELEMENTS = 8 };

/* atom d, [a], b; red [a], b of vectors: each element is atomic, but not the whole vector. */
bool ptx_do_vector_atomic(struct ptx_code *code, const struct ptx_statement *statement)
{
    bool returns = strcmp(statement->parts[0], "atom") == 0, is_float = ptx_has(statement, "f32");
    const struct ptx_operand *at = &statement->operands[returns ? 1 : 0], *from = at + 1;
    unsigned count = vector_length(statement), needed = returns ? 3 : 2;
    unsigned bits = ptx_has(statement, "f16") || ptx_has(statement, "bf16") ? 16 : 32;
    bool has_policy = statement->operand_count == needed + 1 && ptx_has(statement, "L2");
    if ((statement->operand_count != needed && !has_policy) || !fits(from, count) ||
        (returns && !fits(&statement->operands[0], count)) || bits * count > 128) {
        return false;
    }
    LLVMValueRef address = ptx_address(code, statement, at);
    LLVMValueRef values[MOST_ELEMENTS]; /* a register may be in both vectors: all are read first */
    for (unsigned i = 0; i < count; i++) {
        values[i] = ptx_read_name(code, from->elements[i], bits);
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef word = word_of(code, address, bits, count, i).address;
        if (is_float) {
            LLVMValueRef value = LLVMBuildBitCast(code->builder, values[i],
                                                  LLVMFloatTypeInContext(code->lower->llvm), "");
            values[i] = LLVMBuildAtomicRMW(code->builder, LLVMAtomicRMWBinOpFAdd, word, value,
                                           ordering(statement), 0);
        } else {
            values[i] = change_halves(code, statement, word, values[i]);
        }
    }
    for (unsigned i = 0; returns && i < count; i++) {
        ptx_write(code, statement->operands[0].elements[i], values[i]);
    }
    return true;
}

/* All fences are sequentially consistent fences of the whole system. */
bool ptx_do_fence(struct ptx_code *code, const struct ptx_statement *statement)
{
    (void)statement;
    LLVMBuildFence(code->builder, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
    return true;
}

bool ptx_do_nothing(struct ptx_code *code, const struct ptx_statement *statement)
{
    (void)code;
    (void)statement;
    return true;
}

/* Calls of CUDA's __trap and __brkpt. */
bool ptx_do_trap(struct ptx_code *code, const struct ptx_statement *statement)
{
    bool stops = strcmp(statement->parts[0], "brkpt") == 0;
    ptx_call(code, stops ? "__brkpt" : "__trap", code->lower->types.none, NULL, 0);
    return true;
}

/* Ends the thread, if the runtime can do that in the middle of a function. */
bool ptx_do_exit(struct ptx_code *code, const struct ptx_statement *statement)
{
    (void)statement;
    LLVMTypeRef type = LLVMFunctionType(code->lower->types.none, NULL, 0, 0);
    LLVMValueRef leave = lower_runtime(code->lower, "cdp_abi_exit", type);
    LLVMSetLinkage(leave, LLVMExternalWeakLinkage);
    LLVMContextRef llvm = code->lower->llvm;
    LLVMBasicBlockRef yes = LLVMAppendBasicBlockInContext(llvm, code->function, "");
    LLVMBasicBlockRef no = LLVMAppendBasicBlockInContext(llvm, code->function, "");
    LLVMValueRef there = LLVMBuildIsNotNull(code->builder, leave, "");
    LLVMBuildCondBr(code->builder, there, yes, no);
    LLVMPositionBuilderAtEnd(code->builder, yes);
    LLVMBuildCall2(code->builder, type, leave, NULL, 0, "");
    LLVMBuildUnreachable(code->builder);
    LLVMPositionBuilderAtEnd(code->builder, no);
    ptx_call(code, "__trap", code->lower->types.none, NULL, 0);
    return true;
}

/* nanosleep.u32 t */
bool ptx_do_sleep(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef time = ptx_read(code, &statement->operands[0], 32);
    ptx_call(code, "__nanosleep", code->lower->types.none, &time, 1);
    return true;
}

bool ptx_do_call(struct ptx_code *code, const struct ptx_statement *statement)
{
    return ptx_translate_call(code, statement->call);
}

/* An address of 64 bits, of an instruction whose other address is of shared memory. */
static LLVMValueRef global_address(struct ptx_code *code, const struct ptx_operand *operand)
{
    LLVMTypeRef i64 = code->lower->types.i64;
    LLVMValueRef address = LLVMBuildAdd(code->builder, ptx_read_name(code, operand->name, 64),
                                        LLVMConstInt(i64, operand->number, 0), "");
    return LLVMBuildIntToPtr(code->builder, address, code->lower->types.ptr, "");
}

/* The operands of cp.async without a cache policy, which is a register of 64 bits at the end. */
static unsigned copy_operands(struct ptx_code *code, const struct ptx_statement *statement)
{
    unsigned count = statement->operand_count;
    const struct ptx_operand *last = &statement->operands[count - 1];
    bool is_policy = count > 3 && ptx_has(statement, "L2") && last->kind == PTX_NAME &&
                     ptx_width(code, last->name) == 64;
    return count - is_policy;
}

/* How many bytes are copied: all, operand 3, or none if operand 3 is a predicate and true. */
static LLVMValueRef copied_bytes(struct ptx_code *code, const struct ptx_statement *statement,
                                 unsigned count)
{
    const struct ptx_operand *given = &statement->operands[3];
    LLVMTypeRef type = code->lower->types.i32;
    LLVMValueRef all = LLVMConstInt(type, statement->operands[2].number, 0);
    if (count == 3) {
        return all;
    }
    if (given->kind == PTX_NAME && ptx_width(code, given->name) == 1) {
        return LLVMBuildSelect(code->builder, ptx_read(code, given, 1), LLVMConstNull(type), all,
                               "");
    }
    return ptx_read(code, given, 32);
}

/* cp.async [to], [from], size{, copied bytes or predicate}{, cache policy}: copied at once, so
 * there is nothing to wait for. Bytes beyond those copied become 0. */
bool ptx_do_copy(struct ptx_code *code, const struct ptx_statement *statement)
{
    const struct ptx_operand *to = &statement->operands[0], *from = &statement->operands[1];
    unsigned count = copy_operands(code, statement);
    uint64_t size = statement->operands[2].kind == PTX_NUMBER ? statement->operands[2].number : 0;
    const char *name = size == 4    ? "cdp.ptx.copy4"
                       : size == 8  ? "cdp.ptx.copy8"
                       : size == 16 ? "cdp.ptx.copy16"
                                    : NULL;
    if (name == NULL || count > 4 || from->kind != PTX_ADDRESS || from->name == NULL) {
        return false;
    }
    LLVMValueRef arguments[] = {ptx_address(code, statement, to), global_address(code, from),
                                copied_bytes(code, statement, count)};
    ptx_call(code, name, code->lower->types.none, arguments, 3);
    return true;
}
