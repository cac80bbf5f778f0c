/* Lines of loads that the optimizer moves.
 *
 *     for (...) {
 *         if (n > 3) sum += a[0]; else sum -= a[0];     one load, before the loop, without a line
 *     }
 *
 * Such a load has no location any more. So before the optimizer runs, each load gets its place as a
 * second annotation, one that LLVM keeps in these cases: a memory model relaxation annotation
 * (!mmra). Merged loads have those of both. The code generators of our processors ignore it.
 *
 *     %v = load i32, ptr %a, !dbg !7, !mmra !8
 *     !8 = !{!"cdp.line", !"12\0A9\0Aload\0Amerged.cu\0A/home/lab"}
 *
 * The second string has the lines: line, column, function, file, folder. */
#include "instrument/kept_lines.h"

#include "ir/debug_info.h"
#include "ir/report.h"
#include "ir/user_location.h"
#include "ir/value.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static const char PREFIX[] = "cdp.line", KIND[] = "mmra";

struct instrument_place instrument_place_at(struct lower_context *lower, LLVMMetadataRef debug)
{
    struct instrument_place place = {.file = NULL};
    LLVMMetadataRef scope = debug == NULL ? NULL : LLVMDILocationGetScope(debug);
    LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
    if (file == NULL) {
        return place;
    }
    unsigned length = 0;
    const char *text = LLVMDIFileGetFilename(file, &length);
    place.file = str_copy(text, length);
    text = LLVMDIFileGetDirectory(file, &length);
    place.folder = text == NULL || length == 0 ? NULL : str_copy(text, length);
    place.line = LLVMDILocationGetLine(debug);
    place.column = LLVMDILocationGetColumn(debug);
    LLVMMetadataRef function = lower_function_at(lower, debug);
    place.function = function == NULL ? NULL : lower_node_name(lower, function);
    return place;
}

static LLVMMetadataRef string_of(const struct lower_context *lower, const char *text)
{
    return LLVMMDStringInContext2(lower->llvm, text, strlen(text));
}

static unsigned kind_of(const struct lower_context *lower)
{
    return LLVMGetMDKindIDInContext(lower->llvm, KIND, sizeof KIND - 1);
}

/* Before functions are inlined, a line of cdpcc's headers does not lead to the user's line. */
static void keep_line(struct lower_context *lower, LLVMValueRef load)
{
    const char *call;
    LLVMMetadataRef debug = lower_user_debug_location(lower, load, &call);
    struct instrument_place place = instrument_place_at(lower, debug);
    if (place.line == 0 || LLVMGetMetadata(load, kind_of(lower)) != NULL) {
        return;
    }
    const char *text = str_format("%u\n%u\n%s\n%s\n%s", place.line, place.column,
                                  place.function == NULL ? "" : place.function, place.file,
                                  place.folder == NULL ? "" : place.folder);
    LLVMMetadataRef tag[] = {string_of(lower, PREFIX), string_of(lower, text)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(lower->llvm, tag, sizeof tag / sizeof *tag);
    LLVMSetMetadata(load, kind_of(lower), LLVMMetadataAsValue(lower->llvm, node));
}

void instrument_keep_lines(struct lower_context *lower)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
                 at = LLVMGetNextInstruction(at)) {
                if (LLVMIsALoadInst(at) != NULL) {
                    keep_line(lower, at);
                }
            }
        }
    }
}

/* The text of the first of our tags in an annotation: a tag is two strings, and an annotation is a
 * tag or some of them. */
static const char *kept_text(LLVMValueRef node)
{
    enum { MOST = 64 };
    LLVMValueRef parts[MOST];
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node), length;
    if (count == 0 || count > MOST) {
        return NULL;
    }
    LLVMGetMDNodeOperands(node, parts);
    if (LLVMIsAMDString(parts[0]) != NULL) {
        const char *prefix = LLVMGetMDString(parts[0], &length);
        return count == 2 && length == sizeof PREFIX - 1 && memcmp(prefix, PREFIX, length) == 0
                   ? LLVMGetMDString(parts[1], &length)
                   : NULL;
    }
    const char *text = NULL;
    for (unsigned i = 0; i < count && text == NULL; i++) {
        text = LLVMIsAMDNode(parts[i]) != NULL ? kept_text(parts[i]) : NULL;
    }
    return text;
}

/* Takes a line off the text; NULL if it is empty. */
static const char *next_line(const char **text)
{
    size_t length = strcspn(*text, "\n");
    const char *line = length == 0 ? NULL : str_copy(*text, length);
    *text += length + ((*text)[length] == '\n');
    return line;
}

struct instrument_place instrument_kept_line(struct lower_context *lower, LLVMValueRef at)
{
    struct instrument_place place = {.file = NULL};
    LLVMValueRef node = LLVMIsALoadInst(at) == NULL ? NULL : LLVMGetMetadata(at, kind_of(lower));
    const char *text = node == NULL ? NULL : kept_text(node);
    if (text == NULL) {
        return place;
    }
    place.line = (unsigned)strtoul(next_line(&text), NULL, 10);
    place.column = (unsigned)strtoul(next_line(&text), NULL, 10);
    place.function = next_line(&text);
    place.file = next_line(&text);
    place.folder = next_line(&text);
    return place;
}
