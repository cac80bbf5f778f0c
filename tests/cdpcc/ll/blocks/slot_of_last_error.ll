; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Each thread has its own last error, which calls of CUDA's runtime set and read.

; CHECK: regions of error: 0 values across barriers, 8 bytes for each thread
declare i32 @cdp_abi_cudaGetLastError()
define void @cdp.thread.error(ptr noalias readonly align 64 %params) {
  call void @cdp_abi_syncthreads()
  %error = call i32 @cdp_abi_cudaGetLastError()
  call void @use(i32 %error)
  ret void
}
