/* Reads the table of variables in a lowered object. */
#include "managed.h"

#include "abi/cdp_abi.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Object.h>

/* The table's names and addresses are relocations, but the flags stand as they are. */
static bool table_has_managed(const char *bytes, size_t size)
{
    const struct cdp_abi_variable *rows = (const void *)bytes;
    for (size_t i = 0; i < size / sizeof(*rows); i++) {
        if ((rows[i].flags & CDP_VARIABLE_MANAGED) != 0) {
            return true;
        }
    }
    return false;
}

static bool any_table_has_managed(LLVMBinaryRef binary)
{
    bool found = false;
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
    while (!found && !LLVMObjectFileIsSectionIteratorAtEnd(binary, section)) {
        const char *name = LLVMGetSectionName(section);
        if (name != NULL && str_equals(name, "cdp_vars")) {
            found = table_has_managed(LLVMGetSectionContents(section),
                                      LLVMGetSectionSize(section));
        }
        LLVMMoveToNextSection(section);
    }
    LLVMDisposeSectionIterator(section);
    return found;
}

bool managed_is_in(const char *object)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(object, &buffer, &message)) {
        LLVMDisposeMessage(message);
        return false;
    }
    bool found = false;
    LLVMBinaryRef binary = LLVMCreateBinary(buffer, NULL, &message);
    if (binary == NULL) {
        LLVMDisposeMessage(message);
    } else {
        found = any_table_has_managed(binary);
        LLVMDisposeBinary(binary);
    }
    LLVMDisposeMemoryBuffer(buffer);
    return found;
}
