/* Races: from an access of a thread to the report. */
#include "exec/report/races.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/state/grid_times.h"
#include "races/flag.h"
#include "races/host_site.h"
#include "races/race.h"
#include "races/release.h"
#include "races/shadow.h"
#include "races/vector.h"
#include "races/wait.h"
#include "exec/report/fault.h"
#include "exec/report/finding.h"
#include "exec/report/names.h"
#include "exec/report/race_help.h"
#include "exec/report/sites.h"
#include "exec/report/unwritten.h"
#include "exec/state/cluster.h"
#include "exec/state/engine.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "os/os.h"

enum { TEXT = 600 };

CDP_EXPORT void cdp_abi_race_access(const struct cdp_abi_site *site, const void *address,
                                    uint64_t size);
CDP_EXPORT void cdp_abi_race_load(const struct cdp_abi_site *site, const void *address,
                                  uint64_t size);
CDP_EXPORT void cdp_abi_race_loads(const struct cdp_abi_site *site, const void *address,
                                   uint64_t size, int64_t step, uint64_t count);
CDP_EXPORT void cdp_abi_race_store(const struct cdp_abi_site *site, const void *address,
                                   uint64_t size, uint64_t value);
CDP_EXPORT uint64_t cdp_abi_race_lanes(const struct cdp_abi_site *site, const void *first,
                                       int64_t stride, uint64_t size, uint64_t lanes,
                                       uint32_t thread);
CDP_EXPORT uint64_t cdp_abi_race_gather(const struct cdp_abi_site *site,
                                        const void *const *addresses, uint64_t size, uint64_t lanes,
                                        uint32_t thread);
CDP_EXPORT uint64_t cdp_abi_race_loads_lanes(const struct cdp_abi_site *site, const void *first,
                                             int64_t stride, uint64_t size, uint64_t lanes,
                                             uint32_t thread, int64_t step, uint64_t count);
CDP_EXPORT uint64_t cdp_abi_race_store_lanes(const struct cdp_abi_site *site, const void *first,
                                             int64_t stride, uint64_t size, uint64_t lanes,
                                             uint32_t thread, const uint64_t *values,
                                             uint32_t first_thread);
CDP_EXPORT uint64_t cdp_abi_race_scatter(const struct cdp_abi_site *site,
                                         const void *const *addresses, uint64_t size,
                                         uint64_t lanes, uint32_t thread, const uint64_t *values,
                                         uint32_t first_thread);
CDP_EXPORT void cdp_abi_race_barrier(void);
CDP_EXPORT void cdp_abi_race_acquire(const void *address);
CDP_EXPORT void cdp_abi_race_fence(uint32_t is_of_block);

/* The operation of a host's stream that this OS thread executes; NULL: none. Owned by this thread.
 */
static __thread struct cdp_history_block *operation;
__thread const void *cdp_races_call_site;
static __thread bool is_reporting; /* reports read memory */
/* What the host's code on this OS thread read last, perhaps a flag. Owned by this thread. */
static __thread const void *polled;
static _Atomic bool is_running; /* the check is on */

/* ---- Blocks and launches ---- */

void cdp_races_start(struct cdp_engine *engine)
{
    const struct cdp_slab_range *slabs = &engine->ranges.slabs;
    engine->modes.races = cdp_finding_is_on(CDP_CHECKS_RACE);
    if (!engine->modes.races) {
        return;
    }
    engine->modes.plain = false;
    if (!cdp_race_start() ||
        !cdp_shadow_add_range(slabs->low, (size_t)(slabs->high - slabs->low))) {
        fprintf(stderr, "cdp: no memory for the race check: it is off\n");
        engine->modes.races = false;
    }
    atomic_store(&is_running, engine->modes.races);
}

void cdp_races_stop(struct cdp_engine *engine)
{
    if (engine->modes.races) {
        atomic_store(&is_running, false);
        cdp_race_stop();
    }
}

void cdp_races_finish(void)
{
    uint64_t forgotten = cdp_history_forgotten();
    if (forgotten != 0) {
        cdp_finding_remark("the race check has forgotten old accesses: %llu comparisons were not "
                           "possible; let the host wait more often to get all reports",
                           (unsigned long long)forgotten);
    }
}

