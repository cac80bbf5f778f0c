/* cooperative_groups/scan.h is part of cooperative_groups.h here. */
#include "../cooperative_groups.h"
