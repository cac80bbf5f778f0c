/* The contract between compiled device code and the runtime.
 *
 * cdpcc emits code and tables in terms of this header and nothing else of the
 * runtime; the runtime includes nothing of cdpcc.  Both are compiled from this
 * one file, so a layout cannot drift; CDP_ABI_VERSION in each descriptor catches
 * an old object linked with a new runtime.
 *
 * How compiled code finds itself: cdp_abi_self, a thread-local pointer that the
 * runtime sets before a CUDA thread runs and at every fiber switch.  It does not
 * change while one CUDA thread runs, and neither do the fields marked const, so
 * the compiler may load them once.
 *
 * The functions compiled code may call are listed in cdp_abi.def. */
#ifndef CDP_ABI_H
#define CDP_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CDP_ABI_VERSION 4

struct cdp_abi_block;

/* One CUDA thread's context.  Owned by the fiber that runs the thread. */
struct cdp_abi_thread {
    uint32_t thread_idx[3];      /* const while the thread runs */
    uint32_t linear;             /* x + y * Dx + z * Dx * Dy; lane = linear % 32 */
    struct cdp_abi_block *block; /* const while the thread runs */
    int32_t last_error;          /* the thread's own cudaError_t */
    /* A launch set last_error and it was not read since; 2: for want of memory. */
    uint32_t launch_failed;
    /* Both const while the thread runs; for code that checks its accesses, see
     * cdp_abi_check_access. */
    uint64_t local_low, local_size;     /* this thread's own local memory */
    uint64_t private_low, private_size; /* all blocks' shared, all threads' local memory */
    /* While a block entry runs, for reports of faults: the first of the threads which may be at
     * work, and in the upper half how many; 0: any.  Compiled code writes it. */
    uint32_t at_work;
};

enum { CDP_AT_WORK_COUNT_SHIFT = 16 };

/* One resident block, as its threads see it.  All const while it runs. */
struct cdp_abi_block {
    uint32_t block_idx[3];
    uint32_t thread_count; /* of the block */
    uint32_t block_dim[3];
    uint32_t dynamic_shared_size; /* bytes */
    uint32_t grid_dim[3];
    uint32_t depth;       /* nesting depth; 0 = launched by the host */
    char *shared;         /* the kernel's static shared variables; 128-byte aligned */
    char *dynamic_shared; /* start of extern __shared__ arrays; 16-byte aligned */
    const struct cdp_abi_kernel *kernel;
    uint64_t shared_size; /* bytes from shared on that are this block's; 0: none */
};

/* One kernel parameter within the launch's parameter buffer. */
struct cdp_abi_param {
    uint32_t offset; /* bytes from the start of the buffer */
    uint32_t size;   /* bytes */
};

/* One pointer to data in a kernel's parameters, also in structs and arrays: a launch looks
 * at what it points to.  No pointer to code, and none in a union, which may hold something
 * else. */
struct cdp_abi_pointer {
    uint32_t offset;  /* bytes from the start of the buffer; aligned or not */
    uint32_t param;   /* index into cdp_abi_kernel.params */
    const char *name; /* as the source has it, "p", "list.head", "rows[2].at"; may be NULL */
};

/* A place in the source; file is NULL where none is known. */
struct cdp_abi_place {
    const char *file;
    uint32_t line, column;
};

/* One static shared variable, for reports and for sanitizers' red zones. */
struct cdp_abi_shared_variable {
    const char *name;
    uint32_t offset; /* from cdp_abi_block.shared */
    uint32_t size;   /* bytes */
};

enum cdp_abi_kernel_flags {
    CDP_KERNEL_CDP1 = 1 << 0,     /* compiled with --cdp=1 */
    CDP_KERNEL_CDP2 = 1 << 1,     /* compiled with --cdp=2; neither: auto */
    CDP_KERNEL_WARP_OPS = 1 << 2, /* may use warp operations: always set unless disproved */
    CDP_KERNEL_FFI = 1 << 3,      /* registered from C; private to the runtime */
    CDP_KERNEL_ROWS = 1 << 4,     /* one call of the block entry may run several blocks: it calls
                                     nothing that the runtime keeps for each block */
    CDP_KERNEL_BRIEF = 1 << 5,    /* each thread runs a few hundred instructions, and waits for
                                     nothing but other threads of its block that run as briefly */
    CDP_KERNEL_ARCH_SHIFT = 16,   /* bits 16 to 31: compiled for, 90 = sm_90; 0: nothing said */
};

