/* crt/host_defines.h is host_defines.h here. */
#include "../host_defines.h"
