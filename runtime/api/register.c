/* Registration of modules and the join of host names with device tables. */
#include "api/register.h"

#include <stdio.h>
#include <string.h>

#include "api/embed_internal.h"
#include "api/exit.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/options.h"
#include "exec/report/finding.h"
#include "exec/report/names.h"
#include "exec/report/sites.h"
#include "mem/constants.h"
#include "mem/memmap.h"
#include "os/code.h"

static bool is_same(const struct cdp_abi_module *a, const struct cdp_abi_module *b)
{
    return a->kernels == b->kernels && a->entries == b->entries && a->variables == b->variables;
}

static bool is_known(const struct cdp_registry *registry, const struct cdp_abi_module *module)
    CDP_NEEDS(&registry->lock)
{
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        if (is_same(&m->tables, module)) {
            return true;
        }
    }
    return false;
}

/* A repetition makes the tables stale too: the loader may have put another library at the address
 * of an unloaded one. */
CDP_EXPORT void cdp_abi_register(const struct cdp_abi_module *module)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    cdp_runtime_count_allocations();
    cdp_lock_acquire(&registry->lock);
    if (!is_known(registry, module)) {
        struct cdp_registry_module *entry = cdp_alloc(sizeof *entry);
        if (entry != NULL) {
            *entry = (struct cdp_registry_module){.next = registry->modules, .tables = *module};
            registry->modules = entry;
        } else {
            /* Before main no error can be returned. The runtime will not start, see start_all. */
            atomic_store(&registry->has_lost, true);
        }
    }
    atomic_store(&registry->is_stale, true);
    cdp_lock_release(&registry->lock);
}

/* Adds the tables of checks of a module; false if there is no memory. */
static bool add_checks(struct cdp_registry *registry, const struct cdp_abi_module_checks *checks)
    CDP_NEEDS(&registry->lock)
{
    if (cdp_sites_add(checks->sites, checks->sites_end) != CDP_OK) {
        return false;
    }
    for (const struct cdp_registry_checks *c = registry->checks; c != NULL; c = c->next) {
        if (c->tables.objects == checks->objects) {
            return true;
        }
    }
    struct cdp_registry_checks *entry = cdp_alloc(sizeof *entry);
    if (entry == NULL) {
        return false;
    }
    *entry = (struct cdp_registry_checks){.next = registry->checks, .tables = *checks};
    registry->checks = entry;
    return true;
}

CDP_EXPORT void cdp_abi_register_checks(const struct cdp_abi_module_checks *checks)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    uint32_t mask = 0;
    for (const uint32_t *one = checks->checks; one < checks->checks_end; one++) {
        mask |= *one;
    }
    cdp_lock_acquire(&registry->lock);
    if (!add_checks(registry, checks)) {
        atomic_store(&registry->has_lost, true);
    }
    cdp_lock_release(&registry->lock);
    cdp_finding_enable(mask);
    if (mask != 0) {
        cdp_exit_prepare();
    }
}

CDP_EXPORT void cdp_abi_default_option(const char *variable, const char *value)
{
    cdp_options_default(variable, value);
}

static void tell_unchecked(const struct cdp_abi_module_checks *checks)
{
    long objects = checks->objects_end - checks->objects;
    long checked = checks->checks_end - checks->checks;
    if (checked < objects) {
        const char *file = cdp_os_module_file(checks->objects);
        cdp_finding_remark("%ld of %ld object files of %s were compiled without --check: checks do "
                           "not see what they do",
                           objects - checked, objects, file != NULL ? file : "a library");
    }
}

void cdp_registry_tell_unchecked(void)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    cdp_lock_acquire(&registry->lock);
    for (const struct cdp_registry_checks *c = registry->checks; c != NULL; c = c->next) {
        tell_unchecked(&c->tables);
    }
    cdp_lock_release(&registry->lock);
}

void cdp_registry_invalidate(void)
{
    atomic_store(&cdp_runtime_registry()->is_stale, true);
}

/* ---- Names within one module ---- */

struct name_slot {
    const char *name; /* NULL: empty */
    void *value;
    bool is_taken; /* assigned to an entry of the host */
};
struct name_table {
    size_t mask;
    struct name_slot *slots; /* owned */
};

static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    }
    return hash ^ hash >> 32;
}

/* Static references of textures may have the same name in several units, on the host too. The
 * linker places both in the order of the units, so the first of the host belongs to the first of
 * the device. */
