; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A value that is uniform in each vector is kept once for its 16 lanes: one byte for each thread,
; rounded up.

; CHECK: regions of across: 1 values across barriers, 1 bytes for each thread
; CHECK: live: %y = fmul
define void @cdp.thread.across(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %row = lshr i32 %t, 4
  %at = call ptr @element(ptr %in, i32 %row)
  %x = load float, ptr %at, align 4
  %y = fmul float %x, %x
  call void @cdp_abi_syncthreads()
  call void @set(ptr %out, i32 %t, float %y)
  ret void
}
