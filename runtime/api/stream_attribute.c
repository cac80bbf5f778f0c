/* Attributes of streams. Those about caches and waiting are stored, and have no other effect. */
#include "api/stream_attribute.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/handle.h"
#include "api/runtime.h"
#include "exec/report/profile.h"

#define PRIORITY_GREATEST (-5)

int cdp_stream_priority(int asked)
{
    return asked > 0 ? 0 : asked < PRIORITY_GREATEST ? PRIORITY_GREATEST : asked;
}

bool cdp_access_window_is_valid(const struct cudaAccessPolicyWindow *window)
{
    bool is_ratio = window->hitRatio >= 0 && window->hitRatio <= 1;
    return is_ratio && (unsigned)window->hitProp <= cudaAccessPropertyPersisting &&
           (unsigned)window->missProp <= cudaAccessPropertyStreaming;
}

/* The start of a call. value: its argument, which must not be NULL. */
static cudaError_t enter(cudaStream_t stream, const void *value, struct cdp_runtime **runtime,
                         struct cdp_stream_traits *traits)
{
    cudaError_t error = cdp_api_enter(runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (value == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cdp_api_return(
        cdp_stream_traits((*runtime)->streams, cdp_handle_of_stream(stream), traits));
}

static struct cudaAccessPolicyWindow window_of(const struct cdp_stream_hints *hints)
{
    return (struct cudaAccessPolicyWindow){.base_ptr = hints->window,
                                           .num_bytes = hints->window_size,
                                           .hitRatio = hints->hit_ratio,
                                           .hitProp = (enum cudaAccessProperty)hints->hit,
                                           .missProp = (enum cudaAccessProperty)hints->miss};
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_stream_traits traits;
    cudaError_t error = enter(stream, value, &runtime, &traits);
    if (error != cudaSuccess) {
        return error;
    }
    memset(value, 0, sizeof *value);
    switch ((int)attr) {
    case cudaLaunchAttributePriority:
        value->priority = traits.priority;
        return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
        value->syncPolicy = traits.hints.wait_policy != 0
                                ? (enum cudaSynchronizationPolicy)traits.hints.wait_policy
                                : cudaSyncPolicyAuto;
        return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
        value->accessPolicyWindow = window_of(&traits.hints);
        return cudaSuccess;
    default:
        return cdp_api_fail(cudaErrorInvalidValue);
    }
}

static bool set_window(const struct cudaAccessPolicyWindow *window, struct cdp_stream_hints *hints)
{
    hints->window = window->base_ptr;
    hints->window_size = window->num_bytes;
    hints->hit_ratio = window->hitRatio;
    hints->hit = (int)window->hitProp;
    hints->miss = (int)window->missProp;
    return cdp_access_window_is_valid(window);
}

/* False: the value is not allowed. */
static bool set(cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value,
                struct cdp_stream_traits *traits)
{
    switch ((int)attr) {
    case cudaLaunchAttributePriority:
        traits->priority = cdp_stream_priority(value->priority);
        return true;
    case cudaLaunchAttributeSynchronizationPolicy:
        traits->hints.wait_policy = (int)value->syncPolicy;
        return value->syncPolicy >= cudaSyncPolicyAuto &&
               value->syncPolicy <= cudaSyncPolicyBlockingSync;
    case cudaLaunchAttributeAccessPolicyWindow:
        return set_window(&value->accessPolicyWindow, &traits->hints);
    default:
        return false;
    }
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_stream_traits traits;
    cudaError_t error = enter(stream, value, &runtime, &traits);
    if (error != cudaSuccess) {
        return error;
    }
    if (!set(attr, value, &traits)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cdp_api_return(
        cdp_stream_set_traits(runtime->streams, cdp_handle_of_stream(stream), &traits));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_stream_traits traits;
    cudaError_t error = enter(src, "", &runtime, &traits);
    if (error != cudaSuccess) {
        return error;
    }
    return cdp_api_return(
        cdp_stream_set_traits(runtime->streams, cdp_handle_of_stream(dst), &traits));
}
