/* Facts that only the debug information has: source names, and sizes and alignments of the
 * source's types, which the IR loses when it passes a class in pieces.
 *
 * The operand numbers are those of LLVM 22's metadata nodes; the C API has no accessors for
 * them.
 *
 * LLVM keeps these facts as metadata: a node has operands and a text, for example
 *
 *     !DILocalVariable(name: "x", arg: 1, scope: !5, file: !1, line: 3, type: !9)
 *
 * The C interface gives operands by number and nothing else. So names, scopes and types are read
 * as operands, and the few fields that are no operands are read from the printed text of the
 * node. */
#include "ir/debug_info.h"

#include "ir/report.h"
#include "ir/value.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of operands; the prefix is the kind of node that they belong to. */
enum operand {
    EXPRESSION_VARIABLE = 0,
    SCOPE_PARENT = 1,
    VARIABLE_NAME = 1,
    SUBPROGRAM_NAME = 2,
    VARIABLE_TYPE = 3,
    TYPE_BASE = 5,
    TYPE_ELEMENTS = 6,
};

/* Tags of DWARF that the front end writes for types of C++. */
enum dwarf_tag {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUMERATION = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCTURE = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_POINTER_TO_MEMBER = 0x1f,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_UNSPECIFIED = 0x3b,
    TAG_RVALUE_REFERENCE = 0x42,
    TAG_ATOMIC = 0x47,
    TAG_TEMPLATE_ALIAS = 0x43,
};

enum { POINTER_SIZE = 8, MAX_SCALAR_ALIGN = 16, BITS = 8 };

/* The C interface shows metadata nodes as values; so a node is converted to a value and back. */
LLVMMetadataRef *lower_md_operands(const struct lower_context *lower, LLVMMetadataRef node,
                                   unsigned *count)
{
    LLVMValueRef value = LLVMMetadataAsValue(lower->llvm, node);
    *count = LLVMGetMDNodeNumOperands(value);
    LLVMValueRef *values = arena_alloc((*count + 1) * sizeof *values);
    LLVMMetadataRef *operands = arena_alloc((*count + 1) * sizeof *operands);
    LLVMGetMDNodeOperands(value, values);
    for (unsigned i = 0; i < *count; i++) {
        operands[i] = values[i] == NULL ? NULL : LLVMValueAsMetadata(values[i]);
    }
    return operands;
}

/* Prints only the node: to print the record that contains it, LLVM would number all metadata of the
 * module. */
bool lower_md_says(const struct lower_context *lower, LLVMMetadataRef node, const char *word)
{
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(lower->llvm, node));
    bool found = strstr(text, word) != NULL;
    LLVMDisposeMessage(text);
    return found;
}

/* NULL if the node has no such operand, or the operand is null. */
static LLVMMetadataRef md_operand(const struct lower_context *lower, LLVMMetadataRef node,
                                  unsigned index)
{
    unsigned count;
    LLVMMetadataRef *operands = lower_md_operands(lower, node, &count);
    return index < count ? operands[index] : NULL;
}

LLVMMetadataRef lower_variable_type(const struct lower_context *lower, LLVMMetadataRef variable)
{
    return md_operand(lower, variable, VARIABLE_TYPE);
}

const char *lower_variable_name(const struct lower_context *lower, LLVMMetadataRef variable)
{
    LLVMMetadataRef name = md_operand(lower, variable, VARIABLE_NAME);
    unsigned length = 0;
    const char *text = NULL;
    if (name != NULL) {
        text = LLVMGetMDString(LLVMMetadataAsValue(lower->llvm, name), &length);
    }
    return text == NULL ? "" : str_copy(text, length);
}

/* A node for a type that has a size; types of functions are another kind. */
static bool is_type(LLVMMetadataRef node)
{
    LLVMMetadataKind kind = LLVMGetMetadataKind(node);
    return kind == LLVMDIBasicTypeMetadataKind || kind == LLVMDIDerivedTypeMetadataKind ||
           kind == LLVMDICompositeTypeMetadataKind;
}

/* Whether the type is another type with a name or a qualifier. */
static bool is_alias(unsigned tag)
{
    return tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT ||
           tag == TAG_ATOMIC || tag == TAG_TEMPLATE_ALIAS;
}

