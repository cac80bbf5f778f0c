; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A local array lives across the barrier. So each thread has it on the stack, although it is no
; value.

; CHECK: regions of local: 0 values across barriers, 24 bytes for each thread
define void @cdp.thread.local(ptr noalias readonly align 64 %params) {
  %array = alloca [6 x float], align 4
  call void @use.ptr(ptr %array)
  call void @cdp_abi_syncthreads()
  call void @use.ptr(ptr %array)
  ret void
}
