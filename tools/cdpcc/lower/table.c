/* The tables by which the runtime finds a module's kernels and variables, with the layout of the
 * structs in abi/cdp_tables.h: every field is placed at its offsetof.
 *
 * For each kernel there is a row in the section cdp_kernels, which is its descriptor:
 *
 *     @_Z1kv.cdpk = constant <{ version, flags, name, thread entry, block entry, ... }>
 *
 * and for each variable that the host can reach by name a row in cdp_vars: name, address, size,
 * flags. The linker joins the sections of all objects, and cdp_register.o passes their bounds to
 * the runtime.
 *
 * This pass comes after the passes that find facts about kernels. It defines what entry only
 * declared. It also decides where variables live: constants in pages that the runtime can protect,
 * managed variables under the name that the host uses. After it everything that must survive the
 * optimizer is in llvm.used or llvm.compiler.used. */
#include "lower/table.h"

#include "ir/debug_info.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "support/arena.h"
#include "support/str.h"
#include "target/target.h"

#include "abi/cdp_abi.h"

#include <llvm-c/Comdat.h>
#include <string.h>

/* A struct of cdp_tables.h under construction. Fields are put in ascending order of offset; gaps
 * are filled with zeros. On the stack of the function that creates the constant. The number of
 * values is below the arrays' size, because each struct has few fields. */
struct image {
    struct lower_context *lower;
    LLVMValueRef values[64];
    LLVMTypeRef types[64];
    unsigned count;
    uint64_t size; /* so far */
};

static void append(struct image *image, LLVMValueRef value)
{
    image->types[image->count] = LLVMTypeOf(value);
    image->values[image->count++] = value;
    image->size += LLVMABISizeOfType(image->lower->layout, LLVMTypeOf(value));
}

/* Appends zero bytes up to the offset. */
static void pad_to(struct image *image, uint64_t offset)
{
    if (image->size < offset) {
        append(image, LLVMConstNull(LLVMArrayType2(image->lower->types.i8, offset - image->size)));
    }
}

/* Fields must come in ascending order of offset. */
static void put(struct image *image, size_t offset, LLVMValueRef value)
{
    pad_to(image, offset);
    append(image, value);
}

static void put_u32(struct image *image, size_t offset, uint64_t value)
{
    put(image, offset, LLVMConstInt(image->lower->types.i32, value, 0));
}

/* A packed struct: the padding of C is there as explicit bytes. */
static LLVMValueRef finish(struct image *image, uint64_t size)
{
    pad_to(image, size);
    return LLVMConstStructInContext(image->lower->llvm, image->values, image->count, 1);
}

/* A null pointer for an empty table; the number of rows is in another field. */
static LLVMValueRef private_table(struct lower_context *lower, LLVMTypeRef type, LLVMValueRef *rows,
                                  unsigned count, const char *name)
{
    if (count == 0) {
        return LLVMConstNull(lower->types.ptr);
    }
    LLVMValueRef table = LLVMConstArray2(type, rows, count);
    LLVMValueRef global = LLVMAddGlobal(lower->module, LLVMTypeOf(table), name);
    LLVMSetInitializer(global, table);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetAlignment(global, 8);
    return global;
}

/* struct cdp_abi_param: offset and size of each parameter in the buffer. */
static LLVMValueRef param_table(struct lower_context *lower, const struct lower_kernel *kernel)
{
    LLVMTypeRef fields[] = {lower->types.i32, lower->types.i32};
    LLVMTypeRef type = LLVMStructTypeInContext(lower->llvm, fields, 2, 0);
    LLVMValueRef *rows = arena_alloc((kernel->param_count + 1) * sizeof *rows);
    for (unsigned i = 0; i < kernel->param_count; i++) {
        LLVMValueRef values[] = {
            LLVMConstInt(lower->types.i32, kernel->params[i].offset, 0),
            LLVMConstInt(lower->types.i32, kernel->params[i].size, 0),
        };
        rows[i] = LLVMConstNamedStruct(type, values, 2);
    }
    return private_table(lower, type, rows, kernel->param_count, "cdp.params");
}

/* The pointers that a launch tests, with their names for reports. */
static LLVMValueRef pointer_table(struct lower_context *lower, const struct lower_kernel *kernel)
{
    LLVMTypeRef fields[] = {lower->types.i32, lower->types.i32, lower->types.ptr};
    LLVMTypeRef type = LLVMStructTypeInContext(lower->llvm, fields, 3, 0);
    size_t count = kernel->pointers.count;
    LLVMValueRef *rows = arena_alloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        const struct lower_pointer *pointer = &kernel->pointers.pointers[i];
        LLVMValueRef values[] = {
            LLVMConstInt(lower->types.i32, pointer->offset, 0),
            LLVMConstInt(lower->types.i32, pointer->parameter, 0),
            *pointer->name == '\0' ? LLVMConstNull(lower->types.ptr)
                                   : lower_string(lower, pointer->name),
        };
        rows[i] = LLVMConstNamedStruct(type, values, 3);
    }
    return private_table(lower, type, rows, (unsigned)count, "cdp.pointers");
}

