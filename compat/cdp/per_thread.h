/* --default-stream per-thread: a NULL stream means the calling thread's own stream. Each call with
 * an explicit or implicit stream is bound to the runtime's variant of it. The names do not change,
 * so that clang finds the functions for <<<>>>. Included by cuda_runtime_api.h within its extern
 * "C". */
#ifndef __CDP_PER_THREAD_H
#define __CDP_PER_THREAD_H

#define __CDP_PER_THREAD(name, variant) extern __typeof__(name) name __asm__(#variant);
#define __CDP_PER_THREAD_BOTH(name, variant)                                                       \
    extern __CDP_BOTH __typeof__(name) name __asm__(#variant);

__CDP_PER_THREAD(__cudaPushCallConfiguration, __cudaPushCallConfiguration_ptsz)
__CDP_PER_THREAD(cudaLaunchKernel, cudaLaunchKernel_ptsz)
__CDP_PER_THREAD(cudaLaunchKernelExC, cudaLaunchKernelExC_ptsz)
__CDP_PER_THREAD(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz)

__CDP_PER_THREAD(cudaStreamGetPriority, cudaStreamGetPriority_ptsz)
__CDP_PER_THREAD(cudaStreamGetFlags, cudaStreamGetFlags_ptsz)
__CDP_PER_THREAD(cudaStreamGetId, cudaStreamGetId_ptsz)
__CDP_PER_THREAD(cudaStreamGetDevice, cudaStreamGetDevice_ptsz)
__CDP_PER_THREAD(cudaStreamSynchronize, cudaStreamSynchronize_ptsz)
__CDP_PER_THREAD(cudaStreamQuery, cudaStreamQuery_ptsz)
__CDP_PER_THREAD(cudaStreamAddCallback, cudaStreamAddCallback_ptsz)
__CDP_PER_THREAD(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz)
__CDP_PER_THREAD(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz)
__CDP_PER_THREAD(cudaStreamBeginCapture, cudaStreamBeginCapture_ptsz)
__CDP_PER_THREAD(cudaStreamEndCapture, cudaStreamEndCapture_ptsz)
__CDP_PER_THREAD_BOTH(cudaGraphLaunch, cudaGraphLaunch_ptsz)
__CDP_PER_THREAD_BOTH(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz)
__CDP_PER_THREAD_BOTH(cudaEventRecord, cudaEventRecord_ptsz)
__CDP_PER_THREAD_BOTH(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz)

__CDP_PER_THREAD(cudaMallocAsync, cudaMallocAsync_ptsz)
__CDP_PER_THREAD(cudaFreeAsync, cudaFreeAsync_ptsz)
__CDP_PER_THREAD(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz)
__CDP_PER_THREAD(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz)

__CDP_PER_THREAD(cudaMemcpy, cudaMemcpy_ptds)
__CDP_PER_THREAD(cudaMemcpy2D, cudaMemcpy2D_ptds)
__CDP_PER_THREAD(cudaMemcpy3D, cudaMemcpy3D_ptds)
__CDP_PER_THREAD(cudaMemcpyPeer, cudaMemcpyPeer_ptds)
__CDP_PER_THREAD(cudaMemcpy3DPeer, cudaMemcpy3DPeer_ptds)
__CDP_PER_THREAD(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds)
__CDP_PER_THREAD(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds)
__CDP_PER_THREAD(cudaMemset, cudaMemset_ptds)
__CDP_PER_THREAD(cudaMemset2D, cudaMemset2D_ptds)
__CDP_PER_THREAD(cudaMemset3D, cudaMemset3D_ptds)
__CDP_PER_THREAD_BOTH(cudaMemcpyAsync, cudaMemcpyAsync_ptsz)
__CDP_PER_THREAD_BOTH(cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz)
__CDP_PER_THREAD_BOTH(cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz)
__CDP_PER_THREAD(cudaMemcpyPeerAsync, cudaMemcpyPeerAsync_ptsz)
__CDP_PER_THREAD(cudaMemcpy3DPeerAsync, cudaMemcpy3DPeerAsync_ptsz)
__CDP_PER_THREAD(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_ptsz)
__CDP_PER_THREAD(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_ptsz)
__CDP_PER_THREAD_BOTH(cudaMemsetAsync, cudaMemsetAsync_ptsz)
__CDP_PER_THREAD_BOTH(cudaMemset2DAsync, cudaMemset2DAsync_ptsz)
__CDP_PER_THREAD_BOTH(cudaMemset3DAsync, cudaMemset3DAsync_ptsz)

#undef __CDP_PER_THREAD
#undef __CDP_PER_THREAD_BOTH
#endif
