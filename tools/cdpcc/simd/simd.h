/* Block entries: one function that runs all threads of a block, a vector of them at
 * a time.
 *
 * The pass works on thread entries that are inlined and simplified.  Each is cut at
 * its barriers into regions; a region becomes a loop over chunks of W x U threads (W
 * lanes in a vector, U vectors side by side) with the kernel's own control flow inside
 * it, under lane masks.  What is uniform stays scalar, and branches on it stay
 * branches.
 *
 *   ir/inline.c       functions that must be part of the kernel
 *   ir/region_cfg.c       nodes (blocks cut at barriers) and numbered values
 *   ir/dominators.c        dominators and loops of the nodes that one region reaches
 *   analysis/shape.c        which values are uniform, linear in the lane, or vary
 *   analysis/convergence.c         which lanes of a warp come to its operations
 *   plan/contract.c     products and sums as one operation
 *   analysis/progress.c         loops that may wait for other threads
 *   analysis/legality.c        why a kernel stays on thread entries; else nothing
 *   emit/builder.c        values of a chunk and what all emission needs
 *   emit/instruction.c emit/access.c emit/scalarize.c emit/warp_ops.c emit/atomics.c   one
 * instruction for all lanes emit/contiguous.c          one access of a vector's lanes;
 * emit/contiguous.h: for these emit/convert.c      floating point to integers; emit/divide.c:
 * quotients of integers emit/thread_context.c       the thread that a lane is, in calls
 *   plan/fault_context.c         who is at work, for reports of faults
 *   emit/control.c      branches and the ends of regions, under masks
 *   analysis/chunk_conditions.c        whether all lanes go one way
 *   plan/prefetch_loop.c        memory that later turns of a loop will read; plan/prefetch_far.c:
 * rows far apart in one; plan/prefetch_blocks.c: the next blocks; analysis/affine.c: how far away
 * that is emit/loops.c         loops; emit/edges.c: edges, their masks and phis; emit/control.h:
 * for these plan/field_pairs.c         fields side by side; plan/interleave.c: all of them
 *   plan/permuted.c      rows whose lanes change places; plan/two_way.c: two, of which each lane
 * takes one plan/nontemporal.c       stores that go past the caches analysis/alias.c        what
 * accesses have to do with each other analysis/clobber.c      loads between which the block's own
 * threads may store plan/slots.c         values that live across barriers emit/debug_lines.c lines
 * for reports plan/hoist.c        loads that all chunks share plan/all_active.c         what the
 * version without masks leaves out emit/function.c        the function around it; emit/chunks.c:
 * its loops over chunks; plan/unroll.c: those that become straight code; emit/function.h: for these
 *   analysis/launch_sizes.c       block sizes seen at launches
 *   plan/width.c        how many lanes and vectors
 *   post/pipeline.c     LLVM's passes for what is made here
 *   post/shared_memory.h       after the optimizer: shared memory in straight code
 *   pass.c        the pass
 *
 * Nothing here is freed: all of it lies in the arena. */
#ifndef CDPCC_BLOCK_BLOCK_H
#define CDPCC_BLOCK_BLOCK_H

#include "lower/lower_pass.h"

enum {
    BLOCK_WARP = 32,
    BLOCK_MOST_VECTORS = 16,
    BLOCK_FEWEST_LANES = 4,
    BLOCK_MOST_LANES = 16,
    BLOCK_MOST_NODES = 600,
    BLOCK_NEXT = 2,
    BLOCK_MOST_FILLED = 2,         /* lanes of a row for each thread in it, once filled up */
    BLOCK_MOST_STEP = 4,           /* structures of up to so many elements are read by rows */
    BLOCK_MOST_INDEX = 0x7fff0000, /* threads in the grid's x dimension */
    BLOCK_MOST_SIZES = 2,
    BLOCK_SCRATCH_ALIGN = 64,
    BLOCK_MOST_STACK = 160 << 10, /* of slots and variables: a block runs on a fiber's stack */
};

/* How a value differs between the threads of a chunk. */
enum block_shape_kind {
    SHAPE_UNKNOWN, /* not computed yet */
    SHAPE_UNIFORM, /* one value per block: the same for all lanes that are at work */
    SHAPE_WARP,    /* one value per warp, which all its vectors hold; in kernels that
                    * have warp operations, as chunks are whole warps there */
    SHAPE_VECTOR,  /* one value per vector */
    SHAPE_LINEAR,  /* lane 0's value plus lane times stride, modulo the type's width; 0: one value
                    * for all, where a test says so */
    SHAPE_VARYING,
};

/* When "linear" holds: always; where every lane runs the access, as the instructions'
 * own flags promise then; or only if a test says so. */
enum block_check { CHECK_NONE, CHECK_FLAGS, CHECK_ALWAYS };

struct block_shape {
    enum block_shape_kind kind;
    int64_t stride;
    bool is_signed_exact, is_unsigned_exact; /* linear also in the integers, flags granted */
    enum block_check check;
};

/* All lanes have lane 0's number, if the check holds. */
static inline bool block_is_flat(struct block_shape shape)
{
    return shape.kind == SHAPE_LINEAR && shape.stride == 0;
}

