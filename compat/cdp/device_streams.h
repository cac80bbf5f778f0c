/* The streams of the second generation of dynamic parallelism.
 *
 * --cdp=1 does not have them. Then they are no macros, so that a program can ask by #ifdef; but
 * constants that cannot be used, so that the error message says what is needed. */
#ifndef __CDP_DEVICE_STREAMS_H
#define __CDP_DEVICE_STREAMS_H

#if !defined(__CDP_MODE) || __CDP_MODE != 1
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)
#elif defined(__cplusplus) && __cplusplus >= 201103L
#define __CDP_ABSENT_STREAM(name)                                                                  \
    static constexpr cudaStream_t name __attribute__((__unavailable__(                             \
        "it belongs to the second generation of dynamic parallelism (CDP2), which --cdp=1, "       \
        "-arch below sm_50 and CUDA_FORCE_CDP1_IF_SUPPORTED turn off; compile with --cdp=2, or "   \
        "with -arch=sm_50 or later (nvcc also needs -rdc=true)"))) = nullptr

__CDP_ABSENT_STREAM(cudaStreamTailLaunch);
__CDP_ABSENT_STREAM(cudaStreamFireAndForget);
__CDP_ABSENT_STREAM(cudaStreamGraphTailLaunch);
__CDP_ABSENT_STREAM(cudaStreamGraphFireAndForget);
__CDP_ABSENT_STREAM(cudaStreamGraphFireAndForgetAsSibling);
#undef __CDP_ABSENT_STREAM
#endif

#endif
