/* Access of one device to another one's memory, and copies between devices: "Peer Device Memory
 * Access" of NVIDIA's manual of the runtime API. Launches on several devices, which are refused.
 * Included by cuda_runtime_api.h within its extern "C". */
#ifndef __CDP_PEER_API_H
#define __CDP_PEER_API_H

cudaError_t cudaDeviceGetP2PAttribute(int *__value, enum cudaDeviceP2PAttr __attr, int __src,
                                      int __dst);
cudaError_t cudaDeviceCanAccessPeer(int *__can, int __device, int __peer);
cudaError_t cudaDeviceEnablePeerAccess(int __peer, unsigned int __flags);
cudaError_t cudaDeviceDisablePeerAccess(int __peer);
cudaError_t cudaMemcpyPeer(void *__dst, int __dst_device, const void *__src, int __src_device,
                           size_t __size);
cudaError_t cudaMemcpyPeerAsync(void *__dst, int __dst_device, const void *__src, int __src_device,
                                size_t __size, cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *__params);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *__params,
                                  cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *__list,
                                                   unsigned int __count,
                                                   unsigned int __flags __CDP_DEFAULT(0));

#endif
