/* The interface of texture and surface objects for the other files of the API. */
#ifndef CDP_API_TEXTURE_H
#define CDP_API_TEXTURE_H

#include <stdbool.h>

#include "driver_types.h"
#include "texture_types.h"

/* A new texture object for the program's call at site. view may be NULL. */
struct cdp_texture_order {
    const struct cudaResourceDesc *resource;
    const struct cudaTextureDesc *desc;
    const struct cudaResourceViewDesc *view;
    const void *site;
    bool any_filter; /* the driver API allows a filter, and read modes, that have no effect */
};
/* As cudaCreateTextureObject and cudaCreateSurfaceObject. They set the last error. */
cudaError_t cdp_texture_make(cudaTextureObject_t *object, const struct cdp_texture_order *order);
cudaError_t cdp_surface_make(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource,
                             const void *site);

#endif
