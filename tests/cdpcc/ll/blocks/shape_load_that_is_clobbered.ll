; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; After a store in the region, chunks may load different values from one address. So the load is
; uniform in each vector only. The first load is hoisted before the chunk loop and is uniform in the
; block.

; CHECK: uniform: %before = load float
; CHECK: vector: %behind = load float
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %s = call ptr @shared()
  store float 1.0, ptr %s, align 4
  call void @cdp_abi_syncthreads()
  %before = load float, ptr %s, align 4
  call void @set(ptr %s, i32 %t, float 2.0)
  %behind = load float, ptr %s, align 4
  %sum = fadd float %before, %behind
  call void @set(ptr %out, i32 %t, float %sum)
  ret void
}
