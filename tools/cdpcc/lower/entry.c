/* Kernels become descriptors, and the function of each kernel becomes its thread entry.
 *
 * Every use of a kernel's address is replaced by its descriptor's address, so launches and function
 * pointers need no look-up on the device. A kernel of another unit is an external descriptor.
 * Nothing else calls the function, so its body is moved into the entry, after loads of the
 * arguments. So there is no cost of a call, and a debugger finds the kernel once, under its own
 * name, with its parameters.
 *
 * Source:
 *
 *     __global__ void k(int n, float *p) { p[n] = 0; }
 *
 * Before and after, much simplified:
 *
 *     define void @_Z1kiPf(i32 %n, ptr %p) {       define void @cdp.thread._Z1kiPf(ptr %0) {
 *       ...                                          %n = load i32, ptr %0, align 64
 *     }                                              %a = getelementptr inbounds i8, ptr %0, i64 8
 *                                                    %p = load ptr, ptr %a, align 8
 *                                                    ...
 *     store ptr @_Z1kiPf, ptr %q                   store ptr @_Z1kiPf.cdpk, ptr %q
 *
 * The pass needs the layout that params has found, and what warp has found, because that pass
 * looks at the functions of the source. Afterwards no function has a kernel's signature, and
 * kernel->function and kernel->entry are the same. The descriptor is only declared here;
 * lower/table.c defines it at the end, when all facts are known. */
#include "ir/value.h"
#include "lower/constant.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* An array of words stands for struct cdp_abi_kernel until the table replaces the global. */
static LLVMTypeRef descriptor_type(struct lower_context *lower)
{
    return LLVMArrayType2(lower->types.i64, sizeof(struct cdp_abi_kernel) / sizeof(uint64_t));
}

/* For all kernels before any body is moved: a kernel's body may have the address of any kernel. */
static void replace_address(struct lower_context *lower, struct lower_kernel *kernel)
{
    const char *name = str_format("%s.cdpk", kernel->name);
    kernel->descriptor = LLVMAddGlobal(lower->module, descriptor_type(lower), name);
    LLVMSetVisibility(kernel->descriptor, kernel->visibility);
    LLVMSetAlignment(kernel->descriptor, 8);
    LLVMReplaceAllUsesWith(kernel->function, kernel->descriptor);
}

/* A kernel of a template is in a COMDAT group. The host's stub may be in a group of the same name,
 * and the linker would keep only one of them. */
static void rename_group(struct lower_context *lower, struct lower_kernel *kernel)
{
    LLVMComdatRef group = LLVMGetComdat(kernel->function);
    if (group != NULL) {
        const char *name = str_format("%s.cdpk", kernel->name);
        kernel->comdat = LLVMGetOrInsertComdat(lower->module, name);
        LLVMSetComdatSelectionKind(kernel->comdat, LLVMGetComdatSelectionKind(group));
    }
}

/* The largest power of two, at most align, that divides the offset. */
static uint64_t known_align(uint64_t offset, uint64_t align)
{
    while (offset % align != 0) {
        align /= 2;
    }
    return align;
}

/* The buffer is 64-byte aligned. */
enum { BUFFER_ALIGN = 64, WORD_BYTES = 8 };

/* The part of a parameter that an argument holds. */
struct piece {
    uint64_t offset; /* in the buffer */
    uint64_t bytes;  /* from its offset to the parameter's end */
};

/* The alignment follows from the offset in the buffer, so wide loads are possible. */
static LLVMValueRef load_argument(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef address,
                                  uint64_t offset)
{
    LLVMValueRef value = LLVMBuildLoad2(builder, type, address, "");
    LLVMSetAlignment(value, (unsigned)known_align(offset, BUFFER_ALIGN));
    return value;
}

/* Loads a word of which only this many bytes belong to the parameter. Nothing after them is
 * read. */
static LLVMValueRef load_word(struct lower_context *lower, LLVMBuilderRef builder,
                              LLVMValueRef address, uint64_t offset, uint64_t bytes)
{
    if (bytes >= WORD_BYTES) {
        return load_argument(builder, lower->types.i64, address, offset);
    }
    LLVMTypeRef type = LLVMIntTypeInContext(lower->llvm, 8 * (unsigned)bytes);
    return LLVMBuildZExt(builder, load_argument(builder, type, address, offset), lower->types.i64,
                         "");
}