/* What programs are told of a multiprocessor. */
enum { CDP_ABI_WARPS_PER_MULTIPROCESSOR = 64 };

/* Blocks of fewer threads are no shape for the block entries that cdpcc makes: where there is
 * a thread entry, the runtime does not ask. */
enum { CDP_ABI_FEWEST_AT_ONCE = 3 };

/* A kernel.  On the device a kernel's address is its descriptor's address.
 * Emitted into section "cdp_kernels" (writable, 8-byte aligned entries of exactly
 * this struct), in the COMDAT group of the kernel if it has one. */
struct cdp_abi_kernel {
    uint32_t abi_version; /* CDP_ABI_VERSION */
    uint32_t flags;       /* enum cdp_abi_kernel_flags */
    const char *name;     /* mangled, as in the host's offload entry */
    /* Runs one CUDA thread to its end; cdp_abi_self is set. */
    void (*thread_entry)(const void *params);
    /* Runs all threads of the block and of those behind it in its row of the grid: count
     * blocks, one after the other, in the same shared memory; 1 without CDP_KERNEL_ROWS.  It
     * returns count; 0 before anything was done says that the block's shape is none for it.
     * NULL if there is none.  block_idx[0], which is not const here, is the entry's to set to
     * the block at work.  cdp_abi_self is set to a context whose thread_idx and linear the
     * entry sets itself before it calls anything that reads them. */
    uint32_t (*block_entry)(const void *params, struct cdp_abi_block *block, uint32_t count);
    const struct cdp_abi_param *params;                     /* param_count of them */
    const struct cdp_abi_pointer *pointers;                 /* pointer_count, by offset */
    const struct cdp_abi_shared_variable *shared_variables; /* shared_count; may be NULL */
    uint32_t param_count;
    uint32_t param_size;    /* bytes of the whole buffer */
    uint32_t shared_size;   /* bytes of static shared memory, without red zones */
    uint32_t shared_extent; /* bytes to reserve for it, with red zones */
    uint32_t shared_count;
    uint32_t max_threads; /* of __launch_bounds__; 0 = none given */
    uint32_t min_blocks;  /* second argument of __launch_bounds__ */
    uint32_t local_size;  /* bytes of stack frame where known, else 0 */
    const char *file;     /* where the kernel is defined; NULL without debug info */
    uint32_t line;
    uint32_t pointer_count;
    /* From here on the runtime's own, zero in the object. */
    void *runtime;               /* what the runtime attaches */
    uint32_t max_dynamic_shared; /* raised by cudaFuncSetAttribute; atomic access */
    uint32_t reserved32;
    uint64_t reserved;
};

/* What shuffles and reductions are told to do; compat/cdp/sync.h has the same numbers. */
enum cdp_abi_shuffle { CDP_SHUFFLE_IDX, CDP_SHUFFLE_UP, CDP_SHUFFLE_DOWN, CDP_SHUFFLE_XOR };
enum cdp_abi_reduce {
    CDP_REDUCE_ADD,
    CDP_REDUCE_UMIN,
    CDP_REDUCE_UMAX,
    CDP_REDUCE_SMIN,
    CDP_REDUCE_SMAX,
    CDP_REDUCE_AND,
    CDP_REDUCE_OR,
    CDP_REDUCE_XOR,
};

/* A __device__, __constant__ or __managed__ variable.  Section "cdp_vars". */
enum cdp_abi_variable_flags {
    CDP_VARIABLE_CONSTANT = 1 << 0,
    CDP_VARIABLE_MANAGED = 1 << 1,
};
struct cdp_abi_variable {
    const char *name; /* as in the host's offload entry */
    void *address;
    uint64_t size; /* bytes */
    uint64_t flags;
};

/* The section of __constant__ variables: whole pages that hold nothing else, since each unit
 * that has any ends its part with a page, aligned to a page, of its own.  The runtime makes
 * them read-only. */
