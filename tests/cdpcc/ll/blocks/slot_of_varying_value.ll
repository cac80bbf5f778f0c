; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Memory may have changed after the barrier, so each thread keeps the four bytes that it loaded.

; CHECK: regions of across: 1 values across barriers, 4 bytes for each thread
; CHECK: region 1
; CHECK: live: %x = load float
define void @cdp.thread.across(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %g)
  %x = load float, ptr %at, align 4
  call void @cdp_abi_syncthreads()
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
