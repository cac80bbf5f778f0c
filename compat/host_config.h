/* host_config.h: nothing to configure; see host_defines.h. */
#include "host_defines.h"
