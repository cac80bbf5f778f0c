/* CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER: which devices of the machine a program sees, and by
 * which numbers. NVML and nvidia-smi do not obey them. */
#ifndef CDP_MODEL_VISIBLE_H
#define CDP_MODEL_VISIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/options.h"
#include "base/status.h"

/* Whether the environment has one of the variables. */
bool cdp_visible_is_set(void);
/* Replaces *count, the number of the machine's devices, by that of the visible ones; out[i] is the
 * machine's number of the program's device i. CDP_NO_DEVICE: none is visible; CDP_INVALID_DEVICE:
 * one is named twice, or the order is unknown,
 * which standard error gets. */
enum cdp_status cdp_visible_choose(unsigned out[CDP_MOST_DEVICES], uint32_t *count) CDP_MUST_CHECK;

#endif
