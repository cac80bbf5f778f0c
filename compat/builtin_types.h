/* All the types of the runtime API. */
#ifndef __CDP_BUILTIN_TYPES_H
#define __CDP_BUILTIN_TYPES_H

#include "driver_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