/* Whether the argument is a number that is converted back to a pointer. It is loaded as a pointer,
 * so that later passes know its origin. */
static bool is_pointer(LLVMValueRef parameter)
{
    LLVMUseRef use = LLVMGetFirstUse(parameter);
    return use != NULL && LLVMGetNextUse(use) == NULL &&
           LLVMIsAIntToPtrInst(LLVMGetUser(use)) != NULL;
}

/* On ARM small classes are passed as whole words: one word, or an array of two. */
static LLVMValueRef load_value(struct lower_context *lower, LLVMBuilderRef builder,
                               LLVMValueRef parameter, LLVMValueRef address,
                               const struct piece *piece)
{
    LLVMTypeRef type = LLVMTypeOf(parameter);
    if (is_pointer(parameter)) {
        LLVMValueRef value = load_argument(builder, lower->types.ptr, address, piece->offset);
        return LLVMBuildPtrToInt(builder, value, type, "");
    }
    bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
    LLVMTypeRef word = is_array ? LLVMGetElementType(type) : type;
    if (word != lower->types.i64 || LLVMABISizeOfType(lower->layout, type) <= piece->bytes) {
        return load_argument(builder, type, address, piece->offset);
    }
    if (!is_array) {
        return load_word(lower, builder, address, piece->offset, piece->bytes);
    }
    LLVMValueRef value = LLVMGetPoison(type);
    for (unsigned i = 0; i * WORD_BYTES < piece->bytes; i++) {
        uint64_t at = (uint64_t)i * WORD_BYTES;
        LLVMValueRef part = lower_field(lower, builder, address, at, "");
        value = LLVMBuildInsertValue(
            builder, value, load_word(lower, builder, part, piece->offset + at, piece->bytes - at),
            i, "");
    }
    return value;
}

/* A kernel may change its parameters, and each thread has its own. So the thread's copy is on its
 * stack. The optimizer can remove it if nothing writes to it. */
static LLVMValueRef copy_argument(struct lower_context *lower, LLVMBuilderRef builder,
                                  const struct lower_param *param, LLVMValueRef address)
{
    LLVMTypeRef bytes = LLVMArrayType2(lower->types.i8, param->size);
    LLVMValueRef copy = LLVMBuildAlloca(builder, bytes, "");
    LLVMSetAlignment(copy, (unsigned)param->align);
    LLVMValueRef size = LLVMConstInt(lower->types.i64, param->size, 0);
    LLVMBuildMemCpy(builder, copy, (unsigned)param->align, address, (unsigned)param->align, size);
    return copy;
}

/* The value for one argument of the old function: see enum lower_argument_kind. */
static LLVMValueRef make_argument(struct lower_context *lower, LLVMBuilderRef builder,
                                  const struct lower_kernel *kernel, unsigned index)
{
    const struct lower_argument *argument = &kernel->arguments[index];
    const struct lower_param *param = &kernel->params[argument->parameter];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->function, index));
    uint64_t offset = param->offset + argument->offset;
    LLVMValueRef buffer = LLVMGetParam(kernel->entry, 0);
    LLVMValueRef address = lower_field(lower, builder, buffer, offset, "");
    switch (argument->kind) {
    case LOWER_ARGUMENT_COPY:
        return param->is_grid_constant ? address : copy_argument(lower, builder, param, address);
    case LOWER_ARGUMENT_BOOL:
        return LLVMBuildICmp(builder, LLVMIntNE,
                             load_argument(builder, lower->types.i8, address, offset),
                             LLVMConstNull(lower->types.i8), "");
    case LOWER_ARGUMENT_VALUE:
        return load_value(lower, builder, LLVMGetParam(kernel->function, index), address,
                          &(struct piece){offset, param->size - argument->offset});
    case LOWER_ARGUMENT_UNUSED:
        break;
    }
    return LLVMGetPoison(type);
}

