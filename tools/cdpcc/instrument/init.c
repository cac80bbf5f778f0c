/* --check=init: uses of memory that nobody wrote.
 *
 * Memory of the heaps and shared memory (second round): the runtime has one bit for each byte. A
 * load whose value is only stored is no use; it passes the bits on. So a copy of a class with
 * padding is silent:
 *
 *     %bits = call i64 @cdp_abi_init_load(ptr %p, i64 4)
 *     %x = load i32, ptr %p
 *     call void @cdp_abi_init_store(ptr %q, i64 4, i64 %bits)
 *     store i32 %x, ptr %q
 *
 * Local variables (first round): each variable that is only loaded and stored gets a companion,
 * which says whether it was written. The optimizer keeps both in registers. The zeros that the
 * front end stores into uninitialized variables (-ftrivial-auto-var-init) are no writes. Arrays and
 * classes are in instrument/parts.c. */
#include "instrument/instrument_pass.h"
#include "instrument/site.h"
#include "ir/value.h"
#include "support/str.h"

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"

#include <string.h>

enum { MOST_BYTES = 64, MOST_WRAPPERS = 3 };

/* The state for one function: for each root whether its object was wholly written. In the arena. */
struct init {
    LLVMValueRef *incomplete;
    size_t count;
    struct lower_map numbers;
    bool frees; /* memory may be freed while the function runs */
};

/* ---- Memory ---- */

static LLVMValueRef runtime(struct instrument *instrument, const char *name, const char *types)
{
    struct lower_types *all = &instrument->lower.types;
    LLVMTypeRef parameters[3];
    unsigned count = 0;
    for (; types[count + 1] != '\0'; count++) {
        parameters[count] = types[count + 1] == 'p' ? all->ptr : all->i64;
    }
    LLVMTypeRef result = types[0] == 'i' ? all->i64 : all->none;
    return instrument_runtime(instrument, name, LLVMFunctionType(result, parameters, count, 0));
}

/* types: of the result and the parameters; v: void, p: pointer, i: i64. */
static LLVMValueRef call_before(struct instrument *instrument, LLVMValueRef at, const char *name,
                                const char *types, LLVMValueRef *arguments)
{
    LLVMValueRef callee = runtime(instrument, name, types);
    LLVMBuilderRef builder = instrument_builder(instrument, at);
    LLVMValueRef call = LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, arguments,
                                       (unsigned)strlen(types) - 1, "");
    LLVMDisposeBuilder(builder);
    return call;
}

/* Memory that the runtime has bits for: not that of one thread, and no variable of the module. */
static bool has_no_bits(LLVMValueRef root)
{
    return instrument_is_of_one_thread(root) || LLVMIsAGlobalValue(root) != NULL;
}

/* A shared variable, or dynamic shared memory. */
static bool is_shared_root(LLVMValueRef root)
{
    return instrument_is_marker(root) || instrument_is_context_load(root);
}

static bool is_tracked(struct instrument *instrument, LLVMValueRef address)
{
    const char *unused = NULL;
    return !instrument_all_roots(instrument, address, has_no_bits, &unused);
}

static bool is_shared(struct instrument *instrument, LLVMValueRef address)
{
    const char *unused = NULL;
    return instrument_all_roots(instrument, address, is_shared_root, &unused);
}

static LLVMValueRef complete(struct instrument *instrument)
{
    static const char name[] = "cdp_abi_init_complete";
    struct lower_context *lower = &instrument->lower;
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, name,
                                   LLVMFunctionType(lower->types.i32, &lower->types.ptr, 1, 0));
        lower_add_attribute(lower, function, "nounwind");
        lower_add_attribute(lower, function, "willreturn");
        lower_add_memory_attribute(lower, function, LOWER_INACCESSIBLE_READ);
    }
    return function;
}

