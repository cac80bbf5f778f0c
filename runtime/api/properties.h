/* The devices as programs see them. Without a profile (api/profile.h) each has compute capability
 * 9.0 in everything that code can rely on, and is this machine in everything that code can measure.
 */
#ifndef CDP_API_PROPERTIES_H
#define CDP_API_PROPERTIES_H

#include <stddef.h>

#include "driver_types.h"

struct cdp_device;
struct cdp_runtime;

/* cudaErrorInvalidValue for an attribute that does not exist. */
cudaError_t cdp_property_attribute(unsigned device, int *value, enum cudaDeviceAttr attribute);
/* Like cudaDeviceGetLimit. */
cudaError_t cdp_property_limit(unsigned device, size_t *value, enum cudaLimit limit);
/* Like cudaDeviceSetLimit for the current device, where nothing may be running. */
cudaError_t cdp_property_set_limit(struct cdp_runtime *runtime, enum cudaLimit limit, size_t value);
/* Sets the device's limits to their initial values. */
void cdp_property_reset_limits(struct cdp_runtime *runtime, struct cdp_device *device);
void cdp_property_describe(unsigned device, struct cudaDeviceProp *out);

#endif