/* What tells an instruction's "linear" from true: the test its result needs. */
enum block_test {
    TEST_NONE,
    TEST_SIGNED,
    TEST_UNSIGNED,
    TEST_MASK,
    TEST_CLAMP,     /* no lane is beyond the limit */
    TEST_REMAINDER, /* no lane begins anew at zero */
    TEST_QUOTIENT,  /* nor is the next one's */
    TEST_SHIFT,     /* likewise */
    TEST_CHOICE,    /* it is the linear one */
};

/* The block's index space: what threadIdx looks like over the lanes of a vector. */
enum block_layout {
    LAYOUT_LINE,   /* blockDim.y == blockDim.z == 1 */
    LAYOUT_ROWS,   /* a vector lies within one row */
    LAYOUT_FILLED, /* likewise: the last lanes of each row are no threads */
    LAYOUT_ANY,    /* each lane has its own index */
    LAYOUT_COUNT,
};

enum block_end { END_BRANCH, END_CONDITION, END_RETURN, END_BARRIER, END_UNREACHABLE };

/* Threads of a block in each dimension. */
struct block_size {
    unsigned x, y, z;
};

/* A basic block or a part of it: blocks are cut at barriers and a switch is a chain
 * of conditions. */
struct block_node {
    LLVMBasicBlockRef block;
    LLVMValueRef first; /* instruction; NULL for the later links of a switch */
    LLVMValueRef last;  /* the terminator, or the barrier's call; not part of the body */
    enum block_end end;
    unsigned next_count, next[BLOCK_NEXT];
    LLVMValueRef condition;
    LLVMValueRef match; /* if set, the condition is that both are equal */
};

struct block_kernel {
    struct lower_context *lower;
    const struct lower_kernel *source;
    LLVMValueRef function;
    struct block_node *nodes;
    size_t node_count;
    LLVMValueRef *values; /* arguments and instructions; numbered by their place here */
    size_t value_count;
    int *node_of; /* of each value; -1 = argument */
    struct lower_map numbers;
    struct block_shape *shapes; /* of each value, for the layout at hand */
    bool *is_forced;            /* by value: varying, whatever it is computed from */
    bool *is_clobbered; /* by value: a load that each chunk makes for itself (analysis/clobber.c) */
    bool *stays;        /* by node: its branch is never taken for all lanes */
    enum block_layout layout;
    const struct block_size *size; /* the one that the entry at hand is for; NULL = any */
    unsigned lanes;
    unsigned barrier_count;
    bool exits_early;        /* threads may end before a barrier that others reach */
    bool uses_rows;          /* threadIdx.y or .z matter */
    bool has_warps;          /* it has warp operations: a chunk is one or more warps */
    bool has_two_beginnings; /* some loop */
    bool has_ranges;         /* one call of its entry may run several blocks */
    LLVMValueRef *streams;   /* by value: the array of which a store writes rows that nobody reads
                              * here, or NULL; NULL: there are none */
    uint64_t stream_bytes;   /* of these, each thread's; 0: none */
    bool has_streams;        /* some entry has them */
    LLVMValueRef blamed;     /* the instruction that keeps the kernel on thread entries */
};

struct block_loop {
    unsigned header;
    int parent; /* -1 = none */
    unsigned depth;
    bool *inside; /* by node */
};

/* The nodes that can be reached from one without passing a barrier's end. */
struct block_graph {
    const struct block_kernel *kernel;
    unsigned entry;
    bool passes_barriers;   /* the whole kernel */
    const signed char *cut; /* by node: the way out that is not taken, or -1; may be NULL */
    unsigned *order;        /* reverse postorder */
    size_t count;
    int *position;        /* by node; -1 = not in it */
    const bool *finished; /* by node: as good as an end; may be NULL */
    size_t words;
    uint64_t *dominators, *postdominators; /* bit sets by node */
    int *idom, *ipdom;                     /* by node; -1 = none */
    struct block_loop *loops;
    size_t loop_count;
    int *loop_of; /* innermost loop by node; -1 = none */
    bool is_irreducible, is_endless;
};

/* ir/region_cfg.c */
/* False if it is too large or has what is no node. */
bool block_kernel_build(struct block_kernel *kernel);
/* -1 for constants and what is defined outside. */
int block_number(const struct block_kernel *kernel, LLVMValueRef value);
bool block_is_barrier(LLVMValueRef instruction);
/* What a barrier tells of all threads' predicates. */
enum block_vote { VOTE_NONE, VOTE_COUNT, VOTE_AND, VOTE_OR };
enum block_vote block_vote_of(LLVMValueRef instruction);
const char *block_callee_name(LLVMValueRef instruction);
/* The address is base plus a constant; base is NULL if unknown. */
LLVMValueRef block_address_base(LLVMValueRef address, int64_t *offset);
/* Which field of the thread's own context a load reads; -1 = it does not. */
int block_self_field(LLVMValueRef load);
/* Which field of the block a load reads; -1 = it does not. */
int block_field(LLVMValueRef load);
bool block_is_self(LLVMValueRef value);
/* The value the phi has when control comes from the node. */
LLVMValueRef block_phi_value(const struct block_kernel *kernel, LLVMValueRef phi, unsigned from);

/* ir/dominators.c */
struct block_graph *block_graph_build(const struct block_kernel *kernel, unsigned entry,
                                      bool passes_barriers, const signed char *cut);
