/* Kernels become descriptors, and each gets its thread entry.
 *
 * Every use of a kernel's address becomes its descriptor's, so that launches and
 * function pointers need no lookup on the device; a kernel of another unit is an
 * external descriptor.  The function itself is left with one caller, the thread
 * entry, and becomes internal: the optimizer then merges the two, and a debugger
 * finds the kernel's lines once.
 *
 * The entry has no debug information, so that "break kernel" does not stop in it. */
#include "lower_pass.h"

#include "arena.h"
#include "str.h"

#include "abi/cdp_abi.h"

#include <llvm-c/Comdat.h>
#include <string.h>

static LLVMTypeRef descriptor_type(struct lower_context *lower)
{
    return LLVMArrayType2(lower->i64, sizeof(struct cdp_abi_kernel) / sizeof(uint64_t));
}

static void replace_address(struct lower_context *lower, struct lower_kernel *kernel)
{
    const char *name = str_format("%s.cdpk", kernel->name);
    kernel->descriptor = LLVMAddGlobal(lower->module, descriptor_type(lower), name);
    LLVMSetVisibility(kernel->descriptor, kernel->visibility);
    LLVMSetAlignment(kernel->descriptor, 8);
    LLVMReplaceAllUsesWith(kernel->function, kernel->descriptor);
}

static void make_internal(struct lower_context *lower, struct lower_kernel *kernel)
{
    LLVMComdatRef group = LLVMGetComdat(kernel->function);
    if (group != NULL) {
        kernel->comdat = LLVMGetOrInsertComdat(lower->module, str_format("%s.cdpk", kernel->name));
        LLVMSetComdatSelectionKind(kernel->comdat, LLVMGetComdatSelectionKind(group));
        LLVMSetComdat(kernel->function, kernel->comdat);
    }
    LLVMSetVisibility(kernel->function, LLVMDefaultVisibility);
    LLVMSetLinkage(kernel->function, LLVMInternalLinkage);
}

static uint64_t known_align(uint64_t offset, uint64_t align)
{
    while (offset % align != 0) {
        align /= 2;
    }
    return align;
}

/* The buffer is 64-byte aligned. */
enum { BUFFER_ALIGN = 64 };

static LLVMValueRef load_argument(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef address,
                                  uint64_t offset)
{
    LLVMValueRef value = LLVMBuildLoad2(builder, type, address, "");
    LLVMSetAlignment(value, (unsigned)known_align(offset, BUFFER_ALIGN));
    return value;
}

static LLVMValueRef copy_argument(struct lower_context *lower, LLVMBuilderRef builder,
                                  const struct lower_param *param, LLVMValueRef address)
{
    LLVMTypeRef bytes = LLVMArrayType2(lower->i8, param->size);
    LLVMValueRef copy = LLVMBuildAlloca(builder, bytes, "");
    LLVMSetAlignment(copy, (unsigned)param->align);
    LLVMValueRef size = LLVMConstInt(lower->i64, param->size, 0);
    LLVMBuildMemCpy(builder, copy, (unsigned)param->align, address, (unsigned)param->align, size);
    return copy;
}

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
    case LOWER_ARGUMENT_BYVAL:
        return address;
    case LOWER_ARGUMENT_COPY:
        return copy_argument(lower, builder, param, address);
    case LOWER_ARGUMENT_BOOL:
        return LLVMBuildTrunc(builder, load_argument(builder, lower->i8, address, offset), type,
                              "");
    case LOWER_ARGUMENT_VALUE:
        return load_argument(builder, type, address, offset);
    case LOWER_ARGUMENT_UNUSED:
        break;
    }
    return LLVMGetPoison(type);
}

/* The call must agree with the function on what changes how arguments travel. */
static void copy_abi_attributes(LLVMValueRef call, LLVMValueRef function)
{
    static const char *const names[] = {"byval", "signext", "zeroext", "align"};
    unsigned count = LLVMCountParams(function);
    for (unsigned i = 1; i <= count; i++) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(names[n], strlen(names[n]));
            LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, i, kind);
            if (attribute != NULL) {
                LLVMAddCallSiteAttribute(call, i, attribute);
            }
        }
    }
}

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

static bool merges(const struct lower_context *lower, const struct lower_kernel *kernel)
{
    return lower->options->optimize > 0 && !lower->options->debug_device &&
           !lower_has_attribute(kernel->function, "optnone") &&
           !lower_has_attribute(kernel->function, "noinline");
}

static void build_entry(struct lower_context *lower, struct lower_kernel *kernel)
{
    LLVMTypeRef type = LLVMFunctionType(lower->void_type, &lower->ptr, 1, 0);
    const char *name = str_format("cdp.thread.%s", kernel->name);
    kernel->entry = LLVMAddFunction(lower->module, name, type);
    LLVMSetLinkage(kernel->entry, kernel->linkage);
    LLVMSetVisibility(kernel->entry, LLVMHiddenVisibility);
    if (kernel->linkage == LLVMInternalLinkage) {
        LLVMSetVisibility(kernel->entry, LLVMDefaultVisibility);
    }
    if (kernel->comdat != NULL) {
        LLVMSetComdat(kernel->entry, kernel->comdat);
    }
    lower_add_attribute(lower, kernel->entry, "nounwind");
    lower_add_attribute(lower, kernel->entry, "convergent");
    describe_buffer(lower, kernel->entry);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMPositionBuilderAtEnd(builder,
                             LLVMAppendBasicBlockInContext(lower->llvm, kernel->entry, "entry"));
    unsigned count = LLVMCountParams(kernel->function);
    LLVMValueRef *values = arena_alloc((count + 1) * sizeof *values);
    for (unsigned i = 0; i < count; i++) {
        values[i] = make_argument(lower, builder, kernel, i);
    }
    LLVMValueRef call = LLVMBuildCall2(builder, LLVMGlobalGetValueType(kernel->function),
                                       kernel->function, values, count, "");
    copy_abi_attributes(call, kernel->function);
    if (merges(lower, kernel)) {
        lower_add_attribute(lower, kernel->function, "alwaysinline");
    }
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

void lower_entry(struct lower_context *lower)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        replace_address(lower, &lower->kernels[i]);
    }
    for (size_t i = 0; i < lower->kernel_count; i++) {
        struct lower_kernel *kernel = &lower->kernels[i];
        if (kernel->is_defined) {
            make_internal(lower, kernel);
            build_entry(lower, kernel);
        } else {
            LLVMDeleteFunction(kernel->function);
            kernel->function = NULL;
        }
    }
}
