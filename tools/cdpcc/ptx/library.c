/* Calls of the library that cdpcc carries for inline PTX (library/): device code in CUDA, as
 * bitcode.
 *
 *     mul24.hi.s32 %0, %1, %2;        row: ("mul24.#lo|hi.#u32|s32", "r=rr", mul24)
 *
 *     %d = call i32 @cdp.ptx.mul24(i32 %a, i32 %b, i32 2, i32 2)
 *
 * After all statements are translated, the library is linked into the module. What nothing calls
 * is deleted, the rest is internal and inlined. */
#include "ptx/library/bitcode.h"

#include "ir/library.h"
#include "ir/options.h"
#include "ir/value.h"
#include "ptx/forms.h"
#include "support/arena.h"
#include "support/str.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "cdp.ptx.";

enum { MOST_ARGUMENTS = 40, MOST_RESULTS = 8 };

/* A call that is being made. results are the operands' names, in memory if the function gets
 * pointers. On the stack of ptx_call_library. */
struct library_call {
    LLVMValueRef arguments[MOST_ARGUMENTS];
    unsigned argument_count;
    struct {
        const char *name;
        LLVMTypeRef type;
        LLVMValueRef memory;
    } results[MOST_RESULTS];
    unsigned result_count;
};

static unsigned bits_of_kind(char kind)
{
    return kind == 'p'                  ? 32
           : kind == 'b'                ? 8
           : kind == 'h'                ? 16
           : kind == 'r' || kind == 's' ? 32
                                        : 64;
}

/* The length of a vector after a letter of a signature; 0 for a scalar. Moves at behind it. */
static unsigned read_length(const char **at)
{
    unsigned length = 0;
    while (isdigit((unsigned char)**at)) {
        length = length * 10 + (unsigned)(*(*at)++ - '0');
    }
    return length;
}

static void add_result(struct ptx_code *code, struct library_call *call, const char *name,
                       char kind)
{
    call->results[call->result_count].name = name;
    call->results[call->result_count++].type = ptx_int(code, bits_of_kind(kind));
}

/* The number of an operand's selector that library/video.cu describes. */
static void add_selector(struct ptx_code *code, struct library_call *call,
                         const struct ptx_operand *operand, bool negated)
{
    const char *selector = operand->selector;
    uint64_t number = (uint64_t)negated << 24;
    if (selector != NULL) {
        uint64_t kind = selector[0] == 'b' ? 1 : 2, count = strlen(selector + 1);
        number |= kind << 20 | count << 16 | strtoull(selector + 1, NULL, 16);
    }
    call->arguments[call->argument_count++] = LLVMConstInt(code->lower->types.i32, number, 0);
}

/* False if the operand is no register, or no vector of that length. */
static bool add_results(struct ptx_code *code, struct library_call *call,
                        const struct ptx_operand *operand, char kind, unsigned length)
{
    if (length == 0) {
        add_result(code, call, operand->name, kind);
        if (kind == 's') {
            add_selector(code, call, operand, false);
        }
        return operand->kind == PTX_NAME;
    }
    bool is_scalar = length == 1 && operand->kind == PTX_NAME;
    if (!is_scalar && (operand->kind != PTX_VECTOR || operand->element_count != length)) {
        return false;
    }
    for (unsigned i = 0; i < length; i++) {
        add_result(code, call, is_scalar ? operand->name : operand->elements[i], kind);
    }
    return true;
}

/* Moves *signature behind its equals sign, and *next behind the operands that are results. */
static bool read_results(struct ptx_code *code, const struct ptx_statement *statement,
                         struct library_call *call, const char **signature, unsigned *next)
{
    const char *at = *signature;
    while (*at != '=') {
        const struct ptx_operand *operand = &statement->operands[*next];
        char kind = *at++;
        unsigned length = read_length(&at);
        if (*next >= statement->operand_count || !add_results(code, call, operand, kind, length)) {
            return false;
        }
        if (*at == '|') {
            add_result(code, call, operand->second == NULL ? "_" : operand->second, at[1]);
            at += 2;
        } else if (operand->second != NULL) {
            return false;
        }
        (*next)++;
    }
    *signature = at + 1;
    return true;
}

static LLVMValueRef read_scalar(struct ptx_code *code, const struct ptx_statement *statement,
                                const struct ptx_operand *operand, char kind)
{
    if (kind == 'a') {
        return ptx_address(code, statement, operand);
    }
    if (kind == 'v') {
        LLVMValueRef address = ptx_read(code, operand, 64);
        return LLVMBuildIntToPtr(code->builder, address, code->lower->types.ptr, "");
    }
    if (kind == 'p') {
        return LLVMBuildZExt(code->builder, ptx_read(code, operand, 1), code->lower->types.i32, "");
    }
    return ptx_read(code, operand, bits_of_kind(kind));
}

