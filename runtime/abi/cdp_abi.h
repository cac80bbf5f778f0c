/* The interface between compiled device code and the runtime.
 *
 * cdpcc emits code and tables that depend on this header and on nothing else of the runtime. The
 * runtime includes nothing of cdpcc. Both are compiled from this one file, so the layouts always
 * agree. CDP_ABI_VERSION in each descriptor detects an old object that is linked with a new
 * runtime.
 *
 * Compiled code finds its context through cdp_abi_self, a thread-local pointer. The runtime sets it
 * before a CUDA thread runs and at every fiber switch. It does not change while one CUDA thread
 * runs, and neither do the fields marked const, so the compiler may load them once.
 *
 * cdp_abi.def lists the functions that compiled code may call. */
#ifndef CDP_ABI_H
#define CDP_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CDP_ABI_VERSION 4

struct cdp_abi_block;

/* One CUDA thread's context. Owned by the fiber that runs the thread. */
struct cdp_abi_thread {
    uint32_t thread_idx[3];      /* const while the thread runs */
    uint32_t linear;             /* x + y * Dx + z * Dx * Dy; lane = linear % 32 */
    struct cdp_abi_block *block; /* const while the thread runs */
    int32_t last_error;          /* the thread's own cudaError_t */
    /* A launch set last_error, and it has not been read since; 2: because memory ran out. */
    uint32_t launch_failed;
    /* Both are const while the thread runs. Code that checks its accesses uses them:
     * cdp_abi_check_access. */
    uint64_t local_low, local_size; /* this thread's own local memory */
    uint64_t private_low,
        private_size; /* the shared memory of all blocks and the local memory of all threads */
    /* Fault context of a block entry, for reports: the lower half is the first thread that may
     * be active, the upper half is the number of such threads; 0: any thread. Compiled code
     * writes it. */
    uint32_t at_work;
};

enum { CDP_AT_WORK_COUNT_SHIFT = 16 };

/* One resident block, as its threads see it. All fields are const while it runs. */
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
    uint64_t shared_size; /* bytes of this block from shared on; 0: none */
};

/* One kernel parameter within the launch's parameter buffer. */
struct cdp_abi_param {
    uint32_t offset; /* bytes from the start of the buffer */
    uint32_t size;   /* bytes */
};

/* One pointer to data in a kernel's parameters, also in structs and arrays. A launch tests what it
 * points to. Function pointers and pointers in unions, which may hold something else, are not
 * listed. */
struct cdp_abi_pointer {
    uint32_t offset;  /* bytes from the start of the buffer; aligned or not */
    uint32_t param;   /* index into cdp_abi_kernel.params */
    const char *name; /* the name in the source, "p", "list.head", "rows[2].at"; may be NULL */
};

/* A position in the source; file is NULL if it is unknown. */
struct cdp_abi_place {
    const char *file;
    uint32_t line, column;
};

/* One static shared variable, for reports and for the red zones of sanitizers. */
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
    CDP_KERNEL_ROWS = 1 << 4,     /* one call of the block entry may run several blocks: it calls no
                                     function for which the runtime keeps data of each block */
    CDP_KERNEL_BRIEF = 1 << 5, /* each thread runs a few hundred instructions, and waits for nothing
                                  except such threads of its block */
    CDP_KERNEL_ARCH_SHIFT =
        16, /* bits 16 to 31: the architecture it was compiled for, 90 = sm_90; 0: not stated */
};

/* The number that programs get when they query a multiprocessor. */
enum { CDP_ABI_WARPS_PER_MULTIPROCESSOR = 64 };

/* The block entries that cdpcc makes do not support blocks of fewer threads. If there is a thread
 * entry, the runtime does not call the block entry for them. */
enum { CDP_ABI_FEWEST_AT_ONCE = 3 };

/* A kernel. On the device a kernel's address is its descriptor's address. Emitted into section
 * "cdp_kernels" (writable, 8-byte aligned entries of exactly this struct), in the COMDAT group of
 * the kernel if it has one. */
struct cdp_abi_kernel {
    uint32_t abi_version; /* CDP_ABI_VERSION */
    uint32_t flags;       /* enum cdp_abi_kernel_flags */
    const char *name;     /* mangled, as in the host's offload entry */
    /* Runs one CUDA thread to its end; cdp_abi_self is set. */
    void (*thread_entry)(const void *params);
    /* Runs all threads of the block and of the following blocks in the same row of the grid: count
     * blocks, one after the other, in the same shared memory; count is 1 without CDP_KERNEL_ROWS.
     * It returns count. It returns 0, before it has done anything, if it does not support the
     * block's shape. NULL if there is no block entry. The entry sets block_idx[0], which is not
     * const here, to the block that it runs. cdp_abi_self is set to a context. The entry itself
     * sets thread_idx and linear of this context before it calls anything that reads them. */
    uint32_t (*block_entry)(const void *params, struct cdp_abi_block *block, uint32_t count);
    const struct cdp_abi_param *params;     /* param_count entries */
    const struct cdp_abi_pointer *pointers; /* pointer_count entries, ordered by offset */
    const struct cdp_abi_shared_variable *shared_variables; /* shared_count entries; may be NULL */
    uint32_t param_count;
    uint32_t param_size;    /* bytes of the whole buffer */
    uint32_t shared_size;   /* bytes of static shared memory, without red zones */
    uint32_t shared_extent; /* bytes to reserve for it, including red zones */
    uint32_t shared_count;
    uint32_t max_threads; /* of __launch_bounds__; 0 = none given */
    uint32_t min_blocks;  /* second argument of __launch_bounds__ */
    uint32_t local_size;  /* bytes of stack frame if known, else 0 */
    const char *file;     /* where the kernel is defined; NULL without debug info */
    uint32_t line;
    uint32_t pointer_count;
    /* The following fields belong to the runtime. They are zero in the object file. */
    void *runtime;               /* attached by the runtime */
    uint32_t max_dynamic_shared; /* raised by cudaFuncSetAttribute; atomic access */
    uint32_t reserved32;
    uint64_t reserved;
};