/* Skips typedefs and qualifiers; increases align to the alignment that they require. */
static LLVMMetadataRef real_type(const struct lower_context *lower, LLVMMetadataRef type,
                                 uint64_t *align)
{
    while (type != NULL && is_type(type)) {
        uint64_t own = LLVMDITypeGetAlignInBits(type) / BITS;
        *align = own > *align ? own : *align;
        if (!is_alias(LLVMGetDINodeTag(type))) {
            return type;
        }
        type = md_operand(lower, type, TYPE_BASE);
    }
    return NULL;
}

bool lower_type_is_reference(const struct lower_context *lower, LLVMMetadataRef type)
{
    uint64_t align = 0;
    type = real_type(lower, type, &align);
    unsigned tag = type == NULL ? 0 : LLVMGetDINodeTag(type);
    return tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE;
}

/* Whether the element of a class is part of its layout as a complete object. */
static bool is_laid_out(LLVMMetadataRef element)
{
    if (element == NULL || LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind) {
        return false;
    }
    unsigned tag = LLVMGetDINodeTag(element);
    unsigned flags = (unsigned)LLVMDITypeGetFlags(element);
    return (tag == TAG_MEMBER || tag == TAG_INHERITANCE) && (flags & LLVMDIFlagStaticMember) == 0;
}

/* The largest alignment of bases and members. If a member's offset is not a multiple of its own
 * alignment, the class is packed. */
static uint64_t class_align(const struct lower_context *lower, LLVMMetadataRef type, uint64_t size)
{
    LLVMMetadataRef elements = md_operand(lower, type, TYPE_ELEMENTS);
    unsigned count = 0;
    LLVMMetadataRef *element = elements == NULL ? NULL : lower_md_operands(lower, elements, &count);
    uint64_t largest = 1;
    for (unsigned i = 0; i < count; i++) {
        uint64_t member_size, align;
        LLVMMetadataRef base;
        if (!is_laid_out(element[i]) || (base = md_operand(lower, element[i], TYPE_BASE)) == NULL ||
            !lower_type_layout(lower, base, &member_size, &align)) {
            continue;
        }
        uint64_t own = LLVMDITypeGetAlignInBits(element[i]) / BITS;
        align = own != 0 ? own : align;
        bool bit_field = ((unsigned)LLVMDITypeGetFlags(element[i]) & LLVMDIFlagBitField) != 0;
        if (!bit_field && LLVMDITypeGetOffsetInBits(element[i]) / BITS % align != 0) {
            continue;
        }
        largest = align > largest ? align : largest;
    }
    return size % largest == 0 ? largest : 1;
}

/* Numbers and pointers are aligned to their size, at most to 16 bytes. */
static uint64_t scalar_align(uint64_t size)
{
    uint64_t align = 1;
    while (align < size && align < MAX_SCALAR_ALIGN) {
        align *= 2;
    }
    return align;
}

/* The debug information states an alignment only if the source requires one (alignas). For all
 * other types it is computed here by the rules of the ABI: that of an array is its element's, that
 * of a vector is its size. */
static uint64_t natural_align(const struct lower_context *lower, LLVMMetadataRef type,
                              uint64_t size)
{
    unsigned tag = LLVMGetDINodeTag(type);
    bool is_vector =
        tag == TAG_ARRAY && ((unsigned)LLVMDITypeGetFlags(type) & LLVMDIFlagVector) != 0;
    if (is_vector) {
        return size;
    }
    if (tag == TAG_ARRAY) {
        uint64_t element_size, align = 1;
        LLVMMetadataRef base = md_operand(lower, type, TYPE_BASE);
        return base != NULL && lower_type_layout(lower, base, &element_size, &align) ? align : 1;
    }
    if (tag == TAG_STRUCTURE || tag == TAG_CLASS || tag == TAG_UNION) {
        return class_align(lower, type, size);
    }
    return scalar_align(size);
}