/* The register itself: the function negates what the selector leaves of it. */
static void read_selected(struct ptx_code *code, struct library_call *call,
                          const struct ptx_operand *operand)
{
    struct ptx_operand plain = *operand;
    plain.negated = false;
    call->arguments[call->argument_count++] = ptx_read(code, &plain, 32);
    add_selector(code, call, operand, operand->negated);
}

static bool read_vector(struct ptx_code *code, struct library_call *call,
                        const struct ptx_operand *operand, char kind, unsigned length)
{
    bool is_scalar = length == 1 && operand->kind == PTX_NAME;
    if (!is_scalar && (operand->kind != PTX_VECTOR || operand->element_count != length)) {
        return false;
    }
    for (unsigned i = 0; i < length; i++) {
        const char *name = is_scalar ? operand->name : operand->elements[i];
        call->arguments[call->argument_count++] = ptx_read_name(code, name, bits_of_kind(kind));
    }
    return true;
}

/* Adds elements of a vector that has up to `most`, then zeros. */
static void add_padded(struct ptx_code *code, struct library_call *call,
                       const struct ptx_operand *operand, unsigned bits, unsigned most)
{
    for (unsigned i = 0; i < most; i++) {
        call->arguments[call->argument_count++] =
            i < operand->element_count ? ptx_read_name(code, operand->elements[i], bits)
                                       : LLVMConstInt(ptx_int(code, bits), 0, 0);
    }
}

enum { MOST_RANK = 5 }; /* dimensions of a tensor */

/* The dimensions of the tensor in the opcode: ".3d". 0: none. */
static unsigned rank_of(const struct ptx_statement *statement)
{
    for (unsigned rank = MOST_RANK; rank != 0; rank--) {
        if (ptx_has(statement, str_format("%ud", rank))) {
            return rank;
        }
    }
    return 0;
}

/* [map, {coordinates}] or {offsets} of the statement's tensor; false for another operand. */
static bool read_tensor(struct ptx_code *code, const struct ptx_statement *statement,
                        struct library_call *call, const struct ptx_operand *operand, char kind)
{
    unsigned rank = rank_of(statement);
    if (kind == 'o') {
        add_padded(code, call, operand, 16, MOST_RANK - 2);
        return operand->kind == PTX_VECTOR && rank > 2 && operand->element_count == rank - 2;
    }
    call->arguments[call->argument_count++] = ptx_address(code, statement, operand);
    call->arguments[call->argument_count++] = LLVMConstInt(code->lower->types.i32, rank, 0);
    add_padded(code, call, operand, 32, MOST_RANK);
    return operand->kind == PTX_TENSOR && operand->element_count == rank;
}

/* [object, {coordinates}] of a texture or surface; false if the geometry has another number of
 * them. Three may be given as four. */
static bool read_texture(struct ptx_code *code, const struct ptx_statement *statement,
                         struct library_call *call, const struct ptx_operand *operand)
{
    unsigned count = ptx_has(statement, "1d")                                ? 1
                     : ptx_has(statement, "2d") || ptx_has(statement, "a1d") ? 2
                                                                             : 3;
    if (operand->kind != PTX_TENSOR || operand->name == NULL || operand->number != 0) {
        return false;
    }
    call->arguments[call->argument_count++] = ptx_read_name(code, operand->name, 64);
    add_padded(code, call, operand, 32, 4);
    return operand->element_count == count || (count == 3 && operand->element_count == 4);
}

/* The {offsets} of a texture, if operand *next is a vector; moves *next behind it. False if the
 * geometry has another number of them. Three may be given as four. */
static bool read_offsets(struct ptx_code *code, const struct ptx_statement *statement,
                         struct library_call *call, unsigned *next)
{
    static const struct ptx_operand none = {0};
    if (*next >= statement->operand_count || statement->operands[*next].kind != PTX_VECTOR) {
        add_padded(code, call, &none, 32, 3);
        return true;
    }
    const struct ptx_operand *operand = &statement->operands[(*next)++];
    unsigned count = operand->element_count;
    add_padded(code, call, operand, 32, 3);
    return ptx_has(statement, "1d") || ptx_has(statement, "a1d") ? count == 1
           : ptx_has(statement, "2d") || ptx_has(statement, "a2d")
               ? count == 2
               : ptx_has(statement, "3d") && (count == 3 || count == 4);
}