/* The modes of shuffles and reductions; compat/cdp/sync.h has the same numbers. */
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

/* The section of __constant__ variables. It consists of whole pages that hold nothing else, because
 * each unit that has such variables ends its contribution with an aligned page of its own. The
 * runtime makes the pages read-only. */
#define CDP_CONSTANT_SECTION "cdp_const"
#define CDP_CONSTANT_PAGE 4096
#define CDP_CONSTANT_PAGE_ARM 65536 /* the largest of its kernels' */

/* Shared variables of device functions that other translation units may call. Each module with such
 * variables has one of these in section "cdp_shared". The runtime fills in base at registration,
 * and code adds it to the block's shared pointer: base is beyond every kernel's own extent. */
struct cdp_abi_shared_segment {
    uint64_t base; /* written by the runtime before a kernel of its module runs; may move later */
    uint32_t size; /* bytes, multiple of 16 */
    uint32_t variable_count;
    const struct cdp_abi_shared_variable *variables; /* offsets from base; may be NULL */
};

/* The entry that clang puts into section "llvm_offload_entries" for each kernel's host stub and
 * each device variable's host shadow (struct __tgt_offload_entry). */
struct cdp_abi_offload_entry {
    uint64_t reserved;
    uint16_t version, kind;
    uint32_t flags;
    void *address;
    char *name;
    uint64_t size, data;
    void *aux;
};

/* A local variable whose address escapes, for reports. Section "cdp_locals" has one such entry for
 * each, without gaps: this struct, then two strings that end with a zero. The first string is the
 * variable's location in its function's frame in the assembler's notation, "16(%rsp)". The second
 * is its name in reports, "local variable 'x'". If the optimizer has put several variables into one
 * place, each has an entry. */
struct cdp_abi_local {
    int32_t code;  /* from this field to code of the function */
    uint32_t size; /* bytes */
};

/* The tables of one linked module (executable or shared library). Each object file that cdpcc
 * writes calls cdp_abi_register from a constructor of priority 101, with the module's section
 * bounds (from __start_/__stop_ symbols, hidden and weak). The runtime ignores repetitions. */
struct cdp_abi_module {
    struct cdp_abi_offload_entry *entries, *entries_end;
    struct cdp_abi_kernel *kernels, *kernels_end;
    struct cdp_abi_variable *variables, *variables_end;
    struct cdp_abi_shared_segment *segments, *segments_end;
    char *constants, *constants_end;
    const char *locals, *locals_end;
};
void cdp_abi_register(const struct cdp_abi_module *module);

/* Checked accesses (cdpcc --check=space). Shared memory belongs to one block and local memory to
 * one thread. All shared and local memory, and nothing else, lies in one range of addresses. Before
 * an access of size bytes, checked code tests, with t = cdp_abi_self and a = the address as a
 * number:
 *
 *     if (a - t->private_low < t->private_size)
 *         cdp_abi_check_access(address, size, flags);
 *
 * It may omit the call if it finds that the memory is the thread's own:
 *
 *     a - t->local_low < t->local_size, or
 *     a - (uint64_t)t->block->shared < t->block->shared_size
 *
 * and that the same holds for the last byte. The call does not rely on these tests. It returns if
 * the access is legal: outside the range, or within the calling thread's local or its block's
 * shared memory, and aligned as flags say. Otherwise it reports who accesses whose memory, at the
 * line of its caller. So the call needs a debug location. Then the launch tree fails: 717, sticky,
 * for memory of others, 716 for a misaligned address. In this case the call does not return, except
 * with CDP_ILLEGAL_POINTERS=warn. Device code only. */
enum cdp_abi_access {
    CDP_ACCESS_READ = 0,
    CDP_ACCESS_WRITE = 1 << 0,
    CDP_ACCESS_ATOMIC = 1 << 1,
    CDP_ACCESS_ALIGNMENT = 8, /* from this bit on: the alignment it must have, in bytes */
};
void cdp_abi_check_access(const void *address, uint64_t size, uint32_t flags);

/* If the threads of a grid write at least this many bytes by contiguous stores, all together, they
 * use nontemporal stores. Const while device code runs. */
extern uint64_t cdp_abi_stream_bytes;

/* The CUDA thread that runs on this OS thread; NULL in host code. */
extern __thread struct cdp_abi_thread *cdp_abi_self __attribute__((tls_model("initial-exec")));

#ifdef __cplusplus
}
#endif
#endif
