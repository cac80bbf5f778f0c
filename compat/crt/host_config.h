/* crt/host_config.h is host_defines.h here. */
#include "../host_defines.h"
