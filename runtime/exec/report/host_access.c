/* Accesses of host code to memory that device code can access.
 *
 * Host code of checked builds is compiled with -fsanitize-coverage=trace-loads,trace-stores: Clang
 * calls one of these functions before each load and store. Its return address is the access. */
#include "exec/report/races.h"

#include "base/attr.h"
#include "exec/state/engine.h"

#define EACH_SIZE(apply) apply(1) apply(2) apply(4) apply(8) apply(16)

#define DECLARE(bytes)                                                                             \
    CDP_EXPORT void __sanitizer_cov_load##bytes(const void *address);                              \
    CDP_EXPORT void __sanitizer_cov_store##bytes(const void *address);
EACH_SIZE(DECLARE)

#define DEFINE(bytes)                                                                              \
    void __sanitizer_cov_load##bytes(const void *address)                                          \
    {                                                                                              \
        cdp_races_host_access(address, bytes, false, __builtin_return_address(0));                 \
    }                                                                                              \
    void __sanitizer_cov_store##bytes(const void *address)                                         \
    {                                                                                              \
        cdp_races_host_access(address, bytes, true, __builtin_return_address(0));                  \
    }
EACH_SIZE(DEFINE)
