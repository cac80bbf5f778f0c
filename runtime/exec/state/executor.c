/* The executor of the calling thread. */
#include "exec/state/executor.h"

__thread struct cdp_executor *cdp_executor_here CDP_TLS_INITIAL_EXEC;
