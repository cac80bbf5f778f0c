/* The one device as programs see it: compute capability 9.0 in what code can rely on,
 * this machine in what it can measure. */
#ifndef CDP_API_PROPERTIES_H
#define CDP_API_PROPERTIES_H

#include <stddef.h>

#include "driver_types.h"

struct cdp_runtime;

/* cudaErrorInvalidValue for an attribute that does not exist. */
cudaError_t cdp_property_attribute(int *value, enum cudaDeviceAttr attribute);
/* As cudaDeviceGetLimit. */
cudaError_t cdp_property_limit(size_t *value, enum cudaLimit limit);
/* As cudaDeviceSetLimit; nothing may be running. */
cudaError_t cdp_property_set_limit(struct cdp_runtime *runtime, enum cudaLimit limit, size_t value);
/* Limits as they were at start. */
void cdp_property_reset_limits(struct cdp_runtime *runtime);
void cdp_property_describe(struct cudaDeviceProp *out);

#endif