/* i1: some byte of the root's object may be unwritten. */
static LLVMValueRef ask(struct instrument *instrument, LLVMValueRef root, LLVMValueRef at)
{
    LLVMBuilderRef builder = instrument_builder(instrument, at);
    LLVMValueRef callee = complete(instrument);
    LLVMValueRef answer =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, &root, 1, "");
    LLVMValueRef result = LLVMBuildICmp(builder, LLVMIntEQ, answer,
                                        LLVMConstInt(instrument->lower.types.i32, 0, 0), "");
    LLVMDisposeBuilder(builder);
    return result;
}

/* A complete object stays complete, so one question for each root is enough. */
static LLVMValueRef incomplete(struct instrument *instrument, LLVMValueRef address, LLVMValueRef at)
{
    struct init *init = instrument->init;
    if (is_shared(instrument, address)) {
        return LLVMConstInt(instrument->lower.types.i1, 1, 0);
    }
    LLVMValueRef root = instrument_origin_of(instrument, address).base;
    LLVMValueRef place = init->frees ? NULL : instrument_place_after(root);
    unsigned found;
    if (place == NULL) {
        return ask(instrument, root, at);
    }
    if (!lower_map_find(&init->numbers, root, &found)) {
        LLVMValueRef asked = ask(instrument, root, place);
        found = (unsigned)init->count;
        LOWER_PUSH(init->incomplete, init->count, asked);
        lower_map_put(&init->numbers, root, found);
    }
    return init->incomplete[found];
}

/* Calls a function of the runtime unless the object of the address is complete. The first argument
 * is filled in. */
static void call_unless_complete(struct instrument *instrument, LLVMValueRef at, const char *name,
                                 const char *types, LLVMValueRef address, LLVMValueRef *arguments)
{
    LLVMValueRef callee = runtime(instrument, str_format("cdp_abi_%s", name), types);
    LLVMValueRef guard = instrument_guard(instrument, name, callee);
    arguments[0] = incomplete(instrument, address, at);
    LLVMBuilderRef builder = instrument_builder(instrument, at);
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(guard), guard, arguments,
                   (unsigned)strlen(types), "");
    LLVMDisposeBuilder(builder);
}

static bool is_store_of(LLVMValueRef user, LLVMValueRef value)
{
    return LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) == value &&
           LLVMGetOperand(user, 1) != value;
}

/* Whether the user only tells the race check what is stored: a call, or a conversion for it. */
static bool is_of_race_check(LLVMValueRef user)
{
    LLVMValueRef callee = lower_callee(user);
    if (callee != NULL) {
        return strcmp(lower_name(callee), "cdp_abi_race_store") == 0;
    }
    LLVMUseRef use = LLVMIsACastInst(user) != NULL ? LLVMGetFirstUse(user) : NULL;
    bool is_own = use != NULL;
    for (; is_own && use != NULL; use = LLVMGetNextUse(use)) {
        is_own = is_of_race_check(LLVMGetUser(use));
    }
    return is_own;
}

/* Whether the value of a load is only stored. */
static bool is_only_copied(LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_store_of(user, load) && !is_of_race_check(user)) {
            return false;
        }
    }
    return true;
}

/* Whether the value may be a class in a register: parts of it are taken, or it is passed on. */
static bool is_taken_apart(LLVMValueRef load)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(load));
    if (kind != LLVMIntegerTypeKind && kind != LLVMVectorTypeKind) {
        return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
        if (is_of_race_check(user)) {
            continue;
        }
        if (opcode == LLVMTrunc || opcode == LLVMLShr || opcode == LLVMCall || opcode == LLVMRet ||
            opcode == LLVMInsertValue || opcode == LLVMPHI || opcode == LLVMBitCast ||
            opcode == LLVMExtractElement || opcode == LLVMShuffleVector) {
            return true;
        }
    }
    return false;
}

/* Whether the value, loaded from the address, is only stored there again with some bits replaced,
 * as bit-fields are set: bits are cleared by a constant, then others are added. The optimizer
 * leaves out one of the two if the new bits are all zero or all one. */