LLVMValueRef lower_shared_table(struct lower_context *lower, const unsigned *variables,
                                unsigned count)
{
    LLVMTypeRef fields[] = {lower->types.ptr, lower->types.i32, lower->types.i32};
    LLVMTypeRef type = LLVMStructTypeInContext(lower->llvm, fields, 3, 0);
    LLVMValueRef *rows = arena_alloc((count + 1) * sizeof *rows);
    for (unsigned i = 0; i < count; i++) {
        const struct lower_shared *shared = &lower->shared[variables[i]];
        LLVMValueRef values[] = {
            lower_string(lower, shared->name),
            LLVMConstInt(lower->types.i32, shared->offset, 0),
            LLVMConstInt(lower->types.i32, shared->size, 0),
        };
        rows[i] = LLVMConstNamedStruct(type, values, 3);
    }
    return private_table(lower, type, rows, count, "cdp.shared");
}

/* Bits of CDP_KERNEL_..., and the architecture that the kernel was compiled for. */
static uint32_t kernel_flags(const struct lower_context *lower, const struct lower_kernel *kernel)
{
    uint32_t flags = 0;
    flags |= lower->options->mode == CDP_MODE_1 ? CDP_KERNEL_CDP1 : 0;
    flags |= lower->options->mode == CDP_MODE_2 ? CDP_KERNEL_CDP2 : 0;
    flags |= kernel->uses.warp_ops ? CDP_KERNEL_WARP_OPS : 0;
    flags |= kernel->uses.launches ? CDP_KERNEL_LAUNCHES : 0;
    flags |= kernel->uses.launches_graphs ? CDP_KERNEL_LAUNCHES_GRAPHS : 0;
    flags |= kernel->block.runs_ranges ? CDP_KERNEL_ROWS : 0;
    flags |= kernel->block.is_brief ? CDP_KERNEL_BRIEF : 0;
    flags |= kernel->block.is_unsure ? CDP_KERNEL_UNSURE : 0;
    flags |= kernel->block.never_waits ? CDP_KERNEL_NEVER_WAITS : 0;
    flags |= kernel->block.has_large_locals ? CDP_KERNEL_LARGE_LOCALS : 0;
    return flags | lower->options->arch / 10 << CDP_KERNEL_ARCH_SHIFT;
}

/* A null pointer without debug information. */
static LLVMValueRef source_file(struct lower_context *lower, LLVMValueRef function)
{
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(function, &length);
    if (file == NULL || length == 0) {
        return LLVMConstNull(lower->types.ptr);
    }
    return lower_string(lower, str_copy(file, length));
}

#define KERNEL(field) offsetof(struct cdp_abi_kernel, field)

/* In the order of the fields of struct cdp_abi_kernel. Fields that are left out are zero. */
static LLVMValueRef kernel_image(struct lower_context *lower, const struct lower_kernel *kernel)
{
    struct image image = {.lower = lower};
    put_u32(&image, KERNEL(abi_version), CDP_ABI_VERSION);
    put_u32(&image, KERNEL(flags), kernel_flags(lower, kernel));
    put(&image, KERNEL(name), lower_string(lower, kernel->name));
    put(&image, KERNEL(thread_entry), kernel->entry);
    if (kernel->block.entry != NULL) {
        put(&image, KERNEL(block_entry), kernel->block.entry);
    }
    put(&image, KERNEL(params), param_table(lower, kernel));
    put(&image, KERNEL(pointers), pointer_table(lower, kernel));
    put(&image, KERNEL(shared_variables),
        lower_shared_table(lower, kernel->shared.variables, kernel->shared.count));
    put_u32(&image, KERNEL(param_count), kernel->param_count);
    put_u32(&image, KERNEL(param_size), kernel->param_size);
    put_u32(&image, KERNEL(shared_size), kernel->shared.size);
    put_u32(&image, KERNEL(shared_extent), kernel->shared.extent);
    put_u32(&image, KERNEL(shared_count), kernel->shared.count);
    put_u32(&image, KERNEL(max_threads), kernel->max_threads);
    put_u32(&image, KERNEL(min_blocks), kernel->min_blocks);
    put(&image, KERNEL(file), source_file(lower, kernel->function));
    put_u32(&image, KERNEL(line), LLVMGetDebugLocLine(kernel->function));
    put_u32(&image, KERNEL(pointer_count), kernel->pointers.count);
    for (unsigned i = 0; i < 3; i++) {
        put_u32(&image, KERNEL(cluster.dim) + i * sizeof(uint32_t), kernel->cluster_dim[i]);
    }
    return finish(&image, sizeof(struct cdp_abi_kernel));
}

