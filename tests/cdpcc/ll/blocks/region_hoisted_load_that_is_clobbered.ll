; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Threads of the region store to the array after the load. All threads must load the old value, so
; the load is hoisted before the chunk loop.

; CHECK: region 1
; CHECK: hoisted: %x = load float
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %out, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  %x = load float, ptr %in, align 4
  call void @set(ptr %in, i32 %g, float %x)
  ret void
}
