/* The ordered passes.  Each works on the whole module; the order matters:
 *
 *   collect        finds what the others work on and drops the lists of annotations
 *   check, pointers, params
 *                  need the code as the front end wrote it
 *   ptx, builtin   make calls and loads of what only a GPU knows
 *   divide         guards divisions, those in ptx too
 *   view           shows debuggers what builtin made
 *   warp           needs the calls by their names in device code
 *   entry          replaces the kernels' addresses, so that what is left of a
 *                  function's uses are calls
 *   locals         names stack slots, those of parameters too
 *   shared         needs those calls
 *   symbol         renames; after it nothing is found by its name
 *   blocks         needs entries that call by the runtime's names
 *   table, target  need the final addresses and functions
 *
 * What the optimizer must not see comes after it: emit.c has lower_yield and the
 * sanitizers' passes. */
#include "lower_pass.h"

#include "emit.h"
#include "module.h"

static const struct pass {
    const char *name;
    void (*run)(struct lower_context *);
} passes[] = {
    {"collect", lower_collect}, {"check", lower_check},   {"pointers", lower_pointers},
    {"params", lower_params},   {"ptx", lower_ptx},       {"builtin", lower_builtin},
    {"divide", lower_divide},   {"view", lower_view},     {"warp", lower_warp},
    {"entry", lower_entry},     {"locals", lower_locals}, {"shared", lower_shared},
    {"symbol", lower_symbol},   {"blocks", lower_blocks}, {"table", lower_table},
    {"target", lower_target},
};

void lower_context_init(struct lower_context *lower, const struct lower_options *options,
                        LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    LLVMContextRef llvm = LLVMGetModuleContext(module);
    *lower = (struct lower_context){
        .options = options,
        .llvm = llvm,
        .module = module,
        .machine = machine,
        .layout = LLVMCreateTargetDataLayout(machine),
        .ptr = LLVMPointerTypeInContext(llvm, 0),
        .i1 = LLVMInt1TypeInContext(llvm),
        .i8 = LLVMInt8TypeInContext(llvm),
        .i32 = LLVMInt32TypeInContext(llvm),
        .i64 = LLVMInt64TypeInContext(llvm),
        .void_type = LLVMVoidTypeInContext(llvm),
    };
}

/* Errors of check and params are reported together; after them nothing that the
 * later passes rely on is sure. */
static int run_passes(struct lower_context *lower)
{
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        bool needs_sound_input = passes[i].run == lower_ptx;
        if (needs_sound_input && lower->errors != 0) {
            return 1;
        }
        passes[i].run(lower);
    }
    return lower->errors == 0 ? 0 : 1;
}

static int lower_module(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine)
{
    struct lower_context lower;
    lower_context_init(&lower, options, module, machine);
    int failed = run_passes(&lower);
    LLVMDisposeTargetData(lower.layout);
    if (failed || module_verify(module, "after lowering")) {
        return 1;
    }
    if (options->strip_debug) {
        LLVMStripModuleDebugInfo(module);
    }
    if (options->dump != NULL && module_write_text(module, options->dump)) {
        return 1;
    }
    return emit_optimize(options, module, machine) || emit_write(options, module, machine);
}

int lower_device(const struct lower_options *options)
{
    LLVMModuleRef module = module_load(options->input);
    if (module == NULL) {
        return 1;
    }
    LLVMTargetMachineRef machine = emit_create_machine(options, LLVMGetTarget(module));
    int failed = machine == NULL || lower_module(options, module, machine);
    if (machine != NULL) {
        LLVMDisposeTargetMachine(machine);
    }
    module_dispose(module);
    return failed;
}