/* The declared descriptor has another type, so a new global takes over its name and its uses. */
static void define_kernel(struct lower_context *lower, struct lower_kernel *kernel)
{
    LLVMValueRef image = kernel_image(lower, kernel);
    LLVMValueRef global = LLVMAddGlobal(lower->module, LLVMTypeOf(image), "");
    LLVMSetInitializer(global, image);
    LLVMReplaceAllUsesWith(kernel->descriptor, global);
    LLVMDeleteGlobal(kernel->descriptor);
    const char *name = str_format("%s.cdpk", kernel->name);
    LLVMSetValueName2(global, name, strlen(name));
    kernel->descriptor = global;
    LLVMSetSection(global, "cdp_kernels");
    LLVMSetAlignment(global, 8);
    LLVMSetLinkage(global, kernel->linkage);
    LLVMSetVisibility(global, kernel->visibility);
    if (kernel->comdat != NULL) {
        LLVMSetComdat(global, kernel->comdat);
    }
    LOWER_PUSH(lower->retained.items, lower->retained.count, global);
}

#define CONSTANTS_END "cdp.constants.end"
#define VARIABLE(field) offsetof(struct cdp_abi_variable, field)

/* The row is in the variable's COMDAT group, so the linker keeps or drops both. */
static void list_variable(struct lower_context *lower, LLVMValueRef variable, const char *name,
                          uint64_t flags)
{
    struct image image = {.lower = lower};
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    uint64_t size = LLVMABISizeOfType(lower->layout, type);
    put(&image, VARIABLE(name), lower_string(lower, name));
    put(&image, VARIABLE(address), variable);
    put(&image, VARIABLE(size), LLVMConstInt(lower->types.i64, size, 0));
    put(&image, VARIABLE(flags), LLVMConstInt(lower->types.i64, flags, 0));
    LLVMValueRef row = finish(&image, sizeof(struct cdp_abi_variable));
    LLVMValueRef global = LLVMAddGlobal(lower->module, LLVMTypeOf(row), "cdp.variable");
    LLVMSetInitializer(global, row);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetSection(global, "cdp_vars");
    LLVMSetAlignment(global, 8);
    if (LLVMGetComdat(variable) != NULL) {
        LLVMSetComdat(global, LLVMGetComdat(variable));
    }
    LOWER_PUSH(lower->retained.items, lower->retained.count, global);
}

static bool is_managed(const struct lower_context *lower, LLVMValueRef variable)
{
    for (size_t i = 0; i < lower->managed.count; i++) {
        if (lower->managed.items[i] == variable) {
            return true;
        }
    }
    return false;
}

/* Other units that only declare the variable refer to its suffixed name. */
static void add_managed_alias(struct lower_context *lower, LLVMValueRef variable, const char *name)
{
    if (LLVMGetLinkage(variable) != LLVMExternalLinkage) {
        return;
    }
    LLVMAddAlias2(lower->module, LLVMGlobalGetValueType(variable), 0, variable,
                  str_format("%s.cdp", name));
}

/* Constants are in pages of their own, which the runtime makes read-only. Only the host writes
 * them, by its copies. A COMDAT group would need a section of its own, so a constant that several
 * units define is weak instead. */
static void define_constant(LLVMValueRef variable)
{
    LLVMSetGlobalConstant(variable, 0);
    LLVMSetSection(variable, CDP_CONSTANT_SECTION);
    LLVMSetComdat(variable, NULL);
}

/* Fills the unit's last page of constants. It must come after all of them. */
static void end_constants(struct lower_context *lower)
{
    unsigned page =
        target_is_arm(lower->options->target.triple) ? CDP_CONSTANT_PAGE_ARM : CDP_CONSTANT_PAGE;
    LLVMTypeRef type = LLVMArrayType2(lower->types.i8, page);
    LLVMValueRef end = LLVMAddGlobal(lower->module, type, CONSTANTS_END);
    LLVMSetInitializer(end, LLVMConstNull(type));
    LLVMSetLinkage(end, LLVMPrivateLinkage);
    LLVMSetSection(end, CDP_CONSTANT_SECTION);
    LLVMSetAlignment(end, page);
}

/* References of textures and surfaces are device variables without an annotation. The front end
 * leaves them undefined, because the host's variable has the values. */
static bool is_reference(LLVMValueRef variable)
{
    LLVMValueRef value = LLVMIsDeclaration(variable) ? NULL : LLVMGetInitializer(variable);
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    if (value == NULL || !LLVMIsUndef(value) || LLVMGetTypeKind(type) != LLVMStructTypeKind ||
        LLVMIsLiteralStruct(type)) {
        return false;
    }
    const char *name = LLVMGetStructName(type);
    return name != NULL &&
           (str_starts(name, "struct.texture") || str_starts(name, "struct.surface"));
}

