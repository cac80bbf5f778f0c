/* The tables by which a module describes its kernels and variables to the runtime.
 *
 * They are a part of the interface of cdp_abi.h: cdpcc emits them, each into a section of its own,
 * and the runtime reads them when the module is registered. Where nothing else is said, they are
 * const. */
#ifndef CDP_TABLES_H
#define CDP_TABLES_H

#include <stdint.h>

#define CDP_ABI_VERSION 8

struct cdp_abi_block;

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
struct cdp_abi_position {
    const char *file;
    uint32_t line, column;
};

/* The alignment of a block's shared memory in bytes: the largest that a variable there can have. */
enum { CDP_ABI_SHARED_ALIGN = 1024 };

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
    CDP_KERNEL_ROWS = 1 << 4,     /* one call of the block entry may run several blocks: only the
                                     last of them may have called functions for which the runtime
                                     keeps data of each block */
    CDP_KERNEL_BRIEF = 1 << 5, /* each thread runs a few hundred instructions, and waits for nothing
                                  except such threads of its block */
    CDP_KERNEL_LAUNCHES = 1 << 6, /* its code launches grids; not set if only code that the unit
                                     does not have does */
    CDP_KERNEL_LAUNCHES_GRAPHS = 1 << 7, /* the same of graphs */
    CDP_KERNEL_UNSURE = 1 << 8, /* thread entries may be faster than the block entry; its threads
                                   wait for nothing, and call nothing of the runtime except to
                                   launch and to print */
    CDP_KERNEL_NEVER_WAITS = 1 << 9,   /* its threads wait for nothing, and call nothing of the
                                          runtime; it has a block entry, too */
    CDP_KERNEL_LARGE_LOCALS = 1 << 10, /* the block entry may need more stack than is left in a
                                          parent's block */
    CDP_KERNEL_ARCH_SHIFT =
        16, /* bits 16 to 31: the architecture it was compiled for, 90 = sm_90; 0: not stated */
};

/* The number that programs get when they query a multiprocessor. */
enum { CDP_ABI_WARPS_PER_MULTIPROCESSOR = 64 };

/* The block entries that cdpcc makes do not support blocks of fewer threads. If there is a thread
 * entry, the runtime does not call the block entry for them. */
enum { CDP_ABI_FEWEST_AT_ONCE = 3 };

/* A kernel's clusters, in blocks. The runtime sets all fields but dim, which are zero in the object
 * file, by cudaFuncSetAttribute; atomic access. */
struct cdp_abi_cluster_size {
    uint32_t dim[3];      /* of __cluster_dims__; 0 = none given */
    uint32_t large;       /* not 0: clusters may have more than 8 blocks */
    uint32_t required[3]; /* like dim, for a kernel that gives none */
    uint32_t policy;      /* enum cudaClusterSchedulingPolicy; ignored */
};

/* A kernel. On the device a kernel's address is its descriptor's address. Emitted into section
 * "cdp_kernels" (writable, 8-byte aligned entries of exactly this struct), in the COMDAT group of
 * the kernel if it has one. */
struct cdp_abi_kernel {
    uint32_t abi_version; /* CDP_ABI_VERSION */
    uint32_t flags;       /* enum cdp_abi_kernel_flags */
    const char *name;     /* mangled, as in the host's offload entry */
    /* Runs one CUDA thread to its end; cdp_abi_self is set. */
    void (*thread_entry)(const void *params);
    /* Runs all threads of the block and of the following blocks in the same row of the grid: up to
     * count blocks, one after the other, in the same shared memory; count is 1 without
     * CDP_KERNEL_ROWS. It returns how many it ran. These may be fewer than count if the last one
     * that it ran called the runtime. It returns 0, before it has done anything, if it does not
     * support the block's shape. NULL if there is no block entry. The entry sets block_idx[0],
     * which is not const here, to the block that it runs. cdp_abi_self is set to a context. The
     * entry itself sets thread_idx and linear of this context before it calls anything that reads
     * them. */
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
    struct cdp_abi_cluster_size cluster;
    /* The following fields belong to the runtime. They are zero in the object file. */
    void *runtime;               /* attached by the runtime */
    uint32_t max_dynamic_shared; /* 1 + what cudaFuncSetAttribute set; atomic access */
    uint32_t faster;             /* the faster entry; 0: unknown; atomic access; block/trial.h */
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

/* The tables of one linked module (executable or shared library): see cdp_abi_register. */
struct cdp_abi_module {
    struct cdp_abi_offload_entry *entries, *entries_end;
    struct cdp_abi_kernel *kernels, *kernels_end;
    struct cdp_abi_variable *variables, *variables_end;
    struct cdp_abi_shared_segment *segments, *segments_end;
    char *constants, *constants_end;
    const char *locals, *locals_end;
};

/* The tables of checked code (cdp_check.h) in one linked module. Each object that was compiled from
 * a .cu has an entry in section "cdp_objects". Those that were compiled with --check have one in
 * section "cdp_checks", too. */
struct cdp_abi_site;
struct cdp_abi_module_checks {
    struct cdp_abi_site *sites, *sites_end;
    const uint32_t *checks, *checks_end;   /* enum cdp_abi_checks */
    const uint32_t *objects, *objects_end; /* only their number matters */
};

#endif