unsigned block_graph_next(const struct block_graph *graph, unsigned node, unsigned next[BLOCK_NEXT],
                          unsigned which[BLOCK_NEXT]);
bool block_dominates(const struct block_graph *graph, unsigned by, unsigned node);
bool block_postdominates(const struct block_graph *graph, unsigned by, unsigned node);
bool block_in_loop(const struct block_graph *graph, int loop, unsigned node);
/* Nodes between from's ways out and stop (not itself; -1 = the end), as a set. */
bool *block_graph_reach(const struct block_graph *graph, unsigned from, int stop);

/* Within one turn of a loop (-1 = of the whole): from the node up to stop (-1 = none). */
struct block_reach {
    bool *nodes;
    bool turns; /* it comes to the loop's next turn */
    bool ends;  /* to an end, or to the next turn of a loop around it */
    bool lasts; /* to such a turn or a barrier: threads that have not ended */
};
struct block_reach block_graph_reach_in_turn(const struct block_graph *graph, unsigned from,
                                             int stop, int loop);
/* The first node that all ways from here lead to within the turn, or one of these. */
enum { BLOCK_NO_MEETING = -1, BLOCK_NEXT_TURN = -2 };
int block_graph_meeting(const struct block_graph *graph, unsigned node, int loop);
/* All that are at the node come to the other one within the same turn. */
bool block_graph_comes_to(const struct block_graph *graph, unsigned node, unsigned to, int loop);
/* By node: within a turn of the loop, some way from it does not come to the other one. */
const bool *block_graph_escapes(const struct block_graph *graph, unsigned to, int loop);
/* Lanes that part at the node, which is in the loop, may leave the loop at different times. */
bool block_graph_parts(const struct block_graph *graph, unsigned node, int loop);

/* analysis/shape.c */
/* Vectors lie within rows. */
bool block_has_rows(const struct block_kernel *kernel);
/* Lanes for each thread, at most. */
unsigned block_filled(const struct block_kernel *kernel);
struct block_shape block_shape_of(const struct block_kernel *kernel, LLVMValueRef value);
void block_shapes(struct block_kernel *kernel);
/* The smaller or greater of two integers: the predicate that holds where the first one is it; else
 * zero. */
LLVMIntPredicate block_clamp_of(LLVMValueRef instruction);
struct block_shape block_transfer(const struct block_kernel *kernel, LLVMValueRef instruction,
                                  enum block_test *test);
/* Of a select between different shapes, by what all lanes share: the operand that it mostly is, as
 * it is linear; or 0. */
unsigned block_choice_of(const struct block_kernel *kernel, LLVMValueRef select);
/* The test is of an extension, and flags say that it holds in lanes which use it. */
bool block_is_flagged(const struct block_kernel *kernel, LLVMValueRef instruction,
                      enum block_test test);
/* The linear result is the sign extension of lane 0's operand. */
bool block_extends_signed(LLVMValueRef instruction, struct block_shape operand);
bool block_is_pure_call(LLVMValueRef instruction);
/* Bytes between the copies of two threads of a variable of the function. */
uint64_t block_local_stride(const struct block_kernel *kernel, LLVMValueRef alloca);

/* analysis/convergence.c */
enum block_warp {
    WARP_NONE,
    WARP_SYNC,
    WARP_SHUFFLE,
    WARP_BALLOT,
    WARP_ACTIVE,
    WARP_MATCH_ANY,
    WARP_MATCH_ALL,
    WARP_REDUCE,
};
enum block_warp block_warp_operation(LLVMValueRef instruction);
/* Whom an operation's mask names. */
enum block_named {
    NAMED_ALL,     /* the warp */
    NAMED_TILE,    /* the lane's own part of it, as large as all others */
    NAMED_PRESENT, /* the lanes that are there; to be proven */
};
enum block_named block_named_by(const struct block_kernel *kernel, LLVMValueRef call);
/* False if it is nothing that hangs on warps or on the number of the thread. */
bool block_warp_shape(const struct block_kernel *kernel, LLVMValueRef instruction,
                      struct block_shape *shape);
/* Why threads of a warp may not be together at an operation of the region; NULL if they are. */
const char *block_warp_refusal(struct block_kernel *kernel, const struct block_graph *region);
/* Lets the optimizer see what lane a shuffle in a short loop reads. */
void block_warp_prepare(struct lower_context *lower, LLVMValueRef function);

/* ir/inline.c */
void block_inline(struct lower_context *lower);

/* plan/contract.c */
/* Joins products and sums of the module, the same for all entries. */
void block_contract(struct lower_context *lower);

/* analysis/progress.c */
/* Whether the loop, of the whole kernel, may go on by what other threads do. */
bool block_waits(const struct block_graph *graph, int loop);

/* analysis/legality.c */
/* A fence or an atomic access. */
bool block_is_order(LLVMValueRef at);
/* NULL, or why not; kernel->blamed may then hold where. */
const char *block_refusal(struct block_kernel *kernel);
const char *block_refusal_of_shapes(struct block_kernel *kernel);
/* Threads of a block of any size may wait at different barriers. */
bool block_parts_at_barriers(struct block_kernel *kernel);
/* What an author could do about a refusal; NULL: nothing is known. */
const char *block_advice(const char *reason);