/* A row for one variable. The runtime knows variables by the name without ".cdp". */
static void define_variable(struct lower_context *lower, LLVMValueRef variable)
{
    uint64_t flags = 0;
    if (is_reference(variable)) {
        LLVMSetInitializer(variable, LLVMConstNull(LLVMGlobalGetValueType(variable)));
    }
    const char *name = lower_name(variable);
    size_t length = strlen(name);
    if (str_ends(name, ".cdp")) {
        length -= strlen(".cdp");
    }
    name = str_copy(name, length);
    if (LLVMIsGlobalConstant(variable)) {
        flags |= CDP_VARIABLE_CONSTANT;
        define_constant(variable);
    }
    if (is_managed(lower, variable)) {
        flags |= CDP_VARIABLE_MANAGED;
        add_managed_alias(lower, variable, name);
    }
    if (lower->options->sanitize.address) {
        /* AddressSanitizer ignores externally initialized variables. */
        LLVMSetExternallyInitialized(variable, 0);
    }
    list_variable(lower, variable, name, flags);
}

/* A driver that finds this word in the object knows that the host side must be joined to the
 * device's variables. */
static void mark_managed(struct lower_context *lower)
{
    if (lower->managed.count != 0) {
        LLVMValueRef mark = lower_string(lower, "cdp.managed");
        LOWER_PUSH(lower->retained.items, lower->retained.count, mark);
    }
}

static void mark(struct lower_context *lower, const char *name, const char *section, uint32_t value)
{
    LLVMValueRef mark = LLVMAddGlobal(lower->module, lower->types.i32, name);
    LLVMSetInitializer(mark, LLVMConstInt(lower->types.i32, value, 0));
    LLVMSetGlobalConstant(mark, 1);
    LLVMSetLinkage(mark, LLVMPrivateLinkage);
    LLVMSetSection(mark, section);
    LLVMSetAlignment(mark, sizeof value);
    LOWER_PUSH(lower->retained.items, lower->retained.count, mark);
}

/* The entries by which the runtime knows how many of a module's objects were not checked. An object
 * of -dlink has no device code, and so no entry. */
static void mark_object(struct lower_context *lower)
{
    uint32_t checks = check_mask(&lower->options->checks);
    mark(lower, "cdp.object", "cdp_objects", 1);
    if (checks != 0) {
        mark(lower, "cdp.checks", "cdp_checks", checks);
    }
}

/* The optimizer would convert a variable that only one function uses to a local variable, as if
 * only one thread ran that function. A listed variable stays a variable. */
static void keep_variables(struct lower_context *lower)
{
    LLVMValueRef *kept = NULL;
    size_t count = 0;
    for (LLVMValueRef at = LLVMGetFirstGlobal(lower->module); at != NULL;
         at = LLVMGetNextGlobal(at)) {
        const char *section = LLVMGetSection(at);
        bool is_plain = section == NULL || *section == '\0';
        bool is_local = LLVMGetLinkage(at) == LLVMInternalLinkage && !LLVMIsDeclaration(at);
        bool is_end = strcmp(lower_name(at), CONSTANTS_END) == 0;
        if (is_end || (is_local && is_plain && !LLVMIsGlobalConstant(at))) {
            LOWER_PUSH(kept, count, at);
        }
    }
    lower_make_list(lower, "llvm.compiler.used", kept, count);
}

/* Variables that the host may write are "externally initialized" in the front end's code; that
 * marks __device__, __constant__ and __managed__ variables. */
void lower_table(struct lower_context *lower)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined) {
            define_kernel(lower, &lower->kernels[i]);
        }
    }
    LLVMValueRef *variables = NULL;
    size_t count = 0;
    for (LLVMValueRef at = LLVMGetFirstGlobal(lower->module); at != NULL;
         at = LLVMGetNextGlobal(at)) {
        const char *section = LLVMGetSection(at);
        bool is_ours = section != NULL && strncmp(section, "cdp_", 4) == 0;
        bool is_written = LLVMIsExternallyInitialized(at) || is_reference(at);
        if (is_written && !LLVMIsDeclaration(at) && !is_ours) {
            LOWER_PUSH(variables, count, at);
        }
    }
    bool has_constants = false;
    for (size_t i = 0; i < count; i++) {
        has_constants |= LLVMIsGlobalConstant(variables[i]) != 0;
        define_variable(lower, variables[i]);
    }
    if (has_constants) {
        end_constants(lower);
    }
    mark_managed(lower);
    mark_object(lower);
    lower_make_list(lower, "llvm.used", lower->retained.items, lower->retained.count);
    keep_variables(lower);
}
