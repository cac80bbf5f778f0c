/* Programs include this header without a use of it, or for a mode that draws. So only a call is an
 * error. */
#ifndef CUDA_GL_INTEROP_H
#define CUDA_GL_INTEROP_H

#include <driver_types.h>

#ifdef __cplusplus
#define __CDP_NO_GRAPHICS(function) template <class... __T> cudaError_t function(__T...)
#else
#define __CDP_NO_GRAPHICS(function) cudaError_t function()
#endif
#define __CDP_UNAVAILABLE                                                                          \
    __attribute__((unavailable(                                                                    \
        "cdpcc has no graphics; copy the results to the host, and draw them there")))

__CDP_NO_GRAPHICS(cudaGLGetDevices) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLMapBufferObject) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLMapBufferObjectAsync) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLRegisterBufferObject) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLSetBufferObjectMapFlags) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLSetGLDevice) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLUnmapBufferObject) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLUnmapBufferObjectAsync) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGLUnregisterBufferObject) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsGLRegisterBuffer) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsGLRegisterImage) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsMapResources) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsResourceGetMappedPointer) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsResourceSetMapFlags) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsSubResourceGetMappedArray) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsUnmapResources) __CDP_UNAVAILABLE;
__CDP_NO_GRAPHICS(cudaGraphicsUnregisterResource) __CDP_UNAVAILABLE;

#undef __CDP_NO_GRAPHICS
#undef __CDP_UNAVAILABLE

#endif
