/* What NVML knows, from nvmlInit to nvmlShutdown. */
#ifndef CDP_NVML_STATE_H
#define CDP_NVML_STATE_H

#include "nvml.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "model/profile.h"

/* NVIDIA's driver of the same age as the version of CUDA: programs compare both. */
#define CDP_NVML_DRIVER "575.51.03"
enum { CDP_NVML_CUDA = 12090 };

struct nvmlDevice_st {
    unsigned number;
    const struct cdp_profile *profile;
};

/* One for the process. */
struct cdp_nvml {
    pthread_mutex_t lock; /* for the fields of this struct */
    unsigned starts;      /* calls of nvmlInit without their nvmlShutdown */
    struct cdp_options options;
    unsigned count;
    struct nvmlDevice_st devices[CDP_MOST_DEVICES];
};
extern struct cdp_nvml cdp_nvml;

/* NVML_SUCCESS, or the error of a call before nvmlInit. */
nvmlReturn_t cdp_nvml_check(void);
/* The same, and for a device: it must be one. */
nvmlReturn_t cdp_nvml_check_device(nvmlDevice_t device);
/* The beginning of a query: checks the device and the address of the result. */
#define BEGIN(device, out)                                                                         \
    nvmlReturn_t result = cdp_nvml_check_device(device);                                           \
    if (result != NVML_SUCCESS || (out) == NULL) {                                                 \
        return result != NVML_SUCCESS ? result : NVML_ERROR_INVALID_ARGUMENT;                      \
    }
/* The same, for a query that only the profile of a GPU can answer. */
#define BEGIN_BOARD(device, out)                                                                   \
    BEGIN(device, out)                                                                             \
    const struct cdp_board *board = (device)->profile->board;                                      \
    if (board == NULL) {                                                                           \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }
/* Stores the text with its end, or returns NVML_ERROR_INSUFFICIENT_SIZE. */
nvmlReturn_t cdp_nvml_store(const char *text, char *out, unsigned length);

/* Degrees of the processor's sensor in a directory like /sys/class/hwmon; false: there is none. */
bool cdp_nvml_temperature(const char *directory, unsigned *celsius);

#endif