static bool only_replaces_bits(LLVMValueRef value, LLVMValueRef address, bool is_cleared, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) != NULL) {
            if (!is_store_of(user, value) || LLVMGetOperand(user, 1) != address) {
                return false;
            }
            continue;
        }
        if (is_of_race_check(user)) {
            continue;
        }
        LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
        bool clears = opcode == LLVMAnd && LLVMIsAConstantInt(LLVMGetOperand(user, 1)) != NULL;
        bool adds =
            opcode == LLVMOr && (is_cleared || LLVMIsAConstantInt(LLVMGetOperand(user, 1)) != NULL);
        if ((!clears && !adds) || depth == 0 ||
            !only_replaces_bits(user, address, is_cleared || clears, depth - 1)) {
            return false;
        }
    }
    return true;
}

/* Whether the load is a part of setting a bit-field: no use of the other bits. */
static bool is_for_bit_field(const struct instrument_access *access)
{
    enum { MOST_FIELDS = 64 };
    return LLVMGetTypeKind(LLVMTypeOf(access->at)) == LLVMIntegerTypeKind &&
           LLVMGetFirstUse(access->at) != NULL &&
           only_replaces_bits(access->at, access->address, false, MOST_FIELDS);
}

/* some: the access is a mistake only if none of its bytes was written. */
static void visit_use(struct instrument *instrument, const struct instrument_access *access,
                      bool some)
{
    LLVMValueRef arguments[] = {
        NULL, instrument_site(&instrument->lower, access->at, instrument_site_flags(access), NULL),
        access->address, access->size};
    call_unless_complete(instrument, access->at, some ? "init_read_some" : "init_read", "vppi",
                         access->address, arguments);
}

/* Whether the value is stored to memory that other blocks, kernels and the host see. */
static bool leaves_block(struct instrument *instrument, LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef to = is_of_race_check(user) ? NULL : LLVMGetOperand(user, 1);
        if (to != NULL && !is_shared(instrument, to) && is_tracked(instrument, to)) {
            return true;
        }
    }
    return false;
}

static void visit_load(struct instrument *instrument, const struct instrument_access *access)
{
    bool fits = LLVMConstIntGetZExtValue(access->size) <= MOST_BYTES;
    if (!fits || !is_only_copied(access->at)) {
        if (is_for_bit_field(access)) {
            return;
        }
        visit_use(instrument, access, fits && is_taken_apart(access->at));
        return;
    }
    /* A block that passes on what it has not written forgot to write it: the host would find out,
     * if at all, far from the mistake. */
    if (is_shared(instrument, access->address) && leaves_block(instrument, access->at)) {
        visit_use(instrument, access, true);
    }
    LLVMValueRef bits = NULL, from[] = {access->address, access->size};
    for (LLVMUseRef use = LLVMGetFirstUse(access->at); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef store = LLVMGetUser(use);
        LLVMValueRef to = is_of_race_check(store) ? NULL : LLVMGetOperand(store, 1);
        if (to == NULL || !is_tracked(instrument, to)) {
            continue;
        }
        if (bits == NULL) {
            bits = call_before(instrument, access->at, "cdp_abi_init_load", "ipi", from);
        }
        LLVMValueRef arguments[] = {to, access->size, bits};
        call_before(instrument, store, "cdp_abi_init_store", "vpii", arguments);
    }
}

/* A store of a value that visit_load passes on. */
static bool is_copy(struct instrument *instrument, LLVMValueRef at)
{
    LLVMValueRef value = LLVMIsAStoreInst(at) == NULL ? NULL : LLVMGetOperand(at, 0);
    return value != NULL && LLVMIsALoadInst(value) != NULL && is_only_copied(value) &&
           LLVMStoreSizeOfType(instrument->lower.layout, LLVMTypeOf(value)) <= MOST_BYTES &&
           !instrument_is_own_code(value) && is_tracked(instrument, LLVMGetOperand(value, 0));
}

/* A copy of memory is visited once for each side; the side that is written does the work. */
static void visit_transfer(struct instrument *instrument, const struct instrument_access *access)
{
    LLVMValueRef from = LLVMGetOperand(access->at, 1);
    if ((access->flags & CDP_ACCESS_WRITE) == 0) {
        return;
    }
    bool copies = is_tracked(instrument, from);
    LLVMValueRef copy[] = {access->address, from, access->size};
    LLVMValueRef write[] = {access->address, access->size};
    call_before(instrument, access->at, copies ? "cdp_abi_init_copy" : "cdp_abi_init_write",
                copies ? "vppi" : "vpi", copies ? copy : write);
}