static void add_name(const struct name_table *table, const char *name, void *value)
{
    size_t i = hash_name(name) & table->mask;
    while (table->slots[i].name != NULL) {
        i = (i + 1) & table->mask;
    }
    table->slots[i] = (struct name_slot){.name = name, .value = value};
}

/* The first value of a name that is not assigned yet, else the last; NULL if there is none. Several
 * host entries refer to one variable if several units may define it. */
static void *take_name(const struct name_table *table, const char *name)
{
    struct name_slot *found = NULL;
    for (size_t i = hash_name(name) & table->mask; table->slots[i].name != NULL;
         i = (i + 1) & table->mask) {
        if (strcmp(table->slots[i].name, name) == 0) {
            found = &table->slots[i];
            if (!found->is_taken) {
                break;
            }
        }
    }
    if (found == NULL) {
        return NULL;
    }
    found->is_taken = true;
    return found->value;
}

/* Collects kernels and variables by name; false if there is no memory. */
static bool collect_names(const struct cdp_abi_module *module, struct name_table *table)
{
    size_t count = (size_t)(module->kernels_end - module->kernels) +
                   (size_t)(module->variables_end - module->variables);
    size_t slots = 16;
    while (slots < 2 * count) {
        slots *= 2;
    }
    table->mask = slots - 1;
    table->slots = cdp_alloc_zero(slots * sizeof table->slots[0]);
    if (table->slots == NULL) {
        return false;
    }
    for (struct cdp_abi_kernel *k = module->kernels; k < module->kernels_end; k++) {
        add_name(table, k->name, k);
    }
    for (struct cdp_abi_variable *v = module->variables; v < module->variables_end; v++) {
        add_name(table, v->name, v);
    }
    return true;
}

static bool is_kernel_of(const struct cdp_abi_module *module, const void *value)
{
    return (uintptr_t)value >= (uintptr_t)module->kernels &&
           (uintptr_t)value < (uintptr_t)module->kernels_end;
}

/* ---- The join ---- */

struct join {
    struct cdp_symbol_table *kernels, *variables; /* owned until published */
};

static bool has_right_version(const struct cdp_abi_kernel *kernel)
{
    if (kernel->abi_version == CDP_ABI_VERSION) {
        return true;
    }
    fprintf(stderr,
            "cdp: kernel %s was compiled for version %u of the runtime's interface, this "
            "runtime has %u: compile it again\n",
            kernel->name, kernel->abi_version, CDP_ABI_VERSION);
    return false;
}

static bool join_module(struct join *join, const struct cdp_abi_module *module)
{
    struct name_table names;
    if (!collect_names(module, &names)) {
        return false;
    }
    bool complete = cdp_constants_add(module->constants, module->constants_end) == CDP_OK;
    bool is_current = true;
    for (struct cdp_abi_kernel *k = module->kernels; k < module->kernels_end; k++) {
        if (has_right_version(k)) {
            cdp_symbol_table_add(join->kernels, k, k);
        } else {
            is_current = false;
        }
    }
    complete &= !is_current || cdp_names_add(module) == CDP_OK;
    for (struct cdp_abi_variable *v = module->variables; v < module->variables_end; v++) {
        struct cdp_memmap_variable variable = {
            .address = v->address,
            .size = v->size,
            .name = v->name,
            .is_constant = (v->flags & CDP_VARIABLE_CONSTANT) != 0,
            .is_managed = (v->flags & CDP_VARIABLE_MANAGED) != 0,
        };
        complete &= cdp_memmap_add_variable(&variable) == CDP_OK;
        cdp_symbol_table_add(join->variables, v->address, v);
    }
    for (struct cdp_abi_offload_entry *e = module->entries; e < module->entries_end; e++) {
        void *value = e->name != NULL ? take_name(&names, e->name) : NULL;
        if (value == NULL) {
            continue; /* no device code uses it */
        }
        if (!is_kernel_of(module, value)) {
            cdp_symbol_table_add(join->variables, e->address, value);
        } else if (((struct cdp_abi_kernel *)value)->abi_version == CDP_ABI_VERSION) {
            cdp_symbol_table_add(join->kernels, e->address, value);
        }
    }
    cdp_free(names.slots);
    return complete;
}