/* ---- emission ---- */

/* A value for the lanes of a chunk; which fields count hangs on its shape. */
struct block_value {
    struct block_shape shape;
    LLVMValueRef scalar[BLOCK_MOST_VECTORS]; /* lane 0 of each vector; uniform: [0] only */
    LLVMValueRef vector[BLOCK_MOST_VECTORS]; /* varying, or linear with a check */
    LLVMValueRef holds[BLOCK_MOST_VECTORS];  /* i1: the check */
    /* i1: likewise where all lanes use it, as flags promise the rest then; NULL: they promise all,
     * or it was asked before the loop (plan/versioning.c) */
    LLVMValueRef holds_for_all[BLOCK_MOST_VECTORS];
    LLVMValueRef second[BLOCK_MOST_VECTORS]; /* a compare-and-swap's success */
    bool is_set;
};

/* One way from a node to a next one: the lanes that take it. */
struct block_edge {
    bool is_set;
    LLVMValueRef mask[BLOCK_MOST_VECTORS];
    struct block_value *phis; /* of the target; unset ones and NULL: the operands' values */
};

struct block_emit {
    struct lower_context *lower;
    struct block_kernel *kernel;
    LLVMValueRef function;
    LLVMBuilderRef builder;
    LLVMBuilderRef allocas; /* at the function's entry */
    LLVMMetadataRef subprogram;
    LLVMValueRef shared_scope;  /* of accesses to shared memory; NULL: not known to be apart */
    LLVMValueRef context_scope; /* of stores to the thread's context */
    LLVMValueRef apart_scopes;  /* of what accesses to other memory do not reach */
    unsigned lanes, vectors;    /* of a chunk in the loop at hand */
    unsigned most_vectors;      /* of any loop */
    bool in_halves, is_seldom;  /* as block_options has them */
    LLVMTypeRef mask_type, bits_type;
    LLVMValueRef full, none; /* masks */
    LLVMValueRef params, block, self;
    LLVMValueRef block_x;                    /* i32: blockIdx.x */
    LLVMValueRef dimension[3], thread_count; /* i32 */
    /* Lanes are numbered like threads, but for those in LAYOUT_FILLED that are none.  i32: the
     * lanes of a row, of the block, and of whole chunks of them. */
    LLVMValueRef row, lane_count, padded_count;
    LLVMValueRef reciprocal[2]; /* i32: of the first two dimensions, in LAYOUT_ANY */
    LLVMValueRef scratch;       /* where loads of lanes that are off go; zeroed */
    LLVMValueRef next_region;
    LLVMValueRef alive;      /* bits of each vector's lanes that wait at the barrier */
    LLVMValueRef yes, votes; /* i32 in memory: of the threads at a barrier that counts */
    uint64_t slot_bytes;     /* per thread */
    LLVMValueRef *arrays;    /* array_count of them: operands of a loop over lanes */
    size_t array_count;
    LLVMValueRef errors;     /* of all threads, if the kernel may launch; else NULL */
    LLVMValueRef warp_array; /* one warp's values, where lanes read each other's */

    /* per chunk */
    LLVMValueRef first64[BLOCK_MOST_VECTORS], first32[BLOCK_MOST_VECTORS]; /* number of lane 0 */
    struct block_value ids[4]; /* threadIdx.x .y .z, the thread's number */

    /* per region */
    const struct block_graph *graph;
    struct block_value *values;                /* by value number */
    struct block_edge *edges;                  /* by node * 2 + way out */
    LLVMValueRef (*masks)[BLOCK_MOST_VECTORS]; /* by node */
    bool *has_mask, *is_done;
    bool is_whole;      /* all lanes of the chunk are at work where the region starts */
    bool is_twice;      /* the loop at hand is made twice */
    int stop;           /* the node whose end the loop around it makes */
    LLVMValueRef *mask; /* of the instruction at hand; NULL = all lanes */
    LLVMValueRef
        *partners; /* by value number: the access that makes this one, too (plan/field_pairs.c) */
    LLVMBasicBlockRef bail; /* where a chunk of the version without masks starts again */
    const bool *restarts; /* by node: it may, also where values are not what they mostly are; NULL:
                           * nowhere */
    int decided; /* the node whose branch is decided for all chunks; -1: none (plan/uniform_exits.c)
                  */
    int narrow;  /* the node that stores to is_last; -1: none (plan/early_exits.c) */
    LLVMValueRef is_last; /* i1 in memory: later chunks have nothing to do */
    bool *is_mixed;
    bool *is_early; /* by value number: loaded before the chunks */
    const struct block_telling *telling;
    LLVMValueRef (*variables)[BLOCK_MOST_VECTORS]; /* of mixed values */

    /* slots, by value number */
    bool *has_slot;
    LLVMValueRef *slots;
    LLVMValueRef *locals; /* arrays of the threads' own variables */
    int *region_of;       /* by node: the region that starts there, or -1 */

    const char *failure;
};