static void visit(struct instrument *instrument, const struct instrument_access *access)
{
    LLVMValueRef at = access->at;
    if (!is_tracked(instrument, access->address)) {
        return;
    }
    if (LLVMIsALoadInst(at) != NULL) {
        visit_load(instrument, access);
        return;
    }
    if (LLVMIsAMemCpyInst(at) != NULL || LLVMIsAMemMoveInst(at) != NULL) {
        visit_transfer(instrument, access);
        return;
    }
    /* The result of an exchange is often ignored, which is not visible without optimization. */
    bool is_exchange =
        LLVMIsAAtomicRMWInst(at) != NULL && LLVMGetAtomicRMWBinOp(at) == LLVMAtomicRMWBinOpXchg;
    if ((access->flags & CDP_ACCESS_ATOMIC) != 0 && !is_exchange) {
        visit_use(instrument, access, false);
    }
    LLVMValueRef arguments[] = {NULL, access->address, access->size};
    if (!is_copy(instrument, at)) {
        call_unless_complete(instrument, at, "init_write", "vpi", access->address, arguments);
    }
}

void instrument_init(struct instrument *instrument, LLVMValueRef function)
{
    struct init init = {.frees = instrument_may_free(function)};
    instrument->init = &init;
    instrument_each(instrument, function, visit);
    instrument->init = NULL;
}

/* ---- Local variables ---- */

static bool is_lifetime(LLVMValueRef user)
{
    LLVMValueRef callee = lower_callee(user);
    return callee != NULL && str_starts(lower_name(callee), "llvm.lifetime.");
}

/* Whether the variable is only loaded and stored as a whole: the optimizer can keep it in a
 * register. */
static bool is_simple(LLVMValueRef slot)
{
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
        instrument_variable_name(NULL, slot) == NULL) {
        return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_load = LLVMIsALoadInst(user) != NULL && LLVMTypeOf(user) == type;
        bool is_store = LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) != slot &&
                        LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
        if ((!is_load && !is_store && !is_lifetime(user)) ||
            ((is_load || is_store) && LLVMGetVolatile(user))) {
            return false;
        }
    }
    return true;
}

void instrument_local_test(struct instrument *instrument, LLVMBuilderRef builder,
                           LLVMValueRef unwritten, LLVMValueRef site)
{
    LLVMValueRef test =
        instrument_guard(instrument, "local", runtime(instrument, "cdp_abi_init_local", "vp"));
    LLVMValueRef arguments[] = {unwritten, site};
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(test), test, arguments, 2, "");
}

bool instrument_is_shuffle(LLVMValueRef function)
{
    return strstr(lower_name(function), "shfl") != NULL;
}

static bool is_shuffle(LLVMValueRef call)
{
    LLVMValueRef callee = lower_callee(call);
    return callee != NULL && instrument_is_shuffle(callee);
}

static bool is_only_shuffled(LLVMValueRef value, int depth);

/* Whether the slot, in which a function keeps its parameter, is only loaded for shuffles. */
static bool is_shuffled_slot(LLVMValueRef slot, LLVMValueRef parameter, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool keeps = LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) == parameter;
        bool passes = LLVMIsALoadInst(user) != NULL && is_only_shuffled(user, depth);
        if (!keeps && !passes && !is_lifetime(user)) {
            return false;
        }
    }
    return true;
}

/* Whether a call only passes the value to shuffles. */
static bool is_shuffling_call(LLVMValueRef call, LLVMValueRef value, int depth)
{
    LLVMValueRef callee = lower_callee(call);
    if (is_shuffle(call) || callee == NULL || LLVMIsDeclaration(callee) || depth == 0) {
        return is_shuffle(call);
    }
    unsigned count = LLVMCountParams(callee);
    bool shuffled = true;
    for (unsigned i = 0; i < count; i++) {
        shuffled &= LLVMGetOperand(call, i) != value ||
                    is_only_shuffled(LLVMGetParam(callee, i), depth - 1);
    }
    return shuffled;
}

