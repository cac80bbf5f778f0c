/* --default-stream per-thread: a NULL stream means the calling thread's own.  Each
 * call that takes a stream, or implies one, is bound to the runtime's variant of it;
 * the names stay, so that clang finds what <<<>>> needs.  Included by
 * cuda_runtime_api.h within its extern "C". */
#ifndef CDP_PER_THREAD_H
#define CDP_PER_THREAD_H

#define CDP_PER_THREAD(name, variant) extern __typeof__(name) name __asm__(#variant);
#define CDP_PER_THREAD_BOTH(name, variant) \
    extern CDP_BOTH __typeof__(name) name __asm__(#variant);

CDP_PER_THREAD(__cudaPushCallConfiguration, __cudaPushCallConfiguration_ptsz)
CDP_PER_THREAD(cudaLaunchKernel, cudaLaunchKernel_ptsz)
CDP_PER_THREAD(cudaLaunchKernelExC, cudaLaunchKernelExC_ptsz)
CDP_PER_THREAD(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz)

CDP_PER_THREAD(cudaStreamGetPriority, cudaStreamGetPriority_ptsz)
CDP_PER_THREAD(cudaStreamGetFlags, cudaStreamGetFlags_ptsz)
CDP_PER_THREAD(cudaStreamGetId, cudaStreamGetId_ptsz)
CDP_PER_THREAD(cudaStreamGetDevice, cudaStreamGetDevice_ptsz)
CDP_PER_THREAD(cudaStreamSynchronize, cudaStreamSynchronize_ptsz)
CDP_PER_THREAD(cudaStreamQuery, cudaStreamQuery_ptsz)
CDP_PER_THREAD(cudaStreamAddCallback, cudaStreamAddCallback_ptsz)
CDP_PER_THREAD(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz)
CDP_PER_THREAD(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz)
CDP_PER_THREAD_BOTH(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz)
CDP_PER_THREAD_BOTH(cudaEventRecord, cudaEventRecord_ptsz)
CDP_PER_THREAD_BOTH(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz)

CDP_PER_THREAD(cudaMallocAsync, cudaMallocAsync_ptsz)
CDP_PER_THREAD(cudaFreeAsync, cudaFreeAsync_ptsz)
CDP_PER_THREAD(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz)
CDP_PER_THREAD(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz)

CDP_PER_THREAD(cudaMemcpy, cudaMemcpy_ptds)
CDP_PER_THREAD(cudaMemcpy2D, cudaMemcpy2D_ptds)
CDP_PER_THREAD(cudaMemcpy3D, cudaMemcpy3D_ptds)
CDP_PER_THREAD(cudaMemcpyPeer, cudaMemcpyPeer_ptds)
CDP_PER_THREAD(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds)
CDP_PER_THREAD(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds)
CDP_PER_THREAD(cudaMemset, cudaMemset_ptds)
CDP_PER_THREAD(cudaMemset2D, cudaMemset2D_ptds)
CDP_PER_THREAD(cudaMemset3D, cudaMemset3D_ptds)
CDP_PER_THREAD_BOTH(cudaMemcpyAsync, cudaMemcpyAsync_ptsz)
CDP_PER_THREAD_BOTH(cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz)
CDP_PER_THREAD_BOTH(cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz)
CDP_PER_THREAD(cudaMemcpyPeerAsync, cudaMemcpyPeerAsync_ptsz)
CDP_PER_THREAD(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_ptsz)
CDP_PER_THREAD(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_ptsz)
CDP_PER_THREAD_BOTH(cudaMemsetAsync, cudaMemsetAsync_ptsz)
CDP_PER_THREAD_BOTH(cudaMemset2DAsync, cudaMemset2DAsync_ptsz)
CDP_PER_THREAD_BOTH(cudaMemset3DAsync, cudaMemset3DAsync_ptsz)

#undef CDP_PER_THREAD
#undef CDP_PER_THREAD_BOTH
#endif
