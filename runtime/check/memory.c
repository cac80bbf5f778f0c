/* Accesses that are outside of their object: the judgement and the report. */
#include "check/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "check/image.h"
#include "exec/report/fault.h"
#include "exec/report/finding.h"
#include "exec/report/names.h"
#include "exec/report/reliance.h"
#include "exec/state/cluster.h"
#include "exec/state/engine.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "os/os.h"

/* One access that was found. */
struct access {
    const struct cdp_abi_site *site;
    uintptr_t address, base;
    uintptr_t stack; /* the lowest address of the frame that accesses */
    uint64_t size;
    struct cdp_abi_bounds object; /* size 0: base is in no object */
    bool is_variable;             /* the object is a variable that starts at base */
};

/* The words of a report. */
struct mistake {
    const char *what; /* follows "write of 4 bytes" */
    const char *help; /* or NULL */
    char memory[1300];
};

static bool contains(struct cdp_abi_bounds bounds, const struct access *access)
{
    return access->size <= bounds.size &&
           access->address - bounds.low <= bounds.size - access->size;
}

static const char *verb(const struct cdp_abi_site *site)
{
    return (site->flags & CDP_SITE_ATOMIC) != 0  ? "atomic access"
           : (site->flags & CDP_SITE_WRITE) != 0 ? "write"
                                                 : "read";
}

static bool is_before(const struct access *access)
{
    return access->address < access->object.low;
}

/* "; the access is 4 bytes after its end". */
static void add_distance(const struct access *access, char *out, size_t size)
{
    size_t used = strlen(out);
    uint64_t low = access->object.low, end = low + access->object.size;
    if (is_before(access)) {
        snprintf(out + used, size - used, "; the access is %" PRIu64 " bytes before its start",
                 low - access->address);
    } else if (access->address >= end) {
        snprintf(out + used, size - used, "; the access is %" PRIu64 " bytes after its end",
                 access->address - end);
    } else {
        snprintf(out + used, size - used, "; the access starts %" PRIu64 " bytes before its end",
                 end - access->address);
    }
}

/* Whether the pointer is the start of dynamic shared memory. If the launch has none, the address
 * may be outside of the block's shared memory. */
static bool is_dynamic_shared(const struct access *access)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    return access->is_variable && access->base == (uintptr_t)block->view.dynamic_shared &&
           access->object.size == block->view.dynamic_shared_size;
}

/* A pointer to shared memory of another block of the cluster, which does not run. */
static void describe_sibling(const struct access *access, struct mistake *mistake)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    const struct cdp_cluster *cluster = block->slab.cluster;
    const void *base = (const void *)access->base;
    uint32_t rank = cdp_cluster_rank_at(cluster, base);
    char name[256];
    bool has_ended = atomic_load_explicit(&cluster->members[rank].state, memory_order_relaxed) ==
                     CDP_MEMBER_ENDED;
    cdp_names_shared(block, base, name, sizeof name);
    snprintf(mistake->memory, sizeof mistake->memory, "%s of the block of rank %" PRIu32, name,
             rank);
    mistake->what = has_ended ? "of the shared memory of a block that has ended"
                              : "of the shared memory of a block that has not started";
    mistake->help = has_ended ? "let all blocks of the cluster meet after the last such access: "
                                "cluster.sync()"
                              : "let all blocks of the cluster meet first: cluster.sync()";
}

static void describe_shared(const struct access *access, struct mistake *mistake)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    char name[256];
    if (access->object.size == 0 && cdp_cluster_is_of_sibling(block, (const void *)access->base)) {
        describe_sibling(access, mistake);
        return;
    }
    bool is_dynamic = is_dynamic_shared(access);
    if (!access->is_variable) {
        snprintf(mistake->memory, sizeof mistake->memory,
                 "the block's shared memory (%" PRIu64 " bytes)", access->object.size);
    } else if (is_dynamic) {
        snprintf(mistake->memory, sizeof mistake->memory,
                 "dynamic shared memory, of which the launch has %" PRIu32 " bytes",
                 block->view.dynamic_shared_size);
        mistake->help = "pass the size in bytes as the third argument of <<<...>>>";
    } else {
        cdp_names_shared(block, (const void *)access->base, name, sizeof name);
        snprintf(mistake->memory, sizeof mistake->memory, "%s (%" PRIu64 " bytes)", name,
                 access->object.size);
    }
    mistake->what = is_before(access)     ? "before the start of shared memory"
                    : is_dynamic          ? "beyond the end of dynamic shared memory"
                    : access->is_variable ? "beyond the end of a shared variable"
                                          : "beyond the end of shared memory";
    add_distance(access, mistake->memory, sizeof mistake->memory);
}

