; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A shuffle is a call in lowered code, but it has its own reason.

; CHECK: load of 4 bytes: gather: the index comes from a warp operation
define void @cdp.thread.shuffle(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = call i32 @cdp_abi_shfl32(i32 -1, i32 %g, i32 1, i32 32, i32 3, ptr null)
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