/* No thread writes to the buffer of its launch while the kernel runs, so loads from it can move. */
static void describe_buffer(struct lower_context *lower, LLVMValueRef entry)
{
    static const char *const names[] = {"readonly", "noalias", "noundef"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[n], strlen(names[n]));
        LLVMAddAttributeAtIndex(entry, 1, LLVMCreateEnumAttribute(lower->llvm, kind, 0));
    }
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddAttributeAtIndex(entry, 1, LLVMCreateEnumAttribute(lower->llvm, align, BUFFER_ALIGN));
}

/* Attributes for sanitizers, unwind tables, frame pointers. Without "norecurse": many threads are
 * in the kernel at the same time, so its variables cannot become locals. */
static void copy_function_attributes(struct lower_context *lower, LLVMValueRef entry,
                                     LLVMValueRef function)
{
    static const char *const unwanted[] = {"norecurse"};
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(function, index);
    LLVMAttributeRef *attributes = arena_alloc((count + 1) * sizeof *attributes);
    LLVMGetAttributesAtIndex(function, index, attributes);
    for (unsigned i = 0; i < count; i++) {
        LLVMAddAttributeAtIndex(entry, index, attributes[i]);
    }
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(unwanted[i], strlen(unwanted[i]));
        LLVMRemoveEnumAttributeAtIndex(entry, index, kind);
    }
    lower_add_attribute(lower, entry, "nounwind");
    lower_add_attribute(lower, entry, "convergent");
}

/* Hidden, because only the unit's own descriptor refers to it. */
static void create_entry(struct lower_context *lower, struct lower_kernel *kernel)
{
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, &lower->types.ptr, 1, 0);
    const char *name = str_format("cdp.thread.%s", kernel->name);
    kernel->entry = LLVMAddFunction(lower->module, name, type);
    LLVMSetLinkage(kernel->entry, kernel->linkage);
    if (kernel->linkage != LLVMInternalLinkage) {
        LLVMSetVisibility(kernel->entry, LLVMHiddenVisibility);
    }
    if (kernel->comdat != NULL) {
        LLVMSetComdat(kernel->entry, kernel->comdat);
    }
    copy_function_attributes(lower, kernel->entry, kernel->function);
    describe_buffer(lower, kernel->entry);
}

/* The basic blocks move with their instructions and debug locations. The subprogram moves, too: a
 * subprogram belongs to one function. */
static void move_body(struct lower_kernel *kernel)
{
    LLVMBasicBlockRef block;
    while ((block = LLVMGetFirstBasicBlock(kernel->function)) != NULL) {
        LLVMRemoveBasicBlockFromParent(block);
        LLVMAppendExistingBasicBlock(kernel->entry, block);
    }
    if (LLVMHasPersonalityFn(kernel->function)) {
        LLVMSetPersonalityFn(kernel->entry, LLVMGetPersonalityFn(kernel->function));
    }
    LLVMMetadataRef subprogram = LLVMGetSubprogram(kernel->function);
    LLVMSetSubprogram(kernel->function, NULL);
    LLVMSetSubprogram(kernel->entry, subprogram);
}

/* All loads are at the start of the entry, in the order of the arguments. */
static void make_arguments(struct lower_context *lower, struct lower_kernel *kernel)
{
    LLVMBuilderRef builder = lower_builder_at_entry(lower, kernel->entry);
    unsigned count = LLVMCountParams(kernel->function);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = make_argument(lower, builder, kernel, i);
        LLVMReplaceAllUsesWith(LLVMGetParam(kernel->function, i), value);
    }
    lower_grid_constants(lower, builder, kernel);
    LLVMDisposeBuilder(builder);
}

/* A kernel of another unit only gets its external descriptor. */
void lower_entry(struct lower_context *lower)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        replace_address(lower, &lower->kernels[i]);
    }
    for (size_t i = 0; i < lower->kernel_count; i++) {
        struct lower_kernel *kernel = &lower->kernels[i];
        if (kernel->is_defined) {
            rename_group(lower, kernel);
            create_entry(lower, kernel);
            move_body(kernel);
            make_arguments(lower, kernel);
        }
        LLVMDeleteFunction(kernel->function);
        kernel->function = kernel->entry;
    }
}