static void describe_variable(const struct access *access, const char *name,
                              struct mistake *mistake)
{
    bool is_local = cdp_memmap_space((const void *)access->base) == CDP_SPACE_LOCAL;
    mistake->what = is_local            ? "outside of a local variable"
                    : is_before(access) ? "before the start of a variable"
                                        : "beyond the end of a variable";
    snprintf(mistake->memory, sizeof mistake->memory, "%svariable%s%s%s (%" PRIu64 " bytes)",
             is_local ? "local " : "", name != NULL ? " '" : "", name != NULL ? name : "",
             name != NULL ? "'" : "", access->object.size);
    add_distance(access, mistake->memory, sizeof mistake->memory);
}

/* A pointer to local memory that was passed to the function. */
static void describe_local(const struct access *access, struct mistake *mistake)
{
    struct cdp_bounds_local local = cdp_bounds_local(access->base, access->stack);
    struct access of_variable = *access;
    switch (local.kind) {
    case CDP_LOCAL_VARIABLE:
    case CDP_LOCAL_GAP:
        of_variable.object = local.variable;
        describe_variable(&of_variable, local.name, mistake);
        return;
    case CDP_LOCAL_DEAD:
        mistake->what = "of a local variable whose function has returned";
        mistake->help = "return a value, or let the caller pass the memory";
        snprintf(mistake->memory, sizeof mistake->memory,
                 "address %p, in the part of the thread's local memory that is not in use",
                 (const void *)access->address);
        return;
    case CDP_LOCAL_OTHER:
        break;
    }
    mistake->what = "outside of the thread's local memory";
    snprintf(mistake->memory, sizeof mistake->memory,
             "the thread's local memory (%" PRIu64 " bytes)", access->object.size);
    add_distance(access, mistake->memory, sizeof mistake->memory);
}

/* A pointer in a live object, and an access outside of it. */
static void describe_object(const struct access *access, struct mistake *mistake)
{
    struct cdp_memory memory;
    cdp_memmap_find((const void *)access->base, &memory);
    bool is_variable = memory.space == CDP_SPACE_VARIABLE || memory.space == CDP_SPACE_CONSTANT;
    mistake->what =
        is_before(access) ? "before the start of an allocation" : "beyond the end of an allocation";
    mistake->help = "compare the index with the number of elements before the access";
    if (is_variable) {
        mistake->what =
            is_before(access) ? "before the start of a variable" : "beyond the end of a variable";
    }
    cdp_describe_object((const void *)access->base, mistake->memory, sizeof mistake->memory);
    add_distance(access, mistake->memory, sizeof mistake->memory);
}

static void describe_host_variable(const struct access *access, struct mistake *mistake)
{
    char name[300];
    if (cdp_image_name((const void *)access->address, name, sizeof name)) {
        snprintf(mistake->memory, sizeof mistake->memory, "host variable '%s'", name);
    }
}

/* A pointer to nothing. */
static void describe_wild(const struct access *access, struct mistake *mistake)
{
    enum cdp_space space;
    struct cdp_heap_freed freed;
    struct cdp_heap *heap = cdp_memmap_heap((const void *)access->address, &space);
    struct cdp_memory memory;
    cdp_memmap_find((const void *)access->address, &memory);
    if (memory.size != 0 && cdp_bounds_is_read_only(&memory)) {
        mistake->what = "of host memory that was registered as read-only";
        mistake->help = "register the memory without cudaHostRegisterReadOnly";
    } else if (memory.size != 0 && cdp_bounds_is_foreign(&memory)) {
        mistake->what = "of another device's memory, without peer access";
        mistake->help =
            "let the host call cudaDeviceEnablePeerAccess() while the kernel's device is "
            "current, or copy the data with cudaMemcpyPeer()";
    } else if (access->base < cdp_os_page()) {
        mistake->what = "through a null pointer";
        mistake->help = "allocate the memory, and compare the result with NULL";
    } else if (heap != NULL && cdp_heap_find_freed(heap, (const void *)access->address, &freed)) {
        mistake->what = "of memory that was freed";
        mistake->help = "free memory after the last kernel that uses it";
    } else if (heap != NULL) {
        mistake->what = "of device memory that is not allocated";
    } else if (access->address >> 56 == UINT8_MAX) {
        mistake->what = "through a pointer from memory that nobody wrote";
        mistake->help = "--check=init finds the read of the pointer";
    } else if (!cdp_os_is_mapped((const void *)access->address, 1)) {
        mistake->what = "at an address that no memory has";
    } else if (cdp_image_is_of_host((const void *)access->address)) {
        mistake->what = "of a host variable, which device code must not access";
        mistake->help =
            "declare it __device__ or __managed__, or copy it to memory from cudaMalloc";
        describe_host_variable(access, mistake);
        return;
    } else {
        mistake->what = "of host memory, which device code must not access";
        mistake->help = "copy the data to memory from cudaMalloc, or use cudaMallocManaged";
    }
    if (!cdp_describe_address((const void *)access->address, mistake->memory,
                              sizeof mistake->memory)) {
        snprintf(mistake->memory, sizeof mistake->memory,
                 "address %p, which is not in memory of CUDA", (const void *)access->address);
    }
}

