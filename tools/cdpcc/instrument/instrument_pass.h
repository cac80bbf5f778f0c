/* Between instrument/instrument.c and the kinds of tests.
 *
 * A kind of test is a file with a function for one round or both. It calls instrument_each with a
 * visitor and emits code before the accesses. A visitor may insert instructions before an access,
 * and must not remove any. */
#ifndef CDPCC_INSTRUMENT_PASS_H
#define CDPCC_INSTRUMENT_PASS_H
#include "instrument/instrument.h"
#include "ir/context.h"

/* One access; a copy of memory is two. On the stack while it is visited. */
struct instrument_access {
    LLVMValueRef at; /* the instruction */
    LLVMValueRef address;
    LLVMValueRef size; /* bytes, i64 */
    uint64_t align;    /* that the hardware requires; 1: none */
    uint32_t flags;    /* enum cdp_abi_access */
};

/* The value from which the address of an access is computed.
 *
 * Example: for a[i].x in a loop, base is a and step the greatest power of two that divides the
 * size of an element and the offset of x. */
struct instrument_origin {
    LLVMValueRef base; /* in the same object as the address; dominates the access */
    uint64_t step;     /* a power of two that divides the distance between the two */
    bool is_own;       /* certainly this thread's stack, its block's shared memory, or a variable */
};

struct init;
struct space;
struct memory;

/* One round for one module. lower has no kernels or variables. space is NULL between functions. */
struct instrument {
    struct lower_context lower; /* for the helpers: module, types, layout */
    struct space *space;        /* the state of instrument/space.c while it runs */
    struct memory *memory;      /* that of instrument/memory.c */
    struct init *init;          /* that of instrument/init.c */
};

typedef void instrument_visitor(struct instrument *, const struct instrument_access *);
/* Calls visit for each access of the function, in the order of the code. Loads that the lowering
 * emitted are no accesses of the program. */
void instrument_each(struct instrument *instrument, LLVMValueRef function,
                     instrument_visitor *visit);
/* If the address may come from several objects, base is the nearest value before its offsets. */
struct instrument_origin instrument_origin_of(struct instrument *instrument, LLVMValueRef address);
/* Whether is holds for all roots of an address. *variable: the name of the variable, if all roots
 * are one variable; else unchanged. */
bool instrument_all_roots(struct instrument *instrument, LLVMValueRef address,
                          bool (*is)(LLVMValueRef), const char **variable);
/* The instruction before which a value that is computed from the root can be computed; NULL if the
 * root has no such place. */
LLVMValueRef instrument_place_after(LLVMValueRef root);
/* Whether memory may be freed while the function runs. */
bool instrument_may_free(LLVMValueRef function);
/* The call that marks the address of a shared variable (LOWER_SHARED_MARKER). */
bool instrument_is_marker(LLVMValueRef value);
/* Whether it is a load from the context of a thread or a block, and so of the runtime's memory. */
bool instrument_is_context_load(LLVMValueRef value);
/* Whether the instruction is no access of the program: of cdpcc's own function, or to its data. */
bool instrument_is_own_code(LLVMValueRef at);
/* Whether the call gets the pointer only as a class that is copied for it (byval). */
bool instrument_passes_copy(LLVMValueRef call, LLVMValueRef pointer);
/* The first instruction after the stack slots at the function's start. */
LLVMValueRef instrument_after_slots(LLVMValueRef function);
/* A class that was passed in memory, or the parameters of a launch: only this thread accesses it.
 */
bool instrument_is_own_argument(LLVMValueRef value);
/* The flags of the access's site: enum cdp_abi_site_flags. */
uint32_t instrument_site_flags(const struct instrument_access *access);
/* A function of the runtime that returns and changes nothing that the code can see. So the
 * optimizer may move ordinary accesses across its calls, but keeps their order. */
LLVMValueRef instrument_runtime(struct instrument *instrument, const char *name, LLVMTypeRef type);

/* A function of the module that is inlined at every call. It is created at the first request. Then
 * *is_new is set and it has no body. */
LLVMValueRef instrument_function(struct instrument *instrument, const char *name, LLVMTypeRef type,
                                 bool *is_new);
