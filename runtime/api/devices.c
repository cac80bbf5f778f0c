/* The memory of the devices, and who may use it. */
#include "api/devices.h"

#include "api/profile.h"
#include "api/runtime.h"
#include "exec/report/finding.h"
#include "exec/state/engine.h"
#include "mem/memmap.h"
#include "mem/written.h"
#include "model/owned.h"
#include "model/visible.h"
#include "os/os.h"
#include "stream/stream.h"

#define DEVICE_GRANULE 256
#define DEVICE_HEAP_GRANULE 16
/* Address space for a device heap: the upper bound of cudaLimitMallocHeapSize. */
#define DEVICE_HEAP_MOST ((size_t)64 << 30)

__thread unsigned cdp_device_number;

/* wanted, but at most parts / of of the available address space.  The engine and the program need
 * some, too. */
static size_t share_of(size_t space, size_t parts, size_t of, size_t wanted)
{
    size_t share = space == SIZE_MAX ? wanted : space / of * parts;
    return share < wanted ? share : wanted;
}

static void add_checks(struct cdp_heap *heap)
{
    if (cdp_finding_is_on(CDP_CHECKS_INIT)) {
        cdp_written_enable(heap->lo, heap->reserved, false);
        cdp_heap_enable_fill(heap);
    }
    if (cdp_finding_is_on(CDP_CHECKS_MEMORY)) {
        cdp_heap_enable_checks(heap);
    }
}

/* For NVML, which looks for the memory of devices in all processes. */
static void publish(struct cdp_device *device)
{
    char name[CDP_OWNED_NAME];
    cdp_owned_name(name, device->machine, device->memory.lo, device->memory.reserved);
    cdp_heap_count_in(&device->memory, cdp_os_show(name));
}

static enum cdp_status start_device(const struct cdp_options *options, struct cdp_device *device,
                                    size_t space)
{
    size_t bytes = share_of(space, 3, (size_t)8 * options->devices,
                            cdp_profile_memory(options, device->profile));
    enum cdp_status status = cdp_heap_init(&device->memory, bytes, bytes, DEVICE_GRANULE);
    if (status != CDP_OK) {
        return status;
    }
    size_t heap = share_of(space, 1, (size_t)8 * options->devices, DEVICE_HEAP_MOST);
    status =
        cdp_heap_init(&device->device_heap, heap, CDP_DEVICE_HEAP_DEFAULT, DEVICE_HEAP_GRANULE);
    if (status != CDP_OK) {
        return status;
    }
    cdp_memory_pool_init(&device->pool, CDP_POOL_DEFAULT, device->number);
    atomic_init(&device->pool_in_use, &device->pool);
    publish(device);
    cdp_memmap_set_heaps(device->number, &device->memory, &device->device_heap);
    add_checks(&device->memory);
    add_checks(&device->device_heap);
    return CDP_OK;
}

enum cdp_status cdp_devices_start(struct cdp_runtime *runtime)
{
    size_t space = cdp_os_address_space();
    const struct cdp_profile *profiles[CDP_MOST_DEVICES];
    unsigned machine[CDP_MOST_DEVICES];
    cdp_profiles_choose(&runtime->options, profiles);
    uint32_t count = runtime->options.devices;
    enum cdp_status status = cdp_visible_choose(machine, &count);
    for (unsigned i = 0; i < count && status == CDP_OK; i++) {
        runtime->devices[i].number = i;
        runtime->devices[i].machine = machine[i];
        runtime->devices[i].profile = profiles[machine[i]];
        /* It has its share of all devices: other processes may use the others. */
        status = start_device(&runtime->options, &runtime->devices[i], space);
    }
    runtime->device_count = runtime->options.devices = count;
    return status;
}

unsigned cdp_device_of_machine(const struct cdp_runtime *runtime, unsigned machine)
{
    unsigned i = 0;
    while (i < runtime->device_count && runtime->devices[i].machine != machine) {
        i++;
    }
    return i;
}

bool cdp_device_exists(const struct cdp_runtime *runtime, int number)
{
    return number >= 0 && (unsigned)number < runtime->device_count;
}

struct cdp_device *cdp_device_of(struct cdp_runtime *runtime, const void *address)
{
    unsigned number = cdp_memmap_device(address);
    return number < runtime->device_count ? &runtime->devices[number] : NULL;
}

void cdp_device_access_ended(void)
{
    atomic_fetch_add(&cdp_heap_generation, 1);
}

void cdp_device_wait_for_users(struct cdp_runtime *runtime, const struct cdp_device *device)
{
    for (unsigned i = 0; i < runtime->device_count; i++) {
        if (cdp_engine_may_access(runtime->engine, i, device->number)) {
            cdp_streams_synchronize(runtime->streams, i);
        }
    }
}