static void count_symbols(const struct cdp_registry *registry, size_t *kernels, size_t *variables)
    CDP_NEEDS(&registry->lock)
{
    *kernels = *variables = 0;
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        size_t entries = (size_t)(m->tables.entries_end - m->tables.entries);
        *kernels += entries + (size_t)(m->tables.kernels_end - m->tables.kernels);
        *variables += entries + (size_t)(m->tables.variables_end - m->tables.variables);
    }
    for (const struct cdp_embedded_kernel *e = registry->embedded; e != NULL; e = e->next) {
        *kernels += 1;
    }
}

static uint64_t align_segment(uint64_t offset)
{
    return (offset + CDP_ABI_SHARED_ALIGN - 1) & ~(uint64_t)(CDP_ABI_SHARED_ALIGN - 1);
}

/* Where the first segment can start: after every kernel's own shared memory, and not at 0, which
 * marks a segment without a place. */
static uint64_t least_base(const struct cdp_registry *registry) CDP_NEEDS(&registry->lock)
{
    uint64_t extent = 1;
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        for (const struct cdp_abi_kernel *k = m->tables.kernels; k < m->tables.kernels_end; k++) {
            extent = k->shared_extent > extent ? k->shared_extent : extent;
        }
    }
    return align_segment(extent);
}

/* Whether a library that was loaded late has a kernel that needs the memory where segments are. */
static bool must_move_segments(const struct cdp_registry *registry) CDP_NEEDS(&registry->lock)
{
    return registry->segments_end != 0 && least_base(registry) > registry->segments_base;
}

/* Whether place_segments will change anything; then nothing may be running. */
static bool has_segments_to_place(const struct cdp_registry *registry) CDP_NEEDS(&registry->lock)
{
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        const struct cdp_abi_shared_segment *segment = m->tables.segments;
        for (; segment < m->tables.segments_end; segment++) {
            if (segment->base == 0) {
                return true;
            }
        }
    }
    return must_move_segments(registry);
}

/* Places each segment that has no place after the others. */
static void place_segments(struct cdp_registry *registry) CDP_NEEDS(&registry->lock)
{
    bool moves = must_move_segments(registry);
    uint64_t end = moves ? 0 : registry->segments_end;
    if (end == 0) {
        registry->segments_base = end = least_base(registry);
    }
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        struct cdp_abi_shared_segment *segment = m->tables.segments;
        for (; segment < m->tables.segments_end; segment++) {
            if (segment->base == 0 || moves) {
                segment->base = end;
                end = align_segment(end + segment->size);
            }
        }
    }
    registry->segments_end = end > registry->segments_base ? end : 0;
}

/* Called before the tables are published: a thread that finds a kernel in them launches it with
 * this end of the segments. */
static void tell_segments(const struct cdp_registry *registry) CDP_NEEDS(&registry->lock)
{
    const struct cdp_runtime *running = cdp_runtime_running();
    if (running != NULL) {
        cdp_engine_set_shared_segments(running->engine, registry->segments_end);
    }
}

static bool join_all(struct cdp_registry *registry) CDP_NEEDS(&registry->lock)
{
    size_t kernels, variables;
    count_symbols(registry, &kernels, &variables);
    struct join join = {.kernels = cdp_symbol_table_create(kernels),
                        .variables = cdp_symbol_table_create(variables)};
    bool complete = join.kernels != NULL && join.variables != NULL;
    for (const struct cdp_registry_module *m = registry->modules; complete && m != NULL;
         m = m->next) {
        complete = join_module(&join, &m->tables);
    }
    if (!complete) {
        cdp_free(join.kernels);
        cdp_free(join.variables);
        return false;
    }
    for (struct cdp_embedded_kernel *e = registry->embedded; e != NULL; e = e->next) {
        cdp_symbol_table_add(join.kernels, &e->kernel, &e->kernel);
    }
    place_segments(registry);
    tell_segments(registry);
    join.kernels->older = atomic_load(&registry->kernels);
    join.variables->older = atomic_load(&registry->variables);
    atomic_store_explicit(&registry->kernels, join.kernels, memory_order_release);
    atomic_store_explicit(&registry->variables, join.variables, memory_order_release);
    return true;
}

/* Joins if modules were added since the last time. If there is no memory, the old tables stay, and
 * the next look-up tries again. */