#define CDP_CONSTANT_SECTION "cdp_const"
#define CDP_CONSTANT_PAGE 4096
#define CDP_CONSTANT_PAGE_ARM 65536 /* the largest of its kernels' */

/* Shared variables of device functions that other translation units may call.
 * Each module with any has one of these in section "cdp_shared"; the
 * runtime fills in base at registration, and code adds it to the block's shared
 * pointer: base is beyond every kernel's own extent. */
struct cdp_abi_shared_segment {
    uint64_t base; /* written by the runtime before any kernel runs */
    uint32_t size; /* bytes, multiple of 16 */
    uint32_t variable_count;
    const struct cdp_abi_shared_variable *variables; /* offsets from base; may be NULL */
};

/* What clang puts into section "llvm_offload_entries" for each kernel's host stub
 * and each device variable's host shadow (struct __tgt_offload_entry). */
struct cdp_abi_offload_entry {
    uint64_t reserved;
    uint16_t version, kind;
    uint32_t flags;
    void *address;
    char *name;
    uint64_t size, data;
    void *aux;
};

/* Local variables whose address goes somewhere, for reports.  Section "cdp_locals" has a row
 * for each, one behind the other: this, then two strings with a final zero.  The first is
 * the variable's place in its function's frame as the assembler writes it, "16(%rsp)"; the
 * second is what reports call it, "local variable 'x'".  What the optimizer put into one place
 * has a row each. */
struct cdp_abi_local {
    int32_t code;  /* from this field to code of the function */
    uint32_t size; /* bytes */
};

/* The tables of one linked module (executable or shared library).  Each object
 * file cdpcc makes calls cdp_abi_register from a constructor of priority 101 with
 * the module's section bounds (from __start_/__stop_ symbols, hidden and weak);
 * repeats are dropped by the runtime. */
struct cdp_abi_module {
    struct cdp_abi_offload_entry *entries, *entries_end;
    struct cdp_abi_kernel *kernels, *kernels_end;
    struct cdp_abi_variable *variables, *variables_end;
    struct cdp_abi_shared_segment *segments, *segments_end;
    char *constants, *constants_end;
    const char *locals, *locals_end;
};
void cdp_abi_register(const struct cdp_abi_module *module);

/* Checked accesses (cdpcc --check=space).  Shared memory belongs to one block and local
 * memory to one thread; all of both, and nothing else, lies in one range of addresses.
 * Code that is to be checked asks, before an access of size bytes, with t = cdp_abi_self
 * and a = the address as a number:
 *
 *     if (a - t->private_low < t->private_size)
 *         cdp_abi_check_access(address, size, flags);
 *
 * and may spare itself the call where it sees that the memory is the thread's own:
 *
 *     a - t->local_low < t->local_size, or
 *     a - (uint64_t)t->block->shared < t->block->shared_size
 *
 * and so is the last byte.  The call needs none of these to have been asked: it returns if
 * the access is legal, which is outside the range, or within the calling thread's local
 * or its block's shared memory, and aligned as flags say.  If it is not, it reports who
 * touches whose memory at the line of its caller, so it wants a debug location, and the
 * launch tree fails: 717, sticky, for memory of others, 716 for a misaligned address.  The
 * call does not return then, save with CDP_ILLEGAL_POINTERS=warn.  Device code only. */
enum cdp_abi_access {
    CDP_ACCESS_READ = 0,
    CDP_ACCESS_WRITE = 1 << 0,
    CDP_ACCESS_ATOMIC = 1 << 1,
    CDP_ACCESS_ALIGNMENT = 8, /* from this bit on: the alignment it must have, in bytes */
};
void cdp_abi_check_access(const void *address, uint64_t size, uint32_t flags);

/* A grid whose threads write at least so many bytes of rows, all together, writes them past the
 * caches.  Const while device code runs. */
extern uint64_t cdp_abi_stream_bytes;

/* The CUDA thread that runs on this OS thread; NULL in host code. */
extern __thread struct cdp_abi_thread *cdp_abi_self __attribute__((tls_model("initial-exec")));

#ifdef __cplusplus
}
#endif
#endif