/* emit/builder.c */
LLVMValueRef block_int(LLVMTypeRef type, int64_t value);
LLVMBasicBlockRef block_new(struct block_emit *emit, const char *name);
void block_at(struct block_emit *emit, LLVMBasicBlockRef at);
LLVMBasicBlockRef block_here(struct block_emit *emit);
void block_fail(struct block_emit *emit, LLVMValueRef where, const char *why);
LLVMTypeRef block_vector_type(const struct block_emit *emit, LLVMTypeRef element);
LLVMValueRef block_splat_constant(const struct block_emit *emit, LLVMValueRef constant);
LLVMValueRef block_splat(struct block_emit *emit, LLVMValueRef scalar);
LLVMValueRef block_steps(const struct block_emit *emit, LLVMTypeRef type, int64_t stride);
LLVMValueRef block_intrinsic(struct block_emit *emit, const char *name, LLVMTypeRef *types,
                             unsigned type_count, LLVMValueRef *arguments, unsigned count);
/* To a multiple. */
LLVMValueRef block_round_up(struct block_emit *emit, LLVMValueRef value, unsigned to);
bool block_is_full(const struct block_emit *emit, const LLVMValueRef *mask);
LLVMValueRef block_bits(struct block_emit *emit, LLVMValueRef mask);
/* i1: what all lanes of the mask are; NULL: they may differ. */
LLVMValueRef block_one_for_all(struct block_emit *emit, LLVMValueRef mask);
LLVMValueRef block_any_in(struct block_emit *emit, LLVMValueRef mask);
LLVMValueRef block_any(struct block_emit *emit, const LLVMValueRef *mask);
LLVMValueRef block_all(struct block_emit *emit, const LLVMValueRef *mask);
/* Any of the lanes that the vector's part of a value of the shape serves. */
LLVMValueRef block_any_for(struct block_emit *emit, const LLVMValueRef *mask,
                           struct block_shape shape, unsigned vector);
LLVMValueRef block_and(struct block_emit *emit, LLVMValueRef mask, LLVMValueRef condition);
/* i1: the second test, which may be poison where the first one does not hold. */
LLVMValueRef block_both(struct block_emit *emit, LLVMValueRef first, LLVMValueRef second);
/* How many of a value's vectors differ: one for uniform values. */
unsigned block_parts(const struct block_emit *emit, struct block_shape shape);
struct block_value block_uniform(LLVMValueRef scalar);
LLVMValueRef block_scalar(const struct block_value *value, unsigned vector);
LLVMValueRef block_vector(struct block_emit *emit, const struct block_value *value,
                          unsigned vector);
/* The same value with the weaker shape. */
struct block_value block_to_shape(struct block_emit *emit, const struct block_value *value,
                                  struct block_shape shape);
/* Where mask: then; else: otherwise; all three of the shape. */
struct block_value block_select(struct block_emit *emit, const LLVMValueRef *mask,
                                const struct block_value *then, const struct block_value *otherwise,
                                struct block_shape shape);
struct block_value block_poison(struct block_emit *emit, LLVMTypeRef type,
                                struct block_shape shape);
/* Phis of the shape, without incoming values; and one way in for them. */
struct block_value block_phi(struct block_emit *emit, LLVMTypeRef type, struct block_shape shape);
void block_add_incoming(struct block_emit *emit, struct block_value *phi,
                        const struct block_value *value, LLVMBasicBlockRef from);
struct block_value block_get(struct block_emit *emit, LLVMValueRef value);
/* Whether block_get has it without a load and cannot fail, for what may as well be left out. */
bool block_is_at_hand(const struct block_emit *emit, LLVMValueRef value);
/* Likewise, or in memory: for what is computed from it where something else that is, is used. */
bool block_is_known(const struct block_emit *emit, LLVMValueRef value);
/* The same for each vector; or one more from lane to lane. */
bool block_is_known_uniform(const struct block_emit *emit, LLVMValueRef value);
bool block_is_known_line(const struct block_emit *emit, LLVMValueRef value);
void block_set(struct block_emit *emit, LLVMValueRef value, struct block_value made);
/* count elements, aligned for vectors. */
LLVMValueRef block_array(struct block_emit *emit, LLVMTypeRef element, LLVMValueRef count,
                         const char *name);
LLVMValueRef block_alloca(struct block_emit *emit, LLVMTypeRef type, unsigned align,
                          const char *name);

/* Two ways that meet again: the builder is in the first, then in the second, then behind both.
 * Values: one of each way, or NULL. */
struct block_ways {
    LLVMBasicBlockRef second, join, from;
    LLVMValueRef value; /* of the first way */
};
struct block_ways block_part_ways(struct block_emit *emit, LLVMValueRef test, bool is_likely);
void block_other_way(struct block_emit *emit, struct block_ways *ways, LLVMValueRef value);
LLVMValueRef block_meet(struct block_emit *emit, const struct block_ways *ways, LLVMValueRef value);
/* The second way is empty. */
void block_or_nothing(struct block_emit *emit, struct block_ways *ways);

/* emit/debug_lines.c */
/* The function is one of the source from now on, if there is debug information. */
void block_debug_start(struct block_emit *emit);
/* What is built next stands for the source's instruction. */
void block_place(struct block_emit *emit, LLVMValueRef source);
void block_debug_finish(struct lower_context *lower);

