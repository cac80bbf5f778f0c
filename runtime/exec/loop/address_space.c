/* The engine's shares of the address space. */
#include "exec/loop/address_space.h"

#include <stdint.h>

#include "exec/report/finding.h"
#include "exec/state/engine.h"
#include "fiber/fiber.h"
#include "os/cpu.h"
#include "os/os.h"

#define MIB ((size_t)1 << 20)
#define MOST_LOCAL ((size_t)256 << 30)
#define MOST_SHARED ((size_t)16 << 30)
/* Local and shared memory are multiples of this. */
#define STEP (2 * MIB)
/* Address space for one worker: stacks, launch records, its own thread. */
#define FOR_A_WORKER (8 * MIB)
#define USUAL_STACK (8 * MIB)
#define LEAST_STACK (256 * ((size_t)1 << 10))
/* The least stack of a device thread in a program with checks, in KiB: their reports start with a
 * quarter of it, at least (exec/block/executor.c). */
enum { CHECKED_STACK_KB = 160 };
/* Address space that the C library reserves for each thread that allocates. */
#define ARENA (128 * MIB)

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

struct cdp_address_space cdp_address_space_choose(void)
{
    size_t left = cdp_os_address_space();
    if (left == SIZE_MAX) {
        return (struct cdp_address_space){
            .local = MOST_LOCAL, .shared = MOST_SHARED, .most_workers = SIZE_MAX};
    }
    if (left / 8 < ARENA * cdp_os_cpu_count()) {
        cdp_os_save_address_space();
    }
    return (struct cdp_address_space){.local = least_of(left / 5 * 2, MOST_LOCAL),
                                      .shared = least_of(left / 8, MOST_SHARED),
                                      .worker_stacks = left / 8,
                                      .most_workers =
                                          left >= FOR_A_WORKER ? left / FOR_A_WORKER : 1};
}

size_t cdp_address_space_stack(const struct cdp_address_space *space, unsigned workers)
{
    size_t each = space->worker_stacks / workers / cdp_os_page() * cdp_os_page();
    bool is_usual = space->worker_stacks == 0 || each >= USUAL_STACK;
    return is_usual ? 0 : each < LEAST_STACK ? LEAST_STACK : each;
}

static size_t stack_size(const struct cdp_options *options)
{
    bool is_small = options->stack_kb < CHECKED_STACK_KB && atomic_load(&cdp_finding_checks) != 0;
    return (size_t)(is_small ? CHECKED_STACK_KB : options->stack_kb) << 10;
}

bool cdp_address_space_reserve(struct cdp_engine *engine, struct cdp_address_space space)
{
    struct cdp_stack_shape shape = {.stack_size = stack_size(engine->options),
                                    .record_size = sizeof(struct cdp_fiber),
                                    .takers = engine->pool.count};
    for (; space.local >= STEP; space.local /= 2, space.shared /= 2) {
        size_t local = space.local / STEP * STEP, shared = space.shared / STEP * STEP + STEP;
        char *low = cdp_os_reserve(local + shared);
        if (low != NULL) {
            engine->ranges.own =
                (struct cdp_private_range){.low = (uintptr_t)low, .size = local + shared};
            cdp_slab_range_init(&engine->ranges.slabs, low + local, shared, shape.takers);
            return cdp_stack_range_init(&engine->ranges.stacks, &shape, low, local);
        }
    }
    return false;
}
