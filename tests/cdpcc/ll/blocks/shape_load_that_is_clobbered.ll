; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Behind a store of the region, chunks may load different values from one address: the load is one
; value for each vector. The first load is made before the chunks, and is one value for the block.

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
