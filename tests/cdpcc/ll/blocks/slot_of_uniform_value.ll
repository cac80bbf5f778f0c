; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A uniform value is kept once for the block and takes no bytes for each thread.

; CHECK: regions of across: 1 values across barriers, 0 bytes for each thread
; CHECK: region 1
; CHECK: live: %y = fmul
define void @cdp.thread.across(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = load float, ptr %in, align 4
  %y = fmul float %x, %x
  call void @cdp_abi_syncthreads()
  call void @set(ptr %out, i32 %g, float %y)
  ret void
}
