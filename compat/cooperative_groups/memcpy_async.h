/* cooperative_groups/memcpy_async.h is part of cooperative_groups.h here. */
#include "../cooperative_groups.h"
