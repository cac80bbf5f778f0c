; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A library function runs once for each lane. LLVM's own function becomes a vector instruction.
; Calls use the registers of interleaved vectors, so the region runs one vector at a time.

; CHECK: 1 vector at a time
; CHECK: call of of.library: one lane after the other
; CHECK-NOT: sqrt
define void @cdp.thread.call(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call float @of.library(i32 %g)
  %root = call float @llvm.sqrt.f32(float %x)
  call void @set(ptr %out, i32 %g, float %root)
  ret void
}
declare float @of.library(i32)