static uint32_t linear_index(const struct cdp_block *block)
{
    const uint32_t *i = block->view.block_idx, *dim = block->view.grid_dim;
    return i[0] + dim[0] * (i[1] + dim[1] * i[2]);
}

void cdp_races_block_starts(struct cdp_block *block)
{
    block->races = cdp_history_begin(*cdp_grid_launch_number(block->grid), linear_index(block),
                                     block->view.thread_count);
    struct cdp_cluster *cluster = block->slab.cluster;
    if (CDP_LIKELY(cluster == NULL) || block->races == NULL) {
        return;
    }
    /* Relaxed: if blocks start at the same time, the later ones may have it too high.  Then a few
     * accesses are not compared. */
    uint32_t first = atomic_load_explicit(&cluster->first_segment, memory_order_relaxed);
    while ((first == 0 || first > block->races->first) &&
           !atomic_compare_exchange_weak_explicit(&cluster->first_segment, &first,
                                                  block->races->first, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
    block->races->shared = first != 0 && first < block->races->first ? first : block->races->first;
}

void cdp_races_block_ends(struct cdp_block *block)
{
    cdp_history_end(block->races);
    block->races = NULL;
}

uint32_t cdp_races_launch(struct cdp_block *block, struct cdp_grid *grid,
                          enum cdp_history_kind kind, uintptr_t key, struct cdp_race_clock *clock)
{
    struct cdp_history_launch launch = {
        .kind = kind,
        .depth = grid->shape.depth,
        .thread = cdp_abi_self->linear,
        .stream = key,
        .clock = clock,
        .kernel = grid->kernel,
        .site = grid->site,
    };
    for (int i = 0; i < 3; i++) {
        launch.grid_dim[i] = grid->shape.grid_dim[i];
        launch.block_dim[i] = grid->shape.block_dim[i];
    }
    uint32_t number = cdp_history_launch(block->races, &launch);
    *cdp_grid_launch_number(grid) = number;
    return number;
}

uint32_t cdp_races_launch_graph(struct cdp_block *block, const void *site)
{
    struct cdp_history_launch launch = {.kind = CDP_LAUNCH_CHILD,
                                        .depth = cdp_grid_depth_below(block->grid->shape.depth),
                                        .thread = cdp_abi_self->linear,
                                        .site = site};
    return cdp_history_launch(block->races, &launch);
}

void cdp_races_operation(uint32_t number)
{
    if (operation != NULL) {
        cdp_history_end(operation);
        operation = NULL;
    }
    if (number != 0) {
        operation = cdp_history_begin(number, 0, 1);
    }
}

void cdp_races_host_function(void)
{
    if (CDP_UNLIKELY(operation != NULL)) {
        cdp_history_host_called(operation->launch);
    }
}

/* ---- Reports ---- */

/* The launches that led to a launch, innermost first. */
static void add_launches(struct cdp_finding_place *place, uint32_t number)
{
    struct cdp_history_launch launch;
    while (number != 0 && place->launch_count < CDP_FINDING_CHAIN &&
           cdp_history_find_launch(number, &launch) && launch.kernel != NULL) {
        struct cdp_history_launch parent = {.kernel = NULL};
        struct cdp_finding_launch *out = &place->launches[place->launch_count++];
        *out = (struct cdp_finding_launch){.kernel = launch.kernel,
                                           .is_tail = launch.kind == CDP_LAUNCH_TAIL,
                                           .pc = launch.site != NULL ? (const char *)launch.site - 1
                                                                     : NULL};
        if (launch.parent != 0 && cdp_history_find_launch(launch.parent, &parent) &&
            parent.kernel != NULL) {
            out->by = parent.kernel;
            cdp_index_of(parent.grid_dim, launch.block, out->block);
            cdp_index_of(parent.block_dim, launch.thread, out->thread);
            out->has_thread = true;
        }
        number = launch.parent;
    }
}

static void set_index(struct cdp_finding_place *place, const struct cdp_history_launch *launch,
                      uint32_t block, const struct cdp_order_access *access)
{
    cdp_index_of(launch->grid_dim, block, place->block);
    if (access->set == CDP_SET_THREAD) {
        cdp_index_of(launch->block_dim, access->thread, place->thread);
        place->has_thread = true;
    }
}

/* An access by its segment and thread. */
static void set_place(struct cdp_finding_place *place, const struct cdp_order_access *access,
                      uint32_t site)
{
    struct cdp_history_segment segment;
    struct cdp_history_launch launch;
    place->pc = cdp_host_site_call(site);
    if (place->pc == NULL) {
        place->site = cdp_sites_find(site);
    }
    if (access->segment == 0 || !cdp_history_find_segment(access->segment, &segment) ||
        segment.launch == 0 || !cdp_history_find_launch(segment.launch, &launch)) {
        return;
    }
    place->kernel = launch.kernel;
    if (launch.kernel == NULL) { /* an operation of a host's stream: only code has sites */
        place->what = site == CDP_RACE_STREAM_SITE ? "a stream memory operation"
                      : site != 0                  ? "a host function"
                                                   : "a copy or fill";
    } else {
        set_index(place, &launch, segment.block, access);
    }
    /* A copy is at its call. */
    if (place->site == NULL && place->pc == NULL && launch.site != NULL) {
        place->pc = (const char *)launch.site - 1;
    }
    add_launches(place, segment.launch);
}

/* What the thread or threads at a place do. */
static const char *verb(const struct cdp_finding_place *place, bool writes, bool is_atomic)
{
    if (place->kernel != NULL && !place->has_thread) {
        return !writes ? "read" : is_atomic ? "write atomically" : "write";
    }
    return !writes ? "reads" : is_atomic ? "writes atomically" : "writes";
}

static void name_thread(const struct cdp_finding_place *place, char *out, size_t size)
{
    const uint32_t *t = place->thread, *b = place->block;
    if (place->kernel == NULL) {
        snprintf(out, size, "%s", place->what != NULL ? place->what : "the host");
    } else if (place->has_thread) {
        snprintf(out, size, "thread (%u,%u,%u) of block (%u,%u,%u)", t[0], t[1], t[2], b[0], b[1],
                 b[2]);
    } else {
        snprintf(out, size, "threads of block (%u,%u,%u)", b[0], b[1], b[2]);
    }
}

static bool describe(const struct cdp_race_access *access, const void *address, char *out,
                     size_t size)
{
    if (access->is_shared) {
        const struct cdp_fiber *fiber = cdp_fiber_of(cdp_abi_self);
        cdp_names_shared(cdp_block_of(&fiber->thread), address, out, size);
        return true;
    }
    return cdp_describe_address(address, out, size);
}

static void note_for_unwritten(const struct cdp_finding *finding)
{
    const struct cdp_abi_site *sites[] = {finding->at.site, finding->other.site};
    for (int i = 0; i < 2; i++) {
        if (sites[i] != NULL) {
            cdp_unwritten_has_race(sites[i]);
        }
    }
}

CDP_COLD static void report(const struct cdp_race_access *access,
                            const struct cdp_race_conflict *conflict, const char *what)
{
    char title[TEXT], memory[TEXT], own[100], other[100], label[100];
    struct cdp_order_access self = {.thread = access->thread};
    self.segment = access->block != NULL ? cdp_history_segment(access->block) : 0;
    struct cdp_finding finding = {.check = CDP_CHECKS_RACE};
    set_place(&finding.at, &self, access->site);
    set_place(&finding.other, &conflict->access, conflict->site);
    const char *noun = finding.other.what; /* NULL: code */
    finding.other.what = "the other access";
    if (cdp_finding_repeats(&finding)) {
        return;
    }
    finding.other.what = noun;
    bool is_one_warp = access->block != NULL && access->block->thread_count <= CDP_LANES;
    finding.help = cdp_race_help(&finding, conflict, access->is_shared, is_one_warp);
    finding.at.what = what != NULL ? what : finding.at.what;
    name_thread(&finding.at, own, sizeof own);
    name_thread(&finding.other, other, sizeof other);
    /* A record of several blocks has the latest one's number and line. Others may race. */
    bool is_grid = conflict->access.set == CDP_SET_GRID;
    if (is_grid) {
        snprintf(other, sizeof other, "threads of several blocks");
    }
    snprintf(title, sizeof title, "%s %s %zu bytes that %s %s, and nothing orders the two", own,
             verb(&finding.at, access->writes, access->is_atomic && finding.at.kernel != NULL),
             access->size, other,
             verb(&finding.other, conflict->writes,
                  conflict->is_atomic && finding.other.kernel != NULL));
    snprintf(label, sizeof label, "%s %s%s", is_grid ? "one of the" : "the",
             conflict->writes ? "write" : "read", is_grid ? "s" : "");
    finding.title = title;
    finding.other.what = label;
    finding.at.what = NULL;
    if (describe(access, conflict->address, memory, sizeof memory)) {
        finding.memory = memory;
    }
    if (access->is_shared) {
        note_for_unwritten(&finding);
    }
    cdp_finding_report(&finding);
}

static void report_once(const struct cdp_race_access *access,
                        const struct cdp_race_conflict *conflict, const char *what)
{
    is_reporting = true;
    report(access, conflict, what);
    is_reporting = false;
}

static void check(const struct cdp_race_access *access, const char *what)
{
    struct cdp_race_conflict conflict;
    if (cdp_race_check(access, &conflict)) {
        report_once(access, &conflict, what);
    }
}

/* An access is compared with the records, and then recorded. Another one at the same instant may be
 * recorded in between, for long if the OS suspends the thread there. So the host and operations of
 * streams compare a second time after they have recorded: the later of the two sees the other.
 * Threads of kernels do not, since that would cost too much. */
static void check_exactly(const struct cdp_race_access *access, const char *what)
{
    struct cdp_race_conflict conflict;
    bool races = cdp_race_check(access, &conflict);
    if (!races && access->is_exact) {
        atomic_thread_fence(memory_order_seq_cst);
        races = cdp_race_check(access, &conflict);
    }
    if (races) {
        report_once(access, &conflict, what);
    }
}

static void remember_stores(const struct cdp_race_vector *vector)
{
    struct cdp_history_stores *stores = vector->block->stores;
    uint32_t segment = cdp_history_segment(vector->block);
    if (stores == NULL) {
        stores = vector->block->stores = cdp_alloc_zero(sizeof *stores);
    }
    if (stores == NULL) {
        return;
    }
    if (stores->site != vector->site || stores->first_thread != vector->first_thread ||
        stores->segment != segment) {
        stores->site = vector->site;
        stores->first_thread = vector->first_thread;
        stores->segment = segment;
        stores->known = 0;
    }
    stores->is_uniform = vector->values == NULL;
    for (uint64_t lanes = vector->lanes; lanes != 0; lanes &= lanes - 1) {
        uint32_t at = vector->thread + (uint32_t)__builtin_ctzll(lanes) - vector->first_thread;
        if (at < CDP_HISTORY_VALUES) {
            stores->known |= UINT64_C(1) << at;
            stores->values[at] = stores->is_uniform ? 0 : vector->values[at];
        }
    }
}

/* Whether the conflicting store is of the same instruction of a block entry, and stores the same.
 */
static bool stores_same(const struct cdp_race_access *access,
                        const struct cdp_race_conflict *conflict)
{
    const struct cdp_history_stores *stores = access->block->stores;
    if (stores == NULL || stores->site != access->site || stores->site != conflict->site ||
        conflict->access.segment != stores->segment) {
        return false;
    }
    uint32_t own = access->thread - stores->first_thread;
    uint32_t other = conflict->access.thread - stores->first_thread;
    return own < CDP_HISTORY_VALUES && other < CDP_HISTORY_VALUES &&
           (stores->known >> own & stores->known >> other & 1) != 0 &&
           (stores->is_uniform || stores->values[own] == stores->values[other]);
}

/* Whether the memory gets the value. Another worker may have recorded its store, but not executed
 * it yet: that takes a few instructions. */
static bool gets_value(const void *address, uint64_t size, uint64_t value)
{
    enum { PATIENCE = 200 };
    for (int i = 0; i < PATIENCE; i++) {
        if (memcmp(address, &value, size) == 0) {
            return true;
        }
        cdp_os_pause();
    }
    return false;
}

/* ---- Accesses ---- */

/* Whether the memory is checked: device code and others can access it. Parameters of launches and
 * other memory of the runtime are not. */
static bool is_for_device(const void *address)
{
    struct cdp_memory memory;
    enum cdp_space space = cdp_memmap_space(address);
    if (space != CDP_SPACE_REGISTERED) {
        return space != CDP_SPACE_HOST;
    }
    cdp_memmap_find(address, &memory);
    return (memory.flags & CDP_MEMMAP_PARAMETERS) == 0;
}

/* Completes an access of the running device thread. False if it is not checked: its own memory, or
 * the block has no record. */
static bool set_thread(struct cdp_race_access *access)
{
    const struct cdp_abi_thread *self = cdp_abi_self;
    struct cdp_block *block = cdp_block_of(self);
    uintptr_t a = (uintptr_t)access->address;
    access->is_shared = a - (uintptr_t)block->view.shared < block->view.shared_size ||
                        cdp_cluster_is_of_sibling(block, access->address);
    access->block = block->races;
    access->thread = self->linear;
    return block->races != NULL &&
           (access->is_shared ||
            (a - self->private_low >= self->private_size && is_for_device(access->address)));
}

/* Hardware accesses them as a whole. 16 bytes are a vector of two words, a value and its flag. */
static bool is_size_of_flag(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static bool is_volatile_flag(const struct cdp_abi_site *site, uint64_t size)
{
    return (site->flags & CDP_SITE_VOLATILE) != 0 && is_size_of_flag(size);
}

static struct cdp_race_access access_of(const struct cdp_abi_site *site, const void *address,
                                        uint64_t size)
{
    return (struct cdp_race_access){
        .address = address,
        .size = size,
        .site = site->number < CDP_RACE_STREAM_SITE ? site->number : 0,
        .writes = (site->flags & CDP_SITE_WRITE) != 0,
        .is_atomic = (site->flags & CDP_SITE_ATOMIC) != 0 || is_volatile_flag(site, size),
    };
}

void cdp_abi_race_access(const struct cdp_abi_site *site, const void *address, uint64_t size)
{
    struct cdp_race_access access = access_of(site, address, size);
    if (cdp_abi_self == NULL || size == 0 || !set_thread(&access)) {
        return;
    }
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    check(&access, NULL);
    if (access.is_atomic && access.writes) {
        if ((site->flags & CDP_SITE_SYSTEM) != 0) {
            cdp_history_fence(access.block, access.thread, false);
        }
        cdp_release_write(access.address, access.block, access.thread);
    }
}

void cdp_abi_race_load(const struct cdp_abi_site *site, const void *address, uint64_t size)
{
    struct cdp_race_access access = access_of(site, address, size);
    if (cdp_abi_self != NULL && set_thread(&access)) {
        cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
        check(&access, NULL);
    }
}

void cdp_abi_race_loads(const struct cdp_abi_site *site, const void *address, uint64_t size,
                        int64_t step, uint64_t count)
{
    struct cdp_race_access access = access_of(site, address, size);
    struct cdp_race_conflict conflict;
    bool is_range = step == (int64_t)size && count > 1;
    if (cdp_abi_self == NULL || !set_thread(&access)) {
        return;
    }
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    access.size = is_range ? size * count : size;
    access.is_tentative = true;
    if (is_range && !cdp_race_check(&access, &conflict)) {
        return;
    }
    access.size = size;
    access.is_tentative = false;
    for (uint64_t i = 0; i < count; i++) {
        check(&access, NULL);
        access.address = (const char *)access.address + step;
    }
}

void cdp_abi_race_store(const struct cdp_abi_site *site, const void *address, uint64_t size,
                        uint64_t value)
{
    struct cdp_race_access access = access_of(site, address, size);
    struct cdp_race_conflict conflict;
    if (cdp_abi_self == NULL || !set_thread(&access)) {
        return;
    }
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (!cdp_race_check(&access, &conflict)) {
        return;
    }
    /* The order of two stores of the same value does not matter, unless the program is compiled to
     * know of them. */
    bool is_strict = (site->flags & CDP_SITE_STRICT) != 0;
    if (is_strict || !conflict.writes ||
        (!stores_same(&access, &conflict) && !gets_value(address, size, value))) {
        report_once(&access, &conflict, NULL);
    }
}

/* ---- Accesses of block entries ---- */

enum kind { KIND_UNCHECKED, KIND_SHARED, KIND_DEVICE };

/* The kind of memory, for the running block. */
static enum kind kind_of(const void *address)
{
    const struct cdp_abi_thread *self = cdp_abi_self;
    const struct cdp_block *block = cdp_block_of(self);
    uintptr_t a = (uintptr_t)address;
    if (a - (uintptr_t)block->view.shared < block->view.shared_size) {
        return KIND_SHARED;
    }
    bool is_private = a - self->private_low < self->private_size;
    return !is_private && is_for_device(address) ? KIND_DEVICE : KIND_UNCHECKED;
}

/* Completes accesses between the addresses low and high. False: they are not recorded; *left: the
 * lanes that must be looked at one by one. */
static bool set_block(struct cdp_race_vector *vector, const struct cdp_abi_site *site,
                      const char *low, const char *high, uint64_t *left)
{
    vector->block = cdp_block_of(cdp_abi_self)->races;
    enum kind kind = kind_of(low);
    *left = 0;
    if (vector->block == NULL || kind == KIND_UNCHECKED) {
        return false;
    }
    vector->is_shared = kind == KIND_SHARED;
    if (vector->is_shared && kind_of(high) != kind) {
        *left = vector->lanes;
        return false;
    }
    vector->writes = (site->flags & CDP_SITE_WRITE) != 0;
    vector->is_strict = (site->flags & CDP_SITE_STRICT) != 0;
    vector->site = site->number < CDP_RACE_STREAM_SITE ? site->number : 0;
    return true;
}

static uint64_t record_vector(struct cdp_race_vector *vector, const struct cdp_abi_site *site,
                              const char *low, const char *high)
{
    uint64_t left;
    return set_block(vector, site, low, high, &left) ? cdp_race_record_vector(vector) : left;
}

static uint64_t record_affine(struct cdp_race_vector *vector, const struct cdp_abi_site *site)
{
    if (vector->lanes == 0) {
        return 0;
    }
    int64_t from = __builtin_ctzll(vector->lanes), to = 63 - __builtin_clzll(vector->lanes);
    return record_vector(vector, site, vector->first + vector->stride * from,
                         vector->first + vector->stride * to);
}

/* One lane after the other, since they may access memory of several kinds. */
static uint64_t record_each(struct cdp_race_vector *vector, const struct cdp_abi_site *site,
                            const void *const *addresses)
{
    uint64_t left = 0, lanes = vector->lanes;
    uint32_t thread = vector->thread;
    vector->lanes = 1;
    while (lanes != 0) {
        int lane = __builtin_ctzll(lanes);
        vector->first = addresses[lane];
        vector->thread = thread + (uint32_t)lane;
        left |= record_vector(vector, site, vector->first, vector->first) << lane;
        lanes &= lanes - 1;
    }
    return left;
}

uint64_t cdp_abi_race_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                            uint64_t size, uint64_t lanes, uint32_t thread)
{
    struct cdp_race_vector vector = {
        .first = first, .stride = stride, .size = size, .lanes = lanes, .thread = thread};
    return record_affine(&vector, site);
}

uint64_t cdp_abi_race_loads_lanes(const struct cdp_abi_site *site, const void *first,
                                  int64_t stride, uint64_t size, uint64_t lanes, uint32_t thread,
                                  int64_t step, uint64_t count)
{
    struct cdp_race_vector vector = {
        .first = first, .stride = stride, .size = size, .lanes = lanes, .thread = thread};
    uint64_t left;
    if (lanes == 0 || count == 0) {
        return 0;
    }
    int64_t from = __builtin_ctzll(lanes), to = 63 - __builtin_clzll(lanes);
    const char *low = vector.first + stride * from;
    const char *high = vector.first + stride * to + step * (int64_t)(count - 1);
    return set_block(&vector, site, low, high, &left) ? cdp_race_record_loop(&vector, step, count)
                                                      : left;
}

uint64_t cdp_abi_race_store_lanes(const struct cdp_abi_site *site, const void *first,
                                  int64_t stride, uint64_t size, uint64_t lanes, uint32_t thread,
                                  const uint64_t *values, uint32_t first_thread)
{
    struct cdp_race_vector vector = {.first = first,
                                     .stride = stride,
                                     .size = size,
                                     .lanes = lanes,
                                     .thread = thread,
                                     .values = values,
                                     .first_thread = first_thread};
    uint64_t left = record_affine(&vector, site);
    if (left != 0) {
        remember_stores(&vector);
    }
    return left;
}

uint64_t cdp_abi_race_gather(const struct cdp_abi_site *site, const void *const *addresses,
                             uint64_t size, uint64_t lanes, uint32_t thread)
{
    struct cdp_race_vector vector = {.size = size, .lanes = lanes, .thread = thread};
    return record_each(&vector, site, addresses);
}

uint64_t cdp_abi_race_scatter(const struct cdp_abi_site *site, const void *const *addresses,
                              uint64_t size, uint64_t lanes, uint32_t thread,
                              const uint64_t *values, uint32_t first_thread)
{
    struct cdp_race_vector vector = {.size = size,
                                     .lanes = lanes,
                                     .thread = thread,
                                     .values = values,
                                     .first_thread = first_thread};
    uint64_t left = record_each(&vector, site, addresses);
    if (left != 0) {
        vector.lanes = lanes;
        vector.thread = thread;
        remember_stores(&vector);
    }
    return left;
}

void cdp_abi_race_barrier(void)
{
    struct cdp_history_block *block = cdp_block_of(cdp_abi_self)->races;
    if (block != NULL) {
        cdp_history_barrier(block);
    }
}

void cdp_abi_race_acquire(const void *address)
{
    struct cdp_race_access access = {.address = address};
    if (cdp_abi_self != NULL && set_thread(&access)) {
        cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
        if (access.is_shared) {
            cdp_release_read(address, access.block, access.thread);
        } else {
            cdp_flag_read(address, access.block, access.thread);
        }
    }
}

void cdp_abi_race_fence(uint32_t is_of_block)
{
    struct cdp_block *block = cdp_abi_self != NULL ? cdp_block_of(cdp_abi_self) : NULL;
    if (block != NULL && block->races != NULL) {
        cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
        cdp_history_fence(block->races, cdp_abi_self->linear, is_of_block != 0);
    }
}

/* Accesses of host code are reported before they are made, but a flag tells what was released
 * before it was read. So the host acquires at its next access. */
static void acquire_polled(const struct cdp_race_access *access)
{
    if (polled != NULL) {
        cdp_release_host_read(polled);
    }
    polled = access->is_flag && !access->writes ? access->address : NULL;
}

void cdp_races_access(const struct cdp_races_range *range)
{
    struct cdp_race_access access = {
        .address = range->address,
        .size = range->size,
        .writes = range->writes,
        .site = range->site,
        .is_atomic = range->is_atomic,
        /* The host polls flags by volatile accesses and copies, and also sets them by plain ones.
         */
        .is_flag = is_size_of_flag(range->size) && !range->is_plain,
    };
    if (is_reporting || range->size == 0) {
        return;
    }
    if (cdp_abi_self != NULL && operation == NULL) {
        if (set_thread(&access)) {
            check(&access, range->what);
        }
    } else if (is_for_device(range->address)) {
        acquire_polled(&access);
        access.block = operation;
        access.is_exact = operation != NULL || !cdp_history_is_quiet();
        check_exactly(&access, range->what);
    }
}

void cdp_races_wrote(const void *address, size_t size, uint32_t number)
{
    struct cdp_races_range range = {.address = address,
                                    .size = size,
                                    .writes = true,
                                    .is_atomic = true,
                                    .what = "a stream memory operation",
                                    .site = CDP_RACE_STREAM_SITE};
    cdp_races_operation(number);
    cdp_races_access(&range);
    cdp_races_operation(0);
    cdp_wait_wrote(address, number);
}

void cdp_races_host_access(const void *address, size_t size, enum cdp_races_host_kind kind,
                           const void *site)
{
    /* Relaxed: an access before the engine's start is before everything. */
    if (CDP_LIKELY(!atomic_load_explicit(&is_running, memory_order_relaxed)) ||
        cdp_abi_self != NULL || is_reporting) {
        return;
    }
    struct cdp_races_range range = {.address = address,
                                    .size = size,
                                    .writes = kind == CDP_RACES_WRITE,
                                    .is_plain = kind == CDP_RACES_READ};
    range.site = cdp_host_site_number(site);
    cdp_races_access(&range);
}