/* A function that takes a condition and the parameters of a function of the runtime, and calls that
 * function if the condition is true. Its name is LOWER_GUARDS and the given one. The vectorizer
 * knows it; see instrument_release. */
LLVMValueRef instrument_guard(struct instrument *instrument, const char *name, LLVMValueRef callee);
/* A builder before the instruction, with its line; to be disposed of by the caller. */
LLVMBuilderRef instrument_builder(struct instrument *instrument, LLVMValueRef before);

/* instrument/memory.c: the size of a variable or of a class that was passed in memory; 0 if it is
 * not known. */
uint64_t instrument_size_of_variable(const struct instrument *instrument, LLVMValueRef root);

/* instrument/address_variables.c: tests the access by its offset. False: it is not known to be an
 * access of a variable of known size. */
bool instrument_access_of_variable(struct instrument *instrument,
                                   const struct instrument_access *access);
/* The guard of such a test, and the parameters of cdp_abi_address_outside(). */
#define INSTRUMENT_VARIABLE_GUARD "address.memory"
enum instrument_of_variable {
    INSTRUMENT_ROOT,
    INSTRUMENT_OFFSET,
    INSTRUMENT_ACCESS,
    INSTRUMENT_EXTENT,
    INSTRUMENT_STEP,
    INSTRUMENT_COUNT,
    INSTRUMENT_OF_VARIABLE
};
struct instrument_offset {
    LLVMValueRef tested; /* i64: the offset of an access, or of a loop's first or last access */
    LLVMValueRef limit;  /* the least offset of an access that is outside */
};
/* Tests one offset. The arguments describe all accesses of the loop, for the report. */
void instrument_variable_test(struct instrument *instrument, LLVMBuilderRef builder,
                              const struct instrument_offset *offset,
                              const LLVMValueRef arguments[INSTRUMENT_OF_VARIABLE]);

/* instrument/space.c: the two rounds, for one function. */
void instrument_space_lowered(struct instrument *instrument, LLVMValueRef function);
void instrument_space(struct instrument *instrument, LLVMValueRef function);
/* instrument/memory.c: the second round, for one function. */
void instrument_memory(struct instrument *instrument, LLVMValueRef function);
/* instrument/recursion.c: the second round, for the module. */
void instrument_recursion(struct instrument *instrument);
/* instrument/locals.c: the local variables of a function that other functions may access, found
 * before its accesses are tested; then their list, for cdp_abi_bounds. In the arena. */
struct instrument_locals *instrument_locals_of(struct instrument *instrument,
                                               LLVMValueRef function);
void instrument_locals_list(struct instrument_locals *locals, LLVMValueRef function);
/* instrument/init.c: the two rounds, for one function. */
void instrument_init_lowered(struct instrument *instrument, LLVMValueRef function);
void instrument_init(struct instrument *instrument, LLVMValueRef function);
/* instrument/parts.c: local arrays and classes, for one function. */
void instrument_init_parts(struct instrument *instrument, LLVMValueRef function);
/* Emits the test of a local variable; unwritten: i1. */
void instrument_local_test(struct instrument *instrument, LLVMBuilderRef builder,
                           LLVMValueRef unwritten, LLVMValueRef site);
/* Whether the value is only passed to shuffles, perhaps converted. */
bool instrument_is_only_shuffled(LLVMValueRef value);
/* The zeros of -ftrivial-auto-var-init: a store, or a fill or copy of memory. */
bool instrument_is_automatic(LLVMContextRef llvm, LLVMValueRef write);
/* Constants, the thread's own stack, and its arguments. */
bool instrument_is_of_one_thread(LLVMValueRef root);
/* instrument/race.c: the second round, for one function. */
void instrument_race(struct instrument *instrument, LLVMValueRef function);
/* instrument/race_loops.c: after that, one call for the accesses of a loop. */
void instrument_race_loops(struct instrument *instrument, LLVMValueRef function);
/* instrument/count.c: the second round, for one function. */
void instrument_count(struct instrument *instrument, LLVMValueRef function);

#endif