bool lower_type_layout(const struct lower_context *lower, LLVMMetadataRef type, uint64_t *size,
                       uint64_t *align)
{
    *align = 0;
    type = real_type(lower, type, align);
    if (type == NULL) {
        return false;
    }
    unsigned tag = LLVMGetDINodeTag(type);
    *size = LLVMDITypeGetSizeInBits(type) / BITS;
    if (tag == TAG_UNSPECIFIED || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE) {
        *size = POINTER_SIZE; /* nullptr_t; a reference is stored as a pointer */
    }
    if (((unsigned)LLVMDITypeGetFlags(type) & LLVMDIFlagFwdDecl) != 0 && *size == 0) {
        return false;
    }
    if (*align == 0) {
        *align = natural_align(lower, type, *size);
    }
    return true;
}

/* ---- Pointers in a type ---- */

static const char *type_name(LLVMMetadataRef type)
{
    size_t length = 0;
    const char *name = LLVMDITypeGetName(type, &length);
    return name == NULL ? "" : str_copy(name, length);
}

/* Pointers to functions are not data: a launch does not test them. */
static bool points_to_code(const struct lower_context *lower, LLVMMetadataRef pointer)
{
    LLVMMetadataRef type = md_operand(lower, pointer, TYPE_BASE);
    while (type != NULL && is_type(type) && is_alias(LLVMGetDINodeTag(type))) {
        type = md_operand(lower, type, TYPE_BASE);
    }
    return type != NULL && LLVMGetMetadataKind(type) == LLVMDISubroutineTypeMetadataKind;
}

/* Names become paths: "p.first". Virtual bases and hidden members (the vtable's pointer) are
 * skipped. */
static void find_in_class(const struct lower_context *lower, LLVMMetadataRef type, uint64_t at,
                          const char *name, struct lower_pointers *found)
{
    LLVMMetadataRef elements = md_operand(lower, type, TYPE_ELEMENTS);
    unsigned count = 0;
    LLVMMetadataRef *element = elements == NULL ? NULL : lower_md_operands(lower, elements, &count);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef base;
        unsigned flags =
            is_laid_out(element[i]) ? (unsigned)LLVMDITypeGetFlags(element[i]) : LLVMDIFlagBitField;
        unsigned skipped = LLVMDIFlagBitField | LLVMDIFlagArtificial;
        if ((flags & skipped) != 0 || (flags & LLVMDIFlagVirtual) != 0 ||
            (base = md_operand(lower, element[i], TYPE_BASE)) == NULL) {
            continue;
        }
        const char *member = type_name(element[i]);
        bool is_named = LLVMGetDINodeTag(element[i]) == TAG_MEMBER && *member != '\0';
        lower_type_pointers(lower, base, at + LLVMDITypeGetOffsetInBits(element[i]) / BITS,
                            is_named ? str_format("%s.%s", name, member) : name, found);
    }
}

/* Names get an index: "p[3]". */
static void find_in_array(const struct lower_context *lower, LLVMMetadataRef type, uint64_t at,
                          const char *name, struct lower_pointers *found)
{
    uint64_t size, align, whole = LLVMDITypeGetSizeInBits(type) / BITS;
    LLVMMetadataRef base = md_operand(lower, type, TYPE_BASE);
    if (base == NULL || !lower_type_layout(lower, base, &size, &align) || size == 0) {
        return;
    }
    for (uint64_t i = 0; i < whole / size; i++) {
        size_t before = found->count;
        lower_type_pointers(lower, base, at + i * size,
                            str_format("%s[%llu]", name, (unsigned long long)i), found);
        if (found->count == before) {
            return; /* the others have none either */
        }
    }
}

void lower_type_pointers(const struct lower_context *lower, LLVMMetadataRef type, uint64_t at,
                         const char *name, struct lower_pointers *found)
{
    uint64_t align = 0;
    type = real_type(lower, type, &align);
    switch (type == NULL ? 0 : LLVMGetDINodeTag(type)) {
    case TAG_POINTER:
    case TAG_REFERENCE:
    case TAG_RVALUE_REFERENCE:
        if (!points_to_code(lower, type)) {
            struct lower_pointer pointer = {.offset = at, .name = name};
            LOWER_PUSH(found->pointers, found->count, pointer);
        }
        break;
    case TAG_STRUCTURE:
    case TAG_CLASS:
        find_in_class(lower, type, at, name, found);
        break;
    case TAG_ARRAY:
        find_in_array(lower, type, at, name, found);
        break;
    default:
        break;
    }
}

