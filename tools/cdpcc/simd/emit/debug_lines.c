/* Debug locations of block entries, for reports and profilers.
 *
 * A block entry is one more function of the source: the kernel, under its name.  Code that was
 * inlined into it has the lines of the files it comes from, but as lines of the block entry.  Code
 * of cdpcc's headers has the line of the program that calls it.  The functions belong to a compile
 * unit of their own, since the C API cannot add to the front end's. */
#include "simd/emit/debug_lines.h"

#include "ir/debug_info.h"
#include "ir/user_location.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/emit/emit.h"
#include "simd/ir/origin.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static LLVMMetadataRef make_unit(LLVMDIBuilderRef builder, LLVMMetadataRef file)
{
    static const char producer[] = "cdpcc";
    return LLVMDIBuilderCreateCompileUnit(builder, LLVMDWARFSourceLanguageC_plus_plus_14, file,
                                          producer, sizeof producer - 1, 1, "", 0, 0, "", 0,
                                          LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
}

void simd_debug_start(struct simd_emit *emit)
{
    struct lower_context *lower = emit->lower;
    LLVMMetadataRef source = LLVMGetSubprogram(simd_source_of(emit->kernel)->entry);
    if (source == NULL || lower->options->strip_debug) {
        return;
    }
    LLVMMetadataRef file = LLVMDIScopeGetFile(source);
    if (lower->block_debug == NULL) {
        lower->block_debug = LLVMCreateDIBuilder(lower->module);
        make_unit(lower->block_debug, file);
    }
    const char *name = lower_function_name(lower, simd_source_of(emit->kernel)->entry);
    const char *symbol = lower_name(emit->function);
    unsigned line = LLVMDISubprogramGetLine(source);
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(lower->block_debug, file, NULL, 0, LLVMDIFlagZero);
    emit->code.subprogram = LLVMDIBuilderCreateFunction(lower->block_debug, file, name,
                                                        strlen(name), symbol, strlen(symbol), file,
                                                        line, type, 1, 1, line, LLVMDIFlagZero, 1);
    LLVMSetSubprogram(emit->function, emit->code.subprogram);
    LLVMSetCurrentDebugLocation2(
        emit->builder,
        LLVMDIBuilderCreateDebugLocation(lower->llvm, line, 0, emit->code.subprogram, NULL));
}

void simd_set_debug_location(struct simd_emit *emit, LLVMValueRef source)
{
    LLVMMetadataRef from =
        emit->code.subprogram == NULL ? NULL : LLVMInstructionGetDebugLoc(source);
    if (from == NULL) {
        return;
    }
    struct lower_context *lower = emit->lower;
    const char *call;
    LLVMMetadataRef user = lower_user_debug_location(lower, source, &call);
    from = user != NULL ? user : from;
    LLVMMetadataRef scope = emit->code.subprogram;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(from));
    if (file != NULL && file != LLVMDIScopeGetFile(scope)) {
        scope = LLVMDIBuilderCreateLexicalBlockFile(lower->block_debug, scope, file, 0);
    }
    LLVMMetadataRef location = LLVMDIBuilderCreateDebugLocation(
        lower->llvm, LLVMDILocationGetLine(from), LLVMDILocationGetColumn(from), scope, NULL);
    LLVMSetCurrentDebugLocation2(emit->builder, location);
}

void simd_debug_finish(struct lower_context *lower)
{
    if (lower->block_debug != NULL) {
        LLVMDIBuilderFinalize(lower->block_debug);
        LLVMDisposeDIBuilder(lower->block_debug);
        lower->block_debug = NULL;
    }
}
