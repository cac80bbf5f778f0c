; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A thread may have stored to the address before, and must load what it stored.

; CHECK: region 1
; CHECK-NOT: hoisted
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %s = call ptr @shared()
  store float 1.0, ptr %s, align 4
  call void @cdp_abi_syncthreads()
  call void @set(ptr %s, i32 %t, float 2.0)
  %sum = load float, ptr %s, align 4
  call void @set(ptr %out, i32 %t, float %sum)
  ret void
}