LLVMMetadataRef lower_debug_node(LLVMValueRef global)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    LLVMMetadataRef found = NULL;
    for (unsigned i = 0; i < count && found == NULL; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind) {
            found = node;
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

/* The node of a global is an expression with the variable as its operand. */
static LLVMMetadataRef debug_variable(struct lower_context *lower, LLVMValueRef global)
{
    LLVMMetadataRef node = lower_debug_node(global);
    return node == NULL ? NULL : md_operand(lower, node, EXPRESSION_VARIABLE);
}

LLVMMetadataRef lower_source_type(struct lower_context *lower, LLVMValueRef global)
{
    LLVMMetadataRef variable = debug_variable(lower, global);
    return variable == NULL ? NULL : md_operand(lower, variable, VARIABLE_TYPE);
}

/* NULL if there is no node, or no such operand. */
static const char *string_operand(const struct lower_context *lower, LLVMMetadataRef node,
                                  unsigned index)
{
    LLVMMetadataRef name = node == NULL ? NULL : md_operand(lower, node, index);
    unsigned length = 0;
    const char *text = NULL;
    if (name != NULL) {
        text = LLVMGetMDString(LLVMMetadataAsValue(lower->llvm, name), &length);
    }
    return text == NULL ? NULL : str_copy(text, length);
}

const char *lower_node_name(const struct lower_context *lower, LLVMMetadataRef node)
{
    bool is_function = LLVMGetMetadataKind(node) == LLVMDISubprogramMetadataKind;
    const char *name = string_operand(lower, node, is_function ? SUBPROGRAM_NAME : VARIABLE_NAME);
    return name == NULL ? "" : name;
}

LLVMMetadataRef lower_scope_parent(const struct lower_context *lower, LLVMMetadataRef scope)
{
    return md_operand(lower, scope, SCOPE_PARENT);
}

/* The last name in a mangled name: for a kernel that is only declared. */
static const char *unmangled(const char *symbol)
{
    const char *at = strncmp(symbol, "_ZN", 3) == 0 ? symbol + 3 : symbol + 2;
    const char *name = NULL;
    size_t length = 0;
    while (strncmp(symbol, "_Z", 2) == 0 && *at >= '1' && *at <= '9') {
        char *end;
        unsigned long digits = strtoul(at, &end, 10);
        if (digits > strlen(end)) {
            break;
        }
        name = end;
        length = digits;
        at = end + digits;
    }
    return name == NULL ? str_format("%s", symbol) : str_copy(name, length);
}

const char *lower_function_name(struct lower_context *lower, LLVMValueRef function)
{
    const char *name = string_operand(lower, LLVMGetSubprogram(function), SUBPROGRAM_NAME);
    return name == NULL ? unmangled(lower_name(function)) : name;
}

struct lower_place lower_global_place(struct lower_context *lower, LLVMValueRef global)
{
    struct lower_place place = {.file = NULL};
    LLVMMetadataRef variable = debug_variable(lower, global);
    place.file = variable == NULL ? NULL : lower_file_path(LLVMDIVariableGetFile(variable));
    if (place.file != NULL) {
        place.line = LLVMDIVariableGetLine(variable);
    }
    return place;
}

const char *lower_source_name(struct lower_context *lower, LLVMValueRef global)
{
    const char *name = string_operand(lower, debug_variable(lower, global), VARIABLE_NAME);
    return name == NULL ? str_format("%s", lower_name(global)) : name;
}

LLVMMetadataRef lower_md_distinct(const struct lower_context *lower, LLVMMetadataRef second)
{
    LLVMMetadataRef own = LLVMTemporaryMDNode(lower->llvm, NULL, 0);
    LLVMMetadataRef operands[] = {own, second};
    LLVMMetadataRef result = LLVMMDNodeInContext2(lower->llvm, operands, second == NULL ? 1 : 2);
    LLVMMetadataReplaceAllUsesWith(own, result);
    return result;
}
