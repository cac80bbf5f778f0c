// A stream's attributes read back as they were set, and are copied to another stream.
// stderr: cdp: cudaErrorInvalidResourceHandle: stream .* was destroyed
#include "show.h"

static cudaStreamAttrValue asked(void *base, cudaAccessProperty miss, float ratio)
{
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = base;
    value.accessPolicyWindow.num_bytes = 4096;
    value.accessPolicyWindow.hitRatio = ratio;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = miss;
    return value;
}

static void tell(cudaStream_t stream, const void *base)
{
    cudaStreamAttrValue window = {}, policy = {}, priority = {};
    (void)cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
    (void)cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &policy);
    (void)cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &priority);
    const cudaAccessPolicyWindow &is = window.accessPolicyWindow;
    printf("base %s, size %zu, ratio %g, hit %d, miss %d, policy %d, priority %d\n",
           is.base_ptr == base ? "as set" : is.base_ptr == nullptr ? "null" : "another",
           is.num_bytes, is.hitRatio, is.hitProp, is.missProp, policy.syncPolicy,
           priority.priority);
}

int main()
{
    void *memory;
    cudaStream_t a, b;
    MUST(cudaMalloc(&memory, 1 << 16));
    MUST(cudaStreamCreate(&a));
    MUST(cudaStreamCreate(&b));
    tell(a, memory);
    cudaStreamAttrValue value = asked(memory, cudaAccessPropertyStreaming, 0.5f);
    SHOW(cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value));
    cudaStreamAttrValue other = {};
    other.syncPolicy = cudaSyncPolicyBlockingSync;
    SHOW(cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &other));
    other.priority = -2;
    SHOW(cudaStreamSetAttribute(a, cudaStreamAttributePriority, &other));
    tell(a, memory);
    tell(b, memory);
    SHOW(cudaStreamCopyAttributes(b, a));
    tell(b, memory);
    tell(cudaStreamLegacy, memory);

    value = asked(memory, cudaAccessPropertyPersisting, 0.5f);
    SHOW(cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value));
    value = asked(memory, cudaAccessPropertyNormal, 2);
    SHOW(cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value));
    other.syncPolicy = (cudaSynchronizationPolicy)9;
    SHOW(cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &other));
    SHOW(cudaStreamSetAttribute(a, cudaLaunchAttributeCooperative, &other));
    SHOW(cudaStreamSetAttribute(a, cudaStreamAttributePriority, nullptr));
    MUST(cudaStreamDestroy(b));
    SHOW(cudaStreamGetAttribute(b, cudaStreamAttributePriority, &other));
    tell(a, memory);
}