static void describe(const struct access *access, struct mistake *mistake)
{
    enum cdp_space space = cdp_memmap_space((const void *)access->base);
    if (space == CDP_SPACE_SHARED || is_dynamic_shared(access)) {
        describe_shared(access, mistake);
    } else if (access->is_variable) {
        describe_variable(access, access->site->variable, mistake);
    } else if (cdp_bounds_is_local(access->base)) {
        describe_local(access, mistake);
    } else if (access->object.size != 0) {
        describe_object(access, mistake);
    } else {
        describe_wild(access, mistake);
    }
}

CDP_COLD CDP_NORETURN static void report(const struct access *access)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    struct cdp_engine *engine = block->executor->engine;
    struct mistake mistake = {.what = ""};
    char title[300];
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    describe(access, &mistake);
    snprintf(title, sizeof title, "%s of %" PRIu64 " byte%s %s", verb(access->site), access->size,
             access->size == 1 ? "" : "s", mistake.what);
    struct cdp_finding finding = {
        .check = CDP_CHECKS_MEMORY,
        .title = title,
        .error = cdp_fault_error_name(engine, CDP_FAULT_ADDRESS),
        .memory = mistake.memory,
        .help = mistake.help,
    };
    cdp_finding_place_of(&finding.at, block, cdp_abi_self->thread_idx);
    finding.at.site = access->site;
    finding.at.has_thread = true;
    (void)cdp_finding_report(&finding);
    cdp_fault_fail(CDP_FAULT_ADDRESS, title);
}

/* Whether the pointer was computed outside of its object: before it, after it, or at its end where
 * the next variable starts. */
static bool is_legal(const struct access *access)
{
    struct cdp_abi_bounds bounds = cdp_bounds_find((const void *)access->address, access->stack);
    bool is_end = access->object.low == access->base && bounds.low + bounds.size == access->base;
    return (access->object.size == 0 || is_end) && contains(bounds, access);
}

/* Reads of memory that is read-only, within its end. */
static bool reads_read_only(const struct access *access)
{
    struct cdp_memory memory;
    if ((access->site->flags & (CDP_SITE_WRITE | CDP_SITE_ATOMIC)) != 0 ||
        access->object.size != 0) {
        return false;
    }
    cdp_memmap_find((const void *)access->address, &memory);
    struct cdp_abi_bounds bounds = {(uintptr_t)memory.base, memory.size};
    return memory.size != 0 && cdp_bounds_is_read_only(&memory) && contains(bounds, access);
}

/* With the check turned off, an access to host memory succeeds. */
static void note_host_memory(const struct cdp_abi_site *site, const void *address)
{
    /* Relaxed: it only saves the search. */
    if (atomic_load_explicit(&cdp_reliance_host_memory.amount, memory_order_relaxed) == 0 &&
        cdp_abi_bounds(address).size == 0 && cdp_memmap_space(address) == CDP_SPACE_HOST &&
        cdp_os_is_mapped(address, 1)) {
        cdp_reliance_note(&cdp_reliance_host_memory, 1, site);
    }
}

void cdp_abi_memory_fault(const struct cdp_abi_site *site, const void *address, uint64_t size,
                          const void *base, uint64_t variable_size)
{
    if (size == 0) {
        return;
    }
    if (!cdp_finding_is_on(CDP_CHECKS_MEMORY)) {
        note_host_memory(site, address);
        return;
    }
    struct access access = {
        .site = site,
        .address = (uintptr_t)address,
        .base = (uintptr_t)base,
        .stack = (uintptr_t)__builtin_frame_address(0),
        .size = size,
        .object = {(uintptr_t)base, variable_size},
        .is_variable = variable_size != CDP_BOUNDS_OF_POINTER,
    };
    if (!access.is_variable) {
        access.object = cdp_bounds_find(base, access.stack);
    }
    if (!access.is_variable && (contains(access.object, &access) || is_legal(&access))) {
        return;
    }
    if (!access.is_variable && reads_read_only(&access)) {
        return;
    }
    report(&access);
}