/* Reads the operands from number next on. */
static bool read_arguments(struct ptx_code *code, const struct ptx_statement *statement,
                           struct library_call *call, const char *signature, unsigned next)
{
    for (const char *at = signature; *at != '\0';) {
        char kind = *at++;
        unsigned length = read_length(&at);
        bool may_be_missing = *at == '?', is_missing = next >= statement->operand_count;
        at += may_be_missing;
        if (kind == 'e') {
            if (!read_offsets(code, statement, call, &next)) {
                return false;
            }
            continue;
        }
        const struct ptx_operand *operand = &statement->operands[next++];
        if (is_missing && !may_be_missing) {
            return false;
        }
        if (is_missing) {
            call->arguments[call->argument_count++] =
                LLVMConstInt(ptx_int(code, bits_of_kind(kind)), 0, 0);
        } else if (kind == 't' || kind == 'o') {
            if (!read_tensor(code, statement, call, operand, kind)) {
                return false;
            }
        } else if (kind == 'x') {
            if (!read_texture(code, statement, call, operand)) {
                return false;
            }
        } else if (kind == 's') {
            read_selected(code, call, operand);
        } else if (length == 0) {
            call->arguments[call->argument_count++] = read_scalar(code, statement, operand, kind);
        } else if (!read_vector(code, call, operand, kind, length)) {
            return false;
        }
    }
    return next >= statement->operand_count;
}

/* More than one result is returned through pointers, which come first. */
static void make_call(struct ptx_code *code, struct library_call *call, const char *function,
                      bool returns)
{
    LLVMTypeRef result = returns ? call->results[0].type : code->lower->types.none;
    LLVMValueRef value = ptx_call(code, str_format("%s%s", prefix, function), result,
                                  call->arguments, call->argument_count);
    for (unsigned i = 0; i < call->result_count; i++) {
        if (!returns) {
            value =
                LLVMBuildLoad2(code->builder, call->results[i].type, call->results[i].memory, "");
        }
        ptx_write(code, call->results[i].name, value);
    }
}

bool ptx_call_library(struct ptx_code *code, const struct ptx_statement *statement,
                      const char *signature, const char *function,
                      const struct ptx_choices *choices)
{
    struct library_call call = {0};
    unsigned next = 0;
    if (!read_results(code, statement, &call, &signature, &next)) {
        return false;
    }
    bool returns = call.result_count == 1;
    for (unsigned i = 0; !returns && i < call.result_count; i++) {
        call.results[i].memory = LLVMBuildAlloca(code->builder, call.results[i].type, "");
        call.arguments[call.argument_count++] = call.results[i].memory;
    }
    if (!read_arguments(code, statement, &call, signature, next)) {
        return false;
    }
    for (unsigned i = 0; i < choices->count; i++) {
        call.arguments[call.argument_count++] =
            LLVMConstInt(code->lower->types.i32, choices->words[i], 0);
    }
    make_call(code, &call, function, returns);
    return true;
}

/* The linker would not notice a call with other arguments. */
static void check_calls(const struct lower_context *lower, LLVMModuleRef library)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || !str_starts(lower_name(f), prefix)) {
            continue;
        }
        LLVMValueRef own = LLVMGetNamedFunction(library, lower_name(f));
        if (own == NULL || LLVMGlobalGetValueType(own) != LLVMGlobalGetValueType(f)) {
            fprintf(stderr, "cdpcc: %s: ptx/forms.def and ptx/library/ disagree\n", lower_name(f));
            abort();
        }
    }
}

/* Sanitizers instrument functions with their attribute: the accesses of ldmatrix and the like, too.
 */
static void sanitize(const struct lower_context *lower, LLVMModuleRef library)
{
    const char *name = lower->options->sanitize.address  ? "sanitize_address"
                       : lower->options->sanitize.thread ? "sanitize_thread"
                                                         : NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(library); name != NULL && f != NULL;
         f = LLVMGetNextFunction(f)) {
        unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
        LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(lower->llvm, kind, 0));
    }
}

/* Most modules have no inline PTX, or none that calls the library. */
static bool is_called(const struct lower_context *lower)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) && str_starts(lower_name(f), prefix)) {
            return true;
        }
    }
    return false;
}

void ptx_link_library(struct lower_context *lower)
{
    if (!is_called(lower)) {
        return;
    }
    LLVMModuleRef library = lower_load_library(lower, cdp_ptx_library, cdp_ptx_library_end);
    if (library != NULL) {
        check_calls(lower, library);
        sanitize(lower, library);
        lower_link_library(lower, library, prefix);
    }
}
