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
 * cdp_tables.h has the tables that describe kernels and variables.
 * cdp_abi.def lists the functions that compiled code may call. */
#ifndef CDP_ABI_H
#define CDP_ABI_H

#include <stdint.h>

#include "abi/cdp_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cdp_abi_block;
struct cdp_abi_frame; /* cdp_check.h */

/* One CUDA thread's context. Owned by the fiber that runs the thread. */
struct cdp_abi_thread {
    uint32_t thread_idx[3];      /* const while the thread runs */
    uint32_t linear;             /* x + y * Dx + z * Dx * Dy; lane = linear % 32 */
    struct cdp_abi_block *block; /* const while the thread runs */
    int32_t last_error;          /* the thread's own cudaError_t */
    /* A launch set last_error, and it has not been read since; 2: because memory ran out.  Or
     * CDP_THREADS_RETURN. */
    uint32_t launch_failed;
    /* Both are const while the thread runs. Code that checks its accesses uses them:
     * cdp_abi_check_access. */
    uint64_t local_low, local_size; /* this thread's own local memory */
    uint64_t private_low,
        private_size; /* the shared memory of all blocks and the local memory of all threads */
    /* Fault context of a block entry, for reports: the lower half is the first thread that may
     * be active, the upper half is the number of such threads; 0: any thread. Compiled code
     * writes it. */
    uint32_t active_threads;
    /* Memory check: the local variables of the innermost call that lists them; NULL: none. Compiled
     * code writes it. */
    const struct cdp_abi_frame *frame;
    /* The launch whose child runs as a part of the launching thread's code, one thread after the
     * other (tools/cdpcc/simd/prepare/serial_child.c); NULL: none. Compiled code writes it and the
     * next three fields, for reports of faults. */
    const struct cdp_abi_serial *serial;
    uint32_t serial_index;     /* of the child's running thread in its grid */
    uint32_t serial_threads;   /* of the child's grid, which has one dimension */
    uint32_t serial_block_dim; /* of the child */
};

/* A launch in the source whose child may run as a part of the code that launches it. */
struct cdp_abi_serial {
    const struct cdp_abi_kernel *kernel; /* the child */
    const char *site;                    /* "file:line:column"; empty if it is not known */
};

enum { CDP_ACTIVE_COUNT_SHIFT = 16 };

/* A thread entry stores this in launch_failed before it returns: in a block of one row, all threads
 * with a greater threadIdx.x would return at once, too, if blockIdx.x * blockDim.x + threadIdx.x
 * does not overflow an int in this block (tools/cdpcc/backend/early_return.c). */
enum { CDP_THREADS_RETURN = 3 };

/* One resident block, as its threads see it. All fields but the last two are const while it runs.
 */
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
    /* Initialization check: not 0 if some of the shared memory may be unwritten. Code that checks
     * its accesses then calls the runtime for each. */
    uint32_t shared_unwritten;
    uint32_t serial_children; /* enum cdp_abi_serial_children */
    /* Only block entries use it: not 0 if this block, or one that ran in the same call, has called
     * the runtime. */
    uint32_t has_called;
};

/* Which children in the block's NULL stream may run as a part of the code that launches them
 * (struct cdp_abi_serial). */
enum cdp_abi_serial_children {
    CDP_SERIAL_NONE,  /* the stream is not idle, or launches are counted or have a set order */
    CDP_SERIAL_BRIEF, /* those without loops, or of one block: others may run on several workers */
    CDP_SERIAL_ALL,   /* there is only one worker */
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

/* What cdp_abi_cluster_read reads, in blocks or clusters: each is for the axis x, and followed by y
 * and z; compat/cdp/cluster.h has the same numbers. */
enum cdp_abi_cluster {
    CDP_CLUSTER_AXES = 4,
    CDP_CLUSTER_DIM = 0 * CDP_CLUSTER_AXES,   /* blocks of a cluster */
    CDP_CLUSTER_BLOCK = 1 * CDP_CLUSTER_AXES, /* the block's index in its cluster */
    CDP_CLUSTER_INDEX = 2 * CDP_CLUSTER_AXES, /* the cluster's index in the grid */
    CDP_CLUSTER_GRID = 3 * CDP_CLUSTER_AXES,  /* clusters of the grid */
    CDP_CLUSTER_IS_SPECIFIED =
        4 * CDP_CLUSTER_AXES, /* 1 if the launch or the kernel gives a size */
    /* Not by axis. */
    CDP_CLUSTER_RANK, /* of the block in its cluster */
    CDP_CLUSTER_SIZE, /* blocks */
};

/* Registers the tables of a linked module. Each object file that cdpcc writes calls it from a
 * constructor of priority 101, with the module's section bounds (from __start_/__stop_ symbols,
 * hidden and weak). The runtime ignores repetitions. */
void cdp_abi_register(const struct cdp_abi_module *module);
/* The same for the tables of checks, after cdp_abi_register. */
void cdp_abi_register_checks(const struct cdp_abi_module_checks *checks);

/* The program's own default for an environment variable of the runtime. The environment overrides
 * it. For constructors of priority 101; both texts must be constants. */
void cdp_abi_default_option(const char *variable, const char *value);

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