/* emit/instruction.c */
/* i1: nothing wraps, signed or unsigned, between a value and the one that far from it. */
LLVMValueRef block_test_span(struct block_emit *emit, enum block_test test, LLVMValueRef lane0,
                             int64_t span);
/* i1: the lanes' values follow lane 0's without a wrap between them. */
LLVMValueRef block_test(struct block_emit *emit, LLVMValueRef instruction, enum block_test test,
                        const struct block_value *operand, unsigned vector);
void block_instruction(struct block_emit *emit, LLVMValueRef instruction);
/* What holds for one thread need not for all, such as that pointers do not alias. */
void block_drop_metadata(struct block_emit *emit, LLVMValueRef source, LLVMValueRef clone);
/* A clone for lane 0 of the vector. */
LLVMValueRef block_clone(struct block_emit *emit, LLVMValueRef instruction,
                         const struct block_value *operands, unsigned vector);

/* plan/field_pairs.c */
/* The access of the field beside this one's that can be made with it; NULL: none.  Of a store, the
 * other one comes next; of a load, it is of the field behind. */
LLVMValueRef block_find_pair(const struct block_emit *emit, LLVMValueRef access);
bool block_is_below(LLVMValueRef access, LLVMValueRef other);
/* An integer of both. */
LLVMTypeRef block_pair_type(const struct block_emit *emit, LLVMValueRef access);
LLVMValueRef block_join_pair(struct block_emit *emit, LLVMValueRef access, LLVMValueRef low,
                             LLVMValueRef high);
LLVMValueRef block_part_of_pair(struct block_emit *emit, LLVMValueRef access, LLVMValueRef pair,
                                unsigned which);

/* plan/nontemporal.c */
/* The kernel is built, and its general shapes are known: which of its stores may be such, by
 * vectors of so many lanes. */
void block_find_streams(struct block_kernel *kernel, unsigned lanes);
/* Of the function, and of a row of the entry that stands for the kernel's store. */
void block_say_streams(struct block_emit *emit);
void block_mark_stream(struct block_emit *emit, LLVMValueRef store, LLVMValueRef made);
/* i1: the block's grid is large enough for them. */
LLVMValueRef block_build_streams(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef block,
                                 uint64_t thread_bytes);
/* Behind the last block of a call, before anybody is told that it is done. */
void block_build_stream_fence(LLVMModuleRef module, LLVMBuilderRef builder);

/* plan/interleave.c */
/* A load of a field of structures that follow each other: false if it is none, or the row must not
 * be read. */
bool block_load_field(struct block_emit *emit, LLVMValueRef load, const struct block_value *at,
                      struct block_value *made);
/* A store of one, of which first is the one that comes first in the program; the last of them is
 * made, for all.  False if not all fields are stored. */
bool block_store_structure(struct block_emit *emit, LLVMValueRef store, LLVMValueRef first);

/* The address, without constants that are added to it. */
LLVMValueRef block_without_constants(LLVMValueRef address, int64_t *offset);
/* Of a load or store. */
LLVMValueRef block_accessed(LLVMValueRef at);
/* What a plain access of a number is to. */
struct block_member {
    LLVMValueRef base;
    int64_t offset; /* from the base, bytes */
    unsigned size;  /* 0: no such access */
};
struct block_member block_member_of(LLVMValueRef at);

/* emit/access.c */
void block_load(struct block_emit *emit, LLVMValueRef load);
/* Before all chunks, from that address. */
LLVMValueRef block_load_one(struct block_emit *emit, LLVMValueRef load, LLVMValueRef at);
void block_store(struct block_emit *emit, LLVMValueRef store);
/* A copy of a small structure, if all lanes' can be made at once; false: it is as any call. */
bool block_copy_rows(struct block_emit *emit, LLVMValueRef call);
/* The source only says what the accesses alias; one of the two differs between lanes. */
void block_store_value(struct block_emit *emit, LLVMValueRef source, unsigned align,
                       LLVMTypeRef type, const struct block_value *value,
                       const struct block_value *at);

/* emit/thread_context.c */
/* Whether the call may set or read the thread's last error. */
bool block_may_fail(LLVMValueRef call);
/* Around a call by the thread of that number. */
void block_enter_thread(struct block_emit *emit, LLVMValueRef thread, LLVMValueRef call);
void block_leave_thread(struct block_emit *emit, LLVMValueRef thread, LLVMValueRef call);
/* The thread that the lane of that number is (i32). */
LLVMValueRef block_thread_of(struct block_emit *emit, LLVMValueRef number);
/* What dividing by dimensions needs, and threadIdx of all lanes: in LAYOUT_ANY. */
void block_make_reciprocals(struct block_emit *emit);
void block_number_lanes(struct block_emit *emit);
/* At the function's start and end. */
void block_make_errors(struct block_emit *emit);
void block_tell_errors(struct block_emit *emit);

/* plan/fault_context.c */
/* Where the chunks of a region tell, for reports of faults, that they are at work. */
struct block_telling {
    bool any;
    bool first;  /* before all else */
    bool *nodes; /* at the beginning of these nodes; not if `first` */
    bool lasts;  /* other regions may follow */
};
struct block_telling block_find_telling(const struct block_emit *emit,
                                        const struct block_graph *graph);
