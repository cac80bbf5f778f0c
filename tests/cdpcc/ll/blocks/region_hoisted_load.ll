; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; After the barrier all threads read the block's sum. One load before the chunk loop is enough.

; CHECK: region 1
; CHECK: hoisted: %sum = load float
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %s = call ptr @shared()
  store float 1.0, ptr %s, align 4
  call void @cdp_abi_syncthreads()
  %sum = load float, ptr %s, align 4
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
