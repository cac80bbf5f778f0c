/* Facts that only the debug information has: sizes, alignments and names of the source. */
#ifndef CDPCC_IR_DEBUG_INFO_H
#define CDPCC_IR_DEBUG_INFO_H
#include "ir/context.h"
#include "ir/report.h"

#include <llvm-c/DebugInfo.h>

/* A pointer to data within a parameter.
 *
 * offset is in bytes from the start of the kernel's parameter buffer; a launch tests the word
 * there. */
struct lower_pointer {
    uint64_t offset;
    unsigned parameter; /* index into lower_kernel.params */
    const char *name;   /* the name in the source */
};
/* The pointers of all parameters of a kernel, in the arena. */
struct lower_pointers {
    struct lower_pointer *pointers; /* count entries */
    size_t count;
};

/* Size and alignment of a type of the source, in bytes; false if it is incomplete. */
bool lower_type_layout(const struct lower_context *lower, LLVMMetadataRef type, uint64_t *size,
                       uint64_t *align);
bool lower_type_is_reference(const struct lower_context *lower, LLVMMetadataRef type);
/* Adds the pointers to data in an object of the type, with its offset and name. Pointers in unions
 * are not added, because a union may contain something else. */
void lower_type_pointers(const struct lower_context *lower, LLVMMetadataRef type, uint64_t at,
                         const char *name, struct lower_pointers *found);
/* Operands of a metadata node, in the arena; some may be NULL. */
LLVMMetadataRef *lower_md_operands(const struct lower_context *lower, LLVMMetadataRef node,
                                   unsigned *count);
/* Whether the node's text contains the word. LLVM's C interface has no other way to read such a
 * node. */
bool lower_md_says(const struct lower_context *lower, LLVMMetadataRef node, const char *word);
/* The type of a local variable's debug information, and its name, "" if it has none. */
LLVMMetadataRef lower_variable_type(const struct lower_context *lower, LLVMMetadataRef variable);
const char *lower_variable_name(const struct lower_context *lower, LLVMMetadataRef variable);
/* The debug information of a global variable, or NULL. */
LLVMMetadataRef lower_debug_node(LLVMValueRef global);
/* A global variable's type in the debug information, or NULL. */
LLVMMetadataRef lower_source_type(struct lower_context *lower, LLVMValueRef global);
/* The function's name in the source, or its symbol if there is no debug information. */
const char *lower_function_name(struct lower_context *lower, LLVMValueRef function);
/* Name of a local variable or function by its node, "" if it has none. */
const char *lower_node_name(const struct lower_context *lower, LLVMMetadataRef node);
/* The scope around a block of a function. */
LLVMMetadataRef lower_scope_parent(const struct lower_context *lower, LLVMMetadataRef scope);
/* The place where a global variable is declared; no column. file is NULL without debug
 * information. */
struct lower_place lower_global_place(struct lower_context *lower, LLVMValueRef global);
/* The source name of a variable, or its symbol if there is none. */
const char *lower_source_name(struct lower_context *lower, LLVMValueRef global);

/* A node whose first operand is itself, and whose second is given, unless NULL. LLVM compares such
 * nodes by identity, so two of them are never merged. */
LLVMMetadataRef lower_md_distinct(const struct lower_context *lower, LLVMMetadataRef second);

#endif