/* Whether the value is only passed to shuffles, perhaps converted, or by a function of the
 * program. */
static bool is_only_shuffled(LLVMValueRef value, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_call = LLVMIsACallInst(user) != NULL || LLVMIsAInvokeInst(user) != NULL;
        bool is_kept = LLVMIsAStoreInst(user) != NULL && LLVMIsAArgument(value) != NULL &&
                       LLVMIsAAllocaInst(LLVMGetOperand(user, 1)) != NULL;
        bool passes = LLVMIsACastInst(user) != NULL ? is_only_shuffled(user, depth)
                      : is_kept ? is_shuffled_slot(LLVMGetOperand(user, 1), value, depth)
                                : is_call && is_shuffling_call(user, value, depth);
        if (!passes) {
            return false;
        }
    }
    return LLVMGetFirstUse(value) != NULL;
}

bool instrument_is_only_shuffled(LLVMValueRef value)
{
    return is_only_shuffled(value, MOST_WRAPPERS);
}

bool instrument_is_automatic(LLVMContextRef llvm, LLVMValueRef write)
{
    return LLVMGetMetadata(write, LLVMGetMDKindIDInContext(llvm, "annotation", 10)) != NULL;
}

/* One variable and its companion. */
struct companion {
    struct instrument *instrument;
    LLVMValueRef slot, written;
};

static LLVMValueRef truth(const struct companion *companion, bool value)
{
    return LLVMConstInt(companion->instrument->lower.types.i1, value, 0);
}

static void follow_use(const struct companion *companion, LLVMValueRef user)
{
    struct instrument *instrument = companion->instrument;
    struct lower_context *lower = &instrument->lower;
    LLVMBuilderRef builder = instrument_builder(instrument, user);
    LLVMValueRef callee = lower_callee(user);
    if (LLVMIsALoadInst(user) != NULL && !instrument_is_only_shuffled(user)) {
        LLVMValueRef written = LLVMBuildLoad2(builder, lower->types.i1, companion->written, "");
        instrument_local_test(
            instrument, builder, LLVMBuildNot(builder, written, ""),
            instrument_site(lower, user, 0, instrument_variable_name(lower, companion->slot)));
    } else if (LLVMIsAStoreInst(user) != NULL) {
        LLVMBuildStore(builder, truth(companion, !instrument_is_automatic(lower->llvm, user)),
                       companion->written);
    } else if (callee != NULL && str_starts(lower_name(callee), "llvm.lifetime.start")) {
        LLVMBuildStore(builder, truth(companion, false), companion->written);
    }
    LLVMDisposeBuilder(builder);
}

static void add_companion(struct instrument *instrument, LLVMValueRef slot)
{
    struct companion companion = {.instrument = instrument, .slot = slot};
    LLVMBuilderRef builder = instrument_builder(instrument, slot);
    companion.written = LLVMBuildAlloca(builder, instrument->lower.types.i1, "");
    LLVMDisposeBuilder(builder);
    size_t count;
    struct lower_use *uses = lower_uses(slot, &count);
    for (size_t i = 0; i < count; i++) {
        follow_use(&companion, uses[i].user);
    }
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetInstructionParent(slot));
    while (LLVMIsAAllocaInst(at) != NULL) {
        at = LLVMGetNextInstruction(at);
    }
    builder = instrument_builder(instrument, at);
    LLVMBuildStore(builder, truth(&companion, false), companion.written);
    LLVMDisposeBuilder(builder);
}

void instrument_init_lowered(struct instrument *instrument, LLVMValueRef function)
{
    if (LLVMIsDeclaration(function)) {
        return;
    }
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); at != NULL;
         at = next) {
        next = LLVMGetNextInstruction(at);
        if (LLVMIsAAllocaInst(at) != NULL && is_simple(at)) {
            add_companion(instrument, at);
        }
    }
}