/* The chunk, one of its threads, or nobody in particular is at work. */
void block_tell_chunk(struct block_emit *emit);
void block_tell_thread(struct block_emit *emit, LLVMValueRef thread);
void block_tell_nobody(struct block_emit *emit);

/* emit/scalarize.c */
/* Runs the instruction once for each lane that is on. */
void block_each_lane(struct block_emit *emit, LLVMValueRef instruction);
void block_call(struct block_emit *emit, LLVMValueRef call);
/* An array with the value of each lane, for a loop over them; used counts the arrays that the
 * loop has. */
LLVMValueRef block_keep_lanes(struct block_emit *emit, const struct block_value *value,
                              LLVMTypeRef type, size_t *used);
LLVMValueRef block_kept_lane(struct block_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                             LLVMValueRef lane /* i64, in the chunk */);

/* emit/warp_ops.c */
void block_exchange(struct block_emit *emit, LLVMValueRef call);
/* analysis/alias.c */
/* The address is surely in the block's shared memory. */
bool block_is_shared(LLVMValueRef address);
/* The kernel's shared memory is apart from its other memory. */
bool block_is_shared_apart(const struct block_kernel *kernel);
/* A node whose first operand is itself. */
LLVMMetadataRef block_distinct(struct block_emit *emit, LLVMMetadataRef second);
/* A hint of that name for the loop that the branch closes. */
void block_mark_loop(struct block_emit *emit, LLVMValueRef branch, const char *word);
/* The conditional branch hardly ever goes its second way. */
void block_mark_likely(struct block_emit *emit, LLVMValueRef branch);
void block_alias_start(struct block_emit *emit);
/* Has what is known of shared memory outlive the optimizer: see post/shared_memory.h. */
void block_alias_tell(struct block_emit *emit);
/* A store to the thread's context, which no access of the kernel reaches. */
void block_alias_mark_context(struct block_emit *emit, LLVMValueRef store);
/* An access of the entry that stands for the kernel's. */
void block_alias_mark(struct block_emit *emit, LLVMValueRef from, LLVMValueRef to);
/* A load of where shared memory begins. */
void block_alias_shared_base(struct block_emit *emit, LLVMValueRef from, LLVMValueRef to);

/* emit/atomics.c */
/* A compare-and-swap has both, all else the first. */
struct block_swap {
    LLVMValueRef old, is_equal;
};
/* Shared memory, and an operation that scalars can do. */
bool block_is_plain_atomic(LLVMValueRef instruction);
struct block_swap block_plain_atomic(struct block_emit *emit, LLVMValueRef instruction,
                                     const LLVMValueRef *operands);
void block_atomic(struct block_emit *emit, LLVMValueRef instruction);

/* plan/prefetch_loop.c */
/* An index, and what is added to it in each turn: the threads of the grid. */
struct block_stride {
    LLVMValueRef index, step; /* step is NULL: the loop has none */
};
struct block_stride block_find_stride(const struct block_graph *graph, int loop);
/* Bytes of each lane, if the instruction is a load of neighbouring elements by the index; else 0.
 */
int64_t block_strides_by(const struct block_graph *graph, const struct block_stride *stride,
                         LLVMValueRef at);
/* The value is made of one of the three numbers that the block has from that field on, by
 * arithmetic of so many steps. */
bool block_asks_for(LLVMValueRef value, size_t field, unsigned depth);
/* The value is made of the phi, by arithmetic of a few steps. */
bool block_hangs_on(LLVMValueRef value, LLVMValueRef phi);
/* At the end of a turn that all lanes went, whose last node decides by a comparison. */
void block_look_ahead(struct block_emit *emit, int loop, unsigned last, bool wanted);
/* Hints for the lines that lie offset (i64) bytes behind. */
void block_ask_for(struct block_emit *emit, LLVMValueRef start, LLVMValueRef offset, int64_t bytes);

/* plan/prefetch_far.c */
/* Where all lanes come to the node at which they leave the loop at once. */
void block_look_along(struct block_emit *emit, int loop, unsigned last);

/* plan/prefetch_blocks.c */
/* After a load of neighbouring elements at that address. */
void block_ask_next(struct block_emit *emit, LLVMValueRef load, const struct block_value *at);

/* analysis/affine.c */
/* What from outside the loop is added to its header's phi in each turn; NULL: nothing such. */
LLVMValueRef block_step_of(const struct block_graph *graph, int loop, LLVMValueRef phi);
struct block_slope {
    bool is_known;
    LLVMValueRef by; /* i64, emitted where the builder is; NULL: unknown, or there is none */
};
/* Between the values that a block and the next one in the grid's x have. */
struct block_slope block_slope_by_block(struct block_emit *emit, LLVMValueRef value);
/* Blocks that lie side by side in the grid's x have elements of that size side by side there, as
 * far as rows of their threads go. */
bool block_goes_on(const struct block_emit *emit, LLVMValueRef address, int64_t size);
/* Between a turn's and the next one's; the turn is emitted. */
struct block_slope block_slope_by_turn(struct block_emit *emit, int loop, LLVMValueRef value);

/* analysis/chunk_conditions.c */
/* i1: all lanes of the chunk, which are at work, have the condition as wanted. */
LLVMValueRef block_agree(struct block_emit *emit, LLVMValueRef condition, bool wanted);
/* What a loop's phi starts with, if the same number for all lanes is added to it in each turn; else
 * NULL. */
