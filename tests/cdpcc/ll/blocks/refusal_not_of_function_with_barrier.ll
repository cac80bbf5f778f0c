; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A function with a barrier is inlined into the kernel, even if it is marked noinline.

; CHECK-NOT: refused
; CHECK: regions of meet
; CHECK: region 1
define void @meet() noinline {
  call void @cdp_abi_syncthreads()
  ret void
}
define void @cdp.thread.meet(ptr noalias readonly align 64 %params) {
  call void @use(i32 1)
  call void @meet()
  call void @use(i32 2)
  ret void
}
