; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Values that depend only on indices and parameters are computed again after the barrier. So they
; have no slot, although they are used there.

; CHECK: regions of across: 0 values across barriers, 0 bytes for each thread
; CHECK: live: {{.*}} = getelementptr float
define void @cdp.thread.across(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %i = add i32 %t, %n
  call void @set(ptr %out, i32 %i, float 1.0)
  call void @cdp_abi_syncthreads()
  call void @set(ptr %out, i32 %i, float 2.0)
  ret void
}
