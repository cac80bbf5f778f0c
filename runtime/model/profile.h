/* What a device appears to be: properties and limits, by compute capability and model. Also for
 * NVML, which has no runtime. */
#ifndef CDP_MODEL_PROFILE_H
#define CDP_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"

/* The clock rate of compute capability 9.0. */
enum { CDP_CLOCK_KHZ = 1980000 };

/* The limits of a compute capability. */
struct cdp_capability {
    int major, minor;
    int threads, blocks; /* resident on a multiprocessor */
    int shared, optin;   /* bytes: of a multiprocessor; of a block by opting in */
    int reserved;        /* bytes of shared memory of each block beyond its own */
    int ratio;           /* of throughputs: float to double */
};

enum cdp_ecc { CDP_ECC_ABSENT, CDP_ECC_OFF, CDP_ECC_ON };

/* What NVML tells of a GPU's board. */
struct cdp_board {
    enum { CDP_BRAND_NVIDIA, CDP_BRAND_TESLA, CDP_BRAND_GEFORCE } brand;
    unsigned pci_id; /* of the device; the vendor is NVIDIA */
    unsigned pcie_generation, pcie_lanes;
    unsigned watts, least_watts; /* the default limit, which is the highest; 0: not published */
    enum cdp_ecc ecc;            /* as delivered */
    bool has_mig;
};

struct cdp_profile {
    const char *word; /* for CDP_DEVICE */
    const char *name; /* NULL: this machine */
    const struct cdp_capability *capability;
    int multiprocessors; /* 0: one for each worker */
    int clock_khz, memory_clock_khz, bus_bits, l2_bytes;
    size_t memory;                 /* bytes; 0: the machine's */
    const struct cdp_board *board; /* NULL: this machine is not a GPU */
};

/* That of this machine, which is the default. */
const struct cdp_profile *cdp_profile_cpu(void);
/* The profile of each device, by CDP_DEVICE. Sets options->devices to their number. A word that is
 * not known gets a message that lists the words. */
void cdp_profiles_choose(struct cdp_options *options,
                         const struct cdp_profile *out[CDP_MOST_DEVICES]);

/* The bytes of memory of such a device. Without CDP_MEMORY_MB the devices share the machine's
 * memory, and none has more than its profile. */
size_t cdp_profile_memory(const struct cdp_options *options, const struct cdp_profile *profile);
/* The name of the device, which says that it is no GPU. */
void cdp_profile_name(const struct cdp_profile *profile, char *out, size_t size);

enum { CDP_UUID_BYTES = 16, CDP_UUID_TEXT = sizeof "GPU-00000000-0000-0000-0000-000000000000" };
enum { CDP_PCI_ID_BYTES = sizeof "0000:00:00.0" };
/* Both by the number that the device has in the machine. The number is in the first byte, so that a
 * short beginning of the text already names one device. */
void cdp_profile_uuid(unsigned device, unsigned char out[CDP_UUID_BYTES]);
void cdp_profile_uuid_text(unsigned device, char out[CDP_UUID_TEXT]);
void cdp_profile_pci_id(unsigned device, char out[CDP_PCI_ID_BYTES]);

#endif