LLVMValueRef block_start_of_stride(const struct block_kernel *kernel, LLVMValueRef phi);
/* The loop's phi grows by the same for the whole chunk, from lanes that follow each other, and an
 * agreement on the condition about the next turn says that they still do: signed or unsigned. */
enum block_test block_stays_line(const struct block_emit *emit, LLVMValueRef condition,
                                 LLVMValueRef phi);

/* plan/early_exits.c */
/* At the branch on it, to which these lanes come. */
void block_note_narrow(struct block_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask);

/* emit/control.c */
void block_nodes(struct block_emit *emit, const bool *set, int level);

/* plan/slots.c */
/* Integers and addresses, without memory, and cannot fail. */
bool block_is_arithmetic(LLVMValueRef instruction);
/* Likewise, or divides by a constant: it can be made once more, wherever its operands are known. */
bool block_is_computable(LLVMValueRef instruction);
void block_find_slots(struct block_emit *emit, const struct block_graph *graph, bool *live,
                      bool *mixed, bool *torn);
bool block_can_recompute(const struct block_emit *emit, LLVMValueRef value);
void block_recompute(struct block_emit *emit, LLVMValueRef value);
void block_make_slot(struct block_emit *emit, int number);
void block_save_slot(struct block_emit *emit, int number);
void block_load_slot(struct block_emit *emit, int number);
void block_save_mixed(struct block_emit *emit, int number, bool is_first);
struct block_value block_load_mixed(struct block_emit *emit, int number);

/* emit/convert.c */
/* LLVM's conversion of floating point to integers that saturates. */
bool block_is_saturating(LLVMValueRef call);
void block_saturate(struct block_emit *emit, LLVMValueRef call);

/* emit/divide.c */
/* Its lanes' quotient or remainder is found without a division of integers, as a rule.  Those that
 * are off divide by anything. */
bool block_divides_by_vectors(LLVMValueRef instruction);
LLVMValueRef block_divide(struct block_emit *emit, LLVMValueRef instruction,
                          const struct block_value *operands, unsigned vector);

/* plan/all_active.c */
/* The region's graph without the ways that hardly any lane goes; the same if there are none. */
const struct block_graph *block_make_fast(const struct block_kernel *kernel,
                                          const struct block_graph *graph);
/* By node of such a graph: nothing has been seen of a chunk that comes there, all its lanes. */
const bool *block_find_restarts(const struct block_graph *graph);
/* Nor at the instruction. */
bool block_may_restart(const struct block_emit *emit, LLVMValueRef instruction);

/* emit/function.c */
struct block_options {
    unsigned lanes, vectors;
    unsigned vectors_of_size; /* at most, where the block's size is known and fills them */
    bool in_halves;           /* a vector lies in two registers of half the width */
    bool is_seldom;           /* the entry hardly ever runs */
    const char *prefix;       /* of the function's name */
};
/* What became of a kernel for its layout. */
struct block_entry {
    /* void (params, block, i32 blockIdx.x), or with the one behind the last block's as well if
     * it takes a range; NULL if it was refused. */
    LLVMValueRef function;
    bool takes_range;
    const char *refusal;
    unsigned regions, slots;
    uint64_t thread_bytes; /* of stack for each thread of the block */
};
struct block_entry block_entry_emit(struct block_kernel *kernel,
                                    const struct block_options *options);
/* i32: a field of the block that is the same for all blocks of the grid. */
LLVMValueRef block_word(struct block_emit *emit, size_t offset, const char *name);
/* Faults and debuggers ask which block it is. */
void block_store_index(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef block,
                       LLVMValueRef x);

/* plan/width.c */
/* Lanes of 32 bits in the processor's vectors. */
unsigned block_widest(const struct lower_options *options);
/* Whether the processor has fused multiply-add. */
bool block_has_fma(const struct lower_options *options);
/* The kernel is built; its shapes are those of the general entry afterwards. */
struct block_options block_options_of(struct block_kernel *kernel);
/* Lanes that leave a loop by it do so at the same time but for a few, as in
 * for (i = thread; i < n; i += threads). */
bool block_is_bound(const struct block_kernel *kernel, LLVMValueRef condition);
/* Something in it runs lane by lane, as a call. */
bool block_has_calls(const struct block_graph *graph);
bool block_starts_region(const struct block_kernel *kernel, unsigned node);
/* Of one thread's variables, where each lane of a chunk has its own. */
uint64_t block_local_bytes(const struct block_kernel *kernel);

/* analysis/launch_sizes.c */
struct block_launches {
    struct block_launch {
        const char *kernel;
        struct block_size size; /* all zero: not known here */
        bool is_bound;          /* no launch, but what __launch_bounds__ or a test says */
    } *items;
    size_t count;
    bool has_host; /* the host's are among them */
};
struct block_launches block_launches_find(const struct lower_context *lower);
/* Different sizes, how many. */
unsigned block_launches_of(const struct block_launches *launches, const char *kernel,
                           struct block_size sizes[BLOCK_MOST_SIZES]);
/* Whether the unit launches the kernel, always with one of these. */
bool block_launches_are_known(const struct block_launches *launches, const char *kernel);

#endif
