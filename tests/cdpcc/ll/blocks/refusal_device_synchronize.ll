; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; cudaDeviceSynchronize() waits for children.

; CHECK: refused: it calls cudaDeviceSynchronize
declare i32 @cdp_abi_cudaDeviceSynchronize()
define void @cdp.thread.wait(ptr noalias readonly align 64 %params) {
  %error = call i32 @cdp_abi_cudaDeviceSynchronize()
  ret void
}