static void refresh(struct cdp_registry *registry)
{
    if (cdp_abi_self != NULL) {
        return; /* device code uses only modules that existed when its launch began */
    }
    cdp_lock_acquire(&registry->lock);
    struct cdp_runtime *running = cdp_runtime_running();
    if (running != NULL && has_segments_to_place(registry)) {
        cdp_lock_release(&registry->lock);
        cdp_streams_synchronize(running->streams, CDP_ALL_DEVICES);
        cdp_lock_acquire(&registry->lock);
    }
    if (atomic_load(&registry->is_stale) && join_all(registry)) {
        atomic_store(&registry->is_stale, false);
    }
    cdp_lock_release(&registry->lock);
}

static const struct cdp_symbol_table *current(struct cdp_registry *registry,
                                              _Atomic(struct cdp_symbol_table *) *table)
{
    /* Relaxed: a thread that can name a new kernel has the name from the thread that loaded it, and
     * with the name it sees the flag. */
    if (CDP_UNLIKELY(atomic_load_explicit(&registry->is_stale, memory_order_relaxed))) {
        refresh(registry);
    }
    /* Acquire pairs with the release in join_all: the table is complete. */
    return atomic_load_explicit(table, memory_order_acquire);
}

struct cdp_abi_kernel *cdp_registry_find_kernel(const void *handle)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    return cdp_symbol_find(current(registry, &registry->kernels), handle);
}

struct cdp_abi_variable *cdp_registry_find_variable(const void *handle)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    return cdp_symbol_find(current(registry, &registry->variables), handle);
}

bool cdp_registry_names(const void *handle)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    bool found = false;
    cdp_lock_acquire(&registry->lock);
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        const struct cdp_abi_offload_entry *e = m->tables.entries;
        for (; !found && e < m->tables.entries_end; e++) {
            found = e->address == handle;
        }
    }
    cdp_lock_release(&registry->lock);
    return found;
}

const void *cdp_registry_stub(const struct cdp_abi_kernel *kernel)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    const struct cdp_symbol_table *kernels = current(registry, &registry->kernels);
    const void *stub = NULL;
    cdp_lock_acquire(&registry->lock);
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        const struct cdp_abi_offload_entry *e = m->tables.entries;
        for (; is_kernel_of(&m->tables, kernel) && e < m->tables.entries_end; e++) {
            stub = cdp_symbol_find(kernels, e->address) == kernel ? e->address : stub;
        }
    }
    cdp_lock_release(&registry->lock);
    return stub;
}

/* As on hardware, each kernel counts all constants of its module. */
size_t cdp_registry_constant_bytes(const struct cdp_abi_kernel *kernel)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    size_t bytes = 0;
    cdp_lock_acquire(&registry->lock);
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        const struct cdp_abi_variable *v = m->tables.variables;
        for (; is_kernel_of(&m->tables, kernel) && v < m->tables.variables_end; v++) {
            bytes += (v->flags & CDP_VARIABLE_CONSTANT) != 0 ? v->size : 0;
        }
    }
    cdp_lock_release(&registry->lock);
    return bytes;
}

bool cdp_registry_is_whole(void)
{
    const struct cdp_registry *registry = cdp_runtime_registry();
    return !atomic_load(&registry->is_stale) && !atomic_load(&registry->has_lost);
}

void cdp_registry_reset_kernels(void)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    cdp_lock_acquire(&registry->lock);
    for (const struct cdp_registry_module *m = registry->modules; m != NULL; m = m->next) {
        for (struct cdp_abi_kernel *k = m->tables.kernels; k < m->tables.kernels_end; k++) {
            __atomic_store_n(&k->max_dynamic_shared, 0, __ATOMIC_RELAXED);
        }
    }
    for (struct cdp_embedded_kernel *e = registry->embedded; e != NULL; e = e->next) {
        __atomic_store_n(&e->kernel.max_dynamic_shared, 0, __ATOMIC_RELAXED);
    }
    cdp_lock_release(&registry->lock);
}

/* A module without kernels has variables, or nothing that a program could ask for. */
static const void *base_of(const struct cdp_abi_module *module)
{
    return cdp_os_module_of(module->kernels < module->kernels_end
                                ? (const void *)module->kernels
                                : (const void *)module->variables);
}

const struct cdp_abi_module *cdp_registry_find_module(const void *base)
{
    struct cdp_registry *registry = cdp_runtime_registry();
    cdp_lock_acquire(&registry->lock);
    const struct cdp_registry_module *found = registry->modules;
    while (found != NULL && base_of(&found->tables) != base) {
        found = found->next;
    }
    cdp_lock_release(&registry->lock);
    return found != NULL ? &found->tables : NULL;
}
